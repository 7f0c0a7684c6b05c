//! Reading: fenced documents, and what a person says.

pub mod answers;
pub mod dialogue;
pub mod fences;
pub mod foreign;
pub mod language;
pub mod states;
pub mod wishes;
pub mod words;
