//! The rows for the words that nothing has explained, clause by clause and in the user's own words.
//!
//! Two rules apply to every sentence. If no word of a clause is explained, the whole clause is a row, unless all its
//! words are empty. If a negation in a clause is neither obeyed nor reported, the whole clause is a row as well, even
//! if all its other words are explained: “without a server” must not disappear because “server” is a word of the
//! deployment.

mod weighing;

use std::collections::BTreeSet;
use std::ops::Range;

use super::context::looks_secret;
use super::open::{Open, Token};
use crate::words::language::Weight;
use crate::words::numbers;
use crate::words::{Words, is_negation, lists};
use weighing::weights;

/// Maximum length of a row, in characters. Longer ones are divided.
const WISH_CHARS: usize = 100;

/// The row in place of a word that must not be repeated.
pub(super) const SECRET: &str = "a word that may be a secret, so it is not repeated";

/// Maximum distance, in words, between a negation and what it rules out.
const NEGATION_REACH: usize = 7;

/// Light words that are a wish if a clause says nothing else: “nothing else reachable”, “and closed at night”.
const MEANT_ALONE: &str = "accessible reachable available open opened close closed remove removed change changed rename \
                           daily nightly weekly monthly every second third fourth additional extra outside inside \
                           network address number another other";

/// Light words that restrict the explained words before them: “alerts only by day”.
const RESTRICTING: &str = "day days night nights month months accessible reachable available open inside \
     production prod staging testing";

/// Words by which a user says that something stays where it is. No deployment here can do that.
const STAYING: &[&str] = &[
    "stay", "stays", "remain", "remains", "bleibt", "bleiben", "reste", "restent", "queda",
    "quedan",
];

/// Words by which something is to be on another machine.
const OTHER: &str = "own another other separate second eigene eigener eigenen";

/// Machines that a number before them counts, also with a word in between: “2 database servers”.
const COUNTED: &str = "server servers machines nodes instances boxes hosts vms";

/// Empty words that add to what follows, so they stay at the beginning of a row.
const LEADING: &[&str] =
    &["only", "just", "from", "until", "within", "by", "via", "under", "for", "after", "before"];

/// The rows for everything that is left.
pub(super) fn rows(open: &Open, words: &Words) -> Vec<String> {
    let weights = weights(&open.tokens, words);
    let mut rows = Vec::new();
    for range in clauses(&open.tokens, words) {
        Clause { words, tokens: &open.tokens, weights: &weights, range }.rows(&mut rows);
    }
    rows
}

/// Words that describe a thing without adding a wish.
const FILLERS: &str = "basic simple small little tiny minimal plain standard usual normal nice project projects app \
    apps application stack system company team business personal hobby demo test testing thing things stuff way kind \
    sort bit lot";

/// The clauses that have light words beyond mere description, for a message in which nothing else was understood.
pub(super) fn light(open: &Open, words: &Words) -> Vec<String> {
    let weights = weights(&open.tokens, words);
    let fills = |word: &str| FILLERS.split_ascii_whitespace().any(|filler| filler == word);
    let mut rows = Vec::new();
    for range in clauses(&open.tokens, words) {
        let says = |at: usize| {
            let token = &open.tokens[at];
            token.open && weights[at] == Weight::Light && !fills(&token.word)
        };
        if range.clone().any(says) {
            let clause =
                Clause { words, tokens: &open.tokens, weights: &weights, range: range.clone() };
            clause.say(clause.trimmed(range), &mut BTreeSet::new(), &mut rows);
        }
    }
    rows
}

fn clauses(tokens: &[Token], words: &Words) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let last = tokens.get(at + 1).is_none_or(|next| next.value != token.value);
        if last && words.ends_clause(token.value) {
            clauses.push(start..at + 1);
            start = at + 1;
        }
    }
    clauses
}

/// What the rows of a clause already contain: positions of values, and of parts that were translated as a whole.
type Said = BTreeSet<(bool, usize)>;

/// A clause of the message, as a range of tokens.
struct Clause<'a> {
    words: &'a Words,
    tokens: &'a [Token],
    weights: &'a [Weight],
    range: Range<usize>,
}

