//! The net under all readers: no hard fact of a message is lost without a word.
//!
//! An address, a host, a number or a name that the catalogue knows is in the list of the user's wishes: in the text of a row,
//! or in the words that a row quotes. A fact that is in none gets a row with its clause. A fact that was in the list and that a
//! later message replaces is listed as left out.

mod found;

use std::collections::{BTreeMap, BTreeSet};

use super::Dialogue;
use super::phrases::{looks_like_a_secret, without_placeholders};
use super::quotes::Key;
use crate::catalogue::covers::Cover;
use crate::catalogue::foreign::Foreign;
use crate::catalogue::{Blueprint, additions};
use crate::reading::slips;
use crate::reading::wishes::{self, Asked, Fate};
use crate::words::{Shape, Words};
use found::Kind;

/// A fact of the conversation.
struct Entry {
    kind: Kind,
    /// Index of its message.
    message: usize,
    /// The user's words for it.
    said: String,
    /// The same with a word beside it that says what it is.
    label: String,
    /// The user's words around it.
    clause: String,
    /// Whether it needs no row.
    implied: bool,
    /// Whether it was in the list after an earlier message.
    was_listed: bool,
    /// The row that quotes it.
    quoted_by: Option<Key>,
}

/// The facts of all messages so far.
#[derive(Default)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
    messages: usize,
}

impl Ledger {
    /// Adds the facts of the latest message.
    pub(super) fn add(&mut self, message: &str, dialogue: &Dialogue) {
        let text = without_placeholders(message);
        let words = slips::heard(&text, dialogue.language);
        let mut background = wishes::background(&words);
        background.extend(words.existing());
        let message = self.messages;
        let new = found::all(&words).into_iter().map(|fact| Entry {
            said: words.said_in(fact.values.clone()),
            label: words.said_in(fact.labeled(&words)),
            clause: words.said_in(fact.clause(&words)),
            implied: background.contains(&fact.values.start) || dialogue.implies(&fact, &words),
            kind: fact.kind,
            message,
            was_listed: false,
            quoted_by: None,
        });
        self.entries.extend(new.filter(|entry| !looks_like_a_secret(&entry.clause)));
        self.messages += 1;
    }

    /// Adds a row for each clause whose facts no row shows. `quotes` finds the user's words for each row. Returns whether
    /// there are new rows.
    pub(super) fn check(
        &mut self,
        dialogue: &mut Dialogue,
        quotes: impl FnOnce() -> BTreeMap<Key, String>,
    ) -> bool {
        if dialogue.blueprint.is_none() {
            return false;
        }
        let list = List::of(dialogue);
        let mut lost = self.lost(&list);
        if !lost.is_empty() {
            self.find_quoted(&lost, quotes());
            lost = self.lost(&list);
        }
        let given_up: Vec<usize> =
            lost.iter().copied().filter(|at| self.is_given_up(*at, &lost, dialogue)).collect();
        // “Three nodes” after “two are enough” is not something that is left out.
        for at in &given_up {
            let entry = &mut self.entries[*at];
            entry.implied |= dialogue.says_nothing(&entry.label);
        }
        let gone = self.leave_out(&given_up, dialogue);
        // What is left out is in the list by now.
        let missing = if gone { self.lost(&List::of(dialogue)) } else { lost };
        let new = self.report(&missing, dialogue);
        self.entries.iter_mut().for_each(|entry| entry.was_listed = true);
        gone || new
    }

    /// The facts that no row shows.
    fn lost(&self, list: &List) -> Vec<usize> {
        let lost = |entry: &Entry| !entry.implied && !list.shows(entry);
        (0..self.entries.len()).filter(|at| lost(&self.entries[*at])).collect()
    }

    /// Notes for each fact which row quotes it.
    fn find_quoted(&mut self, lost: &[usize], quotes: BTreeMap<Key, String>) {
        let quotes: Vec<(Key, Words)> =
            quotes.into_iter().map(|(key, text)| (key, Words::of(&text))).collect();
        for at in lost {
            let entry = &mut self.entries[*at];
            let by = quotes.iter().find(|(_, words)| entry.is_in(words));
            entry.quoted_by = by.map(|(key, _)| key.clone());
        }
    }

    /// Whether a later message gives another fact in its place, or withdraws it.
    fn is_given_up(&self, at: usize, lost: &[usize], dialogue: &Dialogue) -> bool {
        let entry = &self.entries[at];
        let latest = self.messages - 1;
        let later = |other: &&Entry| other.message > entry.message;
        let listed = self.entries.iter().enumerate().filter(|(at, _)| !lost.contains(at));
        let replaced =
            listed.map(|(_, other)| other).filter(later).any(|other| other.replaces(entry));
        let mut newest = self.entries.iter().filter(|other| other.message == latest);
        let withdrawn = !dialogue.withdrawn.is_empty()
            || !dialogue.latest.changed.is_empty()
            || dialogue.latest.chosen
            || newest.any(|other| other.is_same(entry));
        replaced || entry.was_listed && entry.message < latest && withdrawn
    }

