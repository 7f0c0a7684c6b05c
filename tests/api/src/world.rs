//! What most tests begin with.

use crate::{Actor, App, Model, Settings};

/// A product and the people around it.
pub struct World {
    /// The product.
    pub app: App,
    /// Signed in; the projects are theirs.
    pub owner: Actor,
    /// Signed in; none of the owner's business is theirs.
    pub stranger: Actor,
    /// Not signed in.
    pub visitor: Actor,
}

impl World {
    /// A fresh product with the model that it comes with.
    pub async fn start() -> Self {
        Self::of(App::start(Settings::default()).await).await
    }

    /// A fresh product whose model the test directs.
    pub async fn with(model: &Model) -> Self {
        Self::of(App::start(Settings::with_model(model)).await).await
    }

    /// A fresh product started as the test wishes.
    pub async fn with_settings(settings: Settings) -> Self {
        Self::of(App::start(settings).await).await
    }

    async fn of(app: App) -> Self {
        let owner = Actor::signed_in(&app, "owner");
        let stranger = Actor::signed_in(&app, "stranger");
        let (owner, stranger) = futures::join!(owner, stranger);
        Self { owner, stranger, visitor: Actor::visitor(&app), app }
    }
}
