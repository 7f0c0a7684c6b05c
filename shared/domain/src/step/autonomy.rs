//! How far steps run without asking their owner, who chooses this for each plan.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the owner of a plan is asked about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// Every command waits for its owner.
    #[default]
    AskForEverything,
    /// A command that only reads runs in the reader's confinement; every other waits.
    AskForChanges,
    /// The page approves each command when its turn comes.
    RunAll,
}

impl Autonomy {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AskForEverything => "ask_for_everything",
            Self::AskForChanges => "ask_for_changes",
            Self::RunAll => "run_all",
        }
    }

    /// The same as text for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::AskForEverything => "Ask for everything",
            Self::AskForChanges => "Ask before commands that change something",
            Self::RunAll => "Run all steps without asking",
        }
    }
}
