//! How much work one turn may take, and how a run's model is brought to hand in its work before the end.
//!
//! A run keeps nothing but what the model passes to one tool. A model that looks around in every reply would use all its
//! calls for looks, and they would have been paid for nothing. So the last calls of a run are forced to be that tool's.

use super::{Rounds, ends};
use crate::error::AgentError;
use crate::provider::Patience;
use crate::provider::error::{Kind, ModelError};

/// The most model calls of one turn.
const MODEL_CALLS: usize = 8;
/// The most tokens of one turn, input and output of all its calls together.
const TURN_TOKENS: u64 = 500_000;
/// How many of a run's calls are left for handing in: the second one mends what is refused at the first.
const LAST_CALLS: usize = 2;
/// The tokens after which a run only hands in.
const LOOKING_TOKENS: u64 = TURN_TOKENS / 5 * 4;

impl Rounds<'_> {
    /// Whether another call may be made.
    pub(super) fn may_go_on(&self) -> bool {
        self.calls < MODEL_CALLS && self.spent <= TURN_TOKENS
    }

    /// Whether no person reads along and only the wanted tool counts.
    pub(super) fn is_run_with_goal(&self) -> bool {
        self.task.patience == Patience::Queue && self.task.goal.is_some()
    }

    /// Whether the model must call the wanted tool now.
    pub(super) fn is_forced(&self) -> bool {
        !self.unforced && (self.bound || self.must_hand_in())
    }

    /// Whether a run has just enough left for its work.
    fn must_hand_in(&self) -> bool {
        let is_late = self.calls + LAST_CALLS >= MODEL_CALLS || self.spent >= LOOKING_TOKENS;
        is_late && self.is_run_with_goal()
    }

    /// What the model reads after the results of its last free call.
    pub(super) fn hint(&self) -> Option<String> {
        let goal = self.task.goal.filter(|_| self.must_hand_in())?;
        Some(format!("\n\nYour calls are nearly used up. Call `{goal}` now."))
    }

    /// The error of a turn that has used up its calls or tokens.
    pub(super) fn used_up(&mut self) -> AgentError {
        if let Some(refusal) = self.refusal.take() {
            return ends::mistaken(&refusal);
        }
        let spent = format!("{} tokens in {} calls of one turn", self.spent, self.calls);
        match self.is_run_with_goal() {
            true => ends::not_handed_in().because(spent),
            false => ModelError::new(Kind::OverBudget, spent).into(),
        }
    }
}
