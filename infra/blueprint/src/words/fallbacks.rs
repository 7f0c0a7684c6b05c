//! What a message wants only if something else is not possible: “MariaDB, or if that's not possible MySQL”.

use std::collections::BTreeSet;
use std::ops::Range;

use super::language::{Language, Weight};
use super::{OTHERWISE, Words, is_negation};

/// Words that begin a condition; the translation keeps those of other languages.
const IF: &[&str] = &["if", "when", "wenn", "falls", "si", "sollte"];

/// Phrases for something that cannot be built.
const IMPOSSIBLE: &[&str] = &[
    "not possible",
    "isn't possible",
    "impossible",
    "turn out impossible",
    "turn out to be impossible",
    "turns out impossible",
    "turns out to be impossible",
    "not available",
    "isn't available",
    "unavailable",
    "not supported",
    "isn't supported",
    "not feasible",
    "doesn't work",
    "does not work",
    "won't work",
    "can't be done",
    "cannot be done",
    "can't be built",
    "cannot be built",
    "you can't",
    "you cannot",
    "you can't do",
    "you cannot do",
    "you don't do",
    "you don't offer",
    "you don't have",
    "you do not do",
    "you do not offer",
    "not something you do",
    "not something you offer",
    "not something you can do",
    "not on offer",
    "not in your catalogue",
];

/// Phrases that name what comes before as the better choice.
const FAILING: &[&str] = &["failing that", "as a last resort"];

/// Words after such a phrase with which it refers to everything else.
const REST: &[&str] = &[
    "everything",
    "all",
    "alles",
    "todo",
    "tout",
    "nothing",
    "default",
    "defaults",
    "rest",
    "else",
    "nobody",
];

/// Maximum length of a condition, in words.
const CONDITION: usize = 8;

/// Words before a condition that belong to it.
const JOINING: &[&str] = &["and", "or", "but", "y", "o", "et", "ou", "und", "oder", "then"];

/// A second best in a message. All of its parts are positions of values.
#[derive(Debug, PartialEq)]
pub struct Fallback {
    /// What the user prefers.
    pub preferred: Range<usize>,
    /// What the user takes if that is not possible.
    pub instead: Range<usize>,
    /// The words that say so.
    pub marker: BTreeSet<usize>,
    /// Whether these words cannot mean anything else.
    pub clear: bool,
}

impl Words {
    /// The first second best that the message names.
    pub fn fallback(&self) -> Option<Fallback> {
        (0..self.values.len()).find_map(|at| self.fallback_at(at))
    }

    fn fallback_at(&self, at: usize) -> Option<Fallback> {
        let clause = self.clause(at);
        let starts = |at: usize, phrases: &[&str]| {
            let here = |phrase: &&&str| {
                let mut words = phrase.split(' ').enumerate();
                words.all(|(n, word)| {
                    at + n < clause.end
                        && self.values.get(at + n).is_some_and(|value| value == word)
                })
            };
            phrases.iter().filter(here).map(|phrase| phrase.split(' ').count()).max()
        };
        let value = self.values.get(at)?.as_str();
        // “Should the mail server turn out impossible”
        let should = value == "should"
            && (clause.start..at).all(|at| JOINING.contains(&self.values[at].as_str()));
        let condition = (IF.contains(&value) || should).then(|| {
            let mut ends = (at + 1..clause.end.min(at + CONDITION))
                .filter_map(|end| Some((end, end + starts(end, IMPOSSIBLE)?)));
            ends.next()
        });
        let before =
            (clause.start..at).rev().take_while(|at| JOINING.contains(&self.values[*at].as_str()));
        let first = before.last().unwrap_or(at);
        if let Some((impossible, end)) = condition.flatten() {
            let named: Vec<usize> =
                (at + 1..impossible).filter(|at| self.is_content(*at)).collect();
            let instead = self.after(end, &clause)?;
            let whole = first..end;
            // “If you can't do daily backups, weekly is fine”
            let object = (end..clause.end).any(|at| self.is_content(at));
            if self.values[impossible] == "you" && object {
                let instead = self.after(clause.end, &clause)?;
                return Some(Fallback {
                    preferred: end..clause.end,
                    instead,
                    marker: whole.collect(),
                    clear: true,
                });
            }
            return Some(match (named.first(), named.last()) {
                (Some(from), Some(to)) => Fallback {
                    preferred: *from..to + 1,
                    instead,
                    marker: whole.filter(|at| !(*from..to + 1).contains(at)).collect(),
                    clear: true,
                },
                _ => Fallback {
                    preferred: self.before(first)?,
                    instead,
                    marker: whole.collect(),
                    clear: true,
                },
            });
        }
        if let Some(fallback) = self.named_again(at, first, &clause) {
            return Some(fallback);
        }
        let clear = starts(at, FAILING);
        let count = clear.or_else(|| starts(at, OTHERWISE))?;
        let instead = self.after(at + count, &clause)?;
        let rest = self.values[instead.clone()].iter().any(|word| REST.contains(&word.as_str()));
        (clear.is_some() || !rest).then_some(())?;
        Some(Fallback {
            preferred: self.before(first)?,
            instead,
            marker: (first..at + count).collect(),
            clear: clear.is_some(),
        })
    }

