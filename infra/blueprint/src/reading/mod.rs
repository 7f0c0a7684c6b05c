//! Reads fenced documents and the user's messages.

pub mod answers;
pub mod dialogue;
pub mod fences;
pub mod foreign;
pub mod language;
pub mod numbers;
pub mod sentences;
pub mod spans;
pub mod states;
pub mod wishes;
pub mod words;
