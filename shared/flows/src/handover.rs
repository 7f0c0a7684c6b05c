//! Hands an approved command to the project's sandbox.
//!
//! This may happen twice (a redelivered message, a sandbox that has just connected): the agent keeps the ids of its
//! runs and runs nothing twice. The gateway's "delivered" only means that the frame has left it. The run is under way
//! once the agent's acknowledgment is in the table.
//!
//! A hand-over first looks for the sandbox's connection and then reads the step; a cancellation first marks the step
//! and then looks for the connection. So if the two cross, the order is not sent, or the agent gets the cancellation as
//! well, and it keeps to the cancellation whichever comes first.

use crate::{Vault, VaultError};
use aws::{AwsError, Delivery, Gateway, Objects, Opened, backup_key, log_key};
use domain::RunId;
use domain::Scope;
use domain::backup::{BackupReason, BackupRequest};
use domain::inquiry::Question;
use domain::sandbox::{RUN_MINUTES, Sandbox, SandboxStatus};
use domain::security::{About, SecurityEvent, record};
use domain::step::{Step, Track};
use domain::work::StepRun;
use protocol::{Backup, Inquiry, MESSAGE_BYTES, ReadOrder, RunKind, RunOrder, ToAgent, WireRun};
use settings::ConfigError;
use settings::SdkConfig;
use std::collections::BTreeMap;
use store::executions::Executions;
use store::inquiries::Inquiries;
use store::sandboxes::Sandboxes;
use store::{StoreError, Table};

/// How long a command may run without an approval, in milliseconds: a minute, because no person watches it.
const READING_DEADLINE_MS: u64 = 60 * 1000;

/// How long a command may run, in milliseconds.
const DEADLINE_MS: u64 = RUN_MINUTES * 60 * 1000;

/// Hands commands to sandboxes.
#[derive(Clone, Debug)]
pub struct Handover {
    executions: Executions,
    sandboxes: Sandboxes,
    gateway: Gateway,
    objects: Objects,
    vault: Vault,
    pub(crate) inquiries: Inquiries,
}

