//! Results of backups and restores, repeated until the gateway has recorded them.
//!
//! An uploaded backup counts only once the gateway lists it. The function that receives the report may crash, so the
//! report is repeated like a run's result: on every new connection and at intervals, until `workspace.recorded` arrives.

use protocol::FromAgent;
use tokio::time::Instant;

use super::runs::REPEAT_AFTER;

/// How many reports may wait; beyond that the oldest is given up, because a later backup has replaced its backup.
const WAITING: usize = 16;

/// The unrecorded reports, oldest first.
#[derive(Default)]
pub struct Reports(Vec<Report>);

struct Report {
    request_id: String,
    message: FromAgent,
    sent: Option<Instant>,
}

impl Report {
    fn due(&self, now: Instant) -> Instant {
        self.sent.map_or(now, |sent| sent + REPEAT_AFTER)
    }
}

impl Reports {
    /// Repeats the report on this request until it is recorded.
    pub fn add(&mut self, request_id: String, message: FromAgent) {
        self.recorded(&request_id);
        if self.0.len() >= WAITING {
            self.0.remove(0);
        }
        self.0.push(Report { request_id, message, sent: None });
    }

    /// The gateway has recorded the report on this request.
    pub fn recorded(&mut self, request_id: &str) {
        self.0.retain(|report| report.request_id != request_id);
    }

    /// Whether every report is recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes every report due again: messages on the old connection may be lost.
    pub fn say_again(&mut self) {
        for report in &mut self.0 {
            report.sent = None;
        }
    }

    /// The messages to send now.
    pub fn news(&mut self, now: Instant) -> Vec<FromAgent> {
        let due = self.0.iter_mut().filter(|report| report.due(now) <= now);
        due.map(|report| {
            report.sent = Some(now);
            report.message.clone()
        })
        .collect()
    }

    /// When the next message is due.
    pub fn next_turn(&self) -> Option<Instant> {
        let now = Instant::now();
        self.0.iter().map(|report| report.due(now)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uploaded(request_id: &str) -> FromAgent {
        let request_id = request_id.to_owned();
        FromAgent::WorkspaceUploaded { request_id, bytes: 1, error: None, workspace: None }
    }

    #[tokio::test(start_paused = true)]
    async fn a_report_is_repeated_until_it_is_recorded() {
        let mut reports = Reports::default();
        reports.add("a".to_owned(), uploaded("a"));
        assert_eq!(reports.news(Instant::now()), [uploaded("a")]);
        assert_eq!(reports.news(Instant::now()), []);
        tokio::time::advance(REPEAT_AFTER).await;
        assert_eq!(reports.news(Instant::now()), [uploaded("a")]);
        reports.say_again();
        assert_eq!(reports.next_turn(), Some(Instant::now()));
        assert_eq!(reports.news(Instant::now()), [uploaded("a")]);
        reports.recorded("another");
        assert!(!reports.is_empty());
        reports.recorded("a");
        assert!(reports.is_empty() && reports.next_turn().is_none());
    }

    #[tokio::test]
    async fn the_oldest_report_is_dropped_when_too_many_wait() {
        let mut reports = Reports::default();
        for n in 0..=WAITING {
            reports.add(n.to_string(), uploaded(&n.to_string()));
        }
        let said = reports.news(Instant::now());
        assert_eq!(said.len(), WAITING);
        assert_eq!(said.first(), Some(&uploaded("1")));
    }
}
