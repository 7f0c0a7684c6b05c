//! The two cookies: the session, and the sign-in in progress.
//!
//! Over https they are `__Host-` cookies: the browser then guarantees that they are `Secure`, cover the whole path
//! and belong to this host alone. Browsers refuse such cookies from `http://localhost`, so the names are plain there.
//! The site's own address decides between the two.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

/// The two cookies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieName {
    /// The token of a session.
    Session,
    /// The state of a sign-in that waits for GitHub.
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
