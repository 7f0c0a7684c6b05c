//! The user's words from which each line of the list was read.
//!
//! The model finds a quotation by reading again: the smallest part of a message that alone still yields the line. So it is
//! right for every rule that reads lines, in every language, and nothing but the user's own text can be quoted. A value is
//! quoted with the words beside it. If the model has read it wrongly, they show that: the “6” of “reboots before 6 am” is
//! seen not to be a number of days, where a “6” alone would look right.

mod passage;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::phrases::looks_like_a_secret;
use super::replay::{Moment, Replay};
use super::{Blueprint, Dialogue};
use crate::catalogue::additions::ADDITIONS;
use crate::reading::wishes::Fate;
use crate::words::language::Weight;
use passage::{BESIDE, GAP, PIECES, Passage, bare};

/// The most words that are read again for one answer; lines whose words are not found by then are quoted in larger
/// parts.
const BUDGET: usize = 40_000;
/// The same for the lines of one message.
const BUDGET_OF_ONE: usize = 4_000;
/// What a reading costs, in words, even if it has none.
const READING: usize = 10;

/// A line of the list: what is asked, and how the plan treats it if it does not build it as stated.
pub type Line = (String, Option<Fate>);

/// A line as readings are compared: its text, and whether it is built as stated.
pub(super) type Key = (String, bool);

/// The user's words for each line.
#[derive(Default)]
pub struct Quotes(BTreeMap<Key, String>);

impl Quotes {
    /// Finds the words for every line that these messages gave, on top of what was known at the start. `finish` is what
    /// happens to a dialogue after its last message.
    pub fn of(start: Dialogue, messages: &[String], finish: impl Fn(&mut Dialogue)) -> Quotes {
        let Replay { history, .. } = Replay::of(start, messages, &finish);
        Quotes(Search::of(messages, &history, &finish).quotes())
    }

    /// The same with the quotations of an earlier list, for lines that these messages did not give.
    pub fn with<'a>(mut self, listed: impl Iterator<Item = (Line, &'a str)>) -> Quotes {
        for ((what, fate), words) in listed.filter(|(_, words)| !words.is_empty()) {
            self.0.entry((what, fate.is_none())).or_insert_with(|| words.to_owned());
        }
        self
    }

    /// The words for a line; empty if no message gave it.
    pub fn for_line(&self, what: &str, is_built: bool) -> &str {
        self.0.get(&(what.to_owned(), is_built)).map_or("", String::as_str)
    }
}

pub(super) fn keys(dialogue: &Dialogue, finish: &impl Fn(&mut Dialogue)) -> BTreeSet<Key> {
    let mut dialogue = dialogue.clone();
    finish(&mut dialogue);
    let lines = dialogue.lines().into_iter().map(|(what, fate)| (what, fate.is_none()));
    let clearly = dialogue.blueprint.filter(|blueprint| {
        dialogue.said.last().is_some_and(|words| blueprint.clear_score(words) > 0)
    });
    let left_out = dialogue.left_out.iter().map(|thing| (thing.to_string(), false));
    let lines = lines.chain(left_out);
    lines.chain(clearly.map(|blueprint| (clearly_named(blueprint.title), true))).collect()
}

/// Stands beside the line of a deployment if the latest message names it, and not only its place: “a VPS in Nuremberg”.
fn clearly_named(title: &str) -> String {
    format!("{title}, by its name")
}

/// In which state of the dialogue a part of a message is read again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    /// After the messages before this one, as it was read.
    Before(usize),
    /// As if nothing was said but the deployment that this message chose.
    Chosen(usize),
    /// The same with the values that were known after it.
    Settled(usize),
}

/// The search for the words of all lines.
pub(super) struct Search<'a, F> {
    messages: &'a [String],
    history: &'a [Moment],
    passages: BTreeMap<(Ground, usize), Passage>,
    finish: &'a F,
    budget: usize,
}

impl<'a, F: Fn(&mut Dialogue)> Search<'a, F> {
    pub(super) fn of(messages: &'a [String], history: &'a [Moment], finish: &'a F) -> Self {
        Search { messages, history, passages: BTreeMap::new(), finish, budget: BUDGET }
    }

    /// The words for every line that these messages gave, on top of what was known at the start.
    fn quotes(self) -> BTreeMap<Key, String> {
        self.quotes_since(0)
    }

