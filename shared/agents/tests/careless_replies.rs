//! Tests models that answer in a wrong form: each ends in finished work, or in words that say what went wrong.

use crate::common::reply::{ALL, Answer, Ending, Protocol, Reply, reply};
use crate::common::world::World;
use domain::AgentId;
use domain::RunId;
use domain::plan::{Plan, PlanStatus};
use domain::step::{Phase, Step, Track};
use serde_json::{Value, json};
use store::plans::PlanKind;

const WRITE: &str = "write_implementation_plan";
const PROPOSE: &str = "propose_command";
const BROKE_OFF: &str = "The AI model's reply broke off. Please try again.";

fn plan() -> Value {
    json!({"plan": "# Plan\nDo it.", "steps": [{"description": "Prepare", "prompt": "mkdir"}]})
}

fn script() -> Value {
    json!({"step": 1, "script": "mkdir -p app", "proof": "test -d app", "summary": "Makes it"})
}

fn requirements() -> Value {
    json!({"content": "# Goal", "ready_to_continue": false})
}

/// The plan at the end of a run from the queue, and its world.
async fn planned(protocol: Protocol, answers: Vec<Answer>) -> (World, Plan) {
    let world = World::new(protocol, answers).await;
    let (agent, run_id) = (AgentId::ImplementationPlanner, RunId::random());
    agents::generate_plan(&world.agents, agent, world.scope, &run_id, "Go").await.unwrap();
    let plan = world.plans().get(world.scope, PlanKind::Implementation).await.unwrap().unwrap();
    (world, plan)
}

/// The first step, once the agent has prepared it.
async fn prepared(protocol: Protocol, answers: Vec<Answer>) -> (World, Step) {
    let world = World::new(protocol, answers).await;
    let (plan_id, run_id) = world.execution(1).await;
    let track = Track::Execution;
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    (world, step.unwrap().unwrap())
}

/// What the user reads of a plan that failed; asserts that it did.
fn reason(plan: &Plan) -> &str {
    assert_eq!(plan.status, PlanStatus::Failed);
    plan.detail.as_deref().unwrap()
}

pub(crate) fn longest(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenAi => "length",
        Protocol::Anthropic | Protocol::Bedrock => "max_tokens",
    }
}

#[tokio::test]
async fn a_tools_name_in_another_spelling_still_means_the_tool() {
    for name in [
        "Write_Implementation_Plan",
        "functions.write_implementation_plan",
        "writeImplementationPlan",
        "write-implementation-plan ",
        "default_api:write_implementation_plan",
    ] {
        let (world, written) =
            planned(Protocol::OpenAi, vec![reply().call("a", name, plan()).into()]).await;
        assert_eq!((written.status, world.fake.requests().len()), (PlanStatus::Ready, 1), "{name}");
    }
}

#[tokio::test]
async fn arguments_within_another_object_are_found() {
    let mut named = serde_json::Map::new();
    named.insert(PROPOSE.to_owned(), script());
    let camel =
        json!({"Step": 1, "Script": "mkdir -p app", "Proof": "test -d app", "Summary": "x"});
    for arguments in [
        json!({"arguments": script()}),
        json!({"input": script().to_string()}),
        json!({"name": PROPOSE, "parameters": script()}),
        Value::Object(named),
        json!([script()]),
        camel,
    ] {
        let call = reply().raw_call("a", PROPOSE, &arguments.to_string()).into();
        let (_, step) = prepared(Protocol::OpenAi, vec![call]).await;
        assert_eq!(step.phase, Phase::WaitingApproval, "{arguments}: {:?}", step.error);
    }
}

#[tokio::test]
async fn json_with_small_mistakes_is_read_as_it_was_meant() {
    let proper = script().to_string();
    let lines = r#"{"step": 1, "script": "mkdir -p app
	true", "proof": "test -d app", "summary": "x"}"#;
    for arguments in [
        lines.to_owned(),
        format!("{}, }}", &proper[..proper.len() - 1]),
        format!("{proper}{proper}"),
        format!("{proper}\n</tool_call>"),
        format!("{proper}}}"),
    ] {
        let call = reply().raw_call("a", PROPOSE, &arguments).into();
        let (_, step) = prepared(Protocol::OpenAi, vec![call]).await;
        assert_eq!(step.phase, Phase::WaitingApproval, "{arguments}: {:?}", step.error);
    }
}

#[tokio::test]
async fn json_that_could_mean_two_things_goes_back() {
    let other = script().to_string().replace("app", "other");
    for arguments in [format!("{}{other}", script()), json!([script(), script()]).to_string()] {
        let answers = vec![
            reply().raw_call("a", PROPOSE, &arguments).into(),
            reply().call("b", PROPOSE, script()).into(),
        ];
        let (world, step) = prepared(Protocol::OpenAi, answers).await;
        assert_eq!(step.phase, Phase::WaitingApproval);
        assert!(world.fake.tool_results(1)[0].contains("not a JSON object"), "{arguments}");
    }
}

