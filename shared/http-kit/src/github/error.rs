//! Explains why GitHub refused a call, to the person who caused it.

use crate::{AnswerError, ApiError, ErrorCode, read_json};
use axum::http::StatusCode as Status;
use domain::Timestamp;
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use settings::SecretError;

/// The shortest, default and longest wait that we accept from GitHub, in seconds.
const WAITS: [i64; 3] = [1, 60, 3600];
/// The longest message from GitHub that is passed on, in characters.
const MESSAGE_CHARS: usize = 300;

/// How GitHub begins a message about too many calls, if no header says when more are allowed.
const TOO_MANY: [&str; 3] = ["rate limit", "abuse detection", "too many requests"];

/// A failed call of GitHub.
#[derive(Debug, thiserror::Error)]
pub enum GitHubError {
    /// The call did not arrive, or its answer was lost.
    #[error("GitHub")]
    Http(#[from] reqwest::Error),
    /// The answer cannot be used.
    #[error("GitHub")]
    Answer(#[from] AnswerError),
    /// A secret for GitHub cannot be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The operator's secret is not a key.
    #[error("the GitHub App's private key is not an RSA key in PEM")]
    Key,
    /// The installation is gone or suspended.
    #[error("the installation is gone or suspended")]
    NotInstalled,
    /// The installation cannot reach the repository.
    #[error("the repository is out of the installation's reach")]
    NoRepository,
    /// Too many calls; another may succeed after this many seconds.
    #[error("GitHub asks to wait")]
    Busy(i64),
    /// GitHub refused the call for another reason.
    #[error("GitHub answered {status}: {message}")]
    Refused {
        /// The status.
        status: StatusCode,
        /// GitHub's message.
        message: String,
    },
}

#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    message: String,
    #[serde(default)]
    errors: Vec<serde_json::Value>,
}

impl GitHubError {
    /// The error for an answer that is not a success.
    pub async fn of_answer(answer: Response) -> Self {
        let status = answer.status();
        let header = |name: &str| answer.headers().get(name)?.to_str().ok()?.parse::<i64>().ok();
        let spent = header("x-ratelimit-remaining") == Some(0);
        let waits = header("retry-after").or_else(|| {
            let reset = header("x-ratelimit-reset").filter(|_| spent)?;
            Some(reset - Timestamp::now().epoch_seconds())
        });
        let limited = status == StatusCode::TOO_MANY_REQUESTS
            || (status == StatusCode::FORBIDDEN && (spent || waits.is_some()));
        if limited {
            let [least, usual, most] = WAITS;
            return Self::Busy(waits.unwrap_or(usual).clamp(least, most));
        }
        if status.is_server_error() {
            return match answer.error_for_status() {
                Err(error) => error.into(),
                Ok(_) => Self::Refused { status, message: String::new() },
            };
        }
        let said: Said = read_json(answer).await.unwrap_or_default();
        let more = said.errors.iter().filter_map(|error| match error {
            serde_json::Value::String(text) => Some(text.clone()),
            other => other["message"].as_str().map(str::to_owned),
        });
        // GitHub then advises to wait at least a minute.
        let lower = said.message.to_lowercase();
        if status == StatusCode::FORBIDDEN && TOO_MANY.iter().any(|words| lower.contains(words)) {
            return Self::Busy(WAITS[1]);
        }
        let message = std::iter::once(said.message.clone()).chain(more);
        let message: String = message.collect::<Vec<_>>().join(" ");
        Self::Refused { status, message: message.chars().take(MESSAGE_CHARS).collect() }
    }

    /// The same for a call about the installation itself.
    pub fn of_installation(self) -> Self {
        match self {
            Self::Refused { status: StatusCode::NOT_FOUND | StatusCode::FORBIDDEN, .. } => {
                Self::NotInstalled
            }
            other => other,
        }
    }

    /// Whether GitHub answered with this status.
    pub fn is(&self, expected: StatusCode) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == expected)
    }

    /// Whether GitHub's message contains these words.
    pub fn says(&self, words: &str) -> bool {
        matches!(self, Self::Refused { message, .. } if message.contains(words))
    }
}

impl From<GitHubError> for ApiError {
    fn from(error: GitHubError) -> Self {
        match error {
            GitHubError::Secret(error) => Self::of_secret(error),
            GitHubError::Key => Self::internal(error),
            GitHubError::NotInstalled => Self::conflict(
                ErrorCode::InstallationGone,
                "GitHub says that the app is suspended or no longer installed on this account.",
            ),
            GitHubError::NoRepository => Self::conflict(
                ErrorCode::RepositoryGone,
                "GitHub does not show this repository to Groundcrew, or not to you. Perhaps it was deleted or renamed, or \
                 taken out of what the app or you may reach. Choose a repository again.",
            ),
            GitHubError::Busy(seconds) => {
                let detail = format!(
                    "GitHub accepts no more calls from this account for now. Try again in {}.",
                    in_words(seconds)
                );
                Self::new(Status::TOO_MANY_REQUESTS, ErrorCode::GithubBusy, detail)
                    .after(u32::try_from(seconds).unwrap_or_default())
            }
            GitHubError::Http(_) | GitHubError::Answer(_) => {
                Self::bad_gateway("GitHub did not answer. Try again.", error)
            }
            GitHubError::Refused { status: StatusCode::UNAUTHORIZED, .. } => {
                Self::bad_gateway("GitHub did not accept Groundcrew's key.", error)
            }
            GitHubError::Refused { status, .. }
                if status == StatusCode::NOT_FOUND || status.is_redirection() =>
            {
                GitHubError::NoRepository.into()
            }
            GitHubError::Refused { message, .. } => {
                Self::conflict(ErrorCode::GithubRefused, format!("GitHub refused: {message}"))
            }
        }
    }
}

/// A wait in words: in seconds below two minutes, else in minutes.
fn in_words(seconds: i64) -> String {
    match seconds {
        1 => "1 second".to_owned(),
        ..120 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.div_euclid(60) + i64::from(seconds % 60 > 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn of(status: u16, headers: &[(&str, &str)], body: &str) -> ApiError {
        let mut answer = axum::http::Response::builder().status(status);
        for (name, value) in headers {
            answer = answer.header(*name, *value);
        }
        GitHubError::of_answer(answer.body(body.to_owned()).unwrap().into()).await.into()
    }

    #[tokio::test]
    async fn too_many_calls_are_recognized_in_every_form_of_githubs_answer() {
        let later = (Timestamp::now().epoch_seconds() + 600).to_string();
        let spent = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", later.as_str())];
        let secondary = r#"{"message":"You have exceeded a secondary rate limit."}"#;
        for (status, headers, body, words) in [
            (429, [("retry-after", "30")].as_slice(), "", "30 seconds"),
            (403, &[("retry-after", "150")], "", "3 minutes"),
            (403, &spent, "", "10 minutes"),
            (403, &[], secondary, "60 seconds"),
            (429, &[], "", "60 seconds"),
        ] {
            let error = of(status, headers, body).await;
            assert_eq!(
                (error.status, error.code),
                (Status::TOO_MANY_REQUESTS, ErrorCode::GithubBusy)
            );
            assert!(error.detail.contains(words), "{words}: {}", error.detail);
            assert!(error.retry_after.is_some_and(|seconds| seconds >= 30));
        }
        let refused = of(403, &[], r#"{"message":"Resource not accessible"}"#).await;
        assert_eq!(refused.code, ErrorCode::GithubRefused);
    }
}
