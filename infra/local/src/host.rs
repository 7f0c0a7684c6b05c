//! Lets only requests in that name this machine.
//!
//! The stack listens only on this machine, but that does not keep web pages in a browser here from calling it: a page
//! whose own host name resolves to 127.0.0.1 can read the answers as its own (DNS rebinding). Such a call has the page's
//! name as its `Host`.

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names of this machine.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
/// Browsers resolve every name below this one to this machine; previews have such names.
const BELOW: &str = ".localhost";
/// How the paths of the outside parties begin.
const OUTSIDE: &str = "/_";
/// The name of this machine inside a container of Docker Desktop.
const FROM_CONTAINERS: &str = "host.docker.internal";

/// Whether all hosts that a request names, in its header and in its address, are ones that `is_ours` accepts.
pub fn names_only(request: &Request, is_ours: impl Fn(&str) -> bool) -> bool {
    let headers = request.headers().get_all(header::HOST).iter();
    let headers = headers.map(|host| host.to_str().ok()?.parse::<Authority>().ok());
    // A request over HTTP/2, or one to a proxy, names the host in its address.
    let mut named = headers.chain(request.uri().authority().map(|host| Some(host.clone())));
    let ours = |host: Option<Authority>| {
        host.is_some_and(|host| !host.as_str().contains('@') && is_ours(host.host()))
    };
    named.next().is_some_and(ours) && named.all(ours)
}

/// Whether this is a name of this machine.
pub fn is_local(host: &str) -> bool {
    NAMES.contains(&host.to_ascii_lowercase().as_str())
}

/// Refuses a request to the site under a name that is not of this machine.
pub async fn of_site(request: Request, next: Next) -> Response {
    let of_machine = |host: &str| {
        let host = host.to_ascii_lowercase();
        is_local(&host) || host.ends_with(BELOW) || host == FROM_CONTAINERS
    };
    if !names_only(&request, of_machine) {
        let why = "Groundcrew's local stack answers only as localhost or 127.0.0.1.";
        return (StatusCode::MISDIRECTED_REQUEST, why).into_response();
    }
    if is_foreign_form(&request, of_machine) {
        let why = "This form must come from a page of the local stack.";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    next.run(request).await
}

/// Whether a page of another site sends a form to one of the outside parties, whose pages know their user without a
/// cookie. The product itself checks the calls of its API.
fn is_foreign_form(request: &Request, is_ours: impl Fn(&str) -> bool) -> bool {
    if request.method().is_safe() || !request.uri().path().starts_with(OUTSIDE) {
        return false;
    }
    let ours = |origin: &HeaderValue| {
        let (_, host) = origin.to_str().ok()?.split_once("://")?;
        host.parse::<Authority>().ok().filter(|host| is_ours(host.host()))
    };
    request.headers().get_all(header::ORIGIN).iter().any(|origin| ours(origin).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn allowed(address: &str, hosts: &[&str]) -> bool {
        let request = axum::http::Request::get(address);
        let request = hosts.iter().fold(request, |request, host| request.header("host", *host));
        names_only(&request.body(Body::empty()).unwrap(), is_local)
    }

    #[test]
    fn this_machine_has_three_names_in_any_form_that_a_browser_sends() {
        for host in
            ["localhost", "localhost:3000", "127.0.0.1:3001", "[::1]", "[::1]:1", "LocalHost"]
        {
            assert!(allowed("/", &[host]), "{host}");
        }
        assert!(allowed("http://localhost:3000/", &[]), "as in HTTP/2");
        assert!(allowed("http://localhost:3000/", &["localhost:3000"]));
    }

    #[test]
    fn every_other_name_is_refused_and_so_is_a_second_one() {
        for host in [
            "",
            "evil.example",
            "localhost.",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil.example:3000",
            "127.1",
            "2130706433",
            "0.0.0.0:3000",
            "::1",
            "[::ffff:127.0.0.1]",
            "[0:0:0:0:0:0:0:1]",
            "user@localhost",
            "localhost@evil.example",
            "localhost:3000@evil.example",
            "localhost/",
            "localhost evil.example",
            "localhost,evil.example",
        ] {
            assert!(!allowed("/", &[host]), "{host}");
        }
        assert!(!allowed("/", &[]), "no name");
        assert!(!allowed("/", &["localhost", "evil.example"]));
        assert!(!allowed("http://evil.example/", &["localhost"]), "an absolute address");
        assert!(!allowed("http://localhost/", &["evil.example"]));
    }
}
