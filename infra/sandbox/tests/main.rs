//! A real agent in a real confinement, with one module for each thing that it does.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod answers;
mod backend;
mod confinement;
mod disk;
mod files;
mod hello;
mod jobs;
mod lint;
mod manuals;
mod pings;
mod plans;
mod planted;
mod pooled;
mod reader;
mod runs;
mod support;
mod terminals;
mod typed;
mod workspace;
