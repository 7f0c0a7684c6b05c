//! Tests that each agent's calls name the model that is configured for it, at the one price of the price list.

use crate::common::fake_model::FakeModel;
use crate::common::reply::{ALL, Answer, Protocol, refusal, reply};
use crate::common::world::World;
use agents::Model;
use domain::step::Track;
use domain::{AgentId, MicroDollars, RunId};
use serde_json::json;

/// A world in which the executor and the documenter have another model.
async fn world(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> World {
    let mut world = World::new(protocol, answers).await;
    let names = match protocol {
        Protocol::Bedrock => {
            "executor=eu.anthropic.a-small-model-v1:0,documenter=eu.anthropic.a-small-model-v1:0"
        }
        Protocol::OpenAi | Protocol::Anthropic => "executor=a-small-model,documenter=a-small-model",
    };
    let model = Model::new(world.fake.config().with_agent_models(names.parse().unwrap())).unwrap();
    world.agents = agents::AgentContext::new(&world.table, model);
    world
}

fn models(fake: &FakeModel) -> Vec<String> {
    let requests = fake.requests();
    requests.iter().map(|request| request["model"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_agent_calls_its_own_model_and_pays_the_same_price() {
    for protocol in ALL {
        for agent in AgentId::ALL {
            let answers = (0..4).map(|_| reply().text("Hello.").usage(1_000, 10).into());
            let world = world(protocol, answers).await;
            world.chat(agent, "Hi").await;
            world.fake.discard_answers();
            let has_own = [AgentId::Executor, AgentId::Documenter].contains(&agent);
            let expected = if has_own { "a-small-model" } else { "a-model" };
            let called = models(&world.fake);
            assert!(called.iter().all(|name| name == expected), "{agent:?}: {called:?}");
            let calls = i64::try_from(called.len()).unwrap();
            assert_eq!(world.costs().await.micro_usd, MicroDollars(calls * (1_000 * 5 + 10 * 20)));
        }
    }
}

#[tokio::test]
async fn a_run_from_the_queue_calls_its_agents_model_too() {
    let script = json!({"step": 1, "script": "mkdir -p a", "proof": "test -d a", "summary": "x"});
    let steps = json!([{"description": "Prepare", "prompt": "mkdir"}]);
    let plan = json!({"plan": "# Plan", "steps": steps});
    let answers = [
        reply().call("a", "write_implementation_plan", plan).into(),
        reply().call("p", "propose_command", script).into(),
    ];
    let world = world(Protocol::OpenAi, answers).await;
    let (agent, run_id) = (AgentId::ImplementationPlanner, RunId::random());
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Go").await.unwrap();
    let (plan_id, run_id) = world.execution(1).await;
    let track = Track::Execution;
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    assert!(step.unwrap().unwrap().command.is_some());
    assert_eq!(models(&world.fake), ["a-model", "a-small-model"]);
}

#[tokio::test]
async fn the_fallback_keeps_its_own_name() {
    let busy = || refusal(529).header("retry-after", "0");
    let mut world = world(Protocol::OpenAi, [busy(), busy(), busy()]).await;
    let fallback = FakeModel::new(Protocol::Anthropic, [reply().text("Hello.").into()]).await;
    world.agents = world.agents.clone().with_fallback(fallback.model());
    let transcript = world.chat(AgentId::Executor, "Hi").await;
    assert_eq!(transcript.failed, None);
    assert_eq!(
        (models(&world.fake), models(&fallback)),
        (vec!["a-small-model".to_owned(); 3], vec!["a-model".to_owned()])
    );
}
