//! The names and bounds of a project's credentials.
//!
//! Values reach a sandbox as environment variables, so a name is a variable's name, and names that change a shell's
//! behavior (`PATH`, `LD_PRELOAD`) are refused. All values of a project travel in one message to its sandbox, beside
//! the script: [`MAX_TOTAL_BYTES`] keeps that message under the gateway's 128 KB.

use crate::ErrorCode;
use redaction::variable::{self, InvalidName, MAX_NAME_CHARS};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// The longest value, in bytes.
pub const MAX_VALUE_BYTES: usize = 8 * 1024;
/// The most credentials of a project, all providers together.
pub const MAX_CREDENTIALS: usize = 32;
/// The most bytes of a project's values, all providers together.
pub const MAX_TOTAL_BYTES: usize = 32 * 1024;

/// The most replaced values that are kept to hide them in outputs, per provider and for all providers of one command
/// together.
pub const MAX_FORMER: usize = 16;
/// The most bytes of these values, with the same two scopes: they travel beside the credentials and the script.
pub const MAX_FORMER_BYTES: usize = 6 * 1024;

/// The provider of credentials; a project has one set per provider.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Amazon Web Services.
    Aws,
    /// DigitalOcean.
    Digitalocean,
    /// Hetzner Cloud.
    Hetzner,
    /// Keys and passwords of servers.
    Ssh,
    /// Anything else.
    Other,
    /// Found in a chat message.
    Chat,
}

impl Provider {
    /// All providers.
    pub const ALL: [Self; 6] =
        [Self::Aws, Self::Digitalocean, Self::Hetzner, Self::Ssh, Self::Other, Self::Chat];

    /// Its name in addresses and in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Digitalocean => "digitalocean",
            Self::Hetzner => "hetzner",
            Self::Ssh => "ssh",
            Self::Other => "other",
            Self::Chat => "chat",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = InvalidCredential;

    fn from_str(name: &str) -> Result<Self, InvalidCredential> {
        let found = Self::ALL.into_iter().find(|provider| provider.as_str() == name);
        found.ok_or(InvalidCredential::Provider)
    }
}

/// Input that cannot be stored as a credential; the texts are for the person who entered it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCredential {
    /// No such provider.
    #[error("There is no such provider. Use aws, digitalocean, hetzner, ssh or other.")]
    Provider,
    /// No credential at all.
    #[error("Enter at least one credential.")]
    Nothing,
    /// Not a valid name; holds the beginning of the text.
    #[error(
        "\"{0}\" is not a credential's name. Use capital letters, digits and underscores, a letter first, 64 at most."
    )]
    Name(String),
    /// A name that has a meaning for the shell.
    #[error("{0} has another meaning in a shell. Give this credential another name.")]
    Reserved(String),
    /// An empty value.
    #[error("{0} is empty.")]
    Empty(String),
    /// Over [`MAX_VALUE_BYTES`].
    #[error("{0} is too long. A credential may have up to 8 KB.")]
    TooLong(String),
    /// Contains characters that environment variables cannot or should not hold.
    #[error("{0} contains control characters. Paste it as plain text.")]
    Control(String),
    /// Over [`MAX_CREDENTIALS`].
    #[error("A project may have up to 32 credentials. Remove some first.")]
    TooMany,
    /// Over [`MAX_TOTAL_BYTES`].
    #[error("A project's credentials may have up to 32 KB in all. Remove some first.")]
    TooMuch,
}

impl InvalidCredential {
    /// The code for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Provider => ErrorCode::InvalidProvider,
            Self::Name(_) | Self::Reserved(_) => ErrorCode::InvalidName,
            Self::Nothing | Self::Empty(_) | Self::TooLong(_) | Self::Control(_) => {
                ErrorCode::InvalidValue
            }
            Self::TooMany | Self::TooMuch => ErrorCode::TooManyCredentials,
        }
    }
}

