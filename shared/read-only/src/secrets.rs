//! The usual places of secrets. The list cannot be complete; it keeps commands from reading those places without
//! approval. In the sandbox, the reader's confinement also hides files by their content, and output is masked.
//!
//! Every name that the confinement closes is closed here, too ([`private_files`]): a name that comes into one list counts
//! in both places.

use crate::private_files;

/// Parts of names that suggest secrets, in lower case.
const PARTS: [&str; 51] = [
    "_rsa",
    ".asc",
    ".aws",
    ".azure",
    ".cnf",
    ".docker/config",
    ".env",
    ".gnupg",
    ".gpg",
    ".htpasswd",
    ".key",
    ".kube",
    ".netrc",
    ".p12",
    ".pem",
    ".pfx",
    ".pgpass",
    ".ssh",
    "_dump",
    "_key",
    "api-key",
    "apikey",
    "cookies",
    "credential",
    "creds",
    "dump.",
    "ecdsa",
    "ed25519",
    "environ",
    "history",
    "id_dsa",
    "id_rsa",
    "inventory",
    "keyring",
    "kubeconfig",
    "passphrase",
    "passwd",
    "password",
    "private",
    "rclone",
    "secret",
    "service-account",
    "service_account",
    "shadow",
    "tfplan",
    "tfvars",
    "tfstate",
    "token",
    "vault",
    "wireguard",
    "wp-config",
];

/// Names that suggest a secret only as a whole part of a path.
const WHOLE: [&str; 4] = ["certs", "config.php", "keys", "ssh"];

/// Whether a path names a place that may hold a secret.
pub(super) fn is_named_in(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    PARTS.iter().any(|part| path.contains(part))
        || path
            .split('/')
            .any(|part| WHOLE.contains(&part) || !private_files::is_shown(part, false))
}
