//! Features of deployments that a message asks for or rules out.

use super::context::Context;
use super::open::Open;
use super::parts::parts;
use super::{Asked, CLOSED_PORTS, Fate, open_anyway, second};
use crate::catalogue::covers::{self, Cover, Feature};
use crate::catalogue::foreign::{self, Foreign};
use crate::catalogue::{self, Blueprint, stacks};
use crate::words::language::Weight;
use crate::words::{Near, Qualifier, QualifierKind, Words, lists, numbers};

/// What a message says about features.
#[derive(Default)]
pub(super) struct Spoken {
    /// Wishes that the deployment fulfills, as separate requirements.
    pub(super) covered: Vec<&'static str>,
    /// Features that the user asks for and the deployment lacks, and parts that the user rules out and it has anyway.
    pub(super) asked: Vec<Asked>,
    /// The rows of features that are built in another way, each with the feature's wish.
    pub(super) otherwise: Vec<(String, &'static str)>,
    /// Features that the user does not want.
    pub(super) refused: Vec<&'static str>,
    /// Phrases that name the found features. The deployment builds these features even where others cannot.
    pub(super) cues: Vec<&'static str>,
}

/// The feature whose phrases may also say how long something is kept.
const DURABLE: &str = "durable data";

/// The feature that the question about the receiver of alerts decides.
const WEBHOOK: &str = "alerts to a webhook";

/// The feature that is about all that runs, and not about a part of it.
const RETURN: &str = "a return after a reboot";

/// How a message mentions a feature.
enum Said {
    Meant(&'static str, Near),
    TurnedDown(&'static str),
}

pub(super) fn features(
    blueprint: &Blueprint,
    context: &Context,
    words: &Words,
    open: &mut Open,
) -> Spoken {
    let mut spoken = Spoken::default();
    let mut explained: Vec<Vec<String>> = Vec::new();
    let mut missing: Vec<(&str, Asked)> = Vec::new();
    let second = second::bucket(blueprint, words);
    if let Some(second) = &second {
        open.take_range(&second.named);
        let what = words.said_in(second.named.clone());
        spoken.asked.push(Asked { what, fate: Fate::Not });
    }
    for feature in covers::features().filter(|feature| !covers::is_asked(blueprint, feature)) {
        let has = |cover: &Cover| cover.feature.name() == feature.name();
        // Without a receiver, the alerts go to no webhook.
        let receiver = context.values.get(stacks::ALERTS_TO.key);
        let nowhere = feature.name() == WEBHOOK && receiver.is_some_and(|to| to == "none");
        let cover = context.covers.iter().find(|cover| has(cover)).filter(|_| !nowhere);
        let has = cover.is_some();
        if feature.is_a_part() && !has {
            continue;
        }
        let of_a_bucket = second::OF_A_BUCKET.contains(&feature.name());
        let second = second.as_ref().filter(|_| has && of_a_bucket);
        // “Port 80 closed” is not fulfilled while the port is open.
        let unfulfilled = feature.wish() == CLOSED_PORTS && context.keeps_a_port_open(words);
        // “Ports 80 and 443 open, everything else closed” is fulfilled beside the open ports.
        let beside = |said: &Said| matches!(said, Said::Meant(cue, _) if BESIDE.contains(cue));
        let said = said(feature, words).or_else(|| said_plainly(feature, words).filter(|_| has));
        let said = said.filter(|said| !unfulfilled || beside(said));
        if let (Some(Said::Meant(..)), true) = (&said, has) {
            // “a certificate, but not Let's Encrypt”: the deployment has the feature, by this product.
            let mut refused = feature.cues().filter(|cue| words.excludes(cue));
            let cue = refused.next();
            cue.into_iter().for_each(|cue| open.rule_out(cue));
            spoken.asked.extend(cue.map(|cue| with(cue, cue.to_string())));
        }
        match (said, has) {
            (Some(Said::Meant(_, near)), true)
                if second.is_some_and(|second| second.about.contains(&near.begins_at(words))) =>
            {
                near.words(words).for_each(|word| open.take(word));
                let what = near.text(words);
                let own = second.is_some_and(|second| {
                    words.said_in(second.named.clone()).contains(what.as_str())
                });
                if !own && !what.ends_with("bucket") {
                    spoken.asked.push(Asked { what, fate: Fate::Not });
                }
            }
            // “Data kept 60 days” is what the question about the days asks.
            (Some(Said::Meant(_, near)), false)
                if feature.name() == DURABLE
                    && context.keeps_for_days(words, near.begins_at(words)) =>
            {
                near.words(words).for_each(|word| open.take(word));
            }
            // The “encryption” of a website is TLS.
            (Some(Said::Meant(cue, near)), false)
                if feature.is_fulfilled_by(blueprint, &near.text(words))
                    && !near.negated(words) =>
            {
                near.words(words).for_each(|word| open.take(word));
                spoken.cues.push(cue);
            }
            // “A website that is not reachable from the internet” contradicts the ports of the website.
            (Some(Said::Meant(_, near)), true)
                if feature.wish() == CLOSED_PORTS
                    && open_anyway::is_open_anyway(blueprint, context, &near, words) =>
            {
                near.words(words).for_each(|word| open.rule_out(word));
                spoken.asked.push(open_anyway::open_anyway(context, &near, words));
            }
            (Some(Said::Meant(cue, near)), has) => {
                let denied = near.negated(words) || near.forbidden(words).is_some();
                let forbidding = near.forbidden(words).filter(|word| *word != "not");
                forbidding.into_iter().for_each(|word| open.rule_out(word));
                match denied {
                    // “No public access to the database” explains no other wish for a database.
                    true => near.values(words).for_each(|at| open.rule_out_range(&(at..at + 1))),
                    false => near.words(words).for_each(|word| open.take(word)),
                }
                let foreign =
                    || Foreign::in_message(words).into_iter().any(|f| f.cues.contains(&cue));
                let otherwise = |word: &&str| feature.instead_of(word).is_some();
                let other = near.around(words).find(otherwise);
                let instead = other.and_then(|word| feature.instead_of(word));
                let near = near.with(words, |word| instead.is_some() && Some(word) == other);
                let (near, unknown) = qualified(feature, cover, near, words);
                let kinds: Vec<_> = unknown.iter().map(|qualifier| qualifier.kind).collect();
                for qualifier in unknown.iter().filter(|q| q.kind == QualifierKind::Excepted) {
                    let excepted = words.phrase(qualifier.place.clone());
                    excepted.split(' ').for_each(|word| open.rule_out(word));
                }
                if !denied {
                    near.words(words).for_each(|word| open.take(word));
                }
                let instead = instead.or(kinds.first().map(|kind| match cover {
                    Some(cover) => cover.without_qualifier(*kind),
                    None => feature.without_qualifier(*kind),
                }));
                if let Some(instead) = instead.filter(|_| has) {
                    let encrypted = kinds.contains(&QualifierKind::Encrypted);
                    spoken.cues.extend(encrypted.then_some("encrypted"));
                    let fate = Fate::Differently(instead.into());
                    let usual = kinds.iter().all(|kind| *kind == QualifierKind::Frequency);
                    let what = if usual { near.text(words) } else { near.said(words) };
                    spoken.otherwise.push((what.clone(), feature.wish()));
                    spoken.asked.push(Asked { what, fate });
                    spoken.cues.extend(feature.cues());
                    spoken.cues.extend(foreign_in(&near, words));
                } else if has {
                    explained.push(near.words(words).map(str::to_string).collect());
                    spoken.covered.push(feature.wish());
                    spoken.cues.extend(feature.cues().chain(feature.without()));
                } else if !foreign() {
                    missing.push((cue, Asked { what: near.text(words), fate: Fate::Not }));
                }
            }
            (Some(Said::TurnedDown(cue)), has) => {
                open.rule_out(cue);
                // “No automatic updates, please”: what adds detail is ruled out as well.
                let near =
                    words.near(cue).map(|near| near.with(words, |word| feature.has_word(word)));
                let details: Vec<&str> = near.iter().flat_map(|near| near.words(words)).collect();
                details.into_iter().for_each(|word| open.rule_out(word));
                let off = near.and_then(|near| near.forbidden(words));
                off.into_iter().for_each(|word| open.rule_out(word));
                spoken.refused.push(feature.wish());
                // The user ruled out a product, “without certbot”, so the row names the product and not the feature.
                let product = feature.cues().next() != Some(cue) && PRODUCTS.contains(&cue);
                let name = if product { cue } else { feature.name() };
                let comes = has.then(|| with(cue, name.to_string()));
                spoken.asked.extend(comes);
            }
            (None, _) => {}
        }
    }
    // The “restored” of “old versions can be restored” asks for the versions, not for a tried restore.
    let part = |cue: &str| {
        explained.iter().any(|said| cue.split(' ').all(|word| said.iter().any(|s| s == word)))
    };
    spoken.asked.extend(missing.into_iter().filter(|(cue, _)| !part(cue)).map(|(_, asked)| asked));
    spoken.asked.extend(parts(blueprint, words, open));
    if words.excludes("cloud") {
        open.rule_out("cloud");
    }
    spoken
}

/// How the message mentions the feature: by its longest matching phrase, with the words nearby that add detail.
fn said(feature: &'static Feature, words: &Words) -> Option<Said> {
    // The “firewall” of “web application firewall” is something else.
    let own = |cue: &&str| {
        let places = words.places(cue);
        places.is_empty() || !places.iter().all(|place| foreign::has_longer(words, place))
    };
    let other = |cue: &str| {
        let beside =
            |word| words.has(&format!("{cue} {word}")) || words.has(&format!("{word} {cue}"));
        feature.other_beside().any(beside)
    };
    // “Without a firewall. No, with a firewall” asks for one.
    let more = |word: &str| feature.has_word(word);
    let asks = |near: &Near| {
        !near.negated(words) && !near.switched_off(words, more) && !near.is_a_moment(words)
    };
    // “The cart must survive a restart” is about the cart's data.
    let whole =
        |near: &Near| feature.name() != RETURN || !has_another_subject(feature, near, words);
    // “25 users without root rights” says nothing of root's login.
    let elsewhere = |near: &Near| {
        near.around(words).any(|word| feature.is_about(word)) || is_given(near, words)
    };
    let asked = |cue: &&str| !other(cue) && !words.is_out_of_the_question(cue);
    let wanted = feature.cues().filter(own).filter(asked);
    let asks = |near: &Near| asks(near) && whole(near);
    let wanted = wanted
        .filter_map(|cue| Some((cue, words.all_near(cue).into_iter().find(|near| asks(near))?)));
    let refused = feature.without().filter_map(|cue| Some((cue, words.near(cue)?)));
    let refused = refused.filter(|(cue, near)| cue.contains(' ') || !elsewhere(near));
    let refused =
        refused.filter(|(_, near)| near.negated(words) || near.forbidden(words).is_some());
    let meant = wanted.chain(refused).max_by_key(|(cue, _)| cue.len());
    let meant = meant.map(|(cue, near)| Said::Meant(cue, near.with(words, more)));
    let off = |cue: &&str| words.near(cue).is_some_and(|near| near.switched_off(words, more));
    meant.or_else(|| {
        let out = |cue: &&str| words.rules_out_as_a_whole(cue);
        feature.cues().filter(own).find(|cue| out(cue) || off(cue)).map(Said::TurnedDown)
    })
}

/// The word that asks for a feature of the deployment, and is not a part of an address: “with https”.
fn said_plainly(feature: &Feature, words: &Words) -> Option<Said> {
    let cue = feature.if_built()?;
    let of_an_address =
        |near: &Near| words.values().nth(near.begins_at(words)).is_some_and(|value| value != cue);
    let near = words.all_near(cue).into_iter().find(|near| {
        !near.negated(words) && near.forbidden(words).is_none() && !of_an_address(near)
    });
    near.map(|near| Said::Meant(cue, near))
}

/// Whether the user says what they can give: “I can't give you root on it”.
fn is_given(near: &Near, words: &Words) -> bool {
    const GIVING: &str = "give giving grant gebe geben dar daros darle darles doy donner donne";
    const YOU: &str = "you ihnen euch dir os le les te daros darle darles vous";
    let said = |list: &str| near.around(words).any(|word| lists(list, word));
    said(GIVING) && said(YOU)
}

/// The phrases for foreign things of which a row about a feature has a word: the “mail” of “alerts by mail”.
fn foreign_in(near: &Near, words: &Words) -> Vec<&'static str> {
    let said: Vec<&str> = near.words(words).collect();
    let named = |cue: &&str| {
        let mut parts = cue.trim_start_matches("e ").split(' ');
        parts.all(|part| said.contains(&part)) && words.means(cue)
    };
    let foreign = Foreign::all().filter(|foreign| !foreign.is_main());
    foreign.flat_map(|foreign| foreign.cues.iter().copied()).filter(named).collect()
}

/// Whether the words before a phrase name something that is not a part of any deployment and that the phrase is about.
fn has_another_subject(feature: &Feature, near: &Near, words: &Words) -> bool {
    const PARTS: &str = "data database service services site website app application container containers machine vps box \
        todo alles tout system";
    let at = near.begins_at(words);
    let values: Vec<&str> = words.values().collect();
    let known = |word: &str| {
        let bare = word.trim_end_matches('s');
        let own = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
        lists(PARTS, word)
            || feature.has_word(word)
            || own().any(|cue| cue == word || cue == bare)
            || Foreign::all().any(|foreign| foreign.cues.contains(&word))
    };
    (words.clause(at).start..at).any(|at| {
        words.weighs(at) == Weight::Full
            && !known(values[at])
            && numbers::read(values[at]).is_none()
    })
}

/// The mention of a feature with everything that changes what it asks for and that the feature does not know, and all
/// of that.
fn qualified(
    feature: &Feature,
    cover: Option<&Cover>,
    near: Near,
    words: &Words,
) -> (Near, Vec<Qualifier>) {
    let unknown = near.qualifiers(words).into_iter();
    let knows = |qualifier: &Qualifier| match cover {
        Some(cover) => cover.knows(qualifier, words),
        None => feature.knows(qualifier, words),
    };
    let unknown: Vec<_> = unknown.filter(|qualifier| !knows(qualifier)).collect();
    (unknown.iter().fold(near, Near::qualified), unknown)
}

/// Cues that close what is not planned to be open.
const BESIDE: &[&str] = &[
    "else closed",
    "else open",
    "rest closed",
    "other port closed",
    "other port",
    "other open port",
];

/// Cues that name a product that provides a feature.
const PRODUCTS: &[&str] =
    &["let's encrypt", "lets encrypt", "letsencrypt", "certbot", "ufw", "unattended upgrade"];

/// A row for something that the user rules out and the deployment has anyway.
pub(super) fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}
