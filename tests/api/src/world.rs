//! The usual start of a test.

use crate::{Actor, App, Model, Settings};
use domain::secret_token::SecretToken;

/// A suffix that distinguishes people with the same name.
const MARK: usize = 10;

/// A product and the people around it.
pub struct World {
    /// The product.
    pub app: App,
    /// Signed in; owns the projects.
    pub owner: Actor,
    /// Signed in; must not see anything of the owner's.
    pub stranger: Actor,
    /// Not signed in.
    pub visitor: Actor,
}

impl World {
    /// The product with its own model: the deployed one if there is one, otherwise a new stack.
    pub async fn start() -> Self {
        match App::deployed() {
            Some(app) => Self::of(app).await,
            None => Self::of(App::start(Settings::default()).await).await,
        }
    }

    /// A new stack with a model that the test controls.
    pub async fn with(model: &Model) -> Self {
        Self::of(App::start(Settings::with_model(model)).await).await
    }

    /// A new stack with these settings.
    pub async fn with_settings(settings: Settings) -> Self {
        Self::of(App::start(settings).await).await
    }

    async fn of(app: App) -> Self {
        // Tests that share a product need their own people.
        let mark = match app.is_shared() {
            true => format!("-{}", &SecretToken::random().hash()[..MARK]),
            false => String::new(),
        };
        let (owner, stranger) = (format!("owner{mark}"), format!("stranger{mark}"));
        let (owner, stranger) =
            futures::join!(Actor::signed_in(&app, &owner), Actor::signed_in(&app, &stranger));
        Self { owner, stranger, visitor: Actor::visitor(&app), app }
    }
}
