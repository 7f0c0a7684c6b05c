//! Seals values with KMS, by envelope encryption.
//!
//! Each seal asks KMS for a fresh data key, encrypts the values with it (AES-256-GCM) and keeps the key only in the
//! form that only KMS can open. Two checks tie a sealed value to its place. KMS opens the key only for the project for
//! which it was made (the *encryption context*), and a value opens only under the provider and name for which it was
//! sealed.
//!
//! A [fingerprint](crate::Fingerprints) shows whether a project already has the same value, without unsealing anything:
//! functions that seal may not unseal.

use crate::AwsError;
use crate::fingerprints::Fingerprints;
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_sdk_kms::Client;
use aws_sdk_kms::operation::decrypt::DecryptError;
use aws_sdk_kms::primitives::Blob;
use aws_sdk_kms::types::DataKeySpec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Scope;
use domain::credential::{MAX_FORMER, MAX_FORMER_BYTES, Provider};
use settings::SdkConfig;
use settings::{ConfigError, var};
use std::collections::BTreeMap;
use store::credentials::{FormerValue, SealedSet};

/// The first byte of every envelope.
const FORMAT: u8 = 1;
/// Why KMS will never open a data key.
const FOREIGN: &str = "the data key was wrapped by another key, or for another project";

/// Seals and unseals values.
#[derive(Clone, Debug)]
pub struct Sealer {
    client: Client,
    key_id: String,
    /// Absent in functions that only unseal.
    fingerprints: Fingerprints,
}

/// The opened credentials of a project.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Opened {
    /// By their names.
    pub values: BTreeMap<String, String>,
    /// Values that others replaced, and older values of names that were entered twice. Commands never receive them, but
    /// outputs must hide them, too.
    pub hidden: Vec<String>,
}

/// Data keys, by the form in which KMS wrapped them.
type Keys = BTreeMap<Vec<u8>, RandomizedNonceKey>;

/// A sealed value, split into its parts.
struct Envelope {
    /// The data key as KMS wrapped it.
    wrapped: Vec<u8>,
    nonce: [u8; NONCE_LEN],
    /// The value's ciphertext and its tag.
    content: Vec<u8>,
}

