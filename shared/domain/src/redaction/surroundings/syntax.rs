//! Recognizes texts that only code and markup contain: types, indexes, macros, members on a line that is a statement, patterns,
//! tags, escapes, emphasis.

use super::{Place, announces};
use crate::redaction::weight::is_wordy;

/// Words with which a statement begins.
const KEYWORDS: [&str; 34] = [
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
/// Signs that only code has.
const SIGNS: [&str; 12] =
    ["=> {", " -> ", "::", "&mut ", " === ", " !== ", "!==", "());", ") {", "();", "(&", " ?? "];
/// Commands that take a pattern.
const SEARCHES: [&str; 8] = ["grep ", "rg ", "sed ", "awk ", "regex", "pattern", "ack ", "match"];

/// Whether a value is a part of code or markup.
pub(super) fn is_syntax(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_escape(value)
        || is_type(value)
        || (is_index(value) && !before.ends_with(['"', '\'']))
        || is_member(before, value)
        || is_number(value)
        || is_listed_name(place)
        || is_macro(value)
        || is_markup(place)
        || is_pattern(place)
        || is_module(before, after)
        || is_anchor(before, value)
        || is_key_combination(value)
        // `$password) { expiresIn`, `crate::types::Name`
        || (before.contains('$') && before.trim_end().ends_with(") {"))
        || (before.ends_with("::") && is_name(value))
        || (is_expression(value) && (!is_tied(before) || is_signature(before)) && is_statement(place))
        || (before.ends_with('`') && after.starts_with('`') && is_camel(value) && !announces(before))
}

fn is_name(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$".contains(&b))
}

/// `useMutation`, `SigV4OperationSigningConfig`: a name of at least two words that begin with capitals.
fn is_camel(value: &str) -> bool {
    let humps = value.as_bytes().windows(2).filter(|of| {
        matches!(of, [a, b] if (a.is_ascii_lowercase() || a.is_ascii_digit()) && b.is_ascii_uppercase())
    });
    humps.count() > 0 && value.bytes().filter(u8::is_ascii_digit).count() <= 1 && is_name(value)
}

/// `'\u0160'`, `U+002B`, `end\&.`: characters by their numbers, and escapes of manuals.
fn is_escape(value: &str) -> bool {
    let hex =
        |text: &str| (2..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let point = value.strip_prefix("U+").is_some_and(hex);
    let escaped = value.starts_with("\\u") && value.split("\\u").skip(1).all(hex);
    let manual = ["\\&", "\\*(", "\\f5", "\\fB", "\\fI", "\\fR", "\\(F"];
    point || escaped || (value.contains('\\') && manual.iter().any(|mark| value.contains(mark)))
}

/// `Vec<u8>`, `Option<&'static`, `&Map<String`: the type of something.
fn is_type(value: &str) -> bool {
    let bare = value.trim_start_matches(['&', '<', '(']);
    if value.contains("<&'") {
        return true;
    }
    let Some((name, argument)) = bare.split_once('<') else { return false };
    let name = name.rsplit([':', '(']).next().unwrap_or_default();
    let argument = argument.trim_start_matches(['&', '\'', '(', '[']);
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().skip(1).any(|b| b.is_ascii_lowercase())
        && is_name(name)
        && (argument.is_empty()
            || argument.starts_with('_')
            || argument.starts_with(|c: char| c.is_ascii_alphabetic()))
        && argument.bytes().all(|b| b.is_ascii_alphanumeric() || b"_<>&':,()[] ;{".contains(&b))
}

/// `KEYS[1`, `tokens[i][1]`, `task[:2]`
fn is_index(value: &str) -> bool {
    let value = value.trim_start_matches(['!', '(', '&', '*', '-', '+']);
    let Some((name, index)) = value.split_once('[') else { return false };
    let plain = name.bytes().all(|b| b.is_ascii_alphabetic() || b"._".contains(&b));
    let inner = index.split([']', '[', ')', '.', ',']).next().unwrap_or_default();
    let number = inner.bytes().all(|b| b.is_ascii_digit() || b":-".contains(&b));
    let variable = inner.bytes().all(|b| b.is_ascii_lowercase());
    let closed = index
        .split_once(']')
        .is_none_or(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    closed
        && name.len() >= 2
        && plain
        && inner.len() <= 4
        && (number || (variable && index.contains(']')))
}

/// `vec![349`, `matches!(self`, `func(*args`, `tonumber(ARGV[1`
fn is_macro(value: &str) -> bool {
    const CALLS: [&str; 12] = [
        "range", "min", "max", "len", "int", "str", "dict", "list", "tuple", "tonumber",
        "tostring", "print",
    ];
    let call = value.split_once('(').is_some_and(|(name, argument)| {
        let name = name.trim_start_matches(['!', '(', '[']);
        CALLS.contains(&name)
            || (is_name(name) && argument.strip_prefix('*').is_some_and(is_camel_or_word))
    });
    let expands = value.split_once('!').is_some_and(|(name, rest)| {
        name.len() >= 3
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            && rest.starts_with(['(', '['])
    });
    // `!left.includes(`
    let denied = value.strip_prefix('!').is_some_and(|rest| {
        rest.contains(['(', '.'])
            && rest.split(['(', '.']).next().is_some_and(is_camel_or_word)
            && rest.bytes().all(|b| b.is_ascii_alphabetic() || b"(._".contains(&b))
    });
    call || expands || denied
}

/// `KeyCode.Enter`, `options.decodeValues`, `errors.NOT_FOUND`: members of which one has several words.
fn is_member(before: &str, value: &str) -> bool {
    if !value.contains('.') {
        return false;
    }
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let value = value.trim_end_matches([')', ',', ';', ':', '+', '(']);
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        word.len() > 1
            && is_wordy(word)
            && part.len() - word.len() <= 1
            && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    };
    let several = |part: &str| {
        let constant = part.len() > 2 && part.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        constant || part.trim_matches('_').contains('_') || is_camel(part)
    };
    !is_tied(before)
        && !before.ends_with(['=', '"', '\''])
        && !super::IS.contains(&last.as_str())
        && value.split('.').all(part)
        && value.split('.').any(several)
}

/// `0o777`, `0b1011`, `r#type`, `#[derive(`
fn is_number(value: &str) -> bool {
    let octal = |digits: &str| digits.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b"_:".contains(&b));
    value.replace("%s", "").is_empty()
        || value.strip_prefix("0o").or_else(|| value.strip_prefix("0b")).is_some_and(octal)
        || value.strip_prefix("r#").is_some_and(name)
        || value.starts_with("#[derive(")
}

/// `'getkey', 'getpass', 'getuser', 'getpin'`: one of many names in a row of a program.
fn is_listed_name(place: &Place<'_>) -> bool {
    const MANY: usize = 4;
    let Place { value, before, after, .. } = *place;
    if !before.ends_with(['"', '\'']) || !after.starts_with(['"', '\'']) || !is_name(value) {
        return false;
    }
    let line = [before, after].concat();
    line.matches("', '").count().max(line.matches("\", \"").count()) >= MANY
        && !line.contains(['=', '!', '#', '$', ':'])
}

fn is_camel_or_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_alphabetic())
}

