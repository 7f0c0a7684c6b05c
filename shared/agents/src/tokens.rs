//! Estimates of tokens, for bounds and for calls whose provider did not count.

/// Bytes of text in one token: English and code average about four in current tokenizers.
const BYTES_PER_TOKEN: usize = 4;

/// Tokens that so many bytes of text make, rounded up.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}
