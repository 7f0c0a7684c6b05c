//! Recognizes what source code gives a variable named for a secret: calls behind a keyword, parameters of a query, names of
//! files and parts of a platform.

use super::{Place, announces};

/// Words before a call or an expression.
const KEYWORDS: [&str; 15] = [
    "await", "new", "yield", "lambda", "async", "not", "return", "typeof", "match", "throw",
    "raise", "delete", "void", "move", "unsafe",
];
/// Words of a statement in SQL.
const STATEMENTS: [&str; 7] =
    ["select ", "update ", "insert ", "delete ", "where ", "values", " set "];

/// Whether a value is such a part of code.
pub(super) fn is_of_source(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    (KEYWORDS.contains(&value) && begins_expression(before, after))
        || is_parameter(before, value, after)
        || is_file(value)
        || is_platform(value)
        || is_reported(value)
        || is_borrowed(before, value, after)
        || is_called(value, before, after)
        || is_error(before, value)
        || is_type(value, before, after)
        || is_imported(value, before)
        || is_indexed(value)
        || is_of_same_name(value, before)
}

/// `password = await f(x)`: the keyword, but not `password = new moon`.
fn begins_expression(before: &str, after: &str) -> bool {
    let rest = after.trim_start();
    before.trim_end().ends_with(['=', ':', '(', '>'])
        && after.len() > rest.len()
        && !rest.starts_with(['"', '\''])
        && (rest.contains(['(', '{', '[', ';'])
            || rest.contains("=>")
            || rest.contains(": ")
            || (rest.contains('.')
                && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b))))
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `password = :password`, `$1`, `?`, `@password`, `%(password)s`: a parameter of a query.
fn is_parameter(before: &str, value: &str, after: &str) -> bool {
    let value = value.trim_end_matches([',', ')', ';', '"', '\'']);
    if value.strip_prefix("%(").is_some_and(|name| {
        let end = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
        is_identifier(end.trim_end_matches(')')) && (end.ends_with(')') || after.starts_with(")s"))
    }) {
        return true;
    }
    let Some(name) = value.strip_prefix([':', '@', '$', '?']) else { return false };
    let number = name.bytes().all(|b| b.is_ascii_digit()) && name.len() <= 2;
    // A name in lower case: `:password`, `@newPassword`
    let named = is_identifier(name) && announces(name) && !value.starts_with('?');
    let tied = before.trim_end().ends_with(['=', '(', ',']);
    let lower = || before.to_ascii_lowercase();
    (number || named) && tied && STATEMENTS.iter().any(|word| lower().contains(word))
}

/// `slmisc.c`, `src/main.h`: a file of code.
fn is_file(value: &str) -> bool {
    let value = value.trim_end_matches([':', ',', '.', ')']);
    value.strip_suffix(".c").or_else(|| value.strip_suffix(".h")).is_some_and(|path| {
        !path.is_empty()
            && path
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-/.".contains(&b))
    })
}

/// `x86-64`, `i386`, `32-bit`: parts of a platform.
fn is_platform(value: &str) -> bool {
    let value = value.trim_end_matches([',', '.', ')', ':']);
    matches!(value, "x86-64" | "x86_64" | "i386" | "i686" | "arc4random" | "aarch64" | "arm64")
        || matches!(value, "16-bit" | "32-bit" | "64-bit" | "128-bit" | "256-bit")
}

/// `Bug#729997`, `RT#675`: a report of a fault.
fn is_reported(value: &str) -> bool {
    let value = value.trim_end_matches([',', '.', ')', ':', ']']);
    value.split_once('#').is_some_and(|(name, number)| {
        matches!(name, "Bug" | "bug" | "RT" | "GH" | "PR" | "Issue" | "issue" | "Closes" | "BZ")
            && (1..=8).contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
    })
}

/// `f(cipher, &info))`, `keys %seen;`: a variable of C or Perl.
fn is_borrowed(before: &str, value: &str, after: &str) -> bool {
    let name = value.trim_end_matches([')', ',', ';']);
    let closed = name.len() < value.len() || after.starts_with([')', ',', ';']);
    let begun = before.trim_end();
    let c = begun.ends_with(['(', ',']) && name.strip_prefix('&').is_some_and(is_identifier);
    let perl = begun.ends_with("keys") && name.strip_prefix('%').is_some_and(is_identifier);
    closed && (c || perl)
}

/// `process.nextTick()`: a name in camel case before the brackets of a call.
fn is_called(value: &str, before: &str, after: &str) -> bool {
    const CALLERS: [char; 5] = ['.', ' ', '(', '>', ':'];
    let camel = value
        .as_bytes()
        .windows(3)
        .any(|of| of[..2].iter().all(u8::is_ascii_lowercase) && of[2].is_ascii_uppercase());
    after.starts_with('(')
        && camel
        && (before.trim().is_empty() || before.ends_with(CALLERS))
        && !before.trim_end().ends_with([':', '='])
        && value.bytes().all(|b| b.is_ascii_alphabetic())
}

