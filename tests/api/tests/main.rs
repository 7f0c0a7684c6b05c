//! The product through its front door, one module for each group of calls.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod access;
mod analytics;
mod approvals;
mod compute;
mod credentials;
mod data_rights;
mod drafts;
mod execution;
mod files;
mod github;
mod helper;
mod hostile;
mod hygiene;
mod idle;
mod injection;
mod limits;
mod payments;
mod pipeline;
mod planning;
mod pool;
mod project_states;
mod projects;
mod sandbox;
mod security_log;
mod sign_in;
mod tenancy;
mod terminal;
mod triggers;
mod typed;
mod user;
mod validation;
mod workspace;
