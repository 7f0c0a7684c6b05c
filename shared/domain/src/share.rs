//! Links that show a project's timeline to anyone who has them.
//!
//! A link's key names the project and the link, and holds a secret of 256 bits. With these names, the key leads to one
//! item in the project's own part of the table. So a link ends with its project, and no separate index of links is
//! kept. The table stores only the secret's hash. The key follows the `#` of the address: browsers send that part to no
//! server, so it is in no log and in no `Referer`.

use crate::actor::Actor;
use crate::clock::DAY_SECONDS;
use crate::ids::InvalidId;
use crate::secret_token::SecretToken;
use crate::{Scope, Timestamp};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The most links of a project at once.
pub const MAX_SHARES: usize = 20;
/// The longest life of a link, in days.
pub const MAX_SHARE_DAYS: u32 = 90;
/// Random bytes of a link's id, which is not a secret.
const ID_BYTES: usize = 8;
/// How often the time of the last use is written, in seconds.
const USE_SECONDS: i64 = 60;

/// A link, as the table stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The link's id in its project.
    pub id: String,
    /// SHA-256 of its secret.
    pub secret_hash: String,
    /// Whether its readers see what the runs printed.
    pub with_output: bool,
    /// The person who made it.
    pub by: Actor,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// When it was opened last, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// The same time for the table, which deletes expired links itself, though late.
    pub expires_at: i64,
}

impl Share {
    /// A link that lasts this many days, and its secret.
    pub fn new(days: u32, with_output: bool, by: Actor) -> (Self, SecretToken) {
        let secret = SecretToken::random();
        let made_at = Timestamp::now();
        let ends_at = made_at.plus_seconds(i64::from(days.min(MAX_SHARE_DAYS)) * DAY_SECONDS);
        let share = Self {
            id: hex::encode(rand::rng().random::<[u8; ID_BYTES]>()),
            secret_hash: secret.hash(),
            with_output,
            by,
            made_at,
            ends_at,
            last_used_at: None,
            expires_at: ends_at.epoch_seconds(),
        };
        (share, secret)
    }

    /// Whether it has not expired.
    pub fn lasts(&self, now: Timestamp) -> bool {
        now < self.ends_at
    }

    /// Whether this key opens it.
    pub fn opens_with(&self, key: &ShareKey) -> bool {
        self.id == key.id && self.secret_hash == key.secret.hash()
    }

    /// The same link, used now; `None` if the minute of its last use is already recorded.
    pub fn used(&self, now: Timestamp) -> Option<Self> {
        let noted = self.last_used_at.is_some_and(|at| now.seconds_since(at) < USE_SECONDS);
        (!noted).then(|| Self { last_used_at: Some(now), ..self.clone() })
    }
}

/// The key that the holder of a link has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareKey {
    /// The project.
    pub scope: Scope,
    /// The link.
    pub id: String,
    /// The secret that proves the right to read.
    pub secret: SecretToken,
}

impl ShareKey {
    /// The key as text, for its holder.
    pub fn expose(&self) -> String {
        let Scope { installation, project } = self.scope;
        format!("{installation}.{project}.{}.{}", self.id, self.secret.expose())
    }
}

impl FromStr for ShareKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let parts: Vec<_> = text.split('.').collect();
        let [installation, project, id, secret] = parts[..] else {
            return Err(InvalidId("share key"));
        };
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if id.len() != 2 * ID_BYTES || !is_hex(id) {
            return Err(InvalidId("share key"));
        }
        let scope = Scope { installation: installation.parse()?, project: project.parse()? };
        Ok(Self { scope, id: id.to_owned(), secret: SecretToken::presented(secret) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstallationId, ProjectId};

    fn shared() -> (Share, ShareKey) {
        let by = Actor { user_id: 7, login: "owner".to_owned() };
        let (share, secret) = Share::new(7, false, by);
        let scope = Scope { installation: InstallationId(5), project: ProjectId(11) };
        let key = ShareKey { scope, id: share.id.clone(), secret };
        (share, key)
    }

    #[test]
    fn a_key_round_trips_and_opens_only_its_own_link() {
        let (share, key) = shared();
        let read: ShareKey = key.expose().parse().unwrap();
        assert_eq!(read, key);
        assert!(share.opens_with(&read));
        let guessed = ShareKey { secret: SecretToken::random(), ..key.clone() };
        let (other, _) = shared();
        assert!(!share.opens_with(&guessed) && !other.opens_with(&key));
        assert!(!format!("{key:?}").contains(key.secret.expose()));
    }

    #[test]
    fn other_text_is_not_a_key() {
        let (_, key) = shared();
        let whole = key.expose();
        let without_secret = whole.rsplit_once('.').unwrap().0;
        for text in ["", "a.b.c.d", without_secret, "5.11.SHARE#1.x", &format!("{whole}.x")] {
            assert!(text.parse::<ShareKey>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_link_ends_and_its_use_is_noted_once_a_minute() {
        let (share, _) = shared();
        assert!(share.lasts(share.made_at.plus_seconds(7 * DAY_SECONDS - 1)));
        assert!(!share.lasts(share.made_at.plus_seconds(7 * DAY_SECONDS)));
        let now = share.made_at;
        let used = share.used(now).unwrap();
        assert_eq!(used.last_used_at, Some(now));
        assert_eq!(used.used(now.plus_seconds(USE_SECONDS - 1)), None);
        assert!(used.used(now.plus_seconds(USE_SECONDS)).is_some());
    }
}
