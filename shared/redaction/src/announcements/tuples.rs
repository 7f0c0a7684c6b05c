//! Finds passwords in short rows without a word for one: "ftp.example.org, web22, X", "root@pam X", "root then X", "manager X,
//! operator Y".

use super::chosen::{Chosen, is_chosen, is_named};
use super::{COMPARED_BYTES, Line, Sign, apostrophed, fits, on_one_line, trim};
use crate::lexicon::{Part, part};
use crate::weight::is_titled;
use crate::words::{AND, FIRST_USERS, lists};
use crate::{Raw, SecretKind};
use std::ops::{Range, RangeInclusive};

/// Signs between the cells of a row.
const SIGNS: [&str; 6] = [", ", "; ", " / ", " | ", "\t", " - "];
/// The longest name of a user, in bytes.
const USER_BYTES: usize = 32;
/// Users of a switch.
const ROLES: &str = "manager operator admin enable monitor root readonly read-only supervisor superuser user guest viewer";
/// Words between a user and the password that comes next.
const THEN: &str = "then dann danach puis ensuite luego después poi danach:";
/// Words with which somebody signs in.
const WITH: &str = "with mit con avec als as como comme via";
/// Verbs of a user that has a password.
const HAS: &str = "uses use has hat nutzt nimmt verwendet usa tiene lleva utilise a prend gets bekommt is ist es est c'est";
/// Words that say that it is another password than that before.
pub(super) const INSTEAD: [&str; 8] = [
    "instead",
    "stattdessen",
    "dagegen",
    "en cambio",
    "plutôt",
    "à la place",
    "en su lugar",
    "however",
];
/// The most words of a line that are read, and the shortest password in them, in bytes.
const WORDS: usize = 60;
const LEAST_BYTES: usize = 8;

fn shown(word: &str) -> &str {
    trim(word.trim_end_matches([',', ';', '.', ')']))
}

/// `Root ist auf allen drei Maschinen X`: what a user from the start is, at the end of a short line.
pub(super) fn of_user(line: &Line) -> Option<Range<usize>> {
    const FIRST: [&str; 4] = ["root", "admin", "administrator", "sudo"];
    const WORDS: RangeInclusive<usize> = 3..=9;
    if line.digits == 0 || line.text.len() > COMPARED_BYTES {
        return None;
    }
    let words = &line.words;
    let told = WORDS.contains(&words.len())
        && FIRST.contains(&apostrophed(words[0]).as_str())
        && part(&apostrophed(words[1])) == Some(Part::Is);
    let value = shown(words.last()?);
    let own = is_titled(value) && value.len() >= LEAST_BYTES && fits(value);
    (told && own && value.bytes().any(|b| b.is_ascii_digit())).then(|| line.span(value))
}

/// The passwords of such a line.
pub(super) fn values(line: &Line, chosen: &Chosen<'_>) -> Vec<Range<usize>> {
    let words = &chosen.words;
    let told = |at: usize| is_of_realm(words, at) || is_next(words, at);
    let all = || chosen.values.iter();
    let mut found: Vec<_> = all().filter(|(at, _)| told(*at)).map(|(_, value)| *value).collect();
    if let Some((_, value)) = all().last().filter(|(at, _)| *at + 1 == words.len()) {
        found.extend(is_row(line.text, value).then_some(*value));
    }
    if all().any(|(at, _)| *at > 0 && lists(ROLES, &apostrophed(words[at - 1]))) {
        found.extend(roles(line.text));
    }
    if let Some(first) = found.first().copied() {
        found.extend(all().map(|(_, value)| *value).filter(|value| is_sibling(first, value)));
    }
    found.into_iter().map(|value| line.span(value)).collect()
}

/// `ftp.example.org, web22, X`
fn is_row(text: &str, value: &str) -> bool {
    SIGNS.iter().any(|sign| {
        let mut cells = text.split(sign).map(|cell| trim(cell.trim_end_matches(['.', ';'])));
        let mut next = || cells.next().unwrap_or_default();
        let (host, user, last) = (next(), next(), next());
        last == value && is_user(user) && is_host(host) && cells.next().is_none()
    })
}

/// `ftp.example.org`, `sftp://10.0.4.2:22`
fn is_host(cell: &str) -> bool {
    let host = cell.split_once("://").map_or(cell, |(_, host)| host);
    host.contains('.')
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:/".contains(&b))
        && host.split('.').all(|label| !label.is_empty())
}

fn is_user(cell: &str) -> bool {
    (2..=USER_BYTES).contains(&cell.len())
        && cell.starts_with(|c: char| c.is_ascii_alphanumeric())
        && cell.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-@".contains(&b))
        && cell.contains(|c: char| c.is_ascii_lowercase())
}

