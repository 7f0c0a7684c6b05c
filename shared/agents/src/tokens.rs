//! Estimates of tokens, for limits and for calls whose provider did not count.

/// Bytes of text in one token: English and code average about four in current tokenizers.
const BYTES_PER_TOKEN: usize = 4;

/// The tokens of this many bytes of text, rounded up.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// Tokens that a provider may add to one message, to mark its speaker and its end.
const TOKENS_AROUND_MESSAGE: usize = 16;
/// Tokens that a provider may put before a request: its prompt that explains tools takes a few hundred.
const TOKENS_AROUND_REQUEST: usize = 1_000;

/// The most tokens of this many bytes in this many messages. Tokenizers split bytes into pieces of one or more, so no
/// text has more tokens than bytes.
pub(crate) fn at_most(bytes: usize, messages: usize) -> u64 {
    let around = messages.saturating_mul(TOKENS_AROUND_MESSAGE);
    bytes.saturating_add(around).saturating_add(TOKENS_AROUND_REQUEST) as u64
}