#[tokio::test]
async fn a_run_that_gets_only_words_tells_its_user_which() {
    for said in [
        "I'm sorry, but I can't help with that.",
        "Please tell me the region first.",
        "Lo siento, no puedo ayudarte con eso.",
    ] {
        for protocol in ALL {
            let talk = || reply().text(said).into();
            let (_, plan) = planned(protocol, vec![talk(), talk(), talk()]).await;
            assert!(reason(&plan).contains(said), "{:?}", plan.detail);
            assert!(reason(&plan).ends_with("try again."), "{:?}", plan.detail);
            let (_, step) = prepared(protocol, vec![talk(), talk(), talk()]).await;
            assert!(step.error.as_deref().unwrap().contains(said), "{:?}", step.error);
        }
    }
}

#[tokio::test]
async fn a_run_that_gets_thoughts_or_blanks_says_that_the_reply_was_empty() {
    let empty: [fn() -> Reply; 3] = [
        || reply().thought("They want a plan."),
        || reply().text("\n \n"),
        || reply().text("<think>They want a plan.</think>"),
    ];
    for empty in empty {
        for protocol in ALL {
            let (_, plan) =
                planned(protocol, (0..3).map(|_| empty().into()).collect::<Vec<_>>()).await;
            assert!(reason(&plan).contains("empty"), "{:?}", plan.detail);
            let (_, plan) = planned(
                protocol,
                vec![empty().into(), reply().call("a", WRITE, self::plan()).into()],
            )
            .await;
            assert_eq!(plan.status, PlanStatus::Ready, "one of them does no harm");
        }
    }
}

#[tokio::test]
async fn a_mistake_that_a_model_repeats_ends_the_run_with_the_mistake() {
    let many: Vec<Value> =
        (0..300).map(|n| json!({"description": format!("Step {n}"), "prompt": "x"})).collect();
    for (wrong, sign) in [
        (json!({"plan": "# Plan", "steps": []}), "0 steps"),
        (json!({"plan": "# Plan", "steps": many}), "300 steps"),
        (json!({"plan": "# Plan", "steps": ["Make it"]}), "expected struct"),
    ] {
        for protocol in ALL {
            // Eight calls, and three to correct what was returned.
            let answers = (0..11).map(|_| reply().call("a", WRITE, wrong.clone()).into());
            let (world, plan) = planned(protocol, answers.collect()).await;
            assert!(reason(&plan).contains(sign), "{:?}", plan.detail);
            assert!(world.fake.requests().len() <= 11);
            world.fake.discard_answers();
        }
    }
}

#[tokio::test]
async fn a_run_from_the_queue_asks_again_when_a_call_is_dropped_in_its_middle() {
    for protocol in ALL {
        for ending in [Ending::Cut, Ending::Broken, Ending::Malformed, Ending::Overloaded] {
            let half = || reply().text("I beg").call("a", WRITE, plan()).ending(ending).into();
            let answers = vec![half(), half(), reply().call("a", WRITE, plan()).into()];
            let (world, plan) = planned(protocol, answers).await;
            assert_eq!(
                plan.status,
                PlanStatus::Ready,
                "{protocol:?} {ending:?}: {:?}",
                plan.detail
            );
            let used = world.costs().await;
            assert!(used.output_tokens > 10, "what the model said is paid for: {used:?}");
            let kept = world.messages(AgentId::ImplementationPlanner).await;
            assert!(kept.iter().all(|message| !message.partial), "{kept:?}");
        }
    }
}

#[tokio::test]
async fn a_call_that_is_always_dropped_in_its_middle_ends_the_run_after_a_few_tries() {
    let half = || reply().text("I beg").ending(Ending::Cut).into();
    let (world, plan) = planned(Protocol::OpenAi, (0..9).map(|_| half()).collect()).await;
    assert_eq!(reason(&plan), BROKE_OFF);
    assert_eq!(world.fake.requests().len(), 4);
    world.fake.discard_answers();
}

#[tokio::test]
async fn a_run_whose_reply_reached_the_length_limit_before_the_call_is_reminded() {
    for protocol in ALL {
        let long = reply().text("First I consider").stop(longest(protocol)).into();
        let (_, plan) =
            planned(protocol, vec![long, reply().call("a", WRITE, plan()).into()]).await;
        assert_eq!(plan.status, PlanStatus::Ready, "{:?}", plan.detail);
    }
}

#[tokio::test]
async fn a_script_at_the_length_limit_may_lack_its_end() {
    for protocol in ALL {
        let cut = reply().call("a", PROPOSE, script()).stop(longest(protocol)).into();
        let (world, step) =
            prepared(protocol, vec![cut, reply().call("b", PROPOSE, script()).into()]).await;
        assert_eq!(step.phase, Phase::WaitingApproval);
        assert_eq!(world.fake.requests().len(), 2, "{protocol:?}");
        assert!(world.fake.tool_results(1)[0].contains("length limit"));
    }
}

