//! A project's credentials: what comes in is sealed at once, and comes out for an approved run alone.
//!
//! [`Vault::seal_message`] belongs at the entrance of every chat, before anything else is done with what was
//! typed: the text that it gives back holds references such as `{{secret:PASSWORD}}` and is the only
//! one that may be stored, logged or sent to a model. Where sealing fails the message is refused.

use aws::{AwsError, Opened, Sealer};
use domain::chat::{ChatEvent, user_message};
use domain::credential::{self, InvalidCredential, Provider};
use domain::redaction::{Choices, redact_with};
use domain::security::{About, SecurityEvent, record};
use domain::{Scope, Timestamp};
use futures::{Stream, StreamExt, stream};
use settings::ConfigError;
use settings::SdkConfig;
use std::collections::BTreeMap;
use store::credentials::{Credentials, SealedSet, SealedValue};
use store::projects::Projects;
use store::{StoreError, Table};

/// The tool under whose name a reader is told what was sealed.
const TOOL: &str = "seal_secret";

/// Keeps the credentials of projects.
#[derive(Clone, Debug)]
pub struct Vault {
    projects: Projects,
    credentials: Credentials,
    sealer: Sealer,
}

/// A message without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedMessage {
    /// What may be stored and sent on.
    pub text: String,
    /// The credentials that were made of what was found.
    pub names: Vec<String>,
}

/// Why the vault did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// What was given cannot be kept.
    #[error(transparent)]
    Invalid(#[from] InvalidCredential),
    /// There is no such project for this installation.
    #[error("no such project")]
    NoSuchProject,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// KMS failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl SealedMessage {
    /// The reply, after a note of what was sealed.
    pub fn announced<S>(self, reply: S) -> impl Stream<Item = ChatEvent> + Send + use<S>
    where
        S: Stream<Item = ChatEvent> + Send,
    {
        let notes = self.names.into_iter().map(|name| ChatEvent::Tool {
            tool: TOOL.to_owned(),
            summary: format!("Sealed {name}"),
        });
        stream::iter(notes).chain(reply)
    }
}

impl Vault {
    /// From the table and `KMS_KEY_ID`.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            projects: Projects::new(table),
            credentials: Credentials::new(table),
            sealer: Sealer::from_env(sdk)?,
        })
    }

    /// Takes the secrets out of what was typed into a chat and keeps them sealed.
    ///
    /// A text that is no message anyway (empty, too long) is given back as it is, for its reader to
    /// refuse: nothing of it is kept. One without a secret costs nothing. What its author said about its parts
    /// counts more than what they look like.
    pub async fn seal_message(
        &self,
        scope: Scope,
        message: &str,
        choices: &Choices,
    ) -> Result<SealedMessage, VaultError> {
        let plain = || SealedMessage { text: message.to_owned(), names: Vec::new() };
        if user_message(message).is_err() {
            return Ok(plain());
        }
        let redacted = redact_with(message, choices);
        if redacted.secrets.is_empty() {
            return Ok(plain());
        }
        let names = redacted.secrets.iter().map(|secret| secret.name.clone()).collect();
        let values = redacted.secrets.into_iter().map(|secret| (secret.name, secret.value));
        self.keep(scope, Provider::Chat, &values.collect()).await?;
        Ok(SealedMessage { text: redacted.text.trim().to_owned(), names })
    }

    /// A project's sets, sealed: names and times.
    pub async fn list(&self, scope: Scope) -> Result<Vec<SealedSet>, VaultError> {
        let (sets, project) = tokio::join!(self.credentials.list(scope), self.projects.get(scope));
        project?.ok_or(VaultError::NoSuchProject)?;
        Ok(sets?)
    }

    /// Seals a provider's credentials. Those typed into chats are added to, all others replaced.
    pub async fn keep(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, String>,
    ) -> Result<(), VaultError> {
        credential::check(values)?;
        check_total(&self.list(scope).await?, provider, values)?;
        let sealed = self.sealer.seal(scope, provider, values).await?;
        let sealed_at = Timestamp::now();
        let sealed = sealed.into_iter().map(|(name, sealed)| {
            let bytes = values.get(&name).map_or(0, String::len);
            (name, SealedValue { sealed, bytes, sealed_at })
        });
        let sealed = sealed.collect();
        match provider {
            Provider::Chat => self.credentials.add(scope, provider, &sealed).await?,
            _ => self.credentials.replace(scope, provider, &sealed).await?,
        }
        let names: Vec<_> = values.keys().map(String::as_str).collect();
        let detail = format!("provider={provider} names={}", names.join(","));
        record(SecurityEvent::CredentialsSet, About::project(scope), &detail);
        Ok(())
    }

    /// Forgets a provider's credentials, if there are any.
    pub async fn forget(&self, scope: Scope, provider: Provider) -> Result<(), VaultError> {
        self.projects.get(scope).await?.ok_or(VaultError::NoSuchProject)?;
        if self.credentials.delete(scope, provider).await? {
            let detail = format!("provider={provider}");
            record(SecurityEvent::CredentialsForgotten, About::project(scope), &detail);
        }
        Ok(())
    }

    /// All credentials, open: for the environment of a run that its owner approved, and for hiding them in what any run
    /// prints. They go nowhere else.
    pub(crate) async fn open(&self, scope: Scope) -> Result<Opened, VaultError> {
        let sets = self.credentials.list(scope).await?;
        Ok(self.sealer.unseal(scope, &sets).await?)
    }
}

/// Checks what the project would have with these in the place of those they replace.
fn check_total(
    sets: &[SealedSet],
    provider: Provider,
    values: &BTreeMap<String, String>,
) -> Result<(), InvalidCredential> {
    let stays = |set: &SealedSet, name: &String| {
        set.provider != provider || (provider == Provider::Chat && !values.contains_key(name))
    };
    let staying = sets.iter().flat_map(|set| {
        set.values.iter().filter(|(name, _)| stays(set, name)).map(|(_, value)| value.bytes)
    });
    let sizes: Vec<_> = staying.chain(values.values().map(String::len)).collect();
    credential::check_total(sizes.len(), sizes.iter().sum())
}

impl VaultError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(invalid) => invalid.code(),
            Self::NoSuchProject => "not_found",
            Self::Store(_) | Self::Aws(_) => "internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(provider: Provider, names: &[&str], bytes: usize) -> SealedSet {
        let sealed = |_| SealedValue { sealed: String::new(), bytes, sealed_at: Timestamp::now() };
        let values = names.iter().map(|name| ((*name).to_owned(), sealed(()))).collect();
        SealedSet { provider, values, updated_at: Timestamp::now() }
    }

    fn values(names: &[&str]) -> BTreeMap<String, String> {
        names.iter().map(|name| ((*name).to_owned(), "v".repeat(8000))).collect()
    }

    #[test]
    fn what_is_replaced_does_not_count() {
        let sets = [set(Provider::Aws, &["A", "B"], 8000), set(Provider::Chat, &["C"], 8000)];
        let check = |provider, names: &[&str]| check_total(&sets, provider, &values(names));
        assert_eq!(check(Provider::Aws, &["X", "Y", "Z"]), Ok(()));
        assert_eq!(check(Provider::Ssh, &["X", "Y"]), Err(InvalidCredential::TooMuch));
        assert_eq!(check(Provider::Chat, &["C", "D"]), Ok(()));
        assert_eq!(check(Provider::Chat, &["D", "E"]), Err(InvalidCredential::TooMuch));
    }
}
