//! What a later message says about the addresses that may connect by SSH.
//!
//! The rules for a first message know few phrases for a correction. Here, an address counts by what it is beside the
//! present ones: one of them that the message rules out is no longer let in, one that has the name of another takes its
//! place, and the user is asked about every other one. So no phrase leaves an old address in the plan without a word.

mod change;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::withdrawn::given_up_by_name;
use super::{exceptions, network, networks, sources};
use crate::catalogue::parameters::ADDING;
use crate::words::language::{Language, Weight};
use crate::words::{Words, denies, gives_up, is_negation, lists};
use change::Change;

/// The beginnings of words by which an address takes the place of another one.
const CHANGING: &str = "now new mov chang becam becom replac instead switch correct hencefor onward rather actual mistyp typo \
    wrong -> → => jetzt nun neu sofort umgezog umzieh künftig änder geänder wechsel gewechsel ersetz wurde wird vielmehr sondern lieber \
    ahora nuev mud cambi reempl sustit adelante pasa corrij rectif maintenant nouve désormais dorénavant devien deven \
    passe plutôt corrig rempl déménag";

/// Words that name an address and say nothing about whose it is.
const NAMELESS: &str = "ssh ip address addresses adresse adressen dirección direcciones port server log login access connect allow \
    allowed let lets only range network netz red réseau sea era sera será lautet";

/// Words after a negation by which it shuts out all others: “and nobody else”.
const ELSE: &[&str] =
    &["else", "other", "others", "más", "otro", "otra", "autre", "sonst", "anders"];

/// Words after an address that is to stay out, or verbs for that.
pub(super) const OUT: &str = "out away dehors draußen fuera raus weg exclude excluded exclure exclus excluir excluida ausschließen aussperren";

/// What a later message says about the addresses.
#[derive(Debug, PartialEq)]
pub enum Later {
    /// What the rules for a first message read in it.
    AsRead,
    /// It speaks of the addresses of other things.
    Elsewhere,
    /// The addresses that are let in from now on.
    Now(Vec<String>),
    /// The networks around an address that is taken out, in the user's words.
    Narrowed(Vec<String>, String),
    /// The addresses that are left after one that the message gives up by its name, and the positions that say so.
    Left(Vec<String>, Range<usize>),
    /// An address that may take the place of a present one, or not.
    Unclear(String),
}

/// An address in a message.
pub(super) struct Said {
    pub(super) at: usize,
    pub(super) network: String,
}

/// Reads a message after the one that gave the present addresses.
pub fn later(words: &Words, present: &str, earlier: &[Arc<Words>]) -> Later {
    let present = networks(present);
    if addresses(words).is_empty()
        && let Some((rest, clause)) = given_up_by_name(words, &present, earlier)
    {
        return Later::Left(rest, clause);
    }
    let all: Vec<Said> = addresses(words)
        .into_iter()
        .filter(|said| !words.ends_in_question(said.at))
        .filter(|said| !is_of_another_thing(words, said, &present))
        .collect();
    if present.is_empty() || all.is_empty() || !sources::taken_out(words).is_empty() {
        return Later::AsRead;
    }
    let change = Change::of(words, &present, earlier, &all);
    match change.fresh.as_slice() {
        [] => change.of_known_ones(),
        [first, ..] => change.with_new_ones(first),
    }
}

/// Positions of the addresses that a message shuts out.
pub fn ruled_out(words: &Words) -> Vec<usize> {
    let all = addresses(words).into_iter().map(|said| said.at);
    all.filter(|at| !sources::is_elsewhere(words, *at) && is_ruled_out(words, *at)).collect()
}

fn changes_something(word: &str) -> bool {
    CHANGING.split_ascii_whitespace().any(|start| word.starts_with(start))
}

pub(super) fn addresses(words: &Words) -> Vec<Said> {
    let said = |(at, value): (usize, &str)| Some(Said { at, network: network(value)? });
    words.values().enumerate().filter_map(said).collect()
}

fn has(words: &Words, address: &str) -> bool {
    words.values().any(|value| network(value).as_deref() == Some(address))
}

