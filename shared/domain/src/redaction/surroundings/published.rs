//! Recognizes what anyone may read: records of the DNS, names of a payment service's objects, keys for a network's peers.

use super::announces;
use crate::redaction::words::lists;
use std::ops::Range;

/// How far before a value its record of the DNS may begin, in bytes.
const DNS_BYTES: usize = 160;

/// Whether a value has the form of a key of WireGuard.
pub(super) fn is_key_of_wireguard(value: &str) -> bool {
    const KEY_BYTES: usize = 44;
    value.len() == KEY_BYTES && value.ends_with('=')
}

/// Whether a value belongs to a TXT record of the DNS, which everyone can read: a DKIM key, a proof of ownership.
pub(super) fn is_dns_text(text: &str, span: &Range<usize>) -> bool {
    const LEAST_BYTES: usize = 20;
    const SIGNS: [&str; 4] = ["_domainkey", "_acme-challenge", "-verification=", "v=DKIM1"];
    let (from, value) = (span.start.saturating_sub(DNS_BYTES), &text[span.clone()]);
    let plain = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    if value.len() < LEAST_BYTES || !value.chars().all(plain) {
        return false;
    }
    let before = &text[text.floor_char_boundary(from)..span.start];
    let behind = SIGNS.iter().chain(&["TXT"]).find_map(|sign| {
        let (head, between) = before.rsplit_once(sign)?;
        // "the API token for the TXT record"
        let whole = *sign != "TXT" || !(head.ends_with(char::is_alphanumeric) || announces(head));
        whole.then_some(between)
    });
    behind.is_some_and(|between| !announces(between))
}

/// Whether a value is the name of an object of Stripe, or a key that its pages show: `cus_…`, `ch_…`, `pk_live_…`.
pub(super) fn is_object(value: &str) -> bool {
    const KINDS: &str = "acct ch cs cus dp evt ii il in li mandate pi pk pl pm po price prod promo re req seti si src sub tr txn txr we";
    const LEAST_BYTES: usize = 14;
    value.split_once('_').is_some_and(|(kind, id)| {
        let id = ["live_", "test_"].iter().find_map(|mode| id.strip_prefix(mode)).unwrap_or(id);
        lists(KINDS, kind)
            && id.len() >= LEAST_BYTES
            && id.bytes().all(|b| b.is_ascii_alphanumeric())
            && id.bytes().any(|b| b.is_ascii_digit())
            && id.bytes().any(|b| b.is_ascii_uppercase())
            && id.bytes().any(|b| b.is_ascii_lowercase())
    })
}
