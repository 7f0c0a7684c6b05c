//! Asks GitHub what a person may do in a repository.
//!
//! An installation reaches repositories that a single member of its organization, or a guest of its account, does not
//! reach. The App could read and write all of them, so each call for a person asks first. Reading and pushing ask each
//! time. A list asks for many repositories at once and remembers the answers for [`REMEMBERED`]: it shows names only.

use super::{GitHubError, Granted, Repository};
use domain::audit::Actor;
use domain::report::Chain;
use futures::{StreamExt, TryStreamExt};
use reqwest::StatusCode;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many repositories of a list are asked about at once; GitHub allows an installation 100 calls at a time.
const AT_ONCE: usize = 20;
/// How long an answer for a list counts.
const REMEMBERED: Duration = Duration::from_secs(60);
/// The most answers that are remembered.
const MOST: usize = 10_000;

/// What a person may do in a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Not even know that it exists.
    None,
    /// Read it.
    Read,
    /// Also push to it.
    Write,
}

#[derive(Debug, Deserialize)]
struct Permission {
    permission: String,
    user: Option<User>,
}

#[derive(Debug, Deserialize)]
struct User {
    id: u64,
}

impl Permission {
    /// What this says about a person. A login can pass to another person, but the number cannot.
    fn of(&self, person: &Actor) -> Access {
        match self.permission.as_str() {
            _ if self.user.as_ref().is_none_or(|user| user.id != person.user_id) => Access::None,
            "admin" | "write" => Access::Write,
            "read" => Access::Read,
            _ => Access::None,
        }
    }
}

/// Answers and their times, by the person's number and the repository's full name.
type ByPerson = HashMap<(u64, String), (Instant, Access)>;

/// The latest answers. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<ByPerson>>);

impl Answers {
    fn find(&self, person: u64, full_name: &str) -> Option<Access> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, access) = answers.get(&(person, full_name.to_owned()))?;
        (at.elapsed() < REMEMBERED).then_some(*access)
    }

    fn keep(&self, person: u64, full_name: &str, access: Access) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.retain(|_, (at, _)| at.elapsed() < REMEMBERED);
        }
        if answers.len() < MOST {
            answers.insert((person, full_name.to_owned()), (Instant::now(), access));
        }
    }
}

impl Granted<'_> {
    /// What a person may do in a repository now.
    pub async fn access(&self, full_name: &str, person: &Actor) -> Result<Access, GitHubError> {
        let path = format!("repos/{full_name}/collaborators/{}/permission", person.login);
        match self.get::<Permission>(&path).await {
            Ok(permission) => Ok(permission.of(person)),
            // GitHub does not know a person of this login, or not the repository.
            Err(error) if error.is(StatusCode::NOT_FOUND) => Ok(Access::None),
            Err(error) => Err(error),
        }
    }

    /// Those of the repositories in which a person may do this, in the same order.
    pub async fn accessible(
        &self,
        repositories: Vec<Repository>,
        person: &Actor,
        needed: Access,
    ) -> Result<Vec<Repository>, GitHubError> {
        let asked = repositories.into_iter().map(|repository| async move {
            let access = self.recent_access(&repository.full_name, person).await?;
            Ok((access >= needed).then_some(repository))
        });
        let found = futures::stream::iter(asked).buffered(AT_ONCE);
        found.try_filter_map(|found| std::future::ready(Ok(found))).try_collect().await
    }

    async fn recent_access(&self, full_name: &str, person: &Actor) -> Result<Access, GitHubError> {
        let answers = &self.github.answers;
        if let Some(access) = answers.find(person.user_id, full_name) {
            return Ok(access);
        }
        let access = match self.access(full_name, person).await {
            // GitHub blocks single repositories; the others are listed nevertheless.
            Err(error @ GitHubError::Refused { status, .. })
                if status != StatusCode::UNAUTHORIZED =>
            {
                tracing::warn!(error = %Chain(&error), "GitHub does not say who may read a repository");
                Access::None
            }
            answer => answer?,
        };
        answers.keep(person.user_id, full_name, access);
        Ok(access)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn access(answer: &str) -> Access {
        let person = Actor { user_id: 7, login: "mona".to_owned() };
        serde_json::from_str::<Permission>(answer).unwrap().of(&person)
    }

    #[test]
    fn only_an_answer_about_the_same_person_opens_a_repository() {
        let answer = |permission: &str, id: u64| {
            access(&format!(
                r#"{{"permission": "{permission}", "role_name": "x", "user": {{"id": {id}}}}}"#
            ))
        };
        assert_eq!(answer("admin", 7), Access::Write);
        assert_eq!(answer("write", 7), Access::Write);
        assert_eq!(answer("read", 7), Access::Read);
        assert_eq!(answer("none", 7), Access::None);
        assert_eq!(answer("another", 7), Access::None);
        // Somebody else has taken the login.
        assert_eq!(answer("admin", 8), Access::None);
        assert_eq!(
            access(r#"{"permission": "admin", "role_name": "x", "user": null}"#),
            Access::None
        );
    }

    #[test]
    fn remembered_answers_are_bounded_and_belong_to_one_person() {
        let answers = Answers::default();
        for n in 0..=MOST {
            answers.keep(7, &format!("o/{n}"), Access::Write);
        }
        assert_eq!(answers.find(7, "o/0"), Some(Access::Write));
        assert_eq!(answers.find(8, "o/0"), None);
        assert_eq!(answers.find(7, &format!("o/{MOST}")), None);
    }
}
