//! Answers an agent's requests about Terraform's state.
//!
//! Only the agent of the sandbox's current generation gets an answer. It repeats a request until it is answered, so a
//! function may die anywhere in here, and every repeated request gets the answer of the first.

use crate::{App, MessageError};
use aws::state_key;
use domain::report::Chain;
use domain::terraform_state::{
    AskedAt, Begun, MAX_STATES, StateLock, StateName, StateRefusal, StateVersion, TerraformState,
};
use domain::{Scope, Timestamp};
use protocol::{StateAnswer, StateAsk, StatePlace, StateWrite, ToAgent};

const NOT_A_NAME: &str = "A state's name may have up to 64 lowercase letters, digits, - and _.";
const REPLACED: &str = "This sandbox has been replaced by another one.";

/// The agent that asks: its connection, and the sandbox's generation behind it.
pub(crate) struct Asker<'a> {
    pub connection_id: &'a str,
    pub scope: Scope,
    pub asked_at: AskedAt,
}

impl App {
    pub(crate) async fn state_asked(
        &self,
        asker: Asker<'_>,
        request_id: String,
        name: &str,
        ask: StateAsk,
    ) -> Result<(), MessageError> {
        let answer = match name.parse() {
            Ok(name) if self.is_present(&asker).await? => self.state(&asker, &name, ask).await?,
            Ok(_) => refused(REPLACED),
            Err(_) => refused(NOT_A_NAME),
        };
        let answer = ToAgent::State { request_id, answer };
        self.gateway.post(asker.connection_id, &answer).await?;
        Ok(())
    }

    /// Whether the agent belongs to the sandbox's current generation. An agent that is being stopped may still write
    /// the state of the resources that it created.
    async fn is_present(&self, asker: &Asker<'_>) -> Result<bool, MessageError> {
        let sandbox = self.sandboxes.get(asker.scope).await?;
        Ok(sandbox.is_some_and(|sandbox| sandbox.generation == asker.asked_at.generation))
    }

    async fn state(
        &self,
        asker: &Asker<'_>,
        name: &StateName,
        ask: StateAsk,
    ) -> Result<StateAnswer, MessageError> {
        let scope = asker.scope;
        match ask {
            StateAsk::Read => self.current_state(scope, name).await,
            StateAsk::Lock { info, holder, held } => {
                let lock = StateLock { info: info.bounded(), holder, asked_at: asker.asked_at };
                let locked = self
                    .states
                    .change(scope, name, |state| state.take_lock(lock.clone(), &held))
                    .await?;
                Ok(match locked {
                    Some(Ok(())) => StateAnswer::Done,
                    Some(Err(lock)) => StateAnswer::Locked { info: lock.info, holder: lock.holder },
                    None => too_many(),
                })
            }
            StateAsk::Unlock { lock_id } => {
                let release = |state: &mut TerraformState| {
                    state.release(lock_id.as_deref(), asker.asked_at);
                };
                self.states.change(scope, name, release).await?;
                Ok(StateAnswer::Done)
            }
            StateAsk::Write(write) => self.begin_state(scope, name, write).await,
            StateAsk::Written { version } => self.commit_state(scope, name, &version).await,
        }
    }

    async fn current_state(
        &self,
        scope: Scope,
        name: &StateName,
    ) -> Result<StateAnswer, MessageError> {
        let state = self.states.get(scope, name).await?;
        let Some(current) = state.current() else { return Ok(StateAnswer::Nothing) };
        let url = self.objects.presign_get(&state_key(scope, name, &current.id)).await?;
        Ok(StateAnswer::Place(StatePlace {
            version: current.id.clone(),
            sha256: current.sha256.clone(),
            url,
            key: self.sealer.open_key(scope, &current.sealed).await?,
        }))
    }

    async fn begin_state(
        &self,
        scope: Scope,
        name: &StateName,
        write: StateWrite,
    ) -> Result<StateAnswer, MessageError> {
        let made = self.sealer.make_key(scope).await?;
        let StateWrite { version, lock_id, serial, lineage, empty, bytes, sha256, resources } =
            write;
        let at = Timestamp::now();
        let (id, sealed) = (version.clone(), made.sealed.clone());
        let wanted =
            StateVersion { id, serial, lineage, empty, bytes, sha256: sha256.clone(), sealed, at };
        let begun = self
            .states
            .change(scope, name, |state| {
                let begun = state.begin(wanted.clone(), lock_id.as_deref());
                state.list(&wanted.id, resources.clone());
                begun
            })
            .await?;
        let (sealed, abandoned) = match begun {
            Some(Ok(Begun::Upload { sealed, abandoned })) => (sealed, abandoned),
            Some(Ok(Begun::Kept)) => return Ok(StateAnswer::Done),
            Some(Err(refusal)) => return Ok(answer_to(refusal)),
            None => return Ok(too_many()),
        };
        self.delete_states(scope, name, abandoned).await;
        // A repeated request gets the same key as the first one.
        let key = match sealed == made.sealed {
            true => made.plain,
            false => self.sealer.open_key(scope, &sealed).await?,
        };
        let url = self.objects.presign_put(&state_key(scope, name, &version)).await?;
        Ok(StateAnswer::Place(StatePlace { version, sha256, url, key }))
    }

    async fn commit_state(
        &self,
        scope: Scope,
        name: &StateName,
        version: &str,
    ) -> Result<StateAnswer, MessageError> {
        let committed = self.states.change(scope, name, |state| state.commit(version)).await?;
        Ok(match committed {
            Some(Ok(dropped)) => {
                self.delete_states(scope, name, dropped).await;
                StateAnswer::Done
            }
            Some(Err(refusal)) => answer_to(refusal),
            None => too_many(),
        })
    }

    /// Deletes contents that are no longer listed; one that stays costs only its space.
    async fn delete_states(
        &self,
        scope: Scope,
        name: &StateName,
        versions: impl IntoIterator<Item = String>,
    ) {
        for version in versions {
            if let Err(error) = self.objects.delete(&state_key(scope, name, &version)).await {
                tracing::warn!(error = %Chain(&error), %scope, "an old state could not be deleted; it stays in the bucket");
            }
        }
    }
}

fn answer_to(refusal: StateRefusal) -> StateAnswer {
    match refusal {
        StateRefusal::Locked(lock) => StateAnswer::Locked { info: lock.info, holder: lock.holder },
        other => refused(&other.to_string()),
    }
}

fn refused(reason: &str) -> StateAnswer {
    StateAnswer::Refused { reason: reason.to_owned() }
}

fn too_many() -> StateAnswer {
    refused(&format!("A project can have at most {MAX_STATES} Terraform states."))
}