impl Sealer {
    /// Uses the KMS key that `KMS_KEY_ID` names, and `FINGERPRINT_KEY`.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        let fingerprints = Fingerprints::from_env();
        Ok(Self { client: Client::new(sdk), key_id: var("KMS_KEY_ID")?, fingerprints })
    }

    /// The fingerprint of a project's value; `None` without a key.
    pub fn fingerprint(&self, scope: Scope, value: &str) -> Option<String> {
        self.fingerprints.of(scope, value)
    }

    /// Seals each value of one provider separately.
    pub async fn seal(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, AwsError> {
        let (plain, wrapped) = self.generate(scope).await?;
        let key = data_key(plain.as_ref())?;
        let sealed = values.iter().map(|(name, value)| {
            let mut content = value.clone().into_bytes();
            let bound = Aad::from(bound_to(scope, provider, name));
            let nonce = key.seal_in_place_append_tag(bound, &mut content);
            let nonce = *nonce.map_err(AwsError::of("sealing"))?.as_ref();
            let envelope = Envelope { wrapped: wrapped.as_ref().to_vec(), nonce, content };
            Ok((name.clone(), envelope.to_text()?))
        });
        sealed.collect()
    }

    /// A fresh data key of a project, plain and as KMS wrapped it.
    pub(crate) async fn generate(&self, scope: Scope) -> Result<(Blob, Blob), AwsError> {
        let made = self
            .client
            .generate_data_key()
            .key_id(&self.key_id)
            .key_spec(DataKeySpec::Aes256)
            .set_encryption_context(Some(context(scope)))
            .send()
            .await
            .map_err(AwsError::of("kms:GenerateDataKey"))?;
        match (made.plaintext, made.ciphertext_blob) {
            (Some(plain), Some(wrapped)) => Ok((plain, wrapped)),
            _ => Err(AwsError::of("kms:GenerateDataKey")("KMS made no key")),
        }
    }

    /// Opens every value of a project's sets. Of two values with the same name, the later one wins. A former value whose
    /// data key KMS refuses for good, as after a move to another region, is skipped: no command gets it, and it must not
    /// hold up all commands. Any other failure counts, because outputs must hide the former values, too.
    pub async fn unseal(&self, scope: Scope, sets: &[SealedSet]) -> Result<Opened, AwsError> {
        let mut all: Vec<_> = Vec::new();
        for set in sets {
            all.extend(set.values.iter().map(|(name, value)| (name, set.provider, value)));
        }
        all.sort_by_key(|(_, _, value)| value.sealed_at);
        let mut keys = Keys::default();
        let mut opened = Opened::default();
        for (name, provider, value) in all {
            let value = self.open(scope, provider, name, &value.sealed, &mut keys).await?;
            let value = value.ok_or(FOREIGN).map_err(AwsError::of("kms:Decrypt"))?;
            opened.hidden.extend(opened.values.insert(name.clone(), value));
        }
        for (provider, former) in latest_former(sets) {
            let (name, sealed) = (&former.name, &former.value.sealed);
            match self.open(scope, provider, name, sealed, &mut keys).await? {
                Some(value) => opened.hidden.push(value),
                None => {
                    tracing::warn!(%scope, %provider, credential = %name, "a replaced credential cannot be opened; outputs do not hide it");
                }
            }
        }
        Ok(opened)
    }

    /// Opens one value; `None` if KMS will never open its data key.
    async fn open(
        &self,
        scope: Scope,
        provider: Provider,
        name: &str,
        sealed: &str,
        keys: &mut Keys,
    ) -> Result<Option<String>, AwsError> {
        let envelope = Envelope::of_text(sealed)?;
        // Values that were entered together share a key.
        if !keys.contains_key(&envelope.wrapped) {
            let Some(plain) = self.unwrap(scope, &envelope.wrapped).await? else {
                return Ok(None);
            };
            keys.insert(envelope.wrapped.clone(), data_key(plain.as_ref())?);
        }
        let key = &keys[&envelope.wrapped];
        envelope.open(key, &bound_to(scope, provider, name)).map(Some)
    }

    /// The plain form of a data key that was made for this project.
    pub(crate) async fn unwrapped(&self, scope: Scope, wrapped: &[u8]) -> Result<Blob, AwsError> {
        let plain = self.unwrap(scope, wrapped).await?.ok_or(FOREIGN);
        plain.map_err(AwsError::of("kms:Decrypt"))
    }

    /// Has KMS open a data key; `None` if it will never open this one for the project.
    async fn unwrap(&self, scope: Scope, wrapped: &[u8]) -> Result<Option<Blob>, AwsError> {
        let opened = self
            .client
            .decrypt()
            .key_id(&self.key_id)
            .ciphertext_blob(Blob::new(wrapped))
            .set_encryption_context(Some(context(scope)))
            .send()
            .await;
        match opened {
            Ok(opened) => {
                let plain = opened.plaintext.ok_or("KMS opened nothing");
                plain.map(Some).map_err(AwsError::of("kms:Decrypt"))
            }
            Err(error) if error.as_service_error().is_some_and(is_for_good) => Ok(None),
            Err(error) => Err(AwsError::of("kms:Decrypt")(error)),
        }
    }
}

/// Whether KMS refuses this data key itself, so that repeating the call cannot help.
fn is_for_good(error: &DecryptError) -> bool {
    error.is_incorrect_key_exception() || error.is_invalid_ciphertext_exception()
}

