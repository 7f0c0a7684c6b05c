//! Starts and stops a project's sandbox.
//!
//! Each start is a new *generation*. The table learns of it before ECS does, so two concurrent starts cannot create two
//! tasks: the loser sees the winner's `creating` and waits with it. If a start fails after it began, the next attempt
//! is another generation, and the gateway stops everything that still comes from the first.
//!
//! A task comes from the warm pool if one is ready there (see `warm_start`), and from ECS otherwise. The function that
//! starts a task may die before it records the task: ECS's own events name the generation, and the reaper records the
//! task or ends it.

#[cfg(test)]
mod start_crashes;

use crate::warm_start::WarmStart;
use aws::{AwsError, Gateway, Launch, Tasks};
use domain::Scope;
use domain::pool::TaskOrigin;
use domain::sandbox::{Sandbox, SandboxStatus, StartRefusal};
use settings::SdkConfig;
use settings::{ConfigError, count_or, var};
use store::pool::Pool;
use store::sandboxes::{BeginError, Limits, Sandboxes};
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS, Tokens};
use store::{StoreError, Table};

/// Starts and stops sandboxes.
#[derive(Clone, Debug)]
pub struct SandboxControl {
    pub(crate) sandboxes: Sandboxes,
    pub(crate) pool: Pool,
    pub(crate) tokens: Tokens,
    pub(crate) gateway: Gateway,
    tasks: Tasks,
    websocket_url: String,
    limits: Limits,
}

/// How many sandboxes of one installation may run at once, unless the operator sets another limit.
const SANDBOXES_PER_INSTALLATION: u32 = 3;
/// How many sandboxes of one installation may begin in five minutes, unless the operator sets another limit: each of
/// the three places three times, and one more.
const STARTS_PER_INSTALLATION: u32 = 10;

impl From<BeginError> for StartRefused {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Refused(refusal) => Self::Refused(refusal),
            BeginError::TooOften(seconds) => Self::TooOften(seconds),
            BeginError::Store(error) => Self::Store(error),
        }
    }
}

