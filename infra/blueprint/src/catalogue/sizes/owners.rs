//! Sizes of other things than the server: swap, the memory of a program, a second machine.

use std::ops::Range;

use super::{is_unit_of_memory, measured};
use crate::catalogue;
use crate::words::Words;
use crate::words::language::{Language, Weight};

/// Words that join the parts of a clause.
const JOINING: &[&str] = &["and", "plus", "y", "et", "und", "sowie"];

/// The part of a clause that speaks of a size, as positions of values. “PostgreSQL with 8 GB and Redis with 1 GB” has two
/// parts: each has its own size.
pub(super) fn part(words: &Words, at: usize) -> Range<usize> {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let sized = |mut range: Range<usize>| {
        range.any(|at| {
            measured(words, &values, at).is_some_and(|(_, unit, _)| is_unit_of_memory(unit))
        })
    };
    let joins = |joint: &usize| JOINING.contains(&values[*joint]);
    // “8 GB RAM and Redis”
    let adds = |joint: usize| {
        (joint..clause.end).skip(1).take(ADDED_REACH).any(|at| ADDED.contains(&values[at]))
    };
    let other = |joint: &usize| sized(*joint..clause.end) || adds(*joint);
    let start = (clause.start..at).rev().filter(joins).find(|joint| sized(clause.start..*joint));
    let end = (at..clause.end).filter(joins).find(other);
    start.map_or(clause.start, |joint| joint + 1)..end.unwrap_or(clause.end)
}

/// Programs with a memory of their own that can be added to a server, and how a message speaks of that memory.
const ADDED: &[&str] = &["redis", "memcached", "cache", "maxmemory"];

/// How many words after a joining word such a program may be: “and a small Redis”.
const ADDED_REACH: usize = 3;

/// Words by which a size is that of each of several machines, and words for several machines.
const EACH: &[&str] = &["each", "both", "je", "jeweils", "cada", "chacun", "chacune", "per"];
const SEVERAL: &[&str] = &[
    "servers",
    "machines",
    "nodes",
    "node",
    "workers",
    "worker",
    "vms",
    "instances",
    "boxes",
    "backends",
];

/// Whether a size is that of each of the machines of a sentence: “two app servers, 2 cores each”.
pub(super) fn is_of_each_machine(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let part = part(words, at);
    let each = part.clone().any(|at| EACH.contains(&values[at]));
    let own =
        part.clone().all(|at| EACH.contains(&values[at]) || !super::OTHERS.contains(&values[at]));
    let sentence = words.sentence(at);
    each && own && sentence.into_iter().any(|at| SEVERAL.contains(&values[at]))
}

/// Words between a size and the program that it is for.
const FOR: &[&str] = &["for", "of", "für", "para", "pour", "de", "to"];

/// Words between a program and the memory of its server.
const WITH: &[&str] = &["with", "mit", "con", "avec"];

/// How many words before a size the program may be: “WordPress for www.example.com with 8 GB”.
const PROGRAM_REACH: usize = 5;

/// Whether a size is that of the server on which a deployment runs: “PostgreSQL with 8 GB”.
pub(super) fn follows_a_deployment(words: &Words, at: usize) -> bool {
    let part = part(words, at);
    let with = at > part.start && words.values().nth(at - 1).is_some_and(|w| WITH.contains(&w));
    let near = part.start.max(at.saturating_sub(PROGRAM_REACH))..at;
    with && deployments(words).any(|at| near.contains(&at))
}

/// Where a message names deployments, as positions of values.
fn deployments(words: &Words) -> impl Iterator<Item = usize> {
    let places = catalogue::own_cues().flat_map(|cue| words.places(cue));
    places.map(|place| words.origin(place.start))
}

/// How many words after the start of a size the program that it is for may be: “512 MB for the Redis”.
const GIVEN_REACH: usize = 4;

