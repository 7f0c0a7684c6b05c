//! Places that a message rules out: “not in Germany”, “outside of the United States”, “anywhere but Helsinki”.

use std::ops::Range;

use super::others::OTHERS;
use super::{ARTICLES, Mention, PREPOSITIONS, Places};
use crate::catalogue::covers::{self, Feature};
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::regions;
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// Words before a place in which nothing is to be.
const OUTSIDE: &[&str] = &[
    "outside",
    "elsewhere",
    "except",
    "excluding",
    "außerhalb",
    "ausserhalb",
    "salvo",
    "excepto",
    "fuera",
    "afuera",
    "hors",
    "ailleurs",
];

/// Those of them that deny with a negation before them: “under no circumstances outside of the EU” asks for the EU.
const BEYOND: &[&str] =
    &["outside", "elsewhere", "außerhalb", "ausserhalb", "fuera", "afuera", "hors", "ailleurs"];

/// Words that except a place right before its name, or only its preposition and article: “cualquiera menos Alemania”.
const RIGHT_BEFORE: &[&str] = &["menos", "but"];

/// Words for any place at all, from which such a word excepts.
const ANY: &[&str] = &[
    "any",
    "whatever",
    "anywhere",
    "everywhere",
    "all",
    "every",
    "egal",
    "beliebig",
    "überall",
    "irgendwo",
    "cualquiera",
    "cualquier",
    "todas",
    "todos",
    "n'importe",
    "partout",
    "toutes",
    "tous",
];

/// Verbs by which something stays “out of” or “away from” a place.
const KEEPING: &[&str] =
    &["keep", "keeps", "stay", "stays", "leave", "get", "move", "moved", "be", "remain"];

/// Pairs of words with the same meaning.
const PAIRS: &[[&str; 2]] = &[
    ["instead", "of"],
    ["rather", "than"],
    ["anywhere", "but"],
    ["everywhere", "but"],
    ["other", "than"],
];

/// Words before the place from which somebody connects.
const FROM: &[&str] = &["from", "desde", "depuis"];

/// Words after a place that is not to be it.
const FAR: &[&str] = &["far", "weit", "lejos", "loin"];

/// Wide names, each with the beginnings of the codes of all places in it.
const AREAS: &[(&str, &[&str])] = &[
    ("germany", &["nbg1", "fsn1", "eu-central-1"]),
    ("europe", &["nbg1", "fsn1", "hel1", "eu-"]),
    ("the us", &["ash", "hil", "us-"]),
    ("usa", &["ash", "hil", "us-"]),
    ("united states", &["ash", "hil", "us-"]),
    ("us east", &["ash", "us-east-"]),
    ("us west", &["hil", "us-west-"]),
    ("asia", &["sin", "ap-"]),
    ("japan", &["ap-northeast-1", "ap-northeast-3"]),
    ("canada", &["ca-"]),
    ("finland", &["hel1"]),
    ("virginia", &["ash", "us-east-1"]),
    ("oregon", &["hil", "us-west-2"]),
    ("singapore", &["sin", "ap-southeast-1"]),
    ("nürnberg", &["nbg1"]),
    ("nuremberg", &["nbg1"]),
    ("falkenstein", &["fsn1"]),
    ("helsinki", &["hel1"]),
    ("ashburn", &["ash"]),
    ("hillsboro", &["hil"]),
    ("frankfurt", &["eu-central-1"]),
    ("zurich", &["eu-central-2"]),
    ("switzerland", &["eu-central-2"]),
    ("ireland", &["eu-west-1"]),
    ("london", &["eu-west-2"]),
    ("united kingdom", &["eu-west-2"]),
    ("paris", &["eu-west-3"]),
    ("france", &["eu-west-3"]),
];

/// Whether the place with this name has the place with this code in it.
pub fn contains(name: &str, code: &str) -> bool {
    let area = AREAS.iter().find(|(area, _)| *area == name);
    area.map_or(name == code, |(_, codes)| {
        codes.iter().any(|start| match start.ends_with('-') {
            true => code.starts_with(start),
            false => code == *start,
        })
    })
}

