//! Trees over the REST API, with GitHub's limits.
//!
//! GitHub lists 100,000 entries or 7 MB of a tree, and marks the list as truncated. Its limit for a new tree is not
//! documented: it refuses calls with some 2.5 MB of text, or several hundred files with their content, and asks for
//! smaller ones. So this GitHub refuses what the real one may refuse.

use super::app;
use super::objects::{Place, invalid, is_sha, object, on_disk};
use crate::github::git::{Bare, Entry, Listed};
use crate::github::state::GitHub;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// How many entries of a tree one answer or one call may have.
const ENTRIES: usize = 100_000;
/// The longest list in an answer, in bytes.
const LIST_BYTES: usize = 7_000_000;
/// How much text one call may have, in bytes, and how many files with content.
const TEXT_BYTES: usize = 2_500_000;
const TEXT_FILES: usize = 300;
/// GitHub's message if a call has more.
const TOO_LARGE: &str = "Sorry, your request timed out. It's likely that your input was too large to process. Consider \
    building the tree incrementally, or building the commits you need in a local clone of the repository and then \
    pushing them to GitHub.";
/// The modes of files.
const MODES: [&str; 2] = ["100644", "100755"];

/// The entries of a tree, including everything below it.
pub async fn list(
    State(github): State<GitHub>,
    Path((owner, name, sha)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let tree = object(&github, &headers, (owner, name, &sha), Bare::tree).await?;
    let entry = |Listed { mode, kind, sha, size, path }| {
        let mut entry = json!({"mode": mode, "type": kind, "sha": sha, "path": path});
        // Only a blob has a size.
        if let Some(size) = size {
            entry["size"] = json!(size);
        }
        entry
    };
    let entries: Vec<_> = tree.into_iter().map(entry).collect();
    let (entries, truncated) = listed(entries);
    Ok(Json(json!({"sha": sha, "tree": entries, "truncated": truncated})).into_response())
}

/// As many entries as GitHub lists, and whether the list is truncated.
fn listed(entries: Vec<Value>) -> (Vec<Value>, bool) {
    let (all, mut bytes) = (entries.len(), 0);
    let fits = |entry: &Value| {
        bytes += entry.to_string().len();
        bytes <= LIST_BYTES
    };
    let listed: Vec<_> = entries.into_iter().take(ENTRIES).take_while(fits).collect();
    let truncated = listed.len() < all;
    (listed, truncated)
}

#[derive(Deserialize)]
pub struct NewTree {
    base_tree: Option<String>,
    tree: Vec<NewEntry>,
}

#[derive(Deserialize)]
struct NewEntry {
    path: String,
    mode: String,
    content: Option<String>,
    /// The file's blob; present and null: the path is removed.
    #[serde(default, deserialize_with = "there")]
    sha: Option<Option<String>>,
}

fn there<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(value).map(Some)
}

impl NewEntry {
    fn entry(self) -> Option<Entry> {
        let inside = !self.path.split('/').any(|part| matches!(part, "" | "." | ".." | ".git"));
        match (self.content, self.sha) {
            _ if !inside => None,
            (Some(content), None) if MODES.contains(&self.mode.as_str()) => {
                Some(Entry::File(self.mode, self.path, content))
            }
            (None, Some(Some(sha))) if MODES.contains(&self.mode.as_str()) && is_sha(&sha) => {
                Some(Entry::Blob(self.mode, self.path, sha))
            }
            (None, Some(None)) => Some(Entry::Gone(self.path)),
            _ => None,
        }
    }
}

/// Creates a tree from another one, with texts, blobs and paths to remove.
pub async fn make(
    State(github): State<GitHub>,
    Path((owner, name)): Path<Place>,
    headers: HeaderMap,
    Json(new): Json<NewTree>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    if found.is_stuck() {
        std::future::pending::<()>().await;
    }
    if !takes(&new.tree) {
        return Err(invalid(TOO_LARGE, ""));
    }
    let entries: Option<Vec<_>> = new.tree.into_iter().map(NewEntry::entry).collect();
    let base = new.base_tree.filter(|sha| is_sha(sha));
    let entries = entries.ok_or_else(|| invalid("Invalid tree info", ""))?;
    let bare = github.code().bare(&found);
    let made = on_disk(move || bare.new_tree(base.as_deref(), &entries)).await?;
    let sha = made.ok_or_else(|| invalid("GitRPC::BadObjectState", ""))?;
    Ok((StatusCode::CREATED, Json(json!({"sha": sha}))).into_response())
}

/// Whether GitHub accepts these for one tree.
fn takes(entries: &[NewEntry]) -> bool {
    let texts = || entries.iter().filter_map(|entry| entry.content.as_ref());
    let bytes: usize = texts().map(String::len).sum();
    entries.len() <= ENTRIES && texts().count() <= TEXT_FILES && bytes <= TEXT_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: usize) -> NewEntry {
        let content = Some("x".repeat(bytes));
        NewEntry { path: "a".to_owned(), mode: MODES[0].to_owned(), content, sha: None }
    }

    fn gone() -> NewEntry {
        NewEntry { path: "a".to_owned(), mode: MODES[0].to_owned(), content: None, sha: Some(None) }
    }

    #[test]
    fn a_tree_is_accepted_and_listed_within_limits() {
        let many =
            |count: usize, entry: fn() -> NewEntry| std::iter::repeat_with(entry).take(count);
        let small: fn() -> NewEntry = || text(1);
        assert!(takes(&many(TEXT_FILES, small).collect::<Vec<_>>()));
        assert!(!takes(&many(TEXT_FILES + 1, small).collect::<Vec<_>>()));
        assert!(takes(&[text(TEXT_BYTES)]) && !takes(&[text(TEXT_BYTES + 1)]));
        assert!(takes(&many(ENTRIES, gone).collect::<Vec<_>>()));
        assert!(!takes(&many(ENTRIES + 1, gone).collect::<Vec<_>>()));

        let entries = |count: usize, bytes: usize| vec![json!("x".repeat(bytes)); count];
        assert_eq!(listed(entries(ENTRIES, 1)), (entries(ENTRIES, 1), false));
        let (found, truncated) = listed(entries(ENTRIES + 1, 1));
        assert_eq!((found.len(), truncated), (ENTRIES, true));
        let (found, truncated) = listed(entries(8, 1_000_000));
        assert_eq!((found.len(), truncated), (6, true));
    }
}
