//! Follows a command until it has ended, or until the wait must end.

use crate::desk::CommandDesk;
use crate::error::AgentError;
use crate::tools::Watch;
use domain::Scope;
use domain::chat::{ChatEvent, ProposedCommand};
use domain::output::OutputView;
use domain::step::{Step, StepStatus};
use std::time::Duration;
use tokio::time::Instant;

/// How often the reply looks at a command.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The longest wait for the user's decision.
const APPROVAL_WAIT: Duration = Duration::from_secs(600);

/// How following ended.
#[derive(Debug)]
pub(super) enum End {
    /// The command ended.
    Ended(Step),
    /// The time is over, but the command still waits or runs.
    NotYet(Step),
    /// The reader has left, but the command still waits or runs.
    ReaderGone(Step),
}

impl End {
    pub(super) fn step(&self) -> &Step {
        match self {
            Self::Ended(step) | Self::NotYet(step) | Self::ReaderGone(step) => step,
        }
    }
}

/// Watches the command until it has ended, and passes on what it prints. `command` is what the reader was shown; if it was
/// to run without approval and the sandbox could not confine it, the reader is shown that it waits.
pub(super) async fn follow(
    desk: &dyn CommandDesk,
    scope: Scope,
    mut command: ProposedCommand,
    watch: &Watch<'_>,
) -> Result<End, AgentError> {
    let number = command.number;
    let patience = (Instant::now() + APPROVAL_WAIT).min(watch.until);
    let mut shown = Shown::default();
    loop {
        let step = desk.look(scope, number).await?;
        let content = shown.news(&step.output);
        if !content.is_empty() {
            watch.reader.send(ChatEvent::CommandOutput { number, content }).await;
        }
        if step.phase.awaits_approval() && !command.needs_approval {
            command = ProposedCommand {
                status: StepStatus::WaitingApproval,
                needs_approval: true,
                attempt: step.attempt,
                ..command
            };
            watch.reader.send(ChatEvent::Command { command: command.clone() }).await;
        }
        if step.phase.has_ended() {
            return Ok(End::Ended(step));
        }
        let until = if step.phase.awaits_approval() { patience } else { watch.until };
        if Instant::now() >= until {
            return Ok(End::NotYet(step));
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = watch.reader.gone() => return Ok(End::ReaderGone(step)),
        }
    }
}

/// How much of the output was passed on, in bytes from its start.
#[derive(Debug, Default)]
struct Shown {
    bytes: u64,
}

impl Shown {
    /// The new part of a view. For output that no view shows anymore, this gives only its length.
    fn news(&mut self, view: &OutputView) -> String {
        if view.bytes < self.bytes {
            // Another run of the same command.
            self.bytes = 0;
        }
        let head = view.head.len() as u64;
        let mut news = after(&view.head, self.bytes).to_owned();
        self.bytes = self.bytes.max(head);
        if view.tail.is_empty() {
            return news;
        }
        let start = view.bytes.saturating_sub(view.tail.len() as u64);
        if start > self.bytes {
            news.push_str(&format!("\n[… {} bytes left out …]\n", start - self.bytes));
            self.bytes = start;
        }
        news.push_str(after(&view.tail, self.bytes - start));
        self.bytes = view.bytes;
        news
    }
}

