//! Marks in a request what its provider should cache for the next call.

use super::converse;
use genai::adapter::AdapterKind;
use genai::chat::{CacheControl, ChatMessage, ChatRequest};

/// Whether requests to the model mark what its provider should cache; the others cache requests without marks, or not at
/// all.
pub(super) fn are_for(adapter: AdapterKind, name: &str) -> bool {
    match adapter {
        AdapterKind::Anthropic => true,
        AdapterKind::BedrockApi => converse::keeps_marked(name),
        _ => false,
    }
}

/// The request with marks after the instructions and after the newest message. The provider caches everything before a
/// mark for some minutes, so the same text at the beginning of a turn's next round costs a tenth as much.
pub(super) fn set(mut request: ChatRequest) -> ChatRequest {
    if let Some(newest) = request.messages.last_mut() {
        newest.options.get_or_insert_default().cache_control = Some(CacheControl::Ephemeral);
    }
    if let Some(system) = request.system.take() {
        let system = ChatMessage::system(system).with_options(CacheControl::Ephemeral);
        request.messages.insert(0, system);
    }
    request
}
