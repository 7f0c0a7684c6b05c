//! Which models cache what they have read.
//!
//! A request marks the end of its instructions and of its newest message. The provider caches everything before a mark
//! for some minutes, so the same text at the beginning of a turn's next round costs a tenth as much.

use super::converse;
use crate::config::Provider;

/// Whether requests to the model mark what its provider should cache; the others cache requests without marks, or not at
/// all.
pub(super) fn are_for(provider: Provider, name: &str) -> bool {
    match provider {
        Provider::Anthropic => true,
        Provider::Bedrock => converse::keeps_marked(name),
        Provider::OpenAi => false,
    }
}
