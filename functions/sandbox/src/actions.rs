//! Carries out an owner's actions on a sandbox.

use crate::App;
use axum::http::StatusCode;
use domain::Scope;
use domain::audit::Actor;
use domain::backup::{BackupId, BackupReason};
use domain::ledger::Refusal;
use domain::sandbox::{Sandbox, SandboxStatus, StartRefusal};
use domain::step::Failure;
use flows::SyncError;
use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use utoipa::ToSchema;

/// How long an initialization waits for the agent to connect before it answers `pending`.
const CONNECTED_WITHIN: Duration = Duration::from_secs(8);
/// Pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a backup may take: the rest of a REST call's 29 s.
const BACKED_UP_WITHIN: Duration = Duration::from_secs(25);
/// The error of a step whose owner stopped the sandbox.
const STOPPED: &str =
    "The sandbox was stopped while this step was running. Re-execute it to run it again.";

/// The result of an action.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ActionBody {
    /// The progress of the action.
    pub status: ActionStatus,
    /// The same in words, for people.
    pub detail: String,
    /// What went wrong, with status `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The backup or restore that goes on, with status `pending`: the same call with this id waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<String>,
}

/// The progress of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// It is done.
    Success,
    /// It has not finished yet; ask again.
    Pending,
    /// The sandbox could not be started.
    Failed,
    /// It was not done; `error` says why.
    Error,
}

impl ActionBody {
    fn new(status: ActionStatus, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), error: None, transfer: None }
    }

    fn error(refused: &SyncError) -> Self {
        let error = refused.to_string();
        Self { error: Some(error.clone()), ..Self::new(ActionStatus::Error, error) }
    }

    fn goes_on(transfer: String, detail: &str) -> Self {
        Self { transfer: Some(transfer), ..Self::new(ActionStatus::Pending, detail) }
    }
}

impl App {
    /// Starts the sandbox unless it is up, and waits a moment for its agent.
    pub(crate) async fn initialize(&self, scope: Scope) -> Result<ActionBody, ApiError> {
        let mut sandbox = self.ensure_started(scope).await?;
        let deadline = Instant::now() + CONNECTED_WITHIN;
        while sandbox.status == SandboxStatus::Creating && Instant::now() < deadline {
            sleep(LOOK_EVERY).await;
            sandbox = self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        }
        Ok(describe(&sandbox))
    }

    /// Starts the sandbox unless it is up.
    pub(crate) async fn start(&self, scope: Scope) -> Result<ActionBody, ApiError> {
        Ok(describe(&self.ensure_started(scope).await?))
    }

    async fn ensure_started(&self, scope: Scope) -> Result<Sandbox, ApiError> {
        self.control.ensure_started(scope).await.map_err(|refused| match refused {
            flows::StartRefused::NoSuchProject => ApiError::not_found(),
            flows::StartRefused::Refused(refusal) => cannot_start(refusal),
            flows::StartRefused::TooOften(seconds) => ApiError::rate_limited(seconds),
            flows::StartRefused::Store(error) => error.into(),
            flows::StartRefused::Aws(error) => ApiError::internal(error),
        })
    }

    /// Stops the sandbox; a step that runs in it fails.
    pub(crate) async fn stop(&self, scope: Scope) -> Result<ActionBody, ApiError> {
        let stopped = self.control.stop(scope).await.map_err(ApiError::internal)?;
        stopped.ok_or_else(ApiError::not_found)?;
        self.progression
            .abandon_runs(scope, Failure::Lost, Some(STOPPED))
            .await
            .map_err(ApiError::internal)?;
        Ok(ActionBody::new(ActionStatus::Success, "Sandbox stopped"))
    }

    /// Backs up the workspace, or waits for the backup that an earlier call began.
    pub(crate) async fn back_up(
        &self,
        scope: Scope,
        reason: BackupReason,
        begun: Option<&str>,
    ) -> Result<ActionBody, ApiError> {
        self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let backed_up = match begun {
            Some(transfer) => self.sync.go_on(scope, transfer, BACKED_UP_WITHIN).await,
            None => {
                let backed_up = self.sync.back_up(scope, reason, BACKED_UP_WITHIN).await;
                backed_up.map(|(_, bytes)| bytes)
            }
        };
        match backed_up {
            Ok(bytes) => Ok(ActionBody::new(
                ActionStatus::Success,
                format!("Workspace backed up, {bytes} bytes"),
            )),
            Err(SyncError::TimedOut(transfer)) => {
                Ok(ActionBody::goes_on(transfer, "The workspace is still being backed up"))
            }
            Err(SyncError::Store(error)) => Err(error.into()),
            Err(SyncError::Aws(error)) => Err(ApiError::internal(error)),
            Err(refused) => Ok(ActionBody::error(&refused)),
        }
    }

    /// Restores a backup, or waits for the restore that an earlier call began.
    pub(crate) async fn restore(
        &self,
        scope: Scope,
        from: &BackupId,
        by: &Actor,
        begun: Option<&str>,
    ) -> Result<ActionBody, ApiError> {
        self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let restored = match begun {
            Some(transfer) => self.sync.go_on(scope, transfer, BACKED_UP_WITHIN).await.map(drop),
            None => {
                // The sandbox also checks its own runs; this check covers commands on their way there as well.
                if self.progression.is_running(scope).await.map_err(ApiError::internal)? {
                    return Err(step_running());
                }
                self.sync.restore(scope, from, by, BACKED_UP_WITHIN).await.map(drop)
            }
        };
        match restored {
            Ok(()) => Ok(ActionBody::new(ActionStatus::Success, "The backup is restored")),
            Err(SyncError::NoSuchBackup) => Err(ApiError::not_found()),
            Err(SyncError::RunGoesOn) => Err(step_running()),
            Err(SyncError::NotRunning) => {
                let detail = "The sandbox is not running. Start it to restore a backup.";
                Err(ApiError::conflict(ErrorCode::SandboxNotRunning, detail))
            }
            Err(SyncError::TimedOut(transfer)) => {
                Ok(ActionBody::goes_on(transfer, "The backup is still being restored"))
            }
            Err(SyncError::Store(error)) => Err(error.into()),
            Err(SyncError::Aws(error)) => Err(ApiError::internal(error)),
            Err(refused @ SyncError::Refused(_)) => Ok(ActionBody::error(&refused)),
        }
    }
}

fn cannot_start(refusal: StartRefusal) -> ApiError {
    match refusal {
        StartRefusal::NoCredit => ApiError::new(
            StatusCode::PAYMENT_REQUIRED,
            Refusal::InsufficientCredits.code(),
            refusal.to_string(),
        ),
        StartRefusal::TooMany(_) => {
            ApiError::conflict(ErrorCode::TooManySandboxes, refusal.to_string())
        }
    }
}

fn step_running() -> ApiError {
    let detail = "A command is running. Wait until it has ended, or cancel it.";
    ApiError::conflict(ErrorCode::StepRunning, detail)
}

fn describe(sandbox: &Sandbox) -> ActionBody {
    match sandbox.status {
        SandboxStatus::Ready => ActionBody::new(ActionStatus::Success, "Sandbox is ready"),
        SandboxStatus::Creating => {
            ActionBody::new(ActionStatus::Pending, "Container is still being created")
        }
        SandboxStatus::Absent | SandboxStatus::Stopped | SandboxStatus::Failed => {
            let why = sandbox.detail.clone();
            let default = "Failed to initialize sandbox environment";
            ActionBody::new(ActionStatus::Failed, why.unwrap_or_else(|| default.to_owned()))
        }
    }
}
