//! The project's credentials: users enter and delete them here, and no call ever shows them.

use crate::App;
use domain::credential::{InvalidCredential, Provider};
use domain::masking::Hiding;
use domain::{Scope, Timestamp};
use flows::Beside;
use http_kit::ApiError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::credentials::SealedSet;
use utoipa::ToSchema;

/// The names of a provider's credentials; their values are never returned.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CredentialNames {
    /// Their provider.
    pub provider: Provider,
    /// The environment variables in which an approved command gets them.
    pub names: Vec<String>,
    /// The names whose values outputs do not hide everywhere, and how they hide these: a short value only as a word of
    /// its own, a shorter or usual one (`true`, `root`, `8080`) not at all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hiding: BTreeMap<String, Hiding>,
    /// When they last changed.
    pub updated_at: Timestamp,
}

/// The new credentials of a provider, which replace its old ones or are added to them.
#[derive(Deserialize, ToSchema)]
pub struct CredentialValues {
    /// Names (capitals, digits and underscores, 64 at most) and their values, of up to 8 KB; a project
    /// has up to 32 of them and 32 KB in all.
    pub values: BTreeMap<String, String>,
    /// Whether the provider's credentials with other names stay; without it, they are deleted.
    #[serde(default)]
    pub keep_others: bool,
}

impl App {
    pub(crate) async fn credentials(&self, scope: Scope) -> Result<Vec<CredentialNames>, ApiError> {
        let sets = self.vault.list(scope).await.map_err(chats::of_vault)?;
        let shown = sets.into_iter().map(|set| CredentialNames {
            provider: set.provider,
            hiding: shown_in_outputs(&set),
            names: set.values.into_keys().collect(),
            updated_at: set.updated_at,
        });
        Ok(shown.collect())
    }

    pub(crate) async fn keep_credentials(
        &self,
        scope: Scope,
        provider: &str,
        given: &CredentialValues,
    ) -> Result<(), ApiError> {
        let provider = named(provider).and_then(|provider| match provider {
            // Users typed the values of that set one by one, and a form would replace all of them.
            Provider::Chat => Err(InvalidCredential::Provider),
            settable => Ok(settable),
        });
        let provider = provider.map_err(|invalid| chats::of_vault(invalid.into()))?;
        let beside = if given.keep_others { Beside::Others } else { Beside::None };
        let kept = self.vault.keep(scope, provider, &given.values, beside).await;
        kept.map_err(chats::of_vault)
    }

    pub(crate) async fn forget_credentials(
        &self,
        scope: Scope,
        provider: &str,
    ) -> Result<(), ApiError> {
        let provider = named(provider).map_err(|invalid| chats::of_vault(invalid.into()))?;
        let forgotten = self.vault.forget(scope, provider).await;
        forgotten.map_err(chats::of_vault)
    }
}

fn shown_in_outputs(set: &SealedSet) -> BTreeMap<String, Hiding> {
    let values = set.values.iter().map(|(name, value)| (name.clone(), value.hiding()));
    values.filter(|(_, hiding)| *hiding != Hiding::Everywhere).collect()
}

fn named(provider: &str) -> Result<Provider, InvalidCredential> {
    provider.parse()
}
