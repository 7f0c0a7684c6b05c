//! The blueprint model through its front door, and what it writes run for real.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod changes;
mod documentation;
mod ec2_ssh;
mod execution;
mod gate;
mod helper;
mod intake;
mod local_web_service;
mod plans;
mod protocol;
mod requirements;
mod scripts;
mod stubs;
mod support;
mod tools;
mod validation;
mod vps;
