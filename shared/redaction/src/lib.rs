#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod announcements;
mod bare;
mod blocks;
mod command;
mod documentation;
mod grammar;
mod identifiers;
mod leet;
mod lexicon;
pub mod model;
mod names;
mod naming;
mod normal;
mod places;
mod records;
mod replaced;
mod shapes;
mod spans;
mod surroundings;
mod talk;
#[cfg(test)]
mod tests;
mod things;
mod value;
pub mod variable;
mod weight;
mod words;

use blocks::placeholders;
pub use naming::{NameOf, Taken};
use normal::Plain;
use replaced::{Pieces, replaced};
use serde::{Deserialize, Serialize};
use spans::{apart, overlap, references, sorted, trimmed};
use std::fmt;
use std::ops::Range;
use utoipa::ToSchema;

/// The most readings of a text. In all but contrived texts, the last reading finds nothing.
const READINGS: usize = 4;

/// The kind of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    /// Chosen by a person.
    Password,
    /// Made by a machine: a token, an access key.
    Token,
    /// A private key.
    PrivateKey,
    /// Marked as a secret by its author.
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

/// A secret and its name; it prints only its name.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// The name of the environment variable for it.
    pub name: String,
    /// The secret itself.
    pub value: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A text with its secrets replaced, and the secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The text, with references in place of secrets.
    pub text: String,
    /// The secrets behind the references, each listed once, in the order in which they were found.
    pub secrets: Vec<Secret>,
}

/// The place of a secret in a text, and the name proposed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
    /// Its kind.
    pub kind: SecretKind,
    /// The name of an environment variable. All places of one secret share it.
    pub name: String,
}

/// The author's corrections, as byte ranges of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// Secrets, whatever they look like. Each range begins and ends at a character boundary.
    pub secrets: Vec<Range<usize>>,
    /// Texts that are not secrets, whatever they look like, here or anywhere else in the message.
    pub not_secrets: Vec<Range<usize>>,
}

/// A match before it gets its name.
#[derive(Debug, Clone)]
struct Raw {
    span: Range<usize>,
    name: String,
    kind: SecretKind,
    /// Whether the name comes from the vendor's mark.
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

/// The reference that replaces a secret.
pub fn reference(name: &str) -> String {
    format!("{}{name}{}", spans::OPEN, spans::CLOSE)
}

/// Finds the secrets in a text, in order. Their spans do not overlap.
pub fn find(text: &str) -> Vec<Found> {
    search(text, &Choices::default(), &Taken::default(), By::Rules)
}

/// Finds the secrets in what a person wrote: also those that only the [`model`] finds.
///
/// It follows the author's corrections, and keeps to names that are already taken.
pub fn find_with(text: &str, choices: &Choices, taken: &Taken<'_>) -> Vec<Found> {
    search(text, choices, taken, By::RulesAndModel)
}

/// Whether a text contains a secret that [`find_with`] finds: for what a person wrote and nothing is sealed from.
pub fn has_secret(text: &str) -> bool {
    !find_with(text, &Choices::default(), &Taken::default()).is_empty()
}

/// What finds secrets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Rules,
    RulesAndModel,
}

fn search(text: &str, choices: &Choices, taken: &Taken<'_>, by: By) -> Vec<Found> {
    let references = references(text);
    let first = scan(text, &choices.secrets, &LastReading::default(), by);
    let (mut raws, before) = (first.found, first.before);
    let taken_back = TakenBack::of(text, &raws, choices);
    let mut known: Vec<Found> = Vec::new();
    for _ in 1..READINGS {
        raws.retain(|raw| !taken_back.holds(text, raw));
        let found = naming::named(text, &references, &raws, taken);
        if found.is_empty() {
            return found;
        }
        // The redacted text is read like any other, and that reading must find nothing.
        let (replaced, pieces) = replaced(text, &found);
        let before = before.between(&found, &known, &pieces);
        let more = scan(&replaced, &[], &before, By::Rules).found;
        let more = more.into_iter().map(|raw| pieces.original(raw));
        // A frame may extend across references, because their secrets are known by then.
        let within = |raw: &Raw| text.get(raw.span.clone()).is_some_and(|part| !part.is_empty());
        let fresh = |raw: &Raw| {
            let next = found.partition_point(|known| known.span.end <= raw.span.start);
            found.get(next).is_none_or(|known| !overlap(&known.span, &raw.span))
        };
        let more = more.filter(|raw| within(raw) && !taken_back.holds(text, raw));
        let more: Vec<_> = more.filter(fresh).collect();
        if more.is_empty() {
            return found;
        }
        raws = apart(raws, more);
        known = found;
    }
    naming::named(text, &references, &raws, taken)
}

