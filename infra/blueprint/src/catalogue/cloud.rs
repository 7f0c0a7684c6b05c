//! What AWS deployments without a server share: name and region, Terraform steps, removal, and the meaning of AWS's
//! errors.

use super::parameters::{Parameter, accept_name, find_name};
use super::{Diagnosis, Step, Values, document, prices, regions, server, step};
use crate::render;

const NAME: Parameter = Parameter {
    key: "name",
    label: "Name",
    question: "what should it be called?",
    default: "my-site",
    asked: false,
    accept: accept_name,
    find: find_name,
};

/// Questions of each such deployment.
pub const QUESTIONS: [Parameter; 2] = [NAME, regions::REGION];

const PLAN: Step = step!(
    "parts/cloud",
    "plan",
    "Plan the changes",
    "Works out what would be made at @cloud@ and saves it as a plan file; makes nothing yet. Needs the @cloud@ credentials."
);

const APPLY: Step = Step {
    proof: include_str!("../../catalogue/parts/cloud/steps/apply.proof.sh"),
    ..server::APPLY
};

/// The steps from the configuration to the services at AWS.
pub const fn steps(write_terraform: Step) -> [Step; 4] {
    [write_terraform, server::INIT_VALIDATE, PLAN, APPLY]
}

/// The explanation for every failure that is due to AWS credentials.
const CREDENTIALS: &str = "AWS did not accept the credentials, or there were none. Enter an access key in the credentials form (never in the chat), then run the step again.";

/// Errors that indicate missing or refused credentials, for any AWS service.
pub const NO_CREDENTIALS: &[Diagnosis] = &[
    Diagnosis { sign: "no aws credentials", meaning: CREDENTIALS, redo: None },
    Diagnosis { sign: "no valid credential sources", meaning: CREDENTIALS, redo: None },
    Diagnosis { sign: "invalidclienttokenid", meaning: CREDENTIALS, redo: None },
    Diagnosis { sign: "authfailure", meaning: CREDENTIALS, redo: None },
    Diagnosis { sign: "expiredtoken", meaning: CREDENTIALS, redo: None },
];

pub const DIAGNOSES: &[Diagnosis] = &[
    Diagnosis {
        sign: "failed to query available provider packages",
        meaning: "Terraform could not reach its registry to download the @cloud@ provider. Check that this sandbox can reach registry.terraform.io, then run the step again.",
        redo: None,
    },
    Diagnosis {
        sign: "terraform init",
        meaning: "Terraform is not initialized, so this attempt does that first.",
        redo: Some(1),
    },
    Diagnosis {
        sign: "saved plan is stale",
        meaning: "@cloud@ changed after the plan was made. Run the plan step again and read it before applying.",
        redo: None,
    },
    Diagnosis {
        sign: "differs from the configuration",
        meaning: "@cloud@ differs from the configuration. Run the plan step again, read its plan, then apply it.",
        redo: None,
    },
];

/// Adds the placeholders of the parts' templates, and the words for what the removal deletes.
pub fn derive(placeholders: &mut Values, what_goes: &str) {
    let region = placeholders.get("region").map_or("", String::as_str);
    let price = prices::s3(region);
    let texts = [
        ("cloud", "AWS".to_owned()),
        ("credentials", "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY".to_owned()),
        ("storage_price", price),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.to_owned(), text)));
    let what_goes = render::fill(what_goes.trim_end(), placeholders);
    placeholders.insert("what_goes".into(), what_goes);
}

/// The documents of a removal.
pub mod removal {
    use super::document;

    pub const REQUIREMENTS: &str = document!("parts/cloud/removal", "requirements");
    pub const ARCHITECTURE: &str = document!("parts/cloud/removal", "architecture");
    pub const IMPLEMENTATION: &str = document!("parts/cloud/removal", "implementation");
    pub const VALIDATION: &str = document!("parts/cloud/removal", "validation");
    pub const DOCUMENTATION: &str = document!("parts/cloud/removal", "documentation");
    pub const QUICKSTART: &str = document!("parts/cloud/removal", "quickstart");
}
