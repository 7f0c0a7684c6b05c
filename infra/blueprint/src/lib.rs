#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod catalogue;
mod choice;
mod conversation;
mod http;
mod reading;
mod render;
mod reply;
mod roles;
mod stream;
mod texts;
mod wire;
mod words;

pub use http::{MODEL_ID, routes};
pub use stream::PACE;
