//! Tests good and bad tool calls, as models make them.

use crate::common::reply::{ALL, Protocol, reply};
use crate::common::world::World;
use domain::AgentId;
use serde_json::json;
use store::typed::TypedCommands;

#[tokio::test]
async fn several_calls_in_one_reply_are_carried_out_in_order_and_each_is_answered() {
    for protocol in ALL {
        let written = |content: &str| json!({"content": content, "ready_to_continue": false});
        let world = World::new(
            protocol,
            [
                reply()
                    .call("a", "update_requirements", written("first"))
                    .call("b", "no_such_tool", json!({}))
                    .call("c", "update_requirements", written("second"))
                    .into(),
                reply().text("Done.").into(),
            ],
        )
        .await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "Go").await;
        assert_eq!(transcript.tools.len(), 2);
        let results = world.fake.tool_results(1);
        assert_eq!(
            results[1],
            "Error: There is no tool `no_such_tool`. The tools are: update_requirements."
        );
        assert_eq!(
            (results[0].as_str(), results.len()),
            ("Written. The user cannot continue yet.", 3)
        );
        let requirements = world.plans().requirements(world.scope).await.unwrap().unwrap();
        assert_eq!(requirements.content, "second");
    }
}

#[tokio::test]
async fn a_model_sees_what_was_wrong_with_its_arguments_and_can_correct_them() {
    for protocol in ALL {
        let world = World::new(
            protocol,
            [
                reply().call("a", "write_architecture_plan", json!({"text": "oops"})).into(),
                reply().raw_call("b", "write_architecture_plan", "{\"plan\": \"## cut o").into(),
                reply()
                    .raw_call("c", "write_architecture_plan", "{\"plan\": \"## cut o")
                    .stop(match protocol {
                        Protocol::OpenAi => "length",
                        Protocol::Anthropic | Protocol::Bedrock => "max_tokens",
                    })
                    .into(),
                reply()
                    .call("d", "write_architecture_plan", json!({"plan": "x".repeat(60_001)}))
                    .into(),
                reply().call("e", "write_architecture_plan", json!({"plan": "## Fine"})).into(),
                reply().text("Written.").into(),
            ],
        )
        .await;
        let transcript = world.chat(AgentId::CloudArchitect, "Go").await;
        assert_eq!(transcript.failed, None);
        assert_eq!(
            transcript.tools,
            [("write_architecture_plan".into(), "Architecture plan written, 1 section".into())]
        );
        let results = world.fake.tool_results(5);
        assert!(results[0].contains("missing field `plan`"), "{results:?}");
        assert!(results[1].contains("not a JSON object"), "{results:?}");
        assert!(results[2].contains("cut off at the length limit"), "{results:?}");
        assert!(results[3].contains("60000 are allowed"), "{results:?}");
    }
}

#[tokio::test]
async fn calls_without_ids_get_distinct_ids_from_us() {
    let written = |content: &str| json!({"content": content, "ready_to_continue": false});
    let answers = [
        reply()
            .call("", "update_requirements", written("first"))
            .call("", "update_requirements", written("second"))
            .into(),
        reply().text("Done.").into(),
    ];
    let world = World::new(Protocol::OpenAi, answers).await;
    let transcript = world.chat(AgentId::RequirementsGatherer, "Go").await;
    assert_eq!((transcript.tools.len(), world.fake.tool_results(1).len()), (2, 2));
}

#[tokio::test]
async fn a_long_document_is_not_repeated_in_the_conversation() {
    let plan = format!("## Plan\n{}", "long ".repeat(2_000));
    let world = World::new(
        Protocol::OpenAi,
        [
            reply().call("a", "write_architecture_plan", json!({"plan": plan})).into(),
            reply().text("Written.").into(),
            reply().text("Yes.").into(),
        ],
    )
    .await;
    world.chat(AgentId::CloudArchitect, "Go").await;
    world.chat(AgentId::CloudArchitect, "Sure?").await;
    let request = world.fake.requests()[2].to_string();
    assert!(request.contains("10008 bytes in all") && request.matches("long long").count() < 3_000);
    assert!(world.fake.last_user_text(2).contains("<architecture_plan>\n## Plan\nlong"));
}

#[tokio::test]
async fn a_typed_command_waits_for_a_page_and_may_run_only_if_it_reads() {
    let call = |id, command| reply().call(id, "type_in_terminal", json!({"command": command}));
    let answers = [
        call("a", "ls -l").into(),
        call("b", "rm -rf terraform").into(),
        call("c", "ls\nrm -rf ansible").into(),
        reply().text("Press Enter if you want the second.").into(),
    ];
    let world = World::new(Protocol::Anthropic, answers).await;
    world.execution(1).await;
    let transcript = world.chat(AgentId::Executor, "Type").await;
    assert_eq!(transcript.tools.len(), 2, "more than a line is not typed: {:?}", transcript.tools);
    let typed = TypedCommands::new(&world.table).take(world.scope).await.unwrap();
    let typed: Vec<_> = typed.iter().map(|typed| (typed.command.as_str(), typed.run)).collect();
    assert_eq!(typed, [("/usr/bin/ls -l", true), ("rm -rf terraform", false)]);
    assert!(TypedCommands::new(&world.table).take(world.scope).await.unwrap().is_empty());
}
