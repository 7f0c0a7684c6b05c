//! Finding secrets in what people type, and putting references in their place.
//!
//! A secret pasted into a chat must not reach the table, a log or a model, so it is looked for before
//! anything else happens to the message. Four things give a secret away: its own *shape* (a token with a vendor's
//! mark: [`shapes`]), its *frame* (a PEM block, an address with a password: [`blocks`]), the *words* around it
//! (`password=…`, "the root password is …", `mysql -p…`: [`grammar`]), and being *random* with nothing that says
//! otherwise ([`bare`]). A requirement such as "password: at least 12 characters" must stay readable, and so must
//! digests, identifiers and paths; `tests/corpus` measures both.
//!
//! The text is looked at as a reader sees it ([`normal`]) and read once, in time that grows with its length alone; it is
//! read again without what was found, because a reference may bring to light what stood beside the secret. References are
//! walls: nothing is looked for in or across them, so redacting twice is redacting once.

mod bare;
mod blocks;
mod command;
mod grammar;
mod names;
mod naming;
mod normal;
mod shapes;
#[cfg(test)]
mod tests;
mod things;
mod value;
mod weight;
mod words;

use crate::credential::check_name;
use normal::Plain;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use utoipa::ToSchema;

/// How often a text is read at most: the last time finds nothing in all but made-up texts.
const READINGS: usize = 4;

const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";

/// What a secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    /// Something that a person chose.
    Password,
    /// Something that a machine made: a token, an access key.
    Token,
    /// A private key.
    PrivateKey,
    /// Marked as a secret by who typed it.
    Marked,
}

impl SecretKind {
    fn of(role: words::Role) -> Self {
        match role {
            words::Role::Token | words::Role::Key => Self::Token,
            _ => Self::Password,
        }
    }
}

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
    /// What it is.
    pub kind: SecretKind,
    /// The name of an environment variable; every place of one secret has the same.
    pub name: String,
}

/// What the person who typed a text said about its parts, as bytes of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// Secrets, whatever they look like. They begin and end with whole characters.
    pub secrets: Vec<Range<usize>>,
    /// No secrets, whatever they look like; nor is the same text elsewhere.
    pub not_secrets: Vec<Range<usize>>,
}

/// A find before it is given its name.
#[derive(Debug, Clone)]
struct Raw {
    span: Range<usize>,
    name: String,
    kind: SecretKind,
    /// Its name is its vendor's.
    sure: bool,
}

impl Raw {
    fn sure(span: Range<usize>, name: &str, kind: SecretKind) -> Self {
        Self { span, name: name.to_owned(), kind, sure: true }
    }

    fn likely(span: Range<usize>, name: &str, kind: SecretKind) -> Self {
        Self { sure: false, ..Self::sure(span, name, kind) }
    }
}

/// The reference that stands for a secret.
pub fn reference(name: &str) -> String {
    format!("{OPEN}{name}{CLOSE}")
}

/// The secrets in a text, in their order; spans do not overlap.
pub fn find(text: &str) -> Vec<Found> {
    find_with(text, &Choices::default())
}

/// The same, as the person who typed it wants it.
pub fn find_with(text: &str, choices: &Choices) -> Vec<Found> {
    let plain = Plain::of(text);
    let mut found = marked(&plain, choices);
    let known = |found: &[Raw]| found.iter().map(|raw| raw.span.clone()).collect::<Vec<_>>();
    let framed = blocks::pem(&plain.text);
    let fixed = [references(&plain.text), framed.public].concat();
    found = apart(found, framed.secrets);
    for _ in 0..READINGS {
        let before = found.len();
        let walls = sorted([fixed.clone(), known(&found)].concat());
        found = apart(found, blocks::addresses(&plain.text, &walls));
        let walls = sorted([fixed.clone(), known(&found)].concat());
        let (mut read, hints) = grammar::Reader::new(&plain.text, &walls).read();
        for raw in read.iter_mut().filter(|raw| !raw.sure) {
            let word = &plain.text[raw.span.clone()];
            if let Some(name) = hints.name(word, &raw.name) {
                name.clone_into(&mut raw.name);
            }
        }
        found =
            apart(found, read.into_iter().filter_map(|raw| trimmed(&plain.text, raw)).collect());
        if found.len() == before {
            break;
        }
    }
    let references = references(text);
    let in_original = |raw: Raw| Raw { span: plain.original(raw.span.clone()), ..raw };
    let found = found.into_iter().map(in_original).collect();
    naming::named(text, &references, taken_back(text, found, choices))
}

