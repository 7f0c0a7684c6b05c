//! Begins a project with the files of a repository.
//!
//! As with a push, one call shows what would be imported and what would be left out, and the other names the commit and
//! the digest of what was shown. The files become a backup like any other, so the first sandbox starts with them. The
//! sandbox gets no token, and no `git` runs. The same rules decide what may be imported and what may be pushed
//! ([`domain::repository`]), except that no import brings `ssh/`, which says what servers commands reach.

use super::bodies::StayingFile;
use super::contents::Contents;
use super::listed::{GitHubRepositories, GitHubRepository};
use super::place::no_name;
use super::source;
use crate::App;
use crate::github::{Access, GitHubError, Granted, Installation, TO_READ};
use aws::backup_key;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use domain::audit::Actor;
use domain::backup::{Backup, BackupId, BackupReason};
use domain::origin::{FileKind, Origin, OriginFile, is_branch, is_commit};
use domain::repository::{FullName, PushedFile};
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, Scope, Timestamp};
use http_kit::{
    ApiError, Download, ErrorBody, ErrorCode, Identity, Json, Limited, Lookup, project_scope,
};
use serde::{Deserialize, Serialize};
use std::io::{Cursor, Write};
use utoipa::{IntoParams, ToSchema};
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

/// The generation of files that no sandbox has backed up.
const BEFORE_ANY_SANDBOX: u64 = 0;

/// What a project would begin with.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct FilesToImport {
    /// The repository, `owner/name`.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The commit at its head.
    pub commit: String,
    /// SHA-256 of the files that are imported.
    pub files_sha256: String,
    /// The files that are imported, by path.
    pub files: Vec<ToImport>,
    /// The files that are left out, by path.
    pub staying: Vec<StayingFile>,
}

/// A file that is imported.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ToImport {
    /// Its path in the repository and in the workspace.
    pub path: String,
    /// Its size.
    pub bytes: u32,
    /// What it is.
    pub kind: FileKind,
}

/// The files that were shown, for a project without files.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewImport {
    /// `owner/name`, one of the installation's.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The commit that was shown.
    pub commit: String,
    /// SHA-256 of the files that were shown; if the import would now have other files, the answer is 409.
    pub files_sha256: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OfBranch {
    /// The branch.
    branch: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OfRepository {
    /// `owner/name`: the answer is about this repository alone, and lists its branches.
    repository: Option<String>,
}

/// The repositories of the installation that the caller may read, and the rights that reading one would need
#[utoipa::path(get, path = "/repositories", tag = "workspace",
    params(OfRepository),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GitHubRepositories),
        (status = 404, body = ErrorBody, description = "The installation or the caller does not reach this repository"),
        (status = 409, body = ErrorBody, description = "GitHub suspended or removed the installation, or grants no right to \
            read this repository"),
        (status = 422, body = ErrorBody, description = "The repository's name is invalid"),
        (status = 502, body = ErrorBody, description = "GitHub failed"),
        (status = 503, body = ErrorBody, description = "The site has no private key of its GitHub App")))]
pub(super) async fn installation_repositories(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Lookup>,
    Query(of): Query<OfRepository>,
) -> Result<axum::Json<GitHubRepositories>, ApiError> {
    let by = caller.actor();
    Ok(axum::Json(match of.repository {
        Some(repository) => app.with_branches(caller.installation, &repository, &by).await?,
        None => app.reachable(caller.installation, &by, Access::Read).await?,
    }))
}

/// Show the files of a repository with which a project would begin
#[utoipa::path(get, path = "/repositories/{owner}/{name}/files", tag = "workspace",
    params(("owner" = String, Path, description = "The account"), ("name" = String, Path, description = "The repository"),
        OfBranch),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = FilesToImport),
        (status = 409, body = ErrorBody, description = "No permission to read, unknown branch, too many files, or none that can be imported"),
        (status = 422, body = ErrorBody, description = "The name of the repository or the branch is invalid"),
        (status = 502, body = ErrorBody, description = "GitHub failed"),
        (status = 503, body = ErrorBody, description = "The site has no private key of its GitHub App")))]
