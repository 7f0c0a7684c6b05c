//! General questions of users, by the words in which people ask them, and their answers in four languages:
//! `catalogue/questions.json`.
//!
//! A cue is a list of words that follow each other in one sentence that asks, with few others in between, or with any
//! number of them at “…”; `*` stands for any ending. A longer match wins over one whose words are all in it: “a free
//! domain” asks about domains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::folder;
use crate::words::Words;

/// The most other words between two words of a cue.
const BETWEEN: usize = 3;

/// The question that is answered by the list of everything that can be built.
pub const LIST: &str = "list";

/// Phrases by which a sentence asks without the form of a question: “I don't know what a provider is”, “show me the list”.
const ASKING: &[&str] = &[
    "show",
    "zeig",
    "zeige",
    "zeigen",
    "muestra",
    "muéstrame",
    "montre",
    "montrez",
    "don't know what",
    "no idea what",
    "not sure what",
    "weiß nicht was",
    "keine ahnung was",
    "no sé qué",
    "ni idea qué",
    "sais pas ce",
    "sais pas quoi",
];

/// One question and its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub id: String,
    cues: BTreeMap<String, Vec<String>>,
    /// In English, German, Spanish and French; `{price}` stands for what the deployment costs.
    pub answer: Vec<String>,
    /// Whether the other words of its clause still count: “what does it cost in Helsinki?”.
    #[serde(default)]
    pub keeps: bool,
    /// The most words of a sentence that asks it.
    most: Option<usize>,
    /// Messages that ask it without a question: “list”.
    #[serde(default)]
    alone: Vec<String>,
    /// The deployment for which `cues_within` ask it as well.
    within: Option<String>,
    #[serde(default)]
    cues_within: Vec<String>,
}

/// A question in a message.
pub struct Mention {
    pub question: &'static Question,
    /// Positions of the words by which it is asked.
    pub values: BTreeSet<usize>,
}

static ALL: LazyLock<Vec<Question>> =
    LazyLock::new(|| serde_json::from_str(folder::text("questions.json")).unwrap_or_default());

/// The questions that a message asks, in the order of the table. `current` is the id of the chosen deployment.
pub fn asked(words: &Words, current: Option<&str>) -> Vec<Mention> {
    let whole = said(words, 0..words.count());
    if let Some(question) = ALL.iter().find(|question| question.is_whole(&whole)) {
        return vec![Mention { question, values: (0..words.count()).collect() }];
    }
    let sentences = words.sentences().into_iter().filter(|sentence| asks(words, sentence.clone()));
    sentences.flat_map(|sentence| in_sentence(&said(words, sentence), current)).collect()
}

/// The user's own words at these positions, each with its position.
type Said = Vec<(String, usize)>;

fn said(words: &Words, range: std::ops::Range<usize>) -> Said {
    let mut said: Said = Vec::new();
    let mut before = None;
    for at in range {
        let (text, piece) = words.said(at);
        // A phrase that was translated as a whole occurs once.
        if piece.is_some() && piece == before {
            continue;
        }
        before = piece;
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        said.extend(parts.map(|part| (part.to_lowercase(), at)));
    }
    said
}

fn asks(words: &Words, sentence: std::ops::Range<usize>) -> bool {
    let start = sentence.start;
    let text: Vec<String> = said(words, sentence).into_iter().map(|(word, _)| word).collect();
    let text = format!(" {} ", text.join(" "));
    let says = |phrase: &str| text.contains(&format!(" {} ", phrase.replace('\'', " ")));
    words.ends_in_question(start)
        || words.only_asks(start)
        || ASKING.iter().any(|phrase| says(phrase))
}

/// The questions of one sentence, without those whose words are all part of another one.
fn in_sentence(said: &Said, current: Option<&str>) -> Vec<Mention> {
    let found = |question: &'static Question| {
        let values = question.found(said, current)?;
        Some(Mention { question, values })
    };
    let mut mentions: Vec<Mention> = Vec::new();
    for mention in ALL.iter().filter_map(found) {
        if mentions.iter().any(|earlier| mention.values.is_subset(&earlier.values)) {
            continue;
        }
        mentions.retain(|earlier| !earlier.values.is_subset(&mention.values));
        mentions.push(mention);
    }
    mentions
}

impl Question {
    fn is_whole(&self, said: &Said) -> bool {
        let text: Vec<&str> = said.iter().map(|(word, _)| word.as_str()).collect();
        let text = text.join(" ");
        self.alone.contains(&text)
    }

    /// The longest cue in a sentence, as positions of values.
    fn found(&self, said: &Said, current: Option<&str>) -> Option<BTreeSet<usize>> {
        if self.most.is_some_and(|most| said.len() > most) {
            return None;
        }
        let here = self.within.as_deref().is_some_and(|id| current == Some(id));
        let more = self.cues_within.iter().filter(|_| here);
        let cues = self.cues.values().flatten().chain(more);
        let found = cues.filter_map(|cue| place(said, cue));
        found.max_by_key(BTreeSet::len)
    }
}

/// The words of a cue, if they follow each other.
fn place(said: &Said, cue: &str) -> Option<BTreeSet<usize>> {
    let mut wanted = cue.split(' ');
    let first = wanted.next()?;
    let starts = (0..said.len()).filter(|at| same(first, &said[*at].0));
    let rest = |start: usize| {
        let (mut places, mut at, mut reach) = (vec![start], start, BETWEEN + 1);
        for word in wanted.clone() {
            if word == "…" {
                reach = said.len();
                continue;
            }
            let end = said.len().min(at + 1 + reach);
            at = (at + 1..end).find(|at| same(word, &said[*at].0))?;
            places.push(at);
            reach = BETWEEN + 1;
        }
        Some(places.into_iter().map(|at| said[at].1).collect())
    };
    starts.into_iter().find_map(rest)
}

fn same(word: &str, said: &str) -> bool {
    match word.strip_suffix('*') {
        Some(start) => said.starts_with(start),
        None => said == word || said.strip_suffix('s') == Some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_cues_and_an_answer_in_four_languages() {
        assert!(!ALL.is_empty());
        for question in ALL.iter() {
            assert_eq!(question.cues.len(), 4, "{}", question.id);
            assert!(question.cues.values().all(|cues| !cues.is_empty()), "{}", question.id);
            let answered = question.answer.len() == 4 || question.id == LIST;
            assert!(answered, "{}", question.id);
        }
    }
}
