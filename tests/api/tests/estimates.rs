//! What an execution took, beside its estimate.

use crate::changes::{Changed, validated_by};
use api_tests::{Model, Project, World};
use domain::{AgentId, Timestamp, TokenUsage};
use serde_json::{Value, json};
use store::costs::{CostBook, ModelCall, Usage};
use store::ledger::Ledger;

/// Counts a call of the execution agent.
async fn is_asked(project: &Project, call_id: &str) {
    let usage = TokenUsage { input_tokens: 2_000, output_tokens: 500 };
    let (call_id, agent, at) = (call_id.to_owned(), AgentId::Executor, Timestamp::now());
    let micro_usd = usage.cost();
    let call =
        ModelCall { call_id, agent, usage, micro_usd, estimated: false, cached_tokens: 0, at };
    let ledger = Ledger::new(&project.app().table());
    let hold = ledger.hold(project.scope(), call.micro_usd).await.unwrap();
    ledger.settle(&hold, &call).await.unwrap();
}

async fn used(project: &Project) -> Usage {
    let costs = CostBook::new(&project.app().table());
    costs.of_agent(project.scope(), AgentId::Executor).await.unwrap()
}

async fn took(project: &Project) -> Value {
    project.get("/execution/estimate").await.is(200).json()["took"].clone()
}

/// What one step with this usage took.
fn by_one_step(after: Usage, before: Usage) -> Value {
    let tokens = after.tokens.total() - before.tokens.total();
    let cost = after.micro_usd - before.micro_usd;
    json!({"steps": 1, "tokens": tokens, "cost": cost.to_string()})
}

fn without_time(took: &Value) -> Value {
    json!({"steps": took["steps"], "tokens": took["tokens"], "cost": took["cost"]})
}

#[tokio::test]
async fn a_change_has_taken_what_its_agent_used_since_it_began() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    validated_by(&project, "echo built", "echo proved").await;
    let built = used(&project).await;
    let first = took(&project).await;
    assert_eq!(without_time(&first), by_one_step(built, Usage::default()));

    project.begin("bigger disk").await.is(201);
    is_asked(&project, "in-the-change").await;
    project.abandon(2).await.is(200);
    assert_eq!(
        took(&project).await,
        first,
        "what the abandoned change used is not the first one's"
    );

    let before = used(&project).await;
    assert!(before.micro_usd > built.micro_usd);
    project.begin("smaller disk").await.is(201);
    project.execute(&["echo changed", "true"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    is_asked(&project, "about-the-step").await;
    assert_eq!(without_time(&took(&project).await), by_one_step(used(&project).await, before));
}
