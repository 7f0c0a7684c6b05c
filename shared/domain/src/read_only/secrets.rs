//! The usual places of secrets. The list cannot be complete; it keeps commands from reading those places without
//! approval. In the sandbox, the reader's confinement also hides files by their content, and output is masked.

/// Parts of names that suggest secrets, in lower case.
const PARTS: [&str; 35] = [
    "_rsa",
    ".aws",
    ".azure",
    ".cnf",
    ".docker/config",
    ".env",
    ".gnupg",
    ".htpasswd",
    ".key",
    ".kube",
    ".netrc",
    ".p12",
    ".pem",
    ".pfx",
    ".pgpass",
    ".ssh",
    "credential",
    "ecdsa",
    "ed25519",
    "environ",
    "history",
    "id_dsa",
    "id_rsa",
    "inventory",
    "kubeconfig",
    "passphrase",
    "password",
    "private",
    "secret",
    "shadow",
    "tfplan",
    "tfvars",
    "tfstate",
    "token",
    "vault",
];

/// Names that suggest a secret only as a whole part of a path.
const WHOLE: [&str; 5] = ["certs", "config.php", "keys", "ssh", "wp-config.php"];

/// Whether a path names a place that may hold a secret.
pub(super) fn is_named_in(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    PARTS.iter().any(|part| path.contains(part))
        || path.split('/').any(|part| WHOLE.contains(&part))
}
