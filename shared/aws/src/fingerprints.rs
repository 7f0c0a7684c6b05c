//! Fingerprints of credentials, which show whether a text is a known value without unsealing anything.
//!
//! They are keyed, so that someone who reads the table cannot test guessed passwords against them.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Scope;
use settings::var;
use std::collections::{BTreeMap, BTreeSet};
use store::credentials::{SealedSet, SealedValue};

/// Shorter values are not searched for, because they occur in ordinary words; in bytes.
const MIN_BYTES: usize = 6;

/// Makes fingerprints.
#[derive(Clone, Debug)]
pub struct Fingerprints(Option<hmac::Key>);

/// The fingerprints of a project's credentials, by the lengths of the values.
pub struct Known {
    scope: Scope,
    by_length: BTreeMap<usize, BTreeSet<String>>,
}

impl Fingerprints {
    /// Uses the key `FINGERPRINT_KEY`; without one there are no fingerprints.
    pub fn from_env() -> Self {
        let key = var("FINGERPRINT_KEY").ok();
        Self(key.map(|key| hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes())))
    }

    /// The fingerprint of a project's value; `None` without a key.
    pub fn of(&self, scope: Scope, value: &str) -> Option<String> {
        let key = self.0.as_ref()?;
        let text = format!("{scope}/{value}");
        Some(STANDARD.encode(hmac::sign(key, text.as_bytes()).as_ref()))
    }

    /// Whether a text contains one of these values in a place where a value can begin, which excludes places between
    /// letters and digits.
    pub fn occur(&self, known: &Known, text: &str) -> bool {
        let Some(key) = &self.0 else { return false };
        let mut begins = hmac::Context::with_key(key);
        begins.update(format!("{}/", known.scope).as_bytes());
        let bytes = text.as_bytes();
        let word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        let begin = |at: &usize| !word(*at) || at.checked_sub(1).is_none_or(|before| !word(before));
        let starts = (0..bytes.len()).filter(begin);
        let mut seen = BTreeSet::new();
        for start in starts {
            for (length, fingerprints) in &known.by_length {
                let Some(part) = bytes.get(start..start + length) else { break };
                // A part that occurs many times is compared once.
                if !seen.insert(part) {
                    continue;
                }
                let mut context = begins.clone();
                context.update(part);
                if fingerprints.contains(&STANDARD.encode(context.sign().as_ref())) {
                    return true;
                }
            }
        }
        false
    }
}

impl Known {
    /// The fingerprints of a project's sets, including values that others replaced.
    pub fn of(scope: Scope, sets: &[SealedSet]) -> Self {
        let mut by_length: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for set in sets {
            let former = set.former.iter().map(|former| &former.value);
            for SealedValue { bytes, fingerprint, .. } in set.values.values().chain(former) {
                if let Some(fingerprint) = fingerprint.as_ref().filter(|_| *bytes >= MIN_BYTES) {
                    by_length.entry(*bytes).or_default().insert(fingerprint.clone());
                }
            }
        }
        Self { scope, by_length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::credential::Provider;
    use domain::masking::Hiding;
    use domain::{InstallationId, ProjectId, Timestamp};

    #[test]
    fn a_credential_is_found_in_any_position_and_only_in_its_own_project() {
        let fingerprints = Fingerprints(Some(hmac::Key::new(hmac::HMAC_SHA256, b"key")));
        let scope =
            |project| Scope { installation: InstallationId(1), project: ProjectId(project) };
        let value = "p@ss \"w0rd\" 9";
        let sealed = SealedValue {
            sealed: String::new(),
            bytes: value.len(),
            fingerprint: fingerprints.of(scope(1), value),
            hiding: Hiding::Everywhere,
            sealed_at: Timestamp::now(),
        };
        let set = SealedSet {
            provider: Provider::Chat,
            values: [("A".to_owned(), sealed)].into(),
            former: Vec::new(),
            updated_at: Timestamp::now(),
        };
        let (known, others) =
            (Known::of(scope(1), std::slice::from_ref(&set)), Known::of(scope(2), &[set]));
        for text in [
            value.to_owned(),
            format!("key={value}"),
            format!("a: '{value}'\n"),
            format!("é{value}"),
        ] {
            assert!(fingerprints.occur(&known, &text), "{text}");
            assert!(!fingerprints.occur(&others, &text), "{text}");
        }
        for text in ["", "p@ss", "nothing of it"] {
            assert!(!fingerprints.occur(&known, text), "{text}");
        }
    }
}
