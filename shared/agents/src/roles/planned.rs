//! Steps of a plan, or checks of one, as a model hands them in.

use crate::error::AgentError;
use crate::tools::try_again;
use domain::plan::{MAX_STEPS, PlannedStep};
use domain::redaction::redact;
use serde_json::{Value, json};

/// Longest title of a step, in characters: it stands on one line of a card.
const DESCRIPTION_CHARS: usize = 200;
/// Most bytes of all steps together; with the plan's text they fit an item of 100 KB.
const STEPS_BYTES: usize = 30_000;

/// The schema of a list of them; `thing` is what each is called, `task` what its prompt says.
pub(super) fn schema(thing: &str, task: &str) -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": format!("Title of the {thing}, up to ten words")},
            "prompt": {"type": "string", "description": task},
        },
        "required": ["description", "prompt"],
        "additionalProperties": false,
    });
    json!({"type": "array", "items": item, "minItems": 1, "maxItems": MAX_STEPS})
}

/// The steps trimmed and without secrets, when there are neither too few nor too many and each says something.
pub(super) fn checked(
    title: &str,
    steps: Vec<PlannedStep>,
) -> Result<Vec<PlannedStep>, AgentError> {
    if !(1..=MAX_STEPS).contains(&steps.len()) {
        return Err(try_again(format!(
            "There are {} {}s; 1 to {MAX_STEPS} are allowed.",
            steps.len(),
            title.to_lowercase(),
        )));
    }
    let trimmed = |step: PlannedStep| PlannedStep {
        description: redact(&step.description.split_whitespace().collect::<Vec<_>>().join(" "))
            .text,
        prompt: redact(step.prompt.trim()).text,
    };
    let steps: Vec<_> = steps.into_iter().map(trimmed).collect();
    for (number, step) in (1..).zip(&steps) {
        let problem = match step.description.chars().count() {
            0 => "has no description",
            n if n > DESCRIPTION_CHARS => "has a description of more than 200 characters",
            _ if step.prompt.is_empty() => "has no prompt",
            _ => continue,
        };
        return Err(try_again(format!("{title} {number} {problem}.")));
    }
    let bytes: usize = steps.iter().map(|step| step.description.len() + step.prompt.len()).sum();
    if bytes > STEPS_BYTES {
        return Err(try_again(format!(
            "Together they have {bytes} bytes, {STEPS_BYTES} are allowed. Write shorter prompts."
        )));
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(description: &str, prompt: &str) -> PlannedStep {
        PlannedStep { description: description.into(), prompt: prompt.into() }
    }

    #[test]
    fn one_to_thirty_steps_are_a_plan() {
        let some = |n: usize| checked("Step", vec![step("Do it", "now"); n]).is_ok();
        assert_eq!([0, 1, 30, 31].map(some), [false, true, true, false]);
    }

    #[test]
    fn the_model_is_told_which_step_is_wrong_and_why() {
        let told = |second: PlannedStep| {
            checked("Step", vec![step("a", "b"), second]).unwrap_err().to_string()
        };
        assert_eq!(told(step(" ", "b")), "Step 2 has no description.");
        assert_eq!(told(step("a", "\n")), "Step 2 has no prompt.");
        assert!(told(step(&"a".repeat(201), "b")).contains("more than 200"));
        assert!(told(step("a", &"b".repeat(STEPS_BYTES))).contains("shorter"));
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(checked("Step", vec![step(" Do\n it ", "x")]).unwrap()[0].description, "Do it");
    }
}
