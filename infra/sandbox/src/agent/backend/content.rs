//! Encrypts and uploads Terraform states, and fetches and decrypts them. The key belongs to one version, and the
//! ciphertext is bound to the version's name.

use anyhow::{Context, ensure};
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{STATE_BYTES, StatePlace};
use reqwest::Client;
use sha2::{Digest, Sha256};

use super::super::transfer;

/// How many bytes encryption adds: the nonce in front and the tag at the end.
const ADDED_BYTES: u64 = NONCE_LEN as u64 + 16;

/// Fetches and decrypts a version.
pub async fn fetch(client: &Client, place: &StatePlace) -> anyhow::Result<Vec<u8>> {
    let stored = transfer::get_bytes(client, &place.url, STATE_BYTES + ADDED_BYTES).await?;
    let content = opened(place, stored)?;
    ensure!(hex::encode(Sha256::digest(&content)) == place.sha256, "it is damaged");
    Ok(content)
}

/// Encrypts and uploads a version.
pub async fn put(client: &Client, place: &StatePlace, content: Vec<u8>) -> anyhow::Result<()> {
    transfer::put_bytes(client, sealed(place, content)?, &place.url).await
}

fn sealed(place: &StatePlace, mut content: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let bound = Aad::from(place.version.as_bytes());
    let nonce = key(place)?.seal_in_place_append_tag(bound, &mut content);
    let nonce = nonce.ok().context("it could not be encrypted")?;
    Ok([nonce.as_ref().as_slice(), &content].concat())
}

fn opened(place: &StatePlace, mut stored: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let (nonce, content) =
        stored.split_first_chunk_mut::<NONCE_LEN>().context("it is truncated")?;
    let bound = Aad::from(place.version.as_bytes());
    let content = key(place)?.open_in_place(Nonce::from(&*nonce), bound, content);
    Ok(content.ok().context("it could not be decrypted")?.to_vec())
}

fn key(place: &StatePlace) -> anyhow::Result<RandomizedNonceKey> {
    let key = STANDARD.decode(&place.key).ok();
    let key = key.and_then(|key| RandomizedNonceKey::new(&AES_256_GCM, &key).ok());
    key.context("it has no usable key")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(version: &str, byte: u8) -> StatePlace {
        StatePlace {
            version: version.to_owned(),
            sha256: String::new(),
            url: String::new(),
            key: STANDARD.encode([byte; 32]),
        }
    }

    #[test]
    fn stored_content_opens_only_as_its_own_version_with_its_own_key() {
        let stored = sealed(&place("a", 1), b"{\"secret\": 1}".to_vec()).unwrap();
        assert!(!stored.windows(6).any(|part| part == b"secret"));
        assert_eq!(stored.len() as u64, 13 + ADDED_BYTES);
        assert_eq!(opened(&place("a", 1), stored.clone()).unwrap(), b"{\"secret\": 1}");
        for other in [place("b", 1), place("a", 2)] {
            assert!(opened(&other, stored.clone()).is_err());
        }
        assert!(opened(&place("a", 1), stored[..5].to_vec()).is_err());
    }

    /// One key seals every content of a version, so decrypting does not detect a wrong content; only its digest does.
    #[tokio::test]
    async fn stored_content_with_another_digest_is_refused() {
        let (kept, other) = (b"{\"serial\":2}".to_vec(), b"{\"serial\":1}".to_vec());
        let mut place = place("a", 1);
        place.sha256 = hex::encode(Sha256::digest(&kept));
        let stored = [&kept, &other].map(|content| sealed(&place, content.clone()).unwrap());
        let bucket = stored
            .into_iter()
            .zip(["/kept", "/other"])
            .fold(axum::Router::new(), |bucket, (stored, path)| {
                bucket.route(path, axum::routing::get(async move || stored))
            });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move { axum::serve(listener, bucket).await });
        let client = transfer::client().unwrap();
        place.url = format!("http://{address}/kept");
        assert_eq!(fetch(&client, &place).await.unwrap(), kept);
        place.url = format!("http://{address}/other");
        let refused = fetch(&client, &place).await.unwrap_err();
        assert_eq!(refused.to_string(), "it is damaged");
        server.abort();
    }
}
