#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed measurement must stop the program"
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
