//! The blueprint model through its front door, and what it writes run for real.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod documentation;
mod ec2_ssh;
mod execution;
mod helper;
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
