//! Finds passwords that a service makes in groups of letters, and codes of the same form as one that was found.

use super::{COMPARED_BYTES, Line, fits, is_made_up, on_one_line};
use crate::talk::says;
use crate::{Raw, SecretKind};
use std::ops::Range;

/// What services call a password that they make for a program, in lower case.
pub(super) const APP: [&str; 14] = [
    "app password",
    "app-passwor",
    "app passwor",
    "application password",
    "anwendungspasswor",
    "anwendungskennwor",
    "contraseña de aplicac",
    "contrasena de aplicac",
    "contraseña de app",
    "clave de aplicac",
    "mot de passe d'app",
    "mot de passe d’app",
    "mdp d'app",
    "password per le app",
];
/// The letters of a group, and the least number of groups.
const GROUP_BYTES: usize = 4;
const GROUPS: usize = 4;
/// The shortest code that is compared with others, in bytes, and how many found ones are.
const CODE_BYTES: usize = 8;
const CODES: usize = 16;
/// How many words of a line are compared.
const WORDS: usize = 48;

/// `Gmail app password: iqhz nxte iubk iako`
pub(super) fn grouped(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let (at, name) = APP.iter().find_map(|name| Some((line.lower.find(name)?, name)))?;
    let rest = line.text.get(at + name.len()..)?;
    let begins = |at: usize| {
        let words = rest[at..].split(' ').map(|word| word.trim_end_matches(['.', ',', '"', ')']));
        let group = |word: &&str| {
            word.len() == GROUP_BYTES && word.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let groups: Vec<_> = words.take_while(group).collect();
        let length = (groups.len() * (GROUP_BYTES + 1)).checked_sub(1)?;
        let made = groups.len() >= GROUPS && groups.iter().all(|word| says(word).is_none());
        made.then(|| line.span(&rest[at..at + length]))
    };
    let starts = rest.match_indices([' ', '"']).map(|(at, _)| at + 1);
    starts.take(WORDS).find_map(begins)
}

/// The other codes of a line in which some were found, and those alone on the lines around it: `xvnwp-htoxc, 4wxb0-ukyd5
/// and 44ggd-j8eo5`.
pub(super) fn alike(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let mut more = Vec::new();
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password).take(CODES) {
        let Some((line, code)) = on_one_line(lines, &raw.span) else { continue };
        if line.text.len() > COMPARED_BYTES || !is_code(code) {
            continue;
        }
        let words = line.text.split([' ', ',', ';']).take(WORDS);
        let words = words.map(|word| word.trim_end_matches(['.', ')']));
        let alike = words.filter(|word| *word != code && is_code(word) && form(word) == form(code));
        more.extend(alike.map(|word| line.span(word)));
        let at = lines.partition_point(|line| line.start <= raw.span.start);
        let same = |line: &&Line| {
            let text = line.text.trim();
            is_code(text) && form(text) == form(code)
        };
        let above = lines[..at.saturating_sub(1)].iter().rev().take_while(same);
        let around = above.chain(lines[at..].iter().take_while(same)).take(CODES);
        more.extend(around.map(|line| line.span(line.text.trim())));
    }
    more
}

/// The other names with a password between brackets in a line in which one was found: `ann (Thyme-71), ray (Sorrel-22)`.
pub(super) fn bracketed(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let mut more = Vec::new();
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password).take(CODES) {
        let Some((line, _)) = on_one_line(lines, &raw.span) else { continue };
        let at = raw.span.start - line.start..raw.span.end - line.start;
        let inside = line.text[..at.start].ends_with(" (") && line.text[at.end..].starts_with(')');
        if line.text.len() > COMPARED_BYTES || !inside {
            continue;
        }
        let others = line.text.split(" (").skip(1).filter_map(|rest| rest.split_once(')'));
        let others =
            others.map(|(value, _)| value).filter(|value| is_made_up(value) && fits(value));
        more.extend(others.map(|value| line.span(value)));
    }
    more
}

/// Whether a text consists of groups of lower-case letters and digits: `4wxb0-ukyd5`.
fn is_code(text: &str) -> bool {
    text.len() >= CODE_BYTES
        && text.contains('-')
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.split('-').any(str::is_empty)
}

/// The lengths of a code's groups.
fn form(code: &str) -> Vec<usize> {
    code.split('-').map(str::len).collect()
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn groups_of_letters_are_one_secret_and_codes_have_siblings() {
        seals(&[
            ("Gmail app password for ops@example.org: hqzr mwte lubk iakp", &["hqzr", "iakp"]),
            ("usa la contrasena de aplicacion bnln ipqo mofp znbc", &["bnln ipqo mofp znbc"]),
            ("application password of ann: k2uV 7uTV pS9n d45O SvVj n9Qs", &["pS9n", "n9Qs"]),
            ("Backup codes: xvnwp-htoxc, 4wxb0-ukyd5 and 44ggd-j8eo5", &["xvnwp-htoxc"]),
        ]);
        let listed =
            "the codes of gitea's 2fa:\nzymlo-pifqy\n78f5m-0nxyn\nj3lvf-7f4uz\ncr9a1-nx8f3";
        seals(&[(listed, &["zymlo-pifqy", "78f5m-0nxyn", "j3lvf-7f4uz", "cr9a1-nx8f3"])]);
        for text in [
            "use an app password with your mail from this site",
            "the app password has four words, each with four letters",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