    /// The words for the lines that the last message gave, as far as they are found soon.
    pub(super) fn latest_quotes(mut self) -> BTreeMap<Key, String> {
        self.budget = BUDGET_OF_ONE;
        let before = self.history.len().saturating_sub(2);
        self.quotes_since(before)
    }

    fn quotes_since(mut self, start: usize) -> BTreeMap<Key, String> {
        let ends = self.history.get(start).zip(self.history.last());
        let Some((first, last)) = ends else { return BTreeMap::new() };
        let new = last.keys.iter().filter(|key| !first.keys.contains(*key));
        new.filter_map(|key| Some((key.clone(), self.quote(key)?))).collect()
    }

    fn quote(&mut self, key: &Key) -> Option<String> {
        // The line first appeared for good with this message.
        let lacking = self.history.iter().rposition(|moment| !moment.keys.contains(key))?;
        let (before, after) = (self.history.get(lacking)?, self.history.get(lacking + 1)?);
        let chosen = after.before.blueprint.is_some_and(|after| {
            before.before.blueprint.is_none_or(|before| before.id != after.id)
        });
        let own = (Ground::Before(lacking), lacking);
        let is_title = |blueprint: &&Blueprint| key.1 && blueprint.title == key.0;
        if after.before.blueprint.as_ref().is_some_and(is_title) {
            let clearly = (clearly_named(&key.0), true);
            let part = self.smallest(own.0, own.1, &clearly);
            let part = part.or_else(|| self.smallest(own.0, own.1, key))?;
            return self.title(own.0, own.1, part);
        }
        // A message that chooses the deployment gives the requests of earlier messages their lines.
        let earlier = (0..=lacking).rev().filter(|_| chosen).flat_map(|message| {
            let grounds = [Ground::Settled(lacking), Ground::Chosen(lacking)];
            grounds.map(|ground| (ground, message))
        });
        // The word that chooses a deployment also gives, on its own, every line that the earlier messages get by it.
        let by_choosing = chosen && lacking > 0 && !key.1;
        let own = Some(own).filter(|_| !by_choosing);
        let found = earlier.chain(own).find_map(|(ground, message)| {
            let part = self.smallest(ground, message, key)?;
            let passage = self.passages.get(&(ground, message))?;
            let said = self.messages.get(message)?;
            if key.1 {
                return self.text(ground, message, passage.with_its_neighbors(said, part));
            }
            // A part that spans clauses says more than the line, which the message may have word by word.
            let within =
                |clause: &&Range<usize>| clause.start <= part.start && part.end <= clause.end;
            let spans = passage.clauses.iter().find(within).is_none();
            let exact = self.literally(key, message).filter(|_| spans);
            exact.or_else(|| self.text(ground, message, part))
        });
        found.or_else(|| self.literally(key, lacking).filter(|_| !key.1))
    }

