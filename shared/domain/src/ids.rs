//! Identifiers, each with its own type, so that one cannot be passed in place of another.

use crate::Timestamp;
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// The largest integer that a JSON number carries through JavaScript unchanged (2^53 - 1).
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A text that is not a valid identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {0}")]
pub struct InvalidId(pub(crate) &'static str);

macro_rules! number_id {
    ($name:ident, $what:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(
            Debug,
            Clone,
            Copy,
            PartialEq,
            Eq,
            Hash,
            PartialOrd,
            Ord,
            Serialize,
            Deserialize,
            ToSchema,
        )]
        #[serde(transparent)]
        #[schema(value_type = u64, minimum = 1, maximum = 9_007_199_254_740_991_u64)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                // `u64::from_str` accepts a leading plus; our URLs never have one.
                let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                match text.parse() {
                    Ok(n) if digits && (1..=MAX_SAFE_INTEGER).contains(&n) => Ok(Self(n)),
                    _ => Err(InvalidId($what)),
                }
            }
        }
    };
}

/// 128 random bits in hexadecimal.
pub fn random_id() -> String {
    hex::encode(rand::rng().random::<[u8; 16]>())
}

macro_rules! text_id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(
            Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
        )]
        #[serde(transparent)]
        #[schema(value_type = String)]
        pub struct $name(pub String);

        impl $name {
            /// A new identifier of 128 random bits in hexadecimal.
            pub fn random() -> Self {
                Self(random_id())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

number_id!(
    InstallationId,
    "installation id",
    "The GitHub App installation that owns projects: Groundcrew's tenant."
);
number_id!(ProjectId, "project id", "A project, unique within its installation.");
text_id!(PlanId, "One version of an implementation plan and the execution made from it.");
text_id!(RunId, "One attempt at something that runs: an agent's turn or a command.");
text_id!(ThreadId, "A conversation between a user and one agent.");
text_id!(PooledId, "A sandbox task of the warm pool, until it is a project's.");

text_id!(EntryId, "An entry of a ledger; ids sort by the time they were made.");
text_id!(PaymentId, "A payment; ids sort by the time they were made.");

/// A sortable id: 48 bits of milliseconds since 1970 and 80 random bits, in hexadecimal. It sorts by time, to the
/// millisecond.
fn sortable(at: Timestamp) -> String {
    let random: [u8; 10] = rand::rng().random();
    sorted(at, &random)
}

fn sorted(at: Timestamp, rest: &[u8]) -> String {
    format!("{:012x}{}", at.epoch_milliseconds(), hex::encode(rest))
}

/// Whether a text has the form of a sortable id, which every cursor has.
fn is_sortable(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

impl EntryId {
    /// A new id for something that happens at this moment.
    pub fn at(moment: Timestamp) -> Self {
        Self(sortable(moment))
    }

    /// The id of the only entry with this key at this moment: an entry under it cannot be written twice.
    pub fn of(key: &str, moment: Timestamp) -> Self {
        Self(sorted(moment, &Sha256::digest(key)[..10]))
    }
}

impl FromStr for EntryId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        is_sortable(text).then(|| Self(text.to_owned())).ok_or(InvalidId("entry id"))
    }
}

impl PaymentId {
    /// A new id for a payment that begins at this moment.
    pub fn at(moment: Timestamp) -> Self {
        Self(sortable(moment))
    }
}

impl FromStr for PaymentId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        is_sortable(text).then(|| Self(text.to_owned())).ok_or(InvalidId("payment id"))
    }
}

impl ProjectId {
    /// A random id below 2^53: URLs need digits, and a counter would be a hot key and guessable.
    pub fn random() -> Self {
        Self(rand::rng().random_range(1..=MAX_SAFE_INTEGER))
    }
}

/// An installation and one of its projects. Every lookup of a project's items names both, so a lookup by a stranger
/// finds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The tenant.
    #[serde(rename = "installation_id")]
    pub installation: InstallationId,
    /// The project within it.
    #[serde(rename = "project_id")]
    pub project: ProjectId,
}

impl Scope {
    /// The sandbox user's name, `user_{installation}_{project}`; also the name of its home directory.
    pub fn username(&self) -> String {
        format!("user_{}_{}", self.installation, self.project)
    }
}

impl FromStr for Scope {
    type Err = InvalidId;

    /// The scope of a [`Scope::username`].
    fn from_str(username: &str) -> Result<Self, InvalidId> {
        let parts = username.strip_prefix("user_").and_then(|ids| ids.split_once('_'));
        let (installation, project) = parts.ok_or(InvalidId("username"))?;
        Ok(Self { installation: installation.parse()?, project: project.parse()? })
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.installation, self.project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_username_names_its_scope_and_nothing_else_does() {
        let scope = Scope { installation: InstallationId(7), project: ProjectId(12) };
        assert_eq!(scope.username().parse(), Ok(scope));
        for bad in ["user_7", "user_7_12_1", "user_7_x", "root", "user__12"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_plain_digits_within_javascript_range_name_a_project() {
        assert_eq!("42".parse(), Ok(ProjectId(42)));
        for bad in ["", "0", "-1", "+1", "1.5", "12a", "9007199254740992", "٣"] {
            assert!(bad.parse::<ProjectId>().is_err(), "{bad:?}");
        }
    }
}
