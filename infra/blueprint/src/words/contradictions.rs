//! Wishes that a message both rules out and asks for.

use super::{BREAK, Words};

/// Words after a thing with which a negation rules out all of it, and words by which a thing is asked for after all.
const WHOLE: &[&str] = &[BREAK, "access", "at", "please", "whatsoever", "and"];
const REACHING: &str =
    "from only connect anywhere everywhere over via by access open allow allowed reach";

impl Words {
    /// Whether a message rules out a phrase as a whole and asks for it as well: “no SSH, and SSH only from my address”.
    pub fn contradicts(&self, phrase: &str) -> bool {
        let last = phrase.split_ascii_whitespace().count();
        let next = |first: usize| self.plain.get(first + last).map_or(BREAK, String::as_str);
        let whole = |first: usize| WHOLE.contains(&next(first));
        let reaches = |first: usize| {
            let clause = self.clause(self.origins[first]);
            self.values[clause].iter().any(|word| REACHING.split(' ').any(|listed| listed == word))
        };
        let denied = |first: &usize| self.negated(*first, first + last - 1);
        let (denied, meant): (Vec<_>, Vec<_>) = self.occurrences(phrase).partition(denied);
        denied.into_iter().any(whole) && meant.into_iter().any(reaches)
    }
}
