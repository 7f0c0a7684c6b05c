#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "only tests use this")]

mod actor;
mod answer;
pub mod binaries;
pub mod contract;
mod counterpart;
mod events;
mod execution;
mod found;
mod model;
mod pool;
mod project;
mod signing;
mod socket;
mod stack;
mod waiting;
mod world;

pub use actor::{Actor, Call};
pub use answer::Answer;
pub use events::Events;
pub use execution::{Progress, Step, proved_script, script_prompt};
pub use found::{file_holds, holds};
pub use model::{Model, order, orders};
pub use project::Project;
pub use socket::{Refused, Socket, Terminal};
pub use stack::{App, Settings};
pub use waiting::{PATIENCE, eventually, soon};
pub use world::World;
