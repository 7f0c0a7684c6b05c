//! Opaque tokens: sessions, tickets and a sandbox's key to the gateway.
//!
//! Only the hash is ever stored, so that someone who reads the table cannot impersonate anyone.

use rand::Rng;
use sha2::{Digest, Sha256};

/// Random bytes in a token: 256 bits, far beyond guessing.
const TOKEN_BYTES: usize = 32;

/// Random bytes in a token that serves as a host name: 192 bits, as many as fit.
const NAME_BYTES: usize = 24;

/// A token for its holder; its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    /// A fresh token.
    pub fn random() -> Self {
        Self(hex::encode(rand::rng().random::<[u8; TOKEN_BYTES]>()))
    }

    /// A fresh token that can be part of a host name: at most 63 characters, lower-case.
    pub fn random_name() -> Self {
        Self(hex::encode(rand::rng().random::<[u8; NAME_BYTES]>()))
    }

    /// A token from a request.
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The token itself, to give to its holder.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The form in which the token is stored.
    pub fn hash(&self) -> String {
        sha256_hex(self.0.as_bytes())
    }
}

impl std::fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretToken(…)")
    }
}

/// SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
