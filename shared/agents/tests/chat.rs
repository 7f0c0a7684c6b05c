//! Follows a user's message from the front door to the model's request and the table.

use crate::common::reply::{ALL, Protocol, reply};
use crate::common::world::World;
use domain::chat::Role;
use domain::{AgentId, InstallationId, ProjectId, Scope};
use serde_json::json;
use store::plans::PlanKind;

#[tokio::test]
async fn a_reply_is_streamed_piece_by_piece_and_kept_whole() {
    for protocol in ALL {
        let answer = reply().text("Hello ").text("there.").usage(120, 7);
        let world = World::new(protocol, [answer.into()]).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "  Hi  ").await;
        assert_eq!(transcript.pieces, ["Hello ", "there."]);
        assert_eq!(transcript.failed, None);
        let messages = world.messages(AgentId::RequirementsGatherer).await;
        let kept: Vec<_> = messages.iter().map(|m| (m.role, m.text.as_str(), m.partial)).collect();
        assert_eq!(kept, [(Role::User, "Hi", false), (Role::Assistant, "Hello there.", false)]);
    }
}

#[tokio::test]
async fn a_tool_call_in_pieces_is_carried_out_and_the_model_gets_its_result() {
    for protocol in ALL {
        let content = "# Goal\nA blog \"with\" quotes and ünïcode.";
        let world = World::new(
            protocol,
            [
                reply()
                    .text("Noted.")
                    .call(
                        "c1",
                        "update_requirements",
                        json!({"content": content, "ready_to_continue": true, "asked": [
                            {"wish": "a blog", "fate": "built", "how": "", "words": "A blog"}]}),
                    )
                    .into(),
                reply().text("Please confirm.").into(),
            ],
        )
        .await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "A blog").await;
        assert_eq!(transcript.text, "Noted.\n\nPlease confirm.");
        assert_eq!(
            transcript.tools,
            [("update_requirements".into(), "Requirements written, ready to continue".into())]
        );
        let requirements = world.plans().requirements(world.scope).await.unwrap().unwrap();
        let list = "## What you asked for\n\n| id | asked | your words | outcome |\n|---|---|---|---|\n\
                    | R1 | a blog | “A blog” | will be built |\n";
        assert_eq!(requirements.content, format!("{content}\n\n{list}"));
        assert!(requirements.ready_to_continue);
        assert_eq!(world.fake.tool_results(1), ["Written. The user can now confirm them."]);
        let notes: Vec<_> = world
            .messages(AgentId::RequirementsGatherer)
            .await
            .into_iter()
            .flat_map(|m| m.notes)
            .collect();
        assert_eq!(notes, ["Requirements written, ready to continue"]);
    }
}

#[tokio::test]
async fn a_second_message_carries_the_conversation_and_the_documents() {
    for protocol in ALL {
        let arguments = json!({"content": "Goal: a blog", "ready_to_continue": false});
        let world = World::new(
            protocol,
            [
                reply().call("same-id", "update_requirements", arguments.clone()).into(),
                reply().text("Where shall it run?").into(),
                reply().call("same-id", "update_requirements", arguments).into(),
                reply().text("Good.").into(),
            ],
        )
        .await;
        world.chat(AgentId::RequirementsGatherer, "A blog").await;
        world.chat(AgentId::RequirementsGatherer, "In the sandbox").await;
        let sent = world.fake.last_user_text(2);
        assert_eq!(sent, "<requirements>\nGoal: a blog\n</requirements>\n\nIn the sandbox");
        let request = world.fake.requests()[2].to_string();
        assert!(request.contains("A blog") && request.contains("Where shall it run?"));
        assert!(
            request.contains("Its owner calls it \\\"Blog\\\""),
            "the project is named in the prompt"
        );
    }
}

#[tokio::test]
async fn a_turn_that_worked_without_text_says_what_it_did() {
    let world = World::new(
        Protocol::OpenAi,
        [
            reply()
                .call("c", "write_architecture_plan", json!({"plan": "## A\nx\n## B\ny"}))
                .into(),
            reply().into(),
        ],
    )
    .await;
    let transcript = world.chat(AgentId::CloudArchitect, "Plan it").await;
    assert_eq!(transcript.text, "Architecture plan written, 2 sections.");
    let last = world.messages(AgentId::CloudArchitect).await.pop().unwrap();
    assert_eq!((last.role, last.text.as_str()), (Role::Assistant, transcript.text.as_str()));
    let plan = world.plans().get(world.scope, PlanKind::Architecture).await.unwrap().unwrap();
    assert_eq!(plan.text, "## A\nx\n## B\ny");
}

#[tokio::test]
async fn the_executor_explains_and_can_type_but_run_nothing() {
    let world = World::new(Protocol::Anthropic, [reply().text("It waits for you.").into()]).await;
    world.execution(2).await;
    world.chat(AgentId::Executor, "What now?").await;
    let request = &world.fake.requests()[0];
    let tools = request["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["type_in_terminal"]);
    let steps = world.fake.shown_json(0, "steps");
    assert_eq!(steps[0], json!({"number": 1, "status": "in_progress", "description": "Step 1"}));
}

#[tokio::test]
async fn a_stranger_and_an_empty_message_are_refused_before_any_model_call() {
    let world = World::new(Protocol::OpenAi, []).await;
    let agent = AgentId::RequirementsGatherer;
    for stranger in [
        Scope { installation: InstallationId(8), ..world.scope },
        Scope { project: ProjectId(1), ..world.scope },
    ] {
        let refused = agents::chat(&world.agents, agent, stranger, "hi").await.err().unwrap();
        assert_eq!(refused.code().as_str(), "not_found");
        let threads = store::threads::Threads::new(&world.table);
        assert_eq!(threads.load(stranger, agent).await.unwrap(), None);
    }
    let refused = agents::chat(&world.agents, agent, world.scope, " \n").await.err().unwrap();
    assert_eq!(refused.code().as_str(), "invalid_message");
}
