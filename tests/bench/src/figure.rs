//! One line of the table: a figure, its target, and a peer's figure from the same run.
//!
//! Each figure is measured in several rounds. Its value is their median, and its noise is half of their range: how much
//! the results of the same program vary on this machine within minutes. A target counts as missed only if it is missed
//! by more than that.

use crate::samples::Samples;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Milliseconds,
    Megabytes,
    MegabytesPerSecond,
    Kilobytes,
    Percent,
    Count,
}

/// The target of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    AtMost(f64),
    AtLeast(f64),
}

/// How a figure compares with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figure has no target.
    Free,
    Met,
    /// Missed by no more than the noise.
    Unclear,
    Missed,
}

/// A third party's program, measured the same way.
#[derive(Clone, Debug)]
pub struct Peer {
    pub name: &'static str,
    pub rounds: Vec<f64>,
}

/// A measured figure.
#[derive(Clone, Debug)]
pub struct Figure {
    pub what: String,
    pub unit: Unit,
    rounds: Vec<f64>,
    target: Option<Target>,
    peer: Option<Peer>,
}

impl Figure {
    /// A figure with the value of each round.
    pub fn new(what: impl Into<String>, unit: Unit, rounds: Vec<f64>) -> Self {
        assert!(!rounds.is_empty(), "a figure without a round");
        Self { what: what.into(), unit, rounds, target: None, peer: None }
    }

    /// A quantile of each round's durations.
    pub fn quantile(what: impl Into<String>, share: f64, rounds: &[Samples]) -> Self {
        let rounds = rounds.iter().map(|round| round.quantile(share)).collect();
        Self::new(what, Unit::Milliseconds, rounds)
    }

    /// The same figure under another name.
    pub fn named(self, what: String) -> Self {
        Self { what, ..self }
    }

    pub fn at_most(self, most: f64) -> Self {
        Self { target: Some(Target::AtMost(most)), ..self }
    }

    pub fn at_least(self, least: f64) -> Self {
        Self { target: Some(Target::AtLeast(least)), ..self }
    }

    /// Adds the same figure of a peer, if it was measured.
    pub fn beside(self, name: &'static str, peer: Option<Self>) -> Self {
        Self { peer: peer.map(|peer| Peer { name, rounds: peer.rounds }), ..self }
    }

    pub fn value(&self) -> f64 {
        median(&self.rounds)
    }

    /// Half of the rounds' range.
    pub fn noise(&self) -> f64 {
        let (low, high) = self
            .rounds
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), round| (low.min(*round), high.max(*round)));
        (high - low) / 2.0
    }

    pub fn verdict(&self) -> Verdict {
        let beyond = match self.target {
            None => return Verdict::Free,
            Some(Target::AtMost(most)) => self.value() - most,
            Some(Target::AtLeast(least)) => least - self.value(),
        };
        // A figure that could not be measured (NaN) has not met its target.
        if beyond <= 0.0 {
            Verdict::Met
        } else if beyond <= self.noise() {
            Verdict::Unclear
        } else {
            Verdict::Missed
        }
    }

    /// The line of the table.
    pub fn line(&self) -> String {
        let shown = |value: f64| show(value, self.unit);
        let target = match self.target {
            None => "–".to_owned(),
            Some(Target::AtMost(most)) => format!("≤ {}", bound(most, self.unit)),
            Some(Target::AtLeast(least)) => format!("≥ {}", bound(least, self.unit)),
        };
        let (peer, ratio) = match &self.peer {
            None => ("–".to_owned(), "–".to_owned()),
            Some(peer) => {
                let theirs = median(&peer.rounds);
                let ratio = self.value() / theirs;
                let ratio =
                    if ratio.is_finite() { format!("{ratio:.2}") } else { "–".to_owned() };
                (format!("{} ({})", shown(theirs), peer.name), ratio)
            }
        };
        let verdict = match self.verdict() {
            Verdict::Free => "–",
            Verdict::Met => "met",
            Verdict::Unclear => "within noise",
            Verdict::Missed => "**missed**",
        };
        let (value, noise) = (shown(self.value()), show(self.noise(), self.unit));
        format!("| {} | {value} | ± {noise} | {target} | {peer} | {ratio} | {verdict} |", self.what)
    }
}

/// The median; for an even number of values, the mean of the middle two.
fn median(rounds: &[f64]) -> f64 {
    let mut sorted = rounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// A value with its unit.
pub fn show(value: f64, unit: Unit) -> String {
    let decimals = match unit {
        Unit::Count => 0,
        Unit::Kilobytes => 0,
        _ if value.abs() < 10.0 => 2,
        _ if value.abs() < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}{}", suffix(unit))
}

/// A target with its unit, without insignificant digits.
fn bound(value: f64, unit: Unit) -> String {
    format!("{value}{}", suffix(unit))
}

fn suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Milliseconds => " ms",
        Unit::Megabytes => " MB",
        Unit::MegabytesPerSecond => " MB/s",
        Unit::Kilobytes => " kB",
        Unit::Percent => " %",
        Unit::Count => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(rounds: &[f64]) -> Figure {
        Figure::new("echo", Unit::Milliseconds, rounds.to_vec())
    }

    #[test]
    fn the_value_is_the_median_and_the_noise_half_of_the_range() {
        let echo = figure(&[4.0, 2.0, 9.0]);
        assert_eq!((echo.value(), echo.noise()), (4.0, 3.5));
        assert_eq!(figure(&[1.0, 2.0]).value(), 1.5);
        assert_eq!(figure(&[1.0]).noise(), 0.0);
    }

    #[test]
    fn a_target_is_missed_only_beyond_the_noise() {
        let rounds = [4.0, 2.0, 9.0];
        assert_eq!(figure(&rounds).verdict(), Verdict::Free);
        assert_eq!(figure(&rounds).at_most(4.0).verdict(), Verdict::Met);
        assert_eq!(figure(&rounds).at_most(0.5).verdict(), Verdict::Unclear);
        assert_eq!(figure(&rounds).at_most(0.4).verdict(), Verdict::Missed);
        assert_eq!(figure(&rounds).at_least(4.0).verdict(), Verdict::Met);
        assert_eq!(figure(&rounds).at_least(7.5).verdict(), Verdict::Unclear);
        assert_eq!(figure(&rounds).at_least(7.6).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_figure_that_was_not_measured_has_not_met_its_target() {
        assert_eq!(figure(&[f64::NAN]).at_most(1.0).verdict(), Verdict::Missed);
    }

    #[test]
    fn a_line_names_units_target_peer_and_ratio() {
        let peer = figure(&[1.0]);
        let line = figure(&[2.0, 2.0, 3.0]).at_most(3.0).beside("terminado", Some(peer)).line();
        assert_eq!(
            line,
            "| echo | 2.00 ms | ± 0.50 ms | ≤ 3 ms | 1.00 ms (terminado) | 2.00 | met |"
        );
        let missed = Figure::new("lost", Unit::Count, vec![12.0]).at_most(0.0).beside("x", None);
        assert_eq!(missed.line(), "| lost | 12 | ± 0 | ≤ 0 | – | – | **missed** |");
    }
}
