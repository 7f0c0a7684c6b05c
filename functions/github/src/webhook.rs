//! Receives GitHub's webhooks: suspended or deleted installations, withdrawn authorizations, and people who left an
//! organization, one of its teams or a repository.
//!
//! Anyone can reach the address. A message is refused unread without a signature over exactly these bytes, made with
//! the App's webhook secret. The delivery id keeps a repeated delivery from being handled twice, although that would do
//! no harm: ended sessions stay ended.
//!
//! Uninstalling the App deletes the account with its projects, like "Delete account" in the menu. That is the only way
//! to delete what belongs to an organization. GitHub asks the person who uninstalls to confirm it, and a new
//! installation gets a new number, so nothing could return to the old one; a suspension deletes nothing.

use crate::App;
use crate::session::counted;
use aws_lc_rs::hmac;
use axum::http::{HeaderMap, StatusCode};
use domain::InstallationId;
use domain::security::{About, SecurityEvent, record};
use http_kit::{ApiError, ErrorCode};
use serde::Deserialize;
use utoipa::ToSchema;

/// The longest name of a delivery, in bytes: GitHub's are UUIDs.
const MAX_DELIVERY_BYTES: usize = 64;

/// The App's webhook secret, ready for verification; its `Debug` output hides it.
#[derive(Clone)]
pub(crate) struct WebhookKey(hmac::Key);

/// The part of GitHub's payload that we use.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Delivery {
    /// The action.
    #[serde(default)]
    action: String,
    /// The installation that the event is about.
    installation: Option<Numbered>,
    /// The user who acted.
    sender: Option<Numbered>,
    /// The user who left a repository or a team.
    member: Option<Numbered>,
    /// The user who left an organization.
    membership: Option<Membership>,
}

/// A membership in an organization.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Membership {
    /// The member; absent while an invitation by mail is open.
    user: Option<Numbered>,
}

/// A GitHub object with its number.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Numbered {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    id: u64,
}

impl Delivery {
    /// The user who left.
    fn left(&self) -> Option<u64> {
        let of_organization = self.membership.as_ref().and_then(|place| place.user.as_ref());
        of_organization.or(self.member.as_ref()).map(|user| user.id)
    }
}

impl WebhookKey {
    pub fn new(secret: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()))
    }

    /// Whether `sha256=<hex>` was made over `body` with the secret; takes constant time.
    fn signed(&self, signature: &str, body: &[u8]) -> bool {
        let given = signature.strip_prefix("sha256=").and_then(|text| hex::decode(text).ok());
        given.is_some_and(|given| hmac::verify(&self.0, body, &given).is_ok())
    }
}

