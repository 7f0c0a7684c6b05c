//! The local stack from outside: the SDKs, a browser's requests and sockets, against a started stack.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod github;
mod kill;
mod local;
mod objects;
mod pollers;
mod queues;
mod secrets;
mod site;
mod sockets;
mod stripe;
mod tables;
mod tasks;
