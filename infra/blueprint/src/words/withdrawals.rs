//! What a message gives up that an earlier one asked for: “forget the replica”, “we no longer need monitoring”, “the
//! second disk, after all, not”.

use std::ops::Range;

use super::language::Weight;
use super::negation::is_not_needed;
use super::{Words, gives_up, is_negation};

/// Phrases by which a clause gives up what follows; single verbs are in the list of negations.
const GIVING_UP: &[&str] = &[
    "never mind",
    "no longer need",
    "no longer want",
    "don't need",
    "don't want",
    "do not need",
    "do not want",
    "not need",
    "no need for",
    "no need of",
];

/// Words at the end of a clause with a negation in it that give up what precedes.
const ANYMORE: &[&str] =
    &["after", "anymore", "longer", "more", "mehr", "needed", "plus", "all", "más"];

/// What a clause gives up.
#[derive(Debug)]
pub struct GivenUp {
    /// The clause, as positions of values.
    pub clause: Range<usize>,
    /// The words for it, in English and in the user's words, and whether each is a wish even alone.
    words: Vec<(String, String, bool)>,
}

impl GivenUp {
    /// Its words in English.
    pub fn english(&self) -> String {
        let words = self.words.iter().map(|(english, ..)| english.as_str());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether the word is one of its words.
    pub fn names(&self, word: &str) -> bool {
        self.words.iter().any(|(english, said, _)| {
            english == word || said.split([' ', '-', '/']).any(|part| part == word)
        })
    }

    /// Whether it gives up what a row says: all of its words are in the row. A word such as “second” need not be,
    /// unless it distinguishes the row from others.
    pub fn withdraws(&self, row: &str, others: &[String]) -> bool {
        let loosely = |row: &str| self.is_in(row, |full| full);
        let exactly = |row: &str| self.is_in(row, |_| true);
        // “The second one” of “two servers”
        let second =
            ["second", "other"].iter().any(|word| self.names(word)) && row.starts_with("two ");
        let whole = row.split([' ', '-', '/', ',']).all(|word| self.names(word));
        if self.words.iter().any(|(.., full)| *full) {
            whole || exactly(row) || (loosely(row) && !others.iter().any(|other| exactly(other)))
        } else {
            exactly(row) || second
        }
    }

    fn is_in(&self, row: &str, counts: impl Fn(bool) -> bool) -> bool {
        let bare = |word: &str| word.strip_suffix('s').unwrap_or(word).to_string();
        let row: Vec<String> = row.split([' ', '-', '/', ',']).map(bare).collect();
        let has = |words: &str| words.split([' ', '-', '/']).all(|word| row.contains(&bare(word)));
        let mut words = self.words.iter().filter(|(.., full)| counts(*full)).peekable();
        words.peek().is_some() && words.all(|(english, said, _)| has(english) || has(said))
    }
}

impl Words {
    /// Whether the message may take back what it refuses, or refuses it only if something else fails: “no fixed address. Wait,
    /// yes, we do need one”, “a replica if that's easy, otherwise leave it out”.
    pub fn doubts_its_refusals(&self) -> bool {
        const WAIT: &[&str] = &["wait", "warte", "halt", "moment", "espera", "attends", "attendez"];
        const YES: &[&str] = &["yes", "yeah", "ja", "doch", "sí", "oui", "si"];
        const OTHERWISE: &[&str] = &["otherwise", "else", "sonst", "ansonsten", "sinon"];
        let value = |at: usize| self.values.get(at).map_or("", String::as_str);
        let has = |clause: &Range<usize>, list: &[&str]| {
            clause.clone().any(|at| list.contains(&value(at)))
        };
        let clauses = self.clauses();
        let next =
            |at: usize| clauses.get(at + 1).is_some_and(|next| YES.contains(&value(next.start)));
        clauses.iter().enumerate().any(|(at, clause)| {
            let denied = clause.clone().any(|at| is_negation(value(at)) || value(at) == "leave");
            has(clause, WAIT) && (has(clause, YES) || next(at))
                || OTHERWISE.contains(&value(clause.start)) && denied
        })
    }

    /// What each clause gives up.
    pub fn given_up(&self) -> Vec<GivenUp> {
        self.clauses().into_iter().filter_map(|clause| self.given_up_in(clause)).collect()
    }

    fn given_up_in(&self, clause: Range<usize>) -> Option<GivenUp> {
        let value = |at: usize| self.values[at].as_str();
        let weight = |at: usize| self.language(at).weight(value(at));
        let phrase = |at: usize| {
            let here = |phrase: &&&str| {
                let mut words = phrase.split(' ').enumerate();
                words.all(|(n, word)| at + n < clause.end && value(at + n) == word)
            };
            GIVING_UP.iter().find(here).map(|phrase| phrase.split(' ').count())
        };
        let verb = |at: usize| phrase(at).or(gives_up(value(at)).then_some(1));
        let first = clause.clone().find(|at| verb(*at).is_some() || weight(*at) == Weight::Full)?;
        let negated = clause.clone().any(|at| is_negation(value(at)));
        let ends = clause.clone().any(|at| ANYMORE.contains(&value(at))) && negated
            || clause.clone().any(|at| is_not_needed(value(at)));
        let start = match verb(first) {
            Some(count) => first + count,
            None if ends => clause.start,
            None => return None,
        };
        let end = clause.end;
        let content = (start..end).filter(|at| {
            let word = value(*at);
            let listed = ANYMORE.contains(&word) || gives_up(word) || is_not_needed(word);
            matches!(weight(*at), Weight::Full | Weight::Light) && !listed
        });
        let content: Vec<usize> = content.collect();
        let gone = !content.is_empty()
            && content.iter().all(|at| !self.means_value(*at) || weight(*at) == Weight::Light);
        let word = |at: &usize| {
            let (said, _) = self.said(*at);
            (value(*at).to_string(), said.to_string(), weight(*at) == Weight::Full)
        };
        gone.then(|| GivenUp { clause, words: content.iter().map(word).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_may_give_something_up() {
        for (text, gone) in [
            ("forget the replica", "replica"),
            ("we no longer need the monitoring", "monitoring"),
            ("never mind the nas", "nas"),
            ("I don't need the rollback after all", "rollback"),
            ("the second disk not anymore", "second disk"),
            ("a vps, and drop the swap", "swap"),
        ] {
            let all: Vec<String> =
                Words::of(text).given_up().iter().map(GivenUp::english).collect();
            assert_eq!(all, [gone], "{text}");
        }
        for text in ["no redis", "keep the rollback after all", "a vps", "don't forget the backups"]
        {
            assert!(Words::of(text).given_up().is_empty(), "{text}");
        }
    }

    #[test]
    fn a_row_is_withdrawn_by_its_own_words() {
        let words = Words::of("forget the second disk");
        let gone = words.given_up();
        let gone = gone.first().expect("something");
        assert!(gone.withdraws("second disk", &[]));
        assert!(gone.withdraws("disks", &[]));
        assert!(!gone.withdraws("encrypted disk", &["second disk".into()]));
        assert!(!gone.withdraws("second server", &[]));
    }
}
