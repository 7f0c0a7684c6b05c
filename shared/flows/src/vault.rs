//! Seals a project's credentials as soon as they come in, and unseals them only for an approved run.
//!
//! [`Vault::seal_message`] belongs at the entrance of every chat, before anything else happens to the typed text. The
//! text that it returns contains references such as `{{secret:PASSWORD}}` and is the only one that may be stored,
//! logged or sent to a model. If sealing fails, the message is refused.

use aws::{AwsError, Opened, Sealer};
use domain::chat::{ChatEvent, user_message};
use domain::credential::{self, InvalidCredential, Provider};
use domain::masking::hiding;
use domain::security::{About, SecurityEvent, record};
use domain::{Scope, Timestamp};
use futures::{Stream, StreamExt, stream};
use redaction::{Choices, Found, Taken, find_with, redact_with};
use settings::ConfigError;
use settings::SdkConfig;
use std::collections::{BTreeMap, BTreeSet};
use store::credentials::{Credentials, SealedSet, SealedValue};
use store::projects::Projects;
use store::{StoreError, Table};

/// The tool name under which the stream reports what was sealed.
const TOOL: &str = "seal_secret";

/// Seals and unseals the credentials of projects.
#[derive(Clone, Debug)]
pub struct Vault {
    projects: Projects,
    credentials: Credentials,
    sealer: Sealer,
}

/// A message without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedMessage {
    /// The text that may be stored and sent on.
    pub text: String,
    /// The credentials that were made from the secrets found in it.
    pub names: Vec<String>,
}

/// Why the vault refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The input cannot be stored.
    #[error(transparent)]
    Invalid(#[from] InvalidCredential),
    /// This installation has no such project.
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
    /// The reply, after a note about what was sealed.
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
    /// Uses the table and `KMS_KEY_ID`.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            projects: Projects::new(table),
            credentials: Credentials::new(table),
            sealer: Sealer::from_env(sdk)?,
        })
    }

    /// Removes the secrets from a text typed into a chat, and stores them sealed.
    ///
    /// A text that is not a valid message (empty, too long) is returned unchanged, for its reader to refuse; nothing of
    /// it is stored. A text without a secret costs nothing. The author's marks on parts of the text take precedence
    /// over what those parts look like. A secret that the project already has is not sealed again.
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
        if find_with(message, choices, &Taken::default()).is_empty() {
            return Ok(plain());
        }
        let known = Known::of(&self.list(scope).await?);
        let name_of = |value: &str| known.name_of(self.sealer.fingerprint(scope, value));
        let taken = Taken { names: known.names(), name_of: Some(&name_of) };
        let redacted = redact_with(message, choices, &taken);
        let names = redacted.secrets.iter().map(|secret| secret.name.clone()).collect();
        let is_new = |name: &String, value: &str| name_of(value).as_ref() != Some(name);
        let secrets = redacted.secrets.into_iter().map(|secret| (secret.name, secret.value));
        let values: BTreeMap<_, _> = secrets.filter(|(name, value)| is_new(name, value)).collect();
        if !values.is_empty() {
            self.keep(scope, Provider::Chat, &values, Beside::Others).await?;
        }
        Ok(SealedMessage { text: redacted.text.trim().to_owned(), names })
    }

    /// The parts of a draft that would be sealed, under the names that they would get.
    pub async fn find(
        &self,
        scope: Scope,
        draft: &str,
        choices: &Choices,
    ) -> Result<Vec<Found>, VaultError> {
        let found = find_with(draft, choices, &Taken::default());
        if found.is_empty() {
            return Ok(found);
        }
        let known = Known::of(&self.list(scope).await?);
        let name_of = |value: &str| known.name_of(self.sealer.fingerprint(scope, value));
        let taken = Taken { names: known.names(), name_of: Some(&name_of) };
        Ok(find_with(draft, choices, &taken))
    }

    /// A project's sealed sets, with names and times.
    pub async fn list(&self, scope: Scope) -> Result<Vec<SealedSet>, VaultError> {
        let (sets, project) = tokio::join!(self.credentials.list(scope), self.projects.get(scope));
        project?.ok_or(VaultError::NoSuchProject)?;
        Ok(sets?)
    }

    /// Seals a provider's credentials, in place of its existing ones or beside them. Those typed into chats are always
    /// added.
    pub async fn keep(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, String>,
        beside: Beside,
    ) -> Result<(), VaultError> {
        credential::check(values)?;
        let beside = if provider == Provider::Chat { Beside::Others } else { beside };
        check_total(&self.list(scope).await?, provider, values, beside)?;
        let sealed = self.sealer.seal(scope, provider, values).await?;
        let sealed_at = Timestamp::now();
        let sealed = sealed.into_iter().map(|(name, sealed)| {
            let value = values.get(&name).map_or("", String::as_str);
            let fingerprint = self.sealer.fingerprint(scope, value);
            let hiding = hiding(value);
            (name, SealedValue { sealed, bytes: value.len(), fingerprint, hiding, sealed_at })
        });
        let sealed = sealed.collect();
        // Other credentials may have come in the meantime.
        let may =
            |sets: &[SealedSet]| Ok::<_, VaultError>(check_total(sets, provider, values, beside)?);
        match beside {
            Beside::Others => self.credentials.add(scope, provider, &sealed, may).await?,
            Beside::None => self.credentials.replace(scope, provider, &sealed, may).await?,
        }
        let names: Vec<_> = values.keys().map(String::as_str).collect();
        let detail = format!("provider={provider} names={}", names.join(","));
        record(SecurityEvent::CredentialsSet, About::project(scope), &detail);
        Ok(())
    }

    /// Deletes a provider's credentials, if there are any.
    pub async fn forget(&self, scope: Scope, provider: Provider) -> Result<(), VaultError> {
        self.projects.get(scope).await?.ok_or(VaultError::NoSuchProject)?;
        if self.credentials.delete(scope, provider).await? {
            let detail = format!("provider={provider}");
            record(SecurityEvent::CredentialsForgotten, About::project(scope), &detail);
        }
        Ok(())
    }

    /// All credentials, unsealed, for two uses: the environment of a run that its owner approved, and hiding them in
    /// the output of any run. They go nowhere else.
    pub(crate) async fn open(&self, scope: Scope) -> Result<Opened, VaultError> {
        let sets = self.credentials.list(scope).await?;
        Ok(self.sealer.unseal(scope, &sets).await?)
    }
}

