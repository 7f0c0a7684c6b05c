//! The values that a deployment asks for, and the readers that several deployments share.

use std::ops::{Range, RangeInclusive};

use super::additions;
use crate::catalogue::spans::{self, Span};
use crate::words::Words;
use names::Noun;

pub mod kinds;
pub mod names;
mod nouns;

/// One value that a deployment needs.
pub struct Parameter {
    /// Name in the documents' last line; its placeholder has underscores in place of hyphens.
    pub key: &'static str,
    /// Name for the start of a sentence.
    pub label: &'static str,
    /// The question for the user.
    pub question: &'static str,
    pub default: &'static str,
    /// Whether the model asks for it. If not, it keeps its default until the user mentions it.
    pub asked: bool,
    /// The only check of values: each that it returns can be written safely into every file of the blueprint.
    pub accept: fn(&str) -> Option<String>,
    /// Finds the value in free text.
    pub find: fn(&Words) -> Found,
}

impl Parameter {
    /// A value as a requirement.
    pub fn requirement(&self, value: &str) -> String {
        format!("{}: {value}", self.label)
    }

    /// What the message says about it. For a parameter of an addition, only a message that names the addition counts.
    pub fn found_in(&self, words: &Words) -> Found {
        match additions::asking(self.key) {
            Some(addition) if !words.means_any(addition.cues) => Found::Nothing,
            _ => (self.find)(words),
        }
    }
}

/// What a message says about a parameter.
#[derive(Debug, PartialEq)]
pub enum Found {
    Nothing,
    Value(String),
    /// The message adds values to a list and removes others.
    Changed {
        added: Vec<String>,
        removed: Vec<String>,
    },
    /// The message names a value outside the limits. The deployment takes the nearest one instead.
    Nearest {
        value: String,
        /// The value in the user's words.
        asked: String,
        /// The value taken, as part of a sentence.
        how: String,
    },
    /// The message names an impossible value; this is the reason.
    Refused(String),
}

impl Found {
    /// The value, or nothing if there is none.
    pub fn maybe(value: Option<String>) -> Found {
        value.map_or(Found::Nothing, Found::Value)
    }
}

/// Words by which a message adds to a list and does not replace it: “also from 203.0.113.9”.
pub const ADDING: &[&str] =
    &["also", "too", "as well", "add", "additionally", "plus", "another", "in addition"];

/// The number of days for which to keep one of these things: “dumps for five weeks”.
pub fn find_span(words: &Words, nouns: &[&str], limits: &RangeInclusive<u32>) -> Found {
    let kinds = spans::by_kind(words, nouns);
    if let (Some(first), Some(last)) = (kinds.first(), kinds.last()) {
        return one_span_for_all(words, &kinds, first.values.start..last.values.end, limits);
    }
    let Some(span) = spans::kept(words, nouns) else { return Found::Nothing };
    let nearest = span.days.clamp(*limits.start(), *limits.end());
    if nearest == span.days {
        return Found::Value(nearest.to_string());
    }
    let limit = if nearest < span.days { "longest" } else { "shortest" };
    Found::Nearest {
        value: nearest.to_string(),
        asked: words.said_in(span.values),
        how: format!("{nearest} day{}, the {limit} here", if nearest == 1 { "" } else { "s" }),
    }
}

/// The longest of several spans, which then counts for everything: “debug logs 3 days, error logs 90 days”.
fn one_span_for_all(
    words: &Words,
    spans: &[Span],
    place: Range<usize>,
    limits: &RangeInclusive<u32>,
) -> Found {
    let longest = spans.iter().map(|span| span.days).max().unwrap_or(*limits.end());
    let days = longest.clamp(*limits.start(), *limits.end());
    let start = words.clause(place.start).start;
    Found::Nearest {
        value: days.to_string(),
        asked: words.said_in(start..place.end),
        how: format!("{days} days for everything"),
    }
}

/// Maximum length of a service's or server's name, in characters; it fits DNS labels and AWS names.
const NAME_CHARS: usize = 40;

/// Accepts lower-case letters, digits and hyphens, beginning with a letter: valid in files, DNS and AWS.
pub fn accept_name(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut plain = String::new();
    for character in text.trim().chars() {
        match without_accent(character) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(character),
        }
    }
    for character in plain.chars() {
        match character {
            'a'..='z' | '0'..='9' => name.push(character),
            'A'..='Z' => name.push(character.to_ascii_lowercase()),
            ' ' | '-' | '_' | '.' if !name.ends_with('-') => name.push('-'),
            ' ' | '-' | '_' | '.' => {}
            _ => return None,
        }
    }
    let name: String = name.chars().take(NAME_CHARS).collect();
    let name = name.trim_matches('-');
    let starts_well = name.starts_with(|first: char| first.is_ascii_lowercase());
    (starts_well && name.len() > 1 && !RESERVED.contains(&name)).then(|| name.to_string())
}

/// How a letter with an accent is written without it. Names of servers have none.
fn without_accent(letter: char) -> Option<&'static str> {
    const PLAIN: &[(&str, &str)] = &[
        ("áàâãåÁÀÂÃÅ", "a"),
        ("éèêëÉÈÊË", "e"),
        ("íìîïÍÌÎÏ", "i"),
        ("óòôõÓÒÔÕ", "o"),
        ("úùûÚÙÛ", "u"),
        ("ñÑ", "n"),
        ("çÇ", "c"),
        ("äÄ", "ae"),
        ("öÖ", "oe"),
        ("üÜ", "ue"),
        ("ß", "ss"),
    ];
    PLAIN.iter().find(|(letters, _)| letters.contains(letter)).map(|(_, plain)| *plain)
}

/// Names of directories that already exist in the workspace.
const RESERVED: &[&str] = &["ssh", "terraform", "ansible"];

/// Finds “call it orders”, “named orders”, “the name is "Order Service"”, but not the name of something else.
pub fn find_name(words: &Words) -> Found {
    let named = names::of(words).into_iter();
    let mut own = named.filter(|named| !matches!(named.noun, Noun::Database | Noun::Other));
    let named = own.find_map(|named| accept_name(&named.name));
    Found::maybe(named.or_else(|| names::quoted(words).and_then(accept_name)))
}

/// Finds the name of a server, and not that of a program or a site on it: “an app called orders”.
pub fn find_server_name(words: &Words) -> Found {
    let named = names::of(words).into_iter();
    let mut own =
        named.filter(|named| matches!(named.noun, Noun::Server | Noun::Unsaid | Noun::Unclear));
    let named = own.find_map(|named| accept_name(&named.name));
    Found::maybe(named.or_else(|| names::quoted(words).and_then(accept_name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_safe_or_are_refused() {
        assert_eq!(accept_name("Order Service"), Some("order-service".into()));
        assert_eq!(accept_name("x; rm -rf /"), None);
        assert_eq!(accept_name("$(id)"), None);
        assert_eq!(accept_name("terraform"), None);
        assert_eq!(accept_name("9lives"), None);
        assert_eq!(accept_name(&"a".repeat(200)).map(|name| name.len()), Some(NAME_CHARS));
    }

    #[test]
    fn names_are_found_in_sentences() {
        let find = |text: &str| find_name(&Words::of(text));
        assert_eq!(find("Call it orders, please"), Found::Value("orders".into()));
        assert_eq!(
            find("a web service named \"Order Service\""),
            Found::Value("order-service".into())
        );
        assert_eq!(
            find("the service name should be billing-api"),
            Found::Value("billing-api".into())
        );
        assert_eq!(find("rename it to shop"), Found::Value("shop".into()));
        assert_eq!(find("which name and port do you need?"), Found::Nothing);
    }
}
