//! The state of a sandbox, in the words of the two pages that show it.

use domain::sandbox::{ContainerStatus, InitializationStatus, Sandbox, WorkspaceSize};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of a sandbox.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SandboxBody {
    /// For the initialization.
    pub status: InitializationStatus,
    /// For the sandbox home.
    pub container_status: ContainerStatus,
    /// The user that commands run as, `user_{installation}_{project}`.
    pub username: String,
    /// When the workspace was last backed up.
    #[schema(required)]
    pub last_sync_time: Option<Timestamp>,
    /// Why it failed or stopped.
    #[schema(required)]
    pub detail: Option<String>,
    /// A warning to its owner before it stops.
    #[schema(required)]
    pub warning: Option<String>,
    /// The size of the workspace at its last backup, and the backup's limits.
    #[schema(required)]
    pub workspace: Option<WorkspaceSize>,
}

impl SandboxBody {
    pub(crate) fn of(scope: Scope, sandbox: &Sandbox) -> Self {
        Self {
            status: sandbox.initialization_status(),
            container_status: sandbox.container_status(),
            username: scope.username(),
            last_sync_time: sandbox.last_sync_time,
            detail: sandbox.detail.clone(),
            warning: sandbox.warning(),
            workspace: sandbox.workspace,
        }
    }
}
