//! Which requirement a step builds, and which one a check proves.
//!
//! The deployment as a whole is built by all steps and proved only by all checks. A value that the user asked for is
//! traced to what writes it and to what looks at it; a value that no check looks at is not claimed to be proved.

use crate::catalogue::parameters::Parameter;
use crate::catalogue::{Blueprint, Step};
use crate::conversation::Conversation;
use crate::reading::dialogue::ASKED;
use crate::reading::wishes::{Fate, rows};

/// A value as a wish.
pub fn wish(parameter: &Parameter, value: &str) -> String {
    format!("{}: {value}", parameter.label)
}

const TERRAFORM: &[&str] =
    &["Write the Terraform configuration", "Plan the changes", "Apply the plan"];
const PLAYBOOK: &[&str] =
    &["Write the Ansible playbook", "Write the playbook and the stack", "Run the playbook"];
const NO_DRIFT: &str = "Terraform finds nothing to change";
const SETTLED: &str = "A second run of the playbook changes nothing";
const SERVICE: &[&str] = &["Write the service and its health check", "Start the service"];

const HEALTH: &str = "Check its health";
const ELSEWHERE: &str = "Write the Docker Compose file and the README";

/// What a value goes into, and what looks at it there.
struct Trace {
    /// Key of the parameter.
    key: &'static str,
    /// Titles of steps, of whatever deployment.
    steps: &'static [&'static [&'static str]],
    /// Titles of checks, of whatever deployment.
    checks: &'static [&'static str],
}

const TRACES: &[Trace] = &[
    Trace {
        key: "name",
        steps: &[TERRAFORM, SERVICE],
        checks: &[NO_DRIFT, "The files are as planned"],
    },
    Trace { key: "location", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace { key: "region", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace { key: "server-type", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace { key: "instance-type", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace { key: "volume-gb", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace { key: "ssh-from", steps: &[TERRAFORM], checks: &[NO_DRIFT] },
    Trace {
        key: "open-ports",
        steps: &[TERRAFORM, PLAYBOOK],
        checks: &["Only the planned ports are open"],
    },
    Trace {
        key: "database",
        steps: &[PLAYBOOK],
        checks: &["The application can use its database"],
    },
    Trace { key: "dump-days", steps: &[PLAYBOOK], checks: &[SETTLED] },
    Trace { key: "retention-days", steps: &[PLAYBOOK], checks: &[SETTLED] },
    Trace { key: "heap-gb", steps: &[PLAYBOOK], checks: &[SETTLED] },
    Trace { key: "watch", steps: &[PLAYBOOK], checks: &["Every target is watched and shown"] },
    Trace {
        key: "port",
        steps: &[SERVICE, &[HEALTH, ELSEWHERE]],
        checks: &["Health answers 200 with status ok", "The port listens on loopback only"],
    },
    Trace {
        key: "health-path",
        steps: &[SERVICE, &[HEALTH, ELSEWHERE]],
        checks: &["Health answers 200 with status ok"],
    },
    Trace { key: "greeting", steps: &[SERVICE, &[HEALTH]], checks: &["The page is served"] },
    Trace { key: "access", steps: &[SERVICE, &[HEALTH]], checks: &["The page is served"] },
];

/// Whether a value goes into what a step writes, or has it take effect.
pub fn goes_into(key: &str, title: &str) -> bool {
    let traces = TRACES.iter().filter(|trace| trace.key == key);
    let mut titles = traces.flat_map(|trace| trace.steps.iter().copied().flatten());
    titles.any(|one| *one == title)
}

/// Ids of the requirements that a step of the deployment builds.
pub fn built_by(conversation: &Conversation, blueprint: &Blueprint, step: &Step) -> Vec<String> {
    let builds = |trace: &Trace| trace.steps.iter().any(|titles| titles.contains(&step.title));
    serving(conversation, blueprint, builds)
}

/// Ids of the requirements that a check of the deployment proves.
pub fn proved_by(conversation: &Conversation, blueprint: &Blueprint, check: &Step) -> Vec<String> {
    serving(conversation, blueprint, |trace| trace.checks.contains(&check.title))
}

fn serving(
    conversation: &Conversation,
    blueprint: &Blueprint,
    serves: impl Fn(&Trace) -> bool,
) -> Vec<String> {
    let requirements = conversation.fence("requirements");
    let rows = requirements.map(|fence| rows(fence.content, ASKED)).unwrap_or_default();
    let served = rows.iter().filter(|row| !row.id.is_empty()).filter(|row| {
        let parameter = blueprint
            .parameters
            .iter()
            .find(|parameter| row.what.starts_with(&format!("{}: ", parameter.label)));
        match parameter {
            // What is built in the place of something else is the deployment itself.
            None => row.what == blueprint.title || matches!(row.fate(), Some(Fate::Differently(_))),
            Some(parameter) => {
                TRACES.iter().any(|trace| trace.key == parameter.key && serves(trace))
            }
        }
    });
    served.map(|row| row.id.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn every_value_that_can_be_asked_for_is_built_by_a_step_and_looked_at_by_a_check() {
        for blueprint in catalogue::ALL {
            for parameter in blueprint.parameters {
                let trace = TRACES.iter().find(|trace| trace.key == parameter.key);
                let trace = trace.unwrap_or_else(|| panic!("{} is not traced", parameter.key));
                let built =
                    |step: &Step| trace.steps.iter().any(|titles| titles.contains(&step.title));
                assert!(blueprint.steps.iter().any(built), "{}: {}", blueprint.id, parameter.key);
                let proved = |check: &Step| trace.checks.contains(&check.title);
                assert!(blueprint.checks.iter().any(proved), "{}: {}", blueprint.id, parameter.key);
            }
        }
    }

    #[test]
    fn every_title_is_one_of_a_deployment() {
        let titled = |title: &str| {
            let steps = |blueprint: &&Blueprint| {
                blueprint.steps.iter().chain(blueprint.checks).any(|step| step.title == title)
            };
            catalogue::ALL.iter().any(steps)
        };
        for trace in TRACES {
            for title in trace.steps.iter().copied().flatten().chain(trace.checks) {
                assert!(titled(title), "{title}");
            }
        }
    }
}
