//! Questions about values that a message changes without saying to what: “sixty is overkill”, “one more server”.

use super::super::Dialogue;
use super::numbers::is_bare;
use super::{ELSEWHERE, EXCESS, MACHINES};
use crate::catalogue::foreign::Foreign;
use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{places, spans};
use crate::reading::wishes::DAYS;
use crate::words::language::Weight;
use crate::words::{Words, denies, gives_up, numbers};

/// Words for more or fewer servers.
const MORE: &[&str] = &[
    "more",
    "another",
    "additional",
    "extra",
    "fewer",
    "less",
    "double",
    "half",
    "weiterer",
    "weiteren",
    "weitere",
    "noch",
    "zusätzlicher",
    "zusätzlichen",
    "weniger",
    "más",
    "menos",
    "otro",
    "plus",
    "moins",
    "encore",
    "supplémentaire",
];

impl Dialogue {
    /// Asks about a value that a later message calls wrong without another one, or changes by a number of servers: “sixty
    /// is overkill”, “one more server”.
    pub(super) fn doubt_the_old(
        &mut self,
        words: &Words,
        anchors: &[&'static Parameter],
        later: bool,
    ) {
        let changed = |key: &str| self.latest.changed.iter().any(|(one, _)| one.key == key);
        let values: Vec<&str> = words.values().collect();
        let wrong = anchors.iter().copied().find_map(|one| {
            let present = self.values.get(one.key).and_then(|value| numbers::read(value));
            let at = values.iter().position(|value| numbers::read(value) == present)?;
            let place = places::own(words, places::of(self.blueprint?.place));
            let place = |at: usize| place.iter().any(|place| place.values.contains(&at));
            let full = |at: usize| {
                words.weighs(at) == Weight::Full
                    && numbers::read(values[at]).is_none()
                    && !place(at)
            };
            let doubted =
                words.clause(at).any(|at| EXCESS.contains(&values[at]) || denies(values[at]));
            let open = is_bare(words, at) && words.clause(at).any(full);
            (!changed(one.key) && (doubted || open)).then_some((one, at))
        });
        if let Some((parameter, at)) = wrong.filter(|_| later) {
            self.doubt(parameter, &words.said_in(at..at + 1));
        }
    }

    /// Asks about the number of servers if a later message wants more or fewer: “one more server”.
    pub(in crate::reading::dialogue) fn doubt_more_servers(&mut self, words: &Words) {
        let counted = self.parameters().find(|one| ["servers", "app-servers"].contains(&one.key));
        let Some(parameter) =
            counted.filter(|one| !self.said.is_empty() && self.has_given(one.key))
        else {
            return;
        };
        let changed = self.latest.changed.iter().any(|(one, _)| one.key == parameter.key);
        if changed || parameter.found_in(words) != Found::Nothing {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        let clause = words.clauses().into_iter().find(|clause| {
            let has = |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
            // “Drop one of the app servers”
            let gives_up = clause.clone().any(|at| gives_up(values[at]));
            has(MACHINES)
                && (has(MORE) && !has(ELSEWHERE) || gives_up)
                && !words.ends_in_question(clause.start)
        });
        if let Some(clause) = clause {
            self.doubt(parameter, &words.said_in(clause));
        }
    }

    /// Asks about a span of time in a later message that no rule gave to anything: “legal insists on 7 days”.
    pub(super) fn doubt_spans(&mut self, words: &Words) {
        let mut kept = self.parameters().filter(|one| DAYS.contains(&one.key));
        let Some(parameter) = kept.next().filter(|_| !self.said.is_empty()) else { return };
        let changed = self.latest.changed.iter().any(|(changed, _)| changed.key == parameter.key);
        if changed || parameter.found_in(words) != Found::Nothing {
            return;
        }
        let present = self.values.get(parameter.key).cloned().unwrap_or_default();
        let spans = spans::all(words).into_iter();
        let free = |span: &spans::Span| {
            let clause = words.clause(span.values.start);
            let text = words.values().skip(clause.start).take(clause.len());
            let text = Words::of(&text.collect::<Vec<_>>().join(" "));
            span.days.to_string() != present
                && words.means_value(span.values.start)
                && !words.ends_in_question(span.values.start)
                && !is_about_another(&text)
        };
        if let Some(span) = spans.rev().find(free) {
            self.doubt(parameter, &words.said_in(span.values));
        }
    }
}

/// Whether a clause names something that has a number or a time of its own: “the certificate for 90 days”.
fn is_about_another(clause: &Words) -> bool {
    const TIMED: &[&str] = &["certificate", "cert", "trial", "guarantee", "contract", "holiday"];
    clause.means_any(TIMED) || Foreign::is_named_in(clause)
}
