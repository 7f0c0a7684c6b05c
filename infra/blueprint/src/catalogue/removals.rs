//! Removes what a deployment built.
//!
//! A removal is itself a deployment. It has the values of the deployment that it removes, and requirements, plans,
//! steps and checks like any other. The model never offers it: only tearing down a project leads to it. Each deployment
//! names its removal, and similar deployments share one.

use std::sync::LazyLock;

use super::{Blueprint, Diagnosis, Step, check, cloud, document, step};

/// The steps and texts of a removal.
pub struct Removal {
    /// Its title, also its requirement.
    title: &'static str,
    requirements: &'static str,
    architecture: &'static str,
    implementation: &'static str,
    steps: &'static [Step],
    checks: &'static [Step],
    validation: &'static str,
    documentation: &'static str,
    quickstart: &'static str,
    diagnoses: &'static [&'static [Diagnosis]],
}

/// The removal of AWS services: the plan, the deployment's own steps, and then the removal of everything that Terraform
/// made. It is kept for the life of the process.
pub fn of_services(
    own: impl Iterator<Item = Step>,
    checks: impl Iterator<Item = Step>,
) -> &'static Removal {
    let steps = std::iter::once(PLAN_SERVICES).chain(own).chain([REMOVE_SERVICES]);
    let checks = std::iter::once(STATE).chain(checks);
    Box::leak(Box::new(Removal {
        title: "Removal of everything that was made at AWS",
        requirements: cloud::removal::REQUIREMENTS,
        architecture: cloud::removal::ARCHITECTURE,
        implementation: cloud::removal::IMPLEMENTATION,
        steps: steps.collect::<Vec<_>>().leak(),
        checks: checks.collect::<Vec<_>>().leak(),
        validation: cloud::removal::VALIDATION,
        documentation: cloud::removal::DOCUMENTATION,
        quickstart: cloud::removal::QUICKSTART,
        diagnoses: &[cloud::NO_CREDENTIALS, DIAGNOSES],
    }))
}

const PLAN_SERVICES: Step = step!(
    "parts/cloud/removal",
    "plan-removal",
    "Plan the removal",
    "Works out what would be removed at @cloud@ and saves it as a plan file; removes nothing yet. Needs the @cloud@ credentials."
);

const REMOVE_SERVICES: Step = step!(
    "parts/server/removal",
    "remove",
    "Remove everything that Terraform made",
    "Removes at @cloud@ exactly what the saved plan shows. None of it can be restored."
);

const STATE: Step = check!(
    "parts/server/removal",
    "state",
    "Terraform knows of nothing that is left",
    "Reads Terraform's state; changes nothing."
);

static ALL: LazyLock<Vec<Blueprint>> =
    LazyLock::new(|| super::ALL.iter().map(|deployment| made(deployment)).collect());

/// All removals, in the order of the deployments.
pub fn all() -> &'static [Blueprint] {
    &ALL
}

/// The removal of a deployment.
pub fn of(deployment: &Blueprint) -> Option<&'static Blueprint> {
    let position = super::ALL.iter().position(|one| one.id == deployment.id)?;
    ALL.get(position)
}

/// A deployment with the same parameters that removes what the given one builds.
fn made(deployment: &Blueprint) -> Blueprint {
    let removal = deployment.removal;
    Blueprint {
        // Leaked once, and kept for the life of the process.
        id: Box::leak(format!("remove-{}", deployment.id).into_boxed_str()),
        title: removal.title,
        detail: "",
        welcome: "",
        before_confirming: "",
        strong_cues: &[],
        weak_cues: &[],
        requirements: removal.requirements,
        architecture: removal.architecture,
        implementation: removal.implementation,
        answers: "",
        steps: removal.steps,
        checks: removal.checks,
        validation: removal.validation,
        documentation: removal.documentation,
        quickstart: removal.quickstart,
        facts: &[],
        findings: &[],
        commands: &[],
        files: &[],
        diagnoses: removal.diagnoses,
        ..*deployment
    }
}

/// Removal of the service in the sandbox.
pub const SERVICE: Removal = Removal {
    title: "Removal of the service and its files",
    requirements: document!("local-web-service/removal", "requirements"),
    architecture: document!("local-web-service/removal", "architecture"),
    implementation: document!("local-web-service/removal", "implementation"),
    steps: &[
        step!(
            "local-web-service/removal",
            "1-stop",
            "Stop the service",
            "Stops @name@; removes nothing yet."
        ),
        step!(
            "local-web-service/removal",
            "2-remove",
            "Remove its files",
            "Removes the folder @name@/ with everything in it, and nothing else."
        ),
    ],
    checks: &[
        check!(
            "local-web-service/removal",
            "1-port",
            "Nothing answers on its port",
            "Tries to connect to port @port@; changes nothing."
        ),
        check!(
            "local-web-service/removal",
            "2-files",
            "Its files are gone",
            "Looks for the folder @name@/; changes nothing."
        ),
    ],
    validation: document!("local-web-service/removal", "validation"),
    documentation: document!("local-web-service/removal", "documentation"),
    quickstart: document!("local-web-service/removal", "quickstart"),
    diagnoses: &[],
};

/// Removal of a server, and of everything else that its deployment made with Terraform.
pub const SERVER: Removal = Removal {
    title: "Removal of the server and all that belongs to it",
    requirements: document!("parts/server/removal", "requirements"),
    architecture: document!("parts/server/removal", "architecture"),
    implementation: document!("parts/server/removal", "implementation"),
    steps: &[
        step!(
            "parts/server/removal",
            "plan-removal",
            "Plan the removal",
            "Works out what would be removed at @cloud@ and saves it as a plan file; removes nothing yet. Needs the @cloud@ credentials."
        ),
        step!(
            "parts/server/removal",
            "remove",
            "Remove the server and all that belongs to it",
            "Removes at @cloud@ exactly what the saved plan shows. None of it can be restored."
        ),
        step!(
            "parts/server/removal",
            "forget",
            "Remove what leads to the server",
            "Removes ssh/config, ssh/known_hosts and the inventory; the key pair and the configuration stay."
        ),
    ],
    checks: &[
        STATE,
        check!(
            "parts/server/removal",
            "gone",
            "The server lets nobody in",
            "Tries the project's key at the former address; changes nothing."
        ),
    ],
    validation: document!("parts/server/removal", "validation"),
    documentation: document!("parts/server/removal", "documentation"),
    quickstart: document!("parts/server/removal", "quickstart"),
    diagnoses: &[DIAGNOSES],
};

const DIAGNOSES: &[Diagnosis] = &[
    Diagnosis {
        sign: "terraform init",
        meaning: "Terraform is not initialized in this sandbox. Run `terraform -chdir=terraform init` in the terminal, then run the step again.",
        redo: None,
    },
    Diagnosis {
        sign: "saved plan is stale",
        meaning: "@cloud@ changed after the plan was made. Run the plan step again and read it before you approve the removal.",
        redo: None,
    },
    Diagnosis {
        sign: "still there at",
        meaning: "@cloud@ did not remove everything. Run step 1 again, read its plan, then run this step.",
        redo: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn every_deployment_has_a_removal_with_a_separate_id() {
        for deployment in catalogue::ALL.iter() {
            let removal = of(deployment).unwrap();
            assert_eq!(removal.id, format!("remove-{}", deployment.id));
            let found = Blueprint::by_id(removal.id).unwrap();
            assert_eq!((found.id, found.title), (removal.id, deployment.removal.title));
            assert!(catalogue::ALL.iter().all(|offered| offered.id != removal.id));
            assert_eq!(removal.parameters.len(), deployment.parameters.len());
        }
    }
}
