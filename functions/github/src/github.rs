//! Calls GitHub for a user: the pages to which we send visitors, and the four calls that we make.

use crate::session::Relation;
use aws::Secrets;
use domain::InstallationId;
use domain::report::Chain;
use http_kit::github::{self, GitHubApi};
use http_kit::{AnswerError, Outbound, read_json};
use reqwest::header::ACCEPT;
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use settings::{ConfigError, Secret, SecretError, var, var_or};
use std::time::Duration;
use store::sign_ins::{Offered, User};

/// How long GitHub may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A GitHub App.
#[derive(Clone)]
pub(crate) struct GitHub {
    http: Outbound,
    api: GitHubApi,
    base_url: String,
    slug: String,
    client_id: String,
    client_secret: Secret,
}

/// A failed call of GitHub.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitHubError {
    #[error("GitHub")]
    Http(#[from] reqwest::Error),
    #[error("GitHub")]
    Answer(#[from] AnswerError),
    /// A call of the API failed.
    #[error(transparent)]
    Api(#[from] github::GitHubError),
    /// The secret for the exchange of codes is missing.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// GitHub did not accept the code.
    #[error("GitHub refused the code: {0}")]
    Refused(String),
}

impl GitHubError {
    /// The errors for a code that is invalid or has expired: GitHub's, and that of RFC 6749.
    pub const BAD_CODE: [&str; 2] = ["bad_verification_code", "invalid_grant"];
}

#[derive(Deserialize)]
struct Page {
    total_count: usize,
    installations: Vec<Installation>,
}

impl github::Page for Page {
    type Entry = Installation;

    fn total(&self) -> Option<usize> {
        Some(self.total_count)
    }

    fn entries(self) -> Vec<Installation> {
        self.installations
    }
}

/// An installation of an app, as GitHub describes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Installation {
    pub id: InstallationId,
    app_slug: Option<String>,
    account: Option<Account>,
    suspended_at: Option<String>,
}

/// The account of a person or an organization has a login, that of an enterprise a slug.
#[derive(Debug, Default, Deserialize)]
struct Account {
    id: Option<u64>,
    login: Option<String>,
    slug: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    avatar_url: Option<String>,
}

impl Installation {
    /// Whether its account, or Groundcrew, suspended it.
    pub fn suspended(&self) -> bool {
        self.suspended_at.is_some()
    }

    /// How a user is related to its account.
    pub fn relation_to(&self, user_id: u64) -> Relation {
        let own = self.account.as_ref().and_then(|account| account.id) == Some(user_id);
        Relation::of(self.organization(), own)
    }

    /// The name of its account; an enterprise has a slug instead of a login.
    pub fn account_name(&self) -> &str {
        let name = self.account.as_ref().and_then(|one| one.login.as_ref().or(one.slug.as_ref()));
        name.map_or("", String::as_str)
    }

    /// Whether GitHub can be asked who its members are.
    pub fn has_members(&self) -> bool {
        self.organization() && !self.suspended()
    }

    /// Whether its account belongs to an organization rather than a person.
    fn organization(&self) -> bool {
        self.account.as_ref().and_then(|account| account.kind.as_deref()) != Some("User")
    }

    /// The installation as an offer to a user, who is not known to be a member of its organization.
    pub fn offered_to(self, user_id: u64) -> Offered {
        let (suspended, organization) = (self.suspended(), self.organization());
        let own = self.relation_to(user_id) == Relation::Own;
        let account = self.account.unwrap_or_default();
        Offered {
            id: self.id,
            account: account.login.or(account.slug).unwrap_or_default(),
            organization,
            own,
            avatar_url: account.avatar_url.unwrap_or_default(),
            suspended,
            member: false,
        }
    }
}

/// A user's membership of an organization.
#[derive(Deserialize)]
struct Membership {
    state: String,
    organization: Numbered,
    user: Numbered,
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

#[derive(Deserialize)]
struct Exchange {
    access_token: Option<String>,
    error: Option<String>,
}

impl GitHub {
    pub fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let secret_id = var("GITHUB_CLIENT_SECRET_ID")?;
        let client_secret = secrets.secret("the GitHub App's client secret", secret_id);
        let http = Outbound::within(TIMEOUT);
        Ok(Self {
            api: GitHubApi::from_env(&http),
            http,
            base_url: var_or("GITHUB_BASE_URL", "https://github.com"),
            slug: var("GITHUB_APP_SLUG")?,
            client_id: var("GITHUB_CLIENT_ID")?,
            client_secret,
        })
    }

    /// The page where a visitor signs in; `login` suggests an account.
    pub fn authorize_url(
        &self,
        redirect_uri: &str,
        state: &str,
        code_challenge: &str,
        login: Option<&str>,
    ) -> String {
        let mut query = vec![
            // GitHub does not need it; other servers require what RFC 6749 requires.
            ("response_type", "code"),
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", redirect_uri),
            ("state", state),
            ("code_challenge", code_challenge),
            ("code_challenge_method", "S256"),
        ];
        query.extend(login.map(|login| ("login", login)));
        with_query(&format!("{}/login/oauth/authorize", self.base_url), &query)
    }

    /// The page where a user installs the app.
    pub fn install_url(&self, state: &str) -> String {
        let page = format!("{}/apps/{}/installations/new", self.base_url, self.slug);
        with_query(&page, &[("state", state)])
    }

    /// The page where a user signs out of GitHub itself.
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
        let client_secret = self.client_secret.get().await?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("client_id", self.client_id.as_str()),
            ("client_secret", &client_secret),
            ("code", code),
            ("redirect_uri", redirect_uri),
        ];
        form.extend(code_verifier.map(|verifier| ("code_verifier", verifier)));
        let url = format!("{}/login/oauth/access_token", self.base_url);
        let request = self.http.request(Method::POST, &url)?;
        let answer = request.header(ACCEPT, "application/json").form(&form).send().await?;
        // GitHub answers a refusal with 200, other servers with 400.
        let answer = match answer.status() {
            StatusCode::BAD_REQUEST => answer,
            _ => answer.error_for_status()?,
        };
        let exchange: Exchange = read_json(answer).await?;
        let refusal = exchange.error.unwrap_or_else(|| "no token".to_owned());
        exchange.access_token.ok_or(GitHubError::Refused(refusal))
    }

    /// The user of the token.
    pub async fn user(&self, token: &str) -> Result<User, GitHubError> {
        Ok(self.api.call(Method::GET, "user", token, None).await?)
    }

    /// The installations of our app that the token's user can reach, including suspended ones.
    pub async fn installations(&self, token: &str) -> Result<Vec<Installation>, GitHubError> {
        let ours = |i: &Installation| i.app_slug.as_ref().is_none_or(|slug| *slug == self.slug);
        let found = self.api.list::<Page>("user/installations", token).await?;
        Ok(found.entries.into_iter().filter(ours).collect())
    }

    /// Whether the token's user is an active member of an installation's organization. GitHub also lists the installation
    /// to outside collaborators, and to people who were invited but have not accepted.
    ///
    /// Logins change hands, so the answer has to name the numbers of both. An enterprise's installation has no members,
    /// because GitHub has no such call for it.
    pub async fn is_member(
        &self,
        token: &str,
        user_id: u64,
        installation: &Installation,
    ) -> Result<bool, GitHubError> {
        let account = installation.account.as_ref();
        let Some((id, login)) = account.and_then(|of| of.id.zip(of.login.as_deref())) else {
            return Ok(false);
        };
        let path = format!("user/memberships/orgs/{login}");
        match self.api.call::<Membership>(Method::GET, &path, token, None).await {
            Ok(found) => {
                Ok(found.state == "active"
                    && (found.organization.id, found.user.id) == (id, user_id))
            }
            Err(error) if error.is(StatusCode::NOT_FOUND) => Ok(false),
            Err(error) if error.is(StatusCode::FORBIDDEN) => {
                tracing::error!(error = %Chain(&error), installation = %installation.id, "GitHub does not show the members of an organization: the App needs the organization permission \"Members: read-only\", and an owner of the organization has to accept it");
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// `url` with an encoded query; an invalid address stays unchanged.
pub(crate) fn with_query(url: &str, query: &[(&str, &str)]) -> String {
    reqwest::Url::parse_with_params(url, query).map_or_else(|_| url.to_owned(), Into::into)
}
