//! How much work one turn may take, and how a run's model is brought to hand in its work before the end.
//!
//! A run keeps nothing but what the model passes to one tool. A model that looks around in every reply would use all its
//! calls for looks, and they would have been paid for nothing. So the last calls of a run are forced to be that tool's.
//!
//! What that tool returns to the model for correction does not count against the looks: a model that looked around first
//! may correct its work as often as one that did not.

use super::{Rounds, ends};
use crate::error::AgentError;
use crate::provider::Patience;
use crate::provider::error::{Kind, ModelError};
use crate::roles::propose::ROUNDS;

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
        self.calls < self.most_calls() && self.spent <= TURN_TOKENS
    }

    /// The most calls of this turn.
    fn most_calls(&self) -> usize {
        self.calls_with(self.returned)
    }

    /// The same once a run's tool has returned the work this often: each time allows one more call to correct it.
    fn calls_with(&self, returned: usize) -> usize {
        match self.is_run_with_goal() {
            true => MODEL_CALLS + returned.min(ROUNDS),
            false => MODEL_CALLS,
        }
    }

    /// Whether nothing that the model hands in now can be returned to it, because no call is left in which to correct it.
    pub(super) fn is_last_call(&self) -> bool {
        self.calls >= self.calls_with(self.returned + 1) || self.spent > TURN_TOKENS
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
        let is_late = self.calls + LAST_CALLS >= self.most_calls() || self.spent >= LOOKING_TOKENS;
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
