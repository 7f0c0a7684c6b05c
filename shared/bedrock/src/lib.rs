#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod frames;
mod sign;

pub use frames::{BrokenFrame, Frame, Frames, Kind};
pub use sign::{Signer, Unsigned};
