#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod change;
mod chat;
mod config;
mod context;
mod desk;
mod edit;
mod environment;
mod error;
mod exchange;
mod fence;
mod from_env;
mod machines;
mod meter;
mod pipe;
mod prompts;
mod provider;
mod roles;
mod runs;
mod sections;
mod tokens;
mod tools;
mod trial;
mod turn;

pub use chat::chat;
pub use config::{
    Access, AgentModels, CONNECT_TIMEOUT, IDLE_TIMEOUT, InvalidAgentModels, InvalidReplySetting,
    ModelConfig, Provider, REPLY_TOKENS, ReplySettings, UnknownProvider,
};
pub use context::AgentContext;
pub use desk::{CommandDesk, Drafted, Proposed};
pub use edit::examine_edit;
pub use error::{AgentError, Audience, EarlyEnd};
pub use machines::{Documented, LOG_BYTES, Log, Machines, NoAnswer, Printed};
pub use pipe::Turn;
pub use provider::{Model, ModelSetupError};
pub use runs::{generate_plan, give_up, prepare_step};
pub use trial::{Row as TrialRow, Verdict, trial};
