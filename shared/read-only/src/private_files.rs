//! Recognizes files of a workspace that may hold secrets, by their names and by the private keys in them.
//!
//! One list serves everything that shows files to anyone but their owner: a command that only reads, and a
//! push to a repository.

mod armor;
mod binary;
mod named;

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

/// The beginnings of private keys in their usual formats; PEM's also without the blanks, which some dumps do not show,
/// or with others.
const PRIVATE_KEYS: [&[u8]; 15] = [
    b"PRIVATE KEY-----",
    b"PRIVATE KEY BLOCK-----",
    b"PRIVATEKEY-----",
    b"PRIVATEKEYBLOCK-----",
    b"PRIVATE%20KEY",
    b"PRIVATE+KEY",
    b"PRIVATE\\u0020KEY",
    b"AGE-SECRET-KEY-1",
    b"age-secret-key-1",
    b"AGE-PLUGIN-",
    b"PuTTY-User-Key-File-",
    b"Private-Lines:",
    b"openssh-key-v1",
    b"minisign encrypted secret key",
    b"signify secret key",
];

/// How many encodings around a key are undone: a secret of Kubernetes holds base64, and may be
/// in base64 itself, twice.
const LAYERS: usize = 3;

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

/// Whether a file's content contains a private key: as text, in DER, or in a key store, also behind an encoding.
pub fn holds_private_key(content: &[u8]) -> bool {
    holds_key(content, LAYERS)
}

fn holds_key(content: &[u8], layers: usize) -> bool {
    let wide = || {
        // A text in UTF-16.
        let narrow: Vec<u8> = content.iter().copied().filter(|byte| *byte != 0).collect();
        narrow.len() < content.len() && is_key_text(&narrow)
    };
    is_key_text(content)
        || binary::is_store(content)
        || binary::holds_der_key(content)
        || wide()
        || layers > 0 && armor::readings(content).any(|bytes| is_behind(&bytes, layers - 1))
}

fn is_key_text(text: &[u8]) -> bool {
    let begins = |byte: &u8| matches!(byte, b'P' | b'A' | b'a' | b'o' | b'm' | b's');
    let mut beginnings = text.iter().enumerate().filter(|(_, byte)| begins(byte));
    let begun = |rest: &[u8]| PRIVATE_KEYS.iter().any(|key| rest.starts_with(key));
    beginnings.any(|(at, _)| begun(&text[at..])) || named::holds_key(text)
}

/// Whether decoded bytes contain a private key, or their text does, also in UTF-16, behind another encoding.
fn is_behind(bytes: &[u8], layers: usize) -> bool {
    if holds_key(bytes, 0) {
        return true;
    }
    let narrow = || bytes.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>();
    layers > 0 && armor::texts(&narrow()).any(|text| holds_key(text, layers))
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
            "key: b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQ",
            "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\"}",
            "{\"kty\": \"oct\", \"k\": \"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ\"}",
            "[Interface]\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n",
            "wg:\n  private_key: \"yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\"\n",
            "privateExponent:\n    00:c2:5d:1e:3c:77:49:0a:b1:22:97:5e:6f\n",
            "Private-Key: (256 bit)\npriv:\n    3e:91:f1:c2:5d:1e:3c:77:49:0a:b1:22\n",
            "PrivateExponent: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxw=\n",
            "PuTTY-User-Key-File-3: ssh-ed25519\n",
            "untrusted comment: minisign encrypted secret key\n",
        ] {
            assert!(holds_private_key(text.as_bytes()), "{text}");
        }
        let wide: Vec<u8> = "PRIVATE KEY-----".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide_first: Vec<u8> =
            "PRIVATE KEY-----".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(holds_private_key(&wide) && holds_private_key(&wide_first));
        for text in [
            "",
            "-----BEGIN PUBLIC KEY-----",
            "ssh-ed25519 AAAA",
            "a PRIVATE KEY of mine",
            "{\"kty\":\"OKP\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}",
            "PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
            "let PrivateKey = signing_key_of_the_service_account_of_anna;",
            "the privateExponent: a number",
        ] {
            assert!(!holds_private_key(text.as_bytes()), "{text}");
        }
    }
}
