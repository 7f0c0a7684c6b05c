//! Makes a push: a tree on top of the existing one, a commit, the branch, the pull request.

use super::bodies::ChangedThere;
use super::contents::Contents;
use super::deadline::Deadline;
use super::place::{Place, Target, no_name};
use super::tree::Plan;
use crate::App;
use crate::github::{Access, GitHubError, Granted, LastPull, Listed, Pull, TO_PUSH};
use domain::audit::Actor;
use domain::repository::{FullName, PullRequest, Push, Pushed, trailer};
use domain::security::{About, SecurityEvent, record};
use domain::{Scope, Timestamp};
use http_kit::{ApiError, ErrorCode};
use reqwest::StatusCode;
use std::collections::BTreeSet;

/// A push and its results.
pub(super) struct Done {
    pub push: Push,
    /// Whether a commit was made; none is made if the branch already has these files.
    pub committed: bool,
    /// Why the pull request was not opened, or still has its former text.
    pub pull_request_problem: Option<String>,
}

/// The files to push, and their description.
pub(super) struct PushRequest<'a> {
    pub change: u32,
    pub title: String,
    pub body: String,
    pub contents: &'a Contents,
    /// The files of the repository that were shown as deleted, by path; `None` if none were shown.
    pub deleted: Option<Vec<String>>,
    pub by: Actor,
}

/// A commit that no branch contains yet.
struct Made {
    place: Place,
    commit: String,
    /// Whether it is new.
    committed: bool,
}

impl App {
    /// Pushes to a repository of the installation.
    pub(super) async fn push(
        &self,
        scope: Scope,
        full_name: &str,
        request: PushRequest<'_>,
        deadline: Deadline,
    ) -> Result<Done, ApiError> {
        let granted =
            deadline.before_the_move(self.may_push(scope, full_name, &request.by)).await?;
        let before = self.repositories.get(scope).await?;
        let target = Target::of(&granted, full_name, scope, request.change, &before);
        let target = deadline.before_the_move(target).await?;
        let Made { place, commit, committed } =
            deadline.before_the_move(self.make(scope, &target, &request, &before)).await?;
        if committed {
            let moved = deadline.at_the_end(target.move_to(&commit, place.exists)).await;
            moved.unwrap_or_else(|| Err(perhaps_moved(&target.branch)))?;
        }
        let (pull_request, pull_request_problem) = match committed || place.wants_a_pull() {
            true => pull(&target, &request, deadline, place.last_pull).await,
            false => (None, None),
        };
        let paths = request.contents.paths();
        let push = Push {
            change: request.change,
            repository: full_name.to_owned(),
            branch: target.branch,
            commit,
            pull_request,
            files: u32::try_from(paths.len()).unwrap_or(u32::MAX),
            files_sha256: request.contents.sha256(),
            by: request.by,
            at: Timestamp::now(),
        };
        self.repositories.finish(scope, &push, &paths).await?;
        note(scope, &push);
        Ok(Done { push, committed, pull_request_problem })
    }

    /// The branch of a push of these files, and what the push would change in a repository; changes nothing there.
    pub(super) async fn effects(
        &self,
        scope: Scope,
        full_name: &str,
        change: u32,
        contents: &Contents,
        by: &Actor,
    ) -> Result<(String, ChangedThere), ApiError> {
        let granted = self.may_push(scope, full_name, by).await?;
        let before = self.repositories.get(scope).await?;
        let target = Target::of(&granted, full_name, scope, change, &before).await?;
        let Some(place) = target.place(scope).await? else {
            let nothing = ChangedThere { replaced: Vec::new(), deleted: Vec::new() };
            return Ok((target.branch, nothing));
        };
        let listed = granted.listed(full_name, &place.tree).await?.ok_or_else(too_large)?;
        let plan = planned(full_name, &place, &listed, contents, &before);
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let there = ChangedThere { replaced: owned(&plan.replaced()), deleted: owned(&plan.gone) };
        Ok((target.branch.clone(), there))
    }