/// Reads a text once.
fn scan(text: &str, marked: &[Range<usize>], before: &LastReading, by: By) -> Scan {
    let plain = Plain::of(text);
    let marked = marked.iter().map(|span| plain.of_original(span.clone()));
    let marked = marked.filter(|span| !span.is_empty());
    let marked = marked.map(|span| Raw::sure(span, "SECRET", SecretKind::Marked));
    let framed = blocks::pem(&plain.text);
    let is_framed = !framed.public.is_empty();
    let encoded = blocks::base64_pem::find(&plain.text);
    let gaps = placeholders::find(&plain.text);
    let mut fixed = [references(&plain.text), framed.public, encoded.public, gaps.clone()].concat();
    let walls = |fixed: &[Range<usize>], found: &[Raw]| {
        let known: Vec<_> = found.iter().map(|raw| raw.span.clone()).collect();
        sorted([fixed, &known].concat())
    };
    let mut found = apart(apart(Vec::new(), marked.collect()), framed.secrets);
    found = apart(found, encoded.secrets);
    fixed.extend(blocks::public_keys(&plain.text, &walls(&fixed, &found)));
    for find in [blocks::addresses, blocks::seeds::find, blocks::php_constants::find] {
        let more = find(&plain.text, &walls(&fixed, &found));
        found = apart(found, more);
    }
    let skips: Vec<_> = before.read.iter().map(|part| plain.of_original(part.clone())).collect();
    let records::Records { found: listed, bound } =
        records::find(&plain.text, &walls(&fixed, &found), &skips);
    let harmless = |raw: &Raw| !raw.sure && surroundings::is_harmless(&plain.text, &raw.span);
    found = apart(found, listed.into_iter().filter(|raw| !harmless(raw)).collect());
    let around = walls(&fixed, &found);
    let reader = grammar::Reader::new(&plain.text, &around).again(&skips, before.hints);
    let grammar::Reading { found: mut read, hints, quiet } = reader.read();
    for raw in read.iter_mut().filter(|raw| !raw.sure) {
        if let Some(name) = hints.name(&plain.text[raw.span.clone()], &raw.name) {
            name.clone_into(&mut raw.name);
        }
    }
    read.retain(|raw| !harmless(raw));
    let read = read.into_iter().filter_map(|raw| trimmed(&plain.text, raw)).collect();
    let in_original = |raw: Raw| Raw { span: plain.original(raw.span.clone()), ..raw };
    // Replacing a key may leave a frame open, and its content would be exposed if lines were skipped.
    let quiet = if is_framed { Vec::new() } else { quiet };
    let free = |at: &usize| bound.binary_search(at).is_err();
    let quiet = quiet.into_iter().filter(free).map(|at| plain.original(at..at).start).collect();
    found = apart(found, read);
    if by == By::RulesAndModel {
        let public = |raw: &Raw| {
            fixed.iter().any(|wall| overlap(wall, &raw.span))
                || placeholders::is_before(&plain.text, &gaps, raw.span.start)
        };
        let kept =
            |raw: Raw| trimmed(&plain.text, raw).filter(|raw| !public(raw) && !harmless(raw));
        let told = |raw: &Raw| !announcements::unlocks::is_technical(&plain.text[raw.span.clone()]);
        let learned = model::find(&plain.text, &found).into_iter().filter(told);
        found = apart(found, learned.filter_map(kept).collect());
        let announced = announcements::find(&plain.text, &found).into_iter();
        let announced: Vec<_> = announced.filter_map(kept).collect();
        found = apart(without_parts(&plain.text, found, &announced), announced);
    }
    let found = found.into_iter().map(in_original).collect();
    Scan { found, before: LastReading { hints, quiet, read: Vec::new() } }
}

