//! Reads and writes branches, trees and commits of one repository, through GitHub's Git database.
//!
//! A push is a tree on top of another, a commit, and a branch that moves to it; nothing is cloned, and no `git` runs.

use super::{GitHubError, Granted};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_kit::github;
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

/// A repository.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Repository {
    pub full_name: String,
    pub html_url: String,
    pub private: bool,
    #[serde(default)]
    pub archived: bool,
    pub default_branch: String,
}

/// The names of a repository's branches.
#[derive(Debug)]
pub(crate) struct Branches {
    pub names: Vec<String>,
    /// Whether there may be more.
    pub more: bool,
}

#[derive(Deserialize)]
struct Branch {
    name: String,
}

/// A path of a new tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// A file with this text, and whether it can be executed.
    File(&'a str, &'a str, bool),
    /// A file with the content of this blob, and whether it can be executed.
    Blob(&'a str, String, bool),
    /// A file to delete.
    Gone(&'a str),
}

/// A commit.
#[derive(Debug, Deserialize)]
pub(crate) struct Commit {
    pub message: String,
    tree: Sha,
}

impl Commit {
    pub fn tree(&self) -> &str {
        &self.tree.sha
    }
}

#[derive(Debug, Deserialize)]
struct Sha {
    sha: String,
}

#[derive(Deserialize)]
struct Reference {
    object: Sha,
}

#[derive(Deserialize)]
struct Written {
    commit: Sha,
}

#[derive(Deserialize)]
struct Tree {
    tree: Vec<Listed>,
    #[serde(default)]
    truncated: bool,
}

/// An entry of a tree.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Listed {
    pub path: String,
    /// `blob`, `tree`, or `commit` for a submodule.
    #[serde(rename = "type")]
    pub kind: String,
    pub mode: String,
    pub sha: String,
    /// The size of a blob, in bytes.
    #[serde(default)]
    pub size: u64,
}

#[derive(Deserialize)]
struct Blob {
    /// Base64, split into lines.
    content: String,
}

