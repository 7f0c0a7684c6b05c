//! What is stored about repositories apart from their folders: names and pull requests in a file, tokens in memory.

use super::git::{Bare, DEFAULT_BRANCH};
use crate::{files, ids};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long a token of an installation is valid, in milliseconds: GitHub's own hour.
const TOKEN_MS: i64 = 60 * 60 * 1000;

/// The repositories of the local GitHub.
pub struct Repositories {
    folder: PathBuf,
    kept: Mutex<Vec<Repository>>,
    tokens: Mutex<HashMap<String, Grant>>,
}

/// A repository.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repository {
    /// Its number, which is also the name of its folder.
    pub id: u64,
    /// Login of its account.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Its pull requests; a pull request's number is its position, counted from 1.
    #[serde(default)]
    pub pulls: Vec<Pull>,
    /// What its page lets single people do, by login.
    #[serde(default)]
    pub people: BTreeMap<String, Permission>,
}

/// What a person may do in a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Nothing; the repository is not shown to them.
    None,
    /// Read it.
    Read,
    /// Also push to it.
    Write,
    /// Also choose what others may do.
    Admin,
}

/// A pull request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pull {
    /// Its title.
    pub title: String,
    /// Its text, markdown.
    pub body: String,
    /// The head branch, which has the commits.
    pub head: String,
    /// The base branch.
    pub base: String,
    /// Its state.
    pub state: PullState,
    /// The head branch's commit when it was merged.
    #[serde(default)]
    pub merged: Option<String>,
}

/// The state of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PullState {
    /// It is open and can be merged.
    Open,
    /// It was closed without a merge.
    Closed,
    /// It was merged.
    Merged,
}

/// The permissions of an installation's token.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The installation.
    pub installation: u64,
    /// The names of its repositories; all if none are named.
    pub repositories: Option<BTreeSet<String>>,
    /// The permissions, each with `read` or `write`.
    pub permissions: serde_json::Map<String, serde_json::Value>,
    expires_ms: i64,
    /// How many blobs it has created.
    blobs: u32,
}

impl Grant {
    /// A grant for an hour.
    pub fn new(
        installation: u64,
        repositories: Option<BTreeSet<String>>,
        permissions: serde_json::Map<String, serde_json::Value>,
    ) -> Self {
        Self {
            installation,
            repositories,
            permissions,
            expires_ms: ids::now_ms() + TOKEN_MS,
            blobs: 0,
        }
    }

    /// When it expires, as RFC 3339.
    pub fn expires_at(&self) -> String {
        ids::rfc3339(self.expires_ms)
    }
}

impl Repository {
    /// The name of its default branch.
    pub fn default_branch(&self) -> &'static str {
        if self.name.starts_with("odd-") { "release#1" } else { DEFAULT_BRANCH }
    }

    /// Whether the repository is read-only.
    pub fn archived(&self) -> bool {
        self.name.starts_with("archived-")
    }

    /// Whether a rule protects this branch.
    pub fn protects(&self, branch: &str) -> bool {
        self.name.starts_with("protected-") && branch.starts_with("groundcrew/")
    }

    /// Whether calls about it are refused as too many.
    pub fn busy(&self) -> bool {
        self.name.starts_with("busy-")
    }

    /// Whether changing an existing pull request fails with an error of GitHub.
    pub fn fails(&self) -> bool {
        self.name.starts_with("failing-")
    }

    /// Whether the number of blobs that a token can create is limited, as GitHub limits them per minute.
    pub fn limits_blobs(&self) -> bool {
        self.name.starts_with("limited-")
    }

    /// Whether calls that create a tree are never answered.
    pub fn is_stuck(&self) -> bool {
        self.name.starts_with("stuck-")
    }

    /// Whether its files can be read only after its branch `hold` is deleted.
    pub fn holds(&self) -> bool {
        self.name.starts_with("held-")
    }

    /// `owner/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }
}

