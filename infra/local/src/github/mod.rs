//! A local GitHub: the App's OAuth and installation pages, repositories ([`code`]), and the REST calls that the product
//! makes.
//!
//! It checks what github.com checks, because the product must get it right: client id and secret, a callback address
//! that belongs to the App, codes that work once within ten minutes, the PKCE verifier, and that a token shows only its
//! own user's installations. It is generous where a person would have to act: everyone is signed in at once, as the
//! user that `login` names or otherwise as `local`, and the install page installs at once. The prefix of a login
//! decides what else its owner sees:
//!
//! | login | at the sign-in |
//! |---|---|
//! | `none-…`, `new-…` | no installation; the install page asks before it installs |
//! | `several-…` | three installations: the user's own account, an organization, a suspended organization |
//! | `many-…` | 101 organizations, more than one page of GitHub's API |
//! | `pending-…` | installation requested but not approved |
//! | `suspended-…` | the only installation is suspended |
//! | `denied-…` | authorization refused |
//! | `outside-…`, `invited-…`, `unread-…` | the installation of an organization: the user is an outside collaborator, is invited, or the App may not read members; after `several-`, the same in each organization |
//! | `guest-of-NAME` | the installation of the user NAME, to whose repository the guest contributes; NAME has to allow the guest |
//!
//! `/settings/installations` lists what the signed-in user has installed and lets them suspend, unsuspend and uninstall
//! each, and leave an organization; a signed webhook notifies the App before the page is shown again.
//!
//! Pages are under `/_local/github` on the site's port; the REST calls under `/_local/github/api`.

mod api;
mod avatar;
mod code;
mod git;
mod key;
mod oauth;
mod pages;
mod people;
mod repositories;
mod settings;
mod state;
mod webhook;

pub use state::GitHub;

use axum::Router;
use axum::routing::{get, post};

impl GitHub {
    /// Everything under `/_local/github`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/login/oauth/authorize", get(oauth::authorize))
            .route("/login/oauth/access_token", post(oauth::access_token))
            .route("/apps/{slug}/installations/new", get(pages::install).post(pages::install_now))
            .route("/settings/installations", get(settings::show))
            .route("/settings/installations/{id}/{action}", post(settings::change))
            .route("/logout", get(pages::logout))
            .route("/avatars/{id}", get(avatar::show))
            .route("/api/user", get(api::user))
            .route("/api/user/installations", get(api::installations))
            .route("/api/user/memberships/orgs/{organization}", get(api::membership))
            .merge(code::routes())
            .with_state(self.clone())
    }
}