impl Clause<'_> {
    fn rows(&self, rows: &mut Vec<String>) {
        let claimed = self.range.clone().any(|at| !self.tokens[at].open && self.is_content(at));
        let stray = self.range.clone().any(|at| self.is_stray(at));
        let mut said = BTreeSet::new();
        let all: Vec<usize> = self.range.clone().collect();
        if self.leaves_something() {
            self.say(all, &mut said, rows);
        } else if stray
            || (!claimed && self.is_a_wish(self.range.clone()) && !self.is_a_label(&all))
        {
            self.say(self.trimmed(self.range.clone()), &mut said, rows);
        } else if claimed {
            self.groups(&mut said, rows);
        }
    }

    /// Whether the clause asks to leave something where it is: “keep the database where it is”.
    fn leaves_something(&self) -> bool {
        let tokens = &self.tokens[self.range.clone()];
        let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word.as_str()));
        let obeyed = tokens.iter().any(|token| token.ruled_out);
        let content = self.range.clone().any(|at| self.is_content(at));
        // “SSH remains restricted to 203.0.113.7”
        let value = |token: &Token| !token.open && token.word.starts_with(char::is_numeric);
        let closed = has(&["open", "closed", "shut"]) || tokens.iter().any(value);
        let kept = has(&["keep", "leave"]) && has(&["where", "there"]);
        content && !obeyed && !closed && (kept || has(STAYING))
    }

    fn is_content(&self, at: usize) -> bool {
        matches!(self.weights[at], Weight::Full | Weight::Light)
    }

    fn has(&self, range: Range<usize>, weight: Weight) -> bool {
        range.into_iter().any(|at| self.weights[at] == weight)
    }

    /// Whether unexplained words are a wish.
    fn is_a_wish(&self, range: Range<usize>) -> bool {
        let alone = |at: usize| {
            let word = self.tokens[at].word.as_str();
            MEANT_ALONE.split_ascii_whitespace().any(|meant| meant == word)
        };
        // “the other things by default” asks for nothing more.
        let accepts = |at: usize| ["default", "defaults"].contains(&self.tokens[at].word.as_str());
        let negated = self.has(range.clone(), Weight::Negation);
        self.has(range.clone(), Weight::Full)
            || (negated && self.has(range.clone(), Weight::Light))
            || self.restricts(&range.clone().collect::<Vec<_>>())
            || (!range.clone().any(accepts)
                && range.into_iter().any(|at| self.weights[at] == Weight::Light && alone(at)))
    }

    /// Whether this is a negation of explained words that is neither obeyed nor reported.
    fn is_stray(&self, at: usize) -> bool {
        if self.weights[at] != Weight::Negation || self.tokens[at].ruled_out {
            return false;
        }
        let near = at.saturating_sub(NEGATION_REACH).max(self.range.start)
            ..(at + 1 + NEGATION_REACH).min(self.range.end);
        let next = (at + 1..self.range.end).find(|at| self.weights[*at] != Weight::Empty);
        // “without a frobnicator” becomes a row anyway, and “don't forget” negates nothing.
        let begins = next.is_some_and(|next| {
            let open = self.tokens[next].open && self.is_content(next);
            open || is_negation(&self.tokens[next].word)
        });
        let content = self.range.clone().any(|at| self.is_content(at));
        content && !begins && !near.into_iter().any(|at| self.tokens[at].ruled_out)
    }

    /// The rows for the words that are left between explained ones.
    fn groups(&self, said: &mut Said, rows: &mut Vec<String>) {
        let mut group: Vec<usize> = Vec::new();
        for at in self.range.clone() {
            match self.weights[at] {
                Weight::Negation => {
                    self.end(&mut group, said, rows);
                    group.push(at);
                }
                Weight::Empty if group.is_empty() && !self.begins(at) => {}
                Weight::Empty => group.push(at),
                _ if self.tokens[at].open => {
                    // “python 3.12”: the number belongs to the explained word before it.
                    let before = at.checked_sub(1).filter(|before| self.range.contains(before));
                    let known = |at: &usize| !self.tokens[*at].open && self.is_content(*at);
                    if group.is_empty() && self.is_a_number(at) {
                        group.extend(before.filter(known));
                    }
                    group.push(at);
                }
                _ if self.tokens[at].ruled_out && self.only_denies(&group) => group.clear(),
                _ => {
                    // “2 workers” and “basic server” are incomplete without the explained word after them.
                    let last = group.last().is_some_and(|last| {
                        // “I require a machine, EC2”: a complete row needs no explained word.
                        let full = group.iter().any(|at| self.weights[*at] == Weight::Full);
                        // “On its own server”: which server it is not on says nothing without the noun.
                        let other = lists(OTHER, &self.tokens[*last].word);
                        let counted =
                            self.is_a_number(group[0]) && lists(COUNTED, &self.tokens[at].word);
                        self.is_a_number(*last)
                            || other
                            || counted
                            || (self.weights[*last] == Weight::Light && !full)
                    });
                    if last && self.wishes(&group) {
                        group.push(at);
                        // “1 cache server”
                        let next = Some(at + 1).filter(|next| self.range.contains(next));
                        let counted = |next: &usize| lists(COUNTED, &self.tokens[*next].word);
                        group.extend(next.filter(counted));
                    }
                    self.end(&mut group, said, rows);
                }
            }
        }
        self.end(&mut group, said, rows);
    }

    /// Whether an empty word begins a row: “only by day”, “off from 8 pm”.
    fn begins(&self, at: usize) -> bool {
        ["only", "off", "until"].contains(&self.tokens[at].word.as_str())
    }

    fn is_a_number(&self, at: usize) -> bool {
        let word = &self.tokens[at].word;
        numbers::read(word).is_some()
            || word.starts_with(|c: char| c.is_ascii_digit())
                && word.chars().all(|c| c.is_ascii_digit() || ".x".contains(c))
    }

    /// Whether a row so far has only a negation and words that describe what is ruled out: “no own domain”.
    fn only_denies(&self, group: &[usize]) -> bool {
        let negated = group.iter().any(|at| self.weights[*at] == Weight::Negation);
        negated && group.iter().all(|at| self.weights[*at] != Weight::Full)
    }

    /// Whether the words are a wish. Light words are one only with a negation or a restriction: “don't create anything
    /// new”.
    fn wishes(&self, group: &[usize]) -> bool {
        let has = |weight: Weight| {
            group.iter().any(|at| self.weights[*at] == weight && self.tokens[*at].open)
        };
        has(Weight::Full) || (has(Weight::Negation) && has(Weight::Light)) || self.restricts(group)
    }

    /// Whether the words restrict the explained ones before them: “only by day”, “only in production”.
    fn restricts(&self, group: &[usize]) -> bool {
        let word = |at: &usize| self.tokens[*at].word.as_str();
        let listed = |at: &usize| lists(RESTRICTING, word(at));
        group.first().is_some_and(|at| word(at) == "only")
            && group.iter().any(|at| self.tokens[*at].open && listed(at))
    }

    /// Completes a row.
    fn end(&self, group: &mut Vec<usize>, said: &mut Said, rows: &mut Vec<String>) {
        let mut group = std::mem::take(group);
        // “Comments off”
        let off = |at: usize| self.tokens[at].word == "off";
        while group.last().is_some_and(|at| self.weights[*at] == Weight::Empty && !off(*at)) {
            group.pop();
        }
        if self.wishes(&group) && !self.is_a_label(&group) {
            self.say(group, said, rows);
        }
    }

    /// Whether the words only name the kind of the value beside them: the “tipo” of “tipo t4g.medium”.
    fn is_a_label(&self, group: &[usize]) -> bool {
        const LABELS: &str = "tipo type typ region région región location standort ubicación emplacement version versión puerto port domaine dominio presupuesto";
        let named = group.iter().any(|at| self.weights[*at] == Weight::Full);
        named
            && group.iter().all(|at| match self.weights[*at] {
                Weight::Full => LABELS.split(' ').any(|label| label == self.tokens[*at].word),
                Weight::Negation => false,
                Weight::Light | Weight::Empty => true,
            })
    }

    /// The tokens without the empty words around them.
    fn trimmed(&self, range: Range<usize>) -> Vec<usize> {
        let empty = |at: &usize| self.weights[*at] == Weight::Empty;
        let leading = |at: &usize| LEADING.contains(&self.tokens[*at].word.as_str());
        let mut tokens: Vec<usize> = range.skip_while(|at| empty(at) && !leading(at)).collect();
        let only = |at: &usize| ["only", "off"].contains(&self.tokens[*at].word.as_str());
        while tokens.last().is_some_and(|at| empty(at) && !only(at)) {
            tokens.pop();
        }
        tokens
    }

    /// Adds a row with these tokens, in the user's words, leaving out what the clause's rows already contain.
    fn say(&self, group: Vec<usize>, said: &mut Said, rows: &mut Vec<String>) {
        let mut row = String::new();
        for at in group {
            let token = &self.tokens[at];
            if looks_secret(&token.word) {
                rows.push(SECRET.into());
                continue;
            }
            let (text, piece) = self.words.said(token.value);
            // A phrase that was translated as a whole is repeated only once, and so is a word that was split.
            let source = piece.map_or((false, token.value), |piece| (true, piece));
            let blank = !text.contains(|c: char| c.is_alphanumeric() || "€$%".contains(c));
            if !said.insert(source) || blank {
                continue;
            }
            if !row.is_empty() && row.chars().count() + text.chars().count() > WISH_CHARS {
                rows.push(std::mem::take(&mut row));
            }
            let separator = if row.is_empty() { "" } else { " " };
            row.push_str(separator);
            row.push_str(text);
        }
        rows.extend(Some(row).filter(|row| !row.is_empty()));
    }
}
