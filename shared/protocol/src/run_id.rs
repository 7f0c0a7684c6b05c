//! The id of a run in messages to and from a sandbox.

use domain::RunId;
use domain::step::Track;
use std::fmt;
use std::str::FromStr;

/// A run's id on the wire. It contains the step of the run, so that a report finds its step by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireRun {
    /// Step or check.
    pub track: Track,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt.
    pub run_id: RunId,
}

impl fmt::Display for WireRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let track = match self.track {
            Track::Execution => 'e',
            Track::Validation => 'v',
            Track::Helper => 'h',
            Track::Drift => 'd',
            Track::Rollback => 'b',
        };
        write!(f, "{track}{}-{}", self.step_number, self.run_id)
    }
}

/// A text that is not a run's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a run id")]
pub struct NotARun;

impl FromStr for WireRun {
    type Err = NotARun;

    fn from_str(text: &str) -> Result<Self, NotARun> {
        let (step, run) = text.split_once('-').ok_or(NotARun)?;
        let (track, number) = step.split_at_checked(1).ok_or(NotARun)?;
        let track = match track {
            "e" => Track::Execution,
            "v" => Track::Validation,
            "h" => Track::Helper,
            "d" => Track::Drift,
            "b" => Track::Rollback,
            _ => return Err(NotARun),
        };
        let step_number = number.parse().map_err(|_| NotARun)?;
        Ok(Self { track, step_number, run_id: RunId::from(run) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_step_on_the_wire() {
        for track in Track::ALL {
            let run = WireRun { track, step_number: 12, run_id: RunId::random() };
            assert_eq!(run.to_string().parse(), Ok(run));
        }
        for bad in ["", "e12", "x1-1", "e-1", "12-1"] {
            assert_eq!(bad.parse::<WireRun>(), Err(NotARun), "{bad:?}");
        }
    }
}
