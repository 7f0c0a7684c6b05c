//! Finds values in lines below those that announce them: alone on a line, and as chpasswd reads them.

use super::{ALONE_BYTES, COMPARED_BYTES, Line, PHRASE, fits, is_made_up, trim};
use crate::talk::{Says, says};
use std::ops::Range;

/// Words with which people say that something follows.
const FOLLOWS: [&str; 16] = [
    "below",
    "here",
    "unten",
    "gleich",
    "folgt",
    "hier",
    "abajo",
    "esta",
    "este",
    "ci-dessous",
    "voici",
    "sotto",
    "hieronder",
    "abaixo",
    "poniżej",
    "following",
];

/// The same in several words.
const NEXT: [&str; 14] = [
    "next line",
    "next message",
    "nächsten zeile",
    "nächste zeile",
    "nachfolgend",
    "ligne suivante",
    "ci dessous",
    "siguiente línea",
    "línea siguiente",
    "prossima riga",
    "riga seguente",
    "próxima linha",
    "volgende regel",
    "następn",
];

/// How many lines below its announcement a value may be.
const LINES_BELOW: usize = 12;

/// A value alone on its line below the line that announces it.
pub(super) fn value(lines: &[Line], number: usize) -> Option<Range<usize>> {
    let line = &lines[number];
    let value = trim(line.text);
    if value.len() < ALONE_BYTES || value.len() > COMPARED_BYTES || is_setting(value) {
        return None;
    }
    let mut above = lines[..number].iter().rev().filter(|line| !line.text.trim().is_empty());
    if value.split_whitespace().nth(1).is_some() {
        // "I send you the password right away, … So: X"
        let end = line.speaks.then(|| line.text.trim_end().rsplit_once(": ")).flatten();
        let end = end.map(|(_, end)| trim(end));
        let last = lines[number + 1..].iter().all(|line| line.text.trim().is_empty());
        if let Some(end) = end.filter(|end| last && !end.contains(' ') && end.len() >= ALONE_BYTES)
            && follows(line)
            && is_made_up(end)
            && fits(end)
        {
            return Some(line.span(end));
        }
        // Only right below `… quiero esta contraseña:`
        let announces =
            above.next().filter(|line| line.text.trim_end().ends_with(':') && line.speaks)?;
        // `web1 walnut` above `web2 plum`: entries of a list.
        let is_pair = |text: &str| text.split_whitespace().count() == 2;
        let listed = is_pair(value) && lines.get(number + 1).is_some_and(|line| is_pair(line.text));
        let phrase = value.split_whitespace().count() <= PHRASE.1
            && !listed
            && value.contains(|c: char| c.is_ascii_digit())
            && value.len() <= PHRASE.0
            && !value.contains([':', '=', '/', '<', '{', '|', '@', '('])
            && announces.text.len() < COMPARED_BYTES
            && !value
                .split([' ', ','])
                .any(|word| matches!(says(word), Some(Says::About | Says::Describes)));
        return phrase.then(|| line.span(value));
    }
    let tells =
        |line: &Line| line.announces && (line.text.trim_end().ends_with(':') || follows(line));
    let near = above.clone().next().is_some_and(tells);
    let announced = near || above.take(LINES_BELOW).any(tells);
    let last = || lines[number + 1..].iter().all(|line| line.text.trim().is_empty());
    // Right below the announcement, more may follow after an empty line.
    let apart = || near && lines.get(number + 1).is_none_or(|line| line.text.trim().is_empty());
    (announced && (apart() || last()) && is_made_up_or_long(value) && fits(value))
        .then(|| line.span(value))
}

/// `DB_HOST=db2.example.org`: a setting has a name of its own.
fn is_setting(value: &str) -> bool {
    const LEAST_BYTES: usize = 4;
    let part = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    value.split_once('=').is_some_and(|(name, rest)| {
        name.len() >= LEAST_BYTES
            && name.contains('_')
            && name.bytes().all(part)
            && !rest.is_empty()
    })
}

/// Whether a line says that something follows.
fn follows(line: &Line) -> bool {
    let words = line.lower.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.into_iter().any(|word| FOLLOWS.contains(&word))
        || NEXT.iter().any(|next| line.lower.contains(next))
}

fn is_made_up_or_long(value: &str) -> bool {
    let mixed =
        value.chars().any(char::is_lowercase) && value.chars().skip(1).any(char::is_uppercase);
    is_made_up(value) || (value.len() >= 16 && mixed)
}

/// Lines `user:password` of chpasswd.
pub(super) fn account(lines: &[Line], number: usize) -> Option<Range<usize>> {
    let line = &lines[number];
    let (user, value) = line.text.trim().split_once(':')?;
    let plain =
        !user.is_empty() && user.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if !plain || value.starts_with(' ') || value.contains(' ') {
        return None;
    }
    let mut above =
        lines[..number].iter().rev().take(LINES_BELOW).take_while(|line| !line.text.is_empty());
    let list = above.find(|line| {
        !line.text.trim().contains(':')
            || line.text.trim().ends_with('|')
            || line.text.contains("chpasswd")
    });
    let list =
        list.is_some_and(|line| line.lower.contains("chpasswd") || line.lower.trim() == "list: |");
    (list && value != "RANDOM" && fits(value)).then(|| line.span(value))
}
