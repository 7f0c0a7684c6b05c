//! Tests models that do not follow the protocol, and providers that are busy while only the queue waits.

use crate::common::reply::{ALL, Answer, Ending, Protocol, refusal, reply};
use crate::common::world::World;
use domain::plan::{Plan, PlanStatus};
use domain::step::{Event, Phase, Seen, Step, Track};
use domain::{AgentId, RunId};
use serde_json::{Value, json};
use store::plans::PlanKind;

const WRITE: &str = "write_implementation_plan";

fn plan() -> Value {
    json!({"plan": "# Plan\nDo it.", "steps": [{"description": "Prepare", "prompt": "mkdir"}]})
}

/// The plan at the end of a run from the queue, and its world.
async fn planned(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> (World, Plan) {
    let world = World::new(protocol, answers).await;
    let agent = AgentId::ImplementationPlanner;
    let run_id = RunId::random();
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Go").await.unwrap();
    let plan = world.plans().get(world.scope, PlanKind::Implementation).await.unwrap().unwrap();
    (world, plan)
}

/// The first step, once the agent has prepared it.
async fn prepared(world: &World) -> Step {
    let (plan_id, run_id) = world.execution(1).await;
    let track = Track::Execution;
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    step.unwrap().unwrap()
}

#[tokio::test]
async fn a_run_from_the_queue_outlasts_a_provider_that_is_busy_for_a_long_time() {
    for protocol in ALL {
        for status in [429, 503, 529] {
            let busy = |_| refusal(status).header("retry-after-ms", "1");
            let written = reply().call("a", WRITE, plan()).into();
            let (world, plan) = planned(protocol, (0..12).map(busy).chain([written])).await;
            assert_eq!(plan.status, PlanStatus::Ready, "{status}");
            assert_eq!(world.fake.requests().len(), 13);
        }
    }
}

#[tokio::test]
async fn a_run_from_the_queue_asks_again_when_a_reply_breaks_off() {
    for protocol in ALL {
        let broken = || reply().ending(Ending::Cut).into();
        let written = reply().call("a", WRITE, plan()).into();
        let (_, plan) = planned(protocol, [broken(), broken(), broken(), written]).await;
        assert_eq!(plan.status, PlanStatus::Ready);
    }
}

#[tokio::test]
async fn a_model_that_talks_instead_of_calling_is_forced_to_call_the_tool() {
    for protocol in ALL {
        let talk = reply().text("Here is the plan: …").into();
        let written = reply().call("a", WRITE, plan()).into();
        let (world, plan) = planned(protocol, [talk, written]).await;
        assert_eq!(plan.status, PlanStatus::Ready);
        let requests = world.fake.requests();
        assert_eq!(requests[0]["tool_choice"], Value::Null);
        assert!(requests[1]["tool_choice"].to_string().contains(WRITE), "{}", requests[1]);
    }
}

#[tokio::test]
async fn a_server_that_cannot_force_a_tool_is_asked_without_it() {
    for protocol in ALL {
        let talk = reply().text("Here is the plan: …").into();
        let written = reply().call("a", WRITE, plan()).into();
        let (world, plan) = planned(protocol, [talk, refusal(400), written]).await;
        assert_eq!(plan.status, PlanStatus::Ready);
        assert_eq!(world.fake.requests()[2]["tool_choice"], Value::Null);
    }
}

#[tokio::test]
async fn a_question_of_a_run_becomes_a_question_to_the_user() {
    for protocol in ALL {
        let ask = || reply().text("I looked at it.\n\nWhich region shall it be?").into();
        let (_, plan) = planned(protocol, [ask()]).await;
        assert_eq!(plan.status, PlanStatus::Failed);
        let expected =
            "The agent asks: Which region shall it be? Answer in the chat, then start this again.";
        assert_eq!(plan.detail.as_deref(), Some(expected));
        let world = World::new(protocol, [ask()]).await;
        let step = prepared(&world).await;
        assert_eq!(step.phase, Phase::Failed);
        assert_eq!(step.error.as_deref(), Some(expected));
    }
}

#[tokio::test]
async fn a_model_that_asked_reads_its_question_and_the_answer_when_it_prepares_the_step_again() {
    for protocol in ALL {
        let script =
            json!({"step": 1, "script": "mkdir -p app", "proof": "test -d app", "summary": "x"});
        let answers = [
            reply().text("Which port shall it use?").into(),
            reply().text("Noted.").into(),
            reply().call("a", "propose_command", script).into(),
        ];
        let world = World::new(protocol, answers).await;
        let (plan_id, run_id) = world.execution(1).await;
        let track = Track::Execution;
        let prepare = async |run_id: &RunId| {
            agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, run_id).await
        };
        assert_eq!(prepare(&run_id).await.unwrap().unwrap().phase, Phase::Failed);
        world.chat(AgentId::Executor, "8080").await;
        let run_id = RunId::random();
        let seen = Seen::of(world.step(1).await.attempt, None);
        let again = Event::Approve { run_id: run_id.clone(), seen, credentials: Vec::new() };
        world.apply(&plan_id, 1, again).await;
        assert_eq!(prepare(&run_id).await.unwrap().unwrap().phase, Phase::WaitingApproval);
        let request = world.fake.requests()[2].to_string();
        for part in ["Error: The agent asks: Which port shall it use?", "8080", "question of yours"]
        {
            assert!(request.contains(part), "{part}: {request}");
        }
    }
}

