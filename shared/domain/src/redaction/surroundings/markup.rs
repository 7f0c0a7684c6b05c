//! Recognizes parts of documents: words that are emphasized, tags and entities, and the results of tests.

use super::{IS, Place, announces};
use std::ops::Range;

/// Whether a value is such a part.
pub(super) fn is_of_document(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    is_emphasized(place) || is_tag(place) || is_result(text, span, place)
}

/// `**Cost.** The stack is small`, `it *settles* what was used`: a word within a text about something else.
fn is_emphasized(place: &Place<'_>) -> bool {
    let Place { value, before, after, above } = *place;
    let word = value.trim_matches(['*', '`', ',', ';', ':', '.']);
    let open = value.contains("**") && before.matches("**").count() % 2 == 1;
    let stars = value.starts_with('*') || open;
    // The end may lie outside the find: `**More threads do not help:**`
    let closed = value.trim_start_matches('*').contains('*') || after.contains('*');
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let goes_on = after
        .trim_start_matches(['*', ' ', '|'])
        .starts_with(|c: char| c.is_alphanumeric() || c == '`');
    // "**kastanie** is the password"
    let first = after.trim_start_matches(['*', ' ']).split(' ').next().unwrap_or_default();
    let told = (IS.contains(&first) && announces(after))
        || (above.ends_with(':') && announces(above))
        || announces(before);
    stars && closed && plain && goes_on && !told
}

/// `<code>1</code>`, `class="type">&lt;string&gt;`: parts of a page.
fn is_tag(place: &Place<'_>) -> bool {
    const TAGS: [&str; 22] = [
        "code", "span", "pre", "tt", "em", "kbd", "b", "i", "a", "p", "td", "tr", "th", "li", "ul",
        "h1", "h2", "h3", "h4", "strong", "div", "br",
    ];
    let Place { value, before, after, .. } = *place;
    let opens = value.contains("</") || value.contains('>') || before.ends_with('<');
    let entity = value.contains("&gt") || value.contains("&lt") || after.starts_with("&gt;");
    // A link within a page's parts, and the classes of a tag
    let linked = value.contains(".html#") && before.ends_with("href=\"");
    if linked || value.starts_with("&#") || (value.starts_with("#") && before.ends_with("href=\""))
    {
        return true;
    }
    if !opens && !entity {
        return false;
    }
    let named = |text: &str| {
        text.split(['<', '/']).skip(1).any(|part| {
            let name = part.split(['>', ' ', '=']).next().unwrap_or_default();
            TAGS.contains(&name)
        })
    };
    let value_named = named(value) || (before.ends_with('<') && named(&["<", value].concat()));
    (opens && value_named) || (entity && named(before) && before.contains("</"))
}

/// `PASS: ld-elf/group8b`: the result of a test, among others.
fn is_result(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const AROUND_BYTES: usize = 400;
    const RESULTS: [&str; 7] =
        ["PASS: ", "FAIL: ", "XFAIL: ", "XPASS: ", "SKIP: ", "UNSUPPORTED: ", "UNTESTED: "];
    let Place { before, .. } = *place;
    if !RESULTS.iter().any(|result| before.starts_with(result)) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(AROUND_BYTES));
    let until = text.floor_char_boundary((span.end + AROUND_BYTES).min(text.len()));
    let lines = text[from..until].split('\n');
    lines.filter(|line| RESULTS.iter().any(|result| line.starts_with(result))).count() >= 3
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn parts_of_documents_are_no_secrets() {
        for text in [
            "| **credential** | A named secret of a project |\n| **installation** | The app that owns a pass |",
            "One pass to **deploy.** Nothing is made after it.",
            "PASS: ld-elf/group8b\nPASS: i386 arch 7\nPASS: x86-64 nops 1",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn what_only_resembles_them_is_found() {
        seals(&[
            ("the root password is **hunter22**, keep it", &["hunter22"]),
            ("password: **kastanienbaum**", &["kastanienbaum"]),
            ("the password:\n**kastanienbaum** (please change it)", &["kastanienbaum"]),
            ("<password>Walnut77!</password>", &["Walnut77!"]),
            ("PASS: walnut77tree", &["walnut77tree"]),
        ]);
    }
}
