//! Phrases with which a message gives up everything that the user asked for so far: “change of plan”, “forget all that”.

use std::ops::Range;

use super::{Words, gives_up, lists};

/// The phrases in English; other languages are translated to them.
const ANYWHERE: &[&str] = &[
    "change of plan",
    "change of plans",
    "changed my mind",
    "changed our mind",
    "changed our minds",
    "on second thought",
    "on second thoughts",
    "start over",
    "from scratch",
    "never mind the first idea",
    "said no",
    "scrap all",
    "scrap everything",
    "forget all",
    "forget everything",
];

/// Phrases by which two things that were named before change their places.
const REVERSING: &[&str] = &[
    "the other way round",
    "the other way around",
    "other way round",
    "other way around",
    "vice versa",
    "viceversa",
    "in reverse",
    "swap them",
    "swap both",
    "umgekehrt",
    "andersherum",
    "andersrum",
    "anders herum",
    "vertauscht",
    "al revés",
    "a la inversa",
    "l'inverse",
    "inversement",
    "dans l'autre sens",
];

/// Phrases that give up everything only at the end of their clause: “forget that, …”, but not “forget that replica”.
const AT_THE_END: &[&str] =
    &["scrap it", "scrap that", "forget it", "forget that", "never mind", "nevermind"];

/// Words of refusal that deny nothing right before a word with which a user corrects themselves: “no wait”, “nein, halt”.
const REFUSING: &[&str] = &["no", "nope", "nein", "nee", "non"];
const CORRECTING: &str = "wait sorry actually scratch oops warte wart halt moment stop quatsch espera espere esperad perdón \
    perdona perdon attends attendez pardon";

/// Whether the word after a negation keeps it from denying what follows: “not only”, “don't forget”, and “no wait, make that 30”.
pub(super) fn undoes(negation: &str, next: &str) -> bool {
    ["only", "just"].contains(&next)
        || gives_up(next)
        || REFUSING.contains(&negation) && lists(CORRECTING, next)
}

impl Words {
    /// Whether the message gives up everything that the user asked for so far.
    pub fn changes_the_mind(&self) -> bool {
        self.changes_of_mind().next().is_some()
    }

    /// The clause by which two things that were named before change their places: “the other way round”.
    pub fn reversal(&self) -> Option<Range<usize>> {
        let says = |clause: &Range<usize>| {
            let values = clause.clone().map(|at| self.values[at].as_str());
            let texts = [self.said_in(clause.clone()), values.collect::<Vec<_>>().join(" ")];
            let phrase = |text: &String| {
                REVERSING.iter().any(|phrase| format!(" {text} ").contains(&format!(" {phrase} ")))
            };
            texts.iter().any(phrase)
        };
        self.clauses().into_iter().find(says)
    }

    /// The phrases in the message with which it does so.
    pub fn changes_of_mind(&self) -> impl Iterator<Item = &'static str> {
        let ends = |phrase: &&&str| {
            self.places(phrase).iter().any(|place| {
                let last = self.origin(place.end - 1);
                self.clause(last).end == last + 1
            })
        };
        let anywhere = ANYWHERE.iter().filter(|phrase| self.has(phrase));
        anywhere.chain(AT_THE_END.iter().filter(ends)).copied()
    }
}
