//! The template and what runs around it, with one module for each subject.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod alarms;
mod asvs;
mod building;
mod environment;
mod events;
mod guards;
mod headers;
mod model;
mod parameters;
mod publishing;
mod recorded;
mod rights;
mod runbooks;
mod scripts;
mod template;
mod watch;
mod watch_routes;
