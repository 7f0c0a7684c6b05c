//! What the heartbeats of a sandbox's agent say, and their absence.
//!
//! An agent that has fallen silent is first suspected and only later counts as gone, so that the silence of a gateway
//! or of a machine that slept ends no healthy sandbox. Time counts as running until the last heartbeat, and not at all if
//! the agent never connects.

use super::{Sandbox, SandboxStatus};
use crate::Timestamp;

/// How long the agent of a ready sandbox may be silent before it is suspected to be gone, in seconds: ten heartbeats.
const SILENT_SECONDS: i64 = 5 * 60;
/// How long it must then stay silent before it counts as gone, in seconds. A machine that slept, or a gateway that
/// failed for a while, leaves healthy agents silent, but they report again within one heartbeat.
const SUSPECTED_SECONDS: i64 = 2 * 60;
/// How long after the last heartbeat an agent counts as alive, in seconds: two heartbeats.
const ALIVE_SECONDS: i64 = 60;

impl Sandbox {
    /// Records a sign of life of its agent.
    pub fn heard(&mut self, now: Timestamp) {
        self.last_seen_at = Some(now);
        self.suspected_at = None;
    }

    /// Whether its agent is connected according to the table, but has been silent for so long that it may be gone.
    pub fn is_silent(&self, now: Timestamp) -> bool {
        let silent = self.last_seen_at.map(|seen| now.seconds_since(seen));
        self.status == SandboxStatus::Ready && silent.is_some_and(|silent| silent >= SILENT_SECONDS)
    }

    /// Whether its agent has also stayed silent after it was suspected, and therefore counts as gone.
    pub fn is_gone(&self, now: Timestamp) -> bool {
        let suspected = self.suspected_at.map(|since| now.seconds_since(since));
        self.is_silent(now) && suspected.is_some_and(|suspected| suspected >= SUSPECTED_SECONDS)
    }

    /// Until when it can be charged now: until its agent's last sign of life. Before its agent connects, nothing of the
    /// run is charged, so a start that fails is free.
    pub fn charged_until(&self, now: Timestamp) -> Timestamp {
        let until = match self.status {
            SandboxStatus::Creating => self.running.since,
            SandboxStatus::Ready => self.last_seen_at,
            SandboxStatus::Absent | SandboxStatus::Stopped | SandboxStatus::Failed => None,
        };
        until.map_or(now, |until| until.min(now))
    }

    /// When it ended if it is recorded as ended now: at its agent's last sign of life, if heartbeats are missing, and
    /// at its start, if its agent never connected.
    pub fn ended_at(&self, now: Timestamp) -> Timestamp {
        let until = self.charged_until(now);
        let is_alive =
            self.status == SandboxStatus::Ready && now.seconds_since(until) < ALIVE_SECONDS;
        if is_alive { now } else { until }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::RunningTime;

    #[test]
    fn a_silent_agent_is_gone_only_if_it_stays_silent_after_the_suspicion() {
        let now = Timestamp::now();
        let ago = |seconds: i64| Some(now.plus_seconds(-seconds));
        let ready =
            Sandbox { status: SandboxStatus::Ready, last_seen_at: ago(299), ..Sandbox::default() };
        assert!(!ready.is_silent(now));
        let silent = Sandbox { last_seen_at: ago(300), ..ready };
        assert_eq!((silent.is_silent(now), silent.is_gone(now)), (true, false));
        let suspected = Sandbox { suspected_at: ago(119), ..silent };
        assert!(!suspected.is_gone(now));
        let mut gone = Sandbox { suspected_at: ago(120), ..suspected };
        assert!(gone.is_gone(now));
        // An agent that only starts, or none at all, is not silent.
        for status in [SandboxStatus::Creating, SandboxStatus::Stopped] {
            assert!(!Sandbox { status, ..gone.clone() }.is_silent(now));
        }
        gone.heard(now);
        assert_eq!((gone.is_silent(now), gone.suspected_at), (false, None));
    }

    #[test]
    fn a_sandbox_is_charged_until_its_agents_last_sign_of_life() {
        let now = Timestamp::now();
        let of = |status, seen: i64| {
            let last_seen_at = Some(now.plus_seconds(-seen));
            let sandbox = Sandbox { status, last_seen_at, ..Sandbox::default() };
            [sandbox.charged_until(now), sandbox.ended_at(now)].map(|at| now.seconds_since(at))
        };
        assert_eq!(of(SandboxStatus::Ready, 20), [20, 0]);
        assert_eq!(of(SandboxStatus::Ready, 60), [60, 60]);
        // The table's clock may run behind the one that saw the agent.
        assert_eq!(of(SandboxStatus::Ready, -5), [0, 0]);
        assert_eq!(of(SandboxStatus::Stopped, 90), [0, 0]);
    }

    #[test]
    fn a_start_is_charged_only_once_its_agent_has_connected() {
        let now = Timestamp::now();
        let start = now.plus_seconds(-301);
        let earlier = RunningTime { since: None, seconds: 40 };
        let (status, running) = (SandboxStatus::Creating, earlier.followed(true, start));
        let starting = Sandbox { status, running, ..Sandbox::default() };
        assert_eq!(starting.running.uncharged(starting.charged_until(now)), 40);
        let failed = starting.running.followed(false, starting.ended_at(now));
        assert_eq!(failed.uncharged(now), 40, "the earlier run stays due");
        let mut connected = Sandbox { status: SandboxStatus::Ready, ..starting };
        connected.heard(now);
        assert_eq!(connected.running.uncharged(connected.charged_until(now)), 341);
        assert_eq!(connected.running.followed(false, connected.ended_at(now)).uncharged(now), 341);
    }
}
