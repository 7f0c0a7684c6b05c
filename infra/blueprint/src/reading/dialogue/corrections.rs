//! Values that a message corrects without naming them: “not 8000, 8001”, “rather 203.0.113.50”, “not in Germany”.

use super::Dialogue;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::{networks, places};
use crate::words::Words;

/// Words by which a user calls a number wrong.
const WRONG: &[&str] =
    &["wrong", "mistake", "mistaken", "error", "falsch", "incorrecto", "faux", "fausse"];

impl Dialogue {
    /// The number that takes the place of a parameter's present one, which the message denies: “14 days is wrong, legal
    /// says 7”.
    pub(super) fn corrected(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        let present = self.values.get(parameter.key)?;
        let values: Vec<&str> = words.values().collect();
        let number = |at: &usize| values[*at].bytes().all(|byte| byte.is_ascii_digit());
        let denied = |at: usize| {
            let clause = &values[words.clause(at)];
            !words.means_value(at) || clause.iter().any(|word| WRONG.contains(word))
        };
        let (old, new): (Vec<usize>, Vec<usize>) =
            (0..values.len()).filter(number).partition(|at| denied(*at));
        let [new] = new.as_slice() else { return None };
        let old = old.iter().any(|at| values[*at] == present);
        (parameter.accept)(values[*new]).filter(|_| old)
    }

    /// The value that a message implies although the parameter's reader does not find one.
    pub(super) fn amended(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        match parameter.key {
            key if key == networks::SSH_FROM.key && self.named.contains(key) => {
                networks::corrected(words)
            }
            "location" | "region" => {
                let present = self.values.get(parameter.key);
                let present = present.map_or(parameter.default, String::as_str);
                places::instead_of(words, places::of(self.blueprint?.place), present)
            }
            _ => None,
        }
    }
}