/// `root@pam X`: after a user with where it is known.
fn is_of_realm(words: &[&str], at: usize) -> bool {
    let user = at.checked_sub(1).and_then(|before| words[before].split_once('@'));
    user.is_some_and(|(name, realm)| {
        let realm = realm.trim_end_matches(':');
        let plain = realm.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b));
        plain && realm.len() > 1 && lists(FIRST_USERS, &name.to_lowercase())
    })
}

/// `root then X`, `root und dann X`, `with root and X`
fn is_next(words: &[&str], at: usize) -> bool {
    let before =
        |far: usize| at.checked_sub(far).map(|at| apostrophed(words[at])).unwrap_or_default();
    let user = |far: usize| lists(FIRST_USERS, &before(far));
    let link = before(1);
    if lists(THEN, &link) {
        return user(2) || (AND.contains(&before(2).as_str()) && user(3));
    }
    AND.contains(&link.as_str()) && user(2) && lists(WITH, &before(3))
}

/// `manager X, operator Y`
fn roles(text: &str) -> Vec<&str> {
    let of = |part: &'_ str| {
        let mut words = part.split_whitespace().rev();
        let (value, role) = (words.next()?, apostrophed(words.next()?));
        let at = value.as_ptr() as usize - text.as_ptr() as usize;
        let value = &text[at..at + value.len()];
        lists(ROLES, &role).then_some(shown(value))
    };
    let parts: Option<Vec<_>> = text.split([',', ';']).map(of).collect();
    let parts = parts.filter(|parts| {
        parts.len() > 1 && parts.iter().any(|one| is_chosen(one)) && parts.iter().all(is_mixed)
    });
    parts.unwrap_or_default()
}

/// Whether a text has a capital, a small letter and a digit, and names no thing.
fn is_mixed(value: &&str) -> bool {
    value.len() >= LEAST_BYTES
        && value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
        && value.contains(|c: char| c.is_ascii_digit())
        && !is_named(value)
        && fits(value)
}

/// Whether only the number at the end of two titled texts differs: `Tin-Crate-9`, `Tin-Crate-10`.
fn is_sibling(one: &str, other: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    let stem = one.trim_end_matches(digit);
    one != other
        && stem.len() < one.len()
        && stem.len() >= 6
        && stem == other.trim_end_matches(digit)
}

/// `MySQL root is ⟦…⟧, the replication user uses X instead`
pub(super) fn second(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let mut more = Vec::new();
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password).take(16) {
        let Some((line, _)) = on_one_line(lines, &raw.span) else { continue };
        if line.text.len() > COMPARED_BYTES || !line.signs.has(Sign::Instead) {
            continue;
        }
        let Some(rest) = line.text.get(raw.span.end - line.start..) else { continue };
        let words: Vec<_> = rest.split_whitespace().take(WORDS).collect();
        let told = |of: &[&str]| {
            let verb =
                lists(HAS, &apostrophed(of[0])) || INSTEAD.contains(&apostrophed(of[0]).as_str());
            verb || part(&apostrophed(of[0])) == Some(Part::Is)
        };
        let values = words.windows(2).filter(|of| told(of)).map(|of| shown(of[1]));
        more.extend(values.filter(|value| is_other(value)).map(|value| line.span(value)));
    }
    more
}

/// Whether a text has letters, digits and what joins them, and names no thing.
fn is_other(value: &str) -> bool {
    value.len() >= LEAST_BYTES
        && value.contains(|c: char| c.is_ascii_digit())
        && value.contains(|c: char| c.is_ascii_alphabetic())
        && value.contains(|c: char| "-_!#$%&*+".contains(c) || c.is_uppercase())
        && !value.contains(['/', ':', '(', '@'])
        && (value.contains(|c: char| c.is_uppercase() || c == '_') || !is_named(value))
        && fits(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_short_row_has_a_password() {
        seals(&[
            ("ftp.example.org, shop7, Barge.7nQX2k", &["Barge.7nQX2k"]),
            ("sftp.example.org / upload / Gr4vel&Pit", &["Gr4vel&Pit"]),
            (
                "Proxmox root@pam Tin-Crate-9, the third node has Tin-Crate-10",
                &["Tin-Crate-9", "Tin-Crate-10"],
            ),
            ("Lancom 10.20.0.1, root und dann Kq-0DwYB75T", &["Kq-0DwYB75T"]),
            ("Root ist auf allen drei Maschinen Samt-Segel-19", &["Samt-Segel-19"]),
            ("Ich war mit root und Segel_Mast_3 drauf", &["Segel_Mast_3"]),
            (
                "HP switch: manager Cedar77Bench, operator Only_Look_2",
                &["Cedar77Bench", "Only_Look_2"],
            ),
            (
                "The root password is N0rth!barge, the replication user uses repl-5SpY8xjXnz instead.",
                &["repl-5SpY8xjXnz"],
            ),
        ]);
        for text in [
            "web01.example.org, ubuntu, Frankfurt-2",
            "root@web01 Ubuntu-Server-24 is installed",
            "root and then reboot",
            "manager 2, operator 3",
            "db1.example.org, postgres, 16.4",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