    /// The line itself, if a message up to this one has it word by word.
    fn literally(&self, key: &Key, last: usize) -> Option<String> {
        let line: Vec<&str> = key.0.split(' ').collect();
        self.messages.get(..=last)?.iter().find_map(|text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let mut places = words.windows(line.len());
            let same = |place: &&[&str]| {
                place.iter().zip(&line).all(|(word, line)| bare(word) == bare(line))
            };
            let said = places.find(same)?.join(" ");
            let said = said.trim_matches(|c: char| BESIDE.contains(c)).to_owned();
            (text.contains(&said) && !looks_like_a_secret(&said)).then_some(said)
        })
    }

    /// The smallest part of a message that alone gives the line, in words.
    fn smallest(&mut self, ground: Ground, message: usize, key: &Key) -> Option<Range<usize>> {
        let whole = 0..self.passage(ground, message)?.words.len();
        let holds =
            |search: &mut Self, part: Range<usize>| search.gives(ground, message, part, key);
        if !holds(self, whole.clone()) || holds(self, 0..0) {
            return None;
        }
        let clauses = self.passage(ground, message)?.clauses.clone();
        let clause = clauses.into_iter().find(|clause| holds(self, clause.clone()));
        let mut part = clause.unwrap_or(whole);
        // Most lines come from one word, and a word is read once for all lines. Half of a message's words have no meaning
        // of their own: where one of them gives the line after all, the steps below find it as well.
        let single = part
            .clone()
            .find(|word| self.says(ground, message, *word) && holds(self, *word..word + 1));
        if let Some(word) = single {
            return Some(word..word + 1);
        }
        loop {
            let before = part.len();
            let mut step = before / 2;
            while step > 0 {
                while part.len() > step && holds(self, part.start + step..part.end) {
                    part.start += step;
                }
                while part.len() > step && holds(self, part.start..part.end - step) {
                    part.end -= step;
                }
                step /= 2;
            }
            if part.len() == before {
                return Some(part);
            }
        }
    }

    /// Whether this part of a message alone gives the line.
    fn gives(&mut self, ground: Ground, message: usize, part: Range<usize>, key: &Key) -> bool {
        let (text, finish) = (self.messages.get(message).map_or("", String::as_str), self.finish);
        let Some(passage) = self.passages.get_mut(&(ground, message)) else { return false };
        let at = (part.start, part.end);
        if let Some(known) = passage.read.get(&at) {
            return known.contains(key);
        }
        let Some(left) = self.budget.checked_sub(READING + part.len()) else { return false };
        self.budget = left;
        let said = passage.text(text, part).unwrap_or_default();
        let mut dialogue = passage.ground.clone();
        dialogue.read(said);
        let given = keys(&dialogue, finish);
        let holds = given.contains(key);
        passage.read.insert(at, given);
        holds
    }

    /// Whether a word of a message may give a line on its own.
    fn says(&self, ground: Ground, message: usize, word: usize) -> bool {
        let passage = self.passages.get(&(ground, message));
        let Some((passage, text)) = passage.zip(self.messages.get(message)) else { return false };
        let word = bare(passage.text(text, word..word + 1).unwrap_or_default());
        !word.is_empty() && passage.ground.language.weight(&word) != Weight::Empty
    }

    fn passage(&mut self, ground: Ground, message: usize) -> Option<&Passage> {
        if !self.passages.contains_key(&(ground, message)) {
            let (text, dialogue) = (self.messages.get(message)?, self.ground(ground, message)?);
            self.passages.insert((ground, message), Passage::of(text, dialogue));
        }
        self.passages.get(&(ground, message))
    }

    fn ground(&self, ground: Ground, message: usize) -> Option<Dialogue> {
        let language = self.history.get(message)?.before.language;
        let bare = |chosen: usize, settled: bool| {
            let after = &self.history.get(chosen + 1)?.before;
            let mut values = match after.choice().filter(|_| settled) {
                Some(choice) => choice.values().clone(),
                None => after.values.clone(),
            };
            values.retain(|key, _| settled || *key == ADDITIONS.key);
            Some(Dialogue { blueprint: after.blueprint, values, language, ..Dialogue::default() })
        };
        match ground {
            Ground::Before(at) => self.history.get(at).map(|moment| moment.before.clone()),
            Ground::Chosen(at) => bare(at, false),
            Ground::Settled(at) => bare(at, true),
        }
    }

    /// The words that choose the deployment, with the other words of the message that are part of it: “VPS with MySQL”, of
    /// which “MySQL” alone would do.
    fn title(&self, ground: Ground, message: usize, part: Range<usize>) -> Option<String> {
        let passage = self.passages.get(&(ground, message))?;
        let (text, after) = (self.messages.get(message)?, &self.history.get(message + 1)?.before);
        let hints = after.blueprint.map(|blueprint| passage.hints(text, after.language, blueprint));
        let hints = hints.unwrap_or_default().into_iter();
        let mut hints: Vec<usize> = hints.chain(part.clone()).collect();
        hints.sort_unstable();
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for hint in hints {
            match pieces.last_mut() {
                Some(last) if hint <= last.end + GAP => last.end = last.end.max(hint + 1),
                _ => pieces.push(hint..hint + 1),
            }
        }
        let first = pieces.iter().position(|piece| piece.contains(&part.start))?;
        let from = first.saturating_sub(PIECES - 1);
        let pieces = pieces.into_iter().skip(from).take(PIECES);
        let texts = pieces.map(|piece| self.text(ground, message, piece));
        Some(texts.collect::<Option<Vec<_>>>()?.join(" … "))
    }

    fn text(&self, ground: Ground, message: usize, part: Range<usize>) -> Option<String> {
        let passage = self.passages.get(&(ground, message))?;
        let quoted = passage.text(self.messages.get(message)?, part)?;
        let quoted = quoted.trim_matches(|c: char| c.is_whitespace() || BESIDE.contains(c));
        (!quoted.is_empty() && !looks_like_a_secret(quoted)).then(|| quoted.to_owned())
    }
}
