//! The documents that agents write, and how to tell whether their sources have changed since.

use crate::ids::InvalidId;
use crate::plan::{Plan, Requirements};
use crate::secret_token::sha256_hex;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::ToSchema;

/// The most former versions of a document; a new one replaces the oldest.
pub const MAX_FORMER_VERSIONS: u32 = 20;
/// The longest documentation that an agent may write, in bytes.
pub const MAX_DOCUMENTATION_BYTES: usize = 45_000;
/// The longest quickstart guide, in bytes.
pub const MAX_QUICKSTART_BYTES: usize = 15_000;
/// The most bytes of the configuration data, as JSON.
pub const MAX_FACTS_BYTES: usize = 15_000;

/// A document with versions, in the order in which each is written from the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentId {
    /// The requirements.
    Requirements,
    /// The architecture plan.
    Architecture,
    /// The implementation plan with its steps.
    Implementation,
    /// The validation plan with its checks.
    Validation,
    /// The documentation, the quickstart and the configuration data.
    Documentation,
}

impl DocumentId {
    /// The name in addresses and keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requirements => "requirements",
            Self::Architecture => "architecture",
            Self::Implementation => "implementation",
            Self::Validation => "validation",
            Self::Documentation => "documentation",
        }
    }
}

impl FromStr for DocumentId {
    type Err = InvalidId;

    fn from_str(name: &str) -> Result<Self, InvalidId> {
        let all = [
            Self::Requirements,
            Self::Architecture,
            Self::Implementation,
            Self::Validation,
            Self::Documentation,
        ];
        all.into_iter().find(|id| id.as_str() == name).ok_or(InvalidId("document"))
    }
}

/// The sources of a document, as their SHA-256. Restoring an older version of a source makes the documents written
/// from that version current again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of these texts, in this order.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            // The length before each text keeps two lists of texts from having the same bytes.
            all.extend_from_slice(&part.len().to_be_bytes());
            all.extend_from_slice(part.as_bytes());
        }
        Self(sha256_hex(&all))
    }
}

impl Requirements {
    /// The fingerprint of an architecture plan's source.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.content.as_str()])
    }
}

impl Plan {
    /// The fingerprint of the next document's source.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.text.as_str()])
    }
}

/// A part of a document, for reading and comparing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Part {
    /// Its title.
    pub title: String,
    /// Markdown, or a JSON object for the configuration data.
    pub text: String,
}

impl Part {
    /// A part with this title.
    pub fn new(title: &str, text: impl Into<String>) -> Self {
        Self { title: title.to_owned(), text: text.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lists_of_texts_never_share_a_fingerprint() {
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
        assert_eq!(Fingerprint::of(["a"]), Fingerprint::of(["a"]));
    }

    #[test]
    fn a_document_is_known_by_its_name_alone() {
        assert_eq!("architecture".parse(), Ok(DocumentId::Architecture));
        assert!("ARCHITECTURE".parse::<DocumentId>().is_err());
    }
}
