//! Estimates of tokens, for bounds and for calls whose provider did not count.

/// Bytes of text in one token: English and code average about four in current tokenizers.
const BYTES_PER_TOKEN: usize = 4;

/// Tokens that so many bytes of text make, rounded up.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// Tokens that a provider may put around one message, to say whose it is and where it ends.
const TOKENS_AROUND_MESSAGE: usize = 16;
/// Tokens that a provider may put before a request: the prompt by which it explains tools is a few hundred.
const TOKENS_AROUND_REQUEST: usize = 1_000;

/// Tokens that so many bytes in so many messages make at most. Tokenizers split bytes into pieces of one or more,
/// so there is no text with more tokens than bytes.
pub(crate) fn at_most(bytes: usize, messages: usize) -> u64 {
    let around = messages.saturating_mul(TOKENS_AROUND_MESSAGE);
    bytes.saturating_add(around).saturating_add(TOKENS_AROUND_REQUEST) as u64
}
