//! The account at the provider, which is the user's in any case: “in our AWS account”, “the account exists already”.

use std::ops::Range;

use crate::words::{Words, lists};

/// Words for an account.
const ACCOUNTS: &str = "account accounts konto kontos cuenta compte";
/// Words by which it is that of the user or at the provider.
const WHOSE: &str = "own my our existing personal company hetzner aws amazon cloud mein meinem meinen unser unserem unseren \
    eigenes eigenen eigenem bestehendes bestehenden mi nuestra propia existente mon notre propre existant";
/// How many words before the account may say whose it is.
const REACH: usize = 3;

/// The words for such an account, as positions of values.
pub(super) fn places(words: &Words) -> Vec<Range<usize>> {
    let is_one = |at: &usize| words.is_in(*at, ACCOUNTS);
    let place = |at: usize| {
        let clause = words.clause(at);
        let first = clause.start.max(at.saturating_sub(REACH));
        let own = (first..at).find(|at| words.is_in(*at, WHOSE));
        // “An account at Hetzner”
        let end = clause.end.min(at + 1 + REACH);
        let provider = (at + 1..end).find(|at| {
            words.values().nth(*at).is_some_and(|value| lists("hetzner aws amazon", value))
        });
        match (own, provider) {
            (Some(own), _) => Some(own..at + 1),
            (None, Some(provider)) => Some(at..provider + 1),
            (None, None) => None,
        }
    };
    (0..words.count()).filter(is_one).filter_map(place).collect()
}
