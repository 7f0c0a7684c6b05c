//! Negative controls: without one route, queue mapping, rule or schedule, a check fails.

use deploy_tests::Template;
use std::collections::BTreeMap;

/// The checks of what must reach the functions.
const CHECKS: &[fn()] = &[
    super::a_queue_hides_a_message_for_as_long_as_its_function_may_run,
    super::one_function_gets_the_schedule_and_the_changes_of_tasks,
    super::previews_have_a_separate_api_on_a_separate_domain,
    super::the_routes_are_those_of_the_contract,
    super::the_web_socket_routes_all_reach_the_terminal_function,
];

#[test]
fn removing_an_event_or_a_route_of_a_function_fails_a_check() {
    let template = Template::load();
    assert!(
        !Template::is_refused(template.document(), CHECKS),
        "a check fails on the unchanged template"
    );
    let mut removed: BTreeMap<&str, usize> = BTreeMap::new();
    for function in template.functions() {
        for (name, event) in function.properties["Events"].as_object().into_iter().flatten() {
            let mut document = template.document().clone();
            let events = &mut document["Resources"][function.id]["Properties"]["Events"];
            events.as_object_mut().unwrap().remove(name);
            let missed = Template::is_refused(&document, CHECKS);
            assert!(missed, "no check fails without {name} of {}", function.id);
            *removed.entry(event["Type"].as_str().unwrap()).or_default() += 1;
        }
    }
    for (id, _) in template.of_type("AWS::ApiGatewayV2::Route") {
        let mut document = template.document().clone();
        document["Resources"].as_object_mut().unwrap().remove(id);
        assert!(Template::is_refused(&document, CHECKS), "no check fails without {id}");
        let kind = if id == "PreviewRoute" { "Preview" } else { "WebSocket" };
        *removed.entry(kind).or_default() += 1;
    }
    assert!(removed["Api"] > 90, "{removed:?}");
    removed.remove("Api");
    let others =
        [("EventBridgeRule", 1), ("Preview", 1), ("SQS", 2), ("Schedule", 1), ("WebSocket", 3)];
    assert_eq!(removed, BTreeMap::from(others));
}
