//! Seals values with KMS, in an envelope.
//!
//! Each seal asks KMS for a fresh data key, encrypts the values with it (AES-256-GCM) and keeps the key only in the
//! form that KMS alone can open. Two checks tie a sealed value to its place: KMS opens the key only for the project
//! that it was made for (the *encryption context*), and a value opens only under the provider and name that it was
//! sealed for.
//!
//! A *fingerprint* tells whether a project has the same value already, without opening what is sealed: functions that
//! seal may not unseal. It is keyed, so that a reader of the table cannot try passwords against it.

use crate::AwsError;
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use aws_sdk_kms::Client;
use aws_sdk_kms::primitives::Blob;
use aws_sdk_kms::types::DataKeySpec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Scope;
use domain::credential::Provider;
use settings::SdkConfig;
use settings::{ConfigError, var};
use std::collections::BTreeMap;
use store::credentials::SealedSet;

/// The first byte of every envelope.
const FORMAT: u8 = 1;

/// Seals and unseals values.
#[derive(Clone, Debug)]
pub struct Sealer {
    client: Client,
    key_id: String,
    /// Absent in functions that only unseal.
    fingerprints: Option<hmac::Key>,
}

/// The opened credentials of a project.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Opened {
    /// By their names.
    pub values: BTreeMap<String, String>,
    /// Older values of names that were entered twice: commands never receive them, but outputs must hide them too.
    pub hidden: Vec<String>,
}

/// A sealed value, taken apart.
struct Envelope {
    /// The data key as KMS wrapped it.
    wrapped: Vec<u8>,
    nonce: [u8; NONCE_LEN],
    /// The value's ciphertext and its tag.
    content: Vec<u8>,
}

impl Sealer {
    /// With the KMS key that `KMS_KEY_ID` names, and `FINGERPRINT_KEY`.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        let key = var("FINGERPRINT_KEY").ok();
        let key = key.map(|key| hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()));
        Ok(Self { client: Client::new(sdk), key_id: var("KMS_KEY_ID")?, fingerprints: key })
    }

    /// The fingerprint of a project's value; `None` without a key.
    pub fn fingerprint(&self, scope: Scope, value: &str) -> Option<String> {
        let text = format!("{scope}/{value}");
        let key = self.fingerprints.as_ref()?;
        Some(STANDARD.encode(hmac::sign(key, text.as_bytes()).as_ref()))
    }

    /// Seals each value of one provider separately.
    pub async fn seal(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, AwsError> {
        let made = self
            .client
            .generate_data_key()
            .key_id(&self.key_id)
            .key_spec(DataKeySpec::Aes256)
            .set_encryption_context(Some(context(scope)))
            .send()
            .await
            .map_err(AwsError::of("kms:GenerateDataKey"))?;
        let (Some(plain), Some(wrapped)) = (made.plaintext, made.ciphertext_blob) else {
            return Err(AwsError::of("kms:GenerateDataKey")("KMS made no key"));
        };
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

    /// Opens every value of a project's sets; the later of two values of the same name wins.
    pub async fn unseal(&self, scope: Scope, sets: &[SealedSet]) -> Result<Opened, AwsError> {
        let mut all: Vec<_> = Vec::new();
        for set in sets {
            all.extend(set.values.iter().map(|(name, value)| (name, set.provider, value)));
        }
        all.sort_by_key(|(_, _, value)| value.sealed_at);
        let mut keys = BTreeMap::new();
        let mut opened = Opened::default();
        for (name, provider, value) in all {
            let envelope = Envelope::of_text(&value.sealed)?;
            // Values that were entered together share a key.
            if !keys.contains_key(&envelope.wrapped) {
                keys.insert(envelope.wrapped.clone(), self.unwrap(scope, &envelope.wrapped).await?);
            }
            let key = &keys[&envelope.wrapped];
            let value = envelope.open(key, &bound_to(scope, provider, name))?;
            opened.hidden.extend(opened.values.insert(name.clone(), value));
        }
        Ok(opened)
    }

    async fn unwrap(&self, scope: Scope, wrapped: &[u8]) -> Result<RandomizedNonceKey, AwsError> {
        let opened = self
            .client
            .decrypt()
            .key_id(&self.key_id)
            .ciphertext_blob(Blob::new(wrapped))
            .set_encryption_context(Some(context(scope)))
            .send()
            .await
            .map_err(AwsError::of("kms:Decrypt"))?;
        let plain = opened.plaintext.ok_or("KMS opened nothing");
        data_key(plain.map_err(AwsError::of("kms:Decrypt"))?.as_ref())
    }
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

/// The encryption context of a key. CloudTrail records it, so it holds nothing but ids.
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
    fn a_value_opens_where_it_belongs_and_nowhere_else() {
        let (key, text) = envelope("1/2/aws/A");
        let open = |bound: &str| Envelope::of_text(&text).unwrap().open(&key, bound).ok();
        assert_eq!(open("1/2/aws/A").as_deref(), Some("value"));
        assert_eq!(open("1/3/aws/A"), None);
        assert_eq!(open("1/2/aws/B"), None);
    }

    #[test]
    fn what_was_not_sealed_by_us_does_not_open() {
        let (_, text) = envelope("1/2/aws/A");
        let cut = STANDARD.encode(&STANDARD.decode(&text).unwrap()[..10]);
        for bad in ["", "not base64!", "AAAA", &cut] {
            assert!(Envelope::of_text(bad).is_err(), "{bad:?}");
        }
    }
}
