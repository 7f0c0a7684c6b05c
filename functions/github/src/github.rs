//! GitHub's side: where it sends people, and the three calls that we make.

use cloud::{ConfigError, Secrets, var, var_or};
use domain::InstallationId;
use domain::report::Chain;
use reqwest::header::ACCEPT;
use serde::Deserialize;
use std::time::Duration;

/// How long GitHub may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Installations asked for at once: GitHub's largest page.
const PAGE: &str = "100";

/// A GitHub App.
#[derive(Clone)]
pub(crate) struct GitHub {
    http: reqwest::Client,
    base_url: String,
    api_url: String,
    slug: String,
    client_id: String,
    client_secret: String,
}

/// A user's profile.
#[derive(Debug, Deserialize)]
pub(crate) struct User {
    pub login: String,
    pub name: Option<String>,
    pub avatar_url: String,
}

/// GitHub did not do its part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitHubError {
    #[error("GitHub")]
    Http(#[from] reqwest::Error),
    /// The code is not good (any more).
    #[error("GitHub refused the code: {0}")]
    Refused(String),
}

#[derive(Deserialize)]
struct Installations {
    installations: Vec<Installation>,
}

#[derive(Deserialize)]
struct Installation {
    id: InstallationId,
    app_slug: Option<String>,
}

#[derive(Deserialize)]
struct Exchange {
    access_token: Option<String>,
    error: Option<String>,
}

impl GitHub {
    pub async fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let secret_id = var("GITHUB_CLIENT_SECRET_ID")?;
        let invalid =
            |reason: String| ConfigError::Invalid { name: "GITHUB_CLIENT_SECRET_ID", reason };
        let client_secret =
            secrets.get(&secret_id).await.map_err(|e| invalid(Chain(&e).to_string()))?;
        let http = reqwest::Client::builder().user_agent("groundcrew").timeout(TIMEOUT).build();
        Ok(Self {
            http: http.map_err(|e| invalid(e.to_string()))?,
            base_url: var_or("GITHUB_BASE_URL", "https://github.com"),
            api_url: var_or("GITHUB_API_URL", "https://api.github.com"),
            slug: var("GITHUB_APP_SLUG")?,
            client_id: var("GITHUB_CLIENT_ID")?,
            client_secret,
        })
    }

    /// Where a visitor signs in; `login` suggests an account.
    pub fn authorize_url(
        &self,
        redirect_uri: &str,
        state: &str,
        code_challenge: &str,
        login: Option<&str>,
    ) -> String {
        let mut query = vec![
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", redirect_uri),
            ("state", state),
            ("code_challenge", code_challenge),
            ("code_challenge_method", "S256"),
        ];
        query.extend(login.map(|login| ("login", login)));
        with_query(&format!("{}/login/oauth/authorize", self.base_url), &query)
    }

    /// Where a user installs the app.
    pub fn install_url(&self, state: &str) -> String {
        let page = format!("{}/apps/{}/installations/new", self.base_url, self.slug);
        with_query(&page, &[("state", state)])
    }

    /// The user's access token for a code.
    pub async fn exchange(
        &self,
        code: &str,
        redirect_uri: &str,
        code_verifier: Option<&str>,
    ) -> Result<String, GitHubError> {
        let mut form = vec![
            ("client_id", self.client_id.as_str()),
            ("client_secret", &self.client_secret),
            ("code", code),
            ("redirect_uri", redirect_uri),
        ];
        form.extend(code_verifier.map(|verifier| ("code_verifier", verifier)));
        let request = self.http.post(format!("{}/login/oauth/access_token", self.base_url));
        let answer = request.header(ACCEPT, "application/json").form(&form).send().await?;
        let exchange: Exchange = answer.error_for_status()?.json().await?;
        let refusal = exchange.error.unwrap_or_else(|| "no token".to_owned());
        exchange.access_token.ok_or(GitHubError::Refused(refusal))
    }

    /// Who the token's user is.
    pub async fn user(&self, token: &str) -> Result<User, GitHubError> {
        self.get("user", token).await
    }

    /// The installations of our app that the token's user can reach.
    pub async fn installations(&self, token: &str) -> Result<Vec<InstallationId>, GitHubError> {
        let path = format!("user/installations?per_page={PAGE}");
        let found: Installations = self.get(&path, token).await?;
        let ours = |i: &Installation| i.app_slug.as_ref().is_none_or(|slug| *slug == self.slug);
        Ok(found.installations.into_iter().filter(ours).map(|i| i.id).collect())
    }

    async fn get<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        token: &str,
    ) -> Result<T, GitHubError> {
        let request = self.http.get(format!("{}/{path}", self.api_url)).bearer_auth(token);
        let answer = request.header(ACCEPT, "application/vnd.github+json").send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }
}

/// `url` with an encoded query; an address that does not parse stays as it is and leads nowhere.
fn with_query(url: &str, query: &[(&str, &str)]) -> String {
    reqwest::Url::parse_with_params(url, query).map_or_else(|_| url.to_owned(), Into::into)
}
