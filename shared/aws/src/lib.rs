#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod batch;
mod data_keys;
mod error;
mod fingerprints;
mod gateway;
mod mail;
mod objects;
mod queue;
mod sealer;
mod secrets;
mod tasks;

pub use batch::{each_message, is_spent};
pub use data_keys::DataKey;
pub use error::AwsError;
pub use fingerprints::{Fingerprints, Known};
pub use gateway::{Delivery, Gateway};
pub use mail::{MailError, Mailer};
pub use objects::{
    ObjectStream, Objects, PRESIGNED_SECONDS, backup_key, log_key, preview_keys, project_prefixes,
    state_key,
};
pub use queue::Queue;
pub use sealer::{Opened, Sealer};
pub use secrets::Secrets;
pub use tasks::{Launch, TaskState, Tasks};
