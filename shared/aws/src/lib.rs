#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod batch;
mod error;
mod gateway;
mod objects;
mod queue;
mod sealer;
mod secrets;
mod tasks;

pub use batch::{each_message, is_spent};
pub use error::AwsError;
pub use gateway::{Delivery, Gateway};
pub use objects::{ObjectStream, Objects, backup_key, log_key, project_prefixes};
pub use queue::Queue;
pub use sealer::{Opened, Sealer};
pub use secrets::Secrets;
pub use tasks::{TaskState, Tasks};