/// Why a hand-over failed.
#[derive(Debug, thiserror::Error)]
pub enum HandoverError {
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A service failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
    /// The credentials could not be unsealed.
    #[error("the credentials of the project")]
    Vault(#[from] VaultError),
    /// The message is longer than one that a connection takes.
    #[error("the message does not fit into a frame")]
    TooLong,
}

impl Handover {
    /// Uses the table, the gateway, the bucket and the vault.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table),
            sandboxes: Sandboxes::new(table),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
            vault: Vault::from_env(sdk, table)?,
            inquiries: Inquiries::new(table),
        })
    }

    /// Posts the run of a step that is running, or its cancellation, to the project's sandbox. Does nothing for any other
    /// step, and without a connected sandbox, which asks for its runs when it connects.
    pub async fn hand_over(&self, run: &StepRun) -> Result<(), HandoverError> {
        let StepRun { scope, track, .. } = *run;
        let sandbox = self.sandboxes.get(scope).await?;
        let Some(connection) = sandbox.and_then(|sandbox| sandbox.connection_id) else {
            return Ok(());
        };
        // Only now, because its owner may have canceled it since the caller read it.
        let now = self.executions.on(track).step(scope, run.step_number).await?;
        let Some(step) = now.filter(|now| now.run_id.as_ref() == Some(&run.run_id)) else {
            return Ok(());
        };
        if let Some(order) = self.order(scope, track, &step).await? {
            self.post(&connection, &order).await?;
        }
        Ok(())
    }

    async fn post(&self, connection: &str, message: &ToAgent) -> Result<Delivery, HandoverError> {
        if is_too_long(message) {
            return Err(HandoverError::TooLong);
        }
        Ok(self.gateway.post(connection, message).await?)
    }

    /// Tells the sandbox that a run is given up, so that it does not begin late.
    pub async fn give_up(&self, run: &StepRun) -> Result<(), HandoverError> {
        let StepRun { scope, track, step_number, run_id, .. } = run.clone();
        let run = WireRun { track, step_number, run_id };
        tell_cancelled(&self.sandboxes, &self.gateway, scope, &run).await.map(drop)
    }

    pub(crate) async fn post_inquiry(
        &self,
        scope: Scope,
        id: &RunId,
        question: Question,
    ) -> Result<Delivery, HandoverError> {
        let sandbox = self.sandboxes.get(scope).await?;
        let Some(connection) = sandbox.and_then(|sandbox| sandbox.connection_id) else {
            return Ok(Delivery::Gone);
        };
        let Opened { values, mut hidden } = self.vault.open(scope).await?;
        hidden.extend(values.into_values());
        let ask = ToAgent::Ask(Inquiry { request_id: id.to_string(), question, hidden });
        // A script that is checked travels with the files that it writes, beside all credentials.
        self.post(&connection, &ask).await
    }

    /// Hands over everything that waits for a sandbox, and the cancellations that it may have missed, when one has
    /// connected.
    pub async fn hand_over_waiting(&self, scope: Scope) -> Result<(), HandoverError> {
        for track in Track::ALL {
            let execution = self.executions.on(track).load(scope).await?.unwrap_or_default();
            for run in execution.steps.iter().filter_map(|step| waiting(scope, track, step)) {
                match self.hand_over(&run).await {
                    // The run's message in the queue fails the step.
                    Ok(()) | Err(HandoverError::TooLong) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    async fn order(
        &self,
        scope: Scope,
        track: Track,
        step: &Step,
    ) -> Result<Option<ToAgent>, HandoverError> {
        let running = step.run_id.clone().filter(|_| step.phase.is_running());
        let (Some(run_id), Some(command)) = (running, step.command.clone()) else {
            return Ok(None);
        };
        if step.cancelling {
            let run_id = WireRun { track, step_number: step.number, run_id }.to_string();
            return Ok(Some(ToAgent::RunCancel { run_id }));
        }
        let log_url = self.objects.presign_put(&log_key(scope, &run_id)).await?;
        let Opened { values, mut hidden } = self.vault.open(scope).await?;
        // The approval's record says which credentials the command gets; later ones are not among them. The output must
        // also hide the credentials that the command does not get.
        let gets = |name: &String| {
            let approved = step.approval.as_ref().is_none_or(|a| a.credentials.contains(name));
            step.reading.is_none() && may_have_credentials(track, step) && approved
        };
        let (env, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            values.into_iter().partition(|(name, _)| gets(name));
        hidden.extend(others.into_values());
        if let Some(reach) = &step.reading {
            return Ok(Some(ToAgent::Read(ReadOrder {
                run_id: WireRun { track, step_number: step.number, run_id }.to_string(),
                script: command.script,
                sha256: command.sha256,
                deadline_ms: READING_DEADLINE_MS,
                reach: reach.clone(),
                hidden,
                log_url: Some(log_url),
            })));
        }
        let backup = match BackupReason::after_run(track) {
            Some(reason) => {
                let url = self.objects.presign_put(&backup_key(scope, &run_id)).await?;
                let (id, step_number) = (run_id.clone(), Some(step.number));
                let request_id = BackupRequest { id, reason, step_number }.to_string();
                Some(Backup { request_id, url })
            }
            None => None,
        };
        if !env.is_empty() {
            let names: Vec<_> = env.keys().map(String::as_str).collect();
            let detail = format!("run={run_id} names={}", names.join(","));
            record(SecurityEvent::CredentialsUsed, About::project(scope), &detail);
        }
        Ok(Some(ToAgent::Run(RunOrder {
            run_id: WireRun { track, step_number: step.number, run_id }.to_string(),
            script: command.script,
            kind: match track {
                Track::Execution => RunKind::Step,
                // A rollback checks its own result at its end.
                Track::Validation | Track::Drift | Track::Rollback => RunKind::Check,
                Track::Helper => RunKind::Command,
            },
            sha256: command.sha256,
            deadline_ms: DEADLINE_MS,
            env,
            hidden,
            log_url: Some(log_url),
            backup,
        })))
    }
}

/// Tells the project's sandbox to end this run and never to begin it; `false` if no sandbox can have the run. An agent
/// that is not connected learns with its next welcome that a run is canceled.
pub async fn tell_cancelled(
    sandboxes: &Sandboxes,
    gateway: &Gateway,
    scope: Scope,
    run: &WireRun,
) -> Result<bool, HandoverError> {
    // Only an agent that has connected gets orders.
    let ready = |sandbox: &Sandbox| sandbox.status == SandboxStatus::Ready;
    let Some(sandbox) = sandboxes.get(scope).await?.filter(ready) else { return Ok(false) };
    if let Some(connection) = &sandbox.connection_id {
        gateway.post(connection, &ToAgent::RunCancel { run_id: run.to_string() }).await?;
    }
    Ok(true)
}

/// The run of a step that the sandbox has not acknowledged, or that it is to cancel.
fn waiting(scope: Scope, track: Track, step: &Step) -> Option<StepRun> {
    let waits = !step.acknowledged || step.cancelling;
    let run_id = step.run_id.clone().filter(|_| step.phase.is_running() && waits)?;
    let plan_id = step.plan_id.clone();
    Some(StepRun { scope, track, plan_id, step_number: step.number, run_id })
}

/// Whether a message is longer than one that a connection takes.
fn is_too_long(message: &ToAgent) -> bool {
    serde_json::to_vec(message).is_ok_and(|message| message.len() > MESSAGE_BYTES)
}

/// Only a person's approval gives a command credentials. A helper's command that runs without asking, because it only
/// reads, gets none.
fn may_have_credentials(track: Track, step: &Step) -> bool {
    match track {
        Track::Execution | Track::Validation | Track::Drift | Track::Rollback => true,
        Track::Helper => step.approved_as_shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::PlanId;
    use domain::step::{Applied, Event, Seen};

    #[test]
    fn an_unapproved_command_gets_no_credentials() {
        let approved = |command_sha256: Option<String>| {
            let run_id = RunId::random;
            let step = Step::new(PlanId::from("p"), 1, String::new(), String::new());
            let preparation = run_id();
            let events = [
                Event::Prepare { run_id: preparation.clone() },
                Event::Prepared {
                    run_id: preparation,
                    next_run_id: run_id(),
                    script: "env".to_owned(),
                    verdict: None,
                    rollback: None,
                },
                Event::Approve {
                    run_id: run_id(),
                    seen: Seen { command_sha256, ..Seen::default() },
                    credentials: Vec::new(),
                },
            ];
            events.into_iter().fold(step, |step, event| match step.apply(event).unwrap() {
                Applied::Changed(next) => *next,
                Applied::Ignored => panic!("{step:?}"),
            })
        };
        let shown = domain::step::Command::new("env").sha256;
        let (seen, unseen) = (approved(Some(shown)), approved(None));
        assert!(may_have_credentials(Track::Helper, &seen));
        assert!(!may_have_credentials(Track::Helper, &unseen));
        assert!(may_have_credentials(Track::Execution, &unseen));
    }
}
