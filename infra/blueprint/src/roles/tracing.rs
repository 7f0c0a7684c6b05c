//! Which requirements a step builds, and which a check proves.
//!
//! All steps together build the deployment as a whole, and only all checks together prove it. A value that the user
//! asked for is traced to the steps that write it and to the checks that test it. Without such a check, nothing claims
//! that the value is proved. The same applies to the deployment's features, by its `covers.json`.

use crate::catalogue::Step;
use crate::catalogue::additions::{self, ADDITIONS, Addition};
use crate::catalogue::covers::Cover;
use crate::catalogue::deployments::{self, Asked};
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::ASKED;
use crate::reading::wishes::{Fate, rows};

const TERRAFORM: &[&str] =
    &["Write the Terraform configuration", "Plan the changes", "Apply the plan"];
const PLAYBOOK: &[&str] =
    &["Write the Ansible playbook", "Write the playbook and the stack", "Run the playbook"];
const NO_DRIFT: &str = "Terraform finds nothing to change";
const SETTLED: &str = "A second run of the playbook changes nothing";
const SERVICE: &[&str] = &["Write the service and its health check", "Start the service"];

const HEALTH: &str = "Check its health";
const ELSEWHERE: &str = "Write the Docker Compose file and the README";

/// The steps that use a value, and the checks that test it.
struct Trace {
    /// Key of the value's parameter.
    key: &'static str,
    /// Titles of its steps, for all deployments.
    steps: &'static [&'static [&'static str]],
    /// Titles of its checks, for all deployments.
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
    Trace { key: "alerts-to", steps: &[PLAYBOOK], checks: &["Alerts reach Alertmanager"] },
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

/// Whether a step writes a value or puts it into effect.
pub fn goes_into(key: &str, title: &str) -> bool {
    let traces = TRACES.iter().filter(|trace| trace.key == key);
    let mut titles = traces.flat_map(|trace| trace.steps.iter().copied().flatten());
    let described = |asked: &Asked| PLAYBOOK.contains(&title) || asked.steps.contains(&title);
    titles.any(|one| *one == title) || deployments::asked(key).any(described)
}

/// Ids of the requirements that a step of the deployment builds.
pub fn built_by(conversation: &Conversation, choice: &Choice, step: &Step) -> Vec<String> {
    let builds = |key: &str| goes_into(key, step.title) || of_addition(key, step);
    serving(conversation, choice, builds, |cover| cover.builds(step))
}

/// Ids of the requirements that a check of the deployment proves.
pub fn proved_by(conversation: &Conversation, choice: &Choice, check: &Step) -> Vec<String> {
    serving(conversation, choice, |key| looked_at_by(key, check), |cover| cover.proves(check))
}

/// Whether a check tests a value.
fn looked_at_by(key: &str, check: &Step) -> bool {
    let mut traces = TRACES.iter().filter(|trace| trace.key == key);
    let described = |asked: &Asked| asked.checks.contains(&check.title);
    traces.any(|trace| trace.checks.contains(&check.title))
        || deployments::asked(key).any(described)
        || of_addition(key, check)
}

/// Whether a step or a check belongs to the addition that has the value. If the value is the list of additions, a step
/// or a check of any addition counts.
fn of_addition(key: &str, step: &Step) -> bool {
    let about = |addition: &&Addition| {
        key == ADDITIONS.key || addition.questions.iter().any(|question| question.key == key)
    };
    let own = |addition: &Addition| {
        let steps = addition.steps.iter().chain(addition.removal).chain(addition.checks);
        steps.into_iter().any(|own| own.title == step.title)
    };
    additions::all().filter(about).any(own)
}

fn serving(
    conversation: &Conversation,
    choice: &Choice,
    serves: impl Fn(&str) -> bool,
    covers: impl Fn(&Cover) -> bool,
) -> Vec<String> {
    let features = choice.covers();
    let requirements = conversation.fence("requirements");
    let rows = requirements.map(|fence| rows(fence.content, ASKED)).unwrap_or_default();
    let served = rows.iter().filter(|row| !row.id.is_empty()).filter(|row| {
        let parameter = choice
            .parameters()
            .find(|parameter| row.what.starts_with(&format!("{}: ", parameter.label)));
        let feature = features.iter().find(|cover| row.what == cover.feature.wish());
        match (parameter, feature) {
            (None, Some(cover)) => covers(cover),
            // Something built in place of something else is the deployment itself.
            (None, None) => {
                row.what == choice.blueprint.title
                    || matches!(row.fate(), Some(Fate::Differently(_)))
            }
            (Some(parameter), _) => serves(parameter.key),
        }
    });
    served.map(|row| row.id.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::parameters::Parameter;
    use crate::catalogue::{self, Blueprint};

    #[test]
    fn every_requestable_value_is_built_by_a_step_and_tested_by_a_check() {
        for blueprint in catalogue::ALL.iter() {
            let own = |parameter: &&Parameter| parameter.key != ADDITIONS.key;
            for parameter in blueprint.parameters.iter().filter(own) {
                let key = parameter.key;
                let built = |step: &Step| goes_into(key, step.title);
                assert!(blueprint.steps.iter().any(built), "{}: {key}", blueprint.id);
                let proved = |check: &Step| looked_at_by(key, check);
                assert!(blueprint.checks.iter().any(proved), "{}: {key}", blueprint.id);
            }
        }
    }

    #[test]
    fn every_traced_title_belongs_to_a_deployment() {
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
