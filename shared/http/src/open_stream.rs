//! Limits the event streams that an installation has open at once.
//!
//! Only an [`OpenStream`], which holds a place, makes a stream. At the stream's end, the place is freed before the last
//! byte goes out. If a reader disconnects, the place is freed when the function notices, or else after the stream's longest
//! life.

use crate::{ApiError, HeldPlace};
use axum::http::StatusCode;
use domain::InstallationId;
use settings::{ConfigError, count_or};
use std::time::Duration;
use store::Table;
use store::places::{Places, Whose};

/// The most open streams of one installation, unless the operator sets another limit.
const STREAMS_PER_INSTALLATION: u32 = 20;

/// The most that an operator can set, here and in the template: opening a stream reads all places.
const MAX_STREAMS: u32 = 1_000;

/// Opens streams.
#[derive(Clone, Debug)]
pub struct OpenStreams {
    places: Places,
    most: u32,
}

/// The place of one open stream.
#[derive(Debug)]
pub struct OpenStream(HeldPlace);

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
        Ok(Self { places: Places::new(table), most })
    }

    /// A place for a stream with this longest life, or 429 if all places are taken.
    pub async fn open(
        &self,
        installation: InstallationId,
        longest: Duration,
    ) -> Result<OpenStream, ApiError> {
        let whose = Whose::Streams(installation);
        let place = HeldPlace::take(&self.places, whose, self.most, longest).await?;
        place.map(OpenStream).ok_or_else(|| too_many(self.most))
    }
}

impl OpenStream {
    /// Frees the place. A caller that cannot make a stream after all calls this before it answers; a stream does so
    /// itself.
    pub async fn close(self) {
        self.0.give_back().await;
    }
}

fn too_many(most: u32) -> ApiError {
    let detail = format!(
        "{most} live connections are open in your account, which is the limit. Close a tab and try again."
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail)
}
