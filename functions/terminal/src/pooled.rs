//! Handles the messages of an agent of the warm pool, before a project claims it.
//!
//! It may send `hello` and `heartbeat`; every other message from it is refused, and its token gives access to no
//! project. The agent may live while its task has a slot in the pool. If the slot is gone, a project may have claimed
//! the task, and the function that did so may have died before it notified the agent; this module then notifies the
//! agent. Otherwise no project needs the task, and it ends.

use crate::{App, MessageError};
use domain::sandbox::SandboxStatus;
use domain::{PooledId, Timestamp};
use flows::assignment;
use protocol::{FromAgent, ToAgent};
use store::pool::Claim;
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS};

impl App {
    pub(crate) async fn serve_pooled(
        &self,
        connection_id: &str,
        slot: u32,
        id: &PooledId,
        message: FromAgent,
    ) -> Result<(), MessageError> {
        match message {
            FromAgent::Hello { .. } => self.welcome_pooled(connection_id, slot, id).await,
            FromAgent::Heartbeat { .. } => match self.pool.find(slot, id).await? {
                Some(_) => Ok(()),
                None => self.assign_or_stop(connection_id, id).await,
            },
            _ => Err(MessageError::Forbidden),
        }
    }

    /// Accepts an agent into the pool: from here on, a project can claim it.
    async fn welcome_pooled(
        &self,
        connection_id: &str,
        slot: u32,
        id: &PooledId,
    ) -> Result<(), MessageError> {
        let noted = self.pool.change(slot, id, |task| {
            task.connection_id = Some(connection_id.to_owned());
            task.changed_at = Timestamp::now();
            true
        });
        if noted.await?.is_none() {
            return self.assign_or_stop(connection_id, id).await;
        }
        let grant = Grant::Pooled { slot, id: id.clone() };
        let next = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let next_token = next.expose().to_owned();
        let welcome = ToAgent::Welcome { next_token, restore_url: None, keeps_state: false };
        self.gateway.post(connection_id, &welcome).await?;
        Ok(())
    }

    /// Assigns an agent that has left the pool to its project, or stops it.
    async fn assign_or_stop(&self, connection_id: &str, id: &PooledId) -> Result<(), MessageError> {
        let answer = match self.waiting_claim(id).await? {
            Some(Claim { scope, generation, .. }) => {
                ToAgent::Assign(assignment(&self.tokens, scope, generation).await?)
            }
            None => ToAgent::Stop,
        };
        self.gateway.post(connection_id, &answer).await?;
        Ok(())
    }

    /// The claim of the task, while its sandbox still waits for it.
    async fn waiting_claim(&self, id: &PooledId) -> Result<Option<Claim>, MessageError> {
        let Some(claim) = self.pool.claim_of(id).await? else { return Ok(None) };
        let sandbox = self.sandboxes.get(claim.scope).await?;
        let waits = sandbox.is_some_and(|sandbox| {
            sandbox.status == SandboxStatus::Creating && claim.holds(&sandbox)
        });
        Ok(waits.then_some(claim))
    }

    /// Handles the end of a pooled agent's connection. An agent that renews it opens the new one before it closes the
    /// old.
    pub(crate) async fn pooled_has_left(
        &self,
        connection_id: &str,
        slot: u32,
        id: &PooledId,
    ) -> Result<(), MessageError> {
        let noted = self.pool.change(slot, id, |task| {
            let current = task.connection_id.as_deref() == Some(connection_id);
            if current {
                task.connection_id = None;
                task.changed_at = Timestamp::now();
            }
            current
        });
        noted.await?;
        Ok(())
    }
}
