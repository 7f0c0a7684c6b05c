//! Shows a service that listens inside a sandbox, on a separate host.
//!
//! This function is separate from the application's API. Nothing here reads a cookie or any other sign of a session,
//! because it shows foreign content. The host's name identifies the service and is the only key to it. The name is
//! bound to a session, which each request looks up, so that the preview ends with it.
//!
//! `open.…/ticket` exchanges a ticket for a name, once. Every other host below the previews' is a name.
//!
//! A request waits for its service, and the function's concurrency is for all projects. So each project has a number of
//! places for its requests, and a request beyond them is refused at once.
//!
//! An address on one host with the key in its path would need no wildcard domain. But then a page that loads
//! `/style.css` or fetches `/api` would leave its preview, previews would share an origin, and the key would be in each
//! `Referer`. The drawback of the host name is that the network can see it (DNS, TLS), which is why it is valid only
//! for a short time.

mod answer;
mod pages;
mod request;
mod routes;

use domain::preview::PreviewSite;
use flows::Previewing;
use settings::ConfigError;
use store::places::Places;
use store::previews::Previews;
use store::sessions::Sessions;

pub use routes::routes;

/// The function's state.
#[derive(Clone)]
pub struct App {
    /// `None` if the deployment has no previews.
    site: Option<PreviewSite>,
    previews: Previews,
    sessions: Sessions,
    places: Places,
    previewing: Previewing,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            site: PreviewSite::read(&settings::var_or("PREVIEW_URL", "")),
            previews: Previews::new(&table),
            sessions: Sessions::new(&table),
            places: Places::new(&table),
            previewing: Previewing::from_env(&sdk, &table)?,
        })
    }
}
