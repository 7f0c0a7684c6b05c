//! Builds a tree on GitHub with the files of a push, in pieces that GitHub accepts.
//!
//! What a branch already has is not sent again. The rest goes in calls of limited size, each on top of the previous
//! call's tree, because GitHub gives up on larger ones. The call itself carries text. Every other file becomes a blob
//! first, which takes a call per file, and GitHub limits these per minute. So a push looks for the blobs that an
//! interrupted push created, which costs less than creating them again. Trees and blobs are invisible until a commit
//! names them.

use crate::github::{Entry, GitHubError, Granted, Listed, mode};
use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use domain::repository::PushedFile;
use futures::{FutureExt, StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of a call.
const CALL_ENTRIES: usize = 250;
/// The most text in a call, in bytes as JSON.
const CALL_BYTES: usize = 2 * 1024 * 1024;
/// How many blobs are made at once.
const BLOBS: usize = 4;

/// A tree to build.
pub(super) struct Plan<'a> {
    /// The tree on which it builds.
    pub base: &'a str,
    /// The entries of that tree.
    pub listed: &'a [Listed],
    /// The files that it must have.
    pub files: &'a [PushedFile],
    /// The paths to delete.
    pub gone: Vec<&'a str>,
    /// Whether GitHub may have blobs of an interrupted push.
    pub again: bool,
}

impl Plan<'_> {
    /// Creates the tree; returns the existing one if nothing differs.
    pub async fn make(
        &self,
        granted: &Granted<'_>,
        full_name: &str,
    ) -> Result<String, GitHubError> {
        let changed = self.changed();
        let mut blobs = Vec::new();
        for (sha, file) in as_blobs(&changed) {
            blobs.push(self.blob(granted, full_name, sha, file).boxed());
        }
        let mut blobs = futures::stream::iter(blobs).buffer_unordered(BLOBS);
        let mut made = BTreeMap::new();
        while let Some((sha, blob)) = blobs.try_next().await? {
            made.insert(sha, blob);
        }
        let mut tree = self.base.to_owned();
        for call in calls(entries(&changed, &made), &self.gone) {
            tree = granted.new_tree(full_name, &tree, &call).await?;
        }
        Ok(tree)
    }

    /// Creates a blob or finds it; returns the name that git gives it, and GitHub's.
    async fn blob(
        &self,
        granted: &Granted<'_>,
        full_name: &str,
        sha: String,
        file: &PushedFile,
    ) -> Result<(String, String), GitHubError> {
        if self.again && granted.has_blob(full_name, &sha).await? {
            return Ok((sha.clone(), sha));
        }
        let made = granted.new_blob(full_name, &file.content).await?;
        Ok((sha, made))
    }

    /// The paths of the files that the tree has with another content.
    pub fn replaced(&self) -> Vec<&str> {
        let blobs = self.listed.iter().filter(|entry| entry.kind == "blob");
        let there: BTreeSet<&str> = blobs.map(|entry| entry.path.as_str()).collect();
        let changed = self.changed().into_iter().map(|(file, _)| file.path.as_str());
        changed.filter(|path| there.contains(path)).collect()
    }

    /// The files that differ from the tree, each with the name of its blob.
    fn changed(&self) -> Vec<(&PushedFile, String)> {
        let there: BTreeMap<_, _> = self
            .listed
            .iter()
            .map(|entry| (entry.path.as_str(), (entry.mode.as_str(), entry.sha.as_str())))
            .collect();
        let files = self.files.iter().map(|file| (file, blob_name(&file.content)));
        let differs = |(file, sha): &(&PushedFile, String)| {
            there.get(file.path.as_str()) != Some(&(mode(file.executable), sha))
        };
        files.filter(differs).collect()
    }
}

/// The files that become blobs, one for each content, by the names that git gives them.
fn as_blobs<'a>(changed: &[(&'a PushedFile, String)]) -> BTreeMap<String, &'a PushedFile> {
    let blobs = changed.iter().filter(|(file, _)| inline(file).is_none());
    blobs.map(|(file, sha)| (sha.clone(), *file)).collect()
}

/// The entries of a tree with these files.
fn entries<'a>(
    changed: &[(&'a PushedFile, String)],
    blobs: &BTreeMap<String, String>,
) -> Vec<Entry<'a>> {
    let entry = |(file, sha): &(&'a PushedFile, String)| match inline(file) {
        Some(text) => Entry::File(&file.path, text, file.executable),
        None => {
            let blob = blobs.get(sha).unwrap_or(sha).clone();
            Entry::Blob(&file.path, blob, file.executable)
        }
    };
    changed.iter().map(entry).collect()
}

