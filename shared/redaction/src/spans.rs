//! Parts of a text: references to secrets, and matches that do not overlap.

use super::{Raw, weight};
use crate::places::places;
use crate::variable::{MAX_NAME_CHARS, check_name};
use std::ops::Range;

pub const OPEN: &str = "{{secret:";
pub const CLOSE: &str = "}}";

pub fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Byte ranges of the references in a text.
pub fn references(text: &str) -> Vec<Range<usize>> {
    let longest = MAX_NAME_CHARS + CLOSE.len();
    let ends = places(text, OPEN).filter_map(|at| {
        let name_at = at + OPEN.len();
        let name = &text[name_at..text.floor_char_boundary(name_at + longest)];
        let name = &name[..name.find(CLOSE)?];
        check_name(name).is_ok().then_some(at..name_at + name.len() + CLOSE.len())
    });
    ends.collect()
}

pub fn sorted(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    spans
}

/// The length of the key that ends a number on the pad of a door: "code 4471#".
fn key(text: &str, span: &Range<usize>) -> usize {
    let number = text[span.clone()].bytes().all(|b| b.is_ascii_digit());
    let rest = text[span.end..].strip_prefix('#');
    let ends =
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '#'));
    usize::from(number && ends)
}

/// The match without braces at its ends: an adjacent reference would make them part of the value again. What every
/// reference begins with is not a secret: `{{secret:{{secret:` without a name.
pub fn trimmed(text: &str, raw: Raw) -> Option<Raw> {
    let value = &text[raw.span.clone()];
    let start = raw.span.start + value.len() - value.trim_start_matches('}').len();
    let value = value.trim_start_matches('}').trim_end_matches('{');
    // "« X »": the spaces belong to the quotes.
    let spaced = value.starts_with(char::is_whitespace) && value.ends_with(char::is_whitespace);
    let quoted = spaced && text[..start].ends_with(['«', '»', '‹', '›', '"']);
    let start = start + if quoted { value.len() - value.trim_start().len() } else { 0 };
    let value = if quoted { value.trim() } else { value };
    let opening = value.ends_with(':') && OPEN.ends_with(value);
    let kept = value.len() >= weight::MIN_BYTES
        && !opening
        && !value.contains("{{")
        && !value.contains("}}");
    kept.then(|| {
        let span = start..start + value.len();
        let closing = if raw.sure { 0 } else { closing(text, &span) + key(text, &span) };
        Raw { span: span.start..span.end + closing, ..raw }
    })
}

/// The most signs at the end of a value that a sentence could also have.
const CLOSING: usize = 3;
/// How far a line is read around a value, in bytes.
const AROUND_BYTES: usize = 160;

/// How many signs behind a value belong to it. A sentence ends with such signs, but its line is none: `KEY=X.` has only
/// the value, and so have the quotes of `KEY="X;"`.
fn closing(text: &str, span: &Range<usize>) -> usize {
    let rest = &text[span.end..];
    // "Passwort Walnuss!! bitte testen": one sign may be the sentence's, but people end passwords with several.
    let exclaimed = rest.bytes().take(CLOSING).take_while(|b| *b == b'!').count();
    let parted = rest[exclaimed..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    if parted
        && (exclaimed > 1
            || (exclaimed == 1 && goes_on(&rest[1..]) && is_mixed(&text[span.clone()])))
    {
        return exclaimed;
    }
    let signs = rest.bytes().take(CLOSING).take_while(|b| b".,;:".contains(b)).count();
    if signs == 0 {
        return 0;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(AROUND_BYTES));
    let before = text[from..span.start].rsplit('\n').next().unwrap_or_default();
    let after = &rest[signs..];
    let quoted = ['"', '\'', '`'].iter().any(|quote| {
        let name = before.strip_suffix(*quote).map(str::trim_end);
        let name = name.and_then(|name| name.strip_suffix(['=', ':']));
        let next = after.strip_prefix(*quote);
        name.is_some_and(|name| !name.trim_matches([' ', '\t', '-']).contains(' '))
            && next.is_some_and(|next| {
                next.is_empty() || next.starts_with([' ', ',', '\n', '\r', '}', ')', ';'])
            })
    });
    let ends = after.is_empty() || after.starts_with(['\n', '\r']);
    let own = || {
        // A statement ends with a semicolon as well, but then the lines around it do, too.
        let until = after.floor_char_boundary(AROUND_BYTES);
        let next = after[..until].trim_start_matches('\r').strip_prefix('\n');
        let next = next.and_then(|next| next.split('\n').next()).unwrap_or_default();
        let above = text[from..span.start].rsplit('\n').nth(1).unwrap_or_default();
        !rest[..signs].contains(';')
            || [above, next].iter().any(|line| is_setting(line) && !line.trim_end().ends_with(';'))
    };
    if quoted || (ends && before.ends_with('=') && is_setting(before) && own()) { signs } else { 0 }
}

/// Whether the same sentence goes on after a sign: "password Summer2024! for root".
fn goes_on(rest: &str) -> bool {
    rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase))
}

