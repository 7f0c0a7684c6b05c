//! Where the DevOps helper submits commands; this crate defines only the trait.
//!
//! The helper proposes a command and then watches it until it has ended. The desk decides who approves it, what runs it
//! and where its state is kept. `functions/devops-helper/src/desk.rs` implements it over the table: each command is a step
//! of the track [`Track::Helper`](domain::step::Track), so `look` is one read of one item.
//!
//! Errors: [`AgentError::model`] if the model can rephrase the command or should tell its user,
//! [`AgentError::internal`] if the store failed, which ends the turn.

use crate::error::AgentError;
use domain::Scope;
use domain::gate::GateVerdict;
use domain::step::CommandTarget;
use domain::step::{Command, Step};

/// Takes commands and reports their state.
#[async_trait::async_trait]
pub trait CommandDesk: Send + Sync {
    /// The command as the desk would run it. The words are the model's, so the desk alone decides whether they may run
    /// without the user's approval.
    async fn draft(
        &self,
        scope: Scope,
        target: CommandTarget,
        command: &str,
    ) -> Result<Drafted, AgentError>;

    /// Puts a drafted command on the desk, with the verdict of automatic checks.
    async fn propose(
        &self,
        scope: Scope,
        draft: &Drafted,
        verdict: Option<GateVerdict>,
        reason: &str,
    ) -> Result<Proposed, AgentError>;

    /// The command's current state; a reply that follows the command asks about twice a second.
    async fn look(&self, scope: Scope, number: u32) -> Result<Step, AgentError>;
}

/// A command that is not on the desk yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drafted {
    /// Where it runs.
    pub target: CommandTarget,
    /// The model's own words.
    pub command: String,
    /// The complete script that will run.
    pub script: String,
    /// Whether it will wait for the user's approval.
    pub needs_approval: bool,
}

/// A command on the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its number among the helper's commands, from 1.
    pub number: u32,
    /// The complete command that will run: the user approves what they see.
    pub command: Command,
    /// Whether it waits for the user's decision.
    pub needs_approval: bool,
    /// The number of this attempt; a decision names it.
    pub attempt: u32,
}
