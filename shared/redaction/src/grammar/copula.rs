//! Walks over a verb that ties a password to its word: "should be", "has been changed to", "isn't".

use super::Reader;
use super::tie::{BETWEEN, TieDetails};
use super::walk::Walk;
use crate::lexicon::{Part, is_from, is_to, part};

impl Reader<'_> {
    /// Walks over "should be", "has been changed to", "isn't".
    pub(super) fn copula(&self, walk: &mut Walk<'_>) -> Option<TieDetails> {
        let (mut is, mut moved, mut denied) = (false, false, false);
        for passed in 0..BETWEEN {
            let mark = walk.at;
            let (word, _) = walk.next()?;
            if (word == ":" || word == "=") && is {
                return Some(TieDetails { signed: true, moved, denied, ..TieDetails::default() });
            }
            let not = word.ends_with("n't");
            let next = || walk.peek().and_then(|next| part(&walk.text[next]));
            denied |= not;
            match part(word).or(not.then_some(Part::Is)) {
                _ if self.is_polish && word == "to" => is = true,
                // "wurde auf X geändert", "was changed from X to Y"
                _ if passed > 0
                    && is_to(word)
                    && (moved || matches!(word, "auf" | "op" | "na") || walk.is_changed()) =>
                {
                    return Some(TieDetails { moved: true, denied, ..TieDetails::default() });
                }
                _ if moved && is_from(word) => {
                    return Some(TieDetails { moved, denied: true, ..TieDetails::default() });
                }
                // "used to be", "ha sido", "a été"
                _ if matches!(word, "to" | "out" | "been" | "a" | "été")
                    && passed > 0
                    && !moved
                    && matches!(next(), Some(Part::Is | Part::Changed)) => {}
                // "was changed yesterday, it's X now"
                _ if word == "," && moved && walk.says_is() => moved = false,
                // "steht auf X", "steht jetzt auf X"
                _ if passed == 0 && matches!(word, "steht" | "stand") => {}
                Some(Part::Is) => is = true,
                Some(Part::May) if !is || passed <= 1 => {}
                Some(Part::Changed) => moved = true,
                Some(Part::Not) => denied = true,
                Some(Part::When) => {}
                // "wäre dann X"
                _ if matches!(word, "dann" | "alors" | "donc" | "allora" | "então") => {}
                Some(Part::It) if passed > 0 && !is && !moved => {}
                Some(Part::Who) if !is => {}
                _ => {
                    walk.at = mark;
                    let verb = walk.ends_in_verb();
                    return ((is && !moved) || verb).then_some(TieDetails {
                        moved: verb,
                        denied,
                        ..TieDetails::default()
                    });
                }
            }
        }
        None
    }
}
