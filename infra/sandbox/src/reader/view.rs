//! The workspace as a reader sees it: the names of all files, and the contents of those without secrets.
//!
//! Each file is allowed individually, by the descriptor through which it was inspected, so neither a link, a second
//! name nor a file that appears later opens anything. Both a file's place and its content decide: a key that was copied
//! to `notes.txt` stays closed. For a script that shows parts of lines, every file that contains anything like a secret
//! stays closed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use anyhow::{Context, ensure};
use landlock::{AccessFs, PathBeneath, RulesetCreated, RulesetCreatedAttr};
use protocol::private_files::{holds_private_key, is_shown, is_shut};
use rustix::fs::{Dir, FileType, Mode, OFlags, fstat, open, openat};

use super::Marks;

/// How many files are visible at most; a command in a larger workspace needs approval.
const FILES: usize = 20_000;

/// How many levels of folders are entered at most.
const DEPTH: usize = 32;

/// How much of a file is searched for a private key, in bytes: this much from its start, and again from its end.
const LOOKED_THROUGH_BYTES: u64 = 1024 * 1024;

/// The largest file that is searched for secrets of any kind, in bytes; a larger one needs approval.
const SEARCHED_BYTES: u64 = 16 * 1024 * 1024;

/// For a script that shows parts of lines, which sees a file as a whole or not at all.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    /// The script names every file that it reads.
    pub script: &'a str,
    /// The project's credentials.
    pub marks: &'a Marks,
}

/// Adds the workspace to the rules.
pub(super) fn show(
    rules: RulesetCreated,
    workspace: &Path,
    whole: Option<Whole<'_>>,
) -> anyhow::Result<RulesetCreated> {
    let root = open(workspace, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .with_context(|| format!("cannot open {}", workspace.display()))?;
    let rules = rules.add_rule(PathBeneath::new(root.as_fd(), AccessFs::ReadDir))?;
    let mut walk = Walk { rules: Some(rules), files: 0, whole };
    walk.folder(&root, false, 0)?;
    walk.rules.context("a reader's rules are missing")
}

struct Walk<'a> {
    /// Taken and put back by each rule that is added.
    rules: Option<RulesetCreated>,
    files: usize,
    whole: Option<Whole<'a>>,
}

impl Walk<'_> {
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
                FileType::RegularFile
                    if is_shown(&name, shut)
                        && self.whole.is_none_or(|whole| whole.names(&name)) =>
                {
                    self.file(File::from(opened))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn file(&mut self, mut file: File) -> anyhow::Result<()> {
        self.files += 1;
        ensure!(self.files <= FILES, "the workspace has more than {FILES} files");
        if has_private_key(&mut file)? || self.whole.is_some_and(|whole| !whole.shows(&mut file)) {
            return Ok(());
        }
        if let Some(rules) = self.rules.take() {
            self.rules = Some(rules.add_rule(PathBeneath::new(file, AccessFs::ReadFile))?);
        }
        Ok(())
    }
}

impl Whole<'_> {
    fn names(self, file: &str) -> bool {
        self.script.contains(file)
    }

    /// Whether a file contains nothing like a secret.
    fn shows(self, file: &mut File) -> bool {
        let mut text = Vec::new();
        let read =
            file.rewind().and_then(|()| file.take(SEARCHED_BYTES + 1).read_to_end(&mut text));
        read.is_ok_and(|bytes| bytes as u64 <= SEARCHED_BYTES) && !has_secret(self.marks, &text)
    }
}

/// Whether a text contains a marked credential, or anything like a secret.
pub fn has_secret(marks: &Marks, text: &[u8]) -> bool {
    marks.are_in(text) || !protocol::secrets_in(&String::from_utf8_lossy(text)).is_empty()
}

/// Whether a file may be shown, by its name and its content; `shut` is whether it is in a folder of keys.
pub fn is_open(name: &str, shut: bool, file: &mut File) -> io::Result<bool> {
    Ok(is_shown(name, shut) && !has_private_key(file)?)
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
