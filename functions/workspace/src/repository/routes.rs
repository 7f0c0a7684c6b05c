//! The calls about a project's repository.

use super::bodies::{FilesToPush, NewPush, PushResult, StayingFile, ToPush};
use super::contents::Contents;
use super::deadline::Deadline;
use super::import;
use super::listed::{GitHubRepositories, GitHubRepository};
use super::push::PushRequest;
use crate::App;
use crate::github::{Access, Installation, Rights, TO_PUSH, TO_READ};
use axum::extract::{Path, Query, State};
use domain::InstallationId;
use domain::audit::Actor;
use domain::backup::BackupReason;
use domain::origin::Origin;
use domain::repository::{Push, branch};
use http_kit::github::Listed;
use http_kit::{
    Api, ApiError, Download, ErrorBody, ErrorCode, Identity, Json, Limited, Lookup, project_scope,
    routes,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub(crate) fn api(api: Api<App>) -> Api<App> {
    api.routes(routes!(project_repository))
        .routes(routes!(github_repositories))
        .routes(routes!(files_to_push))
        .routes(routes!(push_files))
        .routes(routes!(import::installation_repositories))
        .routes(routes!(import::repository_files))
        .routes(routes!(import::import_repository))
}

/// What a project has pushed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectRepository {
    /// The repository of the last push, `owner/name`; null before the first.
    #[schema(required)]
    pub repository: Option<String>,
    /// The last 30 pushes, the newest first.
    pub pushes: Vec<Push>,
    /// The repository with whose files the project began; null if it began empty.
    #[schema(required)]
    pub origin: Option<Origin>,
}

/// Where the files would be pushed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Where {
    /// `owner/name`, one of the installation's: shows also what the push would change there.
    repository: Option<String>,
}

/// What a project has pushed to a repository
#[utoipa::path(get, path = "/projects/{id}/repository", tag = "workspace",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ProjectRepository)))]
async fn project_repository(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ProjectRepository>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let (project, pushed, origin) = tokio::try_join!(
        app.projects.get(scope),
        app.repositories.get(scope),
        app.repositories.origin(scope),
    )?;
    project.ok_or_else(ApiError::not_found)?;
    let repository = pushed.pushes.first().map(|push| push.repository.clone());
    Ok(axum::Json(ProjectRepository { repository, pushes: pushed.pushes, origin }))
}

/// The repositories to which the caller may push, and the rights that a push would need
#[utoipa::path(get, path = "/projects/{id}/repositories", tag = "workspace",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GitHubRepositories),
        (status = 409, body = ErrorBody, description = "GitHub suspended or removed the installation"),
        (status = 502, body = ErrorBody, description = "GitHub failed"),
        (status = 503, body = ErrorBody, description = "The site has no private key of its GitHub App")))]
async fn github_repositories(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Lookup>,
    Path(id): Path<String>,
) -> Result<axum::Json<GitHubRepositories>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let by = caller.actor();
    Ok(axum::Json(app.reachable(scope.installation, &by, Access::Write).await?))
}

impl App {
    /// The repositories of an installation in which a person may do this, and the rights for it that the installation
    /// has not granted.
    pub(super) async fn reachable(
        &self,
        id: InstallationId,
        by: &Actor,
        needed: Access,
    ) -> Result<GitHubRepositories, ApiError> {
        let rights = if needed == Access::Write { TO_PUSH } else { TO_READ };
        let installation = self.github.installation(id).await?;
        let granted = self.github.names(id).await?;
        let Listed { entries: mut found, more } = granted.repositories().await?;
        if !installation.is_of(by) {
            found = granted.accessible(found, by, needed).await?;
        }
        found.sort_by_key(|repository| repository.full_name.to_lowercase());
        let found = found.into_iter().map(GitHubRepository::from).collect();
        Ok(self.listing(&installation, rights, found, more))
    }

    /// These repositories, with the installation's own links and missing rights.
    pub(super) fn listing(
        &self,
        installation: &Installation,
        rights: &Rights,
        repositories: Vec<GitHubRepository>,
        more: bool,
    ) -> GitHubRepositories {
        GitHubRepositories {
            account: installation.account().to_owned(),
            missing_permissions: installation.missing(rights),
            grant_url: installation.grant_url(),
            manage_url: installation.manage_url().to_owned(),
            new_url: self.github.new_repository_url(installation.account()),
            repositories,
            more,
        }
    }
}

