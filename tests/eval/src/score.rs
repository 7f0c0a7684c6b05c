//! The result of a request.

use serde::{Deserialize, Serialize};

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Carried out to the last step.
    Built,
    /// Planned in full; what would carry it out, or its last steps, is not here.
    Planned,
    /// Nothing is built, and the replies say so.
    Refused,
    /// Something that was asked for is neither built nor named.
    Dropped,
    /// A run, a step or a reply failed.
    Failed,
}

/// A thing that must hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Held {
    /// What.
    pub about: String,
    /// Whether it does.
    pub holds: bool,
    /// What was seen.
    pub seen: String,
}

/// Everything that is counted about one request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Score {
    /// How it ended.
    pub outcome: Outcome,
    /// Why, where that is not plain.
    pub why: String,
    /// Steps that were carried out.
    #[serde(default)]
    pub steps: u32,
    /// The servers that were made, each with its system.
    #[serde(default)]
    pub servers: Vec<String>,
    /// What the second run changed, in the workspace and on servers; none if there was no second run.
    pub changed: Option<Vec<String>>,
    /// The request's own checks.
    pub checks: Vec<Held>,
    /// The requirements as validation judged them.
    pub requirements: Vec<Held>,
    /// Commands that the owner approved.
    pub approvals: u32,
    /// Attempts beyond the first, steps and checks together.
    pub repairs: u32,
    /// Calls of the model.
    pub calls: usize,
    /// Tokens in and out.
    pub tokens: u64,
    /// What they cost.
    pub dollars: f64,
    /// From the first message to the end.
    #[serde(skip)]
    pub seconds: f64,
    /// Roles whose instructions are others than when this was recorded.
    #[serde(skip)]
    pub drift: Vec<String>,
    /// The conversation, who and what.
    #[serde(skip)]
    pub said: Vec<(&'static str, String)>,
}

impl Score {
    /// Nothing yet.
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

    /// Whether the person got what they asked for, or heard honestly that they do not.
    pub fn passes(&self) -> bool {
        let hold = |held: &[Held]| held.iter().all(|one| one.holds);
        match self.outcome {
            Outcome::Refused => true,
            Outcome::Dropped | Outcome::Failed => false,
            // Part of it may have been carried out.
            Outcome::Planned => {
                self.changed.as_ref().is_none_or(Vec::is_empty) && hold(&self.checks)
            }
            Outcome::Built => {
                let unchanged = self.changed.as_ref().is_some_and(Vec::is_empty);
                unchanged && hold(&self.checks) && hold(&self.requirements)
            }
        }
    }

    /// The same where no server can be had: it ends with the plan.
    pub fn without_servers(&self) -> Self {
        let planned = Self { outcome: Outcome::Planned, ..Self::new() };
        match self.outcome {
            Outcome::Built | Outcome::Planned | Outcome::Failed => planned,
            Outcome::Refused | Outcome::Dropped => self.clone(),
        }
    }

    /// What is worse here than in `before`.
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
            worse.push(format!("{} things hold instead of {}", held(self), held(before)));
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
