//! The site's `/api` when the functions run elsewhere: under `cargo lambda watch`, or deployed.
//!
//! What CloudFront does for them is done here: the path behind `/api` is passed on as it is, with the proof that the call
//! came this way and the visitor's address. Answers are passed on piece by piece as they come.

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// The header in which CloudFront proves that a call came through it.
const PROOF: &str = "x-groundcrew-edge";
/// The variable that holds the proof, as it does for the functions.
const PROOF_VARIABLE: &str = "EDGE_PROOF";
/// What a connection is about, and not the call.
const HOP_BY_HOP: [header::HeaderName; 4] =
    [header::CONNECTION, header::HOST, header::TRANSFER_ENCODING, header::CONTENT_LENGTH];
/// What API Gateway adds to `X-Forwarded-For` behind the visitor: a machine of CloudFront's (an address for documentation).
const EDGE_MACHINE: &str = "198.51.100.1";

#[derive(Clone)]
struct Elsewhere {
    http: reqwest::Client,
    /// Without a slash at its end.
    api: String,
    proof: Option<HeaderValue>,
}

/// Passes what is under `/api` on to the address `api`.
pub fn gateway(api: &str) -> anyhow::Result<Router> {
    let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let proof = std::env::var(PROOF_VARIABLE).ok().map(|proof| HeaderValue::from_str(&proof));
    let elsewhere = Elsewhere {
        http: http.build()?,
        api: api.trim_end_matches('/').to_owned(),
        proof: proof.transpose()?,
    };
    Ok(Router::new().nest("/api", Router::new().fallback(pass_on).with_state(elsewhere)))
}

async fn pass_on(State(elsewhere): State<Elsewhere>, request: Request) -> Response {
    let visitor = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut headers = without_hops(parts.headers);
    headers.remove(PROOF);
    if let Some(proof) = elsewhere.proof {
        headers.insert(PROOF, proof);
    }
    if let Some(Ok(chain)) =
        visitor.map(|ip| HeaderValue::from_str(&format!("{ip}, {EDGE_MACHINE}")))
    {
        headers.insert("x-forwarded-for", chain);
    }
    let call = elsewhere.http.request(parts.method, format!("{}{path}", elsewhere.api));
    match call
        .headers(headers)
        .body(reqwest::Body::wrap_stream(body.into_data_stream()))
        .send()
        .await
    {
        Ok(answer) => {
            let (status, headers) = (answer.status(), without_hops(answer.headers().clone()));
            (status, headers, Body::from_stream(answer.bytes_stream())).into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "the functions do not answer");
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}

/// Headers without those of the connection.
pub fn without_hops(mut headers: HeaderMap) -> HeaderMap {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    headers
}
