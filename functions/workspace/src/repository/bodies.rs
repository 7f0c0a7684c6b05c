//! What the calls about pushes carry.

use domain::backup::BackupId;
use domain::repository::{Push, Stays};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The files that a push would carry, from a backup that was made for it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct FilesToPush {
    /// The change that the push is about.
    pub change: u32,
    /// Its branch.
    pub branch: String,
    /// The title of its pull request.
    pub title: String,
    /// The text of its pull request, markdown.
    pub text: String,
    /// SHA-256 of the title and the text.
    pub text_sha256: String,
    /// The backup with the files.
    pub backup_id: BackupId,
    /// SHA-256 of the files that leave.
    pub files_sha256: String,
    /// The files that leave, by path.
    pub files: Vec<ToPush>,
    /// The files that stay, by path.
    pub staying: Vec<StayingFile>,
    /// What the push would change in the repository; null if the call names none.
    #[schema(required)]
    pub there: Option<ChangedThere>,
}

/// What a push would change in a repository besides the files that it adds.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ChangedThere {
    /// The files that get another content, by path.
    pub replaced: Vec<String>,
    /// The files that are deleted, by path: an earlier push created them, and they are gone from the workspace.
    pub deleted: Vec<String>,
}

/// A file that leaves.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ToPush {
    /// Its path in the workspace and in the repository.
    pub path: String,
    /// Its size.
    pub bytes: u32,
}

/// A file or a folder that stays.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StayingFile {
    /// Its path in the workspace.
    pub path: String,
    /// Why.
    pub why: Stays,
}

/// A push of what was shown.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewPush {
    /// `owner/name`, one of the installation's.
    pub repository: String,
    /// The backup that was shown.
    pub backup_id: BackupId,
    /// SHA-256 of the files that were shown; if the push would now carry other files, the answer is 409.
    pub files_sha256: String,
    /// SHA-256 of the title and the text that were shown; if the pull request's text is different now, the answer is
    /// 409. Without this digest, the push uses the current text.
    pub text_sha256: Option<String>,
    /// The files of the repository that were shown as deleted; if the push would now delete others, the answer is 409.
    pub deleted: Option<Vec<String>>,
}

/// The result of a push.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PushResult {
    /// The push.
    pub push: Push,
    /// Whether a commit was made; none is needed if the branch already has these files.
    pub committed: bool,
    /// The files of the workspace that were not pushed, by path.
    pub staying: Vec<StayingFile>,
    /// Why the pushed branch has no pull request with the current text; null if it has one. Repeating the push tries
    /// again.
    #[schema(required)]
    pub pull_request_problem: Option<String>,
}
