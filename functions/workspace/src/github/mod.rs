//! GitHub's REST API as the App itself: what an installation grants, and tokens for it.
//!
//! The App signs a short assertion with its private key and gets a token of an hour for one installation. Each token
//! is asked for the rights and the repository of one use, and lives in no place where a command runs.

mod error;
mod key;
mod repository;

pub(crate) use error::GitHubError;
pub(crate) use repository::{Branches, Entry, Listed, Pull, Repository};

use aws::Secrets;
use domain::InstallationId;
use http_kit::Outbound;
use key::assertion;
use reqwest::header::ACCEPT;
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use settings::{ConfigError, Secret, var, var_or};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long GitHub may take to answer; a tree of some megabytes takes seconds.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Repositories or branches asked for at once: GitHub's largest page.
const PAGE: usize = 100;
/// Pages read at most: an installation with more repositories, or a repository with more branches, shows the first of
/// them.
const PAGES: usize = 3;
/// Rights by their names at GitHub, each with its level.
pub(crate) type Rights = [(&'static str, &'static str)];
/// What a push needs.
pub(crate) const TO_PUSH: &Rights = &[("contents", "write"), ("pull_requests", "write")];
/// What reading a repository's files needs.
pub(crate) const TO_READ: &Rights = &[("contents", "read")];

/// The GitHub App.
#[derive(Clone)]
pub(crate) struct GitHub {
    http: Outbound,
    api_url: String,
    base_url: String,
    client_id: String,
    private_key: Secret,
}

/// What an account has granted.
#[derive(Debug, Deserialize)]
pub(crate) struct Installation {
    account: Account,
    #[serde(default)]
    permissions: BTreeMap<String, String>,
    html_url: String,
    suspended_at: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Account {
    login: String,
}

#[derive(Deserialize)]
struct Issued {
    token: String,
}

#[derive(Deserialize)]
struct Page {
    total_count: usize,
    repositories: Vec<Repository>,
}

/// GitHub with a token of one installation.
pub(crate) struct Granted<'a> {
    github: &'a GitHub,
    token: String,
}

impl Installation {
    /// The account.
    pub fn account(&self) -> &str {
        &self.account.login
    }

    /// Those of these rights that the account has not granted.
    pub fn missing(&self, rights: &Rights) -> Vec<String> {
        let lacks = |(right, level): &&(&str, &str)| {
            self.permissions.get(*right).is_none_or(|has| has != level && has != "write")
        };
        rights.iter().filter(lacks).map(|(right, _)| (*right).to_owned()).collect()
    }

    /// The page where the account grants what the App asks for.
    pub fn grant_url(&self) -> String {
        format!("{}/permissions/update", self.html_url)
    }

    /// The page where the account chooses the repositories that the App reaches.
    pub fn manage_url(&self) -> &str {
        &self.html_url
    }
}

impl GitHub {
    pub fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let id = var("GITHUB_PRIVATE_KEY_SECRET_ID")?;
        Ok(Self {
            http: Outbound::within(TIMEOUT),
            api_url: var_or("GITHUB_API_URL", "https://api.github.com"),
            base_url: var_or("GITHUB_BASE_URL", "https://github.com"),
            client_id: var("GITHUB_CLIENT_ID")?,
            private_key: secrets.secret("the GitHub App's private key", id),
        })
    }

    /// The page where a person makes a repository.
    pub fn new_repository_url(&self, owner: &str) -> String {
        format!("{}/new?owner={owner}&visibility=private", self.base_url)
    }

    /// The installation; refused if it is gone or suspended.
    pub async fn installation(&self, id: InstallationId) -> Result<Installation, GitHubError> {
        let path = format!("app/installations/{id}");
        let found = self.as_app(Method::GET, &path, None).await;
        let installation: Installation = found.map_err(GitHubError::of_installation)?;
        match installation.suspended_at {
            Some(_) => Err(GitHubError::NotInstalled),
            None => Ok(installation),
        }
    }

    /// The repositories that the installation reaches, and whether there are more.
    pub async fn repositories(
        &self,
        id: InstallationId,
    ) -> Result<(Vec<Repository>, bool), GitHubError> {
        let token = self.token(id, json!({"permissions": {"metadata": "read"}})).await?;
        let granted = Granted { github: self, token };
        let mut found = Vec::new();
        for page in 1..=PAGES {
            let path = format!("installation/repositories?per_page={PAGE}&page={page}");
            let more: Page = granted.get(&path).await?;
            let last = more.repositories.is_empty();
            found.extend(more.repositories);
            if last || found.len() >= more.total_count {
                return Ok((found, false));
            }
        }
        Ok((found, true))
    }

    /// GitHub with these rights to one repository of the installation, which it names without its owner.
    pub async fn granted(
        &self,
        id: InstallationId,
        repository: &str,
        rights: &Rights,
    ) -> Result<Granted<'_>, GitHubError> {
        let rights: BTreeMap<_, _> = rights.iter().copied().collect();
        let wish = json!({"repositories": [repository], "permissions": rights});
        let token = self.token(id, wish).await;
        let token = token.map_err(|error| match error {
            // GitHub says so of a repository that the installation does not reach.
            GitHubError::Refused { status: StatusCode::UNPROCESSABLE_ENTITY, .. } => {
                GitHubError::NoRepository
            }
            other => other,
        })?;
        Ok(Granted { github: self, token })
    }

    async fn token(&self, id: InstallationId, wish: Value) -> Result<String, GitHubError> {
        let path = format!("app/installations/{id}/access_tokens");
        let issued = self.as_app(Method::POST, &path, Some(wish)).await;
        let issued: Issued = issued.map_err(GitHubError::of_installation)?;
        Ok(issued.token)
    }

    async fn as_app<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, GitHubError> {
        let assertion = assertion(&self.private_key.get().await?, &self.client_id)?;
        self.call(method, path, &assertion, body).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        bearer: &str,
        body: Option<Value>,
    ) -> Result<T, GitHubError> {
        let request = self.http.request(method, &format!("{}/{path}", self.api_url))?;
        let request = request.bearer_auth(bearer).header(ACCEPT, "application/vnd.github+json");
        let request = request.header("x-github-api-version", "2022-11-28");
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await?;
        if answer.status().is_success() {
            return Ok(answer.json().await?);
        }
        Err(GitHubError::of_answer(answer).await)
    }
}

impl Granted<'_> {
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, GitHubError> {
        self.github.call(Method::GET, path, &self.token, None).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Value,
    ) -> Result<T, GitHubError> {
        self.github.call(method, path, &self.token, Some(body)).await
    }
}
