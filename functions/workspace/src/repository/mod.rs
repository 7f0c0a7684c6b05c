//! Pushes the files of a workspace to a repository of the installation, as a branch and a pull request, and begins
//! projects with the files of one ([`import`]).
//!
//! The files come from a backup, so a push needs no `git` and no token in the sandbox, where a model's script could
//! reach them. A push has two calls. The first makes a backup and shows what would leave, what stays, and why
//! ([`domain::repository`]), and which files of the repository the push would replace or delete. The second names that
//! backup, the digest of what was shown and the deletions, and pushes exactly that.
//! Repeating it changes nothing: the same files make no second commit, and the push finds the branch's open pull
//! request again. The branch moves forward only, and only from a commit of ours or from a merged pull request, so it
//! never overwrites other people's work. It moves last of all ([`deadline`], [`tree`]), so a push that breaks off
//! earlier has changed nothing.

mod bodies;
mod contents;
mod deadline;
mod import;
mod listed;
mod place;
mod push;
mod routes;
mod source;
mod text;
mod tree;

pub(crate) use deadline::Bound;
pub(crate) use routes::api;

pub use bodies::{FilesToPush, NewPush, PushResult, StayingFile, ToPush};
pub use import::{FilesToImport, NewImport, ToImport};
pub use listed::{BranchList, GitHubRepositories, GitHubRepository};
pub use routes::ProjectRepository;