/// `error code: AADSTS700016`
fn is_error(before: &str, value: &str) -> bool {
    let head = before.trim_end_matches([' ', ':', '=', '"', '#']);
    let lower = head
        .get(head.floor_char_boundary(head.len().saturating_sub(16))..)
        .unwrap_or_default()
        .to_lowercase();
    let said = ["error code", "errorcode", "fehlercode", "código de error", "code d'erreur"]
        .iter()
        .any(|code| lower.ends_with(code));
    said && value
        .bytes()
        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_-.".contains(&b))
}

/// `Vec<u8>`, `crate::GetObjectOutput`, `struct PhantomPinned`: a type.
fn is_type(value: &str, before: &str, after: &str) -> bool {
    const GENERIC: [&str; 14] = [
        "Vec<",
        "Option<",
        "Result<",
        "Arc<",
        "Box<",
        "Rc<",
        "HashMap<",
        "BTreeMap<",
        "Cow<",
        "AsRef<",
        "From<",
        "Into<",
        "List<",
        "Map<",
    ];
    const DECLARED: [&str; 8] =
        ["::", "struct ", "impl ", "enum ", "class ", "trait ", " for ", "interface "];
    let camel = || {
        let turns = value.as_bytes().windows(2);
        value.starts_with(|c: char| c.is_ascii_uppercase())
            && value.bytes().all(|b| b.is_ascii_alphanumeric())
            && turns.filter(|of| of[0].is_ascii_lowercase() && of[1].is_ascii_uppercase()).count()
                >= 1
    };
    let begins = |line: &str| {
        let line = line.trim_start();
        ["impl", "pub ", "struct ", "enum ", "class ", "trait ", "type "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    GENERIC.iter().any(|generic| value.starts_with(generic))
        || (DECLARED.iter().any(|end| before.ends_with(end))
            && (before.ends_with("::") || begins(before))
            && camel())
        || (after.starts_with("::") && camel())
}

/// `import { cpuUsage } from 'node:process'`, `from pip._internal import x`, `use std::net::{Ipv4Addr}`.
fn is_imported(value: &str, before: &str) -> bool {
    let line = before.trim_start_matches([' ', '\t', '/', '#', '!']);
    let imports = (line.starts_with("import {") && !line.contains(';'))
        || (line.starts_with("from ") && (line.contains(" import ") || value.contains("._")))
        || (line.starts_with("use ") && line.contains("::"))
        || ((line.starts_with("const {") || line.starts_with("export {")) && !line.contains('}'));
    imports && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.,{}:-/@".contains(&b))
}

/// `keyval[1]`, `dict[257]`: an element of a list.
fn is_indexed(value: &str) -> bool {
    value.split_once('[').is_some_and(|(name, index)| {
        let index = index.trim_end_matches([']', ';', ',', ')']);
        let small = |b: u8| b.is_ascii_lowercase() || b == b'_' || b == b'.';
        name.len() >= 3
            && name.trim_end_matches(')').bytes().all(small)
            && (1..=10).contains(&index.len())
            && (index.bytes().all(|b| b.is_ascii_digit()) || index == "i")
    })
}

/// `this.seed = seed;`, `kw['parse_constant'] = parse_constant`: a variable of the same name.
fn is_of_same_name(value: &str, before: &str) -> bool {
    let name = value.trim_end_matches([';', ',', ')', '}']);
    let Some(head) = before.trim_end().strip_suffix(['=', ':']) else { return false };
    let head = head.trim_end_matches([' ', ':', '"', '\'', ']']);
    let member = head.strip_suffix(name).unwrap_or_default();
    name.len() >= 4 && is_identifier(name) && member.ends_with(['.', '\'', '"'])
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn what_code_gives_a_variable_is_no_secret() {
        for text in [
            "user.password = await scrypt.derive(password, salt);",
            "let password = async () => { return ask(); };",
            "UPDATE users SET password = :password WHERE id = :id",
            "SELECT id FROM users WHERE password = @password",
            "cur.execute(\"UPDATE u SET password = %(password)s\", params)",
            "HTTP 403 on /api/token, error code: AADSTS700016",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn what_only_resembles_code_is_found() {
        seals(&[
            ("user.password = \"await-Kettle77!\"", &["await-Kettle77!"]),
            ("password: new-moon-Rise-91", &["new-moon-Rise-91"]),
            ("UPDATE users SET password = 'Walnut@77x' WHERE id = 2", &["Walnut@77x"]),
            ("password = $1Kettle:moon9", &["$1Kettle:moon9"]),
        ]);
    }
}
