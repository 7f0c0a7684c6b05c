//! Limits calls per minute, for each session and for each address.
//!
//! A handler is limited if it takes [`Limited`]:
//!
//! ```text
//! async fn pay(State(app): State<App>, caller: Identity, _: Limited<Payment>, Json(body): Json<Pay>) …
//! ```
//!
//! Calls that change something need no such argument: the extractor of their caller counts them. A GET needs one if it
//! asks a service besides the table, or if what it reads grows with the project: `tests/api/tests/reads.rs` lists the GETs
//! without a limit and why each is cheap, so a new one is either limited or added there.
//!
//! The argument follows the caller's, so that refusing a caller without a session costs no write, and precedes the
//! body's. Each counter is one conditional update; a call without a limit costs nothing.

use crate::address::{Edge, client_address};
use crate::{ApiError, CookieName, Gatekeeper};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use domain::Timestamp;
use domain::secret_token::SecretToken;
use settings::var_or;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use store::rates::{Rates, WINDOW_SECONDS};
use store::{StoreError, Table};

/// The default of each limit, in calls a minute; `RATE_LIMITS` overrides it.
const DEFAULTS: [(&str, u32); 19] = [
    ("sign-ins-per-address", 30),
    ("payments-per-session", 10),
    ("payments-per-address", 20),
    ("chats-per-session", 30),
    ("chats-per-address", 60),
    ("events-per-address", 120),
    ("shared-per-address", 30),
    ("unsubscribes-per-address", 120),
    ("drafts-per-session", 240),
    ("drafts-per-address", 480),
    ("changes-per-session", 60),
    ("changes-per-address", 240),
    ("streams-per-session", 30),
    ("streams-per-address", 120),
    ("downloads-per-session", 10),
    ("downloads-per-address", 40),
    ("lookups-per-session", 120),
    ("lookups-per-address", 480),
    (MESSAGES, 18_000),
];
/// The limit of the WebSocket messages of one session. Keys come at 30 a second; a paste and a file come in pieces, a few
/// dozen each.
const MESSAGES: &str = "messages-per-session";
/// The entry of `RATE_LIMITS` that sets every limit.
const EVERY_LIMIT: &str = "every-limit";

/// A kind of limited call, with its own counter.
pub trait Kind {
    /// Name of the counter.
    const NAME: &str;
    /// Name of the limit for one session, if sessions are counted.
    const PER_SESSION: Option<&str>;
    /// Name of the limit for one address.
    const PER_ADDRESS: &str;
}

