//! Tests the step under every interleaving, including duplicates, late messages and impatient users.

use super::{
    Applied, Command, Event, Failure, Finish, Outcome, Phase, Refusal, Seen, Step, StepEdit,
};
use crate::actor::Actor;
use crate::output::OutputView;
use crate::{PlanId, RunId};
use proptest::prelude::*;
use read_only::Reach;

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
        saved_plan: None,
    }
}

/// The end of a reading that the sandbox could not confine.
fn not_confined() -> Finish {
    Finish { outcome: Outcome::NotConfined, exit_code: None, ..finish(0) }
}

/// Few run ids, so that events often meet their own run and often do not.
fn run() -> impl Strategy<Value = RunId> {
    (0..4_u8).prop_map(|n| RunId(format!("run-{n}")))
}

fn script() -> impl Strategy<Value = String> {
    prop_oneof![Just("true".to_owned()), Just("false".to_owned())]
}

fn seen() -> impl Strategy<Value = Seen> {
    let sha = script().prop_map(|script| Command::new(script).sha256);
    (proptest::option::of(sha), proptest::option::of(0..6_u32))
        .prop_map(|(command_sha256, attempt)| Seen { command_sha256, attempt, ..Seen::default() })
}

fn edit() -> impl Strategy<Value = Event> {
    (script(), script(), 0..6_u32).prop_map(|(before, script, attempt)| Event::Edit {
        command: Command::new(script.as_str()),
        by: Actor { user_id: 1, login: "ada".into() },
        edit: StepEdit {
            plan_id: PlanId::from("plan"),
            step_number: 1,
            attempt,
            command_sha256: Command::new(before).sha256,
            script,
        },
    })
}

fn approve(run_id: &str, attempt: u32) -> Event {
    let sha256 = Command::new("true").sha256;
    let seen = Seen::of(attempt, Some(&sha256));
    Event::Approve { run_id: run_id.into(), seen, credentials: Vec::new() }
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        run().prop_map(|run_id| Event::Prepare { run_id }),
        (run(), run(), script()).prop_map(|(run_id, next_run_id, script)| Event::Prepared {
            run_id,
            next_run_id,
            script,
            verdict: None,
            rollback: None,
        }),
        (run(), any::<bool>()).prop_map(|(run_id, waits)| Event::Waiting {
            run_id,
            notice: waits.then(|| "The AI model is busy.".into()),
        }),
        run().prop_map(|run_id| Event::PreparationFailed { run_id, error: "no".into() }),
        (run(), seen()).prop_map(|(run_id, seen)| Event::Approve {
            run_id,
            seen,
            credentials: Vec::new()
        }),
        edit(),
        run().prop_map(|run_id| Event::Read { run_id, reach: Reach::default() }),
        seen().prop_map(|seen| Event::Reject { seen, reason: None }),
        // The step was not allowed to run again, so both change nothing.
        Just(Event::Recheck),
        run().prop_map(|run_id| Event::RunStanding { run_id }),
        run().prop_map(|run_id| Event::Acknowledged { run_id }),
        run().prop_map(|run_id| Event::Cancel { run_id }),
        (run(), 0..2_i32)
            .prop_map(|(run_id, code)| Event::Finished { run_id, finish: finish(code) }),
        run().prop_map(|run_id| Event::Finished { run_id, finish: not_confined() }),
        run().prop_map(|run_id| Event::Abandoned { run_id, failure: Failure::Lost, detail: None }),
    ]
}

fn is_users(event: &Event) -> bool {
    matches!(event, Event::Approve { .. } | Event::Read { .. } | Event::Reject { .. })
        || matches!(event, Event::Edit { .. })
}

fn seen_by(event: &Event) -> Option<&Seen> {
    match event {
        Event::Approve { seen, .. } | Event::Reject { seen, .. } => Some(seen),
        _ => None,
    }
}

