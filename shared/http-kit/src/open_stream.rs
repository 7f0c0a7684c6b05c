//! Limits the event streams that an installation has open at once; for streams that cost nothing, also those of a user and
//! of an address.
//!
//! Only an [`OpenStream`], which holds the places, makes a stream. At the stream's end, the places are freed before the
//! last byte goes out. If a reader disconnects, they are freed when the function notices, or else after the stream's
//! longest life.

use crate::{ApiError, ClientAddress, ErrorCode, HeldPlace};
use axum::http::StatusCode;
use domain::InstallationId;
use futures::future::join_all;
use settings::{ConfigError, count_or};
use std::time::Duration;
use store::Table;
use store::places::{Places, Whose};

/// The most open streams of one installation, unless the operator sets another limit.
const STREAMS_PER_INSTALLATION: u32 = 20;

/// The most that an operator can set, here and in the template: opening a stream reads all places.
const MAX_STREAMS: u32 = 1_000;

/// How many times as many streams one address may have open as one installation: people share an address.
const ADDRESS_SHARE: u32 = 2;

/// Opens streams.
#[derive(Clone, Debug)]
pub struct OpenStreams {
    places: Places,
    most: u32,
}

/// The places of one open stream.
#[derive(Debug)]
pub struct OpenStream(Vec<HeldPlace>);

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
        self.take(vec![self.of_account(installation)], longest).await
    }

    /// The same for a stream that costs its reader nothing. A person may have any number of accounts, so the user and the
    /// address have their own places, unless the stream ends at once.
    pub async fn open_unpaid(
        &self,
        installation: InstallationId,
        user_id: u64,
        ClientAddress(address): ClientAddress,
        longest: Duration,
    ) -> Result<OpenStream, ApiError> {
        let mut whose = vec![self.of_account(installation)];
        if !longest.is_zero() {
            whose.push((Whose::StreamsOfUser(user_id), self.most, "in your accounts"));
            let most = self.most.saturating_mul(ADDRESS_SHARE);
            whose.push((Whose::StreamsOfAddress(address), most, "in your network"));
        }
        self.take(whose, longest).await
    }

    fn of_account(&self, installation: InstallationId) -> (Whose, u32, &'static str) {
        (Whose::Streams(installation), self.most, "in your account")
    }

    /// One place of each of these, of which there are so many.
    async fn take(
        &self,
        whose: Vec<(Whose, u32, &'static str)>,
        longest: Duration,
    ) -> Result<OpenStream, ApiError> {
        let mut open = OpenStream(Vec::new());
        for (whose, most, place) in whose {
            let Some(held) = HeldPlace::take(&self.places, whose, most, longest).await? else {
                open.close().await;
                return Err(too_many(most, place));
            };
            open.0.push(held);
        }
        Ok(open)
    }
}

impl OpenStream {
    /// Frees the places. A caller that cannot make a stream after all calls this before it answers; a stream does so
    /// itself.
    pub async fn close(self) {
        join_all(self.0.into_iter().map(HeldPlace::give_back)).await;
    }
}

fn too_many(most: u32, place: &str) -> ApiError {
    let detail = format!(
        "{most} live connections are open {place}, which is the limit. Close a tab and try again."
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooManyStreams, detail)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use store::testing::{sizes, table};

    const MINUTE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn neither_many_accounts_nor_many_users_of_an_address_open_more_streams() {
        let table = table().await;
        let streams = OpenStreams { places: Places::new(&table), most: 2 };
        let open = async |installation, user_id, address: &str, longest| {
            let address = ClientAddress(address.to_owned());
            streams.open_unpaid(InstallationId(installation), user_id, address, longest).await
        };
        let mut opened = Vec::new();
        for (installation, user_id) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
            opened.push(open(installation, user_id, "192.0.2.1", MINUTE).await.unwrap());
        }
        for (installation, user_id, address) in [(5, 1, "192.0.2.2"), (6, 3, "192.0.2.1")] {
            let refused = open(installation, user_id, address, MINUTE).await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::TooManyStreams);
        }
        open(5, 1, "192.0.2.1", Duration::ZERO).await.unwrap().close().await;
        opened.push(open(6, 3, "192.0.2.2", MINUTE).await.unwrap());
        for stream in opened {
            stream.close().await;
        }
        assert!(sizes(&table).await.is_empty(), "a refused stream keeps no place either");
    }
}
