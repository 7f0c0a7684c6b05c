//! Streams all data of an account as one JSON file, project by project, so that it never has to fit in memory.

use crate::App;
use crate::transactions::Transaction;
use async_stream::try_stream;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::Scope;
use domain::Timestamp;
use futures::Stream;
use serde::Serialize;
use serde_json::json;
use std::error::Error;
use store::sessions::Session;

/// Transactions read at once.
const PAGE: usize = 500;

type Failed = Box<dyn Error + Send + Sync>;

/// The file as a streamed download.
pub(crate) fn download(app: App, session: Session) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CONTENT_DISPOSITION, "attachment; filename=\"groundcrew-account.json\""),
        (CACHE_CONTROL, "private, no-store"),
    ];
    (headers, Body::from_stream(pieces(app, session))).into_response()
}

fn pieces(app: App, session: Session) -> impl Stream<Item = Result<String, Failed>> {
    try_stream! {
        let installation = session.installation_id;
        let mail = app.mail.settings(installation, session.user_id).await?;
        let mail = mail.and_then(|mail| mail.confirmed).map(|confirmed| confirmed.address);
        // Who else has tried to use an account is for its owner alone.
        let guests = match session.shared {
            false => Some(app.guests.get(installation).await?),
            true => None,
        };
        let account = json!({
            "installation_id": installation,
            "user_id": session.user_id,
            "login": session.login,
            "name": session.name,
            "avatar_url": session.avatar_url,
            "signed_in_at": session.signed_in_at,
            "mail": mail,
            "guests": guests,
        });
        let now = text(&Timestamp::now())?;
        yield format!("{{\"exported_at\":{now},\"account\":{account},\"projects\":[");
        let mut comma = "";
        for project in app.projects.list(installation).await? {
            let kept = app.deletions.export(Scope { installation, project: project.id }).await?;
            let project = text(&json!({"project": project, "kept": kept}))?;
            yield format!("{comma}{project}");
            comma = ",";
        }
        yield "],\"transactions\":[".to_owned();
        let (mut cursor, mut comma) = (None, "");
        loop {
            let page = app.ledger.page(installation, cursor.as_ref(), PAGE).await?;
            for transaction in page.rows.iter().map(Transaction::of) {
                let transaction = text(&transaction)?;
                yield format!("{comma}{transaction}");
                comma = ",";
            }
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        yield "]}".to_owned();
    }
}

fn text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(value)
}
