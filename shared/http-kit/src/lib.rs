#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod address;
mod amount;
mod api;
mod body;
mod cookie;
mod csv;
mod cursor;
mod error;
mod etag;
pub mod github;
pub mod headers;
mod held_place;
mod idempotency;
mod identity;
mod limit;
mod malformed;
mod open_stream;
pub mod openapi;
mod outbound;
mod project_header;
mod request;
mod session_cell;
mod site;
pub mod sse;
mod telemetry;
mod watched_streams;

pub use address::Edge;
pub use amount::JsonNumber;
pub use api::{Api, Routes};
pub use body::Json;
pub use cookie::{CookieName, cookie};
pub use csv::csv_cell;
pub use cursor::with_next_cursor;
pub use domain::ErrorCode;
pub use error::{ApiError, ErrorBody};
pub use etag::{
    conditional, conditional_json, conditional_with, known_tag, stamped_json, unchanged,
};
pub use held_place::HeldPlace;
pub use idempotency::IdempotencyKey;
pub use identity::{Gatekeeper, Identity, OwnPage, SignedIn};
pub use limit::{
    Change, Chat, ClientAddress, Download, Drafts, EventStream, IfCostly, Kind, Limited, Lookup,
    PageEvents, Payment, SharedTimeline, SignIn, SignInEnd, Unsubscribe,
};
pub use open_stream::{OpenStream, OpenStreams};
pub use outbound::{ANSWER_BYTES, AnswerError, Outbound, read_json};
pub use project_header::{Owner, ProjectHeader, QuestionOnProject, project_scope};
pub use request::finish;
pub use site::learn_site;
pub use telemetry::{init as init_telemetry, lines as log_lines};
// For `routes!`.
#[doc(hidden)]
pub use axum::routing::MethodRouter;
#[doc(hidden)]
pub use utoipa_axum;
