//! An operator's secret, read when it is first needed.
//!
//! If a function read its secrets at start, an empty one would stop even calls that do not need it, and an old value
//! would stay in use until the next deployment. So a secret is read at first use, kept for a while and read again. An
//! empty one fails only the calls that need it.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long a value is used before it is read again: a new value applies everywhere within five minutes.
const KEPT_FOR: Duration = Duration::from_secs(270);
/// How long an old value is used after a failed read before the next attempt: the store may be down for a while.
const RETRY_AFTER: Duration = Duration::from_secs(15);

type Cause = Box<dyn Error + Send + Sync>;
type Reading = Pin<Box<dyn Future<Output = Result<Option<String>, Cause>> + Send>>;
type Read = dyn Fn() -> Reading + Send + Sync;

/// A secret, named by its purpose. Cheap to clone; clones share the value.
#[derive(Clone)]
pub struct Secret {
    purpose: &'static str,
    read: Arc<Read>,
    kept: Arc<Mutex<Option<Kept>>>,
}

struct Kept {
    value: String,
    until: Instant,
}

/// Why a call cannot have the secret that it needs.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SecretError {
    /// The operator has not added a value yet.
    #[error("This site is not set up completely: {0} is missing. Its operator has to add it.")]
    Empty(&'static str),
    /// The store did not return it.
    #[error("{purpose} cannot be read")]
    Unreadable {
        /// The secret's purpose.
        purpose: &'static str,
        /// The store's error, for the log.
        #[source]
        cause: Arc<dyn Error + Send + Sync>,
    },
}

impl Secret {
    /// A secret that `read` reads; `None` means that it has no value.
    pub fn read_by<F>(purpose: &'static str, read: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Option<String>, Cause>> + Send + 'static,
    {
        Self { purpose, read: Arc::new(move || Box::pin(read())), kept: Arc::default() }
    }

    /// A secret with a given value.
    pub fn given(purpose: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        Self::read_by(purpose, move || std::future::ready(Ok(Some(value.clone()))))
    }

    /// The value, without surrounding white space.
    pub async fn get(&self) -> Result<String, SecretError> {
        let mut kept = self.kept.lock().await;
        let now = Instant::now();
        if let Some(kept) = kept.as_ref().filter(|kept| now < kept.until) {
            return Ok(kept.value.clone());
        }
        match ((self.read)().await, kept.as_mut()) {
            (Ok(read), _) => {
                let value = read.unwrap_or_default().trim().to_owned();
                if value.is_empty() {
                    // Nothing is kept, so calls find the value as soon as the operator has added it.
                    *kept = None;
                    return Err(SecretError::Empty(self.purpose));
                }
                *kept = Some(Kept { value: value.clone(), until: now + KEPT_FOR });
                Ok(value)
            }
            (Err(error), Some(old)) => {
                let error = with_causes(&*error);
                tracing::warn!(
                    error,
                    purpose = self.purpose,
                    "a secret could not be read again; its last value stays in use"
                );
                old.until = now + RETRY_AFTER;
                Ok(old.value.clone())
            }
            (Err(error), None) => {
                Err(SecretError::Unreadable { purpose: self.purpose, cause: error.into() })
            }
        }
    }
}

/// An error and its causes on one line.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let chain =
        std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Shows no value.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

impl From<&str> for Secret {
    fn from(value: &str) -> Self {
        Self::given("a secret", value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex as Lock;

    const FIVE_MINUTES: Duration = Duration::from_secs(300);

    /// The store's content, or the error of a store that is down.
    type Holding = Result<Option<String>, String>;

    /// A store of one secret that a test sets.
    fn store() -> (Arc<Lock<Holding>>, Secret) {
        let held = Arc::new(Lock::new(Ok(None)));
        let inner = held.clone();
        let secret = Secret::read_by("the key", move || {
            let found = inner.lock().unwrap().clone();
            std::future::ready(found.map_err(Cause::from))
        });
        (held, secret)
    }

    fn holds(value: &str) -> Holding {
        Ok(Some(value.to_owned()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_value_applies_within_five_minutes() {
        let (held, secret) = store();
        *held.lock().unwrap() = holds("one\n");
        assert_eq!(secret.get().await.unwrap(), "one");
        *held.lock().unwrap() = holds("two");
        assert_eq!(secret.get().await.unwrap(), "one", "it is not read for each call");
        tokio::time::advance(FIVE_MINUTES).await;
        assert_eq!(secret.get().await.unwrap(), "two");
    }

    #[tokio::test(start_paused = true)]
    async fn an_empty_secret_names_its_purpose_and_is_read_again_at_once() {
        let (held, secret) = store();
        for empty in [Ok(None), holds(""), holds(" \n")] {
            *held.lock().unwrap() = empty;
            let error = secret.get().await.unwrap_err();
            assert!(error.to_string().contains("the key is missing"), "{error}");
        }
        *held.lock().unwrap() = holds("added");
        assert_eq!(secret.get().await.unwrap(), "added");
    }

    #[tokio::test(start_paused = true)]
    async fn an_old_value_is_used_while_the_store_is_down() {
        let (held, secret) = store();
        *held.lock().unwrap() = Err("down".to_owned());
        let first = secret.get().await.unwrap_err();
        assert!(matches!(first, SecretError::Unreadable { .. }), "{first}");
        *held.lock().unwrap() = holds("one");
        assert_eq!(secret.get().await.unwrap(), "one");
        *held.lock().unwrap() = Err("down".to_owned());
        tokio::time::advance(FIVE_MINUTES).await;
        assert_eq!(secret.get().await.unwrap(), "one");
        *held.lock().unwrap() = holds("two");
        tokio::time::advance(RETRY_AFTER).await;
        assert_eq!(secret.get().await.unwrap(), "two");
    }

    #[test]
    fn a_printed_secret_shows_no_value() {
        assert!(!format!("{:?}", Secret::given("the key", "hush")).contains("hush"));
    }
}
