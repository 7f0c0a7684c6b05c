//! Limits the event streams that an installation has open at once.
//!
//! Only an [`OpenStream`], which holds a place, makes a stream. At the stream's end, the place is freed before the last
//! byte goes out, because a function may stop running once it has answered. If a reader disconnects, the place is freed
//! when the function notices, or else after the stream's longest life.

use crate::ApiError;
use axum::http::StatusCode;
use domain::InstallationId;
use domain::report::Chain;
use settings::{ConfigError, count_or};
use std::time::Duration;
use store::Table;
use store::streams::{Place, Streams};

/// The most open streams of one installation, unless the operator sets another limit.
const STREAMS_PER_INSTALLATION: u32 = 20;

/// The most that an operator can set, here and in the template: opening a stream reads all places.
const MAX_STREAMS: u32 = 1_000;

/// Opens streams.
#[derive(Clone, Debug)]
pub struct OpenStreams {
    streams: Streams,
    most: u32,
}

/// The place of one open stream.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    place: Option<Place>,
}

impl OpenStreams {
    /// Places in `table`, as many as `STREAMS_PER_INSTALLATION` says.
    pub fn from_env(table: &Table) -> Result<Self, ConfigError> {
        let most = count_or("STREAMS_PER_INSTALLATION", STREAMS_PER_INSTALLATION)?;
        if most > MAX_STREAMS {
            return Err(ConfigError::Invalid {
                name: "STREAMS_PER_INSTALLATION",
                reason: format!("{most} is more than {MAX_STREAMS}"),
            });
        }
        Ok(Self { streams: Streams::new(table), most })
    }

    /// A place for a stream with this longest life, or 429 if all places are taken.
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
    /// Frees the place.
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
        tracing::warn!(error = %Chain(&error), "a closed stream's place could not be freed; it becomes free after the stream's longest life");
    }
}

fn too_many(most: u32) -> ApiError {
    let detail = format!(
        "{most} live connections are open in your account, which is the limit. Close a tab and try again."
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail)
}
