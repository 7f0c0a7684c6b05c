//! The warm pool: running tasks without a project, and the tags that identify tasks.
//!
//! A task takes about a minute to start. The pool starts a few tasks ahead of demand; they connect, wait, and each
//! becomes the sandbox of the next project that starts. The pool has numbered slots, as many as the operator pays for.
//! A slot holds at most one task, so two reapers that fill the pool at once cannot overfill it.

use crate::ids::InvalidId;
use crate::{PooledId, Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How long a task of the pool may be without a connection, in seconds: as long as a sandbox may take to connect.
const AWAY_SECONDS: i64 = 300;
/// The greatest age of a pooled task, in seconds: 12 hours, after which a new image has replaced all of them.
const POOLED_SECONDS: i64 = 12 * 3600;

/// A task of the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledTask {
    /// Its id; never used for another task.
    pub id: PooledId,
    /// Its slot.
    pub slot: u32,
    /// The task definition that it was started from.
    pub task_definition: String,
    /// The ECS task; `None` until ECS has answered.
    pub task_arn: Option<String>,
    /// The WebSocket connection of its agent, while there is one.
    pub connection_id: Option<String>,
    /// When ECS was asked to start it.
    pub started_at: Timestamp,
    /// When its connection last opened or closed; the start until then.
    pub changed_at: Timestamp,
}

impl PooledTask {
    /// A task for this slot, before ECS is asked to start it.
    pub fn new(slot: u32, task_definition: &str) -> Self {
        let now = Timestamp::now();
        Self {
            id: PooledId::random(),
            slot,
            task_definition: task_definition.to_owned(),
            task_arn: None,
            connection_id: None,
            started_at: now,
            changed_at: now,
        }
    }

    /// Whether its agent is connected and its ARN is known, so it can be stopped: a project may claim it.
    pub fn is_ready(&self) -> bool {
        self.task_arn.is_some() && self.connection_id.is_some()
    }

    /// The reason why a pool of `size` slots, filled from this task definition, no longer needs this task.
    pub fn obsolete(&self, size: u32, task_definition: &str) -> Option<&'static str> {
        let seconds = |since| Timestamp::now().seconds_since(since);
        if self.slot >= size {
            Some("the pool is smaller now")
        } else if self.task_definition != task_definition {
            Some("there is a newer task definition")
        } else if seconds(self.started_at) >= POOLED_SECONDS {
            Some("it is old")
        } else if self.connection_id.is_none() && seconds(self.changed_at) >= AWAY_SECONDS {
            Some("its agent is not connected")
        } else {
            None
        }
    }
}

/// The purpose of a task, written into `startedBy`, the only field in ECS's events that we can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskOrigin {
    /// One generation of a project's sandbox: `user_12_345/6`.
    Project {
        /// The project.
        scope: Scope,
        /// The generation.
        generation: u64,
    },
    /// The pool: `pool/0/…`.
    Pool {
        /// The slot it was started for.
        slot: u32,
        /// The task's id.
        id: PooledId,
    },
}

impl fmt::Display for TaskOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Project { scope, generation } => write!(f, "{}/{generation}", scope.username()),
            Self::Pool { slot, id } => write!(f, "pool/{slot}/{id}"),
        }
    }
}

impl FromStr for TaskOrigin {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = InvalidId("task origin");
        let (before, last) = text.rsplit_once('/').ok_or(invalid.clone())?;
        match before.strip_prefix("pool/") {
            Some(slot) => {
                let slot = slot.parse().map_err(|_| invalid)?;
                Ok(Self::Pool { slot, id: last.into() })
            }
            None => {
                let generation = last.parse().map_err(|_| invalid)?;
                Ok(Self::Project { scope: before.parse()?, generation })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstallationId, ProjectId};

    const DEFINITION: &str = "sandbox:7";

    fn waiting() -> PooledTask {
        let mut task = PooledTask::new(1, DEFINITION);
        task.connection_id = Some("c".to_owned());
        task
    }

    #[test]
    fn an_origin_survives_its_written_form_and_ecs_accepts_it() {
        let scope = Scope { installation: InstallationId(9), project: ProjectId((1 << 53) - 1) };
        let project = TaskOrigin::Project { scope, generation: u64::MAX };
        let pool = TaskOrigin::Pool { slot: 3, id: PooledId::random() };
        for origin in [project, pool] {
            let text = origin.to_string();
            assert_eq!(text.parse(), Ok(origin));
            assert!(text.len() <= 128, "{text}");
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_/".contains(&b)));
        }
        for other in ["", "user_1_2", "user_1/2", "user_1_2/x", "pool/x/y", "ecs-svc/123"] {
            assert!(other.parse::<TaskOrigin>().is_err(), "{other}");
        }
    }

    #[test]
    fn a_task_stays_while_it_is_young_connected_and_paid_for() {
        let now = Timestamp::now();
        assert_eq!(waiting().obsolete(2, DEFINITION), None);
        assert!(waiting().obsolete(1, DEFINITION).is_some());
        assert!(waiting().obsolete(2, "sandbox:8").is_some());
        let old = PooledTask { started_at: now.plus_seconds(-POOLED_SECONDS), ..waiting() };
        assert!(old.obsolete(2, DEFINITION).is_some());
        let long_ago = now.plus_seconds(-AWAY_SECONDS);
        let steady = PooledTask { changed_at: long_ago, ..waiting() };
        assert_eq!(steady.obsolete(2, DEFINITION), None);
        let away = PooledTask { connection_id: None, ..steady };
        assert!(away.obsolete(2, DEFINITION).is_some());
        assert_eq!(PooledTask { changed_at: now, ..away }.obsolete(2, DEFINITION), None);
    }

    #[test]
    fn a_task_is_ready_once_it_can_be_reached_and_stopped() {
        let connected = waiting();
        assert!(!connected.is_ready());
        let known = PooledTask { task_arn: Some("arn".to_owned()), ..connected };
        assert!(known.is_ready());
        assert!(!PooledTask { connection_id: None, ..known }.is_ready());
    }
}
