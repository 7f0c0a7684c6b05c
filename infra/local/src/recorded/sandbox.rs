//! The recorded state's sandbox, as far as its gateway sees it.
//!
//! A backup, a restore and a preview are orders to a sandbox's agent, and the function that gives one waits until the
//! agent's answer is in the table. With `cargo lambda watch` no agent could connect, because no gateway opens WebSockets
//! there. So the engines keep the recorded connection open and carry these orders out themselves: they upload the zip of
//! the recorded workspace to the presigned address, read the backup to restore from its address, play one service that
//! answers with its only page, and write the row that the function `terminal` would write for the agent's answer. Other
//! orders are accepted but not answered, as if the agent were still working.

use crate::engines::Engines;
use crate::engines::connections::Outgoing;
use crate::names;
use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{ListeningPort, PreviewAnswer, PreviewAsk, PreviewBody, Previewed, ToAgent};
use serde_json::{Map, Value, json};

/// The service's port and program.
const SERVICE: (u16, &str) = (8080, "python3");
/// The service's page.
const PAGE: &str = "<!doctype html><title>orders</title><h1>orders</h1>";

/// A sandbox whose agent is simulated.
#[derive(Clone)]
pub struct Sandbox {
    partition: String,
    connection: String,
}

impl Sandbox {
    /// The sandbox of a row, if the row is a sandbox's and an agent is connected.
    pub fn of(row: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| row.get(name)?.as_str().map(str::to_owned);
        (text("sk")? == "SANDBOX").then_some(())?;
        Some(Self { partition: text("pk")?, connection: text("connection_id")? })
    }

    /// Whether an object is a backup of this sandbox.
    pub fn wrote(&self, key: &str) -> bool {
        let project = self.partition.trim_start_matches("P#").replace('#', "/");
        key.starts_with(&format!("backups/{project}/"))
    }

    /// Opens its connection in place of the earlier one, and answers the orders that arrive.
    pub fn play(self, engines: &Engines, zip: Vec<u8>) {
        let mut orders = engines.connections.reopen(&self.connection);
        let engines = engines.clone();
        tokio::spawn(async move {
            while let Some(Outgoing::Message(order)) = orders.recv().await {
                if let Err(error) = self.obey(&order, &zip, &engines).await {
                    tracing::error!(
                        error = format!("{error:#}"),
                        "the recorded sandbox cannot answer"
                    );
                }
            }
        });
    }

    async fn obey(&self, order: &[u8], zip: &[u8], engines: &Engines) -> Result<()> {
        let (row, answer) = match serde_json::from_slice(order).context("no order")? {
            ToAgent::WorkspaceUpload(backup) => {
                let bytes = upload(&backup.url, zip).await?;
                (format!("TRANSFER#{}", backup.request_id), json!({"bytes": bytes, "error": null}))
            }
            ToAgent::WorkspaceRestore(order) => {
                let bytes = upload(&order.before.url, zip).await?;
                let backup = http()?.get(&order.url).send().await?.error_for_status()?;
                ensure!(backup.bytes().await?.starts_with(b"PK"), "the backup is not a zip");
                (format!("TRANSFER#{}", order.request_id), json!({"bytes": bytes, "error": null}))
            }
            ToAgent::Preview(order) => {
                (format!("PREVIEWED#{}", order.request_id), serde_json::to_value(show(&order.ask))?)
            }
            _ => return Ok(()),
        };
        let mut item = super::fields(answer.as_object().context("no object")?);
        item.insert("pk".to_owned(), json!({"S": self.partition}));
        item.insert("sk".to_owned(), json!({"S": row}));
        item.insert("version".to_owned(), json!({"N": "1"}));
        engines.dynamodb.ask("PutItem", &json!({"TableName": names::TABLE, "Item": item}))?;
        Ok(())
    }
}

/// The answer of the sandbox's service.
fn show(ask: &PreviewAsk) -> Previewed {
    let (port, program) = SERVICE;
    match ask {
        PreviewAsk::Ports => Previewed {
            answer: PreviewAnswer::Ports {
                ports: vec![ListeningPort { port, program: Some(program.to_owned()) }],
            },
            body: PreviewBody::Nowhere,
        },
        PreviewAsk::Fetch(_) => Previewed {
            answer: PreviewAnswer::Served {
                status: 200,
                headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            },
            body: PreviewBody::Here { base64: STANDARD.encode(PAGE) },
        },
    }
}

async fn upload(url: &str, zip: &[u8]) -> Result<usize> {
    http()?.put(url).body(zip.to_vec()).send().await?.error_for_status()?;
    Ok(zip.len())
}

fn http() -> Result<reqwest::Client> {
    Ok(reqwest::Client::builder().no_proxy().build()?)
}
