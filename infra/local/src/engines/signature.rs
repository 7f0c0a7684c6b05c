//! Lets only those call the engines who sign with the local credential and use a name of this machine.
//!
//! The engines listen only on this machine, but that does not keep web pages in a browser here from calling them: a
//! page whose own host name resolves to 127.0.0.1 can read their answers as its own (DNS rebinding). Such a call has
//! the page's name as its `Host` and no signature. S3 checks its own signatures, including those of presigned
//! addresses; this module checks the JSON protocols' and API Gateway's as AWS does: the signature covers method, path,
//! headers and body, and is no more than fifteen minutes old.

use super::{ApiError, CALL_BYTES};
use crate::host;
use crate::names;
use aws_credential_types::Credentials;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header, request::Parts};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::{Duration, SystemTime};
use time::PrimitiveDateTime;
use time::macros::format_description;

/// How far a signature's time may differ from this machine's: AWS's own fifteen minutes.
const SKEW: Duration = Duration::from_secs(15 * 60);
/// The prefix of a signature.
const ALGORITHM: &str = "AWS4-HMAC-SHA256 ";

/// Why a call is refused: AWS's error code and message.
type Refusal = (&'static str, &'static str);

const UNKNOWN: Refusal =
    ("UnrecognizedClientException", "The security token included in the request is invalid.");
const INCOMPLETE: Refusal = (
    "IncompleteSignatureException",
    "The request is not signed completely: host, x-amz-date and every x-amz header must be signed.",
);
const EXPIRED: Refusal = (
    "InvalidSignatureException",
    "Signature expired or not yet current: its time is more than 15 minutes from now.",
);
const WRONG: Refusal = (
    "InvalidSignatureException",
    "The request signature we calculated does not match the signature you provided. \
     Check your AWS Secret Access Key and signing method.",
);
const FOREIGN: Refusal = ("AccessDeniedException", "Call the engines as 127.0.0.1 or localhost.");

/// Refuses a call whose `Host` is not a name of this machine.
pub async fn local_host(request: Request, next: Next) -> Response {
    match host::names_only(&request, host::is_local) {
        true => next.run(request).await,
        false => refuse(FOREIGN),
    }
}

/// Refuses a call that was not signed with the local credential.
pub async fn signed(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, CALL_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    match check(&parts, &body, SystemTime::now()) {
        Ok(()) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(refusal) => refuse(refusal),
    }
}

fn refuse((kind, message): Refusal) -> Response {
    (StatusCode::FORBIDDEN, ApiError::new(kind, message)).into_response()
}

/// The fields of an `Authorization` header.
struct Claim<'a> {
    day: &'a str,
    region: &'a str,
    service: &'a str,
    headers: Vec<&'a str>,
    signature: &'a str,
}

