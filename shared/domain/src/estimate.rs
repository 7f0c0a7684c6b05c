//! Estimates what an execution will take, before it starts.
//!
//! An installation's own earlier steps are the best basis: what the execution agent used and how long the commands ran,
//! per step, in each earlier project. Until there are enough of them, the estimate uses the pricing page's six
//! deployments: 14 to 40 minutes and $2.00 to $7.00 from the first message to the last check, for about ten steps; half
//! of that counts as the execution. An estimate is always a range, because two plans of ten steps differ by more than a
//! single number can say.

use crate::MicroDollars;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The least number of measured steps on which an estimate can be based.
const ENOUGH_STEPS: u64 = 3;

/// How far one project's measured mean may be off: half as much, or twice as much.
const SPREAD: u64 = 2;

/// One step of the pricing page's deployments, as the module explains: the lowest and the highest value, in
/// micro-dollars, tokens and milliseconds. Tokens are counted at four sent for each one written, $8 a million.
const DOCUMENTED: [Taken; 2] = [
    Taken { steps: 1, tokens: 12_500, cost: MicroDollars(100_000), milliseconds: 42_000 },
    Taken { steps: 1, tokens: 43_750, cost: MicroDollars(350_000), milliseconds: 120_000 },
];

/// What some steps took together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// Number of steps.
    pub steps: u64,
    /// What the execution agent sent and wrote.
    pub tokens: u64,
    /// Cost of the tokens.
    pub cost: MicroDollars,
    /// How long they took to prepare and run, without the time that they spent waiting for their owner.
    pub milliseconds: u64,
}

/// What a project's execution agent has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Tokens sent and written.
    pub tokens: u64,
    /// Cost of the tokens.
    pub cost: MicroDollars,
}

impl Used {
    /// What was used after `before`.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(before.tokens),
            cost: (self.cost - before.cost).max(MicroDollars::ZERO),
        }
    }

    /// The usage at the beginning of a change that becomes the current one again because the change on top of it was
    /// abandoned. What the abandoned change used does not count for it.
    #[must_use]
    pub fn resumed(self, abandoned_from: Self, now: Self) -> Self {
        let abandoned = now.since(abandoned_from);
        Self {
            tokens: self.tokens.saturating_add(abandoned.tokens),
            cost: self.cost + abandoned.cost,
        }
    }
}

/// Where an estimate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Earlier steps of this installation.
    Measured,
    /// The deployments on the pricing page.
    PricingPage,
}

/// A range for some steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// What the estimate is based on.
    pub basis: Basis,
    /// The number of measured steps behind it; 0 for the pricing page.
    pub from_steps: u64,
    /// The low end of the range.
    pub low: Taken,
    /// The high end of the range.
    pub high: Taken,
}

impl Taken {
    /// The same for this many steps, at `times / over` of the mean.
    fn scaled(self, steps: u64, times: u64, over: u64) -> Self {
        let part = |value: u64| {
            let divisor = u128::from(self.steps.max(1)) * u128::from(over);
            let whole = u128::from(value) * u128::from(steps) * u128::from(times);
            u64::try_from(whole.div_ceil(divisor)).unwrap_or(u64::MAX)
        };
        let cost = i64::try_from(part(self.cost.0.unsigned_abs())).unwrap_or(i64::MAX);
        Self {
            steps,
            tokens: part(self.tokens),
            cost: MicroDollars(cost),
            milliseconds: part(self.milliseconds),
        }
    }

    fn least(self, other: Self) -> Self {
        Self {
            steps: self.steps,
            tokens: self.tokens.min(other.tokens),
            cost: self.cost.min(other.cost),
            milliseconds: self.milliseconds.min(other.milliseconds),
        }
    }

    fn most(self, other: Self) -> Self {
        Self {
            steps: self.steps,
            tokens: self.tokens.max(other.tokens),
            cost: self.cost.max(other.cost),
            milliseconds: self.milliseconds.max(other.milliseconds),
        }
    }
}

impl Estimate {
    /// The estimate for `steps` steps, from what earlier projects took.
    pub fn of(steps: u64, projects: &[Taken]) -> Self {
        let measured: Vec<_> = projects.iter().filter(|taken| taken.steps > 0).collect();
        let from_steps = measured.iter().map(|taken| taken.steps).sum();
        if from_steps < ENOUGH_STEPS {
            let [low, high] = DOCUMENTED.map(|taken| taken.scaled(steps, 1, 1));
            return Self { basis: Basis::PricingPage, from_steps: 0, low, high };
        }
        let over = if measured.len() == 1 { SPREAD } else { 1 };
        let lows = measured.iter().map(|taken| taken.scaled(steps, 1, over));
        let highs = measured.iter().map(|taken| taken.scaled(steps, over, 1));
        let low = lows.reduce(Taken::least).unwrap_or_default();
        let high = highs.reduce(Taken::most).unwrap_or_default();
        Self { basis: Basis::Measured, from_steps, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(steps: u64, tokens: u64, cents: i64, milliseconds: u64) -> Taken {
        Taken { steps, tokens, cost: MicroDollars::of_cents(cents), milliseconds }
    }

    #[test]
    fn a_change_that_resumes_has_used_what_it_used_before_the_abandoned_one() {
        let used = |tokens, cents| Used { tokens, cost: MicroDollars::of_cents(cents) };
        let (began, interrupted, now) = (used(100, 1), used(400, 5), used(1_000, 12));
        let resumed = began.resumed(interrupted, now);
        assert_eq!(now.since(resumed), interrupted.since(began));
        assert_eq!(began.since(now), Used::default(), "usage never falls");
    }

    #[test]
    fn without_measured_steps_the_estimate_uses_the_pricing_page() {
        for projects in [vec![], vec![taken(2, 10, 1, 10)], vec![taken(0, 900, 1, 0)]] {
            let said = Estimate::of(10, &projects);
            assert_eq!((said.basis, said.from_steps), (Basis::PricingPage, 0));
            assert_eq!(
                (said.low.cost, said.high.cost),
                (MicroDollars::of_cents(100), MicroDollars::of_cents(350))
            );
            assert_eq!((said.low.milliseconds, said.high.milliseconds), (420_000, 1_200_000));
        }
    }

    #[test]
    fn one_project_gives_half_and_twice_its_mean_and_several_give_their_extremes() {
        let one = taken(4, 4_000, 8, 40_000);
        let said = Estimate::of(2, &[one]);
        assert_eq!((said.basis, said.from_steps), (Basis::Measured, 4));
        assert_eq!((said.low.tokens, said.high.tokens), (1_000, 4_000));
        let said = Estimate::of(2, &[one, taken(1, 3_000, 1, 1_000)]);
        assert_eq!((said.low.tokens, said.high.tokens), (2_000, 6_000));
        assert_eq!((said.low.milliseconds, said.high.milliseconds), (2_000, 20_000));
        assert_eq!(
            (said.low.cost, said.high.cost),
            (MicroDollars::of_cents(2), MicroDollars::of_cents(4))
        );
    }
}
