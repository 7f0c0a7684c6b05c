#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod error;
mod keys;
mod table;

pub mod access;
pub mod audit;
pub mod backups;
pub mod changes;
pub mod connections;
mod copies;
pub mod costs;
pub mod credentials;
pub mod deletions;
pub mod documentation;
pub mod evidence;
pub mod executions;
pub mod glances;
pub mod guests;
pub mod inquiries;
pub mod ledger;
pub mod mail;
pub mod payments;
pub mod pipelines;
pub mod places;
pub mod plans;
pub mod pool;
pub mod previews;
pub mod projects;
pub mod rates;
pub mod repositories;
pub mod sandbox_charges;
pub mod sandboxes;
pub mod schedules;
pub mod sessions;
pub mod shares;
pub mod sign_ins;
pub mod sliding;
pub mod terraform_states;
#[cfg(feature = "testing")]
pub mod testing;
pub mod threads;
pub mod tokens;
pub mod transfers;
pub mod turns;
pub mod typed;
pub mod versions;
pub mod visits;

pub use error::StoreError;
pub use table::{Stored, Table};
