//! What a server has refused of our requests, and how they are written for it since then; also how its replies begin.
//!
//! Servers that speak one protocol differ in small things: how the limit of a reply is called, how high it may be, whether
//! they count a stream. A refusal names the field that is not accepted. If we can leave that field out or write it in
//! another way without changing what the operator set, we ask again at once, and write later requests so from the start.

use super::error::{Field, ModelError};
use crate::exchange::{Dialect, Options};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How often one call is written anew.
pub(super) const REWRITES: usize = 3;

/// The lowest limit that is worth a second try: a shorter reply holds no script.
const LEAST_TOKENS: u32 = 1_000;

/// The dialect after a refusal of a request with these options; `None` if it teaches nothing.
fn after(dialect: Dialect, error: &ModelError, options: &Options) -> Option<Dialect> {
    let next = match error.field()? {
        Field::Usage => Dialect { counts_nothing: true, ..dialect },
        Field::ReplyTokens => {
            let fits = |most: &u32| (LEAST_TOKENS..options.reply_tokens).contains(most);
            match error.numbers.iter().copied().filter(fits).max() {
                Some(most) => Dialect { most_tokens: Some(most), ..dialect },
                None => Dialect { renames_limit: true, ..dialect },
            }
        }
        Field::Temperature | Field::Effort | Field::Tools | Field::Other => return None,
    };
    (next != dialect).then_some(next)
}

/// The dialects of a provider's models, by their names. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Dialects(Arc<Mutex<HashMap<String, Dialect>>>);

impl Dialects {
    /// The options in the model's dialect.
    pub(super) fn of(&self, model: &str, options: &Options) -> Options {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let dialect = known.get(model).copied().unwrap_or_default();
        let most = dialect.most_tokens.unwrap_or(u32::MAX);
        let reply_tokens = options.reply_tokens.min(most);
        Options { reply_tokens, dialect, ..options.clone() }
    }

    /// Keeps that the model's replies begin within its thoughts.
    pub(super) fn begins_in_thoughts(&self, model: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(model.to_owned()).or_default().begins_in_thoughts = true;
    }

    /// Whether the refusal of a request with these options shows how to write it so that it may be accepted.
    pub(super) fn learn(&self, model: &str, error: &ModelError, options: &Options) -> bool {
        let Some(next) = after(options.dialect, error, options) else { return false };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), next);
        true
    }
}
