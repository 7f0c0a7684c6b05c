//! A tree at GitHub with the files of a push, made in pieces that GitHub takes.
//!
//! What a branch has already is not sent again. The rest goes in calls of a bounded size, each on top of the tree of the
//! call before: GitHub gives up on larger ones. Text stands in the call itself. Everything else becomes a blob first,
//! which is a call a file, and GitHub bounds these by the minute; so blobs that a push made before it broke off are
//! looked for, which costs less than to make them. Trees and blobs are seen by no one until a commit names them.

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

/// A tree, and what becomes of it.
pub(super) struct Plan<'a> {
    /// The tree that it stands on.
    pub base: &'a str,
    /// What that tree has.
    pub listed: &'a [Listed],
    /// What is to be in it.
    pub files: &'a [PushedFile],
    /// The paths that go.
    pub gone: Vec<&'a str>,
    /// Whether GitHub may have blobs of a push that broke off.
    pub again: bool,
}

impl Plan<'_> {
    /// Makes the tree; the one that it stands on, if nothing differs.
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

    /// Makes a blob or finds it; the name that git gives it, and GitHub's.
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

    /// The files that are not in the tree as they are here, each with the name of its blob.
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

/// The files that become blobs, one of each content, by the names that git gives them.
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

/// The text of a file that stands in a call itself.
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

/// Divides entries and paths that go into calls.
fn calls<'a>(entries: Vec<Entry<'a>>, gone: &[&'a str]) -> Vec<Vec<Entry<'a>>> {
    let new: BTreeSet<&str> = entries.iter().map(Entry::path).collect();
    // A file in the place of a folder, or the other way round, comes after what was there has gone.
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
        // JSON escapes can make a text too long for a call; it then goes as a blob.
        let control = file("a", "\u{1}".repeat(512 * 1024));
        assert!(control.text().is_some() && inline(&control).is_none());
        assert!(inline(&file("a", "\u{1}".repeat(1024))).is_some());
        assert!(inline(&file("a", [0xff, 0xfe])).is_none() && inline(&file("a", "a\0b")).is_none());
    }

    #[test]
    fn what_stands_in_the_way_goes_first() {
        let entries = || vec![Entry::File("app", "x", false), Entry::File("docs/a", "x", false)];
        let gone = ["app/main", "docs", "docs-old", "other"];
        let found = calls(entries(), &gone);
        let late = [entries(), vec![Entry::Gone("docs-old"), Entry::Gone("other")]].concat();
        assert_eq!(found, [vec![Entry::Gone("app/main"), Entry::Gone("docs")], late]);
    }

    #[test]
    fn what_is_there_is_not_sent_again() {
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
