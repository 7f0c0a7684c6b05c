//! Starting and stopping a project's sandbox.
//!
//! Each start is a new *generation*. The table learns of it before ECS does, so two starts at once
//! cannot make two tasks: the loser sees the winner's `creating` and waits with it.

use crate::{CloudError, ConfigError, Tasks, var};
use aws_config::SdkConfig;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{Scope, Timestamp};
use store::sandboxes::Sandboxes;
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS, Tokens};
use store::{StoreError, Table};

/// Starts and stops sandboxes.
#[derive(Clone, Debug)]
pub struct SandboxControl {
    sandboxes: Sandboxes,
    tokens: Tokens,
    tasks: Tasks,
    websocket_url: String,
}

/// Why a sandbox was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartRefused {
    /// There is no such project for this installation.
    #[error("no such project")]
    NoSuchProject,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// ECS failed.
    #[error(transparent)]
    Cloud(#[from] CloudError),
}

impl SandboxControl {
    /// From the table, `WEBSOCKET_URL` and what [`Tasks`] needs.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            sandboxes: Sandboxes::new(table),
            tokens: Tokens::new(table),
            tasks: Tasks::from_env(sdk)?,
            websocket_url: var("WEBSOCKET_URL")?,
        })
    }

    /// Starts the sandbox unless it is up; what it is now. A start that ECS refuses leaves it failed.
    pub async fn ensure_started(&self, scope: Scope) -> Result<Sandbox, StartRefused> {
        let begun = self.sandboxes.change(scope, begin).await?;
        match begun.ok_or(StartRefused::NoSuchProject)? {
            (sandbox, true) => self.run_task(scope, sandbox.generation).await,
            (sandbox, false) => Ok(sandbox),
        }
    }

    async fn run_task(&self, scope: Scope, generation: u64) -> Result<Sandbox, StartRefused> {
        let started = self.try_run_task(scope, generation).await;
        let (task_arn, detail) = match &started {
            Ok(Ok(arn)) => (Some(arn.clone()), None),
            Ok(Err(reason)) => (None, Some(reason.clone())),
            Err(_) => (None, Some("The sandbox could not be started. Try again.".to_owned())),
        };
        let noted = self
            .sandboxes
            .change(scope, |sandbox| {
                // The agent may have connected already; only its task is news then.
                if sandbox.generation != generation {
                    return false;
                }
                if detail.is_some() {
                    sandbox.status = SandboxStatus::Failed;
                    sandbox.detail.clone_from(&detail);
                }
                sandbox.task_arn.clone_from(&task_arn);
                true
            })
            .await?;
        started?.ok();
        Ok(noted.ok_or(StartRefused::NoSuchProject)?.0)
    }

    async fn try_run_task(
        &self,
        scope: Scope,
        generation: u64,
    ) -> Result<Result<String, String>, StartRefused> {
        self.sandboxes.list_active(scope).await?;
        let grant = Grant::Sandbox { scope, generation };
        let token = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let client_token = format!("{}-{}-{generation}", scope.installation, scope.project);
        let environment = [
            ("GROUNDCREW_WEBSOCKET_URL", self.websocket_url.as_str()),
            ("GROUNDCREW_TOKEN", token.expose()),
            ("GROUNDCREW_USER", &scope.username()),
        ];
        Ok(self.tasks.run(&client_token, &scope.username(), &environment).await?)
    }

    /// Stops the sandbox; what it is now.
    pub async fn stop(&self, scope: Scope) -> Result<Option<Sandbox>, StartRefused> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(None) };
        if let Some(arn) = sandbox.task_arn.as_deref().filter(|_| sandbox.is_up()) {
            self.tasks.stop(arn, "stopped by its owner").await?;
        }
        self.note_stopped(scope, sandbox.generation, None).await
    }

    /// Stops the sandbox if it is still idle; whether it was.
    ///
    /// It is noted first: should the caller get no further, its next sign of life is answered with a stop.
    pub async fn stop_idle(
        &self,
        scope: Scope,
        seconds: i64,
        detail: &str,
    ) -> Result<bool, StartRefused> {
        let noted = self
            .sandboxes
            .change(scope, |sandbox| {
                let idle = sandbox.is_idle_for(seconds);
                if idle {
                    sandbox.status = SandboxStatus::Stopped;
                    sandbox.connection_id = None;
                    sandbox.detail = Some(detail.to_owned());
                }
                idle
            })
            .await?;
        let Some((sandbox, true)) = noted else { return Ok(false) };
        if let Some(arn) = &sandbox.task_arn {
            self.tasks.stop(arn, "idle").await?;
        }
        Ok(true)
    }

    /// Notes that the task of this generation is gone; a later generation is left alone.
    ///
    /// It stays on the list of those that the reaper looks after: should the caller get no further, the reaper
    /// ends what ran in it.
    pub async fn note_stopped(
        &self,
        scope: Scope,
        generation: u64,
        detail: Option<&str>,
    ) -> Result<Option<Sandbox>, StartRefused> {
        let noted = self
            .sandboxes
            .change(scope, |sandbox| {
                if sandbox.generation != generation || !sandbox.is_up() {
                    return false;
                }
                sandbox.status = SandboxStatus::Stopped;
                sandbox.connection_id = None;
                sandbox.detail = detail.map(str::to_owned);
                true
            })
            .await?;
        Ok(noted.map(|(sandbox, _)| sandbox))
    }
}

fn begin(sandbox: &mut Sandbox) -> bool {
    if sandbox.is_up() && !sandbox.start_was_lost() {
        return false;
    }
    *sandbox = Sandbox {
        status: SandboxStatus::Creating,
        generation: sandbox.generation + 1,
        task_arn: None,
        connection_id: None,
        started_at: Some(Timestamp::now()),
        last_seen_at: None,
        heartbeat: 0,
        idle_since: None,
        last_sync_time: sandbox.last_sync_time,
        detail: None,
    };
    true
}
