//! Finds values in lines below those that announce them: alone on a line, in a list of accounts, and as chpasswd reads them.

use super::{ALONE_BYTES, COMPARED_BYTES, Line, PHRASE, fits, is_made_up, trim};
use crate::redaction::{Raw, SecretKind};
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

/// How many lines below its announcement a value may stand.
const LINES_BELOW: usize = 12;

/// A value alone on its line below the line that announces it.
pub(super) fn value(lines: &[Line], number: usize) -> Option<Range<usize>> {
    let line = &lines[number];
    let value = trim(line.text);
    if value.len() < ALONE_BYTES || value.len() > COMPARED_BYTES {
        return None;
    }
    let mut above = lines[..number].iter().rev().filter(|line| !line.text.trim().is_empty());
    let words = value.split_whitespace().count();
    if words > 1 {
        // "I send you the password right away, … So: X"
        let end = line.text.trim_end().rsplit_once(": ").map(|(_, end)| trim(end));
        let last = lines[number + 1..].iter().all(|line| line.text.trim().is_empty());
        if let Some(end) = end.filter(|end| last && !end.contains(' ') && end.len() >= ALONE_BYTES)
            && line.speaks()
            && follows(line)
            && is_made_up(end)
            && fits(end)
        {
            return Some(line.span(end));
        }
        // Only right below `… quiero esta contraseña:`
        let announces =
            above.next().filter(|line| line.text.trim_end().ends_with(':') && line.speaks())?;
        let phrase = words <= PHRASE.1
            && value.contains(|c: char| c.is_ascii_digit())
            && value.len() <= PHRASE.0
            && !value.contains([':', '=', '/', '<', '{', '|', '@'])
            && announces.text.len() < COMPARED_BYTES;
        return phrase.then(|| line.span(value));
    }
    let announced = above
        .take(LINES_BELOW)
        .any(|line| line.speaks() && (line.text.trim_end().ends_with(':') || follows(line)));
    let last = lines[number + 1..].iter().all(|line| line.text.trim().is_empty());
    (announced && last && is_made_up_or_long(value) && fits(value)).then(|| line.span(value))
}

/// Whether a line says that something follows.
fn follows(line: &Line) -> bool {
    let words = line.lower.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.into_iter().any(|word| FOLLOWS.contains(&word))
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

/// The values of a list in which one was found: `- name / value` for each line.
pub(super) fn lists(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let item = |line: &Line| -> Option<(char, Range<usize>)> {
        let text = line.text.trim_start().trim_start_matches(['-', '*', '•']);
        let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let text = text.trim_start_matches(['.', ')']).trim();
        let at = [" / ", ": ", " - ", " – ", "\t", ", "]
            .iter()
            .find_map(|sign| Some((sign, text.find(*sign)?)))?;
        let (sign, at) = at;
        let (name, value) = (&text[..at], trim(&text[at + sign.len()..]));
        let plain = !value.contains([' ', '\t']) && !name.contains(' ') && value.len() >= 4;
        plain.then(|| (sign.trim().chars().next().unwrap_or('\t'), line.span(value)))
    };
    let is_found = |span: &Range<usize>| {
        let next = found.partition_point(|raw| raw.span.end <= span.start);
        found
            .get(next)
            .is_some_and(|raw| raw.span.start < span.end && raw.kind == SecretKind::Password)
    };
    let mut more = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((sign, _)) = item(&lines[at]) else {
            at += 1;
            continue;
        };
        let end = (at..lines.len())
            .find(|next| item(&lines[*next]).is_none_or(|(other, _)| other != sign))
            .unwrap_or(lines.len());
        let values: Vec<_> =
            lines[at..end].iter().filter_map(item).map(|(_, span)| (span, ())).collect();
        // The line above says that these are passwords.
        let heading = at.checked_sub(1).is_some_and(|above| lines[above].speaks());
        if values.len() > 1 && heading && values.iter().any(|(span, ())| is_found(span)) {
            for (span, ()) in values.into_iter().filter(|(span, ())| !is_found(span)) {
                let line = lines.partition_point(|line| line.start <= span.start) - 1;
                let value =
                    &lines[line].text[span.start - lines[line].start..span.end - lines[line].start];
                if fits(value) {
                    more.push(span);
                }
            }
        }
        at = end;
    }
    more
}
