//! Money in whole micro-dollars, and the price of tokens.
//!
//! One dollar per million tokens is exactly one micro-dollar per token, so at the preview's rates (five and twenty
//! dollars per million) a call's cost is an integer and never rounded.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// Price of an input token in micro-dollars: $5 per million.
pub const INPUT_TOKEN_PRICE: MicroDollars = MicroDollars(5);
/// Price of an output token in micro-dollars: $20 per million.
pub const OUTPUT_TOKEN_PRICE: MicroDollars = MicroDollars(20);

/// The part of an input token's price that a provider does not charge if it had the token cached, in percent: Anthropic,
/// Bedrock and OpenAI's current models charge a tenth.
const CACHED_DISCOUNT_PERCENT: i64 = 90;

/// What caching this many input tokens saves a provider's customer, at the price of this module; the fraction of a
/// micro-dollar is cut off. Users pay the same for every token.
pub fn saved_by_caching(cached_tokens: u64) -> MicroDollars {
    let tokens = i64::try_from(cached_tokens).unwrap_or(i64::MAX);
    let whole = tokens.saturating_mul(INPUT_TOKEN_PRICE.0);
    MicroDollars(
        whole / 100 * CACHED_DISCOUNT_PERCENT + whole % 100 * CACHED_DISCOUNT_PERCENT / 100,
    )
}

/// The smallest payment.
pub const MIN_PAYMENT: MicroDollars = MicroDollars::of_cents(100);
/// The largest payment.
pub const MAX_PAYMENT: MicroDollars = MicroDollars::of_cents(1_000_000);
/// Micro-dollars in a cent.
const PER_CENT: i64 = 10_000;

/// An amount of money, in millionths of a US dollar.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct MicroDollars(pub i64);

impl MicroDollars {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// An amount in cents; saturates instead of wrapping.
    pub const fn of_cents(cents: i64) -> Self {
        Self(cents.saturating_mul(PER_CENT))
    }

    /// Whole cents; the rest is cut off.
    pub const fn cents(self) -> i64 {
        self.0 / PER_CENT
    }

    /// Dollars as a JSON number; exact to the last micro-dollar below a billion dollars.
    pub fn dollars(self) -> f64 {
        // One rounding, to the number nearest to the decimal, which prints as that decimal.
        self.0 as f64 / 1_000_000.0
    }

    /// The amount in a decimal such as `25`, `0.10` or `2.5e1`, in dollars with at most two decimals.
    ///
    /// The text is read digit by digit: as a float, 0.29 dollars would become 28 cents. Larger amounts saturate, so
    /// that the caller can reject them as too large.
    pub fn parse_dollars(text: &str) -> Option<Self> {
        let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let decimals = i64::try_from(fraction.len()).ok()?;
        // How many digits follow the cents, or are missing before them.
        let mut shift = i64::from(exponent.parse::<i32>().ok()?) - decimals + 2;
        let mut digits = digits.trim_start_matches('0');
        while let Some(shorter) = digits.strip_suffix('0').filter(|_| shift < 0) {
            (digits, shift) = (shorter, shift + 1);
        }
        let missing = match usize::try_from(shift) {
            _ if digits.is_empty() => return Some(Self::ZERO),
            Ok(missing) => missing.min(MOST_DIGITS),
            Err(_) => return None,
        };
        let cents = format!("{digits}{}", "0".repeat(missing)).parse().unwrap_or(i64::MAX);
        Some(Self::of_cents(cents.saturating_mul(sign)))
    }
}

/// More digits than any valid number of cents has.
const MOST_DIGITS: usize = 20;

/// The reason why an amount cannot be paid; the texts are for the payer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAmount {
    /// Not a number of dollars and cents, or nothing.
    #[error("Please enter a valid amount greater than $0")]
    NotPositive,
    /// Less than [`MIN_PAYMENT`].
    #[error("Minimum amount is $1")]
    TooSmall,
    /// More than [`MAX_PAYMENT`].
    #[error("Maximum amount is $10,000")]
    TooLarge,
}

/// The amount of a payment, as typed.
pub fn payment_amount(text: &str) -> Result<MicroDollars, InvalidAmount> {
    match MicroDollars::parse_dollars(text) {
        Some(amount) if amount > MAX_PAYMENT => Err(InvalidAmount::TooLarge),
        Some(amount) if amount >= MIN_PAYMENT => Ok(amount),
        Some(amount) if amount > MicroDollars::ZERO => Err(InvalidAmount::TooSmall),
        _ => Err(InvalidAmount::NotPositive),
    }
}

impl Sub for MicroDollars {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for MicroDollars {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

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

/// The price of a running sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SandboxRate(MicroDollars);

impl SandboxRate {
    /// A price per hour; zero if the amount is negative.
    pub fn per_hour(amount: MicroDollars) -> Self {
        Self(amount.max(MicroDollars::ZERO))
    }

    /// Whether sandboxes are free.
    pub fn is_zero(self) -> bool {
        self.0 == MicroDollars::ZERO
    }

