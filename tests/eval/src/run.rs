//! Runs requests, each with a separate product and model.

use crate::request::{Request, folder};
use crate::score::Score;
use crate::tape::{Exchange, Tape};
use crate::waiting::Patience;
pub use crate::walk::Stop;
use crate::walk::{Walk, count, project};
use api_tests::{Settings, World};
use futures::FutureExt;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The model that answers.
#[derive(Clone, Debug)]
pub enum Answerer {
    /// The blueprint model.
    Blueprint,
    /// A model with OpenAI's protocol, set in the environment.
    Model {
        /// Base URL of its server, with the version.
        base_url: String,
        /// Its name at the server.
        name: String,
        /// The key.
        key: String,
    },
    /// The recorded replies.
    Recording,
    /// These replies.
    Replies(Vec<Exchange>),
}

/// The conversation of a request, and its result.
#[derive(Clone, Serialize, Deserialize)]
pub struct Recording {
    /// Name of the model.
    pub model: String,
    /// The score of the request.
    pub score: Score,
    /// Every reply, in order.
    pub exchanges: Vec<Exchange>,
}

impl Recording {
    /// The path of a request's recording.
    pub fn path(id: &str) -> PathBuf {
        folder().join("transcripts").join(format!("{id}.json"))
    }

    /// The recording of a request, if there is one.
    pub fn of(id: &str) -> Option<Self> {
        let text = std::fs::read_to_string(Self::path(id)).ok()?;
        Some(
            serde_json::from_str(&text)
                .unwrap_or_else(|e| panic!("cannot read the recording of {id}: {e}")),
        )
    }

    /// Writes the recording to its file.
    pub fn write(&self, id: &str) {
        let text = serde_json::to_string_pretty(self).expect("plain data");
        std::fs::write(Self::path(id), text + "\n").expect("a writable folder");
    }
}

impl Answerer {
    async fn tape(&self, request: &Request) -> Tape {
        match self {
            Self::Blueprint => {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
                let listener = listener.expect("a free port");
                let address = listener.local_addr().expect("bound");
                tokio::spawn(async move {
                    axum::serve(listener, blueprint_model::routes(Duration::ZERO)).await
                });
                Tape::of_model(&format!("http://{address}/v1")).await
            }
            Self::Model { base_url, .. } => Tape::of_model(base_url).await,
            Self::Recording => {
                let recording = Recording::of(&request.id);
                Tape::of_recording(recording.map(|it| it.exchanges).unwrap_or_default()).await
            }
            Self::Replies(exchanges) => Tape::of_recording(exchanges.clone()).await,
        }
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Blueprint | Self::Recording | Self::Replies(_) => Vec::new(),
            Self::Model { name, key, .. } => {
                vec![("MODEL_NAME", name.clone()), ("MODEL_API_KEY", key.clone())]
            }
        }
    }

    fn patience(&self) -> Patience {
        match self {
            Self::Blueprint | Self::Recording | Self::Replies(_) => Patience::SHORT,
            Self::Model { .. } => Patience::LONG,
        }
    }
}

/// Walks one request to its end. Any error on the way becomes the failure of this request only. `servers` says whether
/// to carry out plans for servers.
pub async fn run(request: Request, answerer: Answerer, servers: bool) -> (Score, Vec<Exchange>) {
    let began = Instant::now();
    let tape = answerer.tape(&request).await;
    let settings = Settings {
        model: Some(tape.base_url.clone()),
        variables: answerer.variables(),
        ..Settings::default()
    };
    let patience = answerer.patience();
    let walk = AssertUnwindSafe(async {
        let world = World::with_settings(settings).await;
        let project = project(&world, &request).await;
        let mut score = Score::new();
        let mut walk = Walk { request: &request, project, score: &mut score, patience, servers };
        let ended = walk.whole().await;
        let project = walk.project.clone();
        if let Err(Stop(outcome, why)) = ended {
            (score.outcome, score.why) = (outcome, why);
        }
        count(&project, &mut score).await;
        score
    });
    let walked = walk.catch_unwind().await;
    let mut score = walked.unwrap_or_else(|panic| Score { why: words(panic), ..Score::new() });
    let exchanges = tape.exchanges();
    (score.calls, score.drift) = (exchanges.len(), tape.drift());
    score.seconds = began.elapsed().as_secs_f64();
    (score, exchanges)
}

/// Holds only the conversation of a request with today's blueprint model. Returns why nothing could be confirmed, and
/// every reply.
pub async fn converse(request: &Request) -> (Option<Stop>, Vec<Exchange>) {
    let tape = Answerer::Blueprint.tape(request).await;
    let settings = Settings { model: Some(tape.base_url.clone()), ..Settings::default() };
    let world = World::with_settings(settings).await;
    let project = project(&world, request).await;
    let mut score = Score::new();
    let (patience, servers) = (Patience::SHORT, false);
    let mut walk = Walk { request, project, score: &mut score, patience, servers };
    let stop = walk.ask().await.err();
    (stop, tape.exchanges())
}

/// The message of a panic: the helpers of the tests panic at an unexpected answer.
fn words(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "it failed without a message".to_owned())
}
