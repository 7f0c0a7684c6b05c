//! The largest value of each record, at the bounds that `domain` names, in characters of four bytes.
use domain::audit::Actor;
use domain::gate::{
    Checked, Finding, GateVerdict, MAX_FILE_CHARS, MAX_FINDING_CHARS, MAX_FINDINGS, MAX_TOOL_CHARS,
    MAX_TOOLS, NotChecked, Severity,
};
use domain::output::OutputView;
use domain::plan::{MAX_STEPS, MAX_STEPS_BYTES, MAX_TITLE_CHARS, PlannedStep};
use domain::requirement::words::MAX_QUOTE_BYTES;
use domain::requirement::{Fate, MAX_WISHES, Wish};
use domain::saved_plan::SavedPlan;
use domain::step::{
    Approval, Command, Earlier, Edited, Failure, Finish, MAX_ERROR_CHARS, MAX_REASON_CHARS,
    MAX_ROLLBACK_BYTES, MAX_SCRIPT_BYTES, Outcome, Phase, Rollback, Step,
};
use domain::{PlanId, RunId, Timestamp};
use serde_json::json;

/// The most bytes of a run's output that a sandbox reports, from its start and again from its end.
const OUTPUT_BYTES: usize = 4096;
/// The most bytes of what the user asks for, all wishes together.
const LIST_BYTES: usize = 8_000;
/// The largest message of a sandbox, in bytes.
pub const FRAME_BYTES: usize = 32 * 1024;

/// A text of this many bytes, in characters of four bytes as far as they fit.
pub fn bytes(count: usize) -> String {
    "𝄞".repeat(count / 4) + &"x".repeat(count % 4)
}

/// A text of this many characters of four bytes.
pub fn chars(count: usize) -> String {
    "𝄞".repeat(count)
}

/// An id or a digest in hexadecimal.
pub fn hex(digits: usize) -> String {
    "f".repeat(digits)
}

pub fn person() -> Actor {
    Actor { user_id: domain::ids::MAX_SAFE_INTEGER, login: hex(39) }
}

pub fn names() -> Vec<String> {
    let name = |n| format!("{n:A>width$}", width = redaction::variable::MAX_NAME_CHARS);
    (0..domain::credential::MAX_CREDENTIALS).map(name).collect()
}

pub fn wishes() -> Vec<Wish> {
    let half = LIST_BYTES / MAX_WISHES / 2;
    let wish = |n: usize| {
        let id = format!("{n:04}");
        Wish {
            wish: id.clone() + &bytes(half - id.len()),
            fate: Fate::Differently,
            how: bytes(half),
            words: bytes(MAX_QUOTE_BYTES),
        }
    };
    (0..MAX_WISHES).map(wish).collect()
}

/// The steps of a plan, the first of which has nearly all of their text.
pub fn planned() -> Vec<PlannedStep> {
    let requirements: Vec<_> = (0..MAX_WISHES).map(|n| format!("R{}", 1000 + n)).collect();
    let short = PlannedStep { description: chars(1), prompt: chars(1), requirements };
    let mut steps = vec![short; MAX_STEPS];
    let others = (MAX_STEPS - 1) * 2 * chars(1).len();
    let title = chars(MAX_TITLE_CHARS);
    steps[0].prompt = bytes(MAX_STEPS_BYTES - others - title.len());
    steps[0].description = title;
    steps
}

/// Checks with every bound exceeded, which a verdict cuts.
fn verdict() -> GateVerdict {
    let finding = |n: u32| Finding {
        tool: chars(MAX_TOOL_CHARS),
        file: Some(chars(MAX_FILE_CHARS)),
        line: Some(u32::MAX),
        severity: Severity::Warning,
        message: format!("{n}{}", chars(MAX_FINDING_CHARS)),
    };
    let skipped = NotChecked { tool: chars(MAX_TOOL_CHARS), reason: chars(MAX_FINDING_CHARS) };
    let checked = (0..2 * MAX_TOOLS).map(|n| format!("{n}{}", chars(MAX_TOOL_CHARS))).collect();
    let findings = (0..2 * u32::try_from(MAX_FINDINGS).unwrap()).map(finding).collect();
    let not_checked = vec![skipped; 2 * MAX_TOOLS];
    GateVerdict::new(hex(64), Checked { checked, findings, not_checked }, u32::MAX)
}

pub fn rollback() -> Rollback {
    Rollback::new(bytes(MAX_ROLLBACK_BYTES), Some(verdict()))
}

/// A command that its owner edited, with its rollback.
pub fn command() -> Command {
    let edited = Edited {
        by: person(),
        at: Timestamp::now(),
        sha256_before: hex(64),
        written: bytes(MAX_SCRIPT_BYTES),
    };
    Command {
        verdict: Some(verdict()),
        edited: Some(edited),
        rollback: Some(rollback()),
        ..Command::new(bytes(MAX_SCRIPT_BYTES))
    }
}

fn output() -> OutputView {
    OutputView {
        seq: domain::ids::MAX_SAFE_INTEGER,
        head: bytes(OUTPUT_BYTES),
        tail: bytes(OUTPUT_BYTES),
        bytes: u64::MAX,
    }
}

/// A plan that Terraform saved, with more resources than its picture has room for.
pub fn saved_plan() -> SavedPlan {
    let change = |n: usize| {
        let after: serde_json::Map<_, _> =
            (0..8).map(|v| (format!("{v}{}", chars(20)), json!(chars(60)))).collect();
        json!({"address": format!("{n:04}{}", chars(100)), "mode": "managed",
            "change": {"actions": ["create"], "before": null, "after": after}})
    };
    let changes: Vec<_> = (0..200).map(change).collect();
    let shown = json!({"resource_changes": changes}).to_string();
    SavedPlan::of(hex(64), Some(shown.as_bytes()))
}

pub fn finish() -> Finish {
    Finish {
        outcome: Outcome::Lost,
        exit_code: None,
        duration_ms: u64::from(u32::MAX),
        output: output(),
        // A sandbox sends what fits a frame.
        detail: Some(bytes(FRAME_BYTES)),
        saved_plan: Some(saved_plan()),
    }
}

/// A step that failed again after its owner had edited it.
pub fn step(plan_id: &PlanId, number: u32) -> Step {
    let planned = planned().remove(number as usize - 1);
    Step {
        phase: Phase::Failed,
        run_id: Some(RunId::random()),
        attempt: 999_999,
        command: Some(command()),
        approved_sha256: Some(hex(64)),
        approved_as_shown: true,
        approval: Some(Approval { attempt: 999_999, credentials: names() }),
        acknowledged: true,
        output: output(),
        exit_code: Some(i32::MIN),
        duration_ms: Some(u64::from(u32::MAX)),
        saved_plan: Some(saved_plan()),
        failure: Some(Failure::PreparationFailed),
        error: Some(chars(MAX_ERROR_CHARS)),
        rejection: Some(chars(MAX_REASON_CHARS)),
        earlier: Some(Earlier {
            command: bytes(MAX_SCRIPT_BYTES),
            error_message: Some(chars(MAX_ERROR_CHARS)),
            reason: Some(chars(MAX_REASON_CHARS)),
        }),
        ..Step::new(plan_id.clone(), number, planned.description, planned.prompt)
    }
}
