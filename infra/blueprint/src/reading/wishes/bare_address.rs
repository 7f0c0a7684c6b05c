//! The row for a site that is to do without a domain: “an IP address is enough”.

use std::ops::Range;

use super::context::Context;
use super::open::Open;
use super::parts::NEEDED_DOMAIN;
use super::{Asked, Fate};
use crate::words::{Words, is_negation};

/// Words for an address, and for what is enough.
const ADDRESSES: &str = "ip ips ip-address ip-adresse";
const ENOUGH: &str = "enough suffice suffices fine ok okay do works good reicht reichen genügt langt passt basta bastan sirve vale \
    suffit suffira suffiront convient ira";

/// The row, unless the deployment does without a domain or the user has named one.
pub(super) fn row(words: &Words, context: &Context, open: &mut Open) -> Option<Asked> {
    let mut parameters = context.parameters.iter();
    let domain = parameters.find(|one| ["domain", "site-domain"].contains(&one.key))?;
    let optional = (domain.accept)("none").is_some();
    if optional || context.values.contains_key(domain.key) {
        return None;
    }
    let said = words.clauses().into_iter().find_map(|clause| said_in(words, &clause))?;
    open.take_range(&said);
    let fate = Fate::Differently(format!("with {NEEDED_DOMAIN}"));
    Some(Asked { what: words.said_in(said), fate })
}

/// The words of a clause by which an address is enough. An address in digits is somebody's: “SSH from 203.0.113.7 will do”.
fn said_in(words: &Words, clause: &Range<usize>) -> Option<Range<usize>> {
    let value = |at: usize| words.values().nth(at).unwrap_or_default();
    let address = clause.clone().find(|at| words.is_in(*at, ADDRESSES))?;
    let enough = clause.clone().find(|at| words.is_in(*at, ENOUGH))?;
    let digits = |at: usize| value(at).starts_with(|c: char| c.is_ascii_digit());
    let other = clause.clone().any(|at| digits(at) || is_negation(value(at)));
    (!other).then_some(address.min(enough)..address.max(enough) + 1)
}
