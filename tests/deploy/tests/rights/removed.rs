//! Negative controls: without a permission that no call of the deployment exercises, a check fails.
//!
//! `tests/deploy/emulator/needed.py` determines which statements the calls of a deployment need: without one of those,
//! IAM refuses a call, and the run fails. The statements that no call needs are listed in `undriven.json` with a
//! reason; statements under a condition of the template are not deployed there. This test removes each of them from the
//! template.

use super::role::{actions, attributes, granted, keys, written};
use deploy_tests::{Template, text};
use serde_json::Value;

/// The checks of which function needs which permission.
const CHECKS: &[fn()] = &[
    super::a_reader_of_a_queue_may_read_only_that_queue,
    super::a_sandbox_has_no_aws_credentials_to_be_stolen,
    super::bedrock::a_function_that_calls_models_may_call_those_of_bedrock_that_a_parameter_names,
    super::callers::a_function_writes_its_own_log_and_its_traces,
    super::callers::a_function_that_calls_models_reads_the_keys_of_both,
    super::callers::a_function_that_calls_models_holds_their_price_and_counts_its_streams,
    super::callers::the_function_that_mails_owners_checks_that_they_could_still_sign_in,
    super::callers::a_function_that_reads_a_secret_may_use_the_key_that_seals_it,
    super::callers::functions_of_schedules_changes_and_estimates_may_write_or_read_them,
    super::callers::a_function_that_shows_outputs_and_files_reads_them_and_notices_missing_ones,
    super::callers::one_function_issues_preview_tickets_and_another_redeems_them_at_sandboxes,
    super::callers::a_function_that_starts_sandboxes_has_every_right_that_a_start_needs,
    super::callers::the_function_that_stops_idle_sandboxes_backs_them_up,
    super::credentials_are_opened_only_by_functions_that_hand_over_runs_and_only_for_a_project,
    super::mail::functions_send_mail_only_from_the_configured_address,
    super::only_functions_that_limit_calls_may_count_them,
    super::readers_of_sessions_may_prolong_them_and_change_nothing_else,
    super::sandboxes_are_started_by_owners_calls_and_by_the_pools_keeper,
    super::the_warm_pool_is_claimed_by_functions_that_start_sandboxes_and_filled_by_one,
    super::functions_that_request_turns_record_them_one_takes_them_and_one_offers_them_again,
];

/// A statement's name in `undriven.json`: its actions, the keys that they open, and the attributes to which they are
/// limited.
fn label(statement: &Value) -> String {
    let sorted = |mut words: Vec<&str>| {
        words.sort_unstable();
        words.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let words = [sorted(actions(statement)), sorted(keys(statement))].concat().join(" ");
    match &sorted(attributes(statement))[..] {
        [] => words,
        named => format!("{words} ({})", named.join(", ")),
    }
}

fn is_listed(entries: &[Value], role: &str, name: &str) -> bool {
    let names = |list: &Value, one: &str| list.as_array().unwrap().iter().any(|named| named == one);
    entries.iter().any(|entry| {
        let of_role = entry.get("roles").is_none_or(|roles| names(roles, role));
        of_role && names(&entry["statements"], name)
    })
}

#[test]
fn removing_a_right_that_no_deployed_call_exercises_fails_a_check() {
    let template = Template::load();
    assert!(
        !Template::is_refused(template.document(), CHECKS),
        "a check fails on the unchanged template"
    );
    let entries: Vec<Value> =
        serde_json::from_str(&text("tests/deploy/emulator/undriven.json")).unwrap();
    let mut removed = 0;
    for (id, role) in template.of_type("AWS::IAM::Role") {
        for (number, statement) in written(role).into_iter().enumerate() {
            let name = label(granted(statement));
            if granted(statement) == statement && !is_listed(&entries, id, &name) {
                continue;
            }
            let mut document = template.document().clone();
            let policies =
                document["Resources"][id]["Properties"]["Policies"].as_array_mut().unwrap();
            let [policy] = &mut policies[..] else { panic!("{id} has several policies") };
            policy["PolicyDocument"]["Statement"].as_array_mut().unwrap().remove(number);
            assert!(
                Template::is_refused(&document, CHECKS),
                "no check fails without `{name}` of {id}"
            );
            removed += 1;
        }
    }
    assert!(removed > 60, "{removed}");
}
