//! The agent's settings, read from its environment.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Parser;

use crate::confinement::{Confinement, Plan};

/// How much of the disk the workspace may take by default: half of a task's ephemeral storage, and a little more than a
/// backup may hold.
const WORKSPACE_BYTES: u64 = 10 * 1024 * 1024 * 1024;

/// Runs a project's commands and terminals for Groundcrew.
#[derive(Parser, Clone)]
#[command(version)]
pub struct Settings {
    /// Where the gateway listens
    #[arg(long, env = "GROUNDCREW_WEBSOCKET_URL")]
    pub websocket_url: String,
    /// Token for the first connection
    #[arg(long, env = "GROUNDCREW_TOKEN", hide_env_values = true)]
    pub token: String,
    /// `user_{installation}_{project}`; without one the agent waits for an assignment
    #[arg(long, env = "GROUNDCREW_USER")]
    pub user: Option<String>,
    /// What separates commands from this agent and its host
    #[arg(long, env = "GROUNDCREW_CONFINEMENT", value_enum)]
    pub confinement: Confinement,
    /// Folder for records, output and the workspace of a bubblewrap sandbox
    #[arg(long, env = "GROUNDCREW_STATE_DIR", default_value = "/var/lib/groundcrew")]
    pub state_dir: PathBuf,
    /// Additional paths that are visible inside, read-only
    #[arg(long, env = "GROUNDCREW_VISIBLE_PATHS", value_delimiter = ':')]
    pub visible_paths: Vec<PathBuf>,
    /// Age at which a connection is renewed; the gateway ends it at two hours
    #[arg(long, env = "GROUNDCREW_RENEW_AFTER_SECONDS", default_value_t = 6600)]
    pub renew_after_seconds: u64,
    /// Seconds between SIGTERM and SIGKILL, in which the workspace is backed up
    #[arg(long, env = "GROUNDCREW_STOP_SECONDS", default_value_t = 120)]
    pub stop_seconds: u64,
    /// How much of the disk the workspace may take, in bytes
    #[arg(long, env = "GROUNDCREW_WORKSPACE_BYTES", default_value_t = WORKSPACE_BYTES)]
    pub workspace_bytes: u64,
}

impl Settings {
    /// The age at which a connection is renewed.
    pub fn renew_after(&self) -> Duration {
        Duration::from_secs(self.renew_after_seconds)
    }

    /// The time between SIGTERM and SIGKILL.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.stop_seconds)
    }

    /// The confinement to use for this user.
    pub fn plan(&self, user: &str) -> anyhow::Result<Plan> {
        ensure!(is_user(user), "GROUNDCREW_USER must look like user_12_345, not {user:?}");
        Ok(Plan {
            confinement: self.confinement,
            user: user.to_owned(),
            state: std::path::absolute(&self.state_dir)?,
            visible: self
                .visible_paths
                .iter()
                .filter(|path| !path.as_os_str().is_empty())
                .cloned()
                .collect(),
            workspace_bytes: self.workspace_bytes,
        })
    }
}

/// The name becomes a path and a line of `/etc/passwd`, so only its exact form is accepted.
pub fn is_user(name: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let numbers = name.strip_prefix("user_").and_then(|n| n.split_once('_'));
    numbers.is_some_and(|(installation, project)| digits(installation) && digits(project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_name_must_not_be_a_path() {
        assert!(is_user("user_4512_8841"));
        for name in ["user_1_2/..", "user_1_", "user__", "root", "user_1_2:x", ""] {
            assert!(!is_user(name), "{name}");
        }
    }
}
