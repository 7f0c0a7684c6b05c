//! The two cookies: the session, and the sign-in under way.
//!
//! Over https they are `__Host-` cookies: the browser then guarantees that they are `Secure`, for the
//! whole path and for this very host. A browser takes no such cookie from `http://localhost`, so
//! there the name is plain; which of the two it is follows from the site's own address alone.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

/// Which cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieName {
    /// Who is signed in.
    Session,
    /// The state of a sign-in that is at GitHub.
    Login,
}

impl CookieName {
    fn full(self, public_url: &str) -> String {
        let prefix = if public_url.starts_with("https://") { "__Host-" } else { "" };
        let name = match self {
            Self::Session => "groundcrew",
            Self::Login => "groundcrew-login",
        };
        format!("{prefix}{name}")
    }

    /// The cookie's value in a request.
    pub fn read(self, public_url: &str, headers: &HeaderMap) -> Option<String> {
        let name = self.full(public_url);
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    }
}

/// A `Set-Cookie` line; `max_age` of 0 seconds deletes the cookie.
pub fn cookie(name: CookieName, public_url: &str, value: &str, max_age: i64) -> String {
    let secure = if public_url.starts_with("https://") { "; Secure" } else { "" };
    let name = name.full(public_url);
    format!("{name}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}")
}
