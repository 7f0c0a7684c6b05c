//! Sends a visitor to GitHub: a state bound to this browser, and PKCE.

use crate::App;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use domain::secret_token::SecretToken;
use http_kit::{ApiError, CookieName, cookie};
use sha2::{Digest, Sha256};
use store::sign_ins::{LOGIN_SECONDS, Login};

impl App {
    /// GitHub's callback address, which the app's settings must also contain.
    pub(crate) fn redirect_uri(&self) -> String {
        format!("{}/api/github/callback", self.gatekeeper.public_url())
    }

    /// Sends the browser to GitHub's sign-in.
    pub(crate) async fn go_to_sign_in(
        &self,
        login: Option<&str>,
        return_to: Option<&str>,
    ) -> Result<Response, ApiError> {
        let verifier = SecretToken::random();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.expose().as_bytes()));
        let state = self.begin(Some(verifier.expose().to_owned()), return_to).await?;
        let url =
            self.github.authorize_url(&self.redirect_uri(), state.expose(), &challenge, login);
        Ok(self.leave_for(&url, &state))
    }

    /// Sends the browser to the page where users install the app; GitHub returns it with a code.
    pub(crate) async fn go_to_install(
        &self,
        return_to: Option<&str>,
    ) -> Result<Response, ApiError> {
        let state = self.begin(None, return_to).await?;
        Ok(self.leave_for(&self.github.install_url(state.expose()), &state))
    }

    async fn begin(
        &self,
        code_verifier: Option<String>,
        return_to: Option<&str>,
    ) -> Result<SecretToken, ApiError> {
        let state = SecretToken::random();
        let ends_at = Timestamp::now().plus_seconds(LOGIN_SECONDS);
        let return_to = return_to.map(str::to_owned);
        self.sign_ins.begin(&state, &Login { code_verifier, return_to, ends_at }).await?;
        Ok(state)
    }

    fn leave_for(&self, url: &str, state: &SecretToken) -> Response {
        let site = self.gatekeeper.public_url();
        let binding = cookie(CookieName::Login, site, state.expose(), LOGIN_SECONDS);
        redirect(url, [binding])
    }
}

/// A redirect that sets these cookies and is never cached.
pub(crate) fn redirect<const N: usize>(url: &str, cookies: [String; N]) -> Response {
    let headers = [(LOCATION, url.to_owned()), (CACHE_CONTROL, "no-store".to_owned())];
    let cookies = AppendHeaders(cookies.map(|line| (SET_COOKIE, line)));
    (StatusCode::FOUND, headers, cookies).into_response()
}