impl Granted<'_> {
    pub async fn repository(&self, full_name: &str) -> Result<Repository, GitHubError> {
        self.get(&format!("repos/{full_name}")).await
    }

    /// The branches, by name; none for an empty repository.
    pub async fn branches(&self, full_name: &str) -> Result<Branches, GitHubError> {
        let path = format!("repos/{full_name}/branches");
        let github::Listed { entries, more } =
            self.github.api.list::<Vec<Branch>>(&path, &self.token).await?;
        Ok(Branches { names: entries.into_iter().map(|branch| branch.name).collect(), more })
    }

    /// The commit at the head of a branch; `None` if there is no such branch, or no commit at all.
    pub async fn head(&self, full_name: &str, branch: &str) -> Result<Option<String>, GitHubError> {
        let path = format!("repos/{full_name}/git/ref/heads/{branch}");
        match self.get::<Reference>(&path).await {
            Ok(found) => Ok(Some(found.object.sha)),
            Err(error) if error.is(StatusCode::NOT_FOUND) => Ok(None),
            // The repository is empty.
            Err(error) if error.is(StatusCode::CONFLICT) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates the first commit of an empty repository, which has no tree to build on; returns it.
    pub async fn begin(&self, full_name: &str, readme: &str) -> Result<String, GitHubError> {
        let body = json!({"message": "Add a README", "content": STANDARD.encode(readme)});
        let path = format!("repos/{full_name}/contents/README.md");
        let written: Written = self.send(Method::PUT, &path, &body).await?;
        Ok(written.commit.sha)
    }

    pub async fn commit(&self, full_name: &str, sha: &str) -> Result<Commit, GitHubError> {
        self.get(&format!("repos/{full_name}/git/commits/{sha}")).await
    }

    /// All entries of a tree and below it; `None` if there are more than GitHub lists.
    pub async fn listed(
        &self,
        full_name: &str,
        tree: &str,
    ) -> Result<Option<Vec<Listed>>, GitHubError> {
        let found: Tree =
            self.get(&format!("repos/{full_name}/git/trees/{tree}?recursive=1")).await?;
        Ok((!found.truncated).then_some(found.tree))
    }

    /// The content of a file; `None` if it is not what GitHub describes.
    pub async fn blob(&self, full_name: &str, sha: &str) -> Result<Option<Vec<u8>>, GitHubError> {
        let blob: Blob = self.get(&format!("repos/{full_name}/git/blobs/{sha}")).await?;
        let base64: String = blob.content.split_ascii_whitespace().collect();
        Ok(STANDARD.decode(base64).ok())
    }

    /// Whether a blob with this name exists.
    pub async fn has_blob(&self, full_name: &str, sha: &str) -> Result<bool, GitHubError> {
        self.github.api.exists(&format!("repos/{full_name}/git/blobs/{sha}"), &self.token).await
    }

    /// Creates a blob with this content; no tree contains it yet.
    pub async fn new_blob(&self, full_name: &str, content: &[u8]) -> Result<String, GitHubError> {
        let body = json!({"content": STANDARD.encode(content), "encoding": "base64"});
        let path = format!("repos/{full_name}/git/blobs");
        Ok(self.send::<Sha>(Method::POST, &path, &body).await?.sha)
    }

    /// Creates a tree on top of another.
    pub async fn new_tree(
        &self,
        full_name: &str,
        base: &str,
        entries: &[Entry<'_>],
    ) -> Result<String, GitHubError> {
        let entries: Vec<Value> = entries.iter().map(Entry::as_json).collect();
        let body = json!({"base_tree": base, "tree": entries});
        let path = format!("repos/{full_name}/git/trees");
        Ok(self.send::<Sha>(Method::POST, &path, &body).await?.sha)
    }

    /// Creates a commit of a tree, on top of these commits.
    pub async fn new_commit(
        &self,
        full_name: &str,
        message: &str,
        tree: &str,
        parents: &[String],
    ) -> Result<String, GitHubError> {
        let body = json!({"message": message, "tree": tree, "parents": parents});
        let path = format!("repos/{full_name}/git/commits");
        Ok(self.send::<Sha>(Method::POST, &path, &body).await?.sha)
    }

    pub async fn new_branch(
        &self,
        full_name: &str,
        branch: &str,
        sha: &str,
    ) -> Result<(), GitHubError> {
        let body = json!({"ref": format!("refs/heads/{branch}"), "sha": sha});
        let path = format!("repos/{full_name}/git/refs");
        self.send::<Reference>(Method::POST, &path, &body).await.map(drop)
    }

    /// Moves a branch forward; GitHub refuses if that would lose a commit.
    pub async fn move_branch(
        &self,
        full_name: &str,
        branch: &str,
        sha: &str,
    ) -> Result<(), GitHubError> {
        let path = format!("repos/{full_name}/git/refs/heads/{branch}");
        let body = json!({"sha": sha, "force": false});
        self.send::<Reference>(Method::PATCH, &path, &body).await.map(drop)
    }
}

impl<'a> Entry<'a> {
    /// Its path.
    pub fn path(&self) -> &'a str {
        match self {
            Self::File(path, ..) | Self::Blob(path, ..) | Self::Gone(path) => path,
        }
    }

    fn as_json(&self) -> Value {
        match self {
            Self::File(path, text, executable) => {
                json!({"path": path, "mode": mode(*executable), "type": "blob", "content": text})
            }
            Self::Blob(path, sha, executable) => {
                json!({"path": path, "mode": mode(*executable), "type": "blob", "sha": sha})
            }
            Self::Gone(path) => {
                json!({"path": path, "mode": "100644", "type": "blob", "sha": Value::Null})
            }
        }
    }
}

/// The mode of a file in a tree.
pub(crate) fn mode(executable: bool) -> &'static str {
    if executable { "100755" } else { "100644" }
}
