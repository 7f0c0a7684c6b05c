//! Validates the steps of a plan, or its checks, as a model submits them.

use crate::context::no_such_project;
use crate::error::AgentError;
use crate::tools::try_again;
use domain::Scope;
use domain::left_out;
use domain::plan::{MAX_DOCUMENT_BYTES, MAX_STEPS, MAX_STEPS_BYTES, MAX_TITLE_CHARS, PlannedStep};
use domain::requirement::{Fate, Requirement, TABLE_BYTES, cell, section_in};
use redaction::redact;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use store::plans::{Plans, Written};

/// The longest plan without the table of the requirements that its steps serve, in bytes.
pub(super) const PLAN_BYTES: usize = MAX_DOCUMENT_BYTES - TABLE_BYTES;

/// Tells the model if its plan was not stored.
pub(super) fn stored(written: Written) -> Result<(), AgentError> {
    match written {
        Written::As(_) => Ok(()),
        Written::NoProject => Err(no_such_project()),
        Written::InUse => Err(try_again(
            "This plan is being written at this moment, so nothing was replaced. Ask the user to repeat the request once \
             the plan is ready.",
        )),
    }
}

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

/// A step as a model submits it, with fields that the schema does not name.
#[derive(Deserialize)]
pub(super) struct Given {
    #[serde(flatten)]
    step: PlannedStep,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

impl From<PlannedStep> for Given {
    fn from(step: PlannedStep) -> Self {
        Self { step, other: BTreeMap::new() }
    }
}

/// The names under which models number steps.
const NUMBERS: [&str; 6] = ["number", "step", "step_number", "order", "index", "id"];

impl Given {
    /// The number that the model gave the step, in a field or at the beginning of its title.
    fn number(&self) -> Option<u64> {
        let field = NUMBERS.iter().find_map(|name| match self.other.get(*name)? {
            Value::String(text) => text.trim().parse().ok(),
            number => number.as_u64(),
        });
        field.or_else(|| {
            let title = self.step.description.trim().to_lowercase();
            let title = title.strip_prefix("step").unwrap_or(&title).trim_start();
            let rest = title.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = title[..title.len() - rest.len()].parse().ok();
            number.filter(|_| rest.starts_with(['.', ':', ')']))
        })
    }
}

/// The numbers of the steps, if all have one and they are not in order.
fn disordered(steps: &[Given]) -> Option<String> {
    let numbers: Option<Vec<u64>> = steps.iter().map(Given::number).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_sorted_by(|a, b| a < b))?;
    Some(numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

/// The steps, trimmed and without secrets, if there are neither too few nor too many, each says something, and none
/// claims another place in the order or occurs twice.
pub(super) fn checked(
    title: &str,
    steps: Vec<Given>,
    asked: &[Requirement],
) -> Result<Vec<PlannedStep>, AgentError> {
    if !(1..=MAX_STEPS).contains(&steps.len()) {
        return Err(try_again(format!(
            "There are {} {}s; 1 to {MAX_STEPS} are allowed.",
            steps.len(),
            title.to_lowercase(),
        )));
    }
    if let Some(numbers) = disordered(&steps) {
        return Err(try_again(format!(
            "They are numbered {numbers}, but run in the order of the list. List them in that order."
        )));
    }
    let steps = steps.into_iter().map(|given| given.step);
    let once = |ids: Vec<String>| {
        let mut seen = BTreeSet::new();
        let ids = ids.iter().map(|id| id.trim().to_uppercase());
        ids.filter(|id| seen.insert(id.clone())).collect()
    };
    let trimmed = |step: PlannedStep| PlannedStep {
        description: redact(&step.description.split_whitespace().collect::<Vec<_>>().join(" "))
            .text,
        prompt: redact(step.prompt.trim()).text,
        requirements: once(step.requirements),
    };
    let steps: Vec<_> = steps.map(trimmed).collect();
    for (number, step) in (1..).zip(&steps) {
        let problem = match step.description.chars().count() {
            0 => "has no description",
            n if n > MAX_TITLE_CHARS => "has a description of more than 200 characters",
            _ if step.prompt.is_empty() => "has no prompt",
            _ if left_out::is_nothing(&step.prompt) => "has a prompt that says nothing",
            _ => continue,
        };
        return Err(try_again(format!("{title} {number} {problem}.")));
    }
    for (number, step) in (1..).zip(&steps) {
        let earlier = (1..number).zip(&steps).find(|(_, earlier)| *earlier == step);
        if let Some((earlier, _)) = earlier {
            let thing = title.to_lowercase();
            return Err(try_again(format!("{title} {number} is the same as {thing} {earlier}.")));
        }
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
    if bytes > MAX_STEPS_BYTES {
        return Err(try_again(format!(
            "Together they have {bytes} bytes, {MAX_STEPS_BYTES} are allowed. Write shorter prompts."
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

    fn step(description: &str, prompt: &str) -> Given {
        let (description, prompt) = (description.to_owned(), prompt.to_owned());
        Given::from(PlannedStep { description, prompt, ..PlannedStep::default() })
    }

    #[test]
    fn a_plan_has_one_to_thirty_steps() {
        let some = |n: usize| {
            let steps = (0..n).map(|number| step("Do it", &format!("now {number}")));
            checked("Step", steps.collect(), &[]).is_ok()
        };
        assert_eq!([0, 1, 30, 31].map(some), [false, true, true, false]);
    }

    #[test]
    fn the_error_names_the_wrong_step_and_the_reason() {
        let refusal = |second: Given| {
            checked("Step", vec![step("a", "b"), second], &[]).unwrap_err().to_string()
        };
        assert_eq!(refusal(step(" ", "b")), "Step 2 has no description.");
        assert_eq!(refusal(step("a", "\n")), "Step 2 has no prompt.");
        assert!(refusal(step(&"a".repeat(201), "b")).contains("more than 200"));
        assert!(refusal(step("a", &"b".repeat(MAX_STEPS_BYTES))).contains("shorter"));
    }

    #[test]
    fn a_step_names_each_requirement_once_in_its_order() {
        let requirement = |id: &str| Requirement {
            id: id.to_owned(),
            asked: domain::requirement::Wish {
                wish: "a".to_owned(),
                fate: Fate::Built,
                how: String::new(),
                words: String::new(),
            },
        };
        let named = ["r10", "R2", " R10", "R2"].map(str::to_owned).into();
        let step = Given::from(PlannedStep { requirements: named, ..step("a", "b").step });
        let asked = [requirement("R2"), requirement("R10")];
        assert_eq!(checked("Step", vec![step], &asked).unwrap()[0].requirements, ["R10", "R2"]);
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(
            checked("Step", vec![step(" Do\n it ", "x")], &[]).unwrap()[0].description,
            "Do it"
        );
    }
}