/// The matches without those that are some of the words of a wider one. All are in order.
///
/// Within one word, the narrower match stays: it is without the option (`-p`), the user or the closing quote and bracket
/// that the wider one takes along.
fn without_parts(text: &str, mut found: Vec<Raw>, wider: &[Raw]) -> Vec<Raw> {
    found.retain(|raw| {
        let next = wider.partition_point(|wide| wide.span.end < raw.span.end);
        let part = |Raw { span: wide, .. }: &Raw| {
            let rest = || [wide.start..raw.span.start, raw.span.end..wide.end];
            wide.start <= raw.span.start
                && rest().into_iter().any(|rest| text[rest].contains(char::is_whitespace))
        };
        raw.sure || !wider.get(next).is_some_and(part)
    });
    found
}

/// The result of one reading.
struct Scan {
    found: Vec<Raw>,
    before: LastReading,
}

/// Parts that the next reading can skip.
#[derive(Default)]
struct LastReading {
    hints: bare::Hints,
    /// Starts of lines that do not depend on earlier lines.
    quiet: Vec<usize>,
    /// Ranges between such lines in which nothing was found.
    read: Vec<Range<usize>>,
}

impl LastReading {
    /// For the text with references: only the lines around references that are new since the last reading can contain
    /// new matches.
    fn between(&self, found: &[Found], known: &[Found], pieces: &Pieces) -> Self {
        let is_new = |one: &&Found| {
            known.binary_search_by_key(&one.span.start, |known| known.span.start).is_err()
        };
        let new: Vec<_> = found.iter().filter(is_new).map(|found| found.span.clone()).collect();
        let ends = std::iter::once(0).chain(new.iter().map(|span| span.end));
        let starts = new.iter().map(|span| span.start).chain(std::iter::once(usize::MAX));
        let read = ends.zip(starts).filter_map(|(from, to)| {
            let first = *self.quiet.get(self.quiet.partition_point(|at| *at < from))?;
            let last = self.quiet[self.quiet.partition_point(|at| *at <= to).checked_sub(1)?];
            (first < last).then_some(())?;
            Some(pieces.replaced(first, found)?..pieces.replaced(last, found)?)
        });
        Self { hints: self.hints, quiet: Vec::new(), read: read.collect() }
    }
}

/// Replaces every secret with a reference.
pub fn redact(text: &str) -> Redacted {
    replace(text, &find(text))
}

/// Replaces every secret in what a person wrote; see [`find_with`].
pub fn redact_with(text: &str, choices: &Choices, taken: &Taken<'_>) -> Redacted {
    replace(text, &find_with(text, choices, taken))
}

fn replace(text: &str, found: &[Found]) -> Redacted {
    let mut secrets: Vec<Secret> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for Found { span, name, .. } in found {
        if known.insert(name) {
            let value = normal::value(&text[span.clone()]);
            secrets.push(Secret { name: name.clone(), value });
        }
    }
    Redacted { text: replaced(text, found).0, secrets }
}

/// Replaces every secret with stars, one for each byte, so that offsets into the text stay valid.
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

/// The parts that the author marked as harmless.
struct TakenBack<'a> {
    places: &'a [Range<usize>],
    values: std::collections::HashSet<&'a str>,
}

impl<'a> TakenBack<'a> {
    fn of(text: &'a str, found: &[Raw], choices: &'a Choices) -> Self {
        let places = choices.not_secrets.as_slice();
        let mut taken = Self { places, values: std::collections::HashSet::new() };
        let touched = found.iter().filter(|raw| taken.holds(text, raw));
        taken.values = touched.map(|raw| &text[raw.span.clone()]).collect();
        taken
    }

    /// Whether the author marked a match as harmless, here or at another occurrence of the same text.
    fn holds(&self, text: &str, raw: &Raw) -> bool {
        raw.kind != SecretKind::Marked
            && (self.places.iter().any(|kept| overlap(kept, &raw.span))
                || self.values.contains(&text[raw.span.clone()]))
    }
}
