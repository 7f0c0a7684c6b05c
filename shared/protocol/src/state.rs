//! Requests about Terraform's state, between the agent that Terraform calls and the gateway that keeps the state.
//!
//! The agent repeats a request until it is answered, so the gateway gives a repeated request the same answer. The
//! content itself never passes through the gateway: it travels between the agent and the bucket, encrypted with a key
//! that the gateway issues for this one version.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ListedResource, LockInfo};

/// A request about a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum StateAsk {
    /// Ask where the current version is.
    Read,
    /// Lock the state for a run or a terminal.
    Lock {
        /// Terraform's description of the lock.
        info: LockInfo,
        /// The run or terminal.
        holder: String,
        /// The ids of all locks that commands of this sandbox hold or have asked for. The command of every other lock
        /// of this sandbox is over.
        held: Vec<String>,
    },
    /// Release the lock with this id; without an id, any lock.
    Unlock {
        /// The id, if one is named.
        lock_id: Option<String>,
    },
    /// Ask where to put the next version.
    Write(StateWrite),
    /// Report that this version is uploaded.
    Written {
        /// The version's name.
        version: String,
    },
}

/// A version to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateWrite {
    /// The version's name: 128 random bits in hexadecimal.
    pub version: String,
    /// The lock under which it is written, if any.
    pub lock_id: Option<String>,
    /// Terraform's count of versions.
    pub serial: u64,
    /// Terraform's name for the state.
    pub lineage: String,
    /// Whether the state lists no resource.
    pub empty: bool,
    /// Size in bytes.
    pub bytes: u64,
    /// Lower-case hex SHA-256 of the content.
    pub sha256: String,
    /// Its resources, without their secrets; agents of earlier versions do not list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<ListedResource>,
}

/// The answer to a [`StateAsk`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum StateAnswer {
    /// There is no state yet.
    Nothing,
    /// The request is done, or was done before.
    Done,
    /// The place from which to fetch the version, or to which to upload it.
    Place(StatePlace),
    /// Another command has the lock.
    Locked {
        /// Terraform's description of that lock.
        info: LockInfo,
        /// The run or terminal that holds it.
        holder: String,
    },
    /// The request was refused.
    Refused {
        /// The reason, for the user.
        reason: String,
    },
}

/// A version's place, and the key of its content.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatePlace {
    /// The version's name.
    pub version: String,
    /// Lower-case hex SHA-256 of the content.
    pub sha256: String,
    /// Presigned address.
    pub url: String,
    /// The key of its content (AES-256-GCM), in Base64.
    pub key: String,
}

/// Shows neither the address nor the key.
impl fmt::Debug for StatePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatePlace").field("version", &self.version).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromAgent, ToAgent};
    use serde_json::json;

    #[test]
    fn a_state_request_and_its_answer_have_their_json_form() {
        let ask = StateAsk::Unlock { lock_id: None };
        let asked = FromAgent::State { request_id: "r".into(), name: "main".into(), order: 7, ask };
        let value = serde_json::to_value(&asked).unwrap();
        let expected = json!({"type": "state", "request_id": "r", "name": "main", "order": 7,
            "ask": {"ask": "unlock", "lock_id": null}});
        assert_eq!(value, expected);
        assert_eq!(serde_json::from_value::<FromAgent>(value).unwrap(), asked);
    }

    #[test]
    fn a_printed_answer_shows_neither_key_nor_address() {
        let answer = json!({"type": "state", "request_id": "r", "answer": {"answer": "place",
            "version": "v", "sha256": "00", "url": "https://signed", "key": "hush"}});
        let answer: ToAgent = serde_json::from_value(answer).unwrap();
        let printed = format!("{answer:?}");
        assert!(printed.contains("\"v\""), "{printed}");
        assert!(!printed.contains("signed") && !printed.contains("hush"), "{printed}");
    }
}
