//! Recognizes names in code: variables, members, elements, arguments.

use crate::surroundings::{IS, Place, announces, is_tied};
use crate::things::is_named_thing;
use crate::weight::is_wordy;

/// Whether a value is such a name, perhaps with signs around it.
pub(super) fn is_named(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_element(before, value)
        || is_member(before, value)
        || is_argument(place)
        || is_of_same_name(before, value)
        || is_listed(place)
        || (before.ends_with("::") && is_name(value))
        || (before.ends_with('`')
            && after.starts_with('`')
            && is_camel(value)
            && !announces(before))
}

/// `salt`, `_next`, `exports$1`
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$".contains(&b))
}

/// `password_hash`
pub(super) fn is_small(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

/// `nextTick`: a capital after two small letters.
pub(super) fn has_hump(name: &str) -> bool {
    name.as_bytes()
        .windows(3)
        .any(|of| of[..2].iter().all(u8::is_ascii_lowercase) && of[2].is_ascii_uppercase())
}

/// `useMutation`, `SigV4OperationSigningConfig`: a name of at least two words that begin with capitals.
pub(super) fn is_camel(value: &str) -> bool {
    let humps = value.as_bytes().windows(2).filter(|of| {
        matches!(of, [a, b] if (a.is_ascii_lowercase() || a.is_ascii_digit()) && b.is_ascii_uppercase())
    });
    humps.count() > 0 && value.bytes().filter(u8::is_ascii_digit).count() <= 1 && is_name(value)
}

/// `KEYS[1`, `tokens[i][1]`, `task[:2]`, `dict[257]`
fn is_element(before: &str, value: &str) -> bool {
    const NUMBER_BYTES: usize = 10;
    const VARIABLE_BYTES: usize = 4;
    let value = value.trim_start_matches(['!', '(', '&', '*', '-', '+']);
    let Some((name, index)) = value.split_once('[') else { return false };
    let inner = index.split([']', '[', ')', '.', ',', ';']).next().unwrap_or_default();
    let number = inner.len() <= NUMBER_BYTES
        && inner.bytes().all(|b| b.is_ascii_digit() || b":-".contains(&b));
    let variable = inner.len() <= VARIABLE_BYTES
        && inner.bytes().all(|b| b.is_ascii_lowercase())
        && index.contains(']');
    let closed = index
        .split_once(']')
        .is_none_or(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    closed
        && name.len() >= 2
        && name.bytes().all(|b| b.is_ascii_alphabetic() || b"._".contains(&b))
        && (number || variable)
        && !before.ends_with(['"', '\''])
}

/// `KeyCode.Enter`, `options.decodeValues`, `errors.NOT_FOUND`: members of which one has several words.
fn is_member(before: &str, value: &str) -> bool {
    if !value.contains('.') {
        return false;
    }
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let value = value.trim_end_matches([')', ',', ';', ':', '+', '(']);
    // `argon2.argon2id`
    let technical = |part: &str| is_named_thing(&part.to_ascii_lowercase());
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        technical(part)
            || word.len() > 1
                && is_wordy(word)
                && part.len() - word.len() <= 1
                && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    };
    let several = |part: &str| {
        let constant = part.len() > 2 && part.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        constant || part.trim_matches('_').contains('_') || is_camel(part) || technical(part)
    };
    !is_tied(before)
        && !before.ends_with(['=', '"', '\''])
        && !IS.contains(&last.as_str())
        && value.split('.').all(part)
        && value.split('.').any(several)
}

/// `salt: &SaltString)`, `|address: &Address|`, `f(cipher, &info))`, `f(request, *args, **options)`, `keys %seen;`
fn is_argument(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let name = value.trim_end_matches([')', ',', ';', '|']);
    let closed = name.len() < value.len() || after.starts_with([')', ',', ';', '|']);
    let begun = before.trim_end();
    let first = begun.ends_with(['(', ',']);
    let letters = |name: &str| name.bytes().all(|b| b.is_ascii_alphabetic());
    closed
        && match name.split_at_checked(1) {
            Some(("&", name)) => {
                (first && is_name(name)) || (begun.ends_with(':') && letters(name))
            }
            Some(("*", name)) => first && is_small(name.trim_start_matches('*')),
            Some(("%", name)) => begun.ends_with("keys") && is_name(name),
            _ => false,
        }
}

/// `this.seed = seed;`, `kw['parse_constant'] = parse_constant`: a variable of the same name.
fn is_of_same_name(before: &str, value: &str) -> bool {
    const LEAST_BYTES: usize = 4;
    let name = value.trim_end_matches([';', ',', ')', '}']);
    let Some(head) = before.trim_end().strip_suffix(['=', ':']) else { return false };
    let head = head.trim_end_matches([' ', ':', '"', '\'', ']']);
    let member = head.strip_suffix(name).unwrap_or_default();
    name.len() >= LEAST_BYTES && is_name(name) && member.ends_with(['.', '\'', '"'])
}

/// `'getkey', 'getpass', 'getuser', 'getpin'`: one of many names in a row of a program.
fn is_listed(place: &Place<'_>) -> bool {
    const MANY: usize = 4;
    let Place { value, before, after, .. } = *place;
    if !before.ends_with(['"', '\'']) || !after.starts_with(['"', '\'']) || !is_name(value) {
        return false;
    }
    let line = [before, after].concat();
    line.matches("', '").count().max(line.matches("\", \"").count()) >= MANY
        && !line.contains(['=', '!', '#', '$', ':'])
}