/// Back up the workspace, and show what a push of it would carry
///
/// A running sandbox packs its current files; otherwise its last backup is shown.
#[utoipa::path(post, path = "/projects/{id}/repository/files", tag = "workspace",
    params(("id" = u64, Path, description = "The project"), Where),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = FilesToPush),
        (status = 409, body = ErrorBody, description = "There are no files yet, or too many"),
        (status = 502, body = ErrorBody)))]
async fn files_to_push(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
    Query(to): Query<Where>,
) -> Result<axum::Json<FilesToPush>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let story = app.story(scope).await?.ok_or_else(ApiError::not_found)?;
    let backup_id = app.latest(scope, BackupReason::Manual).await?;
    let backup_id = backup_id.ok_or_else(crate::download::no_workspace)?;
    let contents = app.contents(scope, &backup_id).await?;
    let contents = contents.ok_or_else(crate::download::no_workspace)?;
    let change = story.change.number;
    let by = caller.actor();
    let (branch, there) = match &to.repository {
        Some(name) => {
            let (branch, there) = app.effects(scope, name, change, &contents, &by).await?;
            (branch, Some(there))
        }
        None => (branch(change), None),
    };
    Ok(axum::Json(FilesToPush {
        change,
        branch,
        title: story.title(),
        text: story.body(),
        text_sha256: story.sha256(),
        backup_id,
        files_sha256: contents.sha256(),
        files: contents.to_push(),
        staying: contents.staying(),
        there,
    }))
}

/// Push the files that were shown, as a branch and a pull request
///
/// Pushing the same files again makes no second commit and no second pull request.
#[utoipa::path(post, path = "/projects/{id}/repository/push", tag = "workspace", request_body = NewPush,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = PushResult),
        (status = 409, body = ErrorBody, description = "Other files would leave than were shown, or the \
            pull request would say something else; or GitHub refused: no \
            right to write, the repository is gone or archived, the branch is protected or somebody else's"),
        (status = 502, body = ErrorBody, description = "GitHub failed"),
        (status = 503, body = ErrorBody, description = "The site has no private key of its GitHub App"),
        (status = 504, body = ErrorBody, description = "GitHub took too long, and the branch has not moved; the same \
            push again continues from what GitHub has")))]
async fn push_files(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
    Json(new): Json<NewPush>,
) -> Result<axum::Json<PushResult>, ApiError> {
    let deadline = Deadline::begin(app.pushes);
    let scope = project_scope(&caller, &id)?;
    let story = app.story(scope).await?.ok_or_else(ApiError::not_found)?;
    if new.text_sha256.is_some_and(|shown| shown != story.sha256()) {
        return Err(text_changed());
    }
    let listed = app.backups.get(scope).await?;
    // The name becomes part of a key, so only a backup that the project has is looked up.
    let backup = listed.find(&new.backup_id).ok_or_else(shown_is_gone)?;
    let contents = deadline.before_the_move(app.contents(scope, &backup.id)).await?;
    let contents = contents.ok_or_else(shown_is_gone)?;
    if contents.sha256() != new.files_sha256 {
        return Err(shown_is_gone());
    }
    if contents.files.is_empty() {
        let detail = "There is nothing to push: every file stays in the workspace.";
        return Err(ApiError::conflict(ErrorCode::NothingToPush, detail));
    }
    let request = PushRequest {
        change: story.change.number,
        title: story.title(),
        body: story.body(),
        contents: &contents,
        deleted: new.deleted,
        by: caller.actor(),
    };
    let done = app.push(scope, &new.repository, request, deadline).await?;
    Ok(axum::Json(PushResult {
        push: done.push,
        committed: done.committed,
        staying: contents.staying(),
        pull_request_problem: done.pull_request_problem,
    }))
}

fn shown_is_gone() -> ApiError {
    let detail = "The files have changed since they were shown. Look at them again.";
    ApiError::conflict(ErrorCode::FilesChanged, detail)
}

fn text_changed() -> ApiError {
    let detail = "The pull request's text has changed since it was shown. Look at it again.";
    ApiError::conflict(ErrorCode::TextChanged, detail)
}

impl Contents {
    fn to_push(&self) -> Vec<ToPush> {
        let size = |content: &[u8]| u32::try_from(content.len()).unwrap_or(u32::MAX);
        let files = self.files.iter();
        files.map(|file| ToPush { path: file.path.clone(), bytes: size(&file.content) }).collect()
    }

    pub(super) fn staying(&self) -> Vec<StayingFile> {
        let stays = self.stays.iter();
        stays.map(|(path, why)| StayingFile { path: path.clone(), why: *why }).collect()
    }
}
