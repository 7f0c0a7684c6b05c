//! Countries in which the deployment is not built, and those in which it must not be.

use super::context::Context;
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::{self, Blueprint, Place, places};
use crate::words::language::Weight;
use crate::words::{Words, lists};

/// Countries that users name, by what comes after the translation.
const COUNTRIES: places::Places = &[
    ("switzerland", ""),
    ("austria", ""),
    ("france", ""),
    ("spain", ""),
    ("italy", ""),
    ("netherlands", ""),
    ("belgium", ""),
    ("poland", ""),
    ("sweden", ""),
    ("ireland", ""),
    ("united kingdom", ""),
    ("canada", ""),
    ("brazil", ""),
    ("chile", ""),
    ("mexico", ""),
    ("japan", ""),
    ("india", ""),
    ("australia", ""),
];

/// Towns with data centers, and words around one by which something is hosted there: “AWS in Frankfurt”.
const TOWNS: places::Places = &[
    ("frankfurt", ""),
    ("paris", ""),
    ("london", ""),
    ("dublin", ""),
    ("amsterdam", ""),
    ("stockholm", ""),
    ("zurich", ""),
    ("milan", ""),
    ("madrid", ""),
    ("montreal", ""),
    ("tokyo", ""),
    ("sydney", ""),
    ("mumbai", ""),
];
const HOSTING: &str = "aws amazon hetzner scaleway ovh infomaniak region région región location standort server servers vps hosted \
    hosting datacenter datacentre rechenzentrum servidor serveur gehostet alojado hébergé hébergement";

/// Phrases for the United States.
const UNITED_STATES: &[&str] = &["united states", "the us", "usa", "in the us", "us region"];

/// Phrases for providers of the United States.
const AMERICAN: &[&str] = &[
    "american cloud",
    "american hosting",
    "american provider",
    "us cloud",
    "us provider",
    "us hosting",
];

/// Phrases for the European Union.
const EUROPEAN: &[&str] =
    &["data in the eu", "data only in the eu", "only in the eu", "in the eu", "eu only", "eu"];

/// What a message says about countries: the rows for those where nothing is built. Marks the wishes that the place of the
/// deployment fulfills as explained.
pub(super) fn countries(
    blueprint: &Blueprint,
    context: &Context,
    words: &Words,
    open: &mut Open,
) -> Vec<Asked> {
    let Some(code) = context.place_code().filter(|_| blueprint.place != Place::Sandbox) else {
        return Vec::new();
    };
    let mut asked = Vec::new();
    let built = places::of(blueprint.place);
    let place = built.iter().find(|(_, own)| *own == code).map_or(code, |(name, _)| name);
    let foreign = |name: &str| !built.iter().any(|(own, _)| *own == name);
    let of_another = places::elsewhere(words, places::of(Place::Aws));
    for at in (0..words.count()).filter(|_| blueprint.place == Place::Hetzner) {
        let region = words.values().nth(at).filter(|value| catalogue::is_a_region(value));
        let here = !of_another.contains(&at) && words.means_value(at);
        if let Some(region) = region.filter(|_| here) {
            open.take_range(&(at..at + 1));
            asked.push(row(region.to_string(), place));
        }
    }
    let elsewhere = COUNTRIES.chunks(1).chain(TOWNS.chunks(1));
    for country in elsewhere.filter(|country| foreign(country[0].0)) {
        let name = country[0].0;
        let town = TOWNS.contains(&country[0]);
        let meant = |mention: &places::Mention| !town || is_hosted(words, mention);
        for mention in places::own(words, country).into_iter().filter(meant) {
            match mention.refused {
                true => rule_out(words, &mention, open),
                false => {
                    open.take(name);
                    asked.push(row(name.to_string(), place));
                }
            }
        }
    }
    for mention in places::own(words, built) {
        let here = mention.code == code || places::contains(mention.name, code);
        match (mention.refused, here) {
            (true, false) => rule_out(words, &mention, open),
            (true, true) => {
                rule_out(words, &mention, open);
                asked.push(row(format!("not in {}", mention.name), place));
            }
            // A place from before the user named another one is not missing, and neither is an alternative.
            (false, false)
                if is_alternative(words, &mention) || context.former.contains(&mention.code) =>
            {
                open.take(mention.name)
            }
            (false, false) if context.replaced.is_empty() => {
                asked.push(row(mention.name.to_string(), place))
            }
            (false, _) => {}
        }
    }
    let american = code.starts_with("us-") || ["ash", "hil"].contains(&code);
    for phrase in UNITED_STATES.iter().filter(|phrase| words.excludes(phrase)) {
        if !american {
            open.rule_out(phrase);
        }
    }
    if blueprint.place == Place::Hetzner {
        let out = AMERICAN.iter().filter(|phrase| words.excludes(phrase));
        out.for_each(|phrase| open.rule_out(phrase));
    }
    if !american && is_european(code) {
        EUROPEAN.iter().filter(|phrase| words.means(phrase)).for_each(|phrase| open.take(phrase));
    }
    asked.dedup();
    asked
}

/// Whether the clause of a town is about where something is hosted, or names nothing else.
fn is_hosted(words: &Words, mention: &places::Mention) -> bool {
    let clause = words.clause(mention.values.start);
    let hosting = clause.clone().any(|at| {
        let (said, _) = words.said(at);
        words.values().nth(at).into_iter().chain([said]).any(|word| lists(HOSTING, word))
    });
    let full = |at: &usize| !mention.values.contains(at) && words.weighs(*at) == Weight::Full;
    hosting || !clause.clone().any(|at| full(&at))
}

fn row(what: String, place: &str) -> Asked {
    Asked { what, fate: Fate::Differently(format!("in {place}")) }
}

/// Marks a place that the message rules out, and the words beside it that do, as obeyed.
fn rule_out(words: &Words, mention: &places::Mention, open: &mut Open) {
    const BESIDE: &[&str] = &[
        "outside",
        "elsewhere",
        "except",
        "hors",
        "ailleurs",
        "fuera",
        "außerhalb",
        "ausserhalb",
        "qu'en",
        "anywhere",
        "everywhere",
        "far",
        "lejos",
        "weit",
        "loin",
    ];
    let clause = words.clause(mention.values.start);
    for token in open.tokens.iter_mut().filter(|token| clause.contains(&token.value)) {
        let place = mention.values.contains(&token.value);
        if place || BESIDE.contains(&token.word.as_str()) {
            token.open = false;
            token.ruled_out |= place;
        }
    }
}

/// Whether another place is as good: “Falkenstein or Helsinki”.
fn is_alternative(words: &Words, mention: &places::Mention) -> bool {
    let clause = words.clause(mention.values.start);
    let mut around = words.values().skip(clause.start).take(clause.len());
    around.any(|word| ["or", "oder", "o", "ou", "otherwise"].contains(&word))
}

/// Whether a place of a provider is in the European Union.
fn is_european(code: &str) -> bool {
    // London and Zurich are outside.
    let outside = ["eu-west-2", "eu-central-2"].contains(&code);
    ["nbg1", "fsn1", "hel1"].contains(&code) || (code.starts_with("eu-") && !outside)
}
