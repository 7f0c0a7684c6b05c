//! The place where a command runs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandTarget {
    /// The project's sandbox.
    Sandbox,
    /// The user's own server, reached from the sandbox.
    Server,
}

impl CommandTarget {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Server => "server",
        }
    }
}
