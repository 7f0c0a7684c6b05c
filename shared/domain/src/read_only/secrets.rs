//! Where secrets usually lie. The list cannot be whole; it keeps the usual places from being read
//! without a look, and masking in the sandbox is there for what it misses.

/// Parts of names that stand for secrets, in lower case.
const PARTS: [&str; 31] = [
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
    ".vault",
    "credential",
    "environ",
    "history",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "kubeconfig",
    "passphrase",
    "password",
    "private",
    "secret",
    "shadow",
    "tfstate",
    "token",
];

/// The same for what is a secret only as a whole word or as a whole part of a path.
const WHOLE: [&str; 5] = ["ssh", "terraform.tfvars", "vault", "wp-config.php", "config.php"];

/// Whether a word names a place where a secret may lie.
pub(super) fn is_named_in(word: &str) -> bool {
    let word = word.to_lowercase();
    // A unit or a service may be called `ssh`; a folder of that name holds keys.
    let in_a_path = |part: &str| WHOLE.contains(&part) && (part != "ssh" || word.contains('/'));
    PARTS.iter().any(|part| word.contains(part))
        || word.split(['/', '=', ':']).any(in_a_path)
        || word.ends_with("tfvars")
        || (word.contains("/proc/") && (word.ends_with("mem") || word.ends_with("kcore")))
        // A disk read past its file system shows everything on it.
        || (word != "/dev/null" && (word == "/dev" || word.starts_with("/dev/")))
}
