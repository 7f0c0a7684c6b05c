//! What an owner does with a sandbox.

use crate::App;
use cloud::SyncError;
use domain::Scope;
use domain::sandbox::{Sandbox, SandboxStatus};
use http_kit::ApiError;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use utoipa::ToSchema;

/// How long an initialisation waits for the agent to connect before it answers `pending`.
const CONNECTED_WITHIN: Duration = Duration::from_secs(8);
/// Pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a backup may take: what remains of a REST call's 29 s.
const BACKED_UP_WITHIN: Duration = Duration::from_secs(25);
/// The error of a step whose sandbox its owner stopped.
const STOPPED: &str =
    "The sandbox was stopped while this step was running. Re-execute it to run it again.";

/// What became of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ActionBody {
    /// How it went.
    pub status: ActionStatus,
    /// The same for people.
    pub detail: String,
    /// What went wrong, with status `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// It is done.
    Success,
    /// It is on its way: ask again.
    Pending,
    /// The sandbox could not be started.
    Failed,
    /// It was not done; `error` says why.
    Error,
}

impl ActionBody {
    fn new(status: ActionStatus, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), error: None }
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
            cloud::StartRefused::NoSuchProject => ApiError::not_found(),
            cloud::StartRefused::Store(error) => error.into(),
            cloud::StartRefused::Cloud(error) => ApiError::internal(error),
        })
    }

    /// Stops the sandbox; a step that was running in it fails.
    pub(crate) async fn stop(&self, scope: Scope) -> Result<ActionBody, ApiError> {
        let stopped = self.control.stop(scope).await.map_err(ApiError::internal)?;
        stopped.ok_or_else(ApiError::not_found)?;
        self.progression.abandon_runs(scope, STOPPED).await.map_err(ApiError::internal)?;
        Ok(ActionBody::new(ActionStatus::Success, "Sandbox stopped"))
    }

    /// Backs the workspace up.
    pub(crate) async fn back_up(&self, scope: Scope) -> Result<ActionBody, ApiError> {
        self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        match self.sync.back_up(scope, BACKED_UP_WITHIN).await {
            Ok(bytes) => Ok(ActionBody::new(
                ActionStatus::Success,
                format!("Workspace backed up, {bytes} bytes"),
            )),
            Err(SyncError::Store(error)) => Err(error.into()),
            Err(SyncError::Cloud(error)) => Err(ApiError::internal(error)),
            Err(refused) => {
                let error = refused.to_string();
                Ok(ActionBody {
                    error: Some(error.clone()),
                    ..ActionBody::new(ActionStatus::Error, error)
                })
            }
        }
    }
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