    /// GitHub with the right to push to one repository of the installation. It also takes this person's own right: to
    /// a person who cannot read the repository, it is as unknown as one that does not exist.
    async fn may_push(
        &self,
        scope: Scope,
        full_name: &str,
        by: &Actor,
    ) -> Result<Granted<'_>, ApiError> {
        let FullName { owner, name } = FullName::parse(full_name).ok_or_else(no_name)?;
        let installation = self.github.installation(scope.installation).await?;
        if !installation.account().eq_ignore_ascii_case(owner) {
            return Err(GitHubError::NoRepository.into());
        }
        if !installation.missing(TO_PUSH).is_empty() {
            let detail =
                "This account has not yet granted Groundcrew the right to write to repositories.";
            return Err(ApiError::conflict(ErrorCode::PermissionMissing, detail));
        }
        let granted = self.github.granted(scope.installation, name, TO_PUSH).await?;
        match granted.access(full_name, by).await? {
            Access::Write => Ok(granted),
            Access::Read => Err(read_only()),
            Access::None => Err(GitHubError::NoRepository.into()),
        }
    }

    /// Makes the commit, or finds the one that already has these files.
    async fn make(
        &self,
        scope: Scope,
        target: &Target<'_>,
        request: &PushRequest<'_>,
        before: &Pushed,
    ) -> Result<Made, ApiError> {
        let Target { granted, full_name, .. } = target;
        let place = match target.place(scope).await? {
            Some(place) => place,
            None => target.begin().await?,
        };
        let paths = request.contents.paths();
        let listed = granted.listed(full_name, &place.tree).await?.ok_or_else(too_large)?;
        let plan = planned(full_name, &place, &listed, request.contents, before);
        if request.deleted.as_ref().is_some_and(|shown| !plan.gone.iter().eq(shown)) {
            return Err(other_deletions());
        }
        self.repositories.begin(scope, full_name, &paths).await?;
        let tree = plan.make(granted, full_name).await.map_err(goes_on)?;
        if tree == place.tree {
            let commit = place.parents.last().cloned().unwrap_or_default();
            return Ok(Made { place, commit, committed: false });
        }
        let message = format!("{}\n\n{}\n", request.title, trailer(scope.project));
        let made = granted.new_commit(full_name, &message, &tree, &place.parents).await;
        Ok(Made { place, commit: made.map_err(goes_on)?, committed: true })
    }
}

/// The tree that a push makes at a place.
fn planned<'a>(
    full_name: &str,
    place: &'a Place,
    listed: &'a [Listed],
    contents: &'a Contents,
    before: &'a Pushed,
) -> Plan<'a> {
    Plan {
        base: &place.tree,
        listed,
        files: &contents.files,
        gone: gone(before.paths_in(full_name), listed, contents),
        again: before.broke_off(full_name),
    }
}

/// The files of our former paths that are deleted there, because they are gone from the workspace.
fn gone<'a>(ours: &'a [String], listed: &[Listed], contents: &Contents) -> Vec<&'a str> {
    let blobs = listed.iter().filter(|entry| entry.kind == "blob");
    let there: BTreeSet<&str> = blobs.map(|entry| entry.path.as_str()).collect();
    let here: BTreeSet<&str> = contents.files.iter().map(|file| file.path.as_str()).collect();
    let ours = ours.iter().map(String::as_str);
    ours.filter(|path| {
        there.contains(path) && !here.contains(path) && !contents.stays.contains_key(*path)
    })
    .collect()
}

/// Opens the branch's pull request or gives it the current text. If that fails, returns the existing one, and the
/// reason.
async fn pull(
    target: &Target<'_>,
    request: &PushRequest<'_>,
    deadline: Deadline,
    last: LastPull,
) -> (Option<PullRequest>, Option<String>) {
    let Target { granted, full_name, owner, base, branch } = target;
    let words = Pull { title: &request.title, body: &request.body, branch, base };
    let problem = match deadline.at_the_end(granted.pull(full_name, owner, &words)).await {
        Some(Ok(pull)) => return (pull, None),
        Some(Err(error)) => ApiError::from(error).detail().to_owned(),
        None => "GitHub did not answer in time.".to_owned(),
    };
    let there = if let LastPull::Open(there) = last { Some(there) } else { None };
    (there, Some(problem))
}

fn note(scope: Scope, push: &Push) {
    let Push { repository, branch, commit, files, files_sha256, .. } = push;
    let detail = format!(
        "repository={repository} branch={branch} commit={commit} files={files} sha256={files_sha256}"
    );
    record(SecurityEvent::WorkspacePushed, About::project(scope).by(&push.by), &detail);
}

fn read_only() -> ApiError {
    let detail = "On GitHub, you may read this repository but not write to it. Choose another.";
    ApiError::conflict(ErrorCode::RepositoryReadOnly, detail)
}

fn too_large() -> ApiError {
    let detail = "This repository has more files than a push can look through. Choose another.";
    ApiError::conflict(ErrorCode::RepositoryTooLarge, detail)
}

fn other_deletions() -> ApiError {
    let detail = "The push would now delete other files of the repository than were shown. Look at them again.";
    ApiError::conflict(ErrorCode::FilesChanged, detail)
}

/// The error if we cannot tell whether the branch has moved; a repeated push finds out.
fn perhaps_moved(branch: &str) -> ApiError {
    let detail = format!(
        "GitHub has the files, but did not answer in time whether {branch} moved to them. Push again to find out."
    );
    ApiError::new(StatusCode::GATEWAY_TIMEOUT, ErrorCode::PushUnclear, detail)
}

/// Why GitHub did not accept all files; if another attempt helps, also where it continues.
fn goes_on(error: GitHubError) -> ApiError {
    match error {
        GitHubError::Busy(_) => {
            let more = "The next push continues from the files that GitHub already has.";
            ApiError::from(error).with_more(more)
        }
        other => other.into(),
    }
}
