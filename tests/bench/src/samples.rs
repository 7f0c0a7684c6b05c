//! Durations and their statistics.

use std::time::Duration;

/// Measured durations, in milliseconds, sorted.
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn of(durations: Vec<Duration>) -> Self {
        let mut milliseconds: Vec<_> =
            durations.iter().map(|taken| taken.as_secs_f64() * 1000.0).collect();
        milliseconds.sort_by(f64::total_cmp);
        Self(milliseconds)
    }

    pub fn median(&self) -> f64 {
        self.at(0.5)
    }

    fn at(&self, quantile: f64) -> f64 {
        let last = self.0.len() - 1;
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank among at most a few hundred samples"
        )]
        let rank = (last as f64 * quantile).round() as usize;
        self.0[rank]
    }

    /// Median, p99, count and the ratio of the medians, as cells of a table.
    pub fn cells(&self, base: &Self) -> String {
        let (median, p99) = (self.median(), self.at(0.99));
        let ratio = median / base.median();
        format!("{median:.1} ms | {p99:.1} ms | {} | {ratio:.1}", self.0.len())
    }
}

/// A line of the table.
pub struct Row {
    pub what: &'static str,
    pub samples: Samples,
    /// The upper bound for the median, in milliseconds.
    target: Option<f64>,
}

impl Row {
    pub fn new(what: &'static str, samples: Samples, target: Option<f64>) -> Self {
        Self { what, samples, target }
    }

    pub fn holds(&self) -> bool {
        self.target.is_none_or(|target| self.samples.median() < target)
    }

    pub fn target(&self) -> String {
        self.target.map_or("–".to_owned(), |target| format!("< {target:.0} ms"))
    }
}
