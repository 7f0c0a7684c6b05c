//! Serves the site's `/api` from functions that run elsewhere: under `cargo lambda watch`, or deployed.
//!
//! It does what CloudFront does for them: passes the path behind `/api` on unchanged, with the proof that the call came
//! this way and the visitor's address. Answers are streamed as they arrive.

use crate::hops::without_hops;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// The header in which CloudFront proves that a call came through it.
const PROOF: &str = "x-groundcrew-edge";
/// The environment variable that holds the proof; the functions use the same one.
const PROOF_VARIABLE: &str = "EDGE_PROOF";
/// The address that API Gateway appends to `X-Forwarded-For` after the visitor's: a CloudFront server (here an address
/// reserved for documentation).
const EDGE_MACHINE: &str = "198.51.100.1";

#[derive(Clone)]
struct Elsewhere {
    http: reqwest::Client,
    /// Without a trailing slash.
    api: String,
    proof: Option<HeaderValue>,
}

/// Passes requests under `/api` on to the address `api`.
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
