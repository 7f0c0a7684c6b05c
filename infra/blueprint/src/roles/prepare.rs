//! Writes the script of a step or check, for the first time or after a failure.

mod rejection;

use serde_json::json;

use super::executor::choice;
use super::{Attempt, ToolUse, change};
use crate::catalogue::{Diagnosis, Step};
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::Dialogue;
use crate::reading::fences::Fence;
use crate::render;
use crate::reply::Reply;
use crate::words::Words;
use rejection::Rejected;

/// The list that the scripts are for: the steps of the execution, or the checks of the validation.
pub struct Track {
    pub tool: &'static str,
    /// Its name in a sentence: “step”.
    pub called: &'static str,
    pub steps: fn(&Choice) -> Vec<&'static Step>,
    /// Whether a step's script may first repair what is broken. A check's may not, because that would hide the fault.
    pub repairs: bool,
}

/// Proposes the script for the step in the fence.
pub fn answer(track: &Track, conversation: &Conversation, fence: &Fence) -> Reply {
    let called = track.called;
    let found = choice(conversation).and_then(|choice| {
        // In a change, the chat is not read: its older messages are about other changes, and the plan has the values.
        let planned = choice.clone();
        let choice = match change::standing(conversation) {
            Some(_) => choice,
            None => {
                let own = find_step(&(track.steps)(&choice), fence).map(|(index, _)| index);
                let own = own.filter(|_| track.repairs);
                with_wishes(conversation, rejection::applied(conversation, choice, own))
            }
        };
        let (step, number) = find_step(&(track.steps)(&choice), fence)?;
        Some((planned, choice, step, number))
    });
    let Some((planned, choice, index, number)) = found else {
        return Reply::text(format!(
            "I cannot prepare this {called}: I only know the {called}s of my own blueprints, and this is not one of them. Generate the plan again, or configure a model that writes scripts of its own.",
        ));
    };
    let Some(step) = (track.steps)(&choice).get(index).copied() else {
        return Reply::text(format!(
            "I cannot prepare this {called}: the plan has no such {called}."
        ));
    };
    let retry = conversation
        .fence("previous_attempt")
        .filter(|fence| !fence.content.is_empty())
        .map(|fence| Retry::of(track, (&planned, &choice), index, fence.content));

    let script =
        retry.as_ref().map_or_else(|| choice.script(step), |retry| retry.script(&choice, step));
    let mut summary = choice.fill(step.summary);
    if let Some(retry) = &retry {
        summary = format!("{} {summary}", retry.meaning);
    }
    let tool_use = ToolUse {
        tool: track.tool,
        lead: lead(called, number, step, retry.as_ref()),
        closing: format!("{} {number} is ready. {}", capital(called), choice.fill(step.summary)),
    };
    let asked = conversation.parameters_of(track.tool);
    let before = asked.filter(|asked| asked.contains_key("rollback"));
    let before = before.and_then(|_| change::before(conversation, &choice));
    let rollback = before.map(|before| change::rollback(&before, &choice));
    tool_use.reply(conversation, |attempt| {
        let mut given = json!({"step": corrected(number, attempt), "script": script, "proof": choice.proof(step), "summary": summary});
        if let Some(rollback) = &rollback {
            given["rollback"] = json!(rollback);
        }
        given
    })
}

/// The choice with the values that the user asked for in the execution chat. Only values can change there, because
/// another deployment needs another plan.
fn with_wishes(conversation: &Conversation, choice: Choice) -> Choice {
    let mut messages = conversation.user_words();
    // The last message is the instruction to prepare the step.
    messages.pop();
    messages.retain(|message| !Words::of(message).is_question());
    let dialogue = Dialogue::continuing(&choice).replay(&messages);
    let wished = dialogue.choice().filter(|wished| wished.blueprint.id == choice.blueprint.id);
    wished.unwrap_or(choice)
}

fn lead(called: &str, number: usize, step: &Step, retry: Option<&Retry>) -> String {
    match retry {
        Some(retry) => {
            format!("{} {number} again: {}. {}", capital(called), step.title, retry.meaning)
        }
        None => format!("Preparing {called} {number}: {}.", step.title),
    }
}

