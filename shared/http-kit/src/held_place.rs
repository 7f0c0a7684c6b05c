//! Holds a place of [`store::places`] until the work that occupies it ends.

use domain::report::Chain;
use std::time::Duration;
use store::StoreError;
use store::places::{Place, Places, Whose};

/// A place that is given back when this value is dropped.
///
/// A function may stop running once it has answered, so it calls [`HeldPlace::give_back`] before its last byte goes
/// out. Dropping is for work that is abandoned. If neither happens, the place becomes free after the longest time of
/// the work.
#[derive(Debug)]
pub struct HeldPlace {
    places: Places,
    place: Option<Place>,
}

impl HeldPlace {
    /// A place for work that takes at most this long; `None` if all `most` are taken.
    pub async fn take(
        places: &Places,
        whose: Whose,
        most: u32,
        longest: Duration,
    ) -> Result<Option<Self>, StoreError> {
        let seconds = i64::try_from(longest.as_secs()).unwrap_or(i64::MAX / 2).saturating_add(1);
        let place = places.take(whose, most, seconds).await?;
        Ok(place.map(|place| Self { places: places.clone(), place: Some(place) }))
    }

    /// Frees the place.
    pub async fn give_back(mut self) {
        if let Some(place) = self.place.take() {
            free(&self.places, &place).await;
        }
    }
}

impl Drop for HeldPlace {
    fn drop(&mut self) {
        let Some(place) = self.place.take() else { return };
        let places = self.places.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { free(&places, &place).await });
        }
    }
}

async fn free(places: &Places, place: &Place) {
    if let Err(error) = places.free(place).await {
        tracing::warn!(error = %Chain(&error), "a place could not be freed; it becomes free after the longest time of its work");
    }
}
