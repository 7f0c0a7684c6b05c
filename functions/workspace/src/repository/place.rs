//! Finds where a push goes: the commits on which its branch builds, and the state of its pull requests.
//!
//! A branch continues from its own head while only we have written to it. Once its pull request is merged, the default
//! branch contains its work, as the same commits or as another one, and nothing can be lost, whoever committed to the
//! branch. The branch then continues from both heads with the files of the default branch, so that a new pull request
//! contains only what is new.
//!
//! The usual name of a change's branch may belong to another project that uses the same repository, or to a person. Then
//! the branch also names the project.

use crate::github::{GitHubError, Granted, LastPull};
use domain::Scope;
use domain::origin::is_branch;
use domain::repository::{FullName, Pushed, branch, branch_of_project, is_ours};
use http_kit::{ApiError, ErrorCode};
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
        scope: Scope,
        change: u32,
        before: &Pushed,
    ) -> Result<Self, ApiError> {
        let FullName { owner, .. } = FullName::parse(full_name).ok_or_else(no_name)?;
        let repository = granted.repository(full_name).await?;
        if repository.archived {
            let detail = "This repository is archived. Unarchive it on GitHub, or choose another.";
            return Err(ApiError::conflict(ErrorCode::RepositoryArchived, detail));
        }
        let base = repository.default_branch;
        // Under an address that means another one, the default branch would look missing.
        if !is_branch(&base) {
            let detail = "The name of this repository's default branch contains characters that Groundcrew cannot use. \
                          Rename the branch on GitHub, or choose another repository.";
            return Err(ApiError::conflict(ErrorCode::DefaultBranchName, detail));
        }
        let branch = match before.branch_in(full_name, change) {
            Some(branch) => branch.to_owned(),
            None => free_branch(granted, full_name, scope, change).await?,
        };
        Ok(Self { granted, full_name, owner, base, branch })
    }

    /// The place from which a commit of this project continues; `None` in a repository without a commit.
    pub async fn place(&self, scope: Scope) -> Result<Option<Place>, ApiError> {
        let Self { granted, full_name, .. } = self;
        let head = granted.head(full_name, &self.branch).await?;
        if let Some(head) = head {
            let commit = granted.commit(full_name, &head).await?;
            let last_pull = granted.last_pull(full_name, self.owner, &self.branch).await?;
            let is_merged = matches!(&last_pull, LastPull::Merged(merged) if *merged == head);
            if !is_merged && !is_ours(&commit.message, scope.project) {
                return Err(moved(&self.branch));
            }
            let (parents, tree) = match &last_pull {
                LastPull::Merged(_) => match self.default_head().await? {
                    Some((base, tree)) => (vec![head, base], tree),
                    None => return Ok(None),
                },
                LastPull::None | LastPull::Open(_) => (vec![head], commit.tree().to_owned()),
            };
            return Ok(Some(Place { parents, tree, exists: true, last_pull }));
        }
        Ok(self.default_head().await?.map(Place::of_new_branch))
    }

    /// The place in a repository without a commit, after a first one: such a repository has no trees, and accepts none.
    pub async fn begin(&self) -> Result<Place, ApiError> {
        let name = self.full_name.rsplit('/').next().unwrap_or_default();
        let readme = format!("# {name}\n\nInfrastructure that Groundcrew built.\n");
        let head = self.granted.begin(self.full_name, &readme).await?;
        Ok(Place::of_new_branch(self.with_tree(head).await?))
    }

    /// The head of the default branch, and its tree.
    async fn default_head(&self) -> Result<Option<(String, String)>, ApiError> {
        let Self { granted, full_name, .. } = self;
        let Some(head) = granted.head(full_name, &self.base).await? else { return Ok(None) };
        Ok(Some(self.with_tree(head).await?))
    }

    /// A commit, and its tree.
    async fn with_tree(&self, head: String) -> Result<(String, String), ApiError> {
        let commit = self.granted.commit(self.full_name, &head).await?;
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
    /// The place of a branch that does not exist yet, on top of the default branch's head with its tree.
    fn of_new_branch((head, tree): (String, String)) -> Self {
        Self { parents: vec![head], tree, exists: false, last_pull: LastPull::None }
    }

    /// Whether the branch may have no open pull request, or one with an older text.
    pub fn wants_a_pull(&self) -> bool {
        self.exists && !matches!(self.last_pull, LastPull::Merged(_))
    }
}

/// The name for a change's branch that this project has not pushed before.
async fn free_branch(
    granted: &Granted<'_>,
    full_name: &str,
    scope: Scope,
    change: u32,
) -> Result<String, GitHubError> {
    let usual = branch(change);
    let Some(head) = granted.head(full_name, &usual).await? else { return Ok(usual) };
    let commit = granted.commit(full_name, &head).await?;
    let is_ours = is_ours(&commit.message, scope.project);
    Ok(if is_ours { usual } else { branch_of_project(scope.project, change) })
}

pub(super) fn no_name() -> ApiError {
    ApiError::unprocessable(ErrorCode::InvalidRepository, "Name a repository as owner/name.")
}

/// Why a branch did not move.
fn of_branch(error: GitHubError, branch: &str) -> ApiError {
    let raced = error.says("fast forward") || error.says("already exists");
    let protected =
        error.is(StatusCode::FORBIDDEN) || error.says("protected") || error.says("rule violations");
    match error {
        _ if raced => moved(branch),
        GitHubError::Refused { message, .. } if protected => ApiError::conflict(
            ErrorCode::BranchProtected,
            format!("A rule of this repository protects {branch}. GitHub says: {message}"),
        ),
        other => other.into(),
    }
}

fn moved(branch: &str) -> ApiError {
    let detail = format!(
        "Someone else has committed to {branch}. Merge or delete that branch on GitHub, then push again."
    );
    ApiError::conflict(ErrorCode::BranchMoved, detail)
}