macro_rules! kind {
    ($(#[$doc:meta])* $kind:ident, $name:literal, $session:expr, $address:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $kind;

        impl Kind for $kind {
            const NAME: &str = $name;
            const PER_SESSION: Option<&str> = $session;
            const PER_ADDRESS: &str = $address;
        }
    };
}

kind!(
    /// Beginning to sign in.
    SignIn,
    "sign-in",
    None,
    "sign-ins-per-address"
);
kind!(
    /// Coming back from GitHub, and choosing an installation.
    SignInEnd,
    "sign-in-end",
    None,
    "sign-ins-per-address"
);
kind!(
    /// Beginning a payment.
    Payment,
    "payment",
    Some("payments-per-session"),
    "payments-per-address"
);
kind!(
    /// Calls that make a model work: chats and triggers.
    Chat,
    "chat",
    Some("chats-per-session"),
    "chats-per-address"
);
kind!(
    /// Asking which secrets of a draft would be sealed, while its author types.
    Drafts,
    "draft",
    Some("drafts-per-session"),
    "drafts-per-address"
);
kind!(
    /// Calls that change something: every call with a session that is not a GET. [`Identity`](crate::Identity) counts
    /// them, so handlers do not have to.
    Change,
    "change",
    Some("changes-per-session"),
    "changes-per-address"
);
kind!(
    /// Opening an event stream other than a chat.
    EventStream,
    "stream",
    Some("streams-per-session"),
    "streams-per-address"
);
kind!(
    /// Downloading a file that is made for each download, or that may be large: a workspace, the data of the account, its
    /// transactions, the whole output of a command. Also moving the files of a workspace elsewhere: a backup, a restore, a
    /// push, an import.
    Download,
    "download",
    Some("downloads-per-session"),
    "downloads-per-address"
);
kind!(
    /// Reads that ask a service besides the table, or whose cost grows with the project: GitHub's repositories, the ports
    /// of a sandbox, Stripe's state of a payment, a whole audit. Pages poll the audit, so the limit leaves room for that.
    Lookup,
    "lookup",
    Some("lookups-per-session"),
    "lookups-per-address"
);
kind!(
    /// Reports of visits to public pages.
    PageEvents,
    "page-events",
    None,
    "events-per-address"
);
kind!(
    /// Reading a timeline by a link, without a session.
    SharedTimeline,
    "shared",
    None,
    "shared-per-address"
);

kind!(
    /// Turning mail off by a letter's key. Mail services make this call for many readers from few addresses.
    Unsubscribe,
    "unsubscribe",
    None,
    "unsubscribes-per-address"
);

/// A call within its limits; calls beyond them get 429 before the handler runs.
#[derive(Debug, Clone, Copy)]
pub struct Limited<K>(PhantomData<K>);

/// A call that is limited only if it turns out to be costly: the handler counts it then.
#[derive(Debug)]
pub struct IfCostly<K> {
    gatekeeper: Gatekeeper,
    parts: Parts,
    kind: PhantomData<K>,
}

impl<K: Kind> IfCostly<K> {
    /// Counts the call; beyond its limits, the error is the same as that of [`Limited`].
    pub async fn count(self) -> Result<(), ApiError> {
        let Self { gatekeeper, parts, .. } = self;
        gatekeeper.limiter().count::<K>(gatekeeper.public_url(), &parts).await
    }
}

/// The address of a caller, as the limits count it.
#[derive(Clone, Debug)]
pub struct ClientAddress(pub(crate) String);

/// The limits and the counters; part of every [`Gatekeeper`].
#[derive(Clone, Debug)]
pub(crate) struct Limiter {
    rates: Rates,
    limits: BTreeMap<&'static str, u32>,
    edge: Edge,
}

impl Limiter {
    /// Counters in `table`, with the default limits.
    pub fn new(table: &Table) -> Self {
        Self { rates: Rates::new(table), limits: limits(""), edge: Edge::default() }
    }

    /// The same, with the limits of `RATE_LIMITS` and the proof of our own edge.
    pub fn from_env(table: &Table) -> Self {
        let given = var_or("RATE_LIMITS", "");
        Self { limits: limits(&given), edge: Edge::from_env(), ..Self::new(table) }
    }

    /// Counts messages of a session, several at once; returns whether they are within the limit.
    pub(crate) async fn admits_messages(
        &self,
        messages: u32,
        session: &str,
    ) -> Result<bool, StoreError> {
        let most = self.limits.get(MESSAGES).copied().unwrap_or(u32::MAX);
        let now = Timestamp::now();
        let counted =
            self.rates.count_several(messages, WINDOW_SECONDS, "messages", session, most, now);
        Ok(counted.await?.is_none())
    }

    pub(crate) async fn count<K: Kind>(
        &self,
        public_url: &str,
        parts: &Parts,
    ) -> Result<(), ApiError> {
        let now = Timestamp::now();
        let address = client_address(parts, &self.edge);
        let cookie = CookieName::Session.read(public_url, &parts.headers);
        let session = K::PER_SESSION.zip(cookie);
        let one = |limit: &str, who: String| {
            let allowed = self.limits.get(limit).copied().unwrap_or(u32::MAX);
            async move { self.rates.count(K::NAME, &who, allowed, now).await }
        };
        let of_session = async {
            match session {
                Some((limit, token)) => one(limit, SecretToken::presented(&token).hash()).await,
                None => Ok(None),
            }
        };
        let of_address = one(K::PER_ADDRESS, address);
        let (first, second) = tokio::try_join!(of_session, of_address)?;
        match first.max(second) {
            Some(seconds) => Err(ApiError::rate_limited(seconds)),
            None => Ok(()),
        }
    }
}

/// Reads `chats-per-session=30,payments-per-session=10` over the defaults. It logs and skips entries that it cannot
/// read, because a function that refuses to start would be worse than the default.
fn limits(given: &str) -> BTreeMap<&'static str, u32> {
    let mut limits = BTreeMap::from(DEFAULTS);
    for entry in given.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let pair = entry.split_once('=').and_then(|(name, n)| Some((name, n.parse().ok()?)));
        if let Some((EVERY_LIMIT, n)) = pair {
            limits.values_mut().for_each(|limit| *limit = n);
            continue;
        }
        match pair.and_then(|(name, n)| limits.get_mut(name).map(|limit| (limit, n))) {
            Some((limit, n)) => *limit = n,
            None => tracing::error!(
                entry,
                "RATE_LIMITS has an entry that names no limit; it is ignored"
            ),
        }
    }
    limits
}

impl<S, K> FromRequestParts<S> for Limited<K>
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
    K: Kind,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let gatekeeper = Gatekeeper::from_ref(state);
        gatekeeper.limiter().count::<K>(gatekeeper.public_url(), parts).await?;
        Ok(Self(PhantomData))
    }
}

impl<S> FromRequestParts<S> for ClientAddress
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let gatekeeper = Gatekeeper::from_ref(state);
        Ok(Self(client_address(parts, &gatekeeper.limiter().edge)))
    }
}

impl<S, K> FromRequestParts<S> for IfCostly<K>
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
    K: Kind,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let (gatekeeper, parts) = (Gatekeeper::from_ref(state), parts.clone());
        Ok(Self { gatekeeper, parts, kind: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unset_limit_has_its_default() {
        let limits =
            limits("chats-per-session=7, payments-per-session=1,nonsense=3,chats-per-address=x");
        assert_eq!(limits["chats-per-session"], 7);
        assert_eq!(limits["payments-per-session"], 1);
        assert_eq!(limits["chats-per-address"], 60);
        assert_eq!(limits.len(), DEFAULTS.len());
        let limits = super::limits("every-limit=9,downloads-per-session=1");
        assert_eq!((limits["changes-per-session"], limits["downloads-per-session"]), (9, 1));
        assert_eq!(limits.len(), DEFAULTS.len());
    }

    #[test]
    fn every_kind_names_existing_limits() {
        fn names<K: Kind>() -> Vec<&'static str> {
            K::PER_SESSION.into_iter().chain([K::PER_ADDRESS]).collect()
        }
        let used = [names::<SignIn>(), names::<SignInEnd>(), names::<Payment>(), names::<Chat>()];
        let more = [names::<EventStream>(), names::<Download>(), names::<Lookup>()];
        let used = [
            used.concat(),
            more.concat(),
            names::<Change>(),
            names::<Drafts>(),
            names::<PageEvents>(),
            names::<SharedTimeline>(),
            names::<Unsubscribe>(),
            vec![MESSAGES],
        ];
        for name in used.concat() {
            assert!(DEFAULTS.iter().any(|(known, _)| *known == name), "{name}");
        }
    }
}
