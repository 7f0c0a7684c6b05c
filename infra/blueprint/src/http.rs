//! The endpoint's two routes.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;

use crate::conversation::Conversation;
use crate::{roles, stream, wire};

/// The only model that this endpoint serves.
pub const MODEL_ID: &str = "blueprint-1";

/// Size limit of a request, which is a conversation of text: 8 MiB is far above any context window.
const REQUEST_BYTES: usize = 8 * 1024 * 1024;

/// Serves `POST /v1/chat/completions` and `GET /v1/models`.
///
/// `pace` is the time between two pieces of a streamed text: [`PACE`](crate::PACE) for people, zero for tests.
pub fn routes(pace: Duration) -> axum::Router {
    axum::Router::new()
        .route("/v1/chat/completions", post(move |body| chat_completions(body, pace)))
        .route("/v1/models", get(models))
        .layer(DefaultBodyLimit::max(REQUEST_BYTES))
}

async fn models() -> Response {
    let model = json!({"id": MODEL_ID, "object": "model", "created": 0, "owned_by": "groundcrew"});
    Json(json!({"object": "list", "data": [model]})).into_response()
}

async fn chat_completions(body: Bytes, pace: Duration) -> Response {
    match complete(&body, pace) {
        Ok(response) => response,
        Err(refusal) => refusal.into_response(),
    }
}

fn complete(body: &[u8], pace: Duration) -> Result<Response, Refusal> {
    let request: wire::ChatRequest = serde_json::from_slice(body)
        .map_err(|error| Refusal::invalid(format!("The request could not be read: {error}")))?;
    if request.model != MODEL_ID {
        return Err(Refusal::unknown_model(&request.model));
    }
    let options = request.options();
    let conversation = Conversation::read(request).map_err(Refusal::invalid)?;
    let reply = roles::answer(&conversation);
    let completion = wire::Completion::new(&conversation, reply, &options);
    Ok(if options.stream {
        stream::sse(completion, options.include_usage, pace).into_response()
    } else {
        Json(completion.whole()).into_response()
    })
}

/// An error in the shape that clients of this protocol expect.
struct Refusal {
    status: StatusCode,
    code: Option<&'static str>,
    message: String,
}

impl Refusal {
    fn invalid(message: String) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, code: None, message }
    }

    fn unknown_model(model: &str) -> Refusal {
        Refusal {
            status: StatusCode::NOT_FOUND,
            code: Some("model_not_found"),
            message: format!("There is no model `{model}` here, only `{MODEL_ID}`."),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = json!({
            "message": self.message,
            "type": "invalid_request_error",
            "param": null,
            "code": self.code,
        });
        (self.status, Json(json!({"error": error}))).into_response()
    }
}