    /// “Frankfurt. If there is no Frankfurt, Ireland”: the condition names the better choice again.
    fn named_again(&self, at: usize, first: usize, clause: &Range<usize>) -> Option<Fallback> {
        let value = |at: usize| self.values[at].as_str();
        let says = |at: &usize| self.language(*at).weight(value(*at)) != Weight::Empty;
        let no = (at + 1..clause.end).find(says).filter(|_| IF.contains(&value(at)))?;
        let named: Vec<usize> = (no + 1..clause.end).filter(says).collect();
        let (from, to) = (*named.first()?, *named.last()?);
        let earlier = |at: &usize| (0..first).any(|before| value(before) == value(*at));
        let again = is_negation(value(no)) && named.iter().all(earlier) && self.is_content(from);
        let instead = self.after(clause.end, clause).filter(|_| again)?;
        let marker = (first..clause.end).filter(|at| !(from..to + 1).contains(at)).collect();
        Some(Fallback { preferred: from..to + 1, instead, marker, clear: true })
    }

    /// What the user takes if the rest of the message is not possible, up to the end of its sentence.
    pub fn spare(&self) -> Option<Words> {
        let instead = self.fallback().filter(|fallback| fallback.clear)?.instead;
        let end = self.sentence(instead.start).end.max(instead.end);
        let others = (0..self.values.len()).filter(|at| !(instead.start..end).contains(at));
        Some(self.clone().without(&others.collect()))
    }

    /// Whether a value is a wish or a part of one.
    fn is_content(&self, at: usize) -> bool {
        let word = self.values[at].as_str();
        self.language(at).weight(word) == Weight::Full
            && Language::English.weight(word) == Weight::Full
    }

    /// The rest of the clause, or the next clause if there is none.
    fn after(&self, at: usize, clause: &Range<usize>) -> Option<Range<usize>> {
        let wishes = |at: usize| self.is_content(at) || self.values[at] == "daily";
        // “If not possible, on a new one. The application listens on 9000.”
        let brief = (at..clause.end).any(|at| self.weighs(at) != Weight::Empty);
        let ends = clause.end >= self.values.len() || self.sentence(clause.end).start == clause.end;
        let range = if (at..clause.end).any(wishes) || brief && ends {
            at..clause.end
        } else if clause.end.max(at) < self.values.len() {
            self.clause(clause.end.max(at))
        } else {
            return None;
        };
        let says = |at: &usize| self.language(*at).weight(&self.values[*at]) != Weight::Empty;
        let first = range.clone().find(says)?;
        range.clone().any(wishes).then_some(first..range.end)
    }

    /// The nearest clause, or part of one, before a position that says something.
    fn before(&self, at: usize) -> Option<Range<usize>> {
        const CLAUSES: usize = 2;
        let mut end = at;
        for _ in 0..CLAUSES {
            let range = self.clause(end.checked_sub(1)?).start..end;
            if range.clone().any(|at| self.is_content(at)) {
                // “If you can do Azure, a VM there, otherwise …”
                let before = range.start.checked_sub(1).map(|before| self.clause(before));
                let condition = before.filter(|before| {
                    let joins = |at: &usize| !JOINING.contains(&self.values[*at].as_str());
                    let first = before.clone().find(joins);
                    self.sentence(range.start).contains(&before.start)
                        && first.is_some_and(|at| IF.contains(&self.values[at].as_str()))
                });
                let start = condition.map_or(range.start, |condition| condition.start);
                return Some(start..range.end);
            }
            end = range.start;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_best_is_found_with_what_is_preferred() {
        for (text, preferred, instead, clear) in [
            (
                "a vps with mariadb, or if that's not possible mysql",
                "a vps with mariadb",
                "mysql",
                true,
            ),
            ("if mariadb is not possible take mysql", "mariadb", "mysql", true),
            ("mongodb. if that's impossible, then postgres", "mongodb", "postgres", true),
            ("postgis, if you can, otherwise plain postgres", "postgis", "plain postgres", false),
            ("mariadb, failing that mysql", "mariadb", "mysql", true),
            ("if you can't do mariadb, mysql is fine", "mariadb", "mysql is fine", true),
            ("frankfurt. if there is no frankfurt, ireland", "frankfurt", "ireland", true),
            (
                "if you can do azure, a vm there, if not, hetzner",
                "if you can do azure a vm there",
                "hetzner",
                false,
            ),
            ("and should mariadb be impossible, then mysql", "mariadb", "mysql", true),
        ] {
            let words = Words::of(text);
            let found = words.fallback().expect(text);
            let said = |range: Range<usize>| words.said_in(range);
            assert_eq!(
                (said(found.preferred), said(found.instead), found.clear),
                (preferred.to_string(), instead.to_string(), clear),
                "{text}"
            );
        }
    }

    #[test]
    fn other_conditions_are_not_a_second_best() {
        for text in [
            "ports 80 and 443 open, otherwise everything closed",
            "otherwise the defaults",
            "restart it if it crashes",
            "if possible with redis",
            "a login by password is not possible",
        ] {
            assert_eq!(Words::of(text).fallback(), None, "{text}");
        }
    }
}
