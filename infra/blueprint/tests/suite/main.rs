//! Tests the blueprint model by its public interface, and runs what it writes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod additions;
mod changes;
mod described;
mod documentation;
mod ec2_ssh;
mod execution;
mod further_ports;
mod gate;
mod helper;
mod intake;
mod k3s;
mod local_web_service;
mod plans;
mod protocol;
mod real_server;
mod real_sites;
mod releases;
mod removals;
mod requirements;
mod scripts;
mod static_site;
mod stubs;
mod support;
mod tools;
mod validation;
mod vps;
mod wishes;
