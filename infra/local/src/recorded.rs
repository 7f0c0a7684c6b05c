//! The state in which each recorded payload of `events/` succeeds, stored with them in `events/state.json`.
//!
//! A recorded call names a session, a project, a step, a repository. `cargo dev engines` puts them where the functions look
//! for them, so that `cargo lambda invoke` gets the answer that a browser would. The file is recorded like the payloads:
//! rows as a deployed table holds them. Most payloads change something; `POST /_local/recorded` restores everything, and
//! deletes whatever was added.

mod sandbox;

use crate::engines::Engines;
use crate::github::GitHub;
use crate::{files, names};
use anyhow::{Context, Result};
use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sandbox::Sandbox;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The path of the call that restores the state.
const PATH: &str = "/_local/recorded";

/// The recorded state.
#[derive(Deserialize)]
struct Recording {
    github: AtGitHub,
    /// Objects of the bucket by their keys, in Base64.
    objects: BTreeMap<String, String>,
    /// Partitions in which only calls create rows.
    added: Vec<String>,
    /// Rows of the table.
    items: Vec<Map<String, Value>>,
}

/// A sign-in that has returned from GitHub with a code, and the account on which the App is installed.
#[derive(Deserialize)]
struct AtGitHub {
    login: String,
    code: String,
    /// The callback address it was sent to.
    redirect_uri: String,
    /// The installation that the calls name.
    installation: u64,
    /// The organization that it belongs to.
    organization: String,
    /// The organization's repositories: their files by path.
    repositories: BTreeMap<String, BTreeMap<String, String>>,
}

/// Puts the state of a file into the engines and GitHub; the returned router does it again.
pub fn play(file: &Path, engines: &Engines, github: &GitHub) -> Result<Router> {
    let name = || format!("cannot read {}", file.display());
    let recording: Recording = files::read_json(file).with_context(name)?.with_context(name)?;
    let played = Arc::new((recording, engines.clone(), github.clone()));
    put(&played.0, engines, github)?;
    let again = move || async move {
        let put = tokio::task::spawn_blocking(move || put(&played.0, &played.1, &played.2)).await;
        answer(put.map_err(anyhow::Error::from).and_then(|put| put))
    };
    Ok(Router::new().route(PATH, post(again)))
}

fn answer(put: Result<()>) -> Response {
    match put {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "could not restore the recorded state");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn put(recording: &Recording, engines: &Engines, github: &GitHub) -> Result<()> {
    let AtGitHub { login, code, redirect_uri, installation, organization, repositories } =
        &recording.github;
    github.recorded_code(login, code, redirect_uri);
    github.recorded_installation(login, *installation, organization);
    for (name, files) in repositories {
        github.code().record(organization, name, files)?;
    }
    for (key, bytes) in &recording.objects {
        engines.s3.put(names::BUCKET, key, &STANDARD.decode(bytes)?)?;
    }
    let partitions = recording.items.iter().filter_map(|item| item.get("pk")?.as_str());
    let added = recording.added.iter().map(String::as_str);
    for partition in partitions.chain(added).collect::<BTreeSet<_>>() {
        empty(engines, partition)?;
    }
    for item in &recording.items {
        let item = fields(item);
        engines.dynamodb.ask("PutItem", &json!({"TableName": names::TABLE, "Item": item}))?;
    }
    for sandbox in recording.items.iter().filter_map(Sandbox::of) {
        let zip = recording.objects.iter().find(|(key, _)| sandbox.wrote(key));
        let (_, zip) = zip.context("a recorded sandbox has no backup")?;
        sandbox.play(engines, STANDARD.decode(zip)?);
    }
    Ok(())
}

/// Deletes every row of a partition.
fn empty(engines: &Engines, partition: &str) -> Result<()> {
    let rows = engines.dynamodb.ask(
        "Query",
        &json!({
            "TableName": names::TABLE,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
        }),
    )?;
    for row in rows["Items"].as_array().into_iter().flatten() {
        let key = json!({"pk": row["pk"], "sk": row["sk"]});
        engines.dynamodb.ask("DeleteItem", &json!({"TableName": names::TABLE, "Key": key}))?;
    }
    Ok(())
}

/// Fields in the form that DynamoDB accepts.
fn fields(item: &Map<String, Value>) -> Map<String, Value> {
    item.iter().map(|(name, value)| (name.clone(), attribute(value))).collect()
}

/// A value in DynamoDB's own JSON.
fn attribute(value: &Value) -> Value {
    match value {
        Value::Null => json!({"NULL": true}),
        Value::Bool(yes) => json!({"BOOL": yes}),
        Value::Number(number) => json!({"N": number.to_string()}),
        Value::String(text) => json!({"S": text}),
        Value::Array(list) => json!({"L": list.iter().map(attribute).collect::<Vec<_>>()}),
        Value::Object(object) => json!({"M": fields(object)}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_a_dynamodb_attribute() {
        let plain = json!({"a": [1, "x", null], "b": {"c": true}});
        assert_eq!(
            attribute(&plain),
            json!({"M": {
                "a": {"L": [{"N": "1"}, {"S": "x"}, {"NULL": true}]},
                "b": {"M": {"c": {"BOOL": true}}},
            }})
        );
    }
}
