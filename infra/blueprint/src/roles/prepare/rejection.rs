//! What the user wants done differently when they reject a script.
//!
//! A value such as the port is in the scripts of several steps. The product shows the reasons of all rejections to every
//! step and check, so all of them follow a reason that gives a value: the ones that ran before have to run again. A value
//! that the existing steps cannot change in place, and everything that is not a value, stays as it is, and the answer
//! says so.

use crate::catalogue::parameters::Parameter;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::Dialogue;
use crate::reading::dialogue::changing::{differing, is_changeable};
use crate::roles::tracing;

/// How the product introduces the reason of the previous attempt, and the section with the reasons of all steps.
const REASON: &str = "What the user wants done differently: ";
const REASONS: &str = "rejections";
/// The most characters of a reason that the answer repeats.
const REASON_CHARS: usize = 160;

/// The choice with the values that reasons for rejections give. `own` is the position of the step to prepare, if its own
/// reason counts: a check looks at what the steps built, so its reason changes no value.
pub fn applied(conversation: &Conversation, choice: Choice, own: Option<usize>) -> Choice {
    let shown = conversation.fence(REASONS).map_or("", |fence| fence.content);
    let given = shown.lines().filter_map(|line| line.split_once(": ")).map(|(step, reason)| {
        let number = step.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok());
        (number.unwrap_or(1).saturating_sub(1), reason)
    });
    let attempt = conversation.fence("previous_attempt");
    let attempt = attempt.and_then(|fence| reason(fence.content));
    let known = |reason: &&str| shown.lines().any(|line| line.ends_with(reason));
    let own = own.zip(attempt.filter(|reason| !known(reason)));
    let all = given.chain(own);
    all.fold(choice, |choice, (at, reason)| with(&choice, reason, at).unwrap_or(choice))
}

/// The choice with the values that the reason for rejecting the step at a position gives; `None` if it gives none that
/// can still change: one that the steps change in place, or one that no earlier step has used.
fn with(choice: &Choice, reason: &str, at: usize) -> Option<Choice> {
    let wished = wished(choice, reason)?;
    let steps = choice.possible_steps();
    let used = |key: &str| steps.iter().take(at).any(|step| tracing::goes_into(key, step.title));
    let changed = differing(choice, &wished);
    let can = |key: &str| is_changeable(key) || !used(key);
    let possible = !changed.is_empty() && changed.iter().all(|(one, _)| can(one.key));
    possible.then_some(wished)
}

/// The choice with everything that the reason asks for, if it is the same deployment.
fn wished(choice: &Choice, reason: &str) -> Option<Choice> {
    let mut dialogue = Dialogue::continuing(choice);
    dialogue.read(reason);
    dialogue.choice().filter(|wished| wished.blueprint.id == choice.blueprint.id)
}

/// The reason in the text of a previous attempt.
fn reason(attempt: &str) -> Option<&str> {
    let (head, _) = attempt.split_once("\nScript:\n").unwrap_or((attempt, ""));
    head.lines().find_map(|line| line.strip_prefix(REASON)).map(str::trim)
}

/// A rejected script, and what it is for.
pub struct Rejected<'a> {
    /// The choice of the plan, and the one with what the user asked for since.
    pub planned: &'a Choice,
    pub choice: &'a Choice,
    /// The position of the step or check.
    pub index: usize,
    pub is_check: bool,
}

impl Rejected<'_> {
    /// What the answer says about the reason, if the user gave one.
    pub fn answer(&self, attempt: &str) -> Option<String> {
        let reason = reason(attempt)?;
        let said: String = reason.chars().take(REASON_CHARS).collect();
        let start = format!("You rejected the script: “{said}”.");
        let asked = wished(self.planned, reason)
            .map_or(Vec::new(), |wished| differing(self.planned, &wished));
        let has = |value: &(&Parameter, String)| self.choice.value(value.0.key) == value.1;
        let rest = match asked.is_empty() {
            true => UNKNOWN.into(),
            false if self.is_check => CHECK.into(),
            false if asked.iter().all(has) => self.done(&asked),
            false => {
                let labels: Vec<&str> = asked.iter().map(|(one, _)| one.label).collect();
                format!("{}: {FIXED}", labels.join(", "))
            }
        };
        Some(format!("{start} {rest}"))
    }

    /// What a reason changes.
    fn done(&self, asked: &[(&Parameter, String)]) -> String {
        let steps = self.choice.possible_steps();
        let uses = |at: &usize| {
            let title = steps.get(*at).map_or("", |step| step.title);
            asked.iter().any(|(one, _)| tracing::goes_into(one.key, title))
        };
        let before: Vec<usize> = (0..self.index).filter(uses).collect();
        let values: Vec<String> =
            asked.iter().map(|(one, value)| format!("{} `{value}`", one.label)).collect();
        let here = if uses(&self.index) { USED } else { USED_LATER };
        format!("{}: {here}{} {REQUIREMENTS}", values.join(", "), again(&before))
    }
}

const UNKNOWN: &str = "I only know the scripts of my blueprints and cannot write that into one, so this is the same script. A model that writes scripts of its own can.";
const CHECK: &str = "A check looks at what the steps built, so this is the same script. Reject the step that builds it with this reason, or change it in the requirements.";
const FIXED: &str = "that is not applied, and this is the same script, because earlier steps have used the former value and cannot change it in place. Change it in the requirements and plan again.";
const USED: &str = "this script uses it now, and so do all later steps and the checks.";
const USED_LATER: &str =
    "this script does not use it and is the same; all later steps and the checks use it.";

/// Where the former value still stands.
const REQUIREMENTS: &str = "The requirements and the plans still say the former value; change it there as well if they are to say the same.";

/// Which steps have to run again, because they used the former value.
fn again(before: &[usize]) -> String {
    let numbers: Vec<String> = before.iter().map(|at| (at + 1).to_string()).collect();
    match numbers.as_slice() {
        [] => String::new(),
        [one] => format!(" Step {one} used the former value: execute it again."),
        [rest @ .., last] => format!(
            " Steps {} and {last} used the former value: execute them again.",
            rest.join(", ")
        ),
    }
}