fn is_part(present: &[String], address: &str) -> bool {
    exceptions::without(present, address) != present
}

/// Whether a message adds an address: another sentence may add something else. In French, “plus” may be a part of a
/// negation.
pub fn adds(words: &Words) -> bool {
    let french = (0..words.count()).any(|at| words.language(at) == Language::French);
    let says =
        |text: &Words| ADDING.iter().any(|word| text.means(word) && !(french && *word == "plus"));
    let mut named = addresses(words).into_iter().map(|said| words.sentence(said.at)).peekable();
    match named.peek() {
        None => says(words),
        Some(_) => named.any(|sentence| says(&Words::of(&words.clauses_in(sentence)))),
    }
}

fn is_said(words: &Words, at: usize) -> bool {
    words.values().nth(at).is_some_and(|value| network(value).is_some())
}

/// Whether an address is for something other than SSH. A machine in a network that may connect is a part of it.
fn is_of_another_thing(words: &Words, said: &Said, present: &[String]) -> bool {
    match is_part(present, &said.network) || present.contains(&said.network) {
        true => sources::has_another_door(words, said.at),
        false => sources::is_elsewhere(words, said.at),
    }
}

/// Whether a message names all present addresses again, so that nothing changes.
fn is_restated(words: &Words, kept: &[&Said], present: &[String]) -> bool {
    let all = present.iter().all(|one| kept.iter().any(|said| said.network == *one));
    all || adds(words) || super::names_ssh(words)
}

/// Whether the word at this position shuts something out.
pub(super) fn shuts(values: &[&str], place: usize) -> bool {
    let next = values.get(place + 1).copied().unwrap_or_default();
    let before = place.checked_sub(1).is_some_and(|before| is_negation(values[before]));
    let undone = is_negation(values[place]) && (gives_up(next) || next == "only")
        || before && gives_up(values[place]);
    // “The office can go”
    let goes = values[place] == "go"
        && place.checked_sub(1).is_some_and(|at| ["can", "may", "should"].contains(&values[at]));
    let out = goes || lists(OUT, values[place]) || denies(values[place].trim_end_matches("'s"));
    out && !undone && !ELSE.contains(&next)
}

/// Whether a message shuts out the address at this position: “203.0.113.8 gets no access anymore”, “203.0.113.8, out”.
fn is_ruled_out(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let shuts = |place: usize| shuts(&values, place);
    let alone = clause.clone().filter(|place| network(values[*place]).is_some()).count() == 1;
    let says_no = alone && clause.clone().any(shuts);
    let next = words.sentence(at).contains(&clause.end).then(|| words.clause(clause.end));
    let full = |at: usize| words.language(at).weight(values[at]) == Weight::Full;
    let out = next.is_some_and(|next| {
        let says_more = |at: usize| full(at) && !denies(values[at]) && !lists(OUT, values[at]);
        next.clone().any(shuts) && !next.clone().any(says_more)
    });
    let excepted = exceptions::excepts(words, at, clause.start);
    // “Instead of 203.0.113.50 please 203.0.113.51” denies only the first one.
    let mut before = (clause.start..at).rev().take(DENIED_REACH);
    let second = before.any(|before| is_said(words, before) && !words.means_value(before));
    (!words.means_value(at) && !second) || says_no || out || excepted
}

/// How many words after an address that is denied the next one is not.
const DENIED_REACH: usize = 4;

/// The address of an earlier message that has the same name as the one at this position: “the office is now …”.
fn of_the_same_name(words: &Words, at: usize, earlier: &[Arc<Words>]) -> Option<String> {
    let sentence = words.sentence(at);
    let names = names(words, sentence.start, sentence.end);
    let matching = |after: bool| -> BTreeSet<String> {
        let all = earlier.iter().flat_map(|words| {
            addresses(words).into_iter().map(|said| (labels(words, said.at, after), said.network))
        });
        all.filter(|(labels, _)| !labels.is_disjoint(&names)).map(|(_, one)| one).collect()
    };
    let unique = |found: BTreeSet<String>| found.into_iter().next_back();
    let before = matching(false);
    match before.len() {
        0 => Some(matching(true)).filter(|found| found.len() == 1).and_then(unique),
        1 => unique(before),
        _ => None,
    }
}

