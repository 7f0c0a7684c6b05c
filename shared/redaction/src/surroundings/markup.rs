//! Recognizes parts of documents and pages: words that are emphasized, tags and their attributes, entities, links and keys
//! that are pressed.

use super::{IS, Place, announces};
use crate::words::lists;

/// Tags of pages.
const TAGS: &str = "code span pre tt em kbd b i a p td tr th li ul h1 h2 h3 h4 strong div br";
/// Attributes of tags whose value is a name.
const ATTRIBUTES: &str = "id name for class type data-testid aria-label autocomplete htmlfor";

/// Whether a value is such a part.
pub(super) fn is_of_document(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    is_emphasized(place)
        || is_tag(place)
        || is_entity(place)
        || is_attribute(before, value)
        || is_link(before, value)
        || is_key_combination(value)
}

/// `**Cost.** The stack is small`, `it *settles* what was used`, `**Default:**` at the start of a line.
fn is_emphasized(place: &Place<'_>) -> bool {
    let Place { value, before, after, above } = *place;
    let word = value.trim_matches(|c: char| "*`,;:.!?".contains(c));
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || "-_".contains(c));
    let open = value.contains("**") && before.matches("**").count() % 2 == 1;
    if !plain || !(value.starts_with('*') || open) {
        return false;
    }
    // “The password:” above, “**kastanie** is the password”
    let told_above = announces(above) && above.ends_with([':', '=']);
    let next = after.trim_start_matches(['*', ' ']).split(' ').next().unwrap_or_default();
    let told = told_above || announces(before) || (IS.contains(&next) && announces(after));
    // The end may lie outside the match: `**More threads do not help:**`
    let closed = value.trim_start_matches('*').contains('*') || after.contains('*');
    let rest = after.trim_start_matches(['*', ' ', '|']);
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '`');
    let first = before.trim_matches(|c: char| "-|#>* ".contains(c)).is_empty();
    let whole = value.starts_with("**") || (value.starts_with('*') && value.ends_with('*'));
    (closed && goes_on && !told)
        || (value.ends_with("**") && before.contains("**"))
        || (whole && !told_above && (first || before.contains(" **")))
}

/// `<code>1</code>`, `</code>`, `<br>`
fn is_tag(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let closing = value.split_once("</").is_some_and(|(_, name)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().take_while(|b| *b != b'>').all(|b| b.is_ascii_alphanumeric())
    });
    let opens = value.contains(['>', '<']) || before.ends_with('<');
    let begun = if before.ends_with('<') { "<" } else { "" };
    closing
        || value.contains("><")
        || (opens && (has_tag(value) || has_tag(&[begun, value].concat())))
}

/// Whether a text has the beginning of a tag.
fn has_tag(text: &str) -> bool {
    text.split(['<', '/']).skip(1).any(|part| {
        let name = part.split(['>', ' ', '=']).next().unwrap_or_default();
        lists(TAGS, name)
    })
}

/// `&lt;fd&gt`, `class="type">&lt;string&gt;`
fn is_entity(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let has = ["&gt", "&lt", "&#x"].iter().any(|entity| value.contains(entity));
    value.starts_with("&#")
        || (has && (value.contains(['>', ';', '<']) || value.ends_with("&gt")))
        || ((has || after.starts_with("&gt;")) && before.contains("</") && has_tag(before))
}

/// `id="login-password-2"`, `class="…"`, and the name of an attribute in a tag: `<input type="password" maxlength="96">`
fn is_attribute(before: &str, value: &str) -> bool {
    let tag = before.rsplit_once('<').map_or("", |(_, tag)| tag);
    let in_tag = !tag.is_empty() && !tag.contains('>');
    let small = |b: u8| b.is_ascii_lowercase();
    if in_tag
        && before.ends_with(' ')
        && before.trim_start().starts_with('<')
        && value.bytes().all(small)
    {
        return true;
    }
    let in_class = value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        && before.contains('<')
        && before.rsplit_once("class=\"").is_some_and(|(_, names)| !names.contains('"'));
    let (name, value) = value.split_once('=').unwrap_or_else(|| {
        let name = before.trim_end_matches(['"', '\'', '=']);
        (name.rsplit([' ', '<']).next().unwrap_or_default(), value)
    });
    let quoted =
        before.ends_with("=\"") || before.ends_with("='") || value.starts_with(['"', '\'']);
    let value = value.trim_matches(['"', '\'']);
    let part = |part: &str| {
        !part.is_empty()
            && (part.bytes().all(small)
                || (part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())))
    };
    in_class
        || (quoted
            && lists(ATTRIBUTES, name)
            && value.contains(['-', '_'])
            && value.split(['-', '_']).all(part))
}

/// `[named]: #options-use-named`, `href="#top"`, `href="index.html#end"`
fn is_link(before: &str, value: &str) -> bool {
    let anchor = value
        .strip_prefix('#')
        .is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    let defined = before.trim_start().starts_with('[') && before.trim_end().ends_with("]:");
    (anchor && defined)
        || (before.ends_with("href=\"") && (value.starts_with('#') || value.contains(".html#")))
}

/// `Ctrl+Alt+Del`, `Strg+C`
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

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn parts_of_documents_are_not_secrets() {
        for text in [
            "| **credential** | A named secret of a project |\n| **installation** | The app that owns a pass |",
            "One pass to **deploy.** Nothing is made after it.",
            "- **Passwords.** They are hashed.",
            "the password field has id=\"login-password-2\" and no label",
            "press Strg+Alt+Entf to unlock",
            "<input type=\"password\" maxlength=\"96\">",
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
            ("<password>hazel9Tree</password>", &["hazel9Tree"]),
        ]);
    }
}