impl Repositories {
    /// Reads the state from a folder.
    pub fn open(folder: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let file = list(&folder);
        let kept: Option<Vec<Repository>> =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let kept = Mutex::new(kept.unwrap_or_default());
        Ok(Self { folder, kept, tokens: Mutex::default() })
    }

    /// The repositories of an account, by name.
    pub fn of(&self, owner: &str) -> Vec<Repository> {
        let kept = self.kept();
        let mut found: Vec<_> = kept.iter().filter(|one| one.owner == owner).cloned().collect();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        found
    }

    /// The repository with this name.
    pub fn find(&self, owner: &str, name: &str) -> Option<Repository> {
        self.kept().iter().find(|one| one.owner == owner && one.name == name).cloned()
    }

    /// Creates a repository, or finds the one with this name.
    pub fn make(&self, owner: &str, name: &str) -> Result<Repository> {
        if let Some(found) = self.find(owner, name) {
            return Ok(found);
        }
        let mut kept = self.kept();
        let id = kept.iter().map(|one| one.id).max().unwrap_or_default() + 1;
        let (owner, name) = (owner.to_owned(), name.to_owned());
        let made = Repository { id, owner, name, pulls: vec![], people: BTreeMap::new() };
        let bare = self.bare(&made);
        bare.init()?;
        if !made.name.starts_with("empty-") {
            let readme = format!("# {}\n", made.name);
            bare.put_file("main", "README.md", &readme, "Initial commit")?;
        }
        kept.push(made.clone());
        self.keep(&kept);
        Ok(made)
    }

    /// Creates a repository of one commit with these files, replacing any earlier content.
    pub fn record(&self, owner: &str, name: &str, files: &BTreeMap<String, String>) -> Result<()> {
        let made = self.make(owner, name)?;
        let bare = self.bare(&made);
        std::fs::remove_dir_all(bare.folder())?;
        bare.init()?;
        bare.first_commit(DEFAULT_BRANCH, files, "Initial commit")?;
        self.change_pulls(made.id, Vec::clear);
        Ok(())
    }

    /// The folder of a repository.
    pub fn bare(&self, repository: &Repository) -> Bare {
        Bare::at(self.folder.join(format!("{}.git", repository.id)))
    }

    /// The parent of all repositories' folders.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes a repository's pull requests, and returns the result of `act`.
    pub fn change_pulls<R>(&self, id: u64, act: impl FnOnce(&mut Vec<Pull>) -> R) -> Option<R> {
        let mut kept = self.kept();
        let repository = kept.iter_mut().find(|one| one.id == id)?;
        let result = act(&mut repository.pulls);
        self.keep(&kept);
        Some(result)
    }

    /// Chooses what a person may do in a repository.
    pub fn admit(&self, id: u64, login: &str, permission: Permission) {
        let mut kept = self.kept();
        if let Some(repository) = kept.iter_mut().find(|one| one.id == id) {
            repository.people.insert(login.to_owned(), permission);
            self.keep(&kept);
        }
    }

    /// Creates a token for a grant.
    pub fn issue(&self, grant: Grant) -> String {
        let token = format!("ghs_{}", ids::token());
        self.tokens().insert(token.clone(), grant);
        token
    }

    /// The grant of a token.
    pub fn granted(&self, token: &str) -> Option<Grant> {
        let now = ids::now_ms();
        self.tokens().get(token).filter(|grant| grant.expires_ms > now).cloned()
    }

    /// Counts a blob that a token creates.
    pub fn count_blob(&self, token: &str) -> u32 {
        let mut tokens = self.tokens();
        let Some(grant) = tokens.get_mut(token) else { return 0 };
        grant.blobs += 1;
        grant.blobs
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Repository>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, Grant>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: &[Repository]) {
        let file = list(&self.folder);
        if let Err(error) = files::write_json(&file, &kept) {
            tracing::error!(file = %file.display(), %error, "could not write the list of repositories");
        }
    }
}

fn list(folder: &Path) -> PathBuf {
    folder.join("repositories.json")
}
