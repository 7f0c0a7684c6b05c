//! SES: accepts letters as version 2 of its API does, and keeps them in an outbox instead of sending them.
//!
//! The outbox is a page of the site, `/_local/mail`, where a person reads the letters in both forms and makes the
//! one-click request of RFC 8058 as a mail service does; `/_local/mail/letters` is the same as JSON.
//! `POST /_local/mail/refuse` with `{"calls": n}` makes the engine refuse the next `n` calls, as SES refuses calls
//! above its rate.

mod call;
mod page;

use crate::{files, ids};
use anyhow::{Context, Result};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many letters the outbox keeps; the oldest are dropped.
const KEPT: usize = 500;

/// The local SES.
#[derive(Clone)]
pub struct Ses(Arc<Inner>);

struct Inner {
    file: PathBuf,
    kept: Mutex<Kept>,
}

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The oldest first.
    letters: Vec<Letter>,
    /// How many of the next calls to refuse.
    #[serde(default)]
    refuse: u32,
}

/// A letter in the outbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letter {
    /// SES's id of the letter.
    pub id: String,
    /// Seconds since 1970.
    pub sent: i64,
    /// The sender.
    pub from: String,
    /// The recipients.
    pub to: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The HTML.
    pub html: String,
    /// Further headers, in their order.
    pub headers: Vec<(String, String)>,
}

impl Letter {
    /// The value of a header.
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The address of the letter's one-click request, if it has one.
    fn one_click(&self) -> Option<&str> {
        let says = self.header("List-Unsubscribe-Post") == Some("List-Unsubscribe=One-Click");
        let url = self.header("List-Unsubscribe").filter(|_| says)?;
        url.strip_prefix('<')?.strip_suffix('>')
    }
}

#[derive(Deserialize)]
struct Refuse {
    calls: u32,
}

impl Ses {
    /// Reads the outbox.
    pub fn open(file: PathBuf) -> Result<Self> {
        let kept: Option<Kept> =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Self(Arc::new(Inner { file, kept: Mutex::new(kept.unwrap_or_default()) })))
    }

    /// The route that the SDK calls.
    pub fn router(&self) -> Router {
        Router::new().route(call::PATH, post(call::send)).with_state(self.clone())
    }

    /// The pages for a browser, under `/_local/mail`.
    pub fn pages(&self) -> Router {
        Router::new()
            .route("/", get(page::outbox))
            .route("/letters", get(letters))
            .route("/refuse", post(refuse))
            .route("/{id}", get(page::letter))
            .with_state(self.clone())
    }

    fn letters(&self) -> Vec<Letter> {
        self.kept().letters.clone()
    }

    /// Accepts a letter; `None` if this call is to be refused.
    fn take(&self, letter: Letter) -> Option<String> {
        let mut kept = self.kept();
        if kept.refuse > 0 {
            kept.refuse -= 1;
            self.keep(&kept);
            return None;
        }
        let id = letter.id.clone();
        kept.letters.push(letter);
        let extra = kept.letters.len().saturating_sub(KEPT);
        kept.letters.drain(..extra);
        self.keep(&kept);
        Some(id)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: &Kept) {
        if let Err(error) = files::write_json(&self.0.file, kept) {
            tracing::error!(file = %self.0.file.display(), %error, "could not write the outbox");
        }
    }
}

async fn letters(State(ses): State<Ses>) -> Json<Vec<Letter>> {
    Json(ses.letters())
}

async fn refuse(State(ses): State<Ses>, Json(Refuse { calls }): Json<Refuse>) -> StatusCode {
    let mut kept = ses.kept();
    kept.refuse = calls;
    ses.keep(&kept);
    StatusCode::NO_CONTENT
}

fn now() -> i64 {
    ids::now_ms() / 1000
}
