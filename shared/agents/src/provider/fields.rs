//! Finds the part of a request that a provider's refusal is about.

use super::error::Field;

/// The fields that requests have in any protocol, by their names and by the words of messages about them.
const FIELDS: [(&str, Field); 13] = [
    ("max_tokens", Field::ReplyTokens),
    ("max_completion_tokens", Field::ReplyTokens),
    ("max_output_tokens", Field::ReplyTokens),
    ("max_new_tokens", Field::ReplyTokens),
    ("maxtokens", Field::ReplyTokens),
    ("maximum tokens", Field::ReplyTokens),
    ("completion tokens", Field::ReplyTokens),
    ("output tokens", Field::ReplyTokens),
    ("stream_options", Field::Usage),
    ("include_usage", Field::Usage),
    ("temperature", Field::Temperature),
    ("effort", Field::Effort),
    ("thinking", Field::Effort),
];

/// The field that a refusal names in its own place, or else first in its message.
pub(super) fn refused(named: &str, message: &str) -> Field {
    let known = |text: &str| {
        let found = FIELDS.iter().filter_map(|(name, field)| Some((text.find(name)?, *field)));
        found.min_by_key(|(at, _)| *at).map(|(_, field)| field)
    };
    known(named).or_else(|| known(message)).unwrap_or(Field::Other)
}

/// Whether a refusal says that the model cannot call tools at all, and not only that it cannot be forced to.
pub(super) fn lacks_tools(message: &str) -> bool {
    let about = ["tools", "tool use", "tool call", "function call", "functions"];
    let is_about = about.iter().any(|word| message.contains(word));
    is_about && message.contains("support") && !message.contains("tool_choice")
}

/// The whole numbers that stand as words in a message, such as the limit that a model has; not those within names.
pub(super) fn numbers(message: &str) -> Vec<u32> {
    let words = message.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).replace([',', '_'], "")
    });
    words.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_words_of_their_own() {
        let message = "max_tokens is too large: 16000. This model (gpt-4o-2024-11-20) supports at most [1, 8,192].";
        assert_eq!(numbers(message), [16_000, 1, 8_192]);
    }
}
