//! Addresses that a later message withdraws by the name of who has them: “my home can go again”, “Ruth has left”.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::later::{OUT, REACH, addresses, bare, labels, names, shuts};
use super::networks;
use crate::words::{Words, lists};

/// The present addresses without the one of which a message gives up the name, and the clause that does: “my home can go
/// again” after “the office (203.0.113.7) and my home (203.0.113.8)”.
pub(super) fn given_up_by_name(
    words: &Words,
    present: &[String],
    earlier: &[Arc<Words>],
) -> Option<(Vec<String>, Range<usize>)> {
    let values: Vec<&str> = words.values().collect();
    let named = |one: &String| labels_in(earlier, one);
    words.clauses().into_iter().find_map(|clause| {
        let gives_up = clause.clone().any(|at| shuts(&values, at));
        let own = names(words, clause.start, clause.end);
        let asks = words.ends_in_question(clause.start);
        let mut gone = present.iter().filter(|one| !named(one).is_disjoint(&own));
        let (one, None) = (gone.next()?, gone.next()) else { return None };
        // “No backups at the office” is about the backups.
        let labels = named(one);
        let other = own.iter().any(|name| !labels.contains(name) && !lists(OUT, name));
        let rest: Vec<String> = present.iter().filter(|other| *other != one).cloned().collect();
        (gives_up && !asks && !other && !rest.is_empty()).then_some((rest, clause))
    })
}

/// The names that earlier messages give to who or what has a network.
fn labels_in(earlier: &[Arc<Words>], network: &str) -> BTreeSet<String> {
    let all = earlier.iter().flat_map(|words| {
        let own = addresses(words).into_iter().filter(|said| said.network == network);
        own.flat_map(|said| labels_of(words, said.at)).collect::<Vec<_>>()
    });
    all.collect()
}

/// The names of the person or the thing that has an address: before it, or in parentheses after it.
fn labels_of(words: &Words, at: usize) -> BTreeSet<String> {
    let value = words.values().nth(at).unwrap_or_default();
    let bracket = words.text().contains(&format!("{value} ("));
    let ssh = words.value_before(at, words.sentence(at).start, |value| value == "ssh");
    let all = match ssh.filter(|_| !bracket) {
        Some(ssh) => names(words, (ssh + 1).max(at.saturating_sub(REACH)), at),
        None => labels(words, at, bracket),
    };
    all.into_iter().filter(|name| !name.contains('.')).collect()
}

/// The present address whose name a message without addresses speaks of in a sentence that may withdraw it: “Ruth has left
/// the company” after “203.0.113.77 (Ruth)”.
pub fn may_be_withdrawn(words: &Words, present: &str, earlier: &[Arc<Words>]) -> Option<usize> {
    let present = networks(present);
    if present.is_empty() || !addresses(words).is_empty() {
        return None;
    }
    let named = |one: &String| labels_in(earlier, one);
    let values: Vec<&str> = words.values().collect();
    let labels: BTreeSet<String> = present.iter().flat_map(named).collect();
    (0..values.len()).find(|at| {
        let sentence = words.sentence(*at);
        // “Paul has left. Remove him”
        let next = words.sentence(sentence.end.min(values.len().saturating_sub(1)));
        let gone = |at: usize| shuts(&values, at) || lists(GONE, values[at]);
        let withdraws = sentence.clone().chain(next).any(gone);
        labels.contains(bare(values[*at])) && withdraws && !words.ends_in_question(*at)
    })
}

/// Words that say that a person left, or lost their access.
const GONE: &str = "left leaves leaving gone quit retired parti partie partis quitté quitte verlassen verlässt gekündigt \
    ausgeschieden marchó fue ido jubiló dejó \
    revoke revoked cancel cancelled entziehen entzogen gestrichen streichen gesperrt sperren quitar quitado retirar retirado révoquer \
    révoqué enlever enlevez supprimer";
