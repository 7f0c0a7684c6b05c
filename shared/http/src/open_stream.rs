//! Event streams that are open: so many for an installation, and no more.
//!
//! A stream is made from an [`OpenStream`], so there is none without a place. The place is given back at the stream's
//! end, before the last byte is out: a function that has answered may not get to run any more. A reader that goes away
//! gives it back, too, when that is noticed; else it is free after the stream's longest life.

use crate::ApiError;
use axum::http::StatusCode;
use domain::InstallationId;
use domain::report::Chain;
use std::time::Duration;
use store::Table;
use store::streams::{Place, Streams};

/// How many streams of one installation are open at once, unless the operator says otherwise.
const STREAMS_PER_INSTALLATION: u32 = 20;

/// The most that an operator can set: whoever opens a stream looks through all places.
const MAX_STREAMS: u32 = 1_000;

/// Opens streams.
#[derive(Clone, Debug)]
pub struct OpenStreams {
    streams: Streams,
    most: u32,
}

/// A stream's place among those that are open.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    place: Option<Place>,
}

impl OpenStreams {
    /// Places in `table`, as many as `STREAMS_PER_INSTALLATION` says. What cannot be read is told and left out.
    pub fn from_env(table: &Table) -> Self {
        let given = std::env::var("STREAMS_PER_INSTALLATION").unwrap_or_default();
        let most = given.parse().ok().filter(|most| *most <= MAX_STREAMS);
        if most.is_none() && !given.is_empty() {
            tracing::error!(given, "STREAMS_PER_INSTALLATION is not a number up to {MAX_STREAMS}");
        }
        Self { streams: Streams::new(table), most: most.unwrap_or(STREAMS_PER_INSTALLATION) }
    }

    /// A place for a stream that lives for so long at most; 429 when all are taken.
    pub async fn open(
        &self,
        installation: InstallationId,
        longest: Duration,
    ) -> Result<OpenStream, ApiError> {
        let seconds = i64::try_from(longest.as_secs()).unwrap_or(i64::MAX / 2).saturating_add(1);
        let place = self.streams.open(installation, self.most, seconds).await?;
        let place = Some(place.ok_or_else(|| too_many(self.most))?);
        Ok(OpenStream { streams: self.streams.clone(), place })
    }
}

impl OpenStream {
    /// Gives the place back.
    pub(crate) async fn close(mut self) {
        if let Some(place) = self.place.take() {
            give_back(&self.streams, &place).await;
        }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        let streams = self.streams.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { give_back(&streams, &place).await });
        }
    }
}

async fn give_back(streams: &Streams, place: &Place) {
    if let Err(error) = streams.close(place).await {
        tracing::warn!(error = %Chain(&error), "a stream's place is free only after its time");
    }
}

fn too_many(most: u32) -> ApiError {
    let detail = format!(
        "{most} live connections are open in your account, the most at once. Close a tab and try again."
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail)
}