/// Whether a size is the server's or that of a deployment's program, and not of a program that is added to it: “PostgreSQL
/// with 8 GB and a Redis”. The program that is named last before the size has it.
pub fn is_of_another_program(words: &Words, size: &Range<usize>) -> bool {
    let values: Vec<&str> = words.values().collect();
    let part = part(words, size.start);
    let added = |at: &usize| ADDED.contains(&values[*at]);
    // “Redis on a 2 GB server”
    if size.end < part.end && OF_A_SERVER.contains(&values[size.end]) {
        return true;
    }
    let purpose = |at: usize| at > part.start && FOR.contains(&values[at - 1]);
    // “512 MB for the Redis”
    let rest = size.end.min(part.end)..part.end;
    let given = rest.clone().take(2).any(|at| FOR.contains(&values[at]));
    if given && rest.clone().take(GIVEN_REACH).any(|at| added(&at)) {
        return false;
    }
    let before = |at: &usize| (part.start..size.start).contains(at);
    let own = deployments(words).filter(before).filter(|at| !purpose(*at) && !added(at)).max();
    let last = (part.start..size.start).rev().find(added);
    own.is_some_and(|own| last.is_none_or(|last| last < own))
}

/// Words for things other than the server whose size may follow in a clause of its own: “swap on it, 2 GB”.
const FOLLOWED: &[&str] = &[
    "swap",
    "swapfile",
    "redis",
    "heap",
    "cache",
    "memcached",
    "upload",
    "uploads",
    "quota",
    "limit",
];

/// Words for what holds data for a while, and for a limit that raises an alert.
const LIMITS: &str =
    "puffer búfer tampon threshold schwelle umbral seuil alert alerts alarm alarms alerta alerte";

/// Words for what is left of a disk, and those with which less than that is a reason to tell somebody.
const FREE: &str = "free frei freie freier libre libres left übrig";
const LEFT: &str = "left übrig";
const BELOW: &str = "less below under unter weniger menos debajo bajo moins sous";

/// Verbs by which contents have a size: “the database weighs 3 GB”.
const WEIGHING: &str =
    "weighs weigh wiegt wiegen belegt belegen pesa pesan ocupa ocupan pèse pèsent occupe occupent";

/// Words for contents, after which their size may be in parentheses: “the data (about 35 GB)”.
const CONTENTS: &str = "data daten datos données dump dumps files dateien archivos fichiers database databases datenbank \
    datenbanken photos fotos";

/// Whether a size is a limit of the disk, or of contents that are there: “less than 15 GB free”, “the data (35 GB)”.
pub fn is_of_a_state(words: &Words, at: usize) -> bool {
    let clause = words.clause(at);
    let has = |list: &str| words.any_in(clause.clone(), list);
    let value = words.values().nth(at).unwrap_or_default();
    let signs = [format!("< {value}"), format!("<{value}")];
    let below = has(BELOW) || signs.iter().any(|sign| words.text().contains(sign));
    if has(LIMITS) || has(LEFT) || has(WEIGHING) || has(FREE) && below {
        return true;
    }
    // The period of “ca.” ends a sentence.
    let about = clause.start.checked_sub(1).filter(|before| words.is_in(*before, "ca approx"));
    let start = about.unwrap_or(clause.start);
    let before = start.checked_sub(1);
    before.is_some_and(|before| words.is_in(before, CONTENTS) && words.opens_parentheses(start))
}

/// Whether the clause before one that says only a size names something else that has one.
pub(super) fn continues_another(words: &Words, at: usize) -> bool {
    let start = words.clause(at).start;
    let before = start.checked_sub(1).filter(|before| words.sentence(at).contains(before));
    let values: Vec<&str> = words.values().collect();
    before.is_some_and(|before| {
        values[words.clause(before)].iter().any(|word| FOLLOWED.contains(word))
    })
}

/// Whether a size is a limit, such as the most that a program takes: “a single Redis with a password, 1 GB max memory”.
pub(super) fn is_a_limit(words: &Words, at: usize) -> bool {
    const MOST: &[&str] = &[
        "max",
        "maximum",
        "most",
        "cap",
        "capped",
        "máximo",
        "tope",
        "höchstens",
        "maximal",
        "obergrenze",
        "plafond",
    ];
    let values: Vec<&str> = words.values().collect();
    let most = values[words.clause(at)].iter().any(|word| MOST.contains(word));
    most && values[words.sentence(at)].iter().any(|word| FOLLOWED.contains(word))
        || is_of_a_state(words, at)
}

