//! Recognizes records of the DNS, which everyone can read.

use super::{Place, announces};
use crate::bare::is_base64;
use std::ops::Range;

/// Records of keys, digests and signatures.
const KINDS: [&str; 13] = [
    "DNSKEY",
    "CDNSKEY",
    "DS",
    "CDS",
    "TLSA",
    "RRSIG",
    "NSEC3",
    "NSEC3PARAM",
    "SSHFP",
    "OPENPGPKEY",
    "SMIMEA",
    "KEY",
    "IPSECKEY",
];
/// The shortest part of a key, in bytes.
const LEAST_BYTES: usize = 12;

/// Whether a value belongs to a record.
pub(super) fn is_of_zone(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const TEXTS: [&str; 4] = ["v=DKIM1;", "v=spf1 ", "v=DMARC1;", "v=STSv1;"];
    TEXTS.iter().any(|start| place.value.starts_with(start))
        || is_text(text, span)
        || is_proof(place)
        || is_key(text, span, place)
}

/// `MS=ms72535144`: that a domain belongs to a customer of Microsoft.
fn is_proof(place: &Place<'_>) -> bool {
    let value =
        place.value.strip_prefix("MS=").or(place.before.ends_with("MS=").then_some(place.value));
    value
        .and_then(|value| value.strip_prefix("ms"))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// A TXT record: a DKIM key, a proof of ownership.
fn is_text(text: &str, span: &Range<usize>) -> bool {
    const ABOVE_BYTES: usize = 160;
    const TEXT_BYTES: usize = 20;
    const SIGNS: [&str; 5] = ["_domainkey", "_acme-challenge", "-verification=", "v=DKIM1", "TXT"];
    let value = &text[span.clone()];
    let plain = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    if value.len() < TEXT_BYTES || !value.chars().all(plain) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    let before = &text[from..span.start];
    let behind = SIGNS.iter().find_map(|sign| {
        let (head, between) = before.rsplit_once(sign)?;
        // "the API token for the TXT record"
        let whole = *sign != "TXT" || !(head.ends_with(char::is_alphanumeric) || announces(head));
        whole.then_some(between)
    });
    behind.is_some_and(|between| !announces(between))
}

/// `DNSKEY 257 3 13 9rWm…`, `_443._tcp TLSA 3 1 1 92003b…`, `acme.eu. 86400 IN RRSIG DNSKEY 13 2 86400 …`
fn is_key(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const ABOVE_BYTES: usize = 1_200;
    let Place { value, before, .. } = *place;
    if value.len() < LEAST_BYTES {
        return false;
    }
    if is_record(before) {
        return true;
    }
    // Further lines of a key in brackets
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    before.bytes().chain(value.bytes()).all(|b| is_base64(b) || b.is_ascii_whitespace())
        && text[from..span.start].rsplit_once('(').is_some_and(|(above, inside)| {
            !inside.contains(')') && above.rsplit('\n').next().is_some_and(is_record)
        })
}

/// Whether a line so far is a record: after its kind come flags, numbers, names and earlier parts of a key.
fn is_record(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().skip_while(|word| !KINDS.contains(word));
    let Some(kind) = words.next() else { return false };
    let of_zone = line.split_once(" IN ").is_some_and(|(name, record)| {
        name.contains('.') && !announces(name) && record.trim_start().starts_with(kind)
    });
    let mut numbers = 0;
    let fits = words.all(|word| {
        let number = word.bytes().all(|b| b.is_ascii_digit());
        numbers += usize::from(number);
        let name = kind == "RRSIG"
            && (word.ends_with('.') || word.bytes().all(|b| b.is_ascii_uppercase()));
        number || name || word == "(" || (word.len() >= LEAST_BYTES && word.bytes().all(is_base64))
    });
    of_zone || (fits && (numbers >= 2 || kind == "OPENPGPKEY"))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn records_of_zones_stay() {
        for text in [
            "DNSKEY 257 3 13 9rWmrOqvhg6uKwIQX2SLR6X1x3WDA5YHoZ7yAUi6bJrnMpmxp08Cdl8",
            "@ IN DNSKEY 257 3 13 (\n  9rWmrOqvhg6uKwIQX2SLR6X1x3WDA5YHoZ7yAUi6bJ\n  rnMpmxp08Cdl8Yq2 )",
            "MS=ms72535144 es el registro TXT que pide Microsoft para verificar el dominio",
            "acme.eu. 86400 IN RRSIG DNSKEY 13 2 86400 20250857000000 1994",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[("the password IN DS is Kestrel-9rWmrOqvhg", &["Kestrel-9rWmrOqvhg"])]);
    }
}
