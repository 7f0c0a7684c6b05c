//! Recognizes calls of functions and macros.

use super::names::{has_hump, is_name, is_small};
use crate::surroundings::Place;
use crate::weight::is_wordy;

/// Functions of one short word.
const SHORT: [&str; 12] = [
    "range", "min", "max", "len", "int", "str", "dict", "list", "tuple", "tonumber", "tostring",
    "print",
];
/// Commands of PowerShell that a secret is read with.
const CMDLETS: [&str; 3] = ["Read-Host", "Get-Credential", "ConvertTo-SecureString"];

/// Whether a value is a call, or a function before the brackets of one.
pub(super) fn is_of_call(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    // Ruby's ways to read a line, Python's module of digests
    ["gets.", "STDIN.", "hashlib."].iter().any(|start| value.starts_with(start))
        || (before.ends_with('(') && CMDLETS.contains(&value))
        || is_function(before, value, after)
        || value.split_once('(').is_some_and(|(name, argument)| {
            is_call(name, argument) || is_short(name, argument) || is_numbered(name, argument)
        })
        || is_macro(value)
        || is_denied(value)
}

/// `process.nextTick()`: a name in camel case before the brackets of a call.
fn is_function(before: &str, value: &str, after: &str) -> bool {
    after.starts_with('(')
        && has_hump(value)
        && (before.trim().is_empty() || before.ends_with(['.', ' ', '(', '>', ':']))
        && !before.trim_end().ends_with([':', '='])
        && value.bytes().all(|b| b.is_ascii_alphabetic())
}

/// `user.verify(password`, `check_password(x`, `Argon2::default(`, `toset([80`: not `oT(9v-Xk!2`, and not `Summer.Night(7)`
fn is_call(name: &str, argument: &str) -> bool {
    let mut parts = name.split(['.', '_', ':']).filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() >= 2
            && letters.bytes().all(|b| b.is_ascii_alphanumeric())
            && is_wordy(letters)
    };
    let starts_lower = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
    let digit = argument.starts_with(|c: char| c.is_ascii_digit()) && !argument.starts_with("0x");
    // `connect(host="db1"`, `models.CharField(max_length=64`
    let named =
        argument.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_small(name));
    let class = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_alphabetic())
    };
    let function = || match name.rsplit_once('.') {
        Some((module, name)) => module.split('.').all(is_small) && (is_small(name) || class(name)),
        None => is_small(name),
    };
    // `encoded_len(7`, `stack.push(1`
    let counted = (1..=4).contains(&argument.len())
        && argument.bytes().all(|b| b.is_ascii_digit())
        && name.contains(['.', '_'])
        && name.split('.').all(|part| part.len() > 1 && is_small(part));
    if (named && function()) || counted {
        return true;
    }
    if argument.starts_with(['[', '{']) && name.len() >= 3 {
        return is_small(name);
    }
    (has_hump(name) || parts.clone().count() > 1)
        && (name.contains("::") || parts.clone().all(starts_lower))
        && parts.all(is_word)
        && !digit
}

/// `tonumber(ARGV[1`, `func(*args`
fn is_short(name: &str, argument: &str) -> bool {
    let name = name.trim_start_matches(['!', '(', '[']);
    SHORT.contains(&name) || (is_name(name) && argument.strip_prefix('*').is_some_and(is_word))
}

/// `net/http.HandlerFunc.ServeHTTP(0xc000393564`, `crypt($1`
fn is_numbered(name: &str, arguments: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_./*".contains(&b);
    let parameter = arguments
        .strip_prefix('$')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    name.len() >= 3 && name.bytes().all(plain) && (arguments.starts_with("0x") || parameter)
}

/// `vec![349`, `matches!(self`, `#[derive(`, `#[warn(unused_variables)]`
fn is_macro(value: &str) -> bool {
    let expands = value.split_once('!').is_some_and(|(name, rest)| {
        name.len() >= 3 && is_small(name) && rest.starts_with(['(', '['])
    });
    let attribute =
        value.strip_prefix("#[").and_then(|inner| inner.strip_suffix(']')).is_some_and(|inner| {
            inner.bytes().all(|b| b.is_ascii_lowercase() || b"_():, ".contains(&b))
        });
    expands || attribute || value.starts_with("#[derive(")
}

/// `!left.includes(`
fn is_denied(value: &str) -> bool {
    value.strip_prefix('!').is_some_and(|rest| {
        rest.contains(['(', '.'])
            && rest.split(['(', '.']).next().is_some_and(is_word)
            && rest.bytes().all(|b| b.is_ascii_alphabetic() || b"(._".contains(&b))
    })
}

fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_alphabetic())
}
