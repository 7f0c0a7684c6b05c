//! The result of a request.

use serde::{Deserialize, Serialize};

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every step was carried out.
    Built,
    /// The plan is complete, but this place does not have what it, or its last steps, needs.
    Planned,
    /// Nothing is built, and the replies say so.
    Refused,
    /// Something that the user asked for is neither built nor named.
    Dropped,
    /// A run, a step or a reply failed.
    Failed,
}

/// Something that must hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Held {
    /// The condition.
    pub about: String,
    /// Whether it holds.
    pub holds: bool,
    /// What the check saw.
    pub seen: String,
}

/// Everything counted for one request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Score {
    /// How the request ended.
    pub outcome: Outcome,
    /// The reason, if it is not obvious.
    pub why: String,
    /// Number of steps carried out.
    #[serde(default)]
    pub steps: u32,
    /// The servers that were made, each with its operating system.
    #[serde(default)]
    pub servers: Vec<String>,
    /// What the second run changed, in the workspace and on servers; `None` without a second run.
    pub changed: Option<Vec<String>>,
    /// The request's own checks.
    pub checks: Vec<Held>,
    /// The requirements, with the verdict of the validation.
    pub requirements: Vec<Held>,
    /// Number of commands that the owner approved.
    pub approvals: u32,
    /// Number of attempts beyond the first, for steps and checks together.
    pub repairs: u32,
    /// Number of calls to the model.
    pub calls: usize,
    /// Number of input and output tokens.
    pub tokens: u64,
    /// Cost of the tokens.
    pub dollars: f64,
    /// Time from the first message to the end.
    #[serde(skip)]
    pub seconds: f64,
    /// Roles whose instructions have changed since the recording.
    #[serde(skip)]
    pub drift: Vec<String>,
    /// The conversation: each speaker and message.
    #[serde(skip)]
    pub said: Vec<(&'static str, String)>,
}

impl Score {
    /// An empty score.
    pub fn new() -> Self {
        Self {
            outcome: Outcome::Failed,
            why: String::new(),
            steps: 0,
            servers: Vec::new(),
            changed: None,
            checks: Vec::new(),
            requirements: Vec::new(),
            approvals: 0,
            repairs: 0,
            calls: 0,
            tokens: 0,
            dollars: 0.0,
            seconds: 0.0,
            drift: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Whether the user got what they asked for, or an honest answer that they will not get it.
    pub fn passes(&self) -> bool {
        let hold = |held: &[Held]| held.iter().all(|one| one.holds);
        match self.outcome {
            Outcome::Refused => true,
            Outcome::Dropped | Outcome::Failed => false,
            // Some of it may have been carried out.
            Outcome::Planned => {
                self.changed.as_ref().is_none_or(Vec::is_empty) && hold(&self.checks)
            }
            Outcome::Built => {
                let unchanged = self.changed.as_ref().is_some_and(Vec::is_empty);
                unchanged && hold(&self.checks) && hold(&self.requirements)
            }
        }
    }

    /// The score that the request would have without servers, where it ends with the plan.
    pub fn without_servers(&self) -> Self {
        let planned = Self { outcome: Outcome::Planned, ..Self::new() };
        match self.outcome {
            Outcome::Built | Outcome::Planned | Outcome::Failed => planned,
            Outcome::Refused | Outcome::Dropped => self.clone(),
        }
    }

    /// What is worse than in `before`.
    pub fn worse_than(&self, before: &Self) -> Vec<String> {
        let mut worse = Vec::new();
        let held = |score: &Self| {
            score.checks.iter().chain(&score.requirements).filter(|one| one.holds).count()
        };
        if self.outcome != before.outcome {
            worse.push(format!("{:?} instead of {:?}: {}", self.outcome, before.outcome, self.why));
        }
        if before.passes() && !self.passes() {
            worse.push(format!("it passed before: {self:#?}"));
        }
        if held(self) < held(before) {
            worse.push(format!("{} conditions hold instead of {}", held(self), held(before)));
        }
        for (what, now, then) in [
            ("approvals", self.approvals, before.approvals),
            ("repairs", self.repairs, before.repairs),
        ] {
            if now > then {
                worse.push(format!("{now} {what} instead of {then}"));
            }
        }
        worse
    }
}

impl Default for Score {
    fn default() -> Self {
        Self::new()
    }
}
