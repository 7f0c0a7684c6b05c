#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed measurement is no measurement"
)]

pub mod check;
mod ground;
pub mod report;
pub mod request;
pub mod run;
pub mod score;
pub mod tape;
mod waiting;
mod walk;