    /// The price of this many seconds, rounded down to a micro-dollar; saturates instead of wrapping.
    pub fn cost(self, seconds: i64) -> MicroDollars {
        let micro = i128::from(self.0.0) * i128::from(seconds.max(0)) / SECONDS_PER_HOUR;
        MicroDollars(i64::try_from(micro).unwrap_or(i64::MAX))
    }
}

const SECONDS_PER_HOUR: i128 = 3_600;

/// Tokens of one or more model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens sent to the model.
    pub input_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
}

impl TokenUsage {
    /// All tokens together; saturates instead of wrapping.
    pub const fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// As many of these tokens as an amount pays for: output tokens first, then input tokens.
    #[must_use]
    pub fn paid_by(self, amount: MicroDollars) -> Self {
        let amount = amount.max(MicroDollars::ZERO);
        let most = |amount: MicroDollars, price: MicroDollars| (amount.0 / price.0).unsigned_abs();
        let output_tokens = self.output_tokens.min(most(amount, OUTPUT_TOKEN_PRICE));
        let rest = amount - Self { input_tokens: 0, output_tokens }.cost();
        Self { input_tokens: self.input_tokens.min(most(rest, INPUT_TOKEN_PRICE)), output_tokens }
    }

    /// The price of these tokens at the preview's rates; saturates instead of wrapping.
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
    fn a_million_tokens_cost_their_list_price() {
        let million = TokenUsage { input_tokens: 1_000_000, output_tokens: 0 };
        assert_eq!(million.cost().to_string(), "5.000000");
        let million = TokenUsage { input_tokens: 0, output_tokens: 1_000_000 };
        assert_eq!(million.cost().to_string(), "20.000000");
    }

    #[test]
    fn no_count_of_tokens_costs_more_than_the_amount_that_pays_for_it() {
        for tokens in [0, 1, 19, 20, 16_000, 1_000_000_000, u64::MAX] {
            for amount in [-1, 0, 1, 19, 20, 424_242, i64::MAX] {
                let amount = MicroDollars(amount);
                for usage in [
                    TokenUsage { input_tokens: tokens, output_tokens: 0 },
                    TokenUsage { input_tokens: 0, output_tokens: tokens },
                    TokenUsage { input_tokens: tokens, output_tokens: tokens },
                ] {
                    let paid = usage.paid_by(amount);
                    assert!(paid.cost() <= amount.max(MicroDollars::ZERO), "{usage:?} {amount}");
                    assert!(usage.cost() > amount || paid == usage || usage.cost().0 == i64::MAX);
                }
            }
        }
    }

    #[test]
    fn an_hour_of_a_sandbox_costs_its_rate() {
        let rate = SandboxRate::per_hour(MicroDollars::of_cents(6));
        assert_eq!((rate.cost(3_600), rate.cost(60)), (MicroDollars(60_000), MicroDollars(1_000)));
        assert_eq!((rate.cost(-5), rate.cost(0)), (MicroDollars(0), MicroDollars(0)));
        assert_eq!(SandboxRate::per_hour(MicroDollars(i64::MAX)).cost(i64::MAX).0, i64::MAX);
        assert!(SandboxRate::per_hour(MicroDollars(-1)).is_zero());
    }

    #[test]
    fn caching_saves_nine_tenths_of_the_input_and_never_overflows() {
        assert_eq!(saved_by_caching(0), MicroDollars::ZERO);
        assert_eq!(saved_by_caching(1), MicroDollars(4));
        assert_eq!(saved_by_caching(1_000_000), MicroDollars(4_500_000));
        assert!(saved_by_caching(u64::MAX).0 > 0);
    }

    #[test]
    fn small_and_negative_amounts_keep_every_digit() {
        assert_eq!(MicroDollars(7).to_string(), "0.000007");
        assert_eq!(MicroDollars(-1_500_000).to_string(), "-1.500000");
    }

    #[test]
    fn the_typed_amount_is_paid_to_the_cent() {
        for (typed, cents) in [
            ("1", 100),
            ("0.29", 29),
            ("1.10", 110),
            ("1.100", 110),
            ("10000.00", 1_000_000),
            ("2.5e1", 2_500),
            ("2500E-2", 2_500),
            ("0", 0),
            ("-3.07", -307),
            ("4503599627370497.01", 450_359_962_737_049_701),
        ] {
            assert_eq!(MicroDollars::parse_dollars(typed), Some(MicroDollars::of_cents(cents)));
        }
        for typed in ["", ".5", "1.234", "1e-3", "1,5", "0x10", "1e", "NaN", "1_000", "+1", "٣"] {
            assert_eq!(MicroDollars::parse_dollars(typed), None, "{typed:?}");
        }
    }

    #[test]
    fn each_amount_out_of_bounds_names_its_bound() {
        use InvalidAmount::{NotPositive, TooLarge, TooSmall};
        for (typed, why) in [
            ("0", NotPositive),
            ("-5", NotPositive),
            ("1.005", NotPositive),
            ("0.99", TooSmall),
            ("10000.01", TooLarge),
            ("1e300", TooLarge),
            ("123456789012345678901234567890", TooLarge),
        ] {
            assert_eq!(payment_amount(typed), Err(why), "{typed}");
        }
        assert_eq!(payment_amount("1"), Ok(MIN_PAYMENT));
        assert_eq!(payment_amount("10000"), Ok(MAX_PAYMENT));
    }

    #[test]
    fn dollars_print_without_the_noise_of_floats() {
        for micro in [1, 10_000, 290_000, 24_987_655, 999_999_999_999_999] {
            let printed = format!("{:.6}", MicroDollars(micro).dollars());
            assert_eq!(printed, MicroDollars(micro).to_string());
        }
        assert_eq!(MicroDollars(24_987_655).dollars().to_string(), "24.987655");
    }
}
