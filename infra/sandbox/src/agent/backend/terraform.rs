//! Terraform's requests to an HTTP backend, and the answers that it expects.

use protocol::{LockInfo, StateWrite, listed};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The path of a state, before its name.
const PLACE: &str = "/terraform/";

/// The longest lineage, in bytes; Terraform's are UUIDs.
const LINEAGE_BYTES: usize = 200;

/// A request from Terraform.
#[derive(Debug, PartialEq, Eq)]
pub enum Call {
    Read,
    Lock(LockInfo),
    /// Without an id, as sent by `terraform force-unlock`, any lock is released.
    Unlock(Option<String>),
    /// The version's name and digest are still empty.
    Write(StateWrite),
}

/// The fields used here of Terraform's description of a lock.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Lock {
    #[serde(rename = "ID")]
    id: String,
    operation: String,
    who: String,
    created: String,
}

/// The fields used here of a state.
#[derive(Deserialize)]
struct State {
    serial: u64,
    lineage: String,
    #[serde(default)]
    resources: Vec<IgnoredAny>,
}

/// Parses a request; `None` if Terraform would not send it.
pub fn read(
    method: &str,
    path: &str,
    lock_id: Option<String>,
    body: &[u8],
) -> Option<(String, Call)> {
    let name = path.strip_prefix(PLACE)?.to_owned();
    let call = match method {
        "GET" => Call::Read,
        "LOCK" => Call::Lock(info(body)?),
        "UNLOCK" if body.is_empty() => Call::Unlock(None),
        "UNLOCK" => Call::Unlock(Some(info(body)?.id)),
        "POST" => {
            let State { serial, lineage, resources } = serde_json::from_slice(body).ok()?;
            if lineage.len() > LINEAGE_BYTES {
                return None;
            }
            Call::Write(StateWrite {
                version: String::new(),
                lock_id,
                serial,
                lineage,
                empty: resources.is_empty(),
                bytes: body.len() as u64,
                sha256: String::new(),
                resources: listed(body),
            })
        }
        _ => return None,
    };
    Some((name, call))
}

fn info(body: &[u8]) -> Option<LockInfo> {
    let Lock { id, operation, who, created } = serde_json::from_slice(body).ok()?;
    let operation = operation.trim_start_matches("OperationType").to_owned();
    (!id.is_empty()).then(|| LockInfo { id, operation, who, created }.bounded())
}

/// The lock in Terraform's own form, from which Terraform shows the id.
pub fn lock_json(info: &LockInfo) -> Vec<u8> {
    let LockInfo { id, operation, who, created } = info.clone();
    serde_json::to_vec(&Lock { id, operation, who, created }).unwrap_or_default()
}

/// A lock's holder, in words for the project's owner.
pub fn in_words(holder: &str) -> &'static str {
    match holder.starts_with(TERMINAL) {
        true => "A terminal",
        false => "Another command",
    }
}

/// The prefix of terminals' names among the holders of locks.
pub const TERMINAL: &str = "terminal ";