#[tokio::test]
async fn two_scripts_in_one_reply_leave_one_to_approve() {
    for protocol in ALL {
        let other =
            json!({"step": 1, "script": "mkdir -p b", "proof": "test -d b", "summary": "x"});
        let both = reply().call("a", PROPOSE, script()).call("b", PROPOSE, other).into();
        let (_, step) = prepared(protocol, vec![both]).await;
        assert_eq!((step.phase, step.error.as_deref()), (Phase::WaitingApproval, None));
        assert!(step.command.unwrap().script.starts_with("mkdir -p app\n"));
    }
}

#[tokio::test]
async fn hundreds_of_calls_in_one_reply_are_bounded() {
    let calls = (0..200).fold(reply(), |reply, n| {
        reply.call(&format!("c{n}"), "update_requirements", requirements())
    });
    let world = World::new(Protocol::OpenAi, [calls.into(), reply().text("Done.").into()]).await;
    let transcript = world.chat(AgentId::RequirementsGatherer, "Go").await;
    assert_eq!((transcript.tools.len(), transcript.failed), (8, None));
    assert!(world.fake.tool_results(1)[199].contains("too many calls"));
}

#[tokio::test]
async fn two_megabytes_in_one_piece_end_a_run_and_cost_one_reply() {
    for flood in [
        reply().text(&"x".repeat(2_000_000)),
        reply().raw_call("a", WRITE, &format!("{{\"plan\": \"{}\"}}", "x".repeat(2_000_000))),
    ] {
        let (world, plan) = planned(Protocol::OpenAi, vec![flood.usage(10, 500_000).into()]).await;
        assert!(reason(&plan).contains("more work"), "{:?}", plan.detail);
        assert!(world.costs().await.output_tokens <= 16_000);
    }
}

#[tokio::test]
async fn a_call_that_is_written_as_text_is_asked_for_again_in_a_chat() {
    let call = json!({"name": "update_requirements", "arguments": requirements()});
    for text in [
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("Let me write that.\n\n```json\n{call}\n```"),
        format!("update_requirements({})", requirements()),
        format!("<function=update_requirements>{}</function>", requirements()),
        format!("[TOOL_CALLS] [{call}]"),
    ] {
        let answers = [
            reply().text(&text).into(),
            reply().call("a", "update_requirements", requirements()).into(),
            reply().text("Written.").into(),
        ];
        let world = World::new(Protocol::OpenAi, answers).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "A blog").await;
        assert_eq!((transcript.tools.len(), transcript.failed), (1, None), "{text}");
        let kept = world.plans().requirements(world.scope).await.unwrap().unwrap();
        assert_eq!(kept.content, "# Goal");
    }
}

#[tokio::test]
async fn a_model_that_always_writes_its_calls_as_text_is_not_taken_for_done() {
    let call = json!({"name": "update_requirements", "arguments": requirements()});
    let text = || reply().text(&format!("<tool_call>{call}</tool_call>")).into();
    for protocol in ALL {
        let world = World::new(protocol, [text(), text(), text()]).await;
        let transcript = world.chat(AgentId::RequirementsGatherer, "A blog").await;
        let (code, said) = transcript.failed.unwrap();
        assert_eq!(code, "model_only_talked", "{said}");
        let last = world.messages(AgentId::RequirementsGatherer).await.pop().unwrap();
        assert_eq!(last.notes, [said]);
    }
}

#[tokio::test]
async fn a_claim_of_work_without_a_call_is_marked() {
    for (agent, claim) in [
        (AgentId::DevopsHelper, "I ran `df -h` and the disk is 43 % full."),
        (AgentId::DevopsHelper, "Ich habe `df -h` ausgeführt: alles in Ordnung."),
        (AgentId::DevopsHelper, "He ejecutado el comando y todo va bien."),
        (AgentId::DevopsHelper, "J'ai exécuté la commande, tout va bien."),
        (AgentId::CloudArchitect, "I've updated the architecture plan as you asked."),
        (AgentId::Documenter, "The documentation has been written."),
        (AgentId::RequirementsGatherer, "Done! I have added TLS to the requirements."),
    ] {
        let talk = || reply().text(claim).into();
        let world = World::new(Protocol::OpenAi, [talk(), talk(), talk()]).await;
        let transcript = world.chat(agent, "Go on").await;
        world.fake.discard_answers();
        let last = world.messages(agent).await.pop().unwrap();
        let marked = last.notes.iter().any(|note| note.contains("Nothing was"));
        assert!(marked || transcript.failed.is_some(), "{claim}: {last:?}");
    }
}

#[tokio::test]
async fn an_answer_that_claims_no_work_is_not_marked() {
    for answer in [
        "It listens on port 8080.",
        "I can run `df -h` for you.",
        "Shall I update the plan?",
        "You ran out of disk space.",
        "The plan has five steps: {\"name\": \"web\", \"arguments\": []}",
    ] {
        let world = World::new(Protocol::OpenAi, [reply().text(answer).into()]).await;
        let transcript = world.chat(AgentId::CloudArchitect, "Where?").await;
        assert_eq!((transcript.failed, transcript.tools.len()), (None, 0), "{answer}");
        let last = world.messages(AgentId::CloudArchitect).await.pop().unwrap();
        assert_eq!(last.notes, [""; 0], "{answer}");
    }
}
