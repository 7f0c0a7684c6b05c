//! Validates the steps of a plan, or its checks, as a model submits them.

use crate::context::no_such_project;
use crate::error::AgentError;
use crate::tools::try_again;
use domain::Scope;
use domain::plan::{MAX_DOCUMENT_BYTES, MAX_STEPS, PlannedStep};
use domain::redaction::redact;
use domain::requirement::{Fate, Requirement, TABLE_BYTES, cell, section_in};
use serde_json::{Value, json};
use store::plans::Plans;

/// The longest plan without the table of the requirements that its steps serve, in bytes.
pub(super) const PLAN_BYTES: usize = MAX_DOCUMENT_BYTES - TABLE_BYTES;
/// The longest title of a step, in characters: it fits on one line of a card.
const DESCRIPTION_CHARS: usize = 200;
/// The most bytes of all steps together; with the plan's text they fit an item of 100 KB.
const STEPS_BYTES: usize = 30_000;

/// The schema of a list of steps or checks: `thing` is what one is called, `serves` what it does for a requirement,
/// `task` what its prompt says. A model may leave the requirements out; then the step or check builds or proves none.
pub(super) fn schema(thing: &str, serves: &str, task: &str) -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "description": {"type": "string", "description": format!("Title of the {thing}, up to ten words")},
            "prompt": {"type": "string", "description": task},
            "requirements": {
                "type": "array",
                "items": {"type": "string"},
                "description": format!("Ids of the requirements that this {thing} {serves}, such as R1; empty when it serves none"),
            },
        },
        "required": ["description", "prompt"],
        "additionalProperties": false,
    });
    json!({"type": "array", "items": item, "minItems": 1, "maxItems": MAX_STEPS})
}

/// The steps, trimmed and without secrets, if there are neither too few nor too many and each says something.
pub(super) fn checked(
    title: &str,
    steps: Vec<PlannedStep>,
    asked: &[Requirement],
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
        requirements: step.requirements.iter().map(|id| id.trim().to_uppercase()).collect(),
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
    for (number, step) in (1..).zip(&steps) {
        let is_known = |id: &&String| asked.iter().any(|requirement| requirement.id == **id);
        if let Some(unknown) = step.requirements.iter().find(|id| !is_known(id)) {
            let unknown: String = unknown.chars().take(ID_CHARS).collect();
            return Err(try_again(format!(
                "{title} {number} names {unknown}, and there is no such requirement. {}",
                known(asked)
            )));
        }
    }
    let bytes: usize = steps.iter().map(|step| step.description.len() + step.prompt.len()).sum();
    if bytes > STEPS_BYTES {
        return Err(try_again(format!(
            "Together they have {bytes} bytes, {STEPS_BYTES} are allowed. Write shorter prompts."
        )));
    }
    Ok(steps)
}

/// What the user asked for, with ids.
pub(super) async fn requirements(
    plans: &Plans,
    scope: Scope,
) -> Result<Vec<Requirement>, AgentError> {
    let found = plans.requirements(scope).await.map_err(AgentError::internal)?;
    Ok(found.ok_or_else(no_such_project)?.asked.requirements)
}

/// The longest id that an answer to a model repeats, in characters.
const ID_CHARS: usize = 20;

fn known(asked: &[Requirement]) -> String {
    match asked {
        [] => "The requirements have no ids; leave them out.".to_owned(),
        _ => format!("There are {}.", ids(asked.iter())),
    }
}

fn ids<'a>(requirements: impl Iterator<Item = &'a Requirement>) -> String {
    requirements.map(|requirement| requirement.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// The answer about requirements to be built that no step names; empty if there are none.
pub(super) fn unserved(thing: &str, steps: &[PlannedStep], asked: &[Requirement]) -> String {
    let named = |requirement: &Requirement| {
        steps.iter().any(|step| step.requirements.contains(&requirement.id))
    };
    let missing = asked.iter().filter(|requirement| requirement.asked.fate != Fate::Not);
    let missing = ids(missing.filter(|requirement| !named(requirement)));
    match missing.as_str() {
        "" => String::new(),
        _ => format!(" No {thing} names {missing}: the user is shown that."),
    }
}

/// The plan with a table of the requirements that each of its steps serves, in place of an earlier table.
pub(super) fn traced(
    plan: &str,
    traces: &Traces,
    steps: &[PlannedStep],
    asked: &[Requirement],
) -> String {
    let serving = |id: &String| {
        let numbers = (1..).zip(steps).filter(|(_, step)| step.requirements.contains(id));
        let numbers: Vec<_> = numbers.map(|(number, _): (u32, _)| number.to_string()).collect();
        match numbers.is_empty() {
            true => format!("no {} names it", traces.thing),
            false => numbers.join(", "),
        }
    };
    let row = |requirement: &Requirement| {
        let Requirement { id, asked } = requirement;
        let served = match asked.fate {
            Fate::Not => asked.outcome(),
            Fate::Built | Fate::Differently => serving(id),
        };
        format!("| {id} | {} | {} |", cell(&asked.wish), cell(&served))
    };
    if asked.is_empty() {
        return plan.to_owned();
    }
    let rows: Vec<String> = asked.iter().map(row).collect();
    let head = format!("| id | asked | {} |\n|---|---|---|", traces.column);
    section_in(plan, traces.heading, &format!("{head}\n{}", rows.join("\n")))
}

/// The headings of the table in one kind of plan.
pub(super) struct Traces {
    pub(super) thing: &'static str,
    pub(super) heading: &'static str,
    pub(super) column: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(description: &str, prompt: &str) -> PlannedStep {
        PlannedStep {
            description: description.into(),
            prompt: prompt.into(),
            ..PlannedStep::default()
        }
    }

    #[test]
    fn a_plan_has_one_to_thirty_steps() {
        let some = |n: usize| checked("Step", vec![step("Do it", "now"); n], &[]).is_ok();
        assert_eq!([0, 1, 30, 31].map(some), [false, true, true, false]);
    }

    #[test]
    fn the_error_names_the_wrong_step_and_the_reason() {
        let refusal = |second: PlannedStep| {
            checked("Step", vec![step("a", "b"), second], &[]).unwrap_err().to_string()
        };
        assert_eq!(refusal(step(" ", "b")), "Step 2 has no description.");
        assert_eq!(refusal(step("a", "\n")), "Step 2 has no prompt.");
        assert!(refusal(step(&"a".repeat(201), "b")).contains("more than 200"));
        assert!(refusal(step("a", &"b".repeat(STEPS_BYTES))).contains("shorter"));
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(
            checked("Step", vec![step(" Do\n it ", "x")], &[]).unwrap()[0].description,
            "Do it"
        );
    }
}