/// The place in which to build instead of the present one, if the message rules that out and wants no other.
pub fn instead_of(words: &Words, places: Places, present: &str) -> Option<String> {
    // Without another wish, Europe is nearest to the default.
    const FIRST: &[&str] = &["eu-central-1", "eu-west-1"];
    let refused: Vec<Mention> =
        super::own(words, places).into_iter().filter(|mention| mention.refused).collect();
    let refuses = |code: &str| {
        refused.iter().any(|mention| mention.code == code || contains(mention.name, code))
    };
    let listed = |code: &&str| places.iter().any(|(_, own)| own == code);
    let first = FIRST.iter().copied().filter(listed);
    let mut all = first.chain(places.iter().map(|(_, code)| *code));
    refuses(present).then(|| all.find(|code| !refuses(code)).map(str::to_string))?
}

/// The words by which the deployment is to stay within a place: “under no circumstances outside of the EU”.
pub fn kept_within(words: &Words, places: Places) -> Vec<Range<usize>> {
    let within = |mention: Mention| {
        let clause = words.clause(mention.values.start);
        let denied = denied_beyond(words, &mention)?;
        Some(clause.start + denied..mention.values.end)
    };
    super::own(words, places).into_iter().filter_map(within).collect()
}

/// Where in its clause a negation denies what is beyond a place, and not from where somebody connects.
fn denied_beyond(words: &Words, mention: &Mention) -> Option<usize> {
    let first = mention.values.start;
    let before: Vec<&str> = words.values().take(first).skip(words.clause(first).start).collect();
    let denied = before.iter().position(|word| is_negation(word))?;
    let beyond = before.iter().rposition(|word| BEYOND.contains(word))?;
    let from = before.get(beyond.wrapping_sub(1)).is_some_and(|word| FROM.contains(word));
    (denied < beyond && !from).then_some(denied)
}

/// Marks the places that stand after a word such as “outside”. The word rules out only the first place after it.
pub(super) fn mark(words: &Words, found: &mut [Mention]) {
    let values: Vec<&str> = words.values().collect();
    let all: Vec<usize> = found.iter().map(|mention| mention.values.start).collect();
    for mention in found.iter_mut() {
        let first = mention.values.start;
        let clause = words.clause(first);
        let previous = all.iter().filter(|at| **at < first && clause.contains(at)).max();
        let before = &values[previous.map_or(clause.start, |at| at + 1)..first];
        if denied_beyond(words, mention).is_some() {
            mention.refused = false;
            continue;
        }
        mention.refused &= !is_spent(&values[clause.start..first]);
        let outside = before.iter().any(|word| OUTSIDE.contains(word)) || is_excepted(before);
        let pair = before.windows(2).any(|pair| PAIRS.iter().any(|listed| pair == listed));
        // “Helsinki is too far away”
        let mut after = values[mention.values.end..clause.end].iter();
        let far = after.any(|word| FAR.contains(word));
        mention.refused |= outside || pair || far;
        // “Instead of Nuremberg rather Falkenstein” rules out only the first place.
        let joined =
            |word: &&str| ["and", "or", "nor", "y", "ni", "et", "und", "oder"].contains(word);
        let earlier = &values[clause.start..previous.copied().unwrap_or(clause.start)];
        let exchanged = earlier.windows(2).any(|two| PAIRS[..2].iter().any(|pair| two == pair));
        if previous.is_some() && exchanged && !before.iter().any(joined) {
            mention.refused = outside || pair || far;
        }
    }
}

/// Whether the words before a place except it from all others, or keep something out of it.
fn is_excepted(before: &[&str]) -> bool {
    let link = |word: &&&str| PREPOSITIONS.contains(*word) || ARTICLES.contains(*word);
    let mut near = before.iter().rev().skip_while(link);
    let excepts = near.next().is_some_and(|word| RIGHT_BEFORE.contains(word));
    let any = near.any(|word| ANY.contains(word));
    let pair = |pair: &[&str]| matches!(pair, ["out", "of"] | ["away", "from"]);
    let out = before.windows(2).position(pair);
    excepts && any || out.is_some_and(|out| before[..out].iter().any(|w| KEEPING.contains(w)))
}

