//! Calls GitHub's REST API as the App itself, to read what an installation grants and to get tokens.
//!
//! The App signs a short-lived assertion with its private key and gets a token of an hour for one installation. Each
//! token has only the rights and the repository of one use, and never exists where a command runs. What the App may do
//! is not what the caller may do: see [`access`].

mod access;
mod key;
mod pulls;
mod repository;

pub(crate) use access::Access;
pub(crate) use http_kit::github::GitHubError;
pub(crate) use pulls::{LastPull, Pull};
pub(crate) use repository::{Branches, Entry, Listed, Repository, mode};

use access::Answers;
use aws::Secrets;
use domain::InstallationId;
use domain::audit::Actor;
use http_kit::Outbound;
use http_kit::github::{self, GitHubApi};
use key::assertion;
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use settings::{ConfigError, Secret, var, var_or};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long GitHub may take to answer; a tree of some megabytes takes seconds.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Rights by their names on GitHub, each with its level.
pub(crate) type Rights = [(&'static str, &'static str)];
/// What a push needs.
pub(crate) const TO_PUSH: &Rights = &[("contents", "write"), ("pull_requests", "write")];
/// What reading a repository's files needs.
pub(crate) const TO_READ: &Rights = &[("contents", "read")];

/// The GitHub App.
#[derive(Clone)]
pub(crate) struct GitHub {
    api: GitHubApi,
    base_url: String,
    client_id: String,
    private_key: Secret,
    answers: Answers,
}

/// The rights that an account has granted.
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
    id: Option<u64>,
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

impl github::Page for Page {
    type Entry = Repository;

    fn total(&self) -> Option<usize> {
        Some(self.total_count)
    }

    fn entries(self) -> Vec<Repository> {
        self.repositories
    }
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

    /// Whether it is the account of this person, who then owns all of its repositories.
    pub fn is_of(&self, person: &Actor) -> bool {
        self.account.id == Some(person.user_id)
    }

    /// The rights among these that the account has not granted.
    pub fn missing(&self, rights: &Rights) -> Vec<String> {
        let lacks = |(right, level): &&(&str, &str)| {
            self.permissions.get(*right).is_none_or(|has| has != level && has != "write")
        };
        rights.iter().filter(lacks).map(|(right, _)| (*right).to_owned()).collect()
    }

    /// The page where the account grants the rights that the App asks for.
    pub fn grant_url(&self) -> String {
        format!("{}/permissions/update", self.html_url)
    }

    /// The page where the account chooses the repositories that the App can reach.
    pub fn manage_url(&self) -> &str {
        &self.html_url
    }
}

impl GitHub {
    pub fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let id = var("GITHUB_PRIVATE_KEY_SECRET_ID")?;
        Ok(Self {
            api: GitHubApi::from_env(&Outbound::within(TIMEOUT)),
            base_url: var_or("GITHUB_BASE_URL", "https://github.com"),
            client_id: var("GITHUB_CLIENT_ID")?,
            private_key: secrets.secret("the GitHub App's private key", id),
            answers: Answers::default(),
        })
    }

    /// The page where a person creates a repository.
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

    /// GitHub with the right to learn the names of the installation's repositories, and who reaches each.
    pub async fn names(&self, id: InstallationId) -> Result<Granted<'_>, GitHubError> {
        let token = self.token(id, json!({"permissions": {"metadata": "read"}})).await?;
        Ok(Granted { github: self, token })
    }

    /// GitHub with these rights to one repository of the installation, which is named without its owner.
    pub async fn granted(
        &self,
        id: InstallationId,
        repository: &str,
        rights: &Rights,
    ) -> Result<Granted<'_>, GitHubError> {
        // Who reaches the repository is part of its metadata.
        let metadata = ("metadata", "read");
        let rights: BTreeMap<_, _> = rights.iter().copied().chain([metadata]).collect();
        let request = json!({"repositories": [repository], "permissions": rights});
        let token = self.token(id, request).await;
        let token = token.map_err(|error| match error {
            // GitHub gives this answer for a repository that the installation cannot reach.
            GitHubError::Refused { status: StatusCode::UNPROCESSABLE_ENTITY, .. } => {
                GitHubError::NoRepository
            }
            other => other,
        })?;
        Ok(Granted { github: self, token })
    }

    async fn token(&self, id: InstallationId, request: Value) -> Result<String, GitHubError> {
        let path = format!("app/installations/{id}/access_tokens");
        let issued = self.as_app(Method::POST, &path, Some(request)).await;
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
        self.api.call(method, path, &assertion, body.as_ref()).await
    }
}

impl Granted<'_> {
    /// The repositories that the installation can reach; if there are many, only the first of them.
    pub async fn repositories(&self) -> Result<github::Listed<Repository>, GitHubError> {
        self.github.api.list::<Page>("installation/repositories", &self.token).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, GitHubError> {
        self.github.api.call(Method::GET, path, &self.token, None).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<T, GitHubError> {
        self.github.api.call(method, path, &self.token, Some(body)).await
    }
}
