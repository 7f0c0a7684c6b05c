//! Repositories: real bare `git` folders, behind the REST calls of a push and an import and behind `git` over HTTP.
//!
//! The calls check what github.com checks: the App's assertion, the permissions that an installation grants and a token was
//! created with, that a branch moves forward only, and that a pull request has commits and is the branch's only open one.
//! No password is required: anyone who can reach this machine can clone and push, just as anyone can sign in. The prefix of
//! a repository's name decides what else happens to it:
//!
//! | repository | what a push meets |
//! |---|---|
//! | `empty-…` | no commit |
//! | `archived-…` | a read-only repository |
//! | `protected-…` | a rule for branches that begin with `groundcrew/` |
//! | `busy-…` | too many calls |
//! | `limited-…` | too many blobs after the 20th that a token makes |
//! | `stuck-…` | no answer to a call that creates a tree |
//! | `odd-…` | a default branch whose name has a `#` |
//! | `failing-…` | an error when an existing pull request is changed |
//!
//! Files of a repository `held-…` can be read only after its branch `hold` is deleted. A waiting read first creates the
//! branch `held`, by which a test recognizes that an import is waiting.
//!
//! The owner of an account reaches all of its repositories, and so does everyone in an organization unless the page
//! `/OWNER/NAME/access` says otherwise. Guests reach only repositories whose page names them.
//!
//! An installation begins with the permission to read its account only; its page grants the write permissions.

mod access;
mod app;
mod blobs;
mod clone;
mod objects;
mod pages;
mod pulls;
mod repositories;
mod trees;

use super::state::GitHub;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, patch, post, put};

/// The largest body of a call, in bytes: a blob of 40 MiB in base64.
const BODY_BYTES: usize = 64 * 1024 * 1024;

/// The calls and pages about repositories.
pub fn routes() -> Router<GitHub> {
    let repository = Router::new()
        .route("/", get(repositories::one))
        .route("/collaborators/{login}/permission", get(access::show))
        .route("/branches", get(repositories::branches))
        .route("/git/ref/{*reference}", get(objects::reference))
        .route("/git/refs", post(objects::new_reference))
        .route("/git/refs/{*reference}", patch(objects::move_reference))
        .route("/git/commits", post(objects::new_commit))
        .route("/git/commits/{sha}", get(objects::commit))
        .route("/git/trees", post(trees::make))
        .route("/git/trees/{sha}", get(trees::list))
        .route("/git/blobs", post(blobs::make))
        .route("/git/blobs/{sha}", get(blobs::one))
        .route("/contents/{*path}", put(objects::put_file))
        .route("/pulls", get(pulls::list).post(pulls::make))
        .route("/pulls/{number}", patch(pulls::change));
    Router::new()
        .route("/api/app/installations/{id}", get(app::installation))
        .route("/api/app/installations/{id}/access_tokens", post(app::token))
        .route("/api/installation/repositories", get(repositories::list))
        .nest("/api/repos/{owner}/{name}", repository)
        .route("/settings/installations/{id}", get(pages::installation))
        .route(
            "/settings/installations/{id}/permissions/update",
            get(pages::permissions).post(pages::grant),
        )
        .route("/new", get(pages::new).post(pages::make))
        .route("/{owner}/{name}", get(pages::repository))
        .route("/{owner}/{name}/access", get(access::page).post(access::choose))
        .route("/{owner}/{name}/pull/{number}", get(pages::pull))
        .route("/{owner}/{name}/pull/{number}/{action}", post(pages::end_pull))
        .route("/{owner}/{name}/info/refs", get(clone::serve))
        .route("/{owner}/{name}/{service}", post(clone::serve))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}
