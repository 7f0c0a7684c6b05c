//! Makes the App's assertion: a JSON Web Token, signed with its private key.

use super::GitHubError;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::RSA_PKCS1_SHA256;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::Timestamp;
use serde_json::json;

/// How long an assertion is valid, in seconds; GitHub accepts at most ten minutes.
const SECONDS: i64 = 300;
/// How far the clocks may differ, in seconds: GitHub refuses an assertion from its future.
const CLOCKS_DIFFER: i64 = 60;

/// Makes an assertion that its bearer is the App.
pub(super) fn assertion(pem: &str, client_id: &str) -> Result<String, GitHubError> {
    let key = parse(pem).ok_or(GitHubError::Key)?;
    let now = Timestamp::now().epoch_seconds();
    let claims = json!({"iat": now - CLOCKS_DIFFER, "exp": now + SECONDS, "iss": client_id});
    let parts = [json!({"alg": "RS256", "typ": "JWT"}), claims];
    let signed = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
        .map_err(|_| GitHubError::Key)?;
    Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// The key in a PEM file, either in the form that GitHub issues (PKCS #1) or in PKCS #8.
fn parse(pem: &str) -> Option<KeyPair> {
    let body = pem.lines().map(str::trim).filter(|line| !line.starts_with("-----"));
    let der = STANDARD.decode(body.collect::<String>()).ok()?;
    KeyPair::from_der(&der).or_else(|_| KeyPair::from_pkcs8(&der)).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
    use aws_lc_rs::rsa::KeySize;
    use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

    #[test]
    fn an_assertion_names_the_app_and_verifies_with_its_public_key() {
        let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&key).unwrap();
        let kind = "PRIVATE KEY";
        let pem = format!(
            "-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n",
            STANDARD.encode(der.as_ref())
        );
        let assertion = assertion(&pem, "Iv1.x").unwrap();
        let (signed, signature) = assertion.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref());
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        public.verify(signed.as_bytes(), &signature).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(signed.split('.').nth(1).unwrap()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(claims["iss"], "Iv1.x");
        assert!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap() <= 600);
    }

    #[test]
    fn a_text_that_is_not_a_key_is_refused() {
        for pem in ["", "x", "-----BEGIN X-----\nAAAA\n-----END X-----"] {
            assert!(assertion(pem, "Iv1.x").is_err(), "{pem}");
        }
    }
}