/// Words that say that a memory is the server's.
const OF_A_SERVER: &[&str] = &[
    "server", "servers", "machine", "machines", "box", "vps", "vm", "instance", "host", "node",
    "nodes", "ram",
];

/// Whether nothing in the clause says that a memory is the server's: “memory down to 3 GB”.
pub fn may_be_of_a_program(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    !values[words.clause(at)].iter().any(|word| OF_A_SERVER.contains(word))
}

/// Whether a program that has a memory is named before a size in its sentence, and before the server: “a Redis on its own
/// server, memory 1 GB”.
pub(super) fn follows_a_program(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let named = |at: &usize| {
        ["redis", "memcached"].contains(&values[*at]) || OF_A_SERVER.contains(&values[*at])
    };
    let first = (words.sentence(at).start..at).find(named);
    may_be_of_a_program(words, at) && first.is_some_and(|at| !OF_A_SERVER.contains(&values[at]))
}

/// Words for a thing beside the one that is built.
const ANOTHER: &[&str] = &[
    "second",
    "third",
    "another",
    "other",
    "separate",
    "additional",
    "extra",
    "zweiter",
    "zweite",
    "zweites",
    "anderer",
    "andere",
    "weiterer",
    "weitere",
    "otro",
    "otra",
    "segundo",
    "segunda",
    "autre",
    "l'autre",
    "deuxième",
    "seconde",
];

/// Maximum distance, in words, between such a word and the size.
const ANOTHER_REACH: usize = 5;

/// Whether a size belongs to another machine or disk: “a second server with 8 GB”, “8 GB for the other one”.
pub(super) fn is_of_another(values: &[&str], clause: &Range<usize>, size: Range<usize>) -> bool {
    let joins = |word: &&str| JOINING.contains(word) || *word == "but";
    let other = |word: &&str| ANOTHER.contains(word);
    let before = &values[clause.start.max(size.start.saturating_sub(ANOTHER_REACH))..size.start];
    let before = before.iter().rev().take_while(|word| !joins(word));
    let after = &values[size.end..clause.end.min(size.end + ANOTHER_REACH)];
    let mut after = after.iter().take_while(|word| !joins(word));
    let for_other = after.any(|word| ["for", "für", "para", "pour", "auf", "on"].contains(word))
        && after.any(other);
    // “A disk of 500 GB apart”
    let apart = values.get(size.end).filter(|_| size.end < clause.end);
    let apart = apart
        .is_some_and(|word| ["aparte", "apart", "separate", "separat", "séparé"].contains(word));
    before.copied().any(|word| ANOTHER.contains(&word)) || for_other || apart
}

/// Whether a verb says that a size is enough: “4 GB will do”.
pub(super) fn is_enough(word: &str) -> bool {
    const ENOUGH: &[&str] = &[
        "enough",
        "suffice",
        "suffices",
        "plenty",
        "reicht",
        "reichen",
        "genügt",
        "genügen",
        "llega",
        "llegan",
        "basta",
        "bastan",
        "sobra",
        "suffit",
        "suffisent",
        "suffira",
        "suffiront",
    ];
    ENOUGH.contains(&word)
}

/// Whether a word may give a size to each of several things: “both 16 GB”, “8 GB each”, “8 GB per node”.
pub(super) fn may_share(word: &str) -> bool {
    const MORE: &[&str] = &[
        "every", "jeder", "uno", "una", "por", "par", "node", "nodes", "server", "servers",
        "machine", "machines", "instance", "vm", "vps", "box", "replica",
    ];
    EACH.contains(&word) || MORE.contains(&word)
}

/// Whether a clause says a size and nothing else, so that it is the server's: “PostgreSQL in Falkenstein, 8 GB”.
pub(super) fn stands_alone(words: &Words, at: usize, end: usize) -> bool {
    let blank = |other: usize| {
        let value = words.values().nth(other).unwrap_or_default();
        (at..end).contains(&other)
            || may_share(value)
            || is_enough(value)
            || Language::English.weight(value) == Weight::Empty
            || words.language(other).weight(value) == Weight::Empty
    };
    let clause = words.clause(at);
    clause.start > 0 && clause.into_iter().all(blank)
}
