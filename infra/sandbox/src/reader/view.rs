//! The workspace as a reader sees it: the names of all files, and the contents of those without secrets.
//!
//! Each file is allowed individually, by the descriptor through which it was inspected, so a link, a second name or a
//! later file opens nothing. A file's place and its content decide: a key that was copied to `notes.txt` stays shut.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use anyhow::{Context, ensure};
use landlock::{AccessFs, PathBeneath, RulesetCreated, RulesetCreatedAttr};
use rustix::fs::{Dir, FileType, Mode, OFlags, fstat, open, openat};

/// How many files are shown at most; a larger workspace needs approval.
const FILES: usize = 20_000;

/// How deep folders are entered.
const DEPTH: usize = 32;

/// How much of a file is searched for a private key, from its start and again from its end, in bytes.
const LOOKED_THROUGH_BYTES: u64 = 1024 * 1024;

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

/// Adds the workspace to the rules.
pub(super) fn show(rules: RulesetCreated, workspace: &Path) -> anyhow::Result<RulesetCreated> {
    let root = open(workspace, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .with_context(|| format!("cannot open {}", workspace.display()))?;
    let rules = rules.add_rule(PathBeneath::new(root.as_fd(), AccessFs::ReadDir))?;
    let mut walk = Walk { rules: Some(rules), files: 0 };
    walk.folder(&root, false, 0)?;
    walk.rules.context("the rules of a reader")
}

struct Walk {
    /// Taken and put back by each added rule.
    rules: Option<RulesetCreated>,
    files: usize,
}

impl Walk {
    fn folder(&mut self, folder: &OwnedFd, shut: bool, depth: usize) -> anyhow::Result<()> {
        for entry in Dir::read_from(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Hidden folders hold tools' data (.git, .terraform), hidden files their settings and .env.
            if name.starts_with('.') {
                continue;
            }
            let open_with = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let Ok(opened) = openat(folder, entry.file_name(), open_with, Mode::empty()) else {
                continue;
            };
            match FileType::from_raw_mode(fstat(&opened)?.st_mode) {
                FileType::Directory if depth < DEPTH => {
                    let shut = shut || is_shut(&name);
                    self.folder(&opened, shut, depth + 1)?;
                }
                FileType::RegularFile if is_shown(&name, shut) => self.file(File::from(opened))?,
                _ => {}
            }
        }
        Ok(())
    }

    fn file(&mut self, mut file: File) -> anyhow::Result<()> {
        self.files += 1;
        ensure!(self.files <= FILES, "the workspace has more than {FILES} files");
        if has_private_key(&mut file)? {
            return Ok(());
        }
        if let Some(rules) = self.rules.take() {
            self.rules = Some(rules.add_rule(PathBeneath::new(file, AccessFs::ReadFile))?);
        }
        Ok(())
    }
}

/// Whether a file with this name may be shown; `shut` is whether it lies among keys.
fn is_shown(name: &str, shut: bool) -> bool {
    let path = format!("/{}", name.to_lowercase());
    let public = PUBLIC.iter().any(|end| path.ends_with(end));
    public || (!shut && !SHUT_NAMES.iter().any(|part| path.contains(part)))
}

/// Whether a file may be shown, by its name and by what is in it; `shut` is whether it lies among keys.
pub fn is_open(name: &str, shut: bool, file: &mut File) -> io::Result<bool> {
    Ok(is_shown(name, shut) && !has_private_key(file)?)
}

/// Whether a folder of this name is one of keys.
pub fn is_shut(folder: &str) -> bool {
    SHUT_FOLDERS.contains(&folder.to_lowercase().as_str())
}

fn has_private_key(file: &mut File) -> io::Result<bool> {
    let bytes = file.metadata()?.len();
    let mut text = Vec::new();
    file.take(LOOKED_THROUGH_BYTES).read_to_end(&mut text)?;
    if holds_private_key(&text) {
        return Ok(true);
    }
    if bytes <= LOOKED_THROUGH_BYTES {
        return Ok(false);
    }
    text.clear();
    file.seek(SeekFrom::Start(bytes.saturating_sub(LOOKED_THROUGH_BYTES)))?;
    file.take(LOOKED_THROUGH_BYTES).read_to_end(&mut text)?;
    Ok(holds_private_key(&text))
}

/// Whether `text` contains a private key.
fn holds_private_key(text: &[u8]) -> bool {
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
