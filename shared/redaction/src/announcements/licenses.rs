//! Finds keys by their names where their form alone says little: of licenses, the management key of a smart card, and the cookie
//! that the nodes of a RabbitMQ share.

use super::{COMPARED_BYTES, Line, trim};
use crate::lexicon::{Part, part};
use crate::things::is_uuid;
use crate::weight::is_hex;
use crate::words::lists;
use std::ops::Range;

/// Names of the key of a license, in lower case.
const LICENSES: [&str; 16] = [
    "lizenzschlüssel",
    "lizenzkey",
    "lizenz-key",
    "license key",
    "licence key",
    "license-key",
    "product key",
    "produktschlüssel",
    "aktivierungsschlüssel",
    "activation key",
    "clave de licencia",
    "clave de activación",
    "clé de licence",
    "clé d'activation",
    "chiave di licenza",
    "serial key",
];
/// How many groups such a key has, and their lengths.
const GROUPS: std::ops::RangeInclusive<usize> = 3..=8;
const GROUP_BYTES: std::ops::RangeInclusive<usize> = 4..=8;
/// Lengths of a management key in hexadecimal digits.
const HEX_DIGITS: [usize; 3] = [32, 48, 64];
/// The word for what the nodes of a cluster share.
pub(super) const COOKIES: [&str; 2] = ["cookie", "lizenz"];
/// Lengths of a cookie, in bytes.
const COOKIE_BYTES: std::ops::RangeInclusive<usize> = 16..=40;

/// The key of such a line.
pub(super) fn key(line: &Line) -> Option<(Range<usize>, &'static str)> {
    if !line.may_have_key || line.text.len() > COMPARED_BYTES {
        return None;
    }
    let named = |name| move |span| (span, name);
    let license = || license(line).map(named("LICENSE_KEY"));
    let management = || management(line).map(named("MANAGEMENT_KEY"));
    license().or_else(management).or_else(|| cookie(line).map(named("ERLANG_COOKIE")))
}

/// The words of a line without the signs around them, and what precedes each, in lower case.
fn words<'t>(line: &Line<'t>) -> impl Iterator<Item = (&'t str, String)> {
    let text = line.text;
    text.split_whitespace().map(move |word| {
        let value = trim(word.trim_end_matches([',', ';', '.', ')', '!']).trim_start_matches('('));
        (value, text[..value.as_ptr() as usize - text.as_ptr() as usize].to_lowercase())
    })
}

/// `Lizenzschlüssel für den Scanner: 7KQ2M-XW9PL-44TRB`
fn license(line: &Line) -> Option<Range<usize>> {
    LICENSES.iter().any(|name| line.lower.contains(name)).then_some(())?;
    let group = |part: &str| {
        GROUP_BYTES.contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    words(line).find_map(|(value, before)| {
        let groups = GROUPS.contains(&value.split('-').count()) && value.split('-').all(group);
        let mixed = value.bytes().any(|b| b.is_ascii_digit())
            && value.bytes().filter(u8::is_ascii_uppercase).count() > 2;
        let named = LICENSES.iter().any(|name| before.contains(name));
        (named && (groups && mixed || is_dotted(value) || is_uuid(value))).then(|| line.span(value))
    })
}

/// `PLSK.98065483.7162`
fn is_dotted(value: &str) -> bool {
    const DIGITS: usize = 8;
    let Some((name, numbers)) = value.split_once('.') else { return false };
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_uppercase())
        && numbers.split('.').all(number)
        && numbers.len() > DIGITS
}

/// `YubiKey PIV PIN is …, management key eab72499…`
fn management(line: &Line) -> Option<Range<usize>> {
    const NAMES: [&str; 5] = [
        "management key",
        "management-key",
        "verwaltungsschlüssel",
        "clave de gestión",
        "clé de gestion",
    ];
    words(line).find_map(|(value, before)| {
        (HEX_DIGITS.contains(&value.len()) && is_hex(value)).then_some(())?;
        let before = before.trim_end_matches([' ', ':', '=', '"', '\'']);
        let last = before.rsplit(' ').next().unwrap_or_default();
        let head = match part(last) {
            Some(Part::Is) => before[..before.len() - last.len()].trim_end(),
            _ => before,
        };
        NAMES.iter().any(|name| head.ends_with(name)).then(|| line.span(value))
    })
}

/// `all nodes need the Erlang cookie WJPTW6WU3RBP91SSG1T1`
fn cookie(line: &Line) -> Option<Range<usize>> {
    const NODES: [&str; 3] = ["erlang", "rabbit", "ejabberd"];
    (line.lower.contains("cookie") && NODES.iter().any(|node| line.lower.contains(node)))
        .then_some(())?;
    words(line).find_map(|(value, before)| {
        let made = COOKIE_BYTES.contains(&value.len())
            && value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        let before = before.trim_end_matches([' ', ':', '=', '"', '\'']);
        let last = before.rsplit(' ').next().unwrap_or_default();
        let tied = lists("cookie erlang-cookie cookie=", last) || part(last) == Some(Part::Is);
        (made && tied).then(|| line.span(value))
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_name_of_a_key_is_enough() {
        seals(&[
            ("Lizenzschlüssel 8LQ3N-YX9PM nein, 8LQ3N-YX9PM-55TSC", &["8LQ3N-YX9PM-55TSC"]),
            ("clé de licence du scanner : 8LQ3N-YX9PM-55TSC-Z9NDV", &["8LQ3N-YX9PM-55TSC-Z9NDV"]),
            (
                "Clé de licence Veeam (ne pas diffuser) : 1e4c6b4f-13e8-44f9-89df-4df4e3b698b0",
                &["1e4c6b4f-13e8-44f9-89df-4df4e3b698b0"],
            ),
            ("Lizenzschlüssel Plesk (geheim): PLSK.87154392.6053", &["PLSK.87154392.6053"]),
            (
                "the management key is fbc83500a5545feeb63398d64ce3bd6b8a4939729ff78dc2",
                &["fbc83500a5545feeb63398d64ce3bd6b8a4939729ff78dc2"],
            ),
            (
                "Both rabbit nodes need the same cookie: XKQUX7XV4SCQ92TTH2U2",
                &["XKQUX7XV4SCQ92TTH2U2"],
            ),
        ]);
        for text in [
            "the license key is in the vault, order VB-2024-88123",
            "the license key is for Plesk 18.0.62, host PLSK.example.org",
            "the management key has 48 hexadecimal digits",
            "the erlang cookie has to be the same on all RABBITMQ nodes",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
