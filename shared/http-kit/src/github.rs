//! Calls of GitHub's REST API.
//!
//! Functions ask it for different things, as a user or as the App. This module has what they share: the form of a call,
//! lists that come in pages, and the meaning of a refusal.

mod error;

pub use error::GitHubError;

use crate::{Outbound, read_json};
use reqwest::header::ACCEPT;
use reqwest::{Method, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use settings::var_or;

/// The most entries that GitHub puts into one page.
const PAGE: usize = 100;
/// The most pages that are read; of a longer list, only the first entries are shown.
const PAGES: usize = 3;

/// GitHub's REST API. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GitHubApi {
    http: Outbound,
    address: String,
}

/// A page of a list, as GitHub answers it.
pub trait Page: DeserializeOwned {
    /// What it lists.
    type Entry;

    /// How many entries the whole list has, if GitHub reports it.
    fn total(&self) -> Option<usize>;

    /// Its entries.
    fn entries(self) -> Vec<Self::Entry>;
}

impl<T: DeserializeOwned> Page for Vec<T> {
    type Entry = T;

    fn total(&self) -> Option<usize> {
        None
    }

    fn entries(self) -> Self {
        self
    }
}

/// The first entries of a list.
#[derive(Debug)]
pub struct Listed<T> {
    /// The entries, in GitHub's order.
    pub entries: Vec<T>,
    /// Whether the list may have more.
    pub more: bool,
}

impl GitHubApi {
    /// The API at `GITHUB_API_URL`, through this client.
    pub fn from_env(http: &Outbound) -> Self {
        let address = var_or("GITHUB_API_URL", "https://api.github.com");
        Self { http: http.clone(), address }
    }

    /// Makes a call and reads its answer.
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        bearer: &str,
        body: Option<&Value>,
    ) -> Result<T, GitHubError> {
        let answer = self.send(method, path, bearer, body).await?;
        if answer.status().is_success() {
            return Ok(read_json(answer).await?);
        }
        Err(GitHubError::of_answer(answer).await)
    }

    /// Whether something exists at this path.
    pub async fn exists(&self, path: &str, bearer: &str) -> Result<bool, GitHubError> {
        let answer = self.send(Method::HEAD, path, bearer, None).await?;
        match answer.status() {
            status if status.is_success() => Ok(true),
            StatusCode::NOT_FOUND => Ok(false),
            _ => Err(GitHubError::of_answer(answer).await),
        }
    }

    /// The first entries of the list at this path.
    pub async fn list<P: Page>(
        &self,
        path: &str,
        bearer: &str,
    ) -> Result<Listed<P::Entry>, GitHubError> {
        let mut entries = Vec::new();
        for number in 1..=PAGES {
            let path = format!("{path}?per_page={PAGE}&page={number}");
            let page: P = self.call(Method::GET, &path, bearer, None).await?;
            let total = page.total();
            let found = page.entries();
            let last = match total {
                Some(total) => found.is_empty() || number * PAGE >= total,
                None => found.len() < PAGE,
            };
            entries.extend(found);
            if last {
                return Ok(Listed { entries, more: false });
            }
        }
        Ok(Listed { entries, more: true })
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        bearer: &str,
        body: Option<&Value>,
    ) -> Result<Response, GitHubError> {
        let request = self.http.request(method, &format!("{}/{path}", self.address))?;
        let request = request.bearer_auth(bearer).header(ACCEPT, "application/vnd.github+json");
        let request = request.header("x-github-api-version", "2022-11-28");
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        Ok(request.send().await?)
    }
}
