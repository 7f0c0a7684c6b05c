//! Recognizes statements: their keywords, what they import, and expressions on a line that is one.

use super::names::is_name;
use crate::surroundings::{Place, is_tied};

/// Words with which a statement begins.
const STATEMENTS: [&str; 34] = [
    "let",
    "const",
    "var",
    "local",
    "fn",
    "pub",
    "impl",
    "def",
    "from",
    "import",
    "return",
    "if",
    "for",
    "while",
    "export",
    "class",
    "type",
    "use",
    "struct",
    "func",
    "function",
    "async",
    "await",
    "private",
    "protected",
    "public",
    "static",
    "interface",
    "enum",
    "trait",
    "match",
    "else",
    "elif",
    "raise",
];
/// Words with which an expression begins.
const EXPRESSIONS: [&str; 15] = [
    "await", "new", "yield", "lambda", "async", "not", "return", "typeof", "match", "throw",
    "raise", "delete", "void", "move", "unsafe",
];
/// Signs that only code has.
const SIGNS: [&str; 12] =
    ["=> {", " -> ", "::", "&mut ", " === ", " !== ", "!==", "());", ") {", "();", "(&", " ?? "];

/// Whether a value is a part of a statement.
pub(super) fn is_of_statement(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    is_keyword(place)
        || is_imported(place)
        // `$password) { expiresIn`
        || (before.contains('$') && before.trim_end().ends_with(") {"))
        || (is_expression(value)
            && (!is_tied(before) || is_signature(before))
            && is_statement(place))
}

/// `password = await f(x)`, `if (!token) throw`: the keyword, but not `password = new moon`.
fn is_keyword(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let rest = after.trim_start();
    let ends = ["return", "throw", "raise"].contains(&value) && before.contains(['{', '(', ':']);
    let member = || rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
    let begins = EXPRESSIONS.contains(&value)
        && before.trim_end().ends_with(['=', ':', '(', '>'])
        && after.len() > rest.len()
        && !rest.starts_with(['"', '\''])
        && (rest.contains(['(', '{', '[', ';'])
            || rest.contains("=>")
            || rest.contains(": ")
            || (rest.contains('.') && member()));
    ends || begins
}

/// `import { cpuUsage } from 'node:process'`, `from pip._internal import x`, `use std::net::{Ipv4Addr}`,
/// `require('micromark-util-symbol')`
fn is_imported(place: &Place<'_>) -> bool {
    const MODULES: [&str; 6] =
        ["from '", "from \"", "import '", "import \"", "require('", "require(\""];
    let Place { value, before, after, .. } = *place;
    let line = before.trim_start_matches([' ', '\t', '/', '#', '!']);
    let imports = (line.starts_with("import {") && !line.contains(';'))
        || (line.starts_with("from ") && (line.contains(" import ") || value.contains("._")))
        || (line.starts_with("use ") && line.contains("::"))
        || ((line.starts_with("const {") || line.starts_with("export {")) && !line.contains('}'));
    MODULES.iter().any(|end| before.ends_with(end))
        || (before.trim() == "from" && after.starts_with(" import"))
        || (imports
            && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.,{}:-/@".contains(&b)))
}

/// `def exchange(self, public_key: `: the parameters of a function have types.
fn is_signature(before: &str) -> bool {
    !before.ends_with(['"', '\''])
        && before.contains('(')
        && ["def ", "fn "].iter().any(|word| before.contains(word))
}

/// `exports$1`, `codes.semicolon`, `finalRange`, `&reference)`: names, perhaps with members and calls.
fn is_expression(value: &str) -> bool {
    let value = value.trim_start_matches(['&', '*', '!', '(', '-', '+', '<', '[']);
    let value =
        value.trim_end_matches([')', ',', ';', ':', '(', '|', '{', '}', '>', ']', '[', '?']);
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
        // `X25519PublicKey`
        let inner = word.as_bytes().windows(2).all(|of| {
            !of[0].is_ascii_digit() || of[1].is_ascii_digit() || of[1].is_ascii_uppercase()
        });
        is_name(part) && part.len() - word.len() <= 2 && inner
    };
    value.len() >= 2 && value.split(['.', '(', ':']).filter(|one| !one.is_empty()).all(part)
}

/// Whether the line of a value is a statement of a program.
fn is_statement(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let start = before.trim_start().trim_start_matches(['}', '/', '*', ' ']);
    let start = if start.is_empty() { value } else { start };
    let first = start.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let end = after.trim_end();
    let end = if end.is_empty() { value } else { end };
    let line = [before, value, after].concat();
    let closed = end.ends_with([';', '{', '(', '}', '['])
        || end.ends_with("):")
        || end.ends_with("),")
        || (end.ends_with(':') && line.contains(" -> "));
    let signed = SIGNS.iter().any(|sign| line.contains(sign))
        || (line.contains('(') && [" || ", " && ", " & "].iter().any(|sign| line.contains(sign)));
    (STATEMENTS.contains(&first) && (closed || signed)) || (signed && closed)
}