/// `</code>`, `&lt;fd&gt`, and `**Default:**` at the start of a line.
fn is_markup(place: &Place<'_>) -> bool {
    let Place { value, before, above, .. } = *place;
    let tag = value.split_once("</").is_some_and(|(_, name)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().take_while(|b| *b != b'>').all(|b| b.is_ascii_alphanumeric())
    });
    let broken = ["<br>", "<p>", "&gt", "&lt", "&#x", "><"].iter().any(|mark| value.contains(mark));
    let first = before.trim().trim_start_matches(['-', '|', '#', '>', '*', ' ']).is_empty();
    let word = value.trim_matches(['*', ':', '.', ',', '!', '?']);
    let first = first || before.contains(" **");
    let ended = value.ends_with("**") && before.contains("**");
    let starred = value.starts_with("**") || (value.starts_with('*') && value.ends_with('*'));
    // “The password:” above
    let told = announces(above) && above.ends_with([':', '=']);
    let emphasized = ((starred && first && !told) || ended)
        && !word.is_empty()
        && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    tag || (broken && value.contains(['>', ';', '<']))
        || (broken && value.ends_with("&gt"))
        || emphasized
}

/// `^(data|stringData)$`, `'pass(word|wd)|secret|token'`
fn is_pattern(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let begun = before.rsplit(char::is_whitespace).next().unwrap_or_default();
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
    anchored
        || (choices > 0 && words && run.contains('(') && (choices > 1 || searched()))
        || (choices > 0 && words && searched())
}

