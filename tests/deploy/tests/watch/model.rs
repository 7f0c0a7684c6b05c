//! A model that sends the given text when the test requests it.

use axum::Router;
use axum::response::sse::{Event, Sse};
use axum::routing::post;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc};

/// An OpenAI-compatible server for one completion.
pub struct Model {
    address: SocketAddr,
    words: mpsc::Sender<Option<String>>,
}

impl Model {
    /// Starts it on a free port.
    pub async fn start() -> Self {
        let (words, said) = mpsc::channel(1);
        let said = Arc::new(Mutex::new(said));
        let router = Router::new()
            .route("/v1/chat/completions", post(async move || Sse::new(completion(said))));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, words }
    }

    /// The value for `MODEL_BASE_URL`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Sends one piece of text.
    pub async fn say(&mut self, piece: &str) {
        self.words.send(Some(piece.to_owned())).await.unwrap();
    }

    /// Ends the completion.
    pub async fn finish(&mut self) {
        self.words.send(None).await.unwrap();
    }
}

fn completion(
    said: Arc<Mutex<mpsc::Receiver<Option<String>>>>,
) -> impl futures::Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let mut said = said.lock().await;
        while let Some(Some(piece)) = said.recv().await {
            yield Ok(chunk(json!({"content": piece}), Value::Null, Value::Null));
        }
        let usage = json!({"prompt_tokens": 12, "completion_tokens": 4, "total_tokens": 16});
        yield Ok(chunk(json!({}), json!("stop"), Value::Null));
        yield Ok(chunk(Value::Null, Value::Null, usage));
        yield Ok(Event::default().data("[DONE]"));
    }
}

fn chunk(delta: Value, finish_reason: Value, usage: Value) -> Event {
    let choices = match delta {
        Value::Null => json!([]),
        delta => json!([{"index": 0, "delta": delta, "finish_reason": finish_reason}]),
    };
    let body = json!({"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "told",
                      "choices": choices, "usage": usage});
    Event::default().data(body.to_string())
}
