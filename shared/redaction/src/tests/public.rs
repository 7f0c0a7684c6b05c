//! Random texts that are public: keys, fingerprints and digests.

use super::super::mask;
use sha2::{Digest, Sha256};

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Characters of base64 that depend on `seed`.
fn random(seed: usize, length: usize) -> String {
    let blocks = (0..).flat_map(|block: usize| Sha256::digest(format!("{seed} {block}")));
    blocks.take(length).map(|byte| char::from(BASE64[usize::from(byte) % 64])).collect()
}

#[test]
fn random_characters_of_public_keys_and_digests_announce_nothing() {
    let mut masked = Vec::new();
    for seed in 0..16_000 {
        let ed25519 = format!("AAAAC3NzaC1lZDI1NTE5AAAAI{}", random(seed, 43));
        let ecdsa = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB";
        let text = match seed % 8 {
            0 => format!("ssh-ed25519 {ed25519} orders"),
            1 => format!("192.0.2.7 ssh-ed25519 {ed25519}\nDone\n"),
            2 => format!("key = \"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{}\"", random(seed, 372)),
            3 => format!("256 SHA256:{} ada@example (ED25519)", random(seed, 43)),
            4 => format!("\"integrity\": \"sha512-{}==\"", random(seed, 86)),
            5 => format!("  hashes = [\n    \"h1:{}=\",\n  ]", random(seed, 43)),
            6 => format!("script-src 'sha256-{}='", random(seed, 43)),
            _ => format!("db ecdsa-sha2-nistp256 {ecdsa}{}=", random(seed, 87)),
        };
        if mask(&text) != text {
            masked.push(mask(&text));
        }
    }
    assert!(
        masked.is_empty(),
        "{} of 16000, such as {:#?}",
        masked.len(),
        &masked[..8.min(masked.len())]
    );
}

#[test]
fn a_secret_beside_a_public_key_is_still_found() {
    let key = format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} orders", random(1, 43));
    let block = format!(
        "-----BEGIN SSH2 PUBLIC KEY-----\nAAAAB3NzaC1yc2E{}\n-----END SSH2 PUBLIC KEY-----",
        random(2, 80)
    );
    for text in [
        format!("{key}\npassword: Tr0ub4dor&3x\n"),
        format!("password: Tr0ub4dor&3x {key}"),
        format!("{block}\n{key}\npassword: Tr0ub4dor&3x"),
    ] {
        assert_eq!(mask(&text), text.replace("Tr0ub4dor&3x", "************"), "{text}");
    }
}