impl<'a> Claim<'a> {
    /// Parses the header of a call with the local access key.
    fn of(headers: &'a HeaderMap) -> Result<Self, Refusal> {
        let stated = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let stated = stated.and_then(|value| value.strip_prefix(ALGORITHM)).ok_or(UNKNOWN)?;
        let field = |name: &str| {
            let mut fields = stated.split(',').map(str::trim);
            fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        let scope: Vec<_> = field("Credential").ok_or(UNKNOWN)?.split('/').collect();
        let [names::CREDENTIAL, day, region, service, "aws4_request"] = scope[..] else {
            return Err(UNKNOWN);
        };
        let headers = field("SignedHeaders").ok_or(INCOMPLETE)?.split(';').collect();
        let signature = field("Signature").ok_or(INCOMPLETE)?;
        Ok(Self { day, region, service, headers, signature })
    }

    /// Whether everything that affects the call is signed.
    fn covers(&self, headers: &HeaderMap) -> bool {
        let decides = |name: &&str| *name == "host" || name.starts_with("x-amz-");
        headers.keys().map(|name| name.as_str()).filter(decides).all(|n| self.headers.contains(&n))
    }
}

fn check(parts: &Parts, body: &[u8], now: SystemTime) -> Result<(), Refusal> {
    let claim = Claim::of(&parts.headers)?;
    if !claim.covers(&parts.headers) {
        return Err(INCOMPLETE);
    }
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let (date, host) = (text("x-amz-date").ok_or(INCOMPLETE)?, text("host").ok_or(INCOMPLETE)?);
    let form = format_description!("[year][month][day]T[hour][minute][second]Z");
    let at = PrimitiveDateTime::parse(date, form).map_err(|_| INCOMPLETE)?;
    let at = SystemTime::from(at.assume_utc());
    let apart = now.duration_since(at).unwrap_or_else(|early| early.duration());
    if apart > SKEW || !date.starts_with(claim.day) {
        return Err(EXPIRED);
    }
    let signed = claim.headers.iter().map(|name| Some((*name, text(name)?)));
    let signed: Vec<_> = signed.collect::<Option<_>>().ok_or(INCOMPLETE)?;
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let address = format!("http://{host}{path}");
    let expected = expected(&claim, parts.method.as_str(), &address, signed, body, at);
    let expected = expected.ok_or(WRONG)?;
    verify_slices_are_equal(expected.as_bytes(), claim.signature.as_bytes()).map_err(|_| WRONG)
}

/// The signature that the call would carry if it was signed with the local secret.
fn expected(
    claim: &Claim<'_>,
    method: &str,
    address: &str,
    headers: Vec<(&str, &str)>,
    body: &[u8],
    at: SystemTime,
) -> Option<String> {
    let identity =
        Credentials::new(names::CREDENTIAL, names::CREDENTIAL, None, None, "local").into();
    let mut settings = SigningSettings::default();
    settings.excluded_headers = None;
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(claim.region)
        .name(claim.service)
        .time(at)
        .settings(settings)
        .build()
        .ok()?
        .into();
    let headers = headers.into_iter().filter(|(name, _)| *name != "x-amz-date");
    let body = SignableBody::Bytes(body);
    let request = SignableRequest::new(method, address, headers, body).ok()?;
    Some(sign(request, &params).ok()?.signature().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"{}";

    /// A call that was signed this long ago with this secret.
    fn call(secret: &str, ago: Duration) -> Parts {
        let headers =
            [("host", "127.0.0.1:3001"), ("x-amz-target", "DynamoDB_20120810.ListTables")];
        let identity = Credentials::new(names::CREDENTIAL, secret, None, None, "test").into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(names::REGION)
            .name("dynamodb")
            .time(SystemTime::now() - ago)
            .settings(SigningSettings::default())
            .build()
            .unwrap()
            .into();
        let (address, body) = ("http://127.0.0.1:3001/a%3D?b=c", SignableBody::Bytes(BODY));
        let request = SignableRequest::new("POST", address, headers.into_iter(), body).unwrap();
        let (instructions, _) = sign(request, &params).unwrap().into_parts();
        let call = headers.into_iter().chain(instructions.headers());
        let call =
            call.fold(axum::http::Request::post("/a%3D?b=c"), |call, (n, v)| call.header(n, v));
        call.body(()).unwrap().into_parts().0
    }

    fn judge(call: &Parts) -> Result<(), Refusal> {
        check(call, BODY, SystemTime::now())
    }

    #[test]
    fn a_call_signed_with_the_local_secret_passes() {
        assert_eq!(judge(&call("local", Duration::ZERO)), Ok(()));
        assert_eq!(judge(&call("local", SKEW - Duration::from_secs(5))), Ok(()));
    }

    #[test]
    fn a_call_signed_with_another_secret_or_too_long_ago_is_refused() {
        assert_eq!(judge(&call("secret", Duration::ZERO)), Err(WRONG));
        assert_eq!(judge(&call("local", SKEW + Duration::from_secs(5))), Err(EXPIRED));
    }

    #[test]
    fn a_call_that_was_changed_after_signing_is_refused() {
        let signed = call("local", Duration::ZERO);
        assert_eq!(check(&signed, b"{ }", SystemTime::now()), Err(WRONG));
        let mut moved = signed.clone();
        moved.uri = "/a%3D?b=d".parse().unwrap();
        assert_eq!(judge(&moved), Err(WRONG));
        for (name, value) in
            [("host", "rebound.example"), ("x-amz-target", "DynamoDB_20120810.Scan")]
        {
            let mut changed = signed.clone();
            changed.headers.insert(name, value.parse().unwrap());
            assert_eq!(judge(&changed), Err(WRONG), "{name}");
        }
        let mut added = signed.clone();
        added.headers.insert("x-amz-more", "1".parse().unwrap());
        assert_eq!(judge(&added), Err(INCOMPLETE));
        let mut bare = signed;
        bare.headers.remove("authorization");
        assert_eq!(judge(&bare), Err(UNKNOWN));
    }
}
