//! The parts that the suites share: a fake model at its HTTP edge, and a project in its own table.
#![allow(dead_code, reason = "each suite uses its part")]

pub mod converse;
pub mod fake_model;
mod invariants;
pub mod reply;
pub mod world;