/// The run of an event, unless it comes from the owner.
fn run_of(event: &Event) -> Option<&RunId> {
    match event {
        Event::Prepared { run_id, .. }
        | Event::Waiting { run_id, .. }
        | Event::PreparationFailed { run_id, .. }
        | Event::Acknowledged { run_id }
        | Event::Cancel { run_id }
        | Event::Finished { run_id, .. }
        | Event::Abandoned { run_id, .. } => Some(run_id),
        Event::Prepare { .. }
        | Event::Approve { .. }
        | Event::Edit { .. }
        | Event::Read { .. }
        | Event::ReadStep { .. }
        | Event::Reject { .. }
        | Event::RunReading { .. }
        | Event::Recheck
        | Event::RunStanding { .. } => None,
    }
}

/// Whether the diagram in the module's documentation has this transition.
fn allowed(from: Phase, to: Phase) -> bool {
    use Phase::{Completed, Failed, Pending, Preparing, Running, WaitingApproval};
    matches!(
        (from, to),
        (Pending | Failed, Preparing)
            | (Failed, WaitingApproval)
            | (Preparing, Preparing | WaitingApproval | Running | Failed)
            | (WaitingApproval, WaitingApproval | Running | Failed)
            | (Running, Running | WaitingApproval | Completed | Failed)
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
                    let same = matches!(&event, Event::Edit { command, .. }
                        if step.command.as_ref().is_some_and(|shown| shown.sha256 == command.sha256));
                    prop_assert!(!is_users(&event) || same, "a user's wish is never silently dropped");
                }
                Err(refusal) => {
                    prop_assert!(is_users(&event), "only a user's wish is refused");
                    if refusal == Refusal::CommandChanged {
                        let named = seen_by(&event).is_none_or(|seen| seen.command_sha256.is_some());
                        prop_assert!(named || step.is_edited());
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
            prop_assert_eq!(step.failure().is_some(), step.phase == Phase::Failed);
            prop_assert!(!step.cancelling || step.phase == Phase::Running, "only a run is being canceled");
            if step.phase == Phase::WaitingApproval {
                let results = (&step.error, step.exit_code, step.output.text());
                prop_assert_eq!(results, (&None, None, String::new()), "it has not run yet");
            }
        }
    }

    #[test]
    fn a_decision_counts_once_and_only_for_the_attempt_and_the_command_that_it_names(
        events in proptest::collection::vec(event(), 0..60),
    ) {
        let mut step = step();
        let mut approved = std::collections::HashSet::new();
        for event in events {
            let Ok(Applied::Changed(next)) = step.apply(event.clone()) else { continue };
            if let Some(seen) = seen_by(&event) {
                let shown = step.command.as_ref().map(|command| &command.sha256);
                let first = step.attempt <= 1;
                prop_assert!(seen.attempt == Some(step.attempt) || (seen.attempt.is_none() && first));
                let as_shown = seen.command_sha256.as_ref() == shown;
                prop_assert!(as_shown || (seen.command_sha256.is_none() && first));
            }
            if matches!(event, Event::Approve { .. }) {
                prop_assert!(approved.insert(step.attempt), "one attempt was approved twice");
            }
            step = *next;
        }
    }

    #[test]
    fn every_command_that_runs_was_approved_unchanged(events in proptest::collection::vec(event(), 0..60)) {
        let mut step = step();
        let mut approved: Option<String> = None;
        for event in events {
            let before = step.clone();
            if let Ok(Applied::Changed(next)) = step.apply(event.clone()) {
                step = *next;
                match (&event, before.phase) {
                    // Asking for another try of a failed step approves nothing.
                    (Event::Approve { .. }, Phase::WaitingApproval | Phase::Completed) => {
                        approved = before.command.map(|command| command.sha256);
                    }
                    (Event::Reject { .. }, _) => approved = None,
                    _ => {}
                }
                if step.phase == Phase::Running && before.phase != Phase::Running {
                    let read = matches!(event, Event::Read { .. });
                    prop_assert_eq!(step.reading.is_some(), read, "only the run of a reader is a reading");
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
        // A preparation that leads directly to a run may name that run; real ids are never reused.
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
        Event::Prepared {
            run_id: "a".into(),
            next_run_id: "x".into(),
            script: "true".into(),
            verdict: None,
            rollback: None,
        },
        approve("b", 1),
        Event::Finished { run_id: "b".into(), finish: finish(1) },
        approve("c", 2),
    ] {
        if let Ok(Applied::Changed(next)) = step.apply(event) {
            step = *next;
        }
    }
    assert_eq!(step.phase, Phase::Preparing);
    let same = Event::Prepared {
        run_id: "c".into(),
        next_run_id: "d".into(),
        script: "true".into(),
        verdict: None,
        rollback: None,
    };
    let other = Event::Prepared {
        run_id: "c".into(),
        next_run_id: "d".into(),
        script: "false".into(),
        verdict: None,
        rollback: None,
    };
    for (event, phase) in [(same, Phase::Running), (other, Phase::WaitingApproval)] {
        let Ok(Applied::Changed(next)) = step.apply(event) else { panic!("the step must move") };
        assert_eq!(next.phase, phase);
    }
}

#[test]
fn a_canceled_run_goes_on_until_the_sandbox_has_ended_it_and_is_then_canceled_whatever_ended_it() {
    let mut running = step();
    for event in [
        Event::Prepare { run_id: "a".into() },
        Event::Prepared {
            run_id: "a".into(),
            next_run_id: "x".into(),
            script: "true".into(),
            verdict: None,
            rollback: None,
        },
        approve("b", 1),
        Event::Acknowledged { run_id: "b".into() },
        Event::Cancel { run_id: "b".into() },
    ] {
        let Ok(Applied::Changed(next)) = running.apply(event) else { panic!("the step must move") };
        running = *next;
    }
    assert_eq!((running.phase, running.cancelling), (Phase::Running, true));
    assert!(!running.wants(&"b".into()) && running.apply(approve("c", 2)).is_err());
    let lost = Finish { outcome: Outcome::Lost, exit_code: None, ..finish(0) };
    let ends = [
        (Event::Finished { run_id: "b".into(), finish: finish(0) }, None),
        (Event::Finished { run_id: "b".into(), finish: finish(3) }, Some(Failure::ExitCode)),
        (Event::Finished { run_id: "b".into(), finish: lost }, Some(Failure::Cancelled)),
        (
            Event::Abandoned { run_id: "b".into(), failure: Failure::Lost, detail: None },
            Some(Failure::Cancelled),
        ),
    ];
    for (end, failure) in ends {
        let Ok(Applied::Changed(ended)) = running.apply(end) else { panic!("the step must move") };
        assert_eq!((ended.failure(), ended.cancelling), (failure, false));
    }
}

#[test]
fn an_item_of_an_earlier_version_loads_and_its_rejected_command_still_waits() {
    let mut old = step();
    for event in [
        Event::Prepare { run_id: "a".into() },
        Event::Prepared {
            run_id: "a".into(),
            next_run_id: "x".into(),
            script: "true".into(),
            verdict: None,
            rollback: None,
        },
        Event::Reject { seen: Seen::default(), reason: None },
    ] {
        let Ok(Applied::Changed(next)) = old.apply(event) else { panic!("the step must move") };
        old = *next;
    }
    let mut item = serde_json::to_value(&old).unwrap();
    for field in ["failure", "approval", "approved_as_shown", "approved_sha256"] {
        assert!(item.as_object_mut().unwrap().remove(field).is_some(), "{field}");
    }
    let old: Step = serde_json::from_value(item).unwrap();
    assert_eq!(old.failure(), Some(Failure::Rejected));
    let Ok(Applied::Changed(again)) = old.apply(approve("b", 1)) else {
        panic!("the step must move")
    };
    assert_eq!((again.phase, again.approved_sha256), (Phase::Preparing, None));
}
