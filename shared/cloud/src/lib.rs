#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod batch;
mod config;
mod decisions;
mod error;
mod gateway;
mod handover;
mod objects;
mod progression;
mod queue;
mod sandbox_control;
mod sealer;
mod secrets;
mod tasks;
mod vault;
mod warm_start;
mod workspace_sync;

pub use aws_config::SdkConfig;
pub use batch::{each_message, is_dead};
pub use config::{ConfigError, sdk_config, table, var, var_or};
pub use decisions::{Decision, Decisions};
pub use error::CloudError;
pub use gateway::{Delivery, Gateway};
pub use handover::{Handed, Handover, HandoverError, WireRun};
pub use objects::{ObjectStream, Objects, backup_key, log_key};
pub use progression::{Progression, ProgressionError};
pub use queue::Queue;
pub use sandbox_control::{SandboxControl, StartRefused};
pub use sealer::Sealer;
pub use secrets::Secrets;
pub use tasks::{TaskState, Tasks};
pub use vault::{SealedMessage, Vault, VaultError};
pub use warm_start::assignment;
pub use workspace_sync::{SyncError, WorkspaceSync};
