//! Tries out whether a model can do what the agents need, in two minutes and for a few cents.
//!
//! An operator who configures a model learns here what will not work, before a user does. Each probe is one call
//! through the agents' own client, so the trial covers everything on the way: the settings, the provider's protocol and
//! the model. The probes are plain tasks with one right outcome. The rows give their results, and say what the agents do
//! if a model falls short. `keep_note` and `hand_in_script` are tools only of the trial and do nothing.

mod judge;
mod probes;

use crate::exchange::{Call, CallResult, Message, Request};
use crate::pipe::pipe;
use crate::provider::error::{Kind, ModelError};
use crate::provider::{Model, Progress, Reply, Stop};
use crate::tokens;
use domain::chat::ChatEvent;
use domain::{ThreadId, TokenUsage};
use futures::StreamExt;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// The longest trial.
const TIME: Duration = Duration::from_secs(120);
/// The most probes at once: small accounts allow few parallel calls.
const AT_ONCE: usize = 3;
/// The most tokens of the reply that is meant to be cut off, as many as of a summary.
const CAP_TOKENS: u32 = 1_500;

/// How well something works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It works as the agents need it.
    Good,
    /// The agents still work, for more money or time.
    Limited,
    /// The agents do not work with this model.
    Broken,
    /// Unknown, because an earlier failure or the end of the time came first.
    Untried,
}

/// One thing that agents need from a model.
#[derive(Debug)]
pub struct Row {
    /// What the agents need.
    pub what: &'static str,
    /// How well it works.
    pub verdict: Verdict,
    /// What was seen, for the operator; never any part of a key.
    pub note: String,
}

/// The result of one call.
struct Received {
    text: String,
    /// The time from the call to each piece of the text.
    pieces: Vec<Duration>,
    outcome: Result<Reply, Failure>,
    counted: Option<TokenUsage>,
    cached_tokens: u64,
    bytes_sent: usize,
}

/// Why a call gave no reply.
struct Failure {
    /// `None` if the time of the trial was over.
    kind: Option<Kind>,
    why: String,
}

/// The results of all calls.
struct Trial {
    count: Received,
    note: Received,
    result: Option<Received>,
    forced: Received,
    several: Received,
    cap: Received,
    script: Received,
    document: Received,
    again: Received,
    order: Received,
}

/// Tries the model. Each row says how one thing went; the most important come first.
pub async fn trial(model: &Model) -> Vec<Row> {
    let model = &model.unlearning();
    let until = Instant::now() + TIME;
    let count = ask(model, probes::count(), until).await;
    if let Err(failure) = &count.outcome {
        let culprit = match failure.kind {
            Some(Kind::Invalid(_) | Kind::Refused(_)) => culprit(model, until).await,
            _ => None,
        };
        return judge::without_answer(failure, culprit);
    }
    let slots = Semaphore::new(AT_ONCE);
    let slot = || async { slots.acquire().await.ok() };
    let (forced, summarizer) = (model.bound_to(probes::NOTE), model.summarizer(CAP_TOKENS));
    let asking = |model, request| async move {
        let _slot = slot().await;
        ask(model, request, until).await
    };
    let (cap, (document, again), (note, result), several, script, forced, order) = tokio::join!(
        asking(&summarizer, probes::count_on()),
        async {
            let _slot = slot().await;
            let first = ask(model, probes::document(), until).await;
            (first, ask(model, probes::document(), until).await)
        },
        async {
            let _slot = slot().await;
            let note = ask(model, probes::note(), until).await;
            let request = followed(&note);
            match request {
                Some(request) => (note, Some(ask(model, request, until).await)),
                None => (note, None),
            }
        },
        asking(model, probes::several()),
        asking(model, probes::script()),
        asking(&forced, probes::hello()),
        asking(model, probes::order()),
    );
    let trial = Trial { count, note, result, forced, several, cap, script, document, again, order };
    judge::rows(&trial, &model.settings())
}

/// The conversation after the note's call, with its answer.
fn followed(note: &Received) -> Option<Request> {
    let reply = note.outcome.as_ref().ok().filter(|reply| !reply.calls.is_empty())?;
    let answer =
        |call: &Call| CallResult { id: call.id.clone(), content: probes::NOTE_KEPT.to_owned() };
    let results = reply.calls.iter().map(answer).collect();
    let mut request = probes::note();
    request.messages.extend([Message::reply(reply.parts.clone()), Message::results(results)]);
    Some(request)
}

/// Finds the setting without which the model answers.
async fn culprit(model: &Model, until: Instant) -> Option<String> {
    for (setting, plainer) in model.plainer() {
        if ask(&plainer, probes::count(), until).await.outcome.is_ok() {
            return Some(setting);
        }
    }
    None
}

async fn ask(model: &Model, request: Request, until: Instant) -> Received {
    let began = Instant::now();
    let (mut reader, mut turn) = pipe(ThreadId::from("trial"));
    let pieces = tokio::spawn(async move {
        let mut pieces = Vec::new();
        while let Some(event) = turn.next().await {
            if let Ok(ChatEvent::Text { .. }) = event {
                pieces.push(began.elapsed());
            }
        }
        pieces
    });
    let mut progress = Progress::of_at_most(model.reply_tokens());
    let called = timeout_at(until, model.call(&request, &mut reader, &mut progress)).await;
    drop(reader);
    Received {
        pieces: pieces.await.unwrap_or_default(),
        outcome: called.unwrap_or_else(|_| Err(over())).map_err(Failure::from),
        counted: progress.counted,
        cached_tokens: progress.cached_tokens,
        bytes_sent: request.bytes(),
        text: progress.text,
    }
}

fn over() -> Stop {
    Stop::Failed(ModelError::new(Kind::TimedOut, "the trial's two minutes were over"))
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Failed(error) => Self { kind: Some(error.kind), why: error.to_string() },
            Stop::Refused(error) | Stop::WithoutKey(error) => {
                Self { kind: None, why: error.public_text().to_owned() }
            }
            Stop::ReaderGone => Self { kind: None, why: "the reader was gone".to_owned() },
        }
    }
}

impl Received {
    /// The least number of tokens that the readable text must have taken.
    fn estimated_tokens(&self) -> u64 {
        tokens::of_bytes(self.text.len())
    }
}
