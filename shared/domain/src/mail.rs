//! E-mail that tells people when a project waits for them.
//!
//! A [`Notice`] says that the project does not continue without its owner: a step waits for approval, a step failed, or
//! all are done. Its id names the attempt, so that each notice is sent once. An [`Address`] gets notices only after its
//! reader has confirmed it, so that no user can make Groundcrew write to strangers. Each letter carries an [`OffKey`],
//! which turns the mail off without a session and can do nothing else.

mod letter;
mod notice;

pub use letter::Letter;
pub use notice::{Notice, NoticeKind};

use crate::ids::InvalidId;
use crate::secret_token::SecretToken;
use crate::{InstallationId, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The longest address, in bytes: the longest path of RFC 5321 without its angle brackets.
pub const MAX_ADDRESS_BYTES: usize = 254;
/// The longest part before the `@`, in bytes (RFC 5321).
const MAX_LOCAL_BYTES: usize = 64;
/// How long a link that confirms an address is valid, in seconds: a day.
pub const CONFIRM_SECONDS: i64 = 24 * 3600;

/// An address that a letter can be sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(String);

/// A text that is not an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("This is not an e-mail address. Type it as name@example.com.")]
pub struct InvalidAddress;

impl Address {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key under which letters to this address are counted. The case of the domain never matters, and hardly any
    /// server distinguishes the case of the name.
    pub fn counted_as(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    /// Reads one plain address. Quoted names, comments, lists and display names are refused: no mailbox needs them,
    /// and a header would read them as something else.
    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(InvalidAddress)?;
        let fits = text.len() <= MAX_ADDRESS_BYTES && local.len() <= MAX_LOCAL_BYTES;
        let atoms = local.split('.').all(is_atom);
        let labels = domain.split('.').all(is_label) && domain.contains('.');
        (fits && atoms && labels).then(|| Self(text.to_owned())).ok_or(InvalidAddress)
    }
}

/// An unquoted part of the name, as RFC 5322 allows it.
fn is_atom(part: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    !part.is_empty() && part.bytes().all(allowed)
}

fn is_label(part: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&part.len())
        && part.bytes().all(inner)
        && !part.starts_with('-')
        && !part.ends_with('-')
}

/// Whether a person gets mail for an installation, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailSettings {
    /// The person, by their number on GitHub.
    pub user_id: u64,
    /// Where letters go; none until an address is confirmed.
    pub confirmed: Option<Confirmed>,
    /// The address that waits to be confirmed.
    pub pending: Option<Pending>,
    /// The secret of the [`OffKey`]. Each letter repeats it, so it is stored in plain text; it can only turn the mail
    /// off.
    pub off_secret: String,
    /// The site's origin, for links: the function that sends letters is not called through the site.
    pub site: String,
    /// When the table deletes them, in seconds since the epoch: without a confirmed address, once the link has expired.
    /// The address may be another person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

/// An address that its reader confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The address.
    pub address: Address,
    /// When the reader confirmed it; no letter is sent about earlier states.
    pub at: Timestamp,
}

/// An address to which a confirmation link was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The address.
    pub address: Address,
    /// The hash of the link's token.
    pub token_hash: String,
    /// When the link expires.
    pub ends_at: Timestamp,
}

impl MailSettings {
    /// Settings for a person who has none yet.
    pub fn new(user_id: u64, site: &str) -> Self {
        let off_secret = SecretToken::random().expose().to_owned();
        let site = site.to_owned();
        Self { user_id, confirmed: None, pending: None, off_secret, site, expires_at: None }
    }

    /// The same with an address to confirm, and the token of its link. An earlier link becomes invalid.
    #[must_use]
    pub fn proposing(self, address: Address, now: Timestamp) -> (Self, SecretToken) {
        let token = SecretToken::random();
        let ends_at = now.plus_seconds(CONFIRM_SECONDS);
        let pending = Some(Pending { address, token_hash: token.hash(), ends_at });
        let expires_at = self.expiry(ends_at);
        (Self { pending, expires_at, ..self }, token)
    }

    /// The same with its pending address confirmed; `None` if the token does not belong to the pending link or came too
    /// late.
    pub fn confirming(&self, token: &SecretToken, now: Timestamp) -> Option<Self> {
        let pending = self.pending.as_ref()?;
        if pending.token_hash != token.hash() || now >= pending.ends_at {
            return None;
        }
        let confirmed = Some(Confirmed { address: pending.address.clone(), at: now });
        Some(Self { confirmed, pending: None, expires_at: None, ..self.clone() })
    }

    /// The same without the pending address of this link, because its letter could not be sent; `None` if another
    /// address is pending by now.
    pub fn withdrawing(&self, token: &SecretToken, now: Timestamp) -> Option<Self> {
        self.pending.as_ref().filter(|pending| pending.token_hash == token.hash())?;
        Some(Self { pending: None, expires_at: self.expiry(now), ..self.clone() })
    }

    fn expiry(&self, at: Timestamp) -> Option<i64> {
        self.confirmed.is_none().then(|| at.epoch_seconds())
    }

    /// The key that turns this mail off.
    pub fn off_key(&self, installation: InstallationId) -> OffKey {
        let secret = SecretToken::presented(&self.off_secret);
        OffKey { installation, user_id: self.user_id, secret }
    }

