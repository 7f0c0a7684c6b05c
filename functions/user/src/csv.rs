//! Streams the whole history as a file, page by page, so that a history of any length never has to fit in memory.

use crate::transactions::Transaction;
use async_stream::try_stream;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::InstallationId;
use futures::Stream;
use http_kit::csv_cell;
use store::StoreError;
use store::ledger::Ledger;

/// Lines read at once.
const PAGE: usize = 500;
const COLUMNS: &str = "id,created_at,type,amount,payment_method,status,description,project_id\r\n";

/// The file as a streamed download.
pub(crate) fn download(ledger: Ledger, installation: InstallationId) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"groundcrew-transactions.csv\""),
        (CACHE_CONTROL, "private, no-store"),
    ];
    (headers, Body::from_stream(lines(ledger, installation))).into_response()
}

fn lines(
    ledger: Ledger,
    installation: InstallationId,
) -> impl Stream<Item = Result<String, StoreError>> {
    try_stream! {
        yield COLUMNS.to_owned();
        let mut cursor = None;
        loop {
            let page = ledger.page(installation, cursor.as_ref(), PAGE).await?;
            let text: String = page.rows.iter().map(Transaction::of).map(|t| line(&t)).collect();
            if !text.is_empty() {
                yield text;
            }
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
    }
}

fn line(transaction: &Transaction) -> String {
    let cells = [
        transaction.id.to_string(),
        transaction.created_at.to_string(),
        transaction.transaction_type.as_str().to_owned(),
        transaction.amount.to_string(),
        transaction.payment_method.clone(),
        transaction.status.as_str().to_owned(),
        transaction.description.clone().unwrap_or_default(),
        transaction.project_id.map(|id| id.to_string()).unwrap_or_default(),
    ];
    format!("{}\r\n", cells.map(|text| csv_cell(&text)).join(","))
}
