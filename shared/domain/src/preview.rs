//! Previews: a service that listens inside a project's sandbox, shown to the project's owner in a browser.
//!
//! A page of a service is foreign content, so each preview has a host name of its own, apart from the application's:
//! the browser keeps the two apart, and addresses that begin with `/` work. Nothing but that name opens the preview. No
//! cookie does, because a cookie would go to the service, and none that the service sets is kept. The name is random,
//! ends with the session of the person who opened it, and after [`PREVIEW_SECONDS`] in any case. It travels in the
//! clear (DNS, TLS), so it opens this one service and nothing else.
//!
//! The application never holds the name: it gets a ticket, which a new tab exchanges once for the name.

use crate::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long a ticket is valid, in seconds.
pub const TICKET_SECONDS: i64 = 30;

/// How long a preview stays open, in seconds: 30 minutes.
pub const PREVIEW_SECONDS: i64 = 30 * 60;

/// The largest body of a request, in bytes: 1 MiB.
pub const REQUEST_BYTES: usize = 1024 * 1024;

/// The largest body of an answer, in bytes: 4 MiB. Its base64 fits the 6 MB that Lambda answers with.
pub const ANSWER_BYTES: usize = 4 * 1024 * 1024;

/// How long a service may take to answer, in seconds: what API Gateway's 29 s leave after the ways there and back.
pub const SERVICE_SECONDS: u64 = 22;

/// How many requests of a project are under way in its sandbox at once; more wait.
pub const AT_ONCE: usize = 8;

/// The most ports that are listed.
pub const LISTED_PORTS: usize = 32;

/// The host that takes tickets, below the host of previews.
pub const ENTRANCE: &str = "open";

/// Where previews are: each has a host below this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSite {
    scheme: String,
    host: String,
    /// With its colon; empty for the scheme's own.
    port: String,
}

impl PreviewSite {
    /// From an address such as `https://preview.example.com`; `None` if it is none.
    pub fn read(url: &str) -> Option<Self> {
        let (scheme, rest) = url.trim_end_matches('/').split_once("://")?;
        let (host, port) = match rest.split_once(':') {
            Some((host, port)) => (host, format!(":{port}")),
            None => (rest, String::new()),
        };
        let host = host.to_ascii_lowercase();
        let is_host = !host.is_empty() && !host.contains('/');
        is_host.then(|| Self { scheme: scheme.to_owned(), host, port })
    }

    /// An address on the host with this name.
    pub fn of(&self, name: &str, path: &str) -> String {
        let Self { scheme, host, port } = self;
        format!("{scheme}://{name}.{host}{port}{path}")
    }

    /// The name of a host below this one, from a `Host` header; `None` for any other host.
    pub fn name<'a>(&self, host: &'a str) -> Option<&'a str> {
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        let end = host.len().checked_sub(self.host.len() + 1)?;
        let (name, rest) = host.split_at_checked(end)?;
        let below = rest.strip_prefix('.')?.eq_ignore_ascii_case(&self.host);
        (below && !name.is_empty() && !name.contains('.')).then_some(name)
    }
}

/// What a name opens: one port of one project's sandbox, for one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// The hash of the session's token.
    pub session: String,
    /// The port.
    pub port: u16,
}

/// A port on which a service inside the sandbox listens, reachable on its loopback interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListeningPort {
    /// The port.
    pub port: u16,
    /// The name of the program that listens.
    #[schema(required)]
    pub program: Option<String>,
}

/// A request to a service, without its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewRequest {
    /// The port.
    pub port: u16,
    /// Its method.
    pub method: String,
    /// Its path and query.
    pub path: String,
    /// The headers that are passed on.
    pub headers: Vec<(String, String)>,
}

/// What is asked of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewAsk {
    /// Which ports do services listen on?
    Ports,
    /// What does a service answer?
    Fetch(PreviewRequest),
}

/// The answer of a sandbox; the body of a service's answer travels beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewAnswer {
    /// The ports.
    Ports {
        /// Sorted, at most [`LISTED_PORTS`].
        ports: Vec<ListeningPort>,
    },
    /// A service has answered.
    Served {
        /// Its status.
        status: u16,
        /// Its headers; values that are not plain text are left out.
        headers: Vec<(String, String)>,
    },
    /// It has not.
    Failed {
        /// Why.
        reason: PreviewFailure,
    },
}

/// Why a sandbox has no answer of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewFailure {
    /// Nothing that the sandbox started listens on the port.
    NotListening,
    /// The answer is larger than [`ANSWER_BYTES`], or its headers are too large.
    TooLarge,
    /// It took longer than [`SERVICE_SECONDS`].
    TooSlow,
    /// It was no HTTP, or broke off.
    Broken,
    /// Too many requests wait already.
    Busy,
    /// The workspace is being restored.
    Restoring,
}

/// A preview's ticket or name as the table keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPreview {
    /// What it opens.
    pub preview: Preview,
    /// When it stops to.
    pub ends_at: Timestamp,
}

/// The body of a request or an answer, beside its head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum PreviewBody {
    /// There is none.
    #[default]
    Nowhere,
    /// It is here.
    Here {
        /// In base64.
        base64: String,
    },
    /// It is in the bucket, where the request said.
    Stored {
        /// Its size in bytes.
        bytes: u64,
    },
}

/// An answer with its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Previewed {
    /// The answer.
    pub answer: PreviewAnswer,
    /// The body, if a service has answered with one.
    #[serde(default)]
    pub body: PreviewBody,
}

impl From<PreviewFailure> for Previewed {
    fn from(reason: PreviewFailure) -> Self {
        Self { answer: PreviewAnswer::Failed { reason }, body: PreviewBody::Nowhere }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_a_part_of_a_hosts_name() {
        let name = crate::secret_token::SecretToken::random_name();
        assert!(name.expose().len() <= 63 && name.expose() != ENTRANCE);
        assert!(name.expose().chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase()));
    }

    #[test]
    fn a_preview_has_a_host_of_its_own() {
        let local = PreviewSite::read("http://preview.localhost:3000").unwrap();
        assert_eq!(local.of("ab", "/x"), "http://ab.preview.localhost:3000/x");
        assert_eq!(local.name("ab.preview.localhost:3000"), Some("ab"));
        assert_eq!(local.name("AB.Preview.localhost"), Some("AB"));
        for other in [
            "localhost:3000",
            "preview.localhost:3000",
            ".preview.localhost",
            "a.b.preview.localhost",
            "abpreview.localhost",
            "ab.preview.localhost.evil.example",
            "\u{e9}preview.localhost",
            "",
        ] {
            assert_eq!(local.name(other), None, "{other}");
        }
        let deployed = PreviewSite::read("https://previews.example.com/").unwrap();
        assert_eq!(deployed.of("ab", "/"), "https://ab.previews.example.com/");
        for bad in ["", "previews.example.com", "https://", "https://a/b"] {
            assert_eq!(PreviewSite::read(bad), None, "{bad}");
        }
    }
}