/// The former values of a project that were sealed last, at most as many as a command may carry.
fn latest_former(sets: &[SealedSet]) -> Vec<(Provider, &FormerValue)> {
    let mut all: Vec<_> = sets
        .iter()
        .flat_map(|set| set.former.iter().map(move |former| (set.provider, former)))
        .collect();
    all.sort_by_key(|(_, former)| std::cmp::Reverse(former.value.sealed_at));
    let mut room = MAX_FORMER_BYTES;
    all.retain(|(_, former)| {
        let fits = former.value.bytes <= room;
        room -= if fits { former.value.bytes } else { 0 };
        fits
    });
    all.truncate(MAX_FORMER);
    all
}

impl Envelope {
    fn to_text(&self) -> Result<String, AwsError> {
        let length = u16::try_from(self.wrapped.len()).map_err(AwsError::of("sealing"))?;
        let mut bytes = vec![FORMAT];
        bytes.extend(length.to_be_bytes());
        bytes.extend(&self.wrapped);
        bytes.extend(self.nonce);
        bytes.extend(&self.content);
        Ok(STANDARD.encode(bytes))
    }

    fn of_text(text: &str) -> Result<Self, AwsError> {
        let bytes = STANDARD.decode(text).map_err(AwsError::of("unsealing"))?;
        let parts = Self::of_bytes(&bytes).ok_or("this was not sealed by us");
        parts.map_err(AwsError::of("unsealing"))
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let ([FORMAT], rest) = bytes.split_first_chunk()? else { return None };
        let (length, rest) = rest.split_first_chunk()?;
        let (wrapped, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        let (nonce, content) = rest.split_first_chunk()?;
        Some(Self { wrapped: wrapped.to_vec(), nonce: *nonce, content: content.to_vec() })
    }

    fn open(mut self, key: &RandomizedNonceKey, bound: &str) -> Result<String, AwsError> {
        let nonce = Nonce::from(&self.nonce);
        let opened = key.open_in_place(nonce, Aad::from(bound), &mut self.content);
        let opened = opened.map_err(AwsError::of("unsealing"))?;
        String::from_utf8(opened.to_vec()).map_err(|_| AwsError::of("unsealing")("it is not UTF-8"))
    }
}

fn data_key(plain: &[u8]) -> Result<RandomizedNonceKey, AwsError> {
    RandomizedNonceKey::new(&AES_256_GCM, plain).map_err(AwsError::of("kms: data key"))
}

/// The encryption context of a key. CloudTrail records it, so it holds only ids.
fn context(scope: Scope) -> std::collections::HashMap<String, String> {
    [("installation", scope.installation.to_string()), ("project", scope.project.to_string())]
        .map(|(name, id)| (name.to_owned(), id))
        .into()
}

fn bound_to(scope: Scope, provider: Provider, name: &str) -> String {
    format!("{scope}/{provider}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(bound: &str) -> (RandomizedNonceKey, String) {
        let key = data_key(&[7; 32]).unwrap();
        let mut content = b"value".to_vec();
        let nonce = key.seal_in_place_append_tag(Aad::from(bound), &mut content).unwrap();
        let envelope = Envelope { wrapped: vec![1, 2, 3], nonce: *nonce.as_ref(), content };
        (key, envelope.to_text().unwrap())
    }

    #[test]
    fn a_value_opens_only_in_the_place_that_it_was_sealed_for() {
        let (key, text) = envelope("1/2/aws/A");
        let open = |bound: &str| Envelope::of_text(&text).unwrap().open(&key, bound).ok();
        assert_eq!(open("1/2/aws/A").as_deref(), Some("value"));
        assert_eq!(open("1/3/aws/A"), None);
        assert_eq!(open("1/2/aws/B"), None);
    }

    #[test]
    fn text_that_is_not_a_sealed_value_is_refused() {
        let (_, text) = envelope("1/2/aws/A");
        let cut = STANDARD.encode(&STANDARD.decode(&text).unwrap()[..10]);
        for bad in ["", "not base64!", "AAAA", &cut] {
            assert!(Envelope::of_text(bad).is_err(), "{bad:?}");
        }
    }
}
