//! The store against a real engine, with one module for each kind of record.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod access;
mod alone;
mod changes;
mod connections;
mod crashes;
mod credentials;
mod deletions;
mod guests;
mod kept;
mod ledger;
mod ledger_properties;
mod mail;
mod marks;
mod pool;
mod races;
mod replaced;
mod rollback;
mod sandbox_charges;
mod schedules;
mod sessions;
mod sizes;
mod sliding;
mod support;
mod terraform_states;
mod turns;