    /// Lists the clauses of these facts as not understood.
    fn report(&self, missing: &[usize], dialogue: &mut Dialogue) -> bool {
        let mut clauses: Vec<&str> = Vec::new();
        for at in missing {
            let clause = self.entries[*at].clause.as_str();
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        // The whole clause takes the place of its parts.
        let part = |asked: &Asked| {
            asked.fate == Fate::NotUnderstood
                && clauses.iter().any(|clause| is_part(&asked.what, clause))
        };
        dialogue.asked.retain(|asked| !part(asked));
        dialogue.latest.asked.retain(|asked| !part(asked));
        let rows = clauses
            .iter()
            .map(|clause| Asked { what: (*clause).to_owned(), fate: Fate::NotUnderstood });
        dialogue.lack(rows.collect());
        !clauses.is_empty()
    }

    /// Lists these facts as left out.
    fn leave_out(&self, given_up: &[usize], dialogue: &mut Dialogue) -> bool {
        for at in given_up {
            let Entry { label, implied, .. } = &self.entries[*at];
            if !dialogue.left_out.contains(label) && !implied {
                dialogue.left_out.push(label.clone());
            }
        }
        !given_up.is_empty()
    }
}

impl Entry {
    /// Whether a text has the fact, in the user's words or as it was read.
    fn is_in(&self, text: &Words) -> bool {
        let said = format!(" {} ", self.said);
        format!(" {} ", text.values().collect::<Vec<_>>().join(" ")).contains(&said)
            || match &self.kind {
                Kind::Shape(_, value) => text.fact_values().contains(value),
                Kind::Name(cues) => cues.iter().any(|cue| text.has(cue)),
            }
    }

    /// Whether it may take the place of the other fact. Numbers without a unit are alike only if their clauses share a word.
    fn replaces(&self, other: &Entry) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Shape(Shape::Number(own), _), Kind::Shape(Shape::Number(theirs), _)) => {
                let (own, theirs) = (found::measured(own), found::measured(theirs));
                own == theirs && (!own.is_empty() || shares_a_word(&self.clause, &other.clause))
            }
            (Kind::Shape(own, _), Kind::Shape(theirs, _)) => own == theirs,
            (Kind::Name(_), Kind::Name(_)) => true,
            _ => false,
        }
    }

    /// Whether both name the same.
    fn is_same(&self, other: &Entry) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Shape(_, one), Kind::Shape(_, other)) => one == other,
            (Kind::Name(own), Kind::Name(theirs)) => own.iter().any(|cue| theirs.contains(cue)),
            _ => false,
        }
    }
}

/// The list as the user sees it.
struct List {
    rows: BTreeSet<String>,
    texts: Vec<Words>,
    values: BTreeSet<String>,
    keys: BTreeSet<Key>,
    blueprint: Option<&'static Blueprint>,
    added: Vec<&'static str>,
    covers: Vec<Cover>,
}

impl List {
    fn of(dialogue: &Dialogue) -> List {
        let lines = dialogue.lines();
        let rows = lines.iter().map(|(what, _)| what.clone()).collect();
        let keys = lines.iter().map(|(what, fate)| (what.clone(), fate.is_none())).collect();
        let hows = lines.iter().filter_map(|(_, fate)| match fate {
            Some(Fate::Differently(how)) => Some(how.clone()),
            _ => None,
        });
        let texts = lines.iter().map(|(what, _)| what.clone()).chain(hows);
        let texts = texts.chain(dialogue.left_out.iter().cloned());
        let texts: Vec<Words> = texts.map(|text| Words::of(&text)).collect();
        let values = texts.iter().flat_map(Words::fact_values).collect();
        let added = additions::chosen(&dialogue.values).flat_map(|one| one.cues).copied().collect();
        let covers = dialogue.choice().map(|choice| choice.covers()).unwrap_or_default();
        List { rows, texts, values, keys, blueprint: dialogue.blueprint, added, covers }
    }

    fn shows(&self, entry: &Entry) -> bool {
        let quoted = || entry.quoted_by.as_ref().is_some_and(|key| self.keys.contains(key));
        let own = || match &entry.kind {
            Kind::Shape(_, value) => self.values.contains(value),
            // A row has the amount of the budget.
            Kind::Name(cues) if cues.contains(&wishes::BUDGET) => {
                self.texts.iter().any(wishes::is_an_amount_of_money)
            }
            Kind::Name(cues) => cues.iter().any(|cue| self.builds(cue)),
        };
        // “Drop one replica”: a row has the others, without their number.
        let counted = || match &entry.kind {
            Kind::Shape(Shape::Number(unit), _) => self.rows.contains(unit),
            _ => false,
        };
        let others = entry.was_listed && counted();
        own() || quoted() || others || self.texts.iter().any(|text| entry.is_in(text))
    }

    /// Whether the name is one of the deployment, its features, what is added to it or what it runs, which have rows.
    fn builds(&self, cue: &str) -> bool {
        let own = |blueprint: &Blueprint| blueprint.cues().any(|own| own == cue);
        let runs = |blueprint: &Blueprint| {
            Foreign::all().any(|one| one.is_run_by(blueprint) && one.cues.contains(&cue))
        };
        let feature = |cover: &Cover| {
            cover.feature.cues().any(|own| own == cue) || cover.feature.has_word(cue)
        };
        self.blueprint.is_some_and(|blueprint| own(blueprint) || runs(blueprint))
            || self.added.contains(&cue)
            || self.covers.iter().any(feature)
    }
}

/// Whether both texts have a word that says something.
fn shares_a_word(one: &str, other: &str) -> bool {
    let says = |word: &&str| word.len() > 2 && !word.starts_with(|c: char| c.is_ascii_digit());
    one.split(' ').filter(says).any(|word| other.split(' ').any(|other| other == word))
}

/// Whether a row is a part of a clause.
fn is_part(row: &str, clause: &str) -> bool {
    format!(" {clause} ").contains(&format!(" {row} "))
}
