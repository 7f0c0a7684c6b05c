#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod engines;
pub mod environment;
mod events;
mod faults;
mod files;
pub mod functions;
mod gateway;
mod github;
mod hops;
mod host;
mod ids;
pub mod listen;
pub mod names;
pub mod openapi;
mod options;
mod pollers;
mod provision;
mod ready;
mod recorded;
mod stack;
mod stripe;

pub use functions::Functions;
pub use listen::Listeners;
pub use options::{Options, Sandbox};
pub use stack::Stack;