/// The text after this many bytes, from the next whole character on.
fn after(text: &str, bytes: u64) -> &str {
    let mut start = usize::try_from(bytes).unwrap_or(usize::MAX).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipe::pipe;
    use crate::{Drafted, Proposed};
    use domain::gate::GateVerdict;
    use domain::step::{CommandTarget, Phase};
    use domain::{InstallationId, PlanId, ProjectId, RunId, ThreadId};
    use futures::StreamExt;
    use std::collections::VecDeque;
    use std::sync::Mutex;

    fn view(head: &str, tail: &str, bytes: u64) -> OutputView {
        OutputView { seq: 1, head: head.into(), tail: tail.into(), bytes }
    }

    #[test]
    fn output_is_passed_on_once_and_a_gap_is_reported() {
        let mut shown = Shown::default();
        let views = [
            (view("", "", 0), ""),
            (view("ab", "", 2), "ab"),
            (view("abcd", "", 4), "cd"),
            (view("abcd", "ef", 6), "ef"),
            (view("abcd", "efgh", 8), "gh"),
            (view("abcd", "yz", 26), "\n[… 16 bytes left out …]\nyz"),
            (view("abcd", "yz", 26), ""),
            (view("new", "", 3), "new"),
        ];
        for (view, news) in views {
            assert_eq!(shown.news(&view), news, "{view:?}");
        }
    }

    /// Shows a command's phases one after another; the last one stays.
    struct Phases(Mutex<VecDeque<Phase>>);

    #[async_trait::async_trait]
    impl CommandDesk for Phases {
        async fn draft(&self, _: Scope, _: CommandTarget, _: &str) -> Result<Drafted, AgentError> {
            Err(AgentError::model("not here"))
        }

        async fn propose(
            &self,
            _: Scope,
            _: &Drafted,
            _: Option<GateVerdict>,
            _: &str,
        ) -> Result<Proposed, AgentError> {
            Err(AgentError::model("not here"))
        }

        async fn look(&self, _: Scope, number: u32) -> Result<Step, AgentError> {
            let mut phases = self.0.lock().unwrap();
            let phase = if phases.len() > 1 { phases.pop_front() } else { phases.front().copied() };
            let mut step = Step::new(PlanId::random(), number, String::new(), String::new());
            step.phase = phase.unwrap();
            step.run_id = Some(RunId::random());
            Ok(step)
        }
    }

    /// Follows for at most this many seconds; returns how it ended, and after how many seconds.
    async fn followed(phases: &[Phase], most: u64, read: bool) -> (End, u64) {
        let (end, seconds, _) = shown(phases, most, read, true).await;
        (end, seconds)
    }

    /// The same for a command that was or was not shown as waiting; also returns the commands that the reader was shown.
    async fn shown(
        phases: &[Phase],
        most: u64,
        read: bool,
        needs_approval: bool,
    ) -> (End, u64, Vec<ProposedCommand>) {
        let desk = Phases(Mutex::new(phases.iter().copied().collect()));
        let (reader, turn) = pipe(ThreadId::random());
        let turn = read.then_some(turn);
        let scope = Scope { installation: InstallationId(1), project: ProjectId(1) };
        let start = Instant::now();
        let until = start + Duration::from_secs(most);
        let watch = Watch { reader: &reader, until, messages: &[], is_last: false };
        let command = ProposedCommand {
            number: 1,
            target: CommandTarget::Sandbox,
            script: "df -h".to_owned(),
            sha256: "0".to_owned(),
            status: StepStatus::InProgress,
            needs_approval,
            attempt: 1,
            verdict: None,
        };
        let end = follow(&desk, scope, command, &watch).await.unwrap();
        let seconds = start.elapsed().as_secs();
        drop(reader);
        let events = match turn {
            Some(turn) => turn.collect::<Vec<_>>().await,
            None => Vec::new(),
        };
        let commands = events.into_iter().filter_map(|event| match event {
            Ok(ChatEvent::Command { command }) => Some(command),
            _ => None,
        });
        (end, seconds, commands.collect())
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_waits_ten_minutes_for_the_users_decision() {
        let (end, seconds) = followed(&[Phase::WaitingApproval], 700, true).await;
        assert!(matches!(end, End::NotYet(_)) && (600..602).contains(&seconds), "{seconds} s");
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_that_outlasts_its_turn_continues_without_it() {
        let phases = [Phase::WaitingApproval, Phase::WaitingApproval, Phase::Running];
        let (end, seconds) = followed(&phases, 700, true).await;
        assert!(matches!(end, End::NotYet(_)) && (700..702).contains(&seconds), "{seconds} s");
        let (end, _) = followed(&[Phase::Running, Phase::Completed], 700, true).await;
        assert!(matches!(end, End::Ended(_)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_reading_that_the_sandbox_could_not_confine_is_shown_as_waiting_once() {
        let phases =
            [Phase::Running, Phase::WaitingApproval, Phase::WaitingApproval, Phase::Completed];
        let (end, _, commands) = shown(&phases, 700, true, false).await;
        assert!(matches!(end, End::Ended(_)));
        let [waits] = &commands[..] else { panic!("{commands:?}") };
        assert_eq!((waits.status, waits.needs_approval), (StepStatus::WaitingApproval, true));
        assert!(shown(&phases[1..], 700, true, true).await.2.is_empty(), "it was shown already");
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_is_not_followed_once_the_reader_has_left() {
        let (end, seconds) = followed(&[Phase::WaitingApproval], 700, false).await;
        assert!(matches!(end, End::ReaderGone(_)) && seconds == 0, "{seconds} s");
    }
}
