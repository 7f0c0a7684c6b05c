//! Estimates of tokens, for bounds and for calls whose provider did not count.

/// Bytes of text in one token: English and code average about four in current tokenizers.
const BYTES_PER_TOKEN: usize = 4;

/// Tokens that so many bytes of text make, rounded up.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// Fewest bytes that a token of any usual text has: code and other scripts than the Latin one have more tokens.
const FEWEST_BYTES_PER_TOKEN: usize = 2;

/// Tokens that so many bytes of text make at most.
pub(crate) fn at_most(bytes: usize) -> u64 {
    bytes.div_ceil(FEWEST_BYTES_PER_TOKEN) as u64
}