pub(super) async fn repository_files(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path((owner, name)): Path<(String, String)>,
    Query(of): Query<OfBranch>,
) -> Result<axum::Json<FilesToImport>, ApiError> {
    if !is_branch(&of.branch) {
        let detail = "Groundcrew cannot read a branch of this name.";
        return Err(ApiError::unprocessable(ErrorCode::InvalidBranch, detail));
    }
    let repository = format!("{owner}/{name}");
    let by = caller.actor();
    let (_, granted) = app.readable(caller.installation, &repository, &by).await?;
    let commit = granted.head(&repository, &of.branch).await.map_err(not_there)?;
    let commit = commit.ok_or_else(|| {
        let detail = "This repository has no such branch, or no commit yet.";
        ApiError::conflict(ErrorCode::NoSuchBranch, detail)
    })?;
    let contents = of_commit(&granted, &repository, &commit).await?;
    Ok(axum::Json(FilesToImport {
        repository,
        branch: of.branch,
        commit,
        files_sha256: contents.sha256(),
        files: contents.files.iter().map(ToImport::of).collect(),
        staying: contents.staying(),
    }))
}

/// Begin a project with the files that were shown
///
/// They become its first backup, with which its sandbox starts. Repeating the call changes nothing.
#[utoipa::path(post, path = "/projects/{id}/repository/import", tag = "workspace", request_body = NewImport,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Origin),
        (status = 409, body = ErrorBody, description = "The project already has files, or other files would be taken than \
            were shown; or no right to read, or too many files"),
        (status = 502, body = ErrorBody, description = "GitHub failed"),
        (status = 503, body = ErrorBody, description = "The site has no private key of its GitHub App")))]
pub(super) async fn import_repository(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
    Json(new): Json<NewImport>,
) -> Result<axum::Json<Origin>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(axum::Json(app.import(scope, new, caller.actor()).await?))
}

impl App {
    /// One repository of the installation, with its branches.
    async fn with_branches(
        &self,
        id: InstallationId,
        full_name: &str,
        by: &Actor,
    ) -> Result<GitHubRepositories, ApiError> {
        let (installation, granted) = self.readable(id, full_name, by).await?;
        let found = futures::try_join!(granted.repository(full_name), granted.branches(full_name));
        let (repository, branches) = found.map_err(not_there)?;
        let repository = GitHubRepository::with(repository, branches);
        Ok(self.listing(&installation, TO_READ, vec![repository], false))
    }

    /// The installation, and GitHub with the right to read one of its repositories. A repository that this person
    /// cannot read on GitHub does not exist for them.
    async fn readable(
        &self,
        id: InstallationId,
        full_name: &str,
        by: &Actor,
    ) -> Result<(Installation, Granted<'_>), ApiError> {
        let FullName { owner, name } = FullName::parse(full_name).ok_or_else(no_name)?;
        let installation = self.github.installation(id).await?;
        if !installation.account().eq_ignore_ascii_case(owner) {
            return Err(not_there(GitHubError::NoRepository));
        }
        if !installation.missing(TO_READ).is_empty() {
            let detail =
                "This account has not yet granted Groundcrew the right to read repositories.";
            return Err(ApiError::conflict(ErrorCode::PermissionMissing, detail));
        }
        let granted = self.github.granted(id, name, TO_READ).await.map_err(not_there)?;
        if granted.access(full_name, by).await? < Access::Read {
            return Err(not_there(GitHubError::NoRepository));
        }
        Ok((installation, granted))
    }

    async fn import(&self, scope: Scope, new: NewImport, by: Actor) -> Result<Origin, ApiError> {
        let (origin, backups, sandbox) = tokio::try_join!(
            self.repositories.origin(scope),
            self.backups.get(scope),
            self.sandboxes.get(scope),
        )?;
        let repeats = |origin: &Origin| origin.is(&new.repository, &new.commit, &new.files_sha256);
        if let Some(origin) = origin.as_ref().filter(|origin| repeats(origin))
            && backups.find(&origin.backup_id).is_some()
        {
            return Ok(origin.clone());
        }
        // A running sandbox would later back up its own files, and the imported ones would be lost.
        if backups.current.is_some() || sandbox.is_some_and(|sandbox| sandbox.is_up()) {
            return Err(has_files());
        }
        if !is_commit(&new.commit) || !is_branch(&new.branch) {
            return Err(changed());
        }
        let (_, granted) = self.readable(scope.installation, &new.repository, &by).await?;
        let contents = of_commit(&granted, &new.repository, &new.commit).await?;
        if contents.sha256() != new.files_sha256 {
            return Err(changed());
        }
        let fresh = Origin {
            repository: new.repository.clone(),
            branch: new.branch.clone(),
            commit: new.commit.clone(),
            files: contents.files.iter().map(OriginFile::of).collect(),
            files_sha256: new.files_sha256.clone(),
            backup_id: BackupId::random(),
            by,
            at: Timestamp::now(),
        };
        // The first note is final and names the backup, so a later call for the same files completes it.
        let origin = match self.repositories.begin_with(scope, &fresh).await? {
            true => fresh,
            false => {
                let first = self.repositories.origin(scope).await?;
                first.filter(|first| repeats(first)).ok_or_else(has_files)?
            }
        };
        self.keep(scope, &origin, &contents.files).await?;
        note(scope, &origin);
        Ok(origin)
    }

