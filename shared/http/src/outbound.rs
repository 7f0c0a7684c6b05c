//! Calls other parties' APIs.
//!
//! The client is made at the first call. Making it reads the system's certificates, which takes 3 ms, more than
//! everything else that a function does before it asks for its first event.

use reqwest::redirect::Policy;
use reqwest::{Client, Error, Method, RequestBuilder};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Calls one party. Follows no redirects, so that secrets and tokens go only to that party. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    timeout: Duration,
    client: Arc<OnceLock<Client>>,
}

impl Outbound {
    /// A client whose calls fail if an answer takes longer than this.
    pub fn within(timeout: Duration) -> Self {
        Self { timeout, client: Arc::default() }
    }

    /// Begins a call to this address.
    ///
    /// # Errors
    ///
    /// If the client cannot be made, for example because the machine has no certificates.
    pub fn request(&self, method: Method, url: &str) -> Result<RequestBuilder, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client.request(method, url));
        }
        let client = Client::builder().redirect(Policy::none()).user_agent("groundcrew");
        let client = client.timeout(self.timeout).build()?;
        Ok(self.client.get_or_init(|| client).request(method, url))
    }
}
