//! DynamoDB: dynoxide over an SQLite file.
//!
//! The file is in WAL mode, so a call that was answered survives a kill of this process. Writes are not flushed to disk
//! one by one (`synchronous = NORMAL`): a power failure may lose the last moments, as is usual on a development
//! machine, and in exchange writes take microseconds instead of milliseconds.

mod meter;

use super::wire::{ApiError, respond};
use anyhow::{Context, Result};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dynoxide::{Database, DynoxideError};
use meter::Meter;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The DynamoDB engine.
#[derive(Clone)]
pub struct DynamoDb {
    database: Database,
    meter: Meter,
}

impl DynamoDb {
    /// Opens or creates the database file.
    pub fn open(file: &Path) -> Result<Self> {
        let path = file.to_str().context("the data folder's path is not UTF-8")?;
        let database =
            Database::new(path).map_err(|e| anyhow::anyhow!("cannot open {path}: {e}"))?;
        // Leaving dynoxide's bulk mode is its way of setting `synchronous = NORMAL`.
        database
            .disable_bulk_loading()
            .map_err(|e| anyhow::anyhow!("cannot set up {path}: {e}"))?;
        Ok(Self { database, meter: Meter::default() })
    }

    /// The call counters for tests.
    pub fn metering(&self) -> axum::Router {
        self.meter.router()
    }

    /// Answers one call on a thread that may block.
    pub async fn answer(&self, operation: &str, body: Bytes) -> Response {
        let reading = self.meter.begin(operation, &body);
        let body = reading.as_ref().map_or(body, meter::Reading::body);
        let (database, name) = (self.database.clone(), operation.to_owned());
        let answer = tokio::task::spawn_blocking(move || call(&database, &name, &body)).await;
        if let Some(reading) = reading {
            reading.end(answer.as_ref().ok().and_then(|reply| reply.as_ref().ok())).await;
        }
        match answer {
            Ok(Ok(reply)) => respond(StatusCode::OK, reply),
            Ok(Err(error)) => refuse(operation, &error),
            Err(error) => ApiError::internal(&error).into_response(),
        }
    }

    /// Creates the table unless it exists: string keys `pk` and `sk`, on demand, items expire at `expires_at`.
    pub fn create_table(&self, table: &str) -> Result<()> {
        let create = serde_json::json!({
            "TableName": table,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
        });
        match call(&self.database, "CreateTable", create.to_string().as_bytes()) {
            Ok(_) => {}
            Err(DynoxideError::ResourceInUseException(_)) => return Ok(()),
            Err(error) => anyhow::bail!("cannot create the table: {error}"),
        }
        let expire = serde_json::json!({
            "TableName": table,
            "TimeToLiveSpecification": {"AttributeName": "expires_at", "Enabled": true},
        });
        call(&self.database, "UpdateTimeToLive", expire.to_string().as_bytes())
            .map_err(|error| anyhow::anyhow!("cannot set the table's expiry: {error}"))?;
        Ok(())
    }

    /// Answers a call from the stack itself; it blocks.
    pub fn ask(&self, operation: &str, ask: &serde_json::Value) -> Result<serde_json::Value> {
        let reply = call(&self.database, operation, ask.to_string().as_bytes())
            .map_err(|error| anyhow::anyhow!("{operation}: {error}"))?;
        Ok(serde_json::from_slice(&reply)?)
    }

    /// Deletes expired items. DynamoDB itself may do so days later: no reader may rely on it.
    pub async fn expire(&self) {
        let database = self.database.clone();
        match tokio::task::spawn_blocking(move || database.sweep_ttl()).await {
            Ok(Ok(0)) => {}
            Ok(Ok(items)) => tracing::debug!(items, "expired items deleted"),
            Ok(Err(error)) => tracing::warn!(%error, "expired items were not deleted"),
            Err(error) => tracing::warn!(%error, "expired items were not deleted"),
        }
    }
}

fn refuse(operation: &str, error: &DynoxideError) -> Response {
    let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::BAD_REQUEST);
    // A failed condition is an answer, not an error.
    tracing::debug!(operation, %error, "DynamoDB refused");
    respond(status, error.to_json().into_bytes())
}

fn call(db: &Database, operation: &str, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
    match operation {
        "GetItem" => run(body, |request| db.get_item(request)),
        "PutItem" => run(body, |request| db.put_item(request)),
        "UpdateItem" => run(body, |request| db.update_item(request)),
        "DeleteItem" => run(body, |request| db.delete_item(request)),
        "Query" => run(body, |request| db.query(request)),
        "Scan" => run(body, |request| db.scan(request)),
        "BatchGetItem" => run(body, |request| db.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| db.batch_write_item(request)),
        "TransactGetItems" => run(body, |request| db.transact_get_items(request)),
        "TransactWriteItems" => run(body, |request| db.transact_write_items(request)),
        "CreateTable" => run(body, |request| db.create_table(request)),
        "DeleteTable" => run(body, |request| db.delete_table(request)),
        "DescribeTable" => run(body, |request| db.describe_table(request)),
        "ListTables" => run(body, |request| db.list_tables(request)),
        "UpdateTimeToLive" => run(body, |request| db.update_time_to_live(request)),
        "DescribeTimeToLive" => run(body, |request| db.describe_time_to_live(request)),
        _ => Err(DynoxideError::ValidationException(format!(
            "the local stack does not support {operation}"
        ))),
    }
}

fn run<Request: DeserializeOwned, Reply: Serialize>(
    body: &[u8],
    operation: impl FnOnce(Request) -> Result<Reply, DynoxideError>,
) -> Result<Vec<u8>, DynoxideError> {
    let request = serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))?;
    let reply = operation(request)?;
    serde_json::to_vec(&reply)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// dynoxide's deserializers mark errors that DynamoDB reports as invalid values rather than as unreadable requests.
fn unreadable(message: &str) -> DynoxideError {
    let marked = ["VALIDATION_REQUEST:", "VALIDATION_AS_READ:", "VALIDATION:"]
        .iter()
        .find_map(|mark| message.strip_prefix(mark));
    match marked {
        Some(invalid) => DynoxideError::ValidationException(invalid.to_owned()),
        None => DynoxideError::SerializationException(message.to_owned()),
    }
}