    /// Whether this key turns the mail off. It compares hashes, so the duration reveals nothing about the secret.
    pub fn opens_with(&self, key: &OffKey) -> bool {
        SecretToken::presented(&self.off_secret).hash() == key.secret.hash()
    }
}

/// The key in a letter with which its reader can turn the mail off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OffKey {
    /// The installation.
    pub installation: InstallationId,
    /// The person.
    pub user_id: u64,
    /// The secret that only their letters contain.
    pub secret: SecretToken,
}

impl OffKey {
    /// The key as text, for a link.
    pub fn expose(&self) -> String {
        format!("{}.{}.{}", self.installation, self.user_id, self.secret.expose())
    }
}

impl FromStr for OffKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = || InvalidId("key");
        let parts: Vec<_> = text.split('.').collect();
        let [installation, user, secret] = parts[..] else { return Err(invalid()) };
        Ok(Self {
            installation: installation.parse()?,
            user_id: user.parse().map_err(|_| invalid())?,
            secret: SecretToken::presented(secret),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn only_a_single_plain_address_is_accepted() {
        for good in
            ["ada@example.com", " ada.l+ops@mail.example.co ", "o'neil@xn--bcher-kva.example"]
        {
            assert_eq!(address(good).as_str(), good.trim());
        }
        let long = format!("{}@example.com", "a".repeat(MAX_LOCAL_BYTES + 1));
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@localhost",
            "a@b@example.com",
            "ada@example.com,eve@example.com",
            "Ada <ada@example.com>",
            "ada@example.com\r\nBcc: eve@example.com",
            "\"a b\"@example.com",
            "ada@-x.example",
            "ada..l@example.com",
            "ada@exa mple.com",
            "ada@example..com",
            "ada@[127.0.0.1]",
            "ада@example.com",
            &long,
        ] {
            assert_eq!(bad.parse::<Address>(), Err(InvalidAddress), "{bad:?}");
        }
    }

    #[test]
    fn only_the_latest_link_confirms_and_only_in_time() {
        let now = Timestamp::now();
        let (first, early) =
            MailSettings::new(7, "https://site").proposing(address("a@x.example"), now);
        let (second, token) = first.proposing(address("b@x.example"), now);
        assert_eq!(second.confirming(&early, now), None);
        assert_eq!(second.confirming(&SecretToken::random(), now), None);
        assert_eq!(second.confirming(&token, now.plus_seconds(CONFIRM_SECONDS)), None);
        let confirmed = second.confirming(&token, now).unwrap();
        assert_eq!(confirmed.confirmed.as_ref().unwrap().address, address("b@x.example"));
        assert_eq!(confirmed.confirming(&token, now), None, "a link works only once");
        let (changing, _) = confirmed.clone().proposing(address("c@x.example"), now);
        assert_eq!(changing.confirmed, confirmed.confirmed, "the old address stays until then");
    }

    #[test]
    fn an_unconfirmed_address_is_not_kept() {
        let now = Timestamp::now();
        let new = MailSettings::new(7, "https://site");
        let (proposed, token) = new.proposing(address("a@x.example"), now);
        let end = now.plus_seconds(CONFIRM_SECONDS).epoch_seconds();
        assert_eq!(proposed.expires_at, Some(end));
        let withdrawn = proposed.withdrawing(&token, now).unwrap();
        assert_eq!((&withdrawn.pending, withdrawn.expires_at), (&None, Some(now.epoch_seconds())));
        assert_eq!(proposed.withdrawing(&SecretToken::random(), now), None);

        let confirmed = proposed.confirming(&token, now).unwrap();
        assert_eq!(confirmed.expires_at, None);
        let (changing, token) = confirmed.proposing(address("b@x.example"), now);
        assert_eq!(changing.expires_at, None, "the confirmed address stays");
        let kept = changing.withdrawing(&token, now).unwrap();
        assert_eq!((kept.confirmed, kept.expires_at), (changing.confirmed, None));
    }

    #[test]
    fn a_key_round_trips_and_opens_only_its_own_settings() {
        let settings = MailSettings::new(7, "https://site");
        let key: OffKey = settings.off_key(InstallationId(5)).expose().parse().unwrap();
        assert_eq!((key.installation, key.user_id), (InstallationId(5), 7));
        assert!(settings.opens_with(&key));
        assert!(!MailSettings::new(7, "https://site").opens_with(&key));
    }

    proptest! {
        #[test]
        fn no_address_can_inject_a_header_or_another_recipient(text in "\\PC{0,30}@\\PC{0,30}|[ -~\\r\\n]{0,60}") {
            if let Ok(address) = text.parse::<Address>() {
                prop_assert!(address.as_str().bytes().all(|b| b.is_ascii_graphic() && !b"<>,;:\"()[]\\".contains(&b)));
                prop_assert_eq!(address.as_str().matches('@').count(), 1);
            }
        }

        #[test]
        fn arbitrary_text_parses_as_a_key_or_is_refused(text in "[0-9.a-f]{0,90}|\\PC{0,60}") {
            if let Ok(key) = text.parse::<OffKey>() {
                prop_assert!(!MailSettings::new(1, "").opens_with(&key));
            }
        }
    }
}