/// Why a sandbox was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartRefused {
    /// This installation has no such project.
    #[error("no such project")]
    NoSuchProject,
    /// Its owner must do something first.
    #[error(transparent)]
    Refused(#[from] StartRefusal),
    /// Too many sandboxes have begun; another may begin after this many seconds.
    #[error("Sandboxes were started too often. Try again in {}.", in_words(*.0))]
    TooOften(u32),
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// ECS failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl SandboxControl {
    /// Uses the table, `WEBSOCKET_URL` and what [`Tasks`] and [`Gateway`] need.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            sandboxes: Sandboxes::new(table),
            pool: Pool::new(table),
            tokens: Tokens::new(table),
            gateway: Gateway::from_env(sdk)?,
            tasks: Tasks::from_env(sdk)?,
            websocket_url: var("WEBSOCKET_URL")?,
            limits: Limits {
                running: count_or("SANDBOXES_PER_INSTALLATION", SANDBOXES_PER_INSTALLATION)?,
                starts: count_or("SANDBOX_STARTS_PER_INSTALLATION", STARTS_PER_INSTALLATION)?,
            },
        })
    }

    /// Starts the sandbox unless it is up; returns its state afterward. If ECS refuses, the sandbox is failed.
    ///
    /// It starts only with a positive balance, and only while its installation may start and run another sandbox.
    pub async fn ensure_started(&self, scope: Scope) -> Result<Sandbox, StartRefused> {
        let begun = self.sandboxes.begin(scope, self.limits, begin).await?;
        match begun.ok_or(StartRefused::NoSuchProject)? {
            (sandbox, true) => self.start(scope, sandbox).await,
            (sandbox, false) => Ok(sandbox),
        }
    }

    /// Restarts a sandbox whose task ended before its agent connected, unless its owner or another start was faster.
    ///
    /// It does not use the pool: if one of the pool's tasks failed, all of them may fail.
    pub async fn start_over(
        &self,
        scope: Scope,
        generation: u64,
        task_arn: &str,
    ) -> Result<bool, StartRefused> {
        let begun = self.begin_next_life(scope, generation, task_arn).await?;
        let Some((sandbox, true)) = begun else { return Ok(false) };
        self.run_task(scope, sandbox.generation).await.map(|_| true)
    }

    async fn start(&self, scope: Scope, sandbox: Sandbox) -> Result<Sandbox, StartRefused> {
        match self.start_warm(scope, sandbox).await? {
            WarmStart::Settled(sandbox) => Ok(*sandbox),
            WarmStart::NeedsTask { generation } => self.run_task(scope, generation).await,
        }
    }

    /// Abandons the task of this generation, whose agent has not connected.
    pub(crate) async fn begin_next_life(
        &self,
        scope: Scope,
        generation: u64,
        task_arn: &str,
    ) -> Result<Option<(Sandbox, bool)>, StartRefused> {
        let begun = self.sandboxes.change(scope, |sandbox| {
            let waits = sandbox.status == SandboxStatus::Creating
                && sandbox.is_carried_by(generation, task_arn);
            if waits {
                *sandbox = sandbox.next_life();
            }
            waits
        });
        Ok(begun.await?)
    }

    async fn run_task(&self, scope: Scope, generation: u64) -> Result<Sandbox, StartRefused> {
        let started = self.try_run_task(scope, generation).await;
        let (task_arn, detail) = match &started {
            Ok(Launch::Started(arn)) => (Some(arn.clone()), None),
            Ok(Launch::Refused(reason)) => (None, Some(reason.clone())),
            Err(_) => (None, Some("The sandbox could not be started. Try again.".to_owned())),
        };
        let noted = self
            .sandboxes
            .change(scope, |sandbox| {
                // The agent may already have connected; then only its task is news.
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
        started?;
        Ok(noted.ok_or(StartRefused::NoSuchProject)?.0)
    }

    async fn try_run_task(&self, scope: Scope, generation: u64) -> Result<Launch, StartRefused> {
        let grant = Grant::Sandbox { scope, generation };
        let token = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let client_token = format!("{}-{}-{generation}", scope.installation, scope.project);
        let origin = TaskOrigin::Project { scope, generation };
        let environment = [
            ("GROUNDCREW_WEBSOCKET_URL", self.websocket_url.as_str()),
            ("GROUNDCREW_TOKEN", token.expose()),
            ("GROUNDCREW_USER", &scope.username()),
        ];
        Ok(self.tasks.run(&client_token, &origin, &environment).await?)
    }

    /// Stops the sandbox; returns its state afterward.
    pub async fn stop(&self, scope: Scope) -> Result<Option<Sandbox>, StartRefused> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(None) };
        if let Some(arn) = sandbox.task_arn.as_deref().filter(|_| sandbox.is_up()) {
            self.tasks.stop(arn, "stopped by its owner").await?;
        }
        self.note_stopped(scope, sandbox.generation, None).await
    }

    /// Stops the sandbox if it is `still` in the state for which it should stop; returns whether it was.
    ///
    /// The stop is recorded first. If the caller dies after that, the gateway answers the agent's next message with a
    /// stop.
    pub async fn stop_if(
        &self,
        scope: Scope,
        still: impl Fn(&Sandbox) -> bool,
        detail: &str,
    ) -> Result<bool, StartRefused> {
        let noted = self
            .sandboxes
            .change(scope, |sandbox| {
                let stops = sandbox.is_up() && still(sandbox);
                if stops {
                    sandbox.stop(Some(detail));
                }
                stops
            })
            .await?;
        let Some((sandbox, true)) = noted else { return Ok(false) };
        if let Some(arn) = &sandbox.task_arn {
            self.tasks.stop(arn, "stopped by the reaper").await?;
        }
        Ok(true)
    }

    /// Records that the task of this generation is gone; leaves a later generation alone.
    ///
    /// The sandbox stays on the reaper's list. If the caller dies after that, the reaper ends what ran in it.
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
                sandbox.stop(detail);
                true
            })
            .await?;
        Ok(noted.map(|(sandbox, _)| sandbox))
    }

    /// Records the task of a generation, as ECS reports it; returns whether the task belongs to that generation.
    pub async fn note_task(
        &self,
        scope: Scope,
        generation: u64,
        task_arn: &str,
    ) -> Result<bool, StartRefused> {
        let noted = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.lacks_task(generation);
            if news {
                sandbox.task_arn = Some(task_arn.to_owned());
            }
            news
        });
        let noted = noted.await?;
        Ok(noted.is_some_and(|(sandbox, _)| sandbox.is_carried_by(generation, task_arn)))
    }
}

fn begin(sandbox: &mut Sandbox) -> bool {
    let begins = !sandbox.is_up() || sandbox.start_was_lost();
    if begins {
        *sandbox = sandbox.next_life();
    }
    begins
}

/// A wait in words.
fn in_words(seconds: u32) -> String {
    match seconds.div_ceil(60) {
        0 | 1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