/// Whether a value has capital and small letters and ends with a digit. The rules that demand these demand a sign, too,
/// and most people put it at the end.
fn is_mixed(value: &str) -> bool {
    value.ends_with(|c: char| c.is_ascii_digit())
        && value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
        && value.chars().all(char::is_alphanumeric)
}

/// Whether a line begins as in an `.env` file: `DB_USER=`.
fn is_setting(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("export ").unwrap_or(line);
    line.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    })
}

/// Adds matches to the known ones, in order. Known matches take precedence.
pub fn apart(mut known: Vec<Raw>, more: Vec<Raw>) -> Vec<Raw> {
    let sure = known.len();
    known.extend(more);
    let mut order: Vec<_> = (0..known.len()).collect();
    // At equal starts, known matches come first.
    order.sort_by_key(|i| (known[*i].span.start, *i >= sure));
    let mut kept: Vec<usize> = Vec::with_capacity(order.len());
    for i in order {
        match kept.last().copied() {
            Some(last) if overlap(&known[last].span, &known[i].span) => {
                if last >= sure && i < sure {
                    kept.pop();
                    kept.push(i);
                }
            }
            _ => kept.push(i),
        }
    }
    kept.into_iter().map(|i| known[i].clone()).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Choices, Taken, redact_with};

    fn found(text: &str) -> Vec<String> {
        let secrets = redact_with(text, &Choices::default(), &Taken::default()).secrets;
        secrets.into_iter().map(|secret| secret.value).collect()
    }

    #[test]
    fn the_key_that_ends_a_code_belongs_to_it() {
        for (text, secret) in [
            ("the door code is 4471#", "4471#"),
            ("door code 2580# for the rack room", "2580#"),
            ("der Türcode lautet 2580#.", "2580#"),
            ("the door code is 4471", "4471"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn several_exclamation_marks_belong_to_the_password_before_them() {
        for (text, secret) in [
            ("Benutzer kunde, Passwort vorschau!! bitte testen", "vorschau!!"),
            ("root pw Walnut!!", "Walnut!!"),
            ("the password is walnut!!!", "walnut!!!"),
            ("user kim, pw walnut!", "walnut"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn the_signs_at_the_end_of_a_setting_belong_to_its_value() {
        for (text, secret) in [
            ("DB_USER=app\nDB_PASSWORD=Kx9mqLzt.\n", "Kx9mqLzt."),
            ("MYSQL_PASSWORD=walnut;\nMYSQL_USER=shop", "walnut;"),
            ("MAIL_PASSWORD=\"Walnut;\"", "Walnut;"),
            ("password: \"Walnut.\"", "Walnut."),
            ("{\"password\": \"Walnut.\", \"user\": \"kim\"}", "Walnut."),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for (text, secret) in [
            ("Set DB_PASSWORD=Kx9mqLzt.", "Kx9mqLzt"),
            ("PASSWORD=walnut;\nexport PASSWORD;", "walnut"),
            ("the password is Kx9mqLzt.", "Kx9mqLzt"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }
}
