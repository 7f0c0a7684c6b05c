//! The loops against a fake model, with one module for each subject.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bedrock;
mod careless;
mod careless_documents;
mod careless_messages;
mod careless_protocols;
mod careless_replies;
mod careless_scripts;
mod chat;
mod common;
mod credits;
mod dialects;
mod documentation;
mod failures;
mod fallback;
mod gate;
mod helper;
mod hostile_provider;
mod long_conversations;
mod look_back;
mod looks;
mod metering;
mod models;
mod requirements;
mod rollback;
mod runs;
mod thoughts;
mod tools;
mod validation;
mod waiting;