/// Checks the credentials of one provider, without the project's others.
pub fn check(values: &BTreeMap<String, String>) -> Result<(), InvalidCredential> {
    if values.is_empty() {
        return Err(InvalidCredential::Nothing);
    }
    for (name, value) in values {
        check_name(name)?;
        check_value(name, value)?;
    }
    check_total(values.len(), values.values().map(String::len).sum())
}

/// Checks the number of credentials that a project would have, and their bytes.
pub fn check_total(count: usize, bytes: usize) -> Result<(), InvalidCredential> {
    if count > MAX_CREDENTIALS {
        return Err(InvalidCredential::TooMany);
    }
    if bytes > MAX_TOTAL_BYTES {
        return Err(InvalidCredential::TooMuch);
    }
    Ok(())
}

/// Checks a name by the rule that holds for every secret ([`redaction::variable`]).
fn check_name(name: &str) -> Result<(), InvalidCredential> {
    variable::check_name(name).map_err(|why| match why {
        InvalidName::Malformed => {
            InvalidCredential::Name(name.chars().take(MAX_NAME_CHARS).collect())
        }
        InvalidName::Reserved => InvalidCredential::Reserved(name.to_owned()),
    })
}

fn check_value(name: &str, value: &str) -> Result<(), InvalidCredential> {
    let name = name.to_owned();
    if value.is_empty() {
        return Err(InvalidCredential::Empty(name));
    }
    if value.len() > MAX_VALUE_BYTES {
        return Err(InvalidCredential::TooLong(name));
    }
    if value.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(InvalidCredential::Control(name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, value: &str) -> Result<(), InvalidCredential> {
        check(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn a_credential_is_named_like_a_variable_that_no_shell_reads() {
        for good in ["A", "AWS_ACCESS_KEY_ID", "PSQL_PASSWORD", "PATHOLOGY", "X9"] {
            assert_eq!(one(good, "value"), Ok(()), "{good}");
        }
        for bad in ["", "a", "9A", "_A", "A-B", "A B", "Ä", &"A".repeat(65)] {
            assert!(matches!(one(bad, "value"), Err(InvalidCredential::Name(_))), "{bad}");
        }
        for reserved in ["PATH", "LD_PRELOAD", "BASH_ENV", "PS4", "GROUNDCREW_TOKEN"] {
            assert!(
                matches!(one(reserved, "x"), Err(InvalidCredential::Reserved(_))),
                "{reserved}"
            );
        }
    }

    #[test]
    fn values_have_bounds_and_no_control_characters() {
        assert_eq!(one("KEY", "-----BEGIN\nline\r\n\tend"), Ok(()));
        assert_eq!(one("KEY", &"x".repeat(MAX_VALUE_BYTES)), Ok(()));
        let too_long = "x".repeat(MAX_VALUE_BYTES + 1);
        assert_eq!(one("KEY", &too_long), Err(InvalidCredential::TooLong("KEY".into())));
        assert_eq!(one("KEY", ""), Err(InvalidCredential::Empty("KEY".into())));
        assert_eq!(one("KEY", "a\0b"), Err(InvalidCredential::Control("KEY".into())));
        assert_eq!(check(&BTreeMap::new()), Err(InvalidCredential::Nothing));
        let many = |n| (0..n).map(|i| (format!("N{i}"), "v".to_owned())).collect();
        assert_eq!(check(&many(MAX_CREDENTIALS)), Ok(()));
        assert_eq!(check(&many(MAX_CREDENTIALS + 1)), Err(InvalidCredential::TooMany));
        let big = (0..5).map(|i| (format!("N{i}"), "v".repeat(MAX_VALUE_BYTES))).collect();
        assert_eq!(check(&big), Err(InvalidCredential::TooMuch));
    }

    #[test]
    fn providers_are_named_as_in_addresses() {
        for provider in Provider::ALL {
            assert_eq!(provider.as_str().parse(), Ok(provider));
            assert_eq!(serde_json::to_value(provider).unwrap(), provider.as_str());
        }
        assert!("AWS".parse::<Provider>().is_err());
    }
}
