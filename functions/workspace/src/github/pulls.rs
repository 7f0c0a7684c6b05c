//! Finds and opens pull requests of a branch.

use super::{GitHubError, Granted};
use domain::repository::PullRequest;
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct FoundPull {
    number: u64,
    html_url: String,
    state: String,
    merged_at: Option<String>,
    head: Head,
}

/// The head of a pull request's branch; of a merged one, when it was merged.
#[derive(Deserialize)]
struct Head {
    sha: String,
}

/// The content of a pull request.
pub(crate) struct Pull<'a> {
    pub title: &'a str,
    pub body: &'a str,
    pub branch: &'a str,
    pub base: &'a str,
}

/// The state of a branch's pull requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LastPull {
    /// There is none, or the last one was closed.
    None,
    /// One is open.
    Open(PullRequest),
    /// The last one was merged, with this commit at the branch's head.
    Merged(String),
}

impl From<FoundPull> for PullRequest {
    fn from(found: FoundPull) -> Self {
        Self { number: found.number, url: found.html_url }
    }
}

impl Granted<'_> {
    /// The state of a branch's pull requests.
    pub async fn last_pull(
        &self,
        full_name: &str,
        owner: &str,
        branch: &str,
    ) -> Result<LastPull, GitHubError> {
        // The newest come first, and a branch has only one that is open.
        let path = format!("repos/{full_name}/pulls?state=all&head={owner}:{branch}");
        let mut found = self.get::<Vec<FoundPull>>(&path).await?;
        if let Some(open) = found.iter().position(|pull| pull.state == "open") {
            return Ok(LastPull::Open(found.swap_remove(open).into()));
        }
        Ok(match found.into_iter().next() {
            Some(last) if last.merged_at.is_some() => LastPull::Merged(last.head.sha),
            _ => LastPull::None,
        })
    }

    /// Gives the branch's open pull request this title and this text, or opens a new one. `None` if the base already
    /// has all of the branch.
    pub async fn pull(
        &self,
        full_name: &str,
        owner: &str,
        pull: &Pull<'_>,
    ) -> Result<Option<PullRequest>, GitHubError> {
        if let Some(there) = self.rewritten(full_name, owner, pull).await? {
            return Ok(Some(there));
        }
        let Pull { title, body, branch, base } = pull;
        let new = json!({"title": title, "body": body, "head": branch, "base": base});
        let path = format!("repos/{full_name}/pulls");
        match self.send::<FoundPull>(Method::POST, &path, &new).await {
            Ok(made) => Ok(Some(made.into())),
            Err(error) if error.says("No commits between") => Ok(None),
            // Another push opened it at the same moment.
            Err(error) if error.says("already exists") => {
                self.rewritten(full_name, owner, pull).await
            }
            Err(error) => Err(error),
        }
    }

    /// The branch's open pull request, now with this title and this text.
    async fn rewritten(
        &self,
        full_name: &str,
        owner: &str,
        pull: &Pull<'_>,
    ) -> Result<Option<PullRequest>, GitHubError> {
        let LastPull::Open(open) = self.last_pull(full_name, owner, pull.branch).await? else {
            return Ok(None);
        };
        let path = format!("repos/{full_name}/pulls/{}", open.number);
        let words = json!({"title": pull.title, "body": pull.body});
        Ok(Some(self.send::<FoundPull>(Method::PATCH, &path, &words).await?.into()))
    }
}
