//! Finds options of commands whose value is not among the words that the program knows, as the manuals list them.

use super::error;
use super::values::units_of;
use crate::{FILES, Unit};
use domain::gate::Finding;

/// Programs, the spellings of an option, and what it takes; `time` is a duration of Go, and `*` ends a beginning.
const CHOICES: [(&str, &[&str], &str); 20] = [
    (
        "aws",
        &["--acl"],
        "private public-read public-read-write authenticated-read aws-exec-read bucket-owner-read bucket-owner-full-control log-delivery-write",
    ),
    ("aws", &["--billing-mode"], "PAY_PER_REQUEST PROVISIONED"),
    ("aws", &["--output"], "json text table yaml yaml-stream off"),
    ("aws", &["--versioning-configuration"], "Status=Enabled Status=Suspended MFADelete=* file:*"),
    ("borg", &["-C", "--compression"], "none lz4 zstd* zlib* lzma* auto* obfuscate*"),
    ("docker", &["--restart"], "no always unless-stopped on-failure*"),
    ("docker", &["--pull"], "always missing never true false"),
    ("find", &["-type"], "b c d f l p s D"),
    ("helm", &["--timeout"], "time"),
    ("kubectl", &["--dry-run"], "client server none"),
    ("kubectl", &["--timeout"], "time"),
    ("kubectl", &["--cascade"], "background orphan foreground"),
    ("pg_basebackup", &["-F", "--format"], "p plain t tar"),
    ("pg_basebackup", &["-X", "--wal-method"], "n none f fetch s stream"),
    ("pg_dump", &["-F", "--format"], "c custom d directory t tar p plain"),
    ("pg_restore", &["-F", "--format"], "c custom d directory t tar"),
    ("podman", &["--restart"], "no always unless-stopped on-failure*"),
    ("restic", &["--compression"], "auto off max fastest better"),
    (
        "ssh-keygen",
        &["-t"],
        "dsa ecdsa ecdsa-sk ed25519 ed25519-sk rsa rsa-sha2-256 rsa-sha2-512 v01",
    ),
    (
        "systemctl",
        &["--type", "-t"],
        "automount device mount path scope service slice socket swap target timer help",
    ),
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            if let Some(message) = refused(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The value that an option of a command does not take.
fn refused(argv: &[&str]) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    if let ["ufw", .., "allow" | "deny" | "limit", "port", _] = argv {
        return Some("ufw needs an address before `port`: write `ufw allow 443/tcp`.".to_owned());
    }
    // What a container runs has its own options.
    let end = rest.iter().position(|word| *word == "--" || word.starts_with("exec"));
    let rest = rest.get(..end.unwrap_or(rest.len()))?;
    for (_, options, words) in CHOICES.iter().filter(|(name, ..)| name == program) {
        for (at, word) in rest.iter().enumerate() {
            let joined = word.split_once('=').filter(|(name, _)| options.contains(name));
            let next =
                || rest.get(at + 1).filter(|it| options.contains(word) && !it.starts_with('-'));
            let Some(value) = joined.map(|(_, value)| value).or_else(|| next().copied()) else {
                continue;
            };
            // A boolean option of kubectl takes no value after a space.
            let open = value.is_empty() || value.contains(['$', '{', '/', '<']) || value == "x";
            let alone = *word == "--dry-run" || (*word == "--pull" && rest.contains(&"build"));
            let takes = |one: &str| match one {
                "time" => {
                    let units = ["ns", "us", "ms", "s", "m", "h"];
                    value == "0"
                        || units_of(value)
                            .is_some_and(|found| found.iter().all(|unit| units.contains(unit)))
                }
                one => one.strip_suffix('*').map_or(one == value, |begin| value.starts_with(begin)),
            };
            let all = value.split(',').count() > 1;
            if !open && !alone && !all && !words.split(' ').any(takes) {
                let words = words.replace("time", "a duration such as 5m").replace('*', "…");
                return Some(format!(
                    "`{}` of {program} takes {words}, not `{value}`.",
                    options[0]
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn options_take_their_words() {
        let said = |text: &str| {
            let argv: Vec<&str> = text.split(' ').collect();
            super::refused(&argv).is_some()
        };
        for text in [
            "pg_dump --format=customized shop",
            "docker run --restart=on-fail -d nginx:1.27.3",
            "docker run --restart unless-stoped nginx:1.27.3",
            "kubectl wait pod/a --timeout=5min",
            "ssh-keygen -t ed22519 -f a",
            "find /srv -type folder",
            "ufw allow port 443",
            "borg create --compression gzip a::b c",
            "aws s3api put-bucket-versioning --bucket a --versioning-configuration Status=On",
        ] {
            assert!(said(text), "{text}");
        }
        for text in [
            "pg_dump -F c shop",
            "docker run --restart=on-failure:3 nginx:1.27.3",
            "docker run --restart $policy nginx:1.27.3",
            "kubectl wait pod/a --timeout=5m30s",
            "kubectl apply --dry-run -f a.yaml",
            "ssh-keygen -t ed25519 -f a",
            "find /srv -type f,d",
            "ufw allow from any to any port 443",
            "kubectl exec a -- b --timeout=5min",
            "borg create --compression zstd,6 a::b c",
            "aws s3api put-bucket-versioning --bucket a --versioning-configuration Status=Enabled",
            "aws s3api get-bucket-acl --bucket a --output json",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
