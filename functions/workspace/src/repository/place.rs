//! Finds where a push goes: the commits on which its branch builds, and the state of its pull requests.
//!
//! A branch continues from its own head while only we have written to it. Once its pull request is merged, the default
//! branch contains its work, as the same commits or as another one. The branch then continues from both heads with the
//! files of the default branch, so that a new pull request contains only what is new.

use super::push::moved;
use crate::github::{GitHubError, Granted, LastPull};
use domain::Scope;
use domain::repository::{FullName, branch, is_ours};
use http_kit::ApiError;
use reqwest::StatusCode;

/// A change's branch in a repository.
pub(super) struct Target<'a> {
    pub granted: &'a Granted<'a>,
    pub full_name: &'a str,
    pub owner: &'a str,
    /// The default branch.
    pub base: String,
    pub branch: String,
}

/// The place for a new commit.
pub(super) struct Place {
    /// The parents of the new commit.
    pub parents: Vec<String>,
    /// The tree that it changes.
    pub tree: String,
    /// Whether the branch exists.
    pub exists: bool,
    /// The state of its pull requests.
    pub last_pull: LastPull,
}

impl<'a> Target<'a> {
    /// The branch of a change; refused if nothing can be pushed to the repository.
    pub async fn of(
        granted: &'a Granted<'a>,
        full_name: &'a str,
        change: u32,
    ) -> Result<Self, ApiError> {
        let FullName { owner, .. } = FullName::parse(full_name).ok_or_else(no_name)?;
        let repository = granted.repository(full_name).await?;
        if repository.archived {
            let detail = "This repository is archived. Unarchive it on GitHub, or choose another.";
            return Err(ApiError::conflict("repository_archived", detail));
        }
        let base = repository.default_branch;
        Ok(Self { granted, full_name, owner, base, branch: branch(change) })
    }

    /// The place from which a commit of this project continues.
    pub async fn place(&self, scope: Scope) -> Result<Place, ApiError> {
        let Self { granted, full_name, .. } = self;
        let head = granted.head(full_name, &self.branch).await?;
        if let Some(head) = head {
            let commit = granted.commit(full_name, &head).await?;
            if !is_ours(&commit.message, scope.project) {
                return Err(moved(&self.branch));
            }
            let last_pull = granted.last_pull(full_name, self.owner, &self.branch).await?;
            let (parents, tree) = match &last_pull {
                LastPull::Merged => {
                    let (base, tree) = self.default_head().await?;
                    (vec![head, base], tree)
                }
                LastPull::None | LastPull::Open(_) => (vec![head], commit.tree().to_owned()),
            };
            return Ok(Place { parents, tree, exists: true, last_pull });
        }
        let (base, tree) = self.default_head().await?;
        Ok(Place { parents: vec![base], tree, exists: false, last_pull: LastPull::None })
    }

    /// The head of the default branch, and its tree.
    async fn default_head(&self) -> Result<(String, String), ApiError> {
        let Self { granted, full_name, .. } = self;
        let head = match granted.head(full_name, &self.base).await? {
            Some(head) => head,
            // A repository without a commit has no trees, and accepts none.
            None => {
                let name = full_name.rsplit('/').next().unwrap_or_default();
                let readme = format!("# {name}\n\nInfrastructure that Groundcrew built.\n");
                granted.begin(full_name, &readme).await?
            }
        };
        let commit = granted.commit(full_name, &head).await?;
        let tree = commit.tree().to_owned();
        Ok((head, tree))
    }

    /// Moves the branch to a commit on top of its head, or creates it.
    pub async fn move_to(&self, commit: &str, exists: bool) -> Result<(), ApiError> {
        let moved = match exists {
            true => self.granted.move_branch(self.full_name, &self.branch, commit).await,
            false => self.granted.new_branch(self.full_name, &self.branch, commit).await,
        };
        moved.map_err(|error| of_branch(error, &self.branch))
    }
}

impl Place {
    /// Whether the branch may have no open pull request, or one with an older text.
    pub fn wants_a_pull(&self) -> bool {
        self.exists && self.last_pull != LastPull::Merged
    }
}

pub(super) fn no_name() -> ApiError {
    ApiError::unprocessable("invalid_repository", "Name a repository as owner/name.")
}

/// Why a branch did not move.
fn of_branch(error: GitHubError, branch: &str) -> ApiError {
    let raced = error.says("fast forward") || error.says("already exists");
    let protected =
        error.is(StatusCode::FORBIDDEN) || error.says("protected") || error.says("rule violations");
    match error {
        _ if raced => moved(branch),
        GitHubError::Refused { message, .. } if protected => ApiError::conflict(
            "branch_protected",
            format!("A rule of this repository protects {branch}. GitHub says: {message}"),
        ),
        other => other.into(),
    }
}
