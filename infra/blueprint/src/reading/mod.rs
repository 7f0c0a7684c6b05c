//! Reads fenced documents and the user's messages.

pub mod answers;
pub mod dialogue;
pub mod fences;
mod misspelled;
pub mod sentences;
pub mod slips;
mod spelled;
pub mod states;
pub mod wishes;
