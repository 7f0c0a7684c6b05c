//! Transfers files to and from presigned addresses.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::body::Bytes;
use futures::StreamExt;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Body, Client, StatusCode};
use tokio::io::AsyncWriteExt;
use tokio::time::{sleep, timeout};
use tokio_util::io::ReaderStream;

/// How often a transfer is attempted.
const TRIES: u32 = 3;

/// The pause before the second attempt; each later pause is longer by as much.
const PAUSE: Duration = Duration::from_millis(500);

/// A transfer that stalls for this long has failed.
const STALL: Duration = Duration::from_secs(30);

/// The largest zipped workspace that is fetched, in bytes.
const FETCHED_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// How long the transfer of a small content may take, since Terraform waits for it.
const SMALL_LIMIT: Duration = Duration::from_secs(60);

/// The HTTP client for all transfers.
pub fn client() -> reqwest::Result<Client> {
    Client::builder()
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(STALL)
        .tcp_nodelay(true)
        .build()
}

/// Uploads a file to an address, within `limit`, and returns its size in bytes.
pub async fn put(
    client: &Client,
    file: &Path,
    kind: &str,
    url: &str,
    limit: Duration,
) -> anyhow::Result<u64> {
    let tries = async {
        let mut tries = Tries::default();
        loop {
            match put_once(client, file, kind, url).await {
                Err(error) if tries.again(&error).await => {}
                done => return done,
            }
        }
    };
    timeout(limit, tries).await.context("took too long")?
}

async fn put_once(client: &Client, file: &Path, kind: &str, url: &str) -> anyhow::Result<u64> {
    let file = tokio::fs::File::open(file).await?;
    let bytes = file.metadata().await?.len();
    let body = Body::wrap_stream(ReaderStream::with_capacity(file, 64 * 1024));
    // The store needs the size in advance, and the stream does not have it.
    let request =
        client.put(url).header(CONTENT_LENGTH, bytes).header(CONTENT_TYPE, kind).body(body);
    accepted(request.send().await)?;
    Ok(bytes)
}

/// Downloads an address into a file.
pub async fn get(client: &Client, url: &str, file: &Path) -> anyhow::Result<()> {
    let mut tries = Tries::default();
    loop {
        match get_once(client, url, file).await {
            Err(error) if tries.again(&error).await => {}
            done => return done,
        }
    }
}

async fn get_once(client: &Client, url: &str, file: &Path) -> anyhow::Result<()> {
    let response = accepted(client.get(url).send().await)?;
    let mut file = tokio::fs::File::create(file).await?;
    let mut body = response.bytes_stream();
    let mut bytes = 0;
    while let Some(part) = body.next().await {
        let part = part.map_err(reqwest::Error::without_url)?;
        bytes += part.len() as u64;
        if bytes > FETCHED_BYTES {
            bail!("is larger than {FETCHED_BYTES} bytes");
        }
        file.write_all(&part).await?;
    }
    Ok(file.flush().await?)
}

/// Uploads a small content to an address.
pub async fn put_bytes(client: &Client, content: Vec<u8>, url: &str) -> anyhow::Result<()> {
    let content = Bytes::from(content);
    let tries = async {
        let mut tries = Tries::default();
        loop {
            let request = client.put(url).header(CONTENT_TYPE, "application/octet-stream");
            match accepted(request.body(content.clone()).send().await) {
                Err(error) if tries.again(&error).await => {}
                done => return done.map(drop),
            }
        }
    };
    timeout(SMALL_LIMIT, tries).await.context("took too long")?
}

/// Fetches a small content from an address.
pub async fn get_bytes(client: &Client, url: &str, most: u64) -> anyhow::Result<Vec<u8>> {
    let tries = async {
        let mut tries = Tries::default();
        loop {
            match get_bytes_once(client, url, most).await {
                Err(error) if tries.again(&error).await => {}
                done => return done,
            }
        }
    };
    timeout(SMALL_LIMIT, tries).await.context("took too long")?
}

async fn get_bytes_once(client: &Client, url: &str, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut body = accepted(client.get(url).send().await)?.bytes_stream();
    let mut content = Vec::new();
    while let Some(part) = body.next().await {
        let part = part.map_err(reqwest::Error::without_url)?;
        if content.len() as u64 + part.len() as u64 > most {
            bail!("is larger than {most} bytes");
        }
        content.extend_from_slice(&part);
    }
    Ok(content)
}

/// Counts failures and pauses after each.
#[derive(Default)]
struct Tries(u32);

impl Tries {
    async fn again(&mut self, error: &anyhow::Error) -> bool {
        self.0 += 1;
        if self.0 >= TRIES {
            return false;
        }
        tracing::warn!(error = format!("{error:#}"), "a transfer failed and is tried again");
        sleep(PAUSE * self.0).await;
        true
    }
}

/// Errors never contain the address: it is signed and grants access to the object.
fn accepted(answer: reqwest::Result<reqwest::Response>) -> anyhow::Result<reqwest::Response> {
    let response = answer.map_err(reqwest::Error::without_url)?;
    match response.status() {
        status if status.is_success() => Ok(response),
        StatusCode::FORBIDDEN => bail!("the address is no longer valid"),
        status => bail!("the store answered {status}"),
    }
}
