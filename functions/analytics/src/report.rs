//! A page's report, and what it adds to the counts.

use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use store::visits::Counts;
use utoipa::ToSchema;

/// The most events in one report; a page reports every few seconds.
const MAX_EVENTS: usize = 50;
/// Characters of a UUID.
const UUID_CHARS: usize = 36;

/// The events on a public page since its last report.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PageEvents {
    /// A UUID that the visitor's browser generated.
    #[schema(format = "uuid")]
    pub visitor_id: String,
    /// The page.
    pub page: PublicPage,
    /// At most 50.
    #[schema(max_items = 50)]
    pub events: Vec<PageEvent>,
}

/// The pages that are counted, by their paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum PublicPage {
    /// The landing page.
    #[serde(rename = "/")]
    Landing,
    /// The pricing page.
    #[serde(rename = "/pricing")]
    Pricing,
    /// Terms of service.
    #[serde(rename = "/terms")]
    Terms,
    /// Privacy policy.
    #[serde(rename = "/privacy")]
    Privacy,
    /// Refund policy.
    #[serde(rename = "/refund-policy")]
    RefundPolicy,
}

impl PublicPage {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Landing => "/",
            Self::Pricing => "/pricing",
            Self::Terms => "/terms",
            Self::Privacy => "/privacy",
            Self::RefundPolicy => "/refund-policy",
        }
    }
}

/// An event on a page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PageEvent {
    /// The kind of event.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// The distance in percent for `scroll`; the duration in seconds for the others.
    pub value: Option<f64>,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// The page was opened.
    View,
    /// The visitor scrolled to a quarter, half or three quarters of it, or to its end.
    Scroll,
    /// The visitor was idle for half a minute.
    Inactive,
    /// The visitor is still active.
    Engaged,
    /// The visitor left within ten seconds.
    Bounce,
}

impl PageEvents {
    /// The report's addition to the day's sums, or the reason for refusing it.
    pub(crate) fn counts(&self) -> Result<Counts, ApiError> {
        let refuse = |detail: &str| Err(ApiError::unprocessable(ErrorCode::InvalidReport, detail));
        if !is_uuid(&self.visitor_id) {
            return refuse("The visitor_id must be a UUID.");
        }
        if self.events.len() > MAX_EVENTS {
            return refuse("The report has too many events.");
        }
        let mut counts = Counts::default();
        for event in &self.events {
            let sum = match (event.kind, event.value) {
                (EventKind::View, _) => &mut counts.views,
                (EventKind::Inactive, _) => &mut counts.inactive,
                (EventKind::Engaged, _) => &mut counts.engaged,
                (EventKind::Bounce, _) => &mut counts.bounces,
                (EventKind::Scroll, Some(25.0)) => &mut counts.scroll_25,
                (EventKind::Scroll, Some(50.0)) => &mut counts.scroll_50,
                (EventKind::Scroll, Some(75.0)) => &mut counts.scroll_75,
                (EventKind::Scroll, Some(100.0)) => &mut counts.scroll_100,
                (EventKind::Scroll, _) => {
                    return refuse("The value of a scroll must be 25, 50, 75 or 100.");
                }
            };
            *sum += 1;
        }
        Ok(counts)
    }
}

fn is_uuid(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == UUID_CHARS && text.bytes().enumerate().all(fits)
}
