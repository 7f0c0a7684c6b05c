//! Shows a service that listens inside a sandbox, on a host of its own.
//!
//! This function stands apart from the application's API: nothing here reads a cookie or any other sign of a session, because what
//! it shows is foreign content. The host's name says which service is meant and is the only key to it. The name is
//! bound to a session, which is looked up for each request, so that the preview ends with it.
//!
//! `open.…/ticket` exchanges a ticket for a name, once. Every other host below the previews' is a name.
//!
//! An address of one host with the key in its path would need no wildcard domain. But a page that loads `/style.css`
//! or fetches `/api` would then leave its preview, previews would share an origin, and the key would be in each
//! `Referer`. What a host's name costs is that it is visible on the way (DNS, TLS): hence the short life.

mod answer;
mod pages;
mod request;
mod routes;

use domain::preview::PreviewSite;
use flows::Previewing;
use settings::ConfigError;
use store::previews::Previews;
use store::sessions::Sessions;

pub use routes::routes;

/// The function's state.
#[derive(Clone)]
pub struct App {
    /// `None` where the deployment has no previews.
    site: Option<PreviewSite>,
    previews: Previews,
    sessions: Sessions,
    previewing: Previewing,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            site: PreviewSite::read(&settings::var_or("PREVIEW_URL", "")),
            previews: Previews::new(&table),
            sessions: Sessions::new(&table),
            previewing: Previewing::from_env(&sdk, &table)?,
        })
    }
}