/// Whether the negation before a place rules out something else before its preposition: “sin ssl en Falkenstein”,
/// “not 8.4 in Germany”. A noun that nothing here knows may be in the place: “no data in Germany”.
fn is_spent(before: &[&str]) -> bool {
    let Some(negation) = before.iter().rposition(|word| is_negation(word)) else { return false };
    let link = |word: &&&str| PREPOSITIONS.contains(*word) || ARTICLES.contains(*word);
    let links = before[negation + 1..].iter().rev().take_while(link).count();
    let denied = &before[negation + 1..before.len() - links];
    let Some(last) = denied.last() else { return false };
    if last.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let denied = Words::of(&denied.join(" "));
    let part = |foreign: &&Foreign| foreign.kind != Kind::Place;
    let foreign = Foreign::all().filter(part).flat_map(|foreign| foreign.cues.iter().copied());
    let mut known = foreign.chain(covers::features().flat_map(Feature::cues));
    !denied.values().any(|word| OTHERS.split_ascii_whitespace().any(|other| other == word))
        && known.any(|cue| denied.has(cue))
}

/// Things of which the place may be said after it: “only Europe in the CDN”.
const AFTERWARDS: &[&str] = &[
    "cdn",
    "cloudfront",
    "replica",
    "replicas",
    "standby",
    "backup",
    "backups",
    "dumps",
    "copies",
    "archive",
    "api",
    "dns",
];

/// Things of which a later clause may say where they are not to be: “a replica, but not in Germany”.
const MOVABLE: &[&str] =
    &["replica", "replicas", "standby", "failover", "api", "copy", "copies", "archive"];

/// Words for people, of whom the clause says where they are or are not.
const PEOPLE: &[&str] = &["nobody", "anybody", "everybody", "niemand", "nadie", "personne"];

/// Words for what is built.
const BUILT: &[&str] = &[
    "server",
    "servers",
    "vps",
    "machine",
    "machines",
    "ec2",
    "datacenter",
    "hetzner",
    "aws",
    "amazon",
];

/// Whether a word is one of the name of a place.
fn is_in_a_name(word: &str) -> bool {
    let names = AREAS.iter().map(|(name, _)| *name);
    let names = names.chain(regions::PLACES.iter().map(|(name, _)| *name));
    names.flat_map(|name| name.split(' ')).any(|part| part == word)
}

/// Words before the place of one of several servers that is not the first.
const ANOTHER: &[&str] = &[
    "second",
    "third",
    "zweite",
    "zweiter",
    "zweiten",
    "zweites",
    "segundo",
    "segunda",
    "deuxième",
    "seconde",
];

/// Articles with which a place stands for a server: “the Helsinki one”, “el de Helsinki”.
const REFERRING: &[&str] = &["dem", "demjenigen", "el", "la", "celui", "celle"];

/// Whether a place is of something other than the deployment, by what is ruled out around it and by what follows.
pub(super) fn is_of_another(words: &Words, mention: &Mention) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(mention.values.start);
    let before = &values[clause.start..mention.values.start];
    let after = &values[mention.values.end..clause.end];
    let joins = |word: &&&str| !["and", "y", "et", "und"].contains(*word);
    let another = before.iter().rev().take_while(joins).any(|word| ANOTHER.contains(word));
    let link = |word: &&&str| PREPOSITIONS.contains(*word) || ARTICLES.contains(*word);
    let preposition = after.first().is_some_and(|word| {
        PREPOSITIONS.contains(word) || ["for", "beim", "im", "del", "du", "para"].contains(word)
    });
    let rest = after.iter().skip_while(|word| link(word) || **word == "for" || **word == "beim");
    let of_what_follows = preposition && rest.take(1).any(|word| AFTERWARDS.contains(word));
    let one = before.last() == Some(&"the")
        && after.first().is_some_and(|word| ["one", "box"].contains(word));
    let mut near = before.iter().rev();
    let reference = near.by_ref().find(|word| !["in", "de", "of", "at", "from"].contains(*word));
    let refers = before.len() > 1
        && reference.is_some_and(|word| REFERRING.contains(word))
        && before.last().is_some_and(|word| ["in", "de", "of", "from"].contains(word));
    // “The API must not be reached from outside of Spain”, “a replica, but not in Germany”
    let sentence = &values[words.sentence(mention.values.start).start..mention.values.start];
    let here = |word: &&str| OTHERS.split_ascii_whitespace().any(|other| other == *word);
    let thing = |word: &&str| MOVABLE.contains(word);
    let from = before.iter().any(|word| FROM.contains(word)) && !before.contains(&"away");
    // “No data in the United States” says where something else is not to be.
    let negation = before.iter().rposition(|word| is_negation(word));
    let noun = negation.is_some_and(|negation| {
        (negation + 1..before.len()).any(|at| {
            let word = before[at];
            let full = words.language(clause.start + at).weight(word) == Weight::Full;
            full && !BUILT.contains(&word) && !is_in_a_name(word)
        })
    });
    let of_a_thing =
        mention.refused && (from || noun || before.iter().any(here) || sentence.iter().any(thing));
    // “Nobody outside of Europe reads me” is about people.
    let people = before.iter().any(|word| PEOPLE.contains(word));
    // “The CDN only in Europe”
    let only_there = before.contains(&"cdn") && before.contains(&"only");
    another || people || only_there || of_what_follows || one || refers || of_a_thing
}

