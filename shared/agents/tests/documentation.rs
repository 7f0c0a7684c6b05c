//! Tests what the documenter sees and what it may write.

use crate::common::reply::{ALL, Protocol, reply};
use crate::common::world::World;
use domain::AgentId;
use domain::step::Track;
use serde_json::{Value, json};
use store::documentation::Documents;

const AGENT: AgentId = AgentId::Documenter;

fn documents(key_value_data: Value) -> Value {
    json!({
        "documentation": "## Overview\nA blog. The password is `password=c0rrect-Horse-battery`.",
        "quickstart": "# Start\n`curl localhost:8080`",
        "key_value_data": key_value_data,
    })
}

#[tokio::test]
async fn the_documents_are_written_from_what_ran_and_hold_no_secret() {
    for protocol in ALL {
        let data =
            json!({"host": "localhost", "port": 8080, "db_password": "Zm9vYmFyYmF6cXV4MTIz"});
        let answers = [reply().call("a", "write_documentation", documents(data)).into()];
        let world = World::new(protocol, answers).await;
        let (plan_id, run_id) = world.execution(1).await;
        world.ran(Track::Execution, &plan_id, 1, &run_id, "listening on 8080", 0).await;
        let (plan_id, run_id) = world.validation(1).await;
        world.ran(Track::Validation, &plan_id, 1, &run_id, "PASS: 200", 0).await;

        let transcript = world.chat(AGENT, "Generate detailed documentation").await;
        assert_eq!((transcript.failed, transcript.tools.len()), (None, 1));
        assert_eq!(transcript.text, "Documentation written, 3 configuration values.");
        let written = Documents::new(&world.table).get(world.scope).await.unwrap().unwrap();
        assert!(written.quickstart.starts_with("# Start"));
        assert!(written.documentation.contains("{{secret:"), "{}", written.documentation);
        let data: Value = serde_json::from_str(&written.key_value_data).unwrap();
        assert_eq!((&data["host"], &data["port"]), (&json!("localhost"), &json!(8080)));
        assert!(data["db_password"].as_str().unwrap().starts_with("{{secret:"));

        let shown = world.fake.last_user_text(0);
        for part in [
            "Step 1, exit code 0\nScript:\ntrue\nOutput:\nlistening on 8080",
            "Check 1, exit code 0\nScript:\ntrue\nOutput:\nPASS: 200",
        ] {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
        let check = json!({"number": 1, "status": "completed", "description": "Check 1"});
        assert_eq!(world.fake.shown_json(0, "checks"), json!([check]));
    }
}

#[tokio::test]
async fn a_model_that_submits_a_list_gets_an_error_and_later_sees_the_present_documents() {
    let answers = [
        reply().call("a", "write_documentation", documents(json!(["x"]))).into(),
        reply().call("b", "write_documentation", documents(json!({"a": 1}))).into(),
        reply().text("It listens on 8080.").into(),
    ];
    let world = World::new(Protocol::OpenAi, answers).await;
    world.chat(AGENT, "Document it").await;
    assert_eq!(world.fake.tool_results(1), ["Error: `key_value_data` must be a JSON object."]);
    // A question afterward needs no tool.
    assert_eq!(world.chat(AGENT, "Which port?").await.text, "It listens on 8080.");
    let shown = world.fake.last_user_text(2);
    assert!(shown.contains("<key_value_data>\n{\"a\":1}\n</key_value_data>"), "{shown}");
}