/// The name that git gives to a blob with this content.
fn blob_name(content: &[u8]) -> String {
    let whole = [format!("blob {}\0", content.len()).as_bytes(), content].concat();
    let sha = digest(&SHA1_FOR_LEGACY_USE_ONLY, &whole);
    sha.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a file that a call itself carries.
fn inline(file: &PushedFile) -> Option<&str> {
    file.text().filter(|text| as_json(text) <= CALL_BYTES)
}

/// The length of a text in JSON, in bytes.
fn as_json(text: &str) -> usize {
    let length = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        ..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(length).sum()
}

/// Divides entries and paths to delete into calls.
fn calls<'a>(entries: Vec<Entry<'a>>, gone: &[&'a str]) -> Vec<Vec<Entry<'a>>> {
    let new: BTreeSet<&str> = entries.iter().map(Entry::path).collect();
    // If a file replaces a folder, or the other way round, it comes in a call after the deletion.
    let (first, later): (Vec<&str>, Vec<&str>) = gone.iter().copied().partition(|path| {
        let below = format!("{path}/");
        let mut behind = new.range(below.as_str()..);
        let becomes_folder = behind.next().is_some_and(|new| new.starts_with(&below));
        becomes_folder || folders(path).any(|folder| new.contains(folder))
    });
    let first = first.chunks(CALL_ENTRIES);
    let mut all: Vec<Vec<Entry<'_>>> =
        first.map(|call| call.iter().copied().map(Entry::Gone).collect()).collect();
    let (mut call, mut bytes) = (Vec::new(), 0);
    for entry in entries.into_iter().chain(later.into_iter().map(Entry::Gone)) {
        let weight = if let Entry::File(_, text, _) = entry { as_json(text) } else { 0 };
        if call.len() == CALL_ENTRIES || (bytes + weight > CALL_BYTES && !call.is_empty()) {
            all.push(std::mem::take(&mut call));
            bytes = 0;
        }
        bytes += weight;
        call.push(entry);
    }
    if !call.is_empty() {
        all.push(call);
    }
    all
}

/// The folders above a path.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: impl Into<Vec<u8>>) -> PushedFile {
        PushedFile { path: path.to_owned(), executable: false, content: content.into() }
    }

    fn lengths(calls: &[Vec<Entry<'_>>]) -> Vec<usize> {
        calls.iter().map(Vec::len).collect()
    }

    #[test]
    fn a_blob_has_the_name_that_git_gives_it() {
        assert_eq!(blob_name(b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_name(b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn a_call_has_a_bounded_number_of_entries_and_of_bytes() {
        let paths: Vec<String> = (0..600).map(|n| format!("{n}.txt")).collect();
        let texts = |count: usize, text: &'static str| {
            paths[..count].iter().map(move |path| Entry::File(path, text, false)).collect()
        };
        assert_eq!(lengths(&calls(texts(600, "x"), &[])), [250, 250, 100]);
        let long: &'static str = Box::leak("x".repeat(1024 * 1024).into_boxed_str());
        assert_eq!(lengths(&calls(texts(5, long), &["gone"])), [2, 2, 2]);
        // JSON escapes can make a text too long for a call; it then becomes a blob.
        let control = file("a", "\u{1}".repeat(512 * 1024));
        assert!(control.text().is_some() && inline(&control).is_none());
        assert!(inline(&file("a", "\u{1}".repeat(1024))).is_some());
        assert!(inline(&file("a", [0xff, 0xfe])).is_none() && inline(&file("a", "a\0b")).is_none());
    }

    #[test]
    fn deletions_come_before_the_files_that_take_their_paths() {
        let entries = || vec![Entry::File("app", "x", false), Entry::File("docs/a", "x", false)];
        let gone = ["app/main", "docs", "docs-old", "other"];
        let found = calls(entries(), &gone);
        let late = [entries(), vec![Entry::Gone("docs-old"), Entry::Gone("other")]].concat();
        assert_eq!(found, [vec![Entry::Gone("app/main"), Entry::Gone("docs")], late]);
    }

    #[test]
    fn existing_files_are_not_sent_again() {
        let files = [file("a", "same"), file("b", "new"), file("c", "same")];
        let listed = |path: &str, mode: &str, content: &[u8]| Listed {
            path: path.to_owned(),
            kind: "blob".to_owned(),
            mode: mode.to_owned(),
            sha: blob_name(content),
            size: content.len() as u64,
        };
        let there = [
            listed("a", "100644", b"same"),
            listed("b", "100644", b"old"),
            listed("c", "100755", b"same"),
        ];
        let plan = Plan { base: "", listed: &there, files: &files, gone: Vec::new(), again: false };
        let changed: Vec<_> =
            plan.changed().into_iter().map(|(file, _)| file.path.as_str()).collect();
        assert_eq!(changed, ["b", "c"]);
    }
}
