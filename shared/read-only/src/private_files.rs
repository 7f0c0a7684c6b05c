//! Recognizes files of a workspace that may hold secrets, by their names and by the private keys in them.
//!
//! One list serves everything that shows files to anyone but their owner: a command that only reads, and a
//! push to a repository.

mod binary;

/// Folders whose files are hidden, except [`PUBLIC`] ones.
const SHUT_FOLDERS: [&str; 4] = ["ssh", "keys", "certs", "secrets"];

/// Endings of names without private content, even beside keys.
const PUBLIC: [&str; 3] = [".pub", "known_hosts", "/config"];

/// Endings and parts of names that indicate secrets, in lower case.
const SHUT_NAMES: [&str; 41] = [
    ".agekey",
    ".bks",
    ".cnf",
    ".env",
    ".jceks",
    ".jks",
    ".kdb",
    ".key",
    ".ovpn",
    ".p12",
    ".p8",
    ".pem",
    ".pfx",
    ".pkcs12",
    ".pkcs8",
    ".ppk",
    ".tfplan",
    ".tfvars",
    "_dsa",
    "_ecdsa",
    "_ed25519",
    "_rsa",
    "cookies.txt",
    "credential",
    "creds.",
    "htpasswd",
    "kube.config",
    "kubeconfig",
    "netrc",
    "password",
    "pgpass",
    "rclone.conf",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "tfstate",
    "token.txt",
    "vault",
    "wallet.dat",
    "wg0.conf",
];

/// The beginnings of private keys in their usual formats: OpenSSH's as bytes and in base64, PEM's also in UTF-16.
const PRIVATE_KEYS: [&[u8]; 7] = [
    b"PRIVATE KEY-----",
    b"PRIVATE KEY BLOCK-----",
    b"P\0R\0I\0V\0A\0T\0E\0 \0K\0E\0Y\0-\0",
    b"AGE-SECRET-KEY-1",
    b"PuTTY-User-Key-File-",
    b"openssh-key-v1\0",
    b"b3BlbnNzaC1rZXktdjE",
];

/// Whether a file with this name may be shown; `shut` says whether it is in a folder of keys.
pub fn is_shown(name: &str, shut: bool) -> bool {
    let path = format!("/{}", name.to_lowercase());
    let public = PUBLIC.iter().any(|end| path.ends_with(end));
    public || (!shut && !SHUT_NAMES.iter().any(|part| path.contains(part)))
}

/// Whether a folder with this name holds keys.
pub fn is_shut(folder: &str) -> bool {
    SHUT_FOLDERS.contains(&folder.to_lowercase().as_str())
}

/// Whether a file's content contains a private key: as text, in DER, or in a key store.
pub fn holds_private_key(content: &[u8]) -> bool {
    let begins = |byte: &u8| matches!(byte, b'P' | b'A' | b'o' | b'b');
    let beginnings = content.iter().enumerate().filter(|(_, byte)| begins(byte));
    let as_text = beginnings
        .map(|(at, _)| &content[at..])
        .any(|rest| PRIVATE_KEYS.iter().any(|key| rest.starts_with(key)));
    as_text || binary::is_store(content) || binary::holds_der_key(content)
}

/// Whether a file's content is packed, compressed or encrypted, so that a search finds nothing in it.
pub fn is_packed(content: &[u8]) -> bool {
    binary::is_packed(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_may_hold_secrets_are_private_and_others_are_not() {
        for name in [
            "a.pem",
            "prod.env",
            "terraform.tfstate.backup",
            "web_ed25519",
            "Credentials.json",
            "x.auto.tfvars",
            "store.jks",
            "release.keystore",
            "team.kdbx",
            "AuthKey_1.p8",
            "id_ed25519_sk",
            "id_dsa",
            "git-credentials",
            "http.keytab",
            "secrets.yml",
            "my-creds.txt",
            "token.txt",
            "rclone.conf",
            "wg0.conf",
            "kube.config",
        ] {
            assert!(!is_shown(name, false), "{name}");
        }
        assert!(
            !is_shown("deploy", true)
                && is_shown("deploy.pub", true)
                && is_shown("known_hosts", true)
        );
        for name in [
            "main.tf",
            "service.json",
            "app.log",
            "config",
            "environment.md",
            "secrets.tf",
            "tokens.css",
        ] {
            assert!(is_shown(name, false), "{name}");
        }
    }

    #[test]
    fn a_private_key_is_recognized_in_any_position() {
        for text in [
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3",
            "x\n-----BEGIN PRIVATE KEY-----",
            "# AGE-SECRET-KEY-1QQ",
            "key: b3BlbnNzaC1rZXktdjEAAAAABG5vbmU",
        ] {
            assert!(holds_private_key(text.as_bytes()), "{text}");
        }
        let wide: Vec<u8> = "PRIVATE KEY-----".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide_first: Vec<u8> =
            "PRIVATE KEY-----".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(holds_private_key(&wide) && holds_private_key(&wide_first));
        for text in ["", "-----BEGIN PUBLIC KEY-----", "ssh-ed25519 AAAA", "a PRIVATE KEY of mine"]
        {
            assert!(!holds_private_key(text.as_bytes()), "{text}");
        }
    }
}