/// `from 'micromark-util-symbol'`, `from ansible.errors import`
fn is_module(before: &str, after: &str) -> bool {
    let quoted = ["from '", "from \"", "import '", "import \"", "require('", "require(\""];
    quoted.iter().any(|end| before.ends_with(end))
        || (before.trim() == "from" && after.starts_with(" import"))
}

/// `[named]: #options-use-named`
fn is_anchor(before: &str, value: &str) -> bool {
    before.trim_start().starts_with('[')
        && before.trim_end().ends_with("]:")
        && value
            .strip_prefix('#')
            .is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
}

/// `Ctrl+Alt+Del`, `Strg-C`
fn is_key_combination(value: &str) -> bool {
    const FIRST: [&str; 15] = [
        "ctrl", "strg", "cmd", "alt", "altgr", "shift", "umschalt", "super", "win", "option",
        "maj", "mayús", "control", "command", "meta",
    ];
    const KEY_BYTES: usize = 10;
    let value = value.trim_end_matches(['.', ',', '?', '!', ')']);
    let mut parts = value.split('+');
    let first = parts.next().unwrap_or_default().to_lowercase();
    FIRST.contains(&first.as_str())
        && value.contains('+')
        && parts.all(|key| key.len() <= KEY_BYTES && key.chars().all(char::is_alphanumeric))
}

/// Whether a word for a secret and a sign stand right before a value.
fn is_tied(before: &str) -> bool {
    before
        .trim_end_matches([' ', '"', '\'', '`'])
        .strip_suffix(['=', ':'])
        .is_some_and(|name| announces(name.rsplit([' ', ',', '(']).next().unwrap_or_default()))
        || before.ends_with(['"', '\''])
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
    let keyword = KEYWORDS.contains(&first);
    let closed =
        end.ends_with([';', '{', '(', '}', '[']) || end.ends_with("):") || end.ends_with("),");
    let line = [before, value, after].concat();
    let signed = SIGNS.iter().any(|sign| line.contains(sign))
        || (line.contains('(') && [" || ", " && ", " & "].iter().any(|sign| line.contains(sign)));
    let closed = closed || (end.ends_with(':') && line.contains(" -> "));
    (keyword && (closed || signed)) || (signed && closed)
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn code_and_markup_stay() {
        for text in [
            "local key = KEYS[1]\nlocal n = tonumber(ARGV[1]) or 60\nreturn redis.call('SET', key, ARGV[2], 'EX', n)",
            "mutation { login(user: $user, password: $password) { sessionId } }",
            "fn key(file: Option<&Path>) -> String {",
            "let token = tokens[i][1];",
            "    value = options.decodeKeys ? decode(token) : token;",
            "def exchange(self, public_key: X25519PublicKey) -> bytes:",
            "assert_eq!(key.mode() & 0o777, 0o600);",
            "  if (code === codes.semicolon) {",
            "egrep -rn 'pass(phrase|word)|api_key' src shows nothing",
            "password_regex: ^(password|secretKey)$",
            "press Strg+Alt+Entf to unlock",
            "import {codes} from 'micromark-util-symbol'",
            "- **Passwords.** They are hashed.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_in_code_are_found() {
        seals(&[
            ("const password = \"Walnut#77x\";", &["Walnut#77x"]),
            ("let apiKey = 'k8Jx2mQp9vLw4nRt';", &["k8Jx2mQp9vLw4nRt"]),
            ("return login(\"kim\", password=\"Walnut77!\");", &["Walnut77!"]),
            ("set $password hazel9Tree!x;", &["hazel9Tree!x"]),
            ("$pass = 'Walnut[77]x';", &["Walnut[77]x"]),
            ("password: ^Walnut77$!", &["^Walnut77$!"]),
            ("<password>hazel9Tree</password>", &["hazel9Tree"]),
        ]);
    }
}
