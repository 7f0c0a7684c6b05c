//! Avatars: a mirrored pattern of five by five squares, made from the account's id.

use super::state::GitHub;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Shows an account's avatar.
pub async fn show(State(github): State<GitHub>, Path(id): Path<u64>) -> Response {
    if !github.is_account(id) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let headers =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=3600")];
    (headers, draw(id)).into_response()
}

fn draw(id: u64) -> String {
    let digest = Sha256::digest(id.to_be_bytes());
    let hue = u32::from(digest[0]) * 360 / 256;
    let mut squares = String::new();
    for row in 0..5usize {
        for column in 0..3usize {
            if digest[1 + row * 3 + column] % 2 == 0 {
                continue;
            }
            for x in [column, 4 - column] {
                let _ = write!(squares, "<rect x=\"{x}\" y=\"{row}\" width=\"1\" height=\"1\"/>");
            }
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 -1 7 7\" shape-rendering=\"crispEdges\">\
         <rect x=\"-1\" y=\"-1\" width=\"7\" height=\"7\" fill=\"hsl({hue} 30% 92%)\"/>\
         <g fill=\"hsl({hue} 55% 45%)\">{squares}</g></svg>"
    )
}
