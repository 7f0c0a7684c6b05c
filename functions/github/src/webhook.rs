//! What GitHub tells us by itself: installations that are suspended or deleted, authorisations withdrawn, people who
//! left an organisation, a team of it or a repository.
//!
//! Anybody can reach the address. What comes without a signature over these very bytes made with the App's
//! webhook secret is refused unread, and its own delivery id keeps a repeated delivery from being dealt with
//! twice. Dealing with it twice would do no harm either: sessions that have ended stay ended.

use crate::App;
use aws_lc_rs::hmac;
use axum::http::{HeaderMap, StatusCode};
use domain::InstallationId;
use domain::security::{About, SecurityEvent, record};
use http_kit::ApiError;
use serde::Deserialize;
use utoipa::ToSchema;

/// Longest name of a delivery, in bytes: GitHub's are UUIDs.
const MAX_DELIVERY_BYTES: usize = 64;

/// The App's webhook secret, ready to verify with; it prints as nothing.
#[derive(Clone)]
pub(crate) struct WebhookKey(hmac::Key);

/// The part of GitHub's payload that is acted on.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Delivery {
    /// What happened to it.
    #[serde(default)]
    action: String,
    /// The installation that the event is about.
    installation: Option<Numbered>,
    /// Who did it.
    sender: Option<Numbered>,
    /// Who left a repository or a team.
    member: Option<Numbered>,
    /// Who left an organisation.
    membership: Option<Membership>,
}

/// A place in an organisation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Membership {
    /// Whose it is; nobody's yet while somebody is invited by mail.
    user: Option<Numbered>,
}

/// Something by its number at GitHub.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Numbered {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    id: u64,
}

impl Delivery {
    /// Who left.
    fn left(&self) -> Option<u64> {
        let of_organization = self.membership.as_ref().and_then(|place| place.user.as_ref());
        of_organization.or(self.member.as_ref()).map(|user| user.id)
    }
}

impl WebhookKey {
    pub fn new(secret: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()))
    }

    /// Whether `sha256=<hex>` was made over `body` with the secret; takes as long for a near miss as for any.
    fn signed(&self, signature: &str, body: &[u8]) -> bool {
        let given = signature.strip_prefix("sha256=").and_then(|text| hex::decode(text).ok());
        given.is_some_and(|given| hmac::verify(&self.0, body, &given).is_ok())
    }
}

impl App {
    /// Deals with a delivery, once.
    pub(crate) async fn hear(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), ApiError> {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        if !self.webhook_key.signed(header("x-hub-signature-256").unwrap_or_default(), body) {
            record(SecurityEvent::WebhookForged, About::default(), "github");
            let detail = "The signature does not fit.";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "bad_signature", detail));
        }
        let unclear = || ApiError::bad_request("bad_delivery", "This is not a delivery of GitHub.");
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

    /// Whether there was anything to do. An installation that comes (back) needs nothing: GitHub is asked at
    /// the next sign-in. Somebody who left may reach the installation in another way still: only GitHub can tell,
    /// and their next sign-in, which is a click, asks it.
    async fn act(&self, event: &str, payload: &Delivery) -> Result<bool, ApiError> {
        let ended = match (event, payload.action.as_str()) {
            ("installation", "deleted" | "suspend") => match &payload.installation {
                Some(installation) => {
                    self.sessions.end_installation(InstallationId(installation.id)).await?
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
        let connections = self.close(ended).await?;
        let (action, installation) = (&payload.action, payload.installation.as_ref());
        let about = installation.map(|one| About::installation(InstallationId(one.id)));
        // Both words are GitHub's: what is not signed by it is not read.
        let detail = format!("{event} {action} sessions={sessions} connections={connections}");
        record(SecurityEvent::SessionsEnded, about.unwrap_or_default(), &detail);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of GitHub's own documentation on validating deliveries.
    const SECRET: &str = "It's a Secret to Everybody";
    const BODY: &[u8] = b"Hello, World!";
    const SIGNATURE: &str =
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

    #[test]
    fn a_signature_of_github_fits_its_body_and_no_other() {
        let key = WebhookKey::new(SECRET);
        assert!(key.signed(SIGNATURE, BODY));
        assert!(!key.signed(SIGNATURE, b"Hello, World?"));
        assert!(!WebhookKey::new("another").signed(SIGNATURE, BODY));
    }

    #[test]
    fn what_is_no_signature_fits_nothing() {
        let key = WebhookKey::new(SECRET);
        let bare = SIGNATURE.trim_start_matches("sha256=");
        let short = &SIGNATURE[..20];
        for wrong in ["", "sha256=", bare, short, "sha1=757107ea", "sha256=zz"] {
            assert!(!key.signed(wrong, BODY), "{wrong}");
        }
    }
}
