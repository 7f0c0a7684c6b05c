#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod announcements;
mod decisions;
mod ended_access;
mod handover;
mod inquiries;
pub mod polling;
mod previewing;
mod progression;
mod readings;
mod rechecks;
mod run_logs;
mod sandbox_control;
mod turns;
mod vault;
mod warm_start;
mod workspace_sync;

pub use announcements::Announcements;
pub use decisions::Decisions;
pub use ended_access::{CloseError, EndedAccess};
pub use handover::{Handover, HandoverError, tell_cancelled};
pub use inquiries::{Asking, Unanswered};
pub use previewing::{PreviewError, Previewing, Service};
pub use progression::{Progression, ProgressionError};
pub use readings::Readings;
pub use rechecks::{RecheckError, Rechecks, changes};
pub use run_logs::{RunLog, RunLogs};
pub use sandbox_control::{SandboxControl, StartRefused};
pub use turns::{TurnError, Turns};
pub use vault::{Beside, SealedMessage, Vault, VaultError};
pub use warm_start::assignment;
pub use workspace_sync::{SyncError, WorkspaceSync};
