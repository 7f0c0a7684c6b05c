#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod actor;
pub mod agent;
pub mod audit;
pub mod backup;
pub mod change;
pub mod chat;
pub mod clock;
pub mod credential;
pub mod cut;
pub mod document;
pub mod error_code;
pub mod estimate;
pub mod gate;
pub mod guests;
pub mod ids;
pub mod inquiry;
pub mod ledger;
pub mod left_out;
pub mod mail;
pub mod manual;
pub mod masking;
pub mod money;
pub mod origin;
pub mod output;
pub mod payment;
pub mod plan;
pub mod pool;
pub mod preview;
pub mod project;
pub mod report;
pub mod repository;
pub mod requirement;
pub mod sandbox;
pub mod saved_plan;
pub mod schedule;
pub mod script;
pub mod secret_token;
pub mod security;
pub mod share;
pub mod shellcheck;
pub mod stage;
pub mod step;
pub mod terraform_state;
pub mod unseen;
pub mod work;

pub use agent::AgentId;
pub use clock::Timestamp;
pub use error_code::ErrorCode;
pub use ids::{
    EntryId, InstallationId, PaymentId, PlanId, PooledId, ProjectId, RunId, Scope, ThreadId,
    random_id,
};
pub use money::{MicroDollars, TokenUsage};
