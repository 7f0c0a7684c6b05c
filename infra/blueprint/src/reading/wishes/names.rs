//! Names that the plan writes in another way than the user.

use super::context::Context;
use super::{Asked, Fate};
use crate::words::Words;

/// Names that the plan spells with other characters than the user.
pub(super) fn names_written_differently(words: &Words, context: &Context) -> Vec<Asked> {
    let named = |word: &str| {
        let names = context.parameters.iter().filter(|p| ["name", "database"].contains(&p.key));
        let mut written = names.filter_map(|parameter| (parameter.accept)(word));
        written.find(|name| name != word && context.has_value(name))
    };
    let asked = |word: &str| {
        let fate = Fate::Differently(named(word)?);
        word.contains(['_', '.', '-']).then(|| Asked { what: word.to_string(), fate })
    };
    words.values().filter_map(asked).collect()
}