/// Whether a place is only where something is to load fast: “it should be quick in the US as well”.
pub(super) fn is_only_served(words: &Words, mention: &Mention) -> bool {
    const LOADING: &[&str] =
        &["load", "loads", "laden", "lädt", "cargue", "carga", "cargar", "charge"];
    const FAST: &[&str] = &[
        "quick",
        "quickly",
        "fast",
        "schnell",
        "flott",
        "rápido",
        "rapido",
        "rapide",
        "rapidement",
        "vite",
    ];
    const BUILT: &[&str] =
        &["server", "servers", "vps", "vm", "machine", "box", "instance", "host"];
    let values: Vec<&str> = words.values().collect();
    let clause = &values[words.clause(mention.values.start)];
    let has = |list: &[&str]| clause.iter().any(|word| list.contains(word));
    // “Without a load balancer, Falkenstein”
    let loads = has(LOADING) && !has(&["balancer", "balancers", "balancing"]);
    (loads || has(FAST)) && !has(BUILT)
}

#[cfg(test)]
mod tests {
    use super::super::wanted;
    use super::*;
    use crate::catalogue::places::HETZNER;
    use crate::catalogue::regions;

    #[test]
    fn a_place_that_is_ruled_out_is_avoided() {
        for (text, present, instead) in [
            ("not in Germany", "nbg1", Some("hel1")),
            ("outside of Germany", "nbg1", Some("hel1")),
            ("anywhere but Helsinki", "nbg1", None),
            ("not in the US", "nbg1", None),
            ("not in Europe", "nbg1", Some("ash")),
            ("a replica, but not in Germany", "nbg1", None),
            ("no data in Germany", "nbg1", None),
            ("no server in Germany", "nbg1", Some("hel1")),
            ("not in Finland or Germany", "nbg1", Some("ash")),
            ("a server with nightly backups, not in Germany", "nbg1", Some("hel1")),
            ("Helsinki is too far away", "hel1", Some("nbg1")),
            ("nobody outside of Germany visits us", "nbg1", None),
            ("cualquiera menos Germany", "nbg1", Some("hel1")),
            ("any region but Germany", "nbg1", Some("hel1")),
            ("keep it out of Germany", "nbg1", Some("hel1")),
            ("stay away from Germany", "nbg1", Some("hel1")),
            ("never outside of Germany", "nbg1", None),
            ("no hetzner in Germany", "nbg1", Some("hel1")),
            ("without tls in Germany", "nbg1", None),
            ("not 8.4 in Germany", "nbg1", None),
        ] {
            let place = instead_of(&Words::of(text), HETZNER, present);
            assert_eq!(place.as_deref(), instead, "{text}");
        }
        let aws = instead_of(&Words::of("not in the US"), regions::PLACES, "us-east-1");
        assert_eq!(aws.as_deref(), Some("eu-central-1"));
        for text in ["never outside of Germany", "without tls in Germany", "not 8.4 in Germany"] {
            assert_eq!(wanted(&Words::of(text), HETZNER).as_deref(), Some("nbg1"), "{text}");
        }
        let europe = Words::of("in Europe but not in Germany");
        assert_eq!(wanted(&europe, HETZNER).as_deref(), Some("hel1"));
    }
}
