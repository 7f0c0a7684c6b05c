//! `SendEmail`, with the checks that SES makes before it accepts a letter.

use super::{Letter, Ses, now};
use crate::ids;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

/// The path of the call.
pub const PATH: &str = "/v2/email/outbound-emails";
/// How many recipients a letter may have: SES's own limit.
const MAX_RECIPIENTS: usize = 50;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SendEmail {
    from_email_address: String,
    destination: Destination,
    content: Content,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Destination {
    to_addresses: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Content {
    simple: Simple,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Simple {
    subject: Part,
    body: Body,
    #[serde(default)]
    headers: Vec<Header>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Body {
    text: Part,
    html: Part,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Part {
    data: String,
    #[serde(default)]
    charset: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Header {
    name: String,
    value: String,
}

/// Accepts a letter.
pub async fn send(
    State(ses): State<Ses>,
    call: Result<Json<SendEmail>, JsonRejection>,
) -> Response {
    let call = match call {
        Ok(Json(call)) => call,
        Err(rejection) => return bad(&rejection.body_text()),
    };
    if let Err(why) = check(&call) {
        return bad(why);
    }
    let Simple { subject, body, headers } = call.content.simple;
    let letter = Letter {
        id: ids::task_id(),
        sent: now(),
        from: call.from_email_address,
        to: call.destination.to_addresses,
        subject: subject.data,
        text: body.text.data,
        html: body.html.data,
        headers: headers.into_iter().map(|header| (header.name, header.value)).collect(),
    };
    match ses.take(letter) {
        Some(id) => Json(json!({"MessageId": id})).into_response(),
        None => refused(
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequestsException",
            "Maximum sending rate exceeded.",
        ),
    }
}

fn check(call: &SendEmail) -> Result<(), &'static str> {
    let Simple { subject, body, headers } = &call.content.simple;
    let one_line = |text: &str| !text.contains(['\r', '\n']);
    let to = &call.destination.to_addresses;
    if to.is_empty() || to.len() > MAX_RECIPIENTS || !to.iter().all(|to| to.contains('@')) {
        return Err("Destination: between 1 and 50 addresses are needed.");
    }
    if !one_line(&subject.data)
        || !one_line(&call.from_email_address)
        || !to.iter().all(|to| one_line(to))
    {
        return Err("Control characters are not allowed in a header.");
    }
    let named = |header: &Header| HeaderName::try_from(header.name.as_str()).is_ok();
    let valued = |header: &Header| HeaderValue::try_from(header.value.as_str()).is_ok();
    if !headers.iter().all(|header| named(header) && valued(header)) {
        return Err("A header has characters that are not allowed.");
    }
    // Without a charset, SES treats a part as 7-bit ASCII.
    let parts = [subject, &body.text, &body.html];
    let readable = |part: &&Part| part.charset.as_deref() == Some("UTF-8") || part.data.is_ascii();
    parts.iter().all(readable).then_some(()).ok_or("A part is not in the charset that it names.")
}

fn bad(why: &str) -> Response {
    refused(StatusCode::BAD_REQUEST, "BadRequestException", why)
}

/// An error as the SDKs read it in the REST protocol.
fn refused(status: StatusCode, kind: &'static str, message: &str) -> Response {
    let body = Json(json!({"message": message}));
    (status, [("x-amzn-errortype", kind)], body).into_response()
}
