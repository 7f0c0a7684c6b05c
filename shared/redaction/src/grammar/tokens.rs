//! Decides which values are tokens: secrets that a machine made.

use super::context::{Context, Tie};
use super::machines::is_long_name;
use crate::value::Value;
use crate::weight::{Weight, is_hex, is_labeled, is_random};

/// The shortest token for which its word is enough evidence, in bytes.
const TOKEN_BYTES: usize = 12;
/// The shortest token in a sentence, in bytes.
const SAID_TOKEN_BYTES: usize = 16;
/// The shortest digest-like text that is a secret because its word says so, in bytes.
const HEX_BYTES: usize = 16;

/// Whether a value after a word for a token is one.
pub(super) fn is_token(context: &Context, found: &Value, value: &str) -> bool {
    let made = found.weight >= Weight::Fair && !value.contains(' ');
    let hex = is_hex(value);
    match context.tie {
        Tie::Sign | Tie::Option | Tie::NextLine => {
            (made && value.len() >= TOKEN_BYTES && (!hex || value.len() >= HEX_BYTES))
                || (found.weight >= Weight::Strong && value.len() >= 8)
                // `asana_token = "4948294481332468"`: shorter numbers are limits, pages and times
                || (context.identifier
                    && context.words == 0
                    && value.len() >= HEX_BYTES
                    && value.bytes().all(|b| b.is_ascii_digit()))
                // `X-Api-Key: oak-table-19`
                || (context.name.starts_with("X_")
                    && (is_labeled(value) || found.weight >= Weight::Name))
        }
        Tie::Copula | Tie::Direct | Tie::Slash => {
            let strong = found.weight == Weight::Strong;
            (strong
                && value.len() >= TOKEN_BYTES
                && (!hex || value.len() >= 2 * HEX_BYTES)
                && !is_long_name(value))
                || (hex && value.len() >= HEX_BYTES)
                // `Authorization: Bearer walnut-2041`
                || (context.name == "BEARER_TOKEN" && context.tie == Tie::Direct
                    && value.len() >= 8
                    && value.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && (is_labeled(value) || found.weight >= Weight::Name))
        }
        Tie::With | Tie::And => {
            found.weight == Weight::Strong
                && value.len() >= SAID_TOKEN_BYTES
                && !hex
                && !is_long_name(value)
        }
        Tie::Asked | Tie::Near => is_random(value),
        Tie::Subject => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_long_number_is_a_token_behind_the_name_of_one() {
        for text in ["asana_token = \"4948294481332468\"", "ASANA_API_TOKEN: 4948294481332468"] {
            assert_eq!(found(text), ["4948294481332468"], "{text}");
        }
        for text in ["max_tokens = 4096", "token_ttl: 4948294481332468", "page_token: 1733"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