impl App {
    /// Handles a delivery, once.
    pub(crate) async fn receive(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), ApiError> {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let secret = self.webhook_secret.get().await.map_err(ApiError::of_secret)?;
        if !WebhookKey::new(&secret).signed(header("x-hub-signature-256").unwrap_or_default(), body)
        {
            record(SecurityEvent::WebhookForged, About::default(), "github");
            let detail = "The signature does not match.";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::BadSignature, detail));
        }
        let unclear =
            || ApiError::bad_request(ErrorCode::BadDelivery, "The body is not a GitHub webhook.");
        let event = header("x-github-event").ok_or_else(unclear)?;
        let delivery = header("x-github-delivery").ok_or_else(unclear)?;
        if delivery.len() > MAX_DELIVERY_BYTES || delivery.is_empty() {
            return Err(unclear());
        }
        let payload: Delivery = serde_json::from_slice(body).map_err(|_| unclear())?;
        if self.sign_ins.is_delivered(delivery).await? {
            return Ok(());
        }
        if self.act(event, &payload).await? {
            self.sign_ins.delivered(delivery, event).await?;
        }
        Ok(())
    }

    /// Ends the affected sessions, and deletes what belongs to an installation that is gone; returns whether the event
    /// concerned any. An installation that appears (again) needs nothing, because the next sign-in asks GitHub. A user
    /// who left may still be able to reach the installation in another way. Only GitHub can tell, and their next sign-in,
    /// which takes one click, asks it.
    async fn act(&self, event: &str, payload: &Delivery) -> Result<bool, ApiError> {
        let ended = match (event, payload.action.as_str()) {
            ("installation", "deleted" | "suspend") => match &payload.installation {
                Some(installation) => {
                    let id = InstallationId(installation.id);
                    if payload.action == "deleted" {
                        let by = payload.sender.as_ref().map_or(0, |sender| sender.id);
                        let detail = format!("uninstalled at GitHub by={by}");
                        self.delete_all_of(id, About::installation(id), &detail).await?;
                    }
                    self.sessions.end_installation(id).await?
                }
                None => return Ok(false),
            },
            ("github_app_authorization", "revoked") => match &payload.sender {
                Some(user) => self.sessions.end_user(user.id).await?,
                None => return Ok(false),
            },
            ("organization", "member_removed") | ("member" | "membership", "removed") => {
                match (&payload.installation, payload.left()) {
                    (Some(Numbered { id }), Some(user)) => {
                        self.sessions.end_member(InstallationId(*id), user).await?
                    }
                    _ => return Ok(false),
                }
            }
            _ => return Ok(false),
        };
        let sessions = ended.0.len();
        let closed = self.close(ended).await;
        let connections = counted(&closed);
        let (action, installation) = (&payload.action, payload.installation.as_ref());
        let about = installation.map(|one| About::installation(InstallationId(one.id)));
        // Both words are GitHub's, from a signed message.
        let detail = format!("{event} {action} sessions={sessions} connections={connections}");
        record(SecurityEvent::SessionsEnded, about.unwrap_or_default(), &detail);
        closed.map(|_| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use growth::{assert_linear, repeated};
    use proptest::prelude::*;

    // The example of GitHub's own documentation on validating deliveries.
    const SECRET: &str = "It's a Secret to Everybody";
    const BODY: &[u8] = b"Hello, World!";
    const SIGNATURE: &str =
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    #[test]
    fn a_github_signature_matches_only_its_body() {
        let key = WebhookKey::new(SECRET);
        assert!(key.signed(SIGNATURE, BODY));
        assert!(!key.signed(SIGNATURE, b"Hello, World?"));
        assert!(!WebhookKey::new("another").signed(SIGNATURE, BODY));
    }

    #[test]
    fn a_malformed_signature_matches_nothing() {
        let key = WebhookKey::new(SECRET);
        let bare = SIGNATURE.trim_start_matches("sha256=");
        let short = &SIGNATURE[..20];
        for wrong in ["", "sha256=", bare, short, "sha1=757107ea", "sha256=zz"] {
            assert!(!key.signed(wrong, BODY), "{wrong}");
        }
    }

    #[test]
    fn deliveries_are_read_in_linear_time() {
        let key = WebhookKey::new(SECRET);
        for piece in ["00", "sha256=", "z", "é"] {
            let make = |bytes| format!("sha256={}", repeated(piece, bytes));
            assert_linear(piece, 8 * 1024, make, |signature| {
                std::hint::black_box(key.signed(signature, BODY));
            });
        }
        for piece in
            ["{\"a\":", "[", "\"a\":1,", "\"", "\\u0061", "9", " ", "\"member\":{\"id\":1},"]
        {
            for begin in ["{", "{\"action\":\"", "{\"sender\":{\"id\":", "{\"b\":["] {
                let make = |bytes| format!("{begin}{}", repeated(piece, bytes)).into_bytes();
                assert_linear(&format!("{begin} {piece}"), 16 * 1024, make, |body| {
                    std::hint::black_box(key.signed(SIGNATURE, body));
                    std::hint::black_box(serde_json::from_slice::<Delivery>(body).is_ok());
                });
            }
        }
    }

    proptest! {
        #[test]
        fn an_invented_signature_is_refused(
            signature in "(sha256=)?[0-9a-f]{0,66}|\\PC{0,80}",
            body in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            prop_assert!(!WebhookKey::new(SECRET).signed(&signature, &body));
        }

        #[test]
        fn arbitrary_bytes_parse_as_a_delivery_or_are_refused(
            body in "\\{(\"(action|installation|sender|member|membership|user|id)\":[\\[\\]{}0-9\"a-z,:-]{0,20},?){0,6}\\}|\\PC{0,100}",
        ) {
            if let Ok(delivery) = serde_json::from_str::<Delivery>(&body) {
                delivery.left();
            }
        }
    }
}
