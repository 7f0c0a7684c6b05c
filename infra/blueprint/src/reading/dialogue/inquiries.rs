//! The user's questions that have an answer of their own, and what the user says to have not or leaves open. None of
//! these words asks for anything to be built.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Dialogue;
use super::undecided::Undecided;
use crate::catalogue::questions::{self, LIST, Mention};
use crate::words::Words;

/// Verbs of having, in all languages.
const HAVING: &[&str] = &[
    "have", "haven't", "got", "there's", "habe", "hab", "haben", "gibt", "gibt's", "tengo",
    "tenemos", "hay", "ai", "avons",
];

/// Words that deny something for now.
const YET: &[&str] = &["yet", "noch", "todavía", "aún", "encore"];

/// Words that deny it.
const LACKING: &[&str] = &[
    "no", "not", "don't", "haven't", "kein", "keine", "keinen", "nicht", "ningún", "ninguna",
    "pas", "aucun", "aucune",
];

/// Things that a plan makes, so that lacking them is the reason to ask and no wish.
const MADE: &[&str] = &[
    "server",
    "servers",
    "vps",
    "machine",
    "hosting",
    "servidor",
    "servidores",
    "máquina",
    "serveur",
    "serveurs",
    "maschine",
    "rechner",
    "hoster",
];

/// The most words from the denial to the thing: “don't have a server”.
const BETWEEN: usize = 3;

/// The most words of such a statement.
const STATEMENT: usize = 6;

impl Dialogue {
    /// Whether the latest message asks something that has an answer of its own.
    pub(super) fn is_answered(&self) -> bool {
        self.latest.lists || self.latest.listed || !self.latest.questions.is_empty()
    }

    /// The message without the questions that are answered, without what the user leaves open, and without what the user
    /// says to have not. Words beside a question about the plan still count: “what does it cost in Helsinki?”.
    pub(super) fn read_questions(&mut self, words: Words) -> Words {
        let current = self.blueprint.map(|blueprint| blueprint.id);
        let mentions = questions::asked(&words, current);
        let asks: BTreeSet<usize> =
            mentions.iter().flat_map(|mention| spent(&words, mention)).collect();
        let lists = mentions.iter().any(|mention| mention.question.id == LIST);
        self.latest.lists = lists && !self.listed;
        self.latest.listed = lists && self.listed;
        let asked = mentions.into_iter().map(|mention| mention.question);
        self.latest.questions = asked.filter(|question| question.id != LIST).collect();
        let words = if asks.is_empty() { words } else { words.without(&asks) };
        let (undecided, mut spent) = Undecided::of(&words);
        self.latest.undecided = undecided;
        spent.extend(without_a_machine(&words));
        if let Some((blueprint, at)) = self.by_number(&words) {
            self.latest.numbered = Some(blueprint);
            spent.insert(at);
        }
        if spent.is_empty() { words } else { words.without(&spent) }
    }
}

/// The words of a message that only ask: those of the cue, or all words of its clauses unless one of them has a value.
fn spent(words: &Words, mention: &Mention) -> BTreeSet<usize> {
    let values: Vec<&str> = words.values().collect();
    let is_value = |at: &usize| {
        let value = values[*at];
        value.contains('.') || value.bytes().any(|byte| byte.is_ascii_digit())
    };
    let clauses = mention.values.iter().flat_map(|at| words.clause(*at));
    let clauses: BTreeSet<usize> = clauses.collect();
    if mention.question.keeps || clauses.iter().any(is_value) {
        return mention.values.clone();
    }
    clauses
}

/// The words by which the user says to have no server: “I have no server yet”, “einen Server habe ich nicht”. That is not
/// a wish to go without one.
fn without_a_machine(words: &Words) -> BTreeSet<usize> {
    let clauses = words.clauses().into_iter();
    clauses.filter_map(|clause| statement(words, clause)).flatten().collect()
}

/// From the first to the last word of such a statement in a clause. “No server” alone or “encore un serveur pas cher” is
/// none.
fn statement(words: &Words, clause: Range<usize>) -> Option<Range<usize>> {
    let find = |list: &[&str]| {
        clause.clone().find(|at| {
            let (said, _) = words.said(*at);
            said.split([' ', '\'']).chain([said]).any(|word| list.contains(&word))
        })
    };
    let (lacking, made) = (find(LACKING)?, find(MADE)?);
    let beside = lacking <= made && made - lacking <= BETWEEN;
    let having = find(HAVING);
    let inverted = having.is_some_and(|having| made < having && having <= lacking);
    let other = having.or(find(YET)).filter(|_| beside || inverted)?;
    let (from, to) = (other.min(lacking).min(made), other.max(lacking).max(made));
    (to - from < STATEMENT).then_some(from..to + 1)
}
