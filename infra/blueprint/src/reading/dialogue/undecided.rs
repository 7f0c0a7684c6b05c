//! What the user leaves to the model: “you pick one”, “egal”, “da igual”, “peu importe”. Open questions then take their
//! defaults, and nothing else is agreed to.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalogue::ALL;
use crate::texts;
use crate::words::Words;
use crate::words::language::{KNOWN, Weight};

/// Phrases by which a message leaves something open, in all languages.
const PHRASES: &[&str] = &[
    "you pick",
    "you choose",
    "you decide",
    "pick one",
    "pick for me",
    "don't know",
    "dont know",
    "no idea",
    "no clue",
    "don't care",
    "dont care",
    "doesn't matter",
    "does not matter",
    "whatever",
    "not sure",
    "up to you",
    "your call",
    "your choice",
    "egal",
    "wurscht",
    "weiß nicht",
    "weiß ich nicht",
    "weiss nicht",
    "weiss ich nicht",
    "keine ahnung",
    "such dir",
    "suchen sie",
    "such es aus",
    "such was aus",
    "entscheide du",
    "entscheiden sie",
    "spielt keine rolle",
    "da igual",
    "no sé",
    "ni idea",
    "lo que sea",
    "como quieras",
    "como quiera",
    "elige tú",
    "elija usted",
    "no importa",
    "da lo mismo",
    "peu importe",
    "sais pas",
    "aucune idée",
    "comme vous voulez",
    "comme tu veux",
    "à vous de choisir",
    "n'importe",
    "m'est égal",
    "choisissez",
];

/// Other words for the questions that have them, by the parameter's key.
const NOUNS: &[(&str, &[&str])] = &[
    ("server-type", &["size", "server type", "größe", "servertyp", "tamaño", "taille"]),
    ("instance-type", &["size", "instance type", "größe", "instanztyp", "tamaño", "taille"]),
    ("location", &["place", "ort", "lugar", "lieu"]),
];

/// What a message leaves open.
#[derive(Clone, Default)]
pub struct Undecided {
    /// Keys of the questions that it names.
    pub keys: BTreeSet<&'static str>,
    /// Whether it says so without naming anything.
    pub everything: bool,
}

impl Undecided {
    /// What the message leaves open, and the words by which it does. A clause that says more leaves nothing open: “I don't
    /// care which provider, as long as it is in the EU”.
    pub(super) fn of(words: &Words) -> (Undecided, BTreeSet<usize>) {
        let (mut undecided, mut spent) = (Undecided::default(), BTreeSet::new());
        let mut before: Option<Range<usize>> = None;
        for clause in words.clauses() {
            let text = said(words, clause.clone());
            let Some(phrase) = PHRASES.iter().find(|phrase| has(&text, phrase)) else {
                before = Some(clause);
                continue;
            };
            // “The size, whatever”
            let named = before.take().filter(|_| questions(&text).is_empty());
            let named = named.filter(|clause| names_a_question(words, clause.clone()));
            let whole = named.map_or(clause.start, |named| named.start)..clause.end;
            let asked = questions(&said(words, whole.clone()));
            if !says_only(words, whole.clone(), phrase, &asked) {
                continue;
            }
            undecided.everything |= asked.is_empty();
            undecided.keys.extend(asked.into_iter().map(|(key, _)| key));
            spent.extend(whole);
        }
        (undecided, spent)
    }
}

/// The user's words in lower case, without signs.
fn said(words: &Words, range: Range<usize>) -> String {
    plain(&words.said_in(range))
}

fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a text has a phrase as whole words.
fn has(text: &str, phrase: &str) -> bool {
    format!(" {text} ").contains(&format!(" {phrase} "))
}

/// The keys of the questions that a text names in any language, each with its name there. “Server” names no question.
fn questions(text: &str) -> Vec<(&'static str, String)> {
    let text = &text.replace('\'', " ");
    let asked = ALL.iter().flat_map(|blueprint| blueprint.parameters);
    let asked = asked.filter(|one| one.asked && one.key != "servers");
    let labels = asked.flat_map(|parameter| {
        KNOWN.iter().map(|language| (parameter.key, plain(&texts::label(*language, parameter))))
    });
    let nouns =
        NOUNS.iter().flat_map(|(key, nouns)| nouns.iter().map(|noun| (*key, noun.to_string())));
    labels.chain(nouns).filter(|(_, name)| has(text, name)).collect()
}

/// Whether a clause only names a question: “the size”.
fn names_a_question(words: &Words, clause: Range<usize>) -> bool {
    let asked = questions(&said(words, clause.clone()));
    !asked.is_empty() && says_only(words, clause, "", &asked)
}

/// Whether a clause says nothing beside the phrase and the names of the questions.
fn says_only(
    words: &Words,
    clause: Range<usize>,
    phrase: &str,
    asked: &[(&'static str, String)],
) -> bool {
    clause.into_iter().all(|at| {
        let said = plain(words.said(at).0);
        let bare = said.replace('\'', " ");
        let known = has(phrase, &said)
            || !phrase.is_empty() && has(&said, phrase)
            || asked.iter().any(|(_, name)| has(name, &bare) || has(&bare, name));
        known || words.weighs(at) != Weight::Full
    })
}
