//! The step under every interleaving: duplicates, late messages and impatient users included.

use super::{Applied, Event, Finish, Outcome, Phase, Refusal, Step};
use crate::output::OutputView;
use crate::read_only::Reach;
use crate::{PlanId, RunId};
use proptest::prelude::*;

fn step() -> Step {
    Step::new(PlanId::from("plan"), 1, "Do it".into(), "Please do it".into())
}

fn finish(code: i32) -> Finish {
    Finish {
        outcome: Outcome::Exited,
        exit_code: Some(code),
        duration_ms: 5,
        output: OutputView { seq: 1, head: "out".into(), tail: String::new(), bytes: 3 },
        detail: None,
    }
}

/// Few run ids, so that events often meet the run they belong to and often do not.
fn run() -> impl Strategy<Value = RunId> {
    (0..4_u8).prop_map(|n| RunId(format!("run-{n}")))
}

fn script() -> impl Strategy<Value = String> {
    prop_oneof![Just("true".to_owned()), Just("false".to_owned())]
}

fn sha() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(script().prop_map(|s| super::Command::new(s).sha256))
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        run().prop_map(|run_id| Event::Prepare { run_id }),
        (run(), run(), script()).prop_map(|(run_id, next_run_id, script)| Event::Prepared {
            run_id,
            next_run_id,
            script
        }),
        run().prop_map(|run_id| Event::PreparationFailed { run_id, error: "no".into() }),
        (run(), sha()).prop_map(|(run_id, sha256)| Event::Approve { run_id, sha256 }),
        run().prop_map(|run_id| Event::Read { run_id, reach: Reach::default() }),
        Just(Event::Reject),
        run().prop_map(|run_id| Event::Acknowledged { run_id }),
        (run(), 0..2_i32)
            .prop_map(|(run_id, code)| Event::Finished { run_id, finish: finish(code) }),
        run().prop_map(|run_id| Event::Abandoned { run_id, error: "gone".into() }),
    ]
}

fn is_users(event: &Event) -> bool {
    matches!(event, Event::Approve { .. } | Event::Read { .. } | Event::Reject)
}

/// The run that an event of the machinery belongs to.
fn run_of(event: &Event) -> Option<&RunId> {
    match event {
        Event::Prepared { run_id, .. }
        | Event::PreparationFailed { run_id, .. }
        | Event::Acknowledged { run_id }
        | Event::Finished { run_id, .. }
        | Event::Abandoned { run_id, .. } => Some(run_id),
        Event::Prepare { .. } | Event::Approve { .. } | Event::Read { .. } | Event::Reject => None,
    }
}

/// The transitions of the picture in the module's essay, and no others.
fn allowed(from: Phase, to: Phase) -> bool {
    use Phase::{Completed, Failed, Pending, Preparing, Running, WaitingApproval};
    matches!(
        (from, to),
        (Pending | Failed, Preparing)
            | (Preparing, WaitingApproval | Running | Failed)
            | (WaitingApproval, Running | Failed)
            | (Running, Running | Completed | Failed)
            | (Completed, Running)
    )
}

proptest! {
    #[test]
    fn any_sequence_of_events_keeps_the_invariants(events in proptest::collection::vec(event(), 0..60)) {
        let mut step = step();
        for event in events {
            match step.apply(event.clone()) {
                Ok(Applied::Ignored) => {
                    prop_assert!(!is_users(&event), "a user's wish is never silently dropped");
                }
                Err(refusal) => {
                    prop_assert!(is_users(&event), "only a user's wish is refused");
                    if refusal == Refusal::CommandChanged {
                        let named = matches!(event, Event::Approve { sha256: Some(_), .. });
                        prop_assert!(named);
                    }
                }
                Ok(Applied::Changed(next)) => {
                    prop_assert!(allowed(step.phase, next.phase), "{:?} → {:?}", step.phase, next.phase);
                    if let Some(run_id) = run_of(&event) {
                        prop_assert!(step.is_under_way(run_id), "an event of another run moved the step");
                    }
                    prop_assert!(next.attempt >= step.attempt);
                    step = *next;
                }
            }
            prop_assert_eq!(step.error.is_some() && step.phase == Phase::Completed, false);
            if matches!(step.phase, Phase::WaitingApproval | Phase::Running | Phase::Completed) {
                prop_assert!(step.command.is_some(), "nothing waits or runs without a command");
            }
            if step.phase == Phase::Failed {
                prop_assert!(step.error.is_some(), "a failure says why");
            }
            if step.phase == Phase::WaitingApproval {
                let results = (&step.error, step.exit_code, step.output.text());
                prop_assert_eq!(results, (&None, None, String::new()), "it has not run yet");
            }
        }
    }

    #[test]
    fn what_runs_was_approved_as_it_stands(events in proptest::collection::vec(event(), 0..60)) {
        let mut step = step();
        let mut approved: Option<String> = None;
        for event in events {
            let before = step.clone();
            if let Ok(Applied::Changed(next)) = step.apply(event.clone()) {
                step = *next;
                match (&event, before.phase) {
                    (Event::Approve { .. }, Phase::WaitingApproval | Phase::Completed | Phase::Failed) => {
                        approved = before.command.map(|command| command.sha256);
                    }
                    (Event::Reject, _) => approved = None,
                    _ => {}
                }
                if step.phase == Phase::Running && before.phase != Phase::Running {
                    let read = matches!(event, Event::Read { .. });
                    prop_assert_eq!(step.reading.is_some(), read, "a reader's run and no other is one");
                    if read {
                        continue;
                    }
                    prop_assert_eq!(step.command.as_ref().map(|c| &c.sha256), approved.as_ref());
                }
            }
        }
    }

    #[test]
    fn a_second_delivery_changes_nothing(event in event(), prefix in proptest::collection::vec(event(), 0..30)) {
        let mut step = step();
        for event in prefix {
            if let Ok(Applied::Changed(next)) = step.apply(event) {
                step = *next;
            }
        }
        // A preparation that leads straight into a run may name that run; real ids are never reused.
        let reused = matches!(&event, Event::Prepared { run_id, next_run_id, .. } if run_id == next_run_id);
        if let (false, false, Ok(Applied::Changed(next))) = (is_users(&event), reused, step.apply(event.clone())) {
            prop_assert_eq!(next.apply(event), Ok(Applied::Ignored));
        }
    }
}

#[test]
fn a_failed_step_runs_again_at_once_when_its_command_is_the_approved_one() {
    let mut step = step();
    for event in [
        Event::Prepare { run_id: "a".into() },
        Event::Prepared { run_id: "a".into(), next_run_id: "x".into(), script: "true".into() },
        Event::Approve { run_id: "b".into(), sha256: None },
        Event::Finished { run_id: "b".into(), finish: finish(1) },
        Event::Approve { run_id: "c".into(), sha256: None },
    ] {
        if let Ok(Applied::Changed(next)) = step.apply(event) {
            step = *next;
        }
    }
    assert_eq!(step.phase, Phase::Preparing);
    let same =
        Event::Prepared { run_id: "c".into(), next_run_id: "d".into(), script: "true".into() };
    let other =
        Event::Prepared { run_id: "c".into(), next_run_id: "d".into(), script: "false".into() };
    for (event, phase) in [(same, Phase::Running), (other, Phase::WaitingApproval)] {
        let Ok(Applied::Changed(next)) = step.apply(event) else { panic!("the step must move") };
        assert_eq!(next.phase, phase);
    }
}
