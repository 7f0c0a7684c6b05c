//! Answers of the `awsJson` protocols.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

/// A successful answer.
pub struct JsonReply<T>(pub T);

impl<T: Serialize> IntoResponse for JsonReply<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => respond(StatusCode::OK, body),
            Err(error) => ApiError::internal(&error).into_response(),
        }
    }
}

/// An error as the SDKs read it: `__type` names the error, `message` explains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    kind: &'static str,
    message: String,
    more: serde_json::Map<String, serde_json::Value>,
}

impl ApiError {
    /// An error caused by the caller.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        let (status, more) = (StatusCode::BAD_REQUEST, serde_json::Map::new());
        Self { status, kind, message: message.into(), more }
    }

    /// The same error with another field, for services whose model has one.
    pub fn with(mut self, field: &str, value: serde_json::Value) -> Self {
        self.more.insert(field.to_owned(), value);
        self
    }

    /// A failure of the engine; it names the cause, because its reader runs the engine.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "engine failed");
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            kind: "InternalServerError",
            message: cause.to_string(),
            more: serde_json::Map::new(),
        }
    }

    /// The name of the error in the service's model.
    pub fn kind(&self) -> &'static str {
        self.kind
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for ApiError {}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = json!({"__type": self.kind, "message": self.message});
        if let Some(fields) = body.as_object_mut() {
            fields.extend(self.more);
        }
        respond(self.status, body.to_string().into_bytes())
    }
}

/// Answers with a body that is JSON already.
pub fn respond(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    if let Ok(id) = HeaderValue::from_str(&crate::ids::request_id()) {
        headers.insert("x-amzn-requestid", id);
    }
    response
}
