//! Notices a proof that requires less than an earlier one of the same step.
//!
//! A model that is asked to fix a step can also change the step's proof until it passes. Each later proof is compared
//! with that of the attempt before and with those that went back in this preparation. The model hears once about a
//! weaker proof, because the earlier one may have required too much; if the model keeps the weaker one, the owner reads
//! the same finding beside the script.

use domain::gate::{Finding, GateVerdict};
use domain::script::parts;
use domain::step::Step;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The earlier proofs of a step, each with the script before it.
pub(crate) struct Proofs {
    before: Mutex<Vec<String>>,
    told: AtomicBool,
}

impl Proofs {
    /// The proof of the step's last attempt, whether the agent or the owner wrote it.
    pub(crate) fn of(step: &Step) -> Self {
        let before = step.command.iter().map(|command| command.script.clone()).collect();
        Self { before: Mutex::new(before), told: AtomicBool::new(false) }
    }

    /// The warning if a text's proof is weaker than an earlier one.
    pub(super) fn weaker(&self, text: &str) -> Option<Finding> {
        let before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        before.iter().find_map(|before| gate::weakened(before, text))
    }

    /// What to tell the model about it, the first time.
    pub(super) fn tell(&self, weaker: Option<&Finding>) -> Option<String> {
        let weaker = weaker.filter(|_| !self.told.swap(true, Ordering::Relaxed))?;
        Some(format!(
            "{} If it did require too much, call again with the same proof: the user reads this note beside it.",
            weaker.message
        ))
    }

    /// Keeps the proof of a text that goes back, unless the proof itself is what was wrong.
    pub(super) fn keep(&self, text: &str, verdict: &GateVerdict) {
        // A check is its own proof.
        let (script, proof) = parts(text);
        let first = proof.map_or(0, |_| script.matches('\n').count());
        let of_proof = |found: &&Finding| {
            let line = found.line.and_then(|line| usize::try_from(line).ok());
            found.is_error() && found.file.is_none() && line.is_none_or(|line| line > first)
        };
        if !verdict.findings.iter().any(|found| of_proof(&found)) {
            let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
            before.push(text.to_owned());
        }
    }
}
