//! Serves the files of a project as downloads, and pushes them to a repository ([`repository`]).
//!
//! A running sandbox uploads its current workspace; otherwise the last backup is served. Either way, the zip streams
//! from the bucket to the browser and never has to fit in memory. The answer to a zip that is larger than an answer may be
//! is its address in the bucket.

mod download;
mod github;
mod repository;
mod routes;

use aws::{Fingerprints, Objects, Secrets};
use axum::extract::FromRef;
use download::Sent;
use flows::WorkspaceSync;
use github::GitHub;
use http_kit::Gatekeeper;
use repository::Bound;
use settings::ConfigError;
use store::backups::Backups;
use store::changes::Changes;
use store::credentials::Credentials;
use store::executions::Executions;
use store::plans::Plans;
use store::projects::Projects;
use store::repositories::Repositories;
use store::sandboxes::Sandboxes;

pub use download::ZipAddress;
pub use repository::{
    BranchList, FilesToImport, FilesToPush, GitHubRepositories, GitHubRepository, NewImport,
    NewPush, ProjectRepository, PushResult, StayingFile, ToImport, ToPush,
};
pub use routes::{openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    sandboxes: Sandboxes,
    backups: Backups,
    sync: WorkspaceSync,
    objects: Objects,
    projects: Projects,
    changes: Changes,
    plans: Plans,
    executions: Executions,
    credentials: Credentials,
    fingerprints: Fingerprints,
    repositories: Repositories,
    github: GitHub,
    pushes: Bound,
    sent: Sent,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            sandboxes: Sandboxes::new(&table),
            backups: Backups::new(&table),
            sync: WorkspaceSync::from_env(&sdk, &table)?,
            objects: Objects::from_env(&sdk)?,
            projects: Projects::new(&table),
            changes: Changes::new(&table),
            plans: Plans::new(&table),
            executions: Executions::new(&table),
            credentials: Credentials::new(&table),
            fingerprints: Fingerprints::from_env(),
            repositories: Repositories::new(&table),
            github: GitHub::from_env(&Secrets::new(&sdk))?,
            pushes: Bound::from_env()?,
            sent: Sent::from_env()?,
        })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
