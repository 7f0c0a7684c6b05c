//! Previews: a service that listens inside a project's sandbox, shown to the project's owner in a browser.
//!
//! A page of a service is foreign content, so each preview has a separate host name, apart from the application's: the
//! browser keeps the two apart, and addresses that begin with `/` work. Only that name opens the preview. No cookie
//! does, because a cookie would go to the service, and no cookie that the service sets is kept. The name is random. It
//! ends with the session of the person who opened it, and after [`PREVIEW_SECONDS`] in any case. It travels unencrypted
//! (DNS, TLS), so it opens this one service and nothing else.
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

/// The largest body of an answer, in bytes: 4 MiB. Its base64 fits the 6 MB that Lambda can answer with.
pub const ANSWER_BYTES: usize = 4 * 1024 * 1024;

/// The longest that a service may take to answer, in seconds: API Gateway's 29 s minus the time to the service and
/// back.
pub const SERVICE_SECONDS: u64 = 22;

/// How many requests of a project run in its sandbox at once; the others wait.
pub const AT_ONCE: usize = 8;

/// How many requests to the previews of a project may be open at once. Each occupies a function, which all projects
/// share. A browser asks for about twenty parts of a page at once.
pub const REQUESTS_PER_PROJECT: u32 = 24;

/// The most ports that a sandbox lists.
pub const LISTED_PORTS: usize = 32;

/// The host that takes tickets, below the host of previews.
pub const ENTRANCE: &str = "open";

/// The site below which each preview has a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSite {
    scheme: String,
    host: String,
    /// The port with its colon; empty for the scheme's default.
    port: String,
}

impl PreviewSite {
    /// The site of an address such as `https://preview.example.com`; `None` if the address is not valid.
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

/// A request to a sandbox about previews.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewAsk {
    /// List the ports on which services listen.
    Ports,
    /// Pass a request to a service.
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
    /// The service's answer.
    Served {
        /// Its status.
        status: u16,
        /// Its headers; values that are not plain text are left out.
        headers: Vec<(String, String)>,
    },
    /// The service gave no answer.
    Failed {
        /// The reason.
        reason: PreviewFailure,
    },
}

/// Why a sandbox has no answer from a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewFailure {
    /// Nothing that the sandbox started listens on the port.
    NotListening,
    /// The answer is larger than [`ANSWER_BYTES`], or its headers are too large.
    TooLarge,
    /// The service took longer than [`SERVICE_SECONDS`].
    TooSlow,
    /// The answer was not HTTP, or broke off.
    Broken,
    /// Too many requests are waiting.
    Busy,
    /// The workspace is being restored.
    Restoring,
}

/// A preview's ticket or name, as the table stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPreview {
    /// What the ticket or name opens.
    pub preview: Preview,
    /// When it expires.
    pub ends_at: Timestamp,
}

/// The body of a request or an answer; its head travels separately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum PreviewBody {
    /// No body.
    #[default]
    Nowhere,
    /// The body is in the message.
    Here {
        /// The body in base64.
        base64: String,
    },
    /// The body is in the bucket, at the place that the request named.
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
    fn a_preview_has_a_separate_host() {
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