    /// Stores the files as the project's first backup.
    async fn keep(
        &self,
        scope: Scope,
        origin: &Origin,
        files: &[PushedFile],
    ) -> Result<(), ApiError> {
        let zip = zipped(files).map_err(ApiError::internal)?;
        let id = origin.backup_id.clone();
        let bytes = zip.len() as u64;
        let key = backup_key(scope, &id);
        self.objects.put(&key, zip).await.map_err(ApiError::internal)?;
        let (at, reason) = (Timestamp::now(), BackupReason::Import);
        let backup = Backup { id, at, bytes, reason, step_number: None };
        let kept = self.backups.change(scope, |backups| {
            let first = backups.list.is_empty();
            if first {
                backups.add(backup.clone(), BEFORE_ANY_SANDBOX);
            }
            first || backups.find(&backup.id).is_some()
        });
        if kept.await? {
            return Ok(());
        }
        // A sandbox has backed up its files first, so nothing of the import stays.
        self.objects.delete(&key).await.map_err(ApiError::internal)?;
        self.repositories.forget_origin(scope, &origin.backup_id).await?;
        Err(has_files())
    }
}

/// The files that may be taken from a commit.
async fn of_commit(
    granted: &Granted<'_>,
    full_name: &str,
    commit: &str,
) -> Result<Contents, ApiError> {
    let commit = granted.commit(full_name, commit).await.map_err(not_there)?;
    let contents = source::read(granted, full_name, commit.tree()).await?;
    if contents.files.is_empty() {
        let detail = "This branch has no file that can be imported.";
        return Err(ApiError::conflict(ErrorCode::NothingToImport, detail));
    }
    Ok(contents)
}

/// The files, packed as a sandbox packs its workspace.
fn zipped(files: &[PushedFile]) -> Result<Vec<u8>, ZipError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for PushedFile { path, executable, content } in files {
        let mode = if *executable { 0o755 } else { 0o644 };
        zip.start_file(path.as_str(), SimpleFileOptions::default().unix_permissions(mode))?;
        zip.write_all(content)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// For a reader, a repository that it cannot reach does not exist.
fn not_there(error: GitHubError) -> ApiError {
    let gone = error.is(StatusCode::NOT_FOUND) || matches!(error, GitHubError::NoRepository);
    if gone { ApiError::not_found() } else { error.into() }
}

fn has_files() -> ApiError {
    let detail = "This project already has files. Create a new project from the repository.";
    ApiError::conflict(ErrorCode::ProjectHasFiles, detail)
}

fn changed() -> ApiError {
    let detail = "The files have changed since they were shown. Look at them again.";
    ApiError::conflict(ErrorCode::FilesChanged, detail)
}

fn note(scope: Scope, origin: &Origin) {
    let Origin { repository, branch, commit, files, files_sha256, by, .. } = origin;
    let detail = format!(
        "repository={repository} branch={branch} commit={commit} files={} sha256={files_sha256}",
        files.len()
    );
    record(SecurityEvent::WorkspaceImported, About::project(scope).by(by), &detail);
}

impl ToImport {
    fn of(file: &PushedFile) -> Self {
        let PushedFile { path, content, .. } = file;
        let bytes = u32::try_from(content.len()).unwrap_or(u32::MAX);
        let kind = FileKind::of(path, file.text().unwrap_or_default());
        Self { path: path.clone(), bytes, kind }
    }
}