#[tokio::test]
async fn arguments_are_read_as_they_were_meant() {
    let script = "mkdir -p terraform";
    let proper = json!({"step": "1", "script": [script], "proof": ["test -d terraform"], "summary": "Makes the folder"});
    let double = serde_json::to_string(&proper.to_string()).unwrap();
    let fenced = format!("```json\n{proper}\n```");
    for protocol in ALL {
        for arguments in [proper.to_string(), double.clone(), fenced.clone()] {
            let call = reply().raw_call("a", "propose_command", &arguments).into();
            let step = prepared(&World::new(protocol, [call]).await).await;
            assert_eq!(step.phase, Phase::WaitingApproval, "{arguments}: {:?}", step.error);
            assert!(step.command.unwrap().script.contains(script));
        }
    }
}

#[tokio::test]
async fn an_argument_that_is_left_out_or_labelled_is_read_as_it_was_meant() {
    let (script, proof) = ("\u{feff}mkdir app &amp;&amp; ls", "test -d app");
    for arguments in [
        json!({"script": script, "proof": proof, "summary": null}),
        json!({"step": "Step 1", "script": script, "proof": proof}),
        json!({"step": null, "script": script, "proof": proof, "summary": "x"}),
    ] {
        let call = reply().call("a", "propose_command", arguments.clone()).into();
        let step = prepared(&World::new(Protocol::OpenAi, [call]).await).await;
        assert_eq!(step.phase, Phase::WaitingApproval, "{arguments}: {:?}", step.error);
        assert!(step.command.unwrap().script.starts_with("mkdir app && ls\n"), "{arguments}");
    }
}

#[tokio::test]
async fn a_reply_that_begins_within_thoughts_is_kept_without_them_and_the_next_one_not_shown_with_them()
 {
    let thinks = || reply().text("They want").text(" a site.</think>\n\n").text("Which port?");
    for protocol in ALL {
        let world = World::new(protocol, [thinks().into(), thinks().into()]).await;
        world.chat(AgentId::RequirementsGatherer, "Hi").await;
        let second = world.chat(AgentId::RequirementsGatherer, "Hi again").await;
        assert_eq!(second.text, "Which port?");
        for place in [1, 3] {
            let kept = world.messages(AgentId::RequirementsGatherer).await;
            assert_eq!(kept[place].text, "Which port?");
        }
    }
}

#[tokio::test]
async fn thoughts_within_a_reply_are_not_shown_and_not_kept() {
    for protocol in ALL {
        let thinks = reply().text("<thi").text("nk>They want…</th").text("ink>\n\nHel").text("lo");
        let world = World::new(protocol, [thinks.into()]).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "Hi").await;
        assert_eq!(transcript.text, "Hello");
        assert_eq!(world.messages(AgentId::RequirementsGatherer).await[1].text, "Hello");
    }
}
