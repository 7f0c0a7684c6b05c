#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod chat;
mod config;
mod context;
mod desk;
mod error;
mod fence;
mod from_env;
mod meter;
mod prompts;
mod provider;
mod reply;
mod roles;
mod runs;
mod tokens;
mod tools;
mod turn;

pub use chat::chat;
pub use config::{CONNECT_TIMEOUT, IDLE_TIMEOUT, ModelConfig, Provider, UnknownProvider};
pub use context::AgentContext;
pub use desk::{CommandDesk, Proposed};
pub use error::{AgentError, Audience};
pub use provider::{Model, ModelSetupError};
pub use runs::{generate_plan, give_up, prepare_step};
pub use turn::{AgentEvent, Turn};
