//! Finding secrets in what people type, and putting references in their place.
//!
//! A secret pasted into a chat must not reach the table, a log or a model, so it is looked for before
//! anything else happens to the message. Two things give a secret away: its own *shape* (an access key
//! of AWS, a token with a vendor's prefix, a PEM block: [`shapes`]) or the *word* before it
//! (`password=…`, `--token …`: [`assignments`]). Shapes are nearly certain; a word counts only when
//! what follows is no placeholder, no reference and no name ([`strength`]), because a requirement such
//! as "password: at least 12 characters" must stay readable.
//!
//! What is found is replaced by `{{secret:NAME}}` wherever it stands. References that are already
//! there are walls: nothing is looked for in or across them. Looking goes on until nothing is
//! found, so redacting twice is redacting once.

mod assignments;
mod shapes;
mod strength;
#[cfg(test)]
mod tests;

use crate::credential::{MAX_NAME_CHARS, check_name};
use std::fmt;
use std::ops::Range;

/// Shortest secret that is looked for, in bytes: shorter ones would be found in ordinary words.
const MIN_SECRET_BYTES: usize = 6;

/// Most secrets of one name in a text; a message may hold more of them than a project.
const NAMESAKES: usize = 999;

const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";

/// A secret and the name it was given; it prints its name only.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// The name of the environment variable that will hold it.
    pub name: String,
    /// The secret itself.
    pub value: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A text without its secrets, and the secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The text with references.
    pub text: String,
    /// What the references stand for, each once, in the order in which they were found.
    pub secrets: Vec<Secret>,
}

/// A secret's place in a text, and the name proposed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The name of an environment variable.
    pub name: String,
}

/// The reference that stands for a secret.
pub fn reference(name: &str) -> String {
    format!("{OPEN}{name}{CLOSE}")
}

/// The secrets in a text, in their order; spans do not overlap.
pub fn find(text: &str) -> Vec<Found> {
    let walls = references(text);
    let hints = shapes::Hints::of(&readable(text, &walls));
    let mut found = Vec::new();
    let mut from = 0;
    for wall in walls.iter().cloned().chain(std::iter::once(text.len()..text.len())) {
        let open = &text[from..wall.start];
        let mut here = shapes::find(open, &hints);
        here.extend(assignments::find(open));
        found.extend(
            here.into_iter()
                .filter_map(|f| trimmed(open, f))
                .map(|f| Found { span: f.span.start + from..f.span.end + from, name: f.name }),
        );
        from = wall.end;
    }
    apart(text, found)
}

/// Puts references in the place of every secret.
pub fn redact(text: &str) -> Redacted {
    let mut redacted = Redacted { text: text.to_owned(), secrets: Vec::new() };
    loop {
        let found = find(&redacted.text);
        let known = redacted.secrets.len();
        let values: Vec<_> =
            found.iter().map(|f| redacted.text[f.span.clone()].to_owned()).collect();
        for (Found { name, .. }, value) in found.iter().zip(&values) {
            if !redacted.secrets.iter().any(|secret| secret.value == *value) {
                let name = free_name(name, &values, &redacted);
                redacted.secrets.push(Secret { name, value: value.clone() });
            }
        }
        if redacted.secrets.len() == known {
            return redacted;
        }
        redacted.text = replaced(&redacted.text, &redacted.secrets);
    }
}

/// Replaces every value outside of references, longer ones first: a value may hold another.
fn replaced(text: &str, secrets: &[Secret]) -> String {
    let mut longest_first: Vec<_> = secrets.iter().collect();
    longest_first.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
    longest_first.into_iter().fold(text.to_owned(), |text, secret| {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for wall in references(&text).into_iter().chain(std::iter::once(text.len()..text.len())) {
            let reference = reference(&secret.name);
            out.push_str(&text[from..wall.start].replace(&secret.value, &reference));
            out.push_str(&text[wall.clone()]);
            from = wall.end;
        }
        out
    })
}

/// The name, or the first of its kind that stands for nothing else; none shows a secret's text.
fn free_name(proposed: &str, values: &[String], redacted: &Redacted) -> String {
    let base = if check_name(proposed).is_ok() { proposed } else { "SECRET" };
    let usable = |name: &String| {
        let reference = reference(name);
        let taken = redacted.text.contains(&reference)
            || redacted.secrets.iter().any(|secret| secret.name == *name);
        let known = redacted.secrets.iter().map(|secret| &secret.value);
        !taken && !known.chain(values).any(|value| reference.contains(value.as_str()))
    };
    let numbered = (2..=NAMESAKES).map(|n| {
        let suffix = format!("_{n}");
        format!("{}{suffix}", &base[..base.len().min(MAX_NAME_CHARS - suffix.len())])
    });
    // A value that is itself a part of the name would be in every reference of that kind.
    let plain = ('A'..='Z').map(|letter| letter.to_string());
    let mut candidates = std::iter::once(base.to_owned()).chain(numbered).chain(plain);
    candidates.find(usable).unwrap_or_else(|| base.to_owned())
}

/// Where references stand.
fn references(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices(OPEN).map(|(at, _)| at);
    let ends = starts.filter_map(|at| {
        let name = &text[at + OPEN.len()..];
        let name = &name[..name.find(CLOSE)?];
        check_name(name).is_ok().then_some(at..at + OPEN.len() + name.len() + CLOSE.len())
    });
    ends.collect()
}

/// The text without its references, whose words would be hints of their own making.
fn readable(text: &str, walls: &[Range<usize>]) -> String {
    let mut from = 0;
    let mut out = String::with_capacity(text.len());
    for wall in walls {
        out.push_str(&text[from..wall.start]);
        out.push(' ');
        from = wall.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Without braces at its ends, which a reference beside it would complete to the value again.
fn trimmed(text: &str, found: Found) -> Option<Found> {
    let value = &text[found.span.clone()];
    let start = found.span.start + value.len() - value.trim_start_matches('}').len();
    let value = value.trim_start_matches('}').trim_end_matches('{');
    let kept = value.len() >= MIN_SECRET_BYTES && !value.contains(OPEN);
    kept.then(|| Found { span: start..start + value.len(), name: found.name })
}

/// Of finds that overlap, the one that was found first, by the surer means.
fn apart(text: &str, found: Vec<Found>) -> Vec<Found> {
    let mut kept: Vec<Found> = Vec::new();
    for candidate in found {
        let overlap =
            |k: &&mut Found| k.span.start < candidate.span.end && candidate.span.start < k.span.end;
        let before = text[..candidate.span.start].trim_end_matches(['=', ':', ' ', '"', '\'']);
        match kept.iter_mut().find(overlap) {
            // `MY_TOKEN=ghp_…`: a variable's name that the user gave says more than the shape.
            Some(same) if same.span == candidate.span && before.ends_with(&candidate.name) => {
                same.name = candidate.name;
            }
            Some(_) => {}
            None => kept.push(candidate),
        }
    }
    kept.sort_by_key(|found| found.span.start);
    kept
}
