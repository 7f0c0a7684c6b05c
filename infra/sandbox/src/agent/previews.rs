//! Passes requests for services inside the sandbox to the supervisor, and the answers back.
//!
//! The supervisor talks to the service because it runs where the service does and holds no secret. The agent bounds the
//! answer and sends it once: in the frame if it fits, otherwise to the address that the gateway gave. A late answer is
//! dropped, because the function that asked waits only for seconds.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{
    ANSWER_BYTES, FRAME_BYTES, FromAgent, PreviewAnswer, PreviewAsk, PreviewBody, PreviewFailure,
    PreviewOrder, Previewed, REQUEST_BYTES,
};

use super::{Agent, Done, Restore, transfer};
use crate::pipe::Order;

/// How many requests may be in progress or waiting; a browser requests all parts of a page at once.
const WAITING: usize = 64;

/// The answer to a request whose content did not arrive.
const BROKEN: PreviewAnswer = PreviewAnswer::Failed { reason: PreviewFailure::Broken };

/// Every unanswered request.
#[derive(Default)]
pub struct Previews {
    next: u64,
    open: HashMap<u64, Open>,
}

struct Open {
    request_id: String,
    answer_url: Option<String>,
    body: Vec<u8>,
    /// The body exceeds its limit; the rest of it is dropped.
    too_large: bool,
}

/// The reports of the agent's transfer tasks.
pub enum Moved {
    /// A request's body has arrived, or its transfer failed.
    Fetched { job: u64, ask: PreviewAsk, body: anyhow::Result<Vec<u8>> },
    /// An answer's body has been stored where it belongs, or the answer reports that it could not be.
    Put { request_id: String, previewed: Previewed },
}

impl Agent {
    pub(super) async fn preview_asked(&mut self, order: PreviewOrder) -> anyhow::Result<()> {
        let PreviewOrder { request_id, ask, body, body_url, answer_url } = order;
        let refused = match self.restore {
            Restore::Done if self.previews.open.len() < WAITING => None,
            Restore::Done => Some(PreviewFailure::Busy),
            Restore::Unknown | Restore::UnderWay => Some(PreviewFailure::Restoring),
        };
        if let Some(reason) = refused {
            self.previewed(request_id, reason.into());
            return Ok(());
        }
        if matches!(ask, PreviewAsk::Fetch(_)) {
            self.usage.note();
            self.unsaved = true;
        }
        let job = self.previews.next;
        self.previews.next += 1;
        let open = Open { request_id, answer_url, body: Vec::new(), too_large: false };
        self.previews.open.insert(job, open);
        match (body, body_url) {
            (PreviewBody::Stored { .. }, Some(url)) => {
                let (client, done) = (self.client.clone(), self.done.clone());
                tokio::spawn(async move {
                    let body = transfer::get_bytes(&client, &url, REQUEST_BYTES as u64).await;
                    let _ = done.send(Done::Preview(Moved::Fetched { job, ask, body })).await;
                });
                Ok(())
            }
            (PreviewBody::Here { base64 }, _) => match STANDARD.decode(base64) {
                Ok(body) => self.order(Order::Preview { job, ask }, body).await,
                Err(_) => self.preview_done(job, BROKEN),
            },
            (PreviewBody::Nowhere | PreviewBody::Stored { .. }, _) => {
                self.order(Order::Preview { job, ask }, Vec::new()).await
            }
        }
    }

    pub(super) async fn preview_moved(&mut self, moved: Moved) -> anyhow::Result<()> {
        match moved {
            Moved::Fetched { job, ask, body: Ok(body) } => {
                self.order(Order::Preview { job, ask }, body).await
            }
            Moved::Fetched { job, body: Err(error), .. } => {
                tracing::warn!(error = format!("{error:#}"), "a request's body did not arrive");
                self.preview_done(job, BROKEN)
            }
            Moved::Put { request_id, previewed } => {
                self.previewed(request_id, previewed);
                Ok(())
            }
        }
    }

    /// Handles the supervisor's answer; the body arrived before it.
    pub(super) fn preview_done(&mut self, job: u64, answer: PreviewAnswer) -> anyhow::Result<()> {
        let Some(open) = self.previews.open.remove(&job) else { return Ok(()) };
        let Open { request_id, answer_url, body, too_large } = open;
        if too_large {
            self.previewed(request_id, PreviewFailure::TooLarge.into());
            return Ok(());
        }
        // Data that arrived before a failure belongs to no answer.
        let served = matches!(answer, PreviewAnswer::Served { .. });
        let body = if served { body } else { Vec::new() };
        let bytes = body.len() as u64;
        let here = match body.is_empty() {
            true => PreviewBody::Nowhere,
            false => PreviewBody::Here { base64: STANDARD.encode(&body) },
        };
        let inline = Previewed { answer: answer.clone(), body: here };
        if fits(&request_id, &inline) {
            self.previewed(request_id, inline);
            return Ok(());
        }
        let stored = Previewed { answer, body: PreviewBody::Stored { bytes } };
        let Some(url) = answer_url.filter(|_| bytes > 0 && fits(&request_id, &stored)) else {
            self.previewed(request_id, PreviewFailure::TooLarge.into());
            return Ok(());
        };
        let (client, done) = (self.client.clone(), self.done.clone());
        tokio::spawn(async move {
            let previewed = match transfer::put_bytes(&client, body, &url).await {
                Ok(()) => stored,
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "an answer was not uploaded");
                    PreviewFailure::Broken.into()
                }
            };
            let _ = done.send(Done::Preview(Moved::Put { request_id, previewed })).await;
        });
        Ok(())
    }

    fn previewed(&mut self, request_id: String, previewed: Previewed) {
        self.say_if_up(&FromAgent::Previewed { request_id, previewed });
    }

    /// Handles the supervisor's end, which ends the services too.
    pub(super) fn previews_failed(&mut self) {
        for (_, open) in std::mem::take(&mut self.previews.open) {
            self.previewed(open.request_id, PreviewFailure::NotListening.into());
        }
    }
}

impl Previews {
    /// Appends a part of an answer's body.
    pub fn part(&mut self, job: u64, data: &[u8]) {
        let Some(open) = self.open.get_mut(&job) else { return };
        if open.body.len() + data.len() > ANSWER_BYTES {
            open.too_large = true;
            open.body = Vec::new();
        }
        if !open.too_large {
            open.body.extend_from_slice(data);
        }
    }
}

fn fits(request_id: &str, previewed: &Previewed) -> bool {
    let (request_id, previewed) = (request_id.to_owned(), previewed.clone());
    let frame = serde_json::to_string(&FromAgent::Previewed { request_id, previewed });
    frame.is_ok_and(|frame| frame.len() <= FRAME_BYTES)
}
