//! The repositories and branches that people choose from.

use crate::github::{Branches, Repository};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The repositories that the app reaches on GitHub.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GitHubRepositories {
    /// The account of the installation.
    pub account: String,
    /// The rights that are needed but not granted by the account, by their names on GitHub.
    pub missing_permissions: Vec<String>,
    /// GitHub's page where the account grants them.
    pub grant_url: String,
    /// GitHub's page where the account chooses the repositories that the app reaches.
    pub manage_url: String,
    /// GitHub's page where a person makes a repository.
    pub new_url: String,
    /// The repositories, by name.
    pub repositories: Vec<GitHubRepository>,
    /// Whether there are more than are listed.
    pub more: bool,
}

/// A repository on GitHub.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GitHubRepository {
    /// `owner/name`.
    pub full_name: String,
    /// Its page.
    pub url: String,
    /// Whether it is private.
    pub private: bool,
    /// Whether it is archived, so that nothing can be pushed to it.
    pub archived: bool,
    /// Its default branch.
    pub default_branch: String,
    /// Its branches; null unless the call is about this repository alone.
    #[schema(required)]
    pub branches: Option<BranchList>,
}

/// The branches of a repository.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchList {
    /// Their names, the default branch first; empty if there is no commit yet.
    pub names: Vec<String>,
    /// Whether there may be more than are listed.
    pub more: bool,
}

impl From<Repository> for GitHubRepository {
    fn from(found: Repository) -> Self {
        Self {
            full_name: found.full_name,
            url: found.html_url,
            private: found.private,
            archived: found.archived,
            default_branch: found.default_branch,
            branches: None,
        }
    }
}

impl GitHubRepository {
    /// A repository with its branches.
    pub(super) fn with(found: Repository, Branches { mut names, more }: Branches) -> Self {
        let default = found.default_branch.clone();
        let listed = names.iter().position(|name| *name == default).map(|at| names.remove(at));
        // In a repository with many branches, the default branch may be on a later page.
        if listed.is_some() || more {
            names.insert(0, default);
        }
        Self { branches: Some(BranchList { names, more }), ..found.into() }
    }
}
