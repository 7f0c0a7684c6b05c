//! Runs everything that the model proposes through the gate, which checks each script before a person sees it.

use crate::described::described;
use crate::scripts::wishes;
use crate::support::Project;

/// Names of the credentials of the catalogue's clouds, and of the secrets of its deployments.
fn environment() -> Vec<String> {
    let secrets = described().into_iter().flat_map(|described| described.secrets);
    let known = [
        "HCLOUD_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "REDIS_PASSWORD",
    ]
    .map(str::to_owned);
    known.into_iter().chain(secrets).collect()
}

#[tokio::test]
async fn the_gate_has_no_findings_in_proposed_scripts() {
    let mut found = Vec::new();
    for wish in wishes() {
        let planned = Project::planned(&wish).await;
        for planned in [&planned.torn_down().await, &planned] {
            found.extend(findings(&wish, planned).await);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The gate's findings for every step and check of a project.
pub async fn findings(wish: &str, planned: &Project) -> Vec<String> {
    let environment = environment();
    let mut found = Vec::new();
    let mut earlier: Vec<String> = Vec::new();
    let mut proposed = Vec::new();
    for (number, step) in (1..).zip(&planned.steps) {
        let (script, proof) = planned.proved_script(number).await;
        let words = format!("{}\n{}", step["description"], step["prompt"]);
        let text = domain::script::with_proof(&script, &proof).unwrap();
        proposed.push((format!("step {number}"), words, text, false));
    }
    let (_, checks) = planned.validation().await;
    for (check, script) in checks.iter().zip(planned.check_scripts().await) {
        let words = format!("{}\n{}", check["description"], check["prompt"]);
        proposed.push((format!("check {}", check["description"]), words, script, true));
    }
    for (what, words, text, check) in proposed {
        let before: Vec<&str> = earlier.iter().map(String::as_str).collect();
        let asked = format!("{}\n{words}", planned.requirements);
        let context = ::gate::Context {
            asked: &asked,
            step: &words,
            environment: &environment,
            earlier: &before,
            check,
        };
        let findings = ::gate::examine(&text, &context);
        found.extend(findings.into_iter().map(|finding| format!("{wish}, {what}: {finding:?}")));
        earlier.push(text);
    }
    found
}
