//! Samples of one round, and their quantiles.

use std::time::Duration;

/// Measured values, sorted.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// From values in any order.
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// From durations, in milliseconds.
    pub fn of(durations: impl IntoIterator<Item = Duration>) -> Self {
        Self::new(durations.into_iter().map(|taken| taken.as_secs_f64() * 1000.0).collect())
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The smallest value that this share of the samples does not exceed (nearest rank); NaN without samples.
    pub fn quantile(&self, share: f64) -> f64 {
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank among far fewer samples than a float counts exactly"
        )]
        let rank = (self.0.len() as f64 * share).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
    }

    /// The share of samples from `low` up to `high`.
    #[allow(clippy::cast_precision_loss, reason = "a share, printed with two digits")]
    pub fn share_between(&self, low: f64, high: f64) -> f64 {
        let within = self.0.partition_point(|x| *x < high) - self.0.partition_point(|x| *x < low);
        within as f64 / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_samples_by_nearest_rank() {
        let hundred = Samples::new((1..=100).rev().map(f64::from).collect());
        assert_eq!(hundred.median(), 50.0);
        assert_eq!(hundred.quantile(0.99), 99.0);
        assert_eq!(hundred.quantile(1.0), 100.0);
        assert_eq!(hundred.quantile(0.0), 1.0);
        assert_eq!(Samples::new(vec![3.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(Samples::new(vec![7.0]).quantile(0.99), 7.0);
        assert!(Samples::default().median().is_nan());
    }

    #[test]
    fn durations_become_milliseconds() {
        assert_eq!(Samples::of([Duration::from_micros(250)]).median(), 0.25);
    }

    #[test]
    fn a_share_counts_the_samples_between_two_values() {
        let samples = Samples::new(vec![1.0, 35.0, 40.0, 45.0]);
        assert_eq!(samples.share_between(35.0, 45.0), 0.5);
        assert_eq!(samples.share_between(50.0, 60.0), 0.0);
    }
}
