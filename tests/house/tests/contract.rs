//! Checks that the contract says what each answer means, whether or not its route describes the answer.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::repository;
use serde_json::Value;

#[test]
fn every_answer_of_the_contract_is_described() {
    let text = std::fs::read_to_string(repository().join("web/openapi.json")).unwrap();
    let contract: Value = serde_json::from_str(&text).unwrap();
    let mut described = 0;
    let mut silent = Vec::new();
    for (path, operations) in contract["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let answers = operation["responses"].as_object().into_iter().flatten();
            for (status, answer) in answers {
                described += 1;
                if answer["description"].as_str().unwrap_or_default().is_empty() {
                    silent.push(format!("{status} of {method} {path}"));
                }
            }
        }
    }
    assert!(described > 0, "the contract lists no answer");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