/// Maximum distance, in words, between an address and the name of the person or the thing that has it.
pub(super) const REACH: usize = 5;

/// The names right before an address, or right after it.
pub(super) fn labels(words: &Words, at: usize, after: bool) -> BTreeSet<String> {
    let (sentence, values): (_, Vec<&str>) = (words.sentence(at), words.values().collect());
    let is_address = |at: &usize| network(values[*at]).is_some();
    if after {
        let end = sentence.end.min(at + 1 + REACH);
        return names(words, at + 1, (at + 1..end).find(is_address).unwrap_or(end));
    }
    let start = sentence.start.max(at.saturating_sub(REACH));
    names(words, (start..at).rev().find(is_address).map_or(start, |before| before + 1), at)
}

pub(super) fn names(words: &Words, start: usize, end: usize) -> BTreeSet<String> {
    let values: Vec<&str> = words.values().collect();
    let full = |at: &usize| words.language(*at).weight(values[*at]) == Weight::Full;
    let other = |at: &usize| {
        let word = values[*at];
        !changes_something(word)
            && !lists(NAMELESS, word)
            && !word.contains(|c: char| c.is_ascii_digit())
    };
    (start..end).filter(full).filter(other).map(|at| bare(values[at]).to_string()).collect()
}

/// A word without its article: “l'étude”.
pub(super) fn bare(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    word.strip_prefix("l'").or(word.strip_prefix("d'")).unwrap_or(word)
}

/// The only present address that begins like the new one.
fn nearest<'a>(present: &'a [String], new: &str) -> Option<&'a str> {
    let start = |address: &str| address.rsplit_once('.').map(|(start, _)| start.to_string());
    let mut near = present.iter().filter(|one| start(one) == start(new));
    let one = near.next()?;
    near.next().is_none().then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_message_changes_one_address_or_asks() {
        let earlier = [Arc::new(Words::of(
            "ssh only from 203.0.113.40 and the office 198.51.100.0/28, the printer is 192.0.2.9",
        ))];
        let present = "203.0.113.40/32,198.51.100.0/28";
        let read = |text: &str| later(&Words::of(text), present, &earlier);
        let now = |list: &[&str]| Later::Now(list.iter().map(|one| one.to_string()).collect());
        let office = now(&["203.0.113.40/32", "198.51.100.16/28"]);
        for text in [
            "correction, office is 198.51.100.16/28",
            "the office moved to 198.51.100.16/28",
            "198.51.100.0/28 is now 198.51.100.16/28",
            "new range: 198.51.100.16/28",
            "198.51.100.0/28 → 198.51.100.16/28",
            "instead of 198.51.100.0/28 please 198.51.100.16/28",
        ] {
            assert_eq!(read(text), office, "{text}");
        }
        for text in
            ["203.0.113.40 gets no access anymore", "remove 203.0.113.40", "203.0.113.40, out"]
        {
            assert_eq!(read(text), now(&["198.51.100.0/28"]), "{text}");
        }
        for text in ["203.0.113.41 is where Bob sits", "we moved to 192.0.2.77"] {
            assert!(matches!(read(text), Later::Unclear(_)), "{text}");
        }
        assert_eq!(
            read("the office can go, I use the VPN"),
            Later::Left(vec!["203.0.113.40/32".into()], 0..4)
        );
        assert_eq!(read("no backups at the office"), Later::AsRead);
        assert!(matches!(read("but not from 198.51.100.9"), Later::Narrowed(..)));
        assert_eq!(read("the printer is now 192.0.2.10"), Later::Elsewhere);
        for text in ["also from 192.0.2.77", "ssh only from 192.0.2.77", "port 80 for 192.0.2.7"] {
            assert_eq!(read(text), Later::AsRead, "{text}");
        }
    }
}