/// Puts references in the place of every secret.
pub fn redact(text: &str) -> Redacted {
    redact_with(text, &Choices::default())
}

/// The same, as the person who typed it wants it.
pub fn redact_with(text: &str, choices: &Choices) -> Redacted {
    let mut redacted = Redacted { text: String::with_capacity(text.len()), secrets: Vec::new() };
    let mut known = std::collections::HashSet::new();
    let mut from = 0;
    for Found { span, name, .. } in find_with(text, choices) {
        redacted.text.push_str(&text[from..span.start]);
        redacted.text.push_str(&reference(&name));
        from = span.end;
        if known.insert(name.clone()) {
            redacted.secrets.push(Secret { name, value: normal::value(&text[span]) });
        }
    }
    redacted.text.push_str(&text[from..]);
    redacted
}

/// Puts stars in the place of every secret, as many as it has bytes: offsets into the text stay what they are.
pub fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for Found { span, .. } in find(text) {
        masked.push_str(&text[from..span.start]);
        masked.extend(std::iter::repeat_n('*', span.len()));
        from = span.end;
    }
    masked.push_str(&text[from..]);
    masked
}

/// What was marked, without what overlaps.
fn marked(plain: &Plain<'_>, choices: &Choices) -> Vec<Raw> {
    let spans = choices.secrets.iter().map(|span| plain.of_original(span.clone()));
    let raws = spans
        .filter(|span| !span.is_empty())
        .map(|span| Raw::sure(span, "SECRET", SecretKind::Marked));
    apart(Vec::new(), raws.collect())
}

/// Leaves out what was taken back, wherever it stands.
fn taken_back(text: &str, found: Vec<Raw>, choices: &Choices) -> Vec<Raw> {
    if choices.not_secrets.is_empty() {
        return found;
    }
    let touched = |raw: &&Raw| {
        raw.kind != SecretKind::Marked
            && choices.not_secrets.iter().any(|kept| overlap(kept, &raw.span))
    };
    let values: std::collections::HashSet<&str> =
        found.iter().filter(touched).map(|raw| &text[raw.span.clone()]).collect();
    let stays =
        |raw: &&Raw| raw.kind == SecretKind::Marked || !values.contains(&text[raw.span.clone()]);
    found.iter().filter(stays).cloned().collect()
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Where references stand.
fn references(text: &str) -> Vec<Range<usize>> {
    let longest = crate::credential::MAX_NAME_CHARS + CLOSE.len();
    let starts = text.match_indices(OPEN).map(|(at, _)| at);
    let ends = starts.filter_map(|at| {
        let name_at = at + OPEN.len();
        let name = &text[name_at..text.floor_char_boundary(name_at + longest)];
        let name = &name[..name.find(CLOSE)?];
        check_name(name).is_ok().then_some(at..name_at + name.len() + CLOSE.len())
    });
    ends.collect()
}

fn sorted(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    spans
}

/// Without braces at its ends, which a reference beside it would complete to the value again.
fn trimmed(text: &str, raw: Raw) -> Option<Raw> {
    let value = &text[raw.span.clone()];
    let start = raw.span.start + value.len() - value.trim_start_matches('}').len();
    let value = value.trim_start_matches('}').trim_end_matches('{');
    let kept = value.len() >= weight::MIN_BYTES && !value.contains("{{") && !value.contains("}}");
    kept.then(|| Raw { span: start..start + value.len(), ..raw })
}

/// Adds finds to those that are there already, which are the surer ones; in order.
fn apart(mut known: Vec<Raw>, more: Vec<Raw>) -> Vec<Raw> {
    let sure = known.len();
    known.extend(more);
    let mut order: Vec<_> = (0..known.len()).collect();
    // Those that are known come first where two begin together.
    order.sort_by_key(|i| (known[*i].span.start, *i >= sure));
    let mut kept: Vec<usize> = Vec::with_capacity(order.len());
    for i in order {
        match kept.last().copied() {
            Some(last) if overlap(&known[last].span, &known[i].span) => {
                if last >= sure && i < sure {
                    kept.pop();
                    kept.push(i);
                }
            }
            _ => kept.push(i),
        }
    }
    kept.into_iter().map(|i| known[i].clone()).collect()
}
