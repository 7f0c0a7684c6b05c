//! The files of a workspace that may hold secrets, by their names and by the private keys in them.
//!
//! One list for everything that shows files to somebody other than their owner: a command that only reads, and a push
//! to a repository.

/// Folders whose files stay shut, but for [`PUBLIC`] ones.
const SHUT_FOLDERS: [&str; 4] = ["ssh", "keys", "certs", "secrets"];

/// Endings of names without private content, even among keys.
const PUBLIC: [&str; 3] = [".pub", "known_hosts", "/config"];

/// Endings and parts of names that denote secrets, in lower case.
const SHUT_NAMES: [&str; 16] = [
    ".cnf",
    ".env",
    ".key",
    ".p12",
    ".pem",
    ".pfx",
    ".tfplan",
    ".tfvars",
    "_ecdsa",
    "_ed25519",
    "_rsa",
    "credential",
    "kubeconfig",
    "password",
    "tfstate",
    "vault",
];

/// The beginnings of private keys, in their usual formats.
const PRIVATE_KEYS: [&[u8]; 4] =
    [b"PRIVATE KEY-----", b"PRIVATE KEY BLOCK-----", b"AGE-SECRET-KEY-1", b"PuTTY-User-Key-File-"];

/// Whether a file with this name may be shown; `shut` is whether it lies among keys.
pub fn is_shown(name: &str, shut: bool) -> bool {
    let path = format!("/{}", name.to_lowercase());
    let public = PUBLIC.iter().any(|end| path.ends_with(end));
    public || (!shut && !SHUT_NAMES.iter().any(|part| path.contains(part)))
}

/// Whether a folder of this name is one of keys.
pub fn is_shut(folder: &str) -> bool {
    SHUT_FOLDERS.contains(&folder.to_lowercase().as_str())
}

/// Whether `text` contains a private key.
pub fn holds_private_key(text: &[u8]) -> bool {
    let dashes = text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'P' | b'A'));
    dashes
        .map(|(at, _)| &text[at..])
        .any(|rest| PRIVATE_KEYS.iter().any(|key| rest.starts_with(key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_secrets_are_shut_and_others_are_not() {
        for name in [
            "a.pem",
            "prod.env",
            "terraform.tfstate.backup",
            "web_ed25519",
            "Credentials.json",
            "x.auto.tfvars",
        ] {
            assert!(!is_shown(name, false), "{name}");
        }
        assert!(
            !is_shown("deploy", true)
                && is_shown("deploy.pub", true)
                && is_shown("known_hosts", true)
        );
        for name in ["main.tf", "service.json", "app.log", "config", "environment.md"] {
            assert!(is_shown(name, false), "{name}");
        }
    }

    #[test]
    fn a_private_key_is_recognized_in_any_position() {
        for text in [
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3",
            "x\n-----BEGIN PRIVATE KEY-----",
            "# AGE-SECRET-KEY-1QQ",
        ] {
            assert!(holds_private_key(text.as_bytes()), "{text}");
        }
        for text in ["", "-----BEGIN PUBLIC KEY-----", "ssh-ed25519 AAAA", "a PRIVATE KEY of mine"]
        {
            assert!(!holds_private_key(text.as_bytes()), "{text}");
        }
    }
}