/// Which of a provider's existing credentials stay when new ones are sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// None: the new ones replace them.
    None,
    /// Those with other names.
    Others,
}

/// The credentials of a project, each with the fingerprint of the value that commands get.
struct Known(BTreeMap<String, SealedValue>);

impl Known {
    fn of(sets: &[SealedSet]) -> Self {
        let mut known: BTreeMap<String, SealedValue> = BTreeMap::new();
        for (name, value) in sets.iter().flat_map(|set| &set.values) {
            // Of two values with the same name, the later one wins.
            if known.get(name).is_none_or(|other| other.sealed_at <= value.sealed_at) {
                known.insert(name.clone(), value.clone());
            }
        }
        Self(known)
    }

    fn names(&self) -> BTreeSet<String> {
        self.0.keys().cloned().collect()
    }

    fn name_of(&self, fingerprint: Option<String>) -> Option<String> {
        let fingerprint = fingerprint?;
        let same = |value: &SealedValue| value.fingerprint.as_ref() == Some(&fingerprint);
        self.0.iter().find(|(_, value)| same(value)).map(|(name, _)| name.clone())
    }
}

/// Checks what the project would have with these in place of those that they replace.
fn check_total(
    sets: &[SealedSet],
    provider: Provider,
    values: &BTreeMap<String, String>,
    beside: Beside,
) -> Result<(), InvalidCredential> {
    let stays = |set: &SealedSet, name: &String| {
        set.provider != provider || (beside == Beside::Others && !values.contains_key(name))
    };
    let staying = sets.iter().flat_map(|set| {
        set.values.iter().filter(|(name, _)| stays(set, name)).map(|(_, value)| value.bytes)
    });
    let sizes: Vec<_> = staying.chain(values.values().map(String::len)).collect();
    credential::check_total(sizes.len(), sizes.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::masking::Hiding;

    fn set(provider: Provider, names: &[&str], bytes: usize) -> SealedSet {
        let sealed = |_| SealedValue {
            sealed: String::new(),
            bytes,
            fingerprint: None,
            hiding: Hiding::Everywhere,
            sealed_at: Timestamp::now(),
        };
        let values = names.iter().map(|name| ((*name).to_owned(), sealed(()))).collect();
        SealedSet { provider, values, former: Vec::new(), updated_at: Timestamp::now() }
    }

    fn values(names: &[&str]) -> BTreeMap<String, String> {
        names.iter().map(|name| ((*name).to_owned(), "v".repeat(8000))).collect()
    }

    #[test]
    fn a_replaced_credential_does_not_count_toward_the_limit() {
        let sets = [set(Provider::Aws, &["A", "B"], 8000), set(Provider::Chat, &["C"], 8000)];
        let check =
            |provider, names: &[&str], beside| check_total(&sets, provider, &values(names), beside);
        let too_much = Err(InvalidCredential::TooMuch);
        assert_eq!(check(Provider::Aws, &["X", "Y", "Z"], Beside::None), Ok(()));
        assert_eq!(check(Provider::Aws, &["A", "X"], Beside::Others), Ok(()));
        assert_eq!(check(Provider::Aws, &["X", "Y"], Beside::Others), too_much);
        assert_eq!(check(Provider::Ssh, &["X", "Y"], Beside::None), too_much);
        assert_eq!(check(Provider::Chat, &["C", "D"], Beside::Others), Ok(()));
        assert_eq!(check(Provider::Chat, &["D", "E"], Beside::Others), too_much);
    }
}
