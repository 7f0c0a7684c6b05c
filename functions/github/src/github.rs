//! GitHub's side: where it sends people, and the three calls that we make.

use aws::Secrets;
use domain::InstallationId;
use domain::report::Chain;
use reqwest::header::ACCEPT;
use serde::Deserialize;
use settings::{ConfigError, var, var_or};
use std::time::Duration;
use store::sign_ins::{Offered, User};

/// How long GitHub may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Installations asked for at once: GitHub's largest page.
const PAGE: usize = 100;
/// Pages read at most: somebody who reaches more installations is offered the first of them.
const PAGES: usize = 3;

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

/// GitHub did not do its part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitHubError {
    #[error("GitHub")]
    Http(#[from] reqwest::Error),
    /// It did not take the code.
    #[error("GitHub refused the code: {0}")]
    Refused(String),
}

impl GitHubError {
    /// Refused because the code is not good (any more).
    pub const BAD_CODE: &str = "bad_verification_code";
}

#[derive(Deserialize)]
struct Page {
    total_count: usize,
    installations: Vec<Installation>,
}

/// An installation of some app, as GitHub tells of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Installation {
    pub id: InstallationId,
    app_slug: Option<String>,
    account: Option<Account>,
    suspended_at: Option<String>,
}

/// A person's or an organisation's account has a login, an enterprise's a slug.
#[derive(Debug, Default, Deserialize)]
struct Account {
    login: Option<String>,
    slug: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    avatar_url: Option<String>,
}

impl Installation {
    /// Whether its account, or we, suspended it.
    pub fn suspended(&self) -> bool {
        self.suspended_at.is_some()
    }

    /// Whether its account is an organisation's rather than a person's.
    pub fn shared(&self) -> bool {
        self.account.as_ref().and_then(|account| account.kind.as_deref()) != Some("User")
    }
}

impl From<Installation> for Offered {
    fn from(installation: Installation) -> Self {
        let (suspended, organization) = (installation.suspended(), installation.shared());
        let account = installation.account.unwrap_or_default();
        Self {
            id: installation.id,
            account: account.login.or(account.slug).unwrap_or_default(),
            organization,
            avatar_url: account.avatar_url.unwrap_or_default(),
            suspended,
        }
    }
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

    /// Where somebody signs out of GitHub itself.
    pub fn logout_url(&self) -> String {
        format!("{}/logout", self.base_url)
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

    /// The installations of our app that the token's user can reach, suspended ones among them.
    pub async fn installations(&self, token: &str) -> Result<Vec<Installation>, GitHubError> {
        let ours = |i: &Installation| i.app_slug.as_ref().is_none_or(|slug| *slug == self.slug);
        let mut found = Vec::new();
        for page in 1..=PAGES {
            let path = format!("user/installations?per_page={PAGE}&page={page}");
            let more: Page = self.get(&path, token).await?;
            let last = more.installations.is_empty() || page * PAGE >= more.total_count;
            found.extend(more.installations.into_iter().filter(ours));
            if last {
                break;
            }
        }
        Ok(found)
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
pub(crate) fn with_query(url: &str, query: &[(&str, &str)]) -> String {
    reqwest::Url::parse_with_params(url, query).map_or_else(|_| url.to_owned(), Into::into)
}
