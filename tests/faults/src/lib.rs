#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "only tests use this")]

mod agent;
pub mod once;

pub use agent::{Agent, ended};
