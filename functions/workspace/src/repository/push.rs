//! A push: a tree on top of what is there, a commit, the branch, the pull request.

use super::contents::Contents;
use crate::App;
use crate::github::{Entry, GitHubError, Granted, Pull, TO_PUSH};
use domain::audit::Actor;
use domain::repository::{FullName, Push, branch, is_ours, trailer};
use domain::security::{About, SecurityEvent, record};
use domain::{Scope, Timestamp};
use http_kit::ApiError;
use reqwest::StatusCode;
use std::collections::BTreeSet;

/// A push and what came of it.
pub(super) struct Done {
    pub push: Push,
    /// Whether a commit was made; none is if the branch has these files already.
    pub committed: bool,
}

/// What is pushed, and what is said of it.
pub(super) struct Wish<'a> {
    pub change: u32,
    pub title: String,
    pub body: String,
    pub contents: &'a Contents,
    pub by: Actor,
}

/// Where a commit goes.
struct Place {
    /// The commit that the new one stands on, and its tree.
    parent: String,
    tree: String,
    /// Whether the change's branch is there.
    exists: bool,
}

impl App {
    /// Pushes to a repository of the installation.
    pub(super) async fn push(
        &self,
        scope: Scope,
        full_name: &str,
        wish: Wish<'_>,
    ) -> Result<Done, ApiError> {
        let FullName { owner, name } = FullName::parse(full_name).ok_or_else(no_name)?;
        let installation = self.github.installation(scope.installation).await?;
        if !installation.account().eq_ignore_ascii_case(owner) {
            return Err(GitHubError::NoRepository.into());
        }
        if !installation.missing(TO_PUSH).is_empty() {
            let detail = "GitHub has not granted Groundcrew to write to repositories yet.";
            return Err(ApiError::conflict("permission_missing", detail));
        }
        let granted = self.github.granted(scope.installation, name, TO_PUSH).await?;
        let repository = granted.repository(full_name).await?;
        if repository.archived {
            let detail = "This repository is archived. Unarchive it at GitHub, or choose another.";
            return Err(ApiError::conflict("repository_archived", detail));
        }
        let base = repository.default_branch.as_str();
        let branch = branch(wish.change);
        let place = place(&granted, scope, full_name, base, &branch).await?;
        let paths: Vec<String> = wish.contents.files.iter().map(|file| file.path.clone()).collect();
        let before = self.repositories.get(scope).await?;
        self.repositories.begin(scope, full_name, &paths).await?;

        let known = granted.paths(full_name, &place.tree).await?;
        let known: BTreeSet<String> = known.ok_or_else(too_large)?.into_iter().collect();
        let gone = before.paths_in(full_name).iter().filter(|path| {
            known.contains(*path)
                && paths.binary_search(path).is_err()
                && !wish.contents.stays.contains_key(*path)
        });
        let files = wish.contents.files.iter();
        let files = files.map(|file| Entry::File(&file.path, &file.text, file.executable));
        let entries: Vec<_> = files.chain(gone.map(|path| Entry::Gone(path))).collect();
        let tree = granted.new_tree(full_name, &place.tree, &entries).await?;

        let committed = tree != place.tree;
        let commit = match committed {
            true => {
                let message = format!("{}\n\n{}\n", wish.title, trailer(scope.project));
                let made = granted.new_commit(full_name, &message, &tree, &place.parent).await?;
                let moved = match place.exists {
                    true => granted.move_branch(full_name, &branch, &made).await,
                    false => granted.new_branch(full_name, &branch, &made).await,
                };
                moved.map_err(|error| of_branch(error, &branch))?;
                made
            }
            false => place.parent,
        };
        let pull_request = match committed || place.exists {
            true => {
                let (title, body) = (wish.title.as_str(), wish.body.as_str());
                let pull = Pull { title, body, branch: &branch, base };
                granted.pull(full_name, owner, &pull).await?
            }
            false => None,
        };
        let push = Push {
            change: wish.change,
            repository: full_name.to_owned(),
            branch,
            commit,
            pull_request,
            files: u32::try_from(paths.len()).unwrap_or(u32::MAX),
            files_sha256: wish.contents.sha256(),
            by: wish.by,
            at: Timestamp::now(),
        };
        self.repositories.finish(scope, &push, &paths).await?;
        note(scope, &push);
        Ok(Done { push, committed })
    }
}

/// The head of the change's branch if only we wrote to it, else that of the default branch.
async fn place(
    granted: &Granted<'_>,
    scope: Scope,
    full_name: &str,
    base: &str,
    branch: &str,
) -> Result<Place, ApiError> {
    let head = granted.head(full_name, branch).await?;
    if let Some(parent) = head {
        let commit = granted.commit(full_name, &parent).await?;
        if !is_ours(&commit.message, scope.project) {
            return Err(moved(branch));
        }
        return Ok(Place { tree: commit.tree().to_owned(), parent, exists: true });
    }
    let parent = match granted.head(full_name, base).await? {
        Some(head) => head,
        None => {
            let name = full_name.rsplit('/').next().unwrap_or_default();
            let readme = format!("# {name}\n\nInfrastructure that Groundcrew built.\n");
            granted.begin(full_name, &readme).await?
        }
    };
    let commit = granted.commit(full_name, &parent).await?;
    Ok(Place { tree: commit.tree().to_owned(), parent, exists: false })
}

fn note(scope: Scope, push: &Push) {
    let Push { repository, branch, commit, files, files_sha256, .. } = push;
    let detail = format!(
        "repository={repository} branch={branch} commit={commit} files={files} sha256={files_sha256}"
    );
    record(SecurityEvent::WorkspacePushed, About::project(scope).by(&push.by), &detail);
}

pub(super) fn no_name() -> ApiError {
    ApiError::unprocessable("invalid_repository", "Name a repository as owner/name.")
}

fn too_large() -> ApiError {
    let detail = "This repository has more files than a push can look through. Choose another.";
    ApiError::conflict("repository_too_large", detail)
}

fn moved(branch: &str) -> ApiError {
    let detail = format!(
        "Somebody else has committed to {branch}. Merge or delete that branch at GitHub, then push again."
    );
    ApiError::conflict("branch_moved", detail)
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