fn capital(word: &str) -> String {
    let mut word = word.to_string();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// The step's index in the blueprint, and its number in the plan.
fn find_step(steps: &[&Step], fence: &Fence) -> Option<(usize, usize)> {
    let text = fence.content.to_lowercase();
    let title_in =
        |text: &str| steps.iter().position(|step| text.contains(&step.title.to_lowercase()));
    let titled = title_in(text.lines().next().unwrap_or_default()).or_else(|| title_in(&text));
    let number = fence
        .attribute("number")
        .and_then(|number| number.trim().parse::<usize>().ok())
        .or_else(|| number_in(&text));
    let index = titled?;
    Some((index, number.unwrap_or(index + 1)))
}

/// The first number in a text, such as “Step 3: …” or `"step_number": 3`.
fn number_in(text: &str) -> Option<usize> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty())?;
    digits.parse().ok()
}

/// The step's number; if the tool refused it, the number that its error states instead.
fn corrected(number: usize, attempt: Attempt) -> usize {
    match attempt {
        Attempt::First => number,
        Attempt::Correction(error)
            if ["step", "check"].iter().any(|word| error.to_lowercase().contains(word)) =>
        {
            let mut others =
                error.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
            others.rfind(|other| *other != number).unwrap_or(number)
        }
        Attempt::Correction(_) => number,
    }
}

/// What the next attempt does differently.
struct Retry {
    meaning: String,
    redo: Option<usize>,
}

/// Errors that can occur with any deployment.
const COMMON: &[Diagnosis] = &[
    Diagnosis {
        sign: "rejected by user",
        meaning: "The script was rejected and did not run; this is the same script.",
        redo: None,
    },
    Diagnosis {
        sign: "command not found",
        meaning: "A program is missing in this sandbox; the error names it.",
        redo: None,
    },
    Diagnosis {
        sign: "no space left on device",
        meaning: "The workspace is full. Remove files that are not needed, then run the step again.",
        redo: None,
    },
];

const UNKNOWN: &str =
    "I do not know the cause of the last failure; the script can be run again without harm.";

fn diagnosis(choice: &Choice, error: &str) -> Option<&'static Diagnosis> {
    let error = error.to_lowercase();
    let mut known = choice.diagnoses().chain(COMMON);
    known.find(|diagnosis| error.contains(&choice.fill(diagnosis.sign).to_lowercase()))
}

/// The meaning of an error, if it is known and the user can do something about it.
pub fn meaning(choice: &Choice, error: &str) -> Option<String> {
    let diagnosis = diagnosis(choice, error)?;
    diagnosis.redo.is_none().then(|| choice.fill(diagnosis.meaning))
}

/// The meaning of a check's error. If running a step again would repair it, the text names that step.
pub fn meaning_for_check(choice: &Choice, error: &str) -> Option<String> {
    let diagnosis = diagnosis(choice, error)?;
    match diagnosis.redo.and_then(|redo| Some((redo, choice.blueprint.steps.get(redo)?))) {
        Some((redo, step)) => Some(format!(
            "Re-executing step {}, **{}**, fixes that; then run this check again.",
            redo + 1,
            step.title
        )),
        None => Some(choice.fill(diagnosis.meaning)),
    }
}

/// The attempt without its script, because error texts in the script itself are not the error.
fn without_script(attempt: &str) -> String {
    let Some((error, rest)) = attempt.split_once("\nScript:\n") else { return attempt.to_string() };
    let output = rest.rsplit_once("\nEnd of its output:\n").map_or("", |(_, output)| output);
    format!("{error}\n{output}")
}

impl Retry {
    fn of(
        track: &Track,
        (planned, choice): (&Choice, &Choice),
        index: usize,
        attempt: &str,
    ) -> Retry {
        let error = without_script(attempt);
        let rejected = Rejected { planned, choice, index, is_check: !track.repairs };
        if let Some(meaning) = rejected.answer(attempt) {
            return Retry { meaning, redo: None };
        }
        if !track.repairs {
            let meaning = meaning_for_check(choice, &error).unwrap_or_else(|| UNKNOWN.into());
            return Retry { meaning, redo: None };
        }
        match diagnosis(choice, &error) {
            Some(diagnosis) => {
                let redo = diagnosis.redo.filter(|redo| *redo < index);
                let meaning = match (diagnosis.redo, redo) {
                    // The step to run first is this step itself or a later one.
                    (Some(_), None) => UNKNOWN.into(),
                    _ => choice.fill(diagnosis.meaning),
                };
                Retry { meaning, redo }
            }
            None => Retry { meaning: UNKNOWN.into(), redo: None },
        }
    }

    fn script(&self, choice: &Choice, step: &Step) -> String {
        let script = choice.script(step);
        match self.redo.and_then(|redo| choice.blueprint.steps.get(redo)) {
            Some(earlier) => render::joined(&choice.script(earlier), &script),
            None => script,
        }
    }
}
