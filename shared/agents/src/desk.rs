//! Where commands of the DevOps helper go: a desk that this crate knows only by what it is asked.
//!
//! A command is proposed and then looked at until it has ended; who approves it, what runs it and
//! where its state is kept is the desk's. A desk over the table makes each command a step of the track
//! [`Track::Helper`](domain::step::Track), so `look` is one read of one item:
//!
//! ```ignore
//! #[async_trait]
//! impl CommandDesk for Desk {
//!     async fn draft(&self, scope, target, command) -> Result<Drafted, AgentError> {
//!         // 1. no sandbox to run in: Err(AgentError::model("The sandbox is not running. Ask …"))
//!         // 2. script = the command itself, or what carries it to the server by ssh
//!     }
//!     async fn propose(&self, scope, draft, reason) -> Result<Proposed, AgentError> {
//!         // 3. a new step: Prepare, Prepared { script, verdict }, and for a reading (domain::read_only): Approve
//!     }
//!     async fn look(&self, scope, number) -> Result<Step, AgentError> { /* that step */ }
//! }
//! let agents = AgentContext::from_env(..).await?.with_command_desk(Arc::new(desk));
//! ```
//!
//! Errors: [`AgentError::model`] for what the model can put differently or tell its user,
//! [`AgentError::internal`] for a store that failed, which ends the turn.

use crate::error::AgentError;
use domain::Scope;
use domain::chat::CommandTarget;
use domain::gate::GateVerdict;
use domain::step::{Command, Step};

/// Takes commands and tells how they stand.
#[async_trait::async_trait]
pub trait CommandDesk: Send + Sync {
    /// The command as it would lie on the desk. The words are the model's: whether they may run without the user's
    /// approval is decided here and not there.
    async fn draft(
        &self,
        scope: Scope,
        target: CommandTarget,
        command: &str,
    ) -> Result<Drafted, AgentError>;

    /// Puts a drafted command on the desk, with what machines found in it.
    async fn propose(
        &self,
        scope: Scope,
        draft: &Drafted,
        verdict: Option<GateVerdict>,
        reason: &str,
    ) -> Result<Proposed, AgentError>;

    /// The command as it stands now; asked about twice a second while a reply follows it.
    async fn look(&self, scope: Scope, number: u32) -> Result<Step, AgentError>;
}

/// A command that does not lie on the desk yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drafted {
    /// Where it runs.
    pub target: CommandTarget,
    /// The model's own words.
    pub command: String,
    /// What will run, whole.
    pub script: String,
    /// Whether it will wait for the user's approval.
    pub needs_approval: bool,
}

/// A command that lies on the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its number among the helper's commands, from 1.
    pub number: u32,
    /// What will run, whole: the user approves what they see.
    pub command: Command,
    /// Whether it waits for the user's word.
    pub needs_approval: bool,
    /// The attempt that this is; a decision names it.
    pub attempt: u32,
}
