//! Tests models that write plans and documents carelessly: no plan runs in an order other than its own, and no document
//! silently loses a part.

use crate::common::reply::{Answer, Protocol, reply};
use crate::common::world::{Transcript, World};
use domain::plan::PlanStatus;
use domain::{AgentId, RunId};
use serde_json::{Value, json};
use store::documentation::Documents;
use store::plans::PlanKind;

const WRITE: &str = "write_implementation_plan";

fn step(description: &str) -> Value {
    json!({"description": description, "prompt": format!("{description}, please")})
}

fn plan(steps: &[Value]) -> Value {
    json!({"plan": "# Plan\nDo it.", "steps": steps})
}

/// The model's error for the first plan; the second one is good and must be written.
async fn sent_back(first: Value) -> String {
    let good = plan(&[step("Prepare"), step("Build")]);
    let answers =
        [reply().call("a", WRITE, first).into(), reply().call("b", WRITE, good.clone()).into()];
    let world = World::new(Protocol::OpenAi, answers).await;
    let (agent, run_id) = (AgentId::ImplementationPlanner, RunId::random());
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Go").await.unwrap();
    let written = world.plans().get(world.scope, PlanKind::Implementation).await.unwrap().unwrap();
    assert_eq!(written.status, PlanStatus::Ready);
    if world.fake.requests().len() == 1 {
        world.fake.discard_answers();
        return String::new();
    }
    world.fake.tool_results(1).remove(0)
}

/// A turn in which the agent gets these answers.
async fn chat(agent: AgentId, answers: impl IntoIterator<Item = Answer>) -> (World, Transcript) {
    let world = World::new(Protocol::OpenAi, answers).await;
    let transcript = world.chat(agent, "Go").await;
    (world, transcript)
}

#[tokio::test]
async fn steps_that_are_numbered_in_another_order_go_back() {
    let numbered = |numbers: [i64; 3], field: &str| {
        let steps = numbers.iter().zip(["Prepare", "Build", "Prove"]).map(|(number, title)| {
            let mut step = step(title);
            step[field] = json!(number);
            step
        });
        plan(&steps.collect::<Vec<_>>())
    };
    for (numbers, field) in [([2, 1, 3], "number"), ([1, 1, 2], "step"), ([3, 2, 1], "order")] {
        let error = sent_back(numbered(numbers, field)).await;
        assert!(error.contains("order"), "{numbers:?}: {error}");
    }
    assert_eq!(sent_back(numbered([1, 2, 3], "number")).await, "");
    assert_eq!(sent_back(numbered([10, 20, 30], "id")).await, "");
}

#[tokio::test]
async fn titles_that_are_numbered_in_another_order_go_back() {
    for titles in [["Step 2: Build", "Step 1: Prepare"], ["2. Build", "1. Prepare"]] {
        let error = sent_back(plan(&titles.map(step))).await;
        assert!(error.contains("order"), "{titles:?}: {error}");
    }
    assert_eq!(sent_back(plan(&["1. Prepare", "2. Build", "3. Prove"].map(step))).await, "");
    assert_eq!(
        sent_back(plan(&["3 servers: create them", "2 users: add them"].map(step))).await,
        ""
    );
}

#[tokio::test]
async fn a_step_that_is_there_twice_goes_back() {
    let twice = plan(&[step("Prepare"), step("Build"), step("Prepare")]);
    let error = sent_back(twice).await;
    assert!(error.contains("Step 3") && error.contains("step 1"), "{error}");
}

#[tokio::test]
async fn a_step_that_leaves_its_task_to_the_reader_goes_back() {
    for prompt in ["TODO", "...", "…", "[to be filled in]", "<insert the commands here>"] {
        let vague = json!({"description": "Build", "prompt": prompt});
        let error = sent_back(plan(&[step("Prepare"), vague])).await;
        assert!(error.contains("Step 2"), "{prompt}: {error}");
    }
}

#[tokio::test]
async fn a_document_within_a_fence_is_written_without_it() {
    for fenced in [
        "```markdown\n# Goal\n\nA blog.\n```",
        "```md\n# Goal\n\nA blog.\n```\n",
        "````\n# Goal\n\nA blog.\n````",
    ] {
        let given = json!({"content": fenced, "ready_to_continue": false});
        let answers = [
            reply().call("a", "update_requirements", given).into(),
            reply().text("So far.").into(),
        ];
        let (world, _) = chat(AgentId::RequirementsGatherer, answers).await;
        let kept = world.plans().requirements(world.scope).await.unwrap().unwrap();
        assert_eq!(kept.content, "# Goal\n\nA blog.", "{fenced}");
    }
}

