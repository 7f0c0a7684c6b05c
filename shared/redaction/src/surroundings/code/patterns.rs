//! Recognizes patterns, formats, escapes, numbers, accounts of databases, prompts, and parts of queries.

use super::names::is_name;
use crate::surroundings::{Place, announces};

/// Commands that take a pattern.
const SEARCHES: [&str; 8] = ["grep ", "rg ", "sed ", "awk ", "regex", "pattern", "ack ", "match"];
/// Parts of patterns.
const PARTS: [&str; 13] = [
    ".*\\.", "$ENV{", "\\s*", "\\s+", "\\S+", "\\S*", "\\d+", "\\d{", "\\w+", "\\w*", "[0-9",
    "[a-z]", "[A-Z",
];
/// Words of a statement in SQL.
const STATEMENTS: [&str; 7] =
    ["select ", "update ", "insert ", "delete ", "where ", "values", " set "];

/// Whether a value is one of these.
pub(super) fn is_of_pattern(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    (value.contains(['\\', '[', '$']) && PARTS.iter().any(|part| value.contains(part)))
        || is_pattern(place)
        || is_choice(before, value)
        || is_format(value)
        || is_escape(value)
        || is_number(value)
        || is_account(value, after)
        || is_prompt(place)
        || is_count_of_bytes(value, after)
        || is_query(value)
        || is_parameter(before, value, after)
        || ["CHARSET=", "COLLATE=", "CHARACTER SET ", "COLLATE "]
            .iter()
            .any(|name| before.ends_with(name))
}

/// `^(data|stringData)$`, `'pass(word|wd)|secret|token'`
fn is_pattern(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let begun = place.begun();
    let rest = after.split(char::is_whitespace).next().unwrap_or_default();
    if !value.starts_with('^') && ![begun, value, rest].iter().any(|part| part.contains('|')) {
        return false;
    }
    let run = [begun, value, rest].concat();
    let anchored = value.starts_with('^') && value.contains(['(', '|', '[']) && run.contains('$');
    let choices = run.matches('|').count();
    let words =
        run.bytes().all(|b| b.is_ascii_alphabetic() || b"_|()'\"^$?:\\.*+-[]r,".contains(&b));
    let searched = || SEARCHES.iter().any(|search| before.contains(search));
    anchored || (choices > 0 && words && (searched() || (run.contains('(') && choices > 1)))
}

/// `'report'@'10.0.%'`: a user of MySQL, and the hosts from which it may connect.
fn is_account(value: &str, after: &str) -> bool {
    const AT: [&str; 3] = ["'@'", "\"@\"", "`@`"];
    AT.iter().any(|at| value.contains(at) || after.starts_with(at))
}

/// `root@web-01:~#`, `deploy@app-2:/srv$`
fn is_prompt(place: &Place<'_>) -> bool {
    if !place.value.ends_with(['#', '$']) {
        return false;
    }
    let prompt = [place.begun(), place.value].concat();
    let host = prompt.split_once('@').and_then(|(user, rest)| {
        let (host, folder) = rest.split_once(':')?;
        let name = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        };
        (name(user) && name(host)).then_some(folder)
    });
    host.is_some_and(|folder| folder.starts_with(['~', '/'])) && place.after.starts_with(' ')
}

/// `tls.key:  1704 bytes`
fn is_count_of_bytes(value: &str, after: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_digit()) && after.starts_with(" bytes")
}

/// `ssl=true|false`: what a setting may be.
fn is_choice(before: &str, value: &str) -> bool {
    let word = |part: &str| {
        part.len() >= 2 && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'_')
    };
    before.ends_with('=') && value.contains('|') && value.split('|').all(word)
}

/// `%-8.8s`, `%s:%s@%s`: a pattern for a text.
fn is_format(value: &str) -> bool {
    let between = |part: &str| {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || "-.+l".contains(c));
        part.strip_prefix(['s', 'd', 'i', 'u', 'x', 'f'])
            .is_some_and(|rest| rest.chars().all(|c| ":@/ .,-".contains(c)))
    };
    let value = value.strip_suffix("\\n").unwrap_or(value);
    value.strip_prefix('%').is_some_and(|formats| formats.split('%').all(between))
}

/// `'\u0160'`, `U+002B`, `end\&.`: characters by their numbers, and escapes of manuals.
fn is_escape(value: &str) -> bool {
    const MANUAL: [&str; 8] = ["\\&", "\\*(", "\\f(", "\\f5", "\\fB", "\\fI", "\\fR", "\\(F"];
    let hex =
        |text: &str| (2..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let point = value.strip_prefix("U+").is_some_and(hex);
    let escaped = value.starts_with("\\u") && value.split("\\u").skip(1).all(hex);
    point || escaped || (value.contains('\\') && MANUAL.iter().any(|mark| value.contains(mark)))
}

/// `0o777`, `0b1011`, `r#type`, `8h30`
fn is_number(value: &str) -> bool {
    let octal = |digits: &str| digits.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b"_:".contains(&b));
    value.strip_prefix("0o").or_else(|| value.strip_prefix("0b")).is_some_and(octal)
        || value.strip_prefix("r#").is_some_and(name)
        || value.split_once('h').is_some_and(|(hour, minute)| {
            let number = |part: &str| {
                (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
            };
            number(hour) && number(minute)
        })
}

/// `rate(password_resets_total[5m`, `cpu_seconds_total{mode="idle`: parts of a query for metrics.
fn is_query(value: &str) -> bool {
    let name = |name: &str| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_:".contains(&b);
        name.contains('_') && name.bytes().all(plain)
    };
    let window = value.rsplit_once('[').is_some_and(|(head, window)| {
        let unit =
            window.trim_end_matches([']', ')']).trim_start_matches(|c: char| c.is_ascii_digit());
        ["s", "m", "h", "d", "w"].contains(&unit)
            && head.rsplit(['(', '{', '}']).next().is_some_and(|head| head.is_empty() || name(head))
    });
    let label = value
        .split_once('{')
        .is_some_and(|(head, labels)| name(head) && labels.contains(['=', '~']));
    window || label
}

/// `password = :password`, `$1`, `?`, `@password`, `%(password)s`: a parameter of a query in SQL.
fn is_parameter(before: &str, value: &str, after: &str) -> bool {
    let value = value.trim_end_matches([',', ')', ';', '"', '\'']);
    if value.strip_prefix("%(").is_some_and(|name| {
        let end = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
        is_name(end.trim_end_matches(')')) && (end.ends_with(')') || after.starts_with(")s"))
    }) {
        return true;
    }
    let Some(name) = value.strip_prefix([':', '@', '$', '?']) else { return false };
    let number = name.bytes().all(|b| b.is_ascii_digit()) && name.len() <= 2;
    // A name in lower case: `:password`, `@newPassword`
    let named = is_name(name) && announces(name) && !value.starts_with('?');
    let tied = before.trim_end().ends_with(['=', '(', ',']);
    let lower = || before.to_ascii_lowercase();
    (number || named) && tied && STATEMENTS.iter().any(|word| lower().contains(word))
}
