//! Money in whole micro-dollars, and what tokens cost.
//!
//! One dollar per million tokens is exactly one micro-dollar per token, so at the preview's rates
//! (five and twenty dollars per million) a call's cost is an integer and nothing is ever rounded.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign};

/// Price of an input token in micro-dollars: $5 per million.
pub const INPUT_TOKEN_PRICE: MicroDollars = MicroDollars(5);
/// Price of an output token in micro-dollars: $20 per million.
pub const OUTPUT_TOKEN_PRICE: MicroDollars = MicroDollars(20);

/// An amount of money, in millionths of a US dollar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroDollars(pub i64);

impl Add for MicroDollars {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for MicroDollars {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Dollars as a plain decimal with six places, `12.345678`; no symbol, no grouping.
impl fmt::Display for MicroDollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micro = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:06}", micro / 1_000_000, micro % 1_000_000)
    }
}

/// Tokens of one or more model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens sent to the model.
    pub input_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
}

impl TokenUsage {
    /// What these tokens cost at the preview's rates; saturates rather than wraps.
    pub fn cost(self) -> MicroDollars {
        let priced = |tokens: u64, price: MicroDollars| {
            i64::try_from(tokens).unwrap_or(i64::MAX).saturating_mul(price.0)
        };
        MicroDollars(priced(self.input_tokens, INPUT_TOKEN_PRICE))
            + MicroDollars(priced(self.output_tokens, OUTPUT_TOKEN_PRICE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_tokens_cost_what_the_price_list_says() {
        let million = TokenUsage { input_tokens: 1_000_000, output_tokens: 0 };
        assert_eq!(million.cost().to_string(), "5.000000");
        let million = TokenUsage { input_tokens: 0, output_tokens: 1_000_000 };
        assert_eq!(million.cost().to_string(), "20.000000");
    }

    #[test]
    fn small_and_negative_amounts_keep_every_digit() {
        assert_eq!(MicroDollars(7).to_string(), "0.000007");
        assert_eq!(MicroDollars(-1_500_000).to_string(), "-1.500000");
    }
}