#[tokio::test]
async fn a_document_that_leaves_out_what_stood_there_before_goes_back() {
    for left_out in [
        "# Overview\nTwo servers.\n\n... (rest of the plan unchanged)",
        "# Overview\nTwo servers.\n\n[The rest remains the same as before]",
        "# Overview\nTwo servers.\n\n## Network\n*(unchanged)*",
        "# Overview\nTwo servers.\n\n## Network\n<!-- existing content here -->",
        "# Overview\nTwo servers.\n\n## Network\n(same as above)",
        "# Overview\nZwei Server.\n\n... (Rest unverändert)",
    ] {
        let answers = [
            reply().call("a", "write_architecture_plan", json!({"plan": left_out})).into(),
            reply().call("b", "write_architecture_plan", json!({"plan": "# Whole"})).into(),
            reply().text("Written.").into(),
        ];
        let (world, transcript) = chat(AgentId::CloudArchitect, answers).await;
        assert_eq!(transcript.tools.len(), 1, "{left_out}");
        assert!(world.fake.tool_results(1)[0].contains("whole"), "{left_out}");
    }
}

#[tokio::test]
async fn a_document_may_speak_of_the_rest() {
    for whole in [
        "# Overview\nThe rest of the traffic is refused. The network stays unchanged.",
        "# Overview\nBackups are kept as before the change, for 7 days...",
        "# Overview\n```text\nbrowser ... server\n```\n## Rest\nAll other ports are closed.",
    ] {
        let answers = [
            reply().call("a", "write_architecture_plan", json!({"plan": whole})).into(),
            reply().text("Written.").into(),
        ];
        let (_, transcript) = chat(AgentId::CloudArchitect, answers).await;
        assert_eq!(transcript.tools.len(), 1, "{whole}");
    }
}

#[tokio::test]
async fn a_document_that_repeats_the_instructions_goes_back() {
    let copied = "# Plan\n- The simplest thing that meets the requirements. Every component must trace back to one of them.\n\
                  - Infrastructure by Terraform, configuration by Ansible or Docker Compose, keys generated in the workspace.\n\
                  - Nothing public that need not be. Least privilege. No secret in a file that is kept.";
    let answers = [
        reply().call("a", "write_architecture_plan", json!({"plan": copied})).into(),
        reply().call("b", "write_architecture_plan", json!({"plan": "# Two servers"})).into(),
        reply().text("Written.").into(),
    ];
    let (world, transcript) = chat(AgentId::CloudArchitect, answers).await;
    assert_eq!(transcript.tools.len(), 1);
    assert!(world.fake.tool_results(1)[0].contains("instructions"));
}

#[tokio::test]
async fn a_wish_that_leaves_the_list_is_named_to_the_user() {
    let wish = |wish: &str| json!({"wish": wish, "fate": "built", "how": ""});
    let listed = |wishes: &[&str]| {
        let asked: Vec<Value> = wishes.iter().map(|text| wish(text)).collect();
        json!({"content": "# Goal", "asked": asked, "ready_to_continue": true})
    };
    let answers = [
        reply().call("a", "update_requirements", listed(&["a VPS", "TLS", "backups"])).into(),
        reply().text("Noted.").into(),
        reply().call("b", "update_requirements", listed(&["a VPS", "backups"])).into(),
        reply().text("Noted.").into(),
    ];
    let (world, first) = chat(AgentId::RequirementsGatherer, answers).await;
    assert_eq!(first.tools[0].1, "Requirements written, ready to continue");
    let second = world.chat(AgentId::RequirementsGatherer, "Make the backups daily").await;
    assert!(second.tools[0].1.contains("R2 (TLS)"), "{:?}", second.tools);
    let told = world.fake.tool_results(3);
    assert!(told.last().unwrap().contains("R2 (TLS)"), "the model hears it, too: {told:?}");
}

#[tokio::test]
async fn blank_documentation_is_not_written() {
    let whole = |documentation: &str, quickstart: &str| json!({"documentation": documentation, "quickstart": quickstart, "key_value_data": {}});
    for (documentation, quickstart) in
        [(" \n", "# Use it"), ("# Shop", "``` \n```"), ("TODO", "# Use it"), ("# Shop", "...")]
    {
        let answers = [
            reply().call("a", "write_documentation", whole(documentation, quickstart)).into(),
            reply()
                .call("b", "write_documentation", whole("# Shop\nIt runs.", "# Use it\nOpen it."))
                .into(),
            reply().text("Written.").into(),
        ];
        let (world, transcript) = chat(AgentId::Documenter, answers).await;
        world.fake.discard_answers();
        assert_eq!(transcript.failed, None, "{documentation:?} {quickstart:?}");
        let kept = Documents::new(&world.table).get(world.scope).await.unwrap().unwrap();
        assert_eq!(kept.documentation, "# Shop\nIt runs.", "{documentation:?} {quickstart:?}");
    }
}
