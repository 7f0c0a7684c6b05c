//! Tests that the gate's findings go back to the model, and that what remains is kept for the owner.

use crate::common::reply::{ALL, Answer, Protocol, reply};
use crate::common::world::World;
use agents::{Documented, NoAnswer, Printed};
use domain::audit::Actor;
use domain::change::ChangeKind;
use domain::gate::{Checked, Finding, GateOutcome, GateVerdict, Severity};
use domain::inquiry::Bench;
use domain::manual::Topic;
use domain::stage::Pipeline;
use domain::step::{Phase, Step, Track};
use domain::{Scope, Timestamp};
use read_only::Reading;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::changes::Changes;
use store::pipelines::Pipelines;

const GOOD: &str = "mkdir -p terraform";

fn proposed(script: &str) -> Answer {
    let proof = "test -d terraform";
    let call = json!({"step": 1, "script": script, "proof": proof, "summary": "x"});
    reply().call("a", "propose_command", call).into()
}

/// The first step, once the agent has prepared it.
async fn prepared(world: &World) -> Step {
    let (plan_id, run_id) = world.execution(1).await;
    let track = Track::Execution;
    let step = agents::prepare_step(&world.agents, world.scope, track, &plan_id, 1, &run_id).await;
    step.unwrap().unwrap()
}

fn verdict(step: &Step) -> &GateVerdict {
    let command = step.command.as_ref().unwrap();
    let verdict = command.verdict.as_ref().unwrap();
    assert_eq!(verdict.sha256, command.sha256, "the verdict is about the script that is shown");
    verdict
}

#[tokio::test]
async fn a_model_corrects_findings_before_a_person_sees_the_script() {
    for protocol in ALL {
        for (script, complaint) in [
            ("terraform destroy -auto-approve", "destroys what is there"),
            ("docker pull nginx:latest", "names no version"),
            ("echo \"$UNKNOWN_NAME\"", "`$UNKNOWN_NAME` has no value"),
            (
                "ssh web 'sudo bash -s' <<'EOF'\nif true; then\n  echo a\nEOF",
                "(bash -n): syntax error",
            ),
            ("cat >a.yml <<'EOF'\na: b: c\nEOF", "not valid YAML"),
            ("export API_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a", "in plain text"),
        ] {
            let world = World::new(protocol, [proposed(script), proposed(GOOD)]).await;
            let step = prepared(&world).await;
            assert_eq!(step.phase, Phase::WaitingApproval, "{script}: {:?}", step.error);
            assert!(step.command.as_ref().unwrap().script.starts_with(GOOD));
            assert_eq!((verdict(&step).rounds, verdict(&step).findings.len()), (1, 0));
            let requests = world.fake.requests();
            assert!(requests[1].to_string().contains(complaint), "{script}: {}", requests[1]);
        }
    }
}

#[tokio::test]
async fn a_change_that_takes_the_state_of_an_earlier_one_is_found() {
    let module = |folder: &str| {
        let block = "terraform {\n  backend \"http\" {}\n}";
        format!("mkdir -p terraform {folder}\ncat >{folder}/main.tf <<'EOF'\n{block}\nEOF")
    };
    let answers = [module("terraform"), GOOD.to_owned(), module("network"), GOOD.to_owned()];
    let world = World::new(Protocol::OpenAi, answers.map(|script| proposed(&script))).await;
    let (changes, pipelines) = (Changes::new(&world.table), Pipelines::new(&world.table));
    for number in 1..=2 {
        let step = prepared(&world).await;
        assert_eq!(verdict(&step).rounds, 0, "{step:?}");
        let done = |pipeline: &mut Pipeline| {
            *pipeline = Pipeline::done_with(number, Timestamp::now());
            Ok(())
        };
        pipelines.change(world.scope, done).await.unwrap().unwrap();
        let actor = Actor { user_id: 1, login: "ada".into() };
        let begun = changes.begin(world.scope, ChangeKind::Change, "also a network", &actor).await;
        assert_eq!(begun.unwrap().unwrap().change.on_top_of, number);
    }
    let step = prepared(&world).await;
    assert!(step.command.as_ref().unwrap().script.starts_with(GOOD), "{step:?}");
    assert_eq!(verdict(&step).rounds, 1);
    let told = world.fake.requests()[3].to_string();
    assert!(told.contains("`terraform` and `network` would share Terraform's state"), "{told}");
}

#[tokio::test]
async fn a_script_that_the_model_does_not_correct_is_shown_with_its_findings() {
    let stubborn = || proposed("mkdir -p terraform\ndocker pull nginx:latest");
    let world =
        World::new(Protocol::OpenAi, [stubborn(), stubborn(), stubborn(), stubborn()]).await;
    let step = prepared(&world).await;
    assert_eq!(step.phase, Phase::WaitingApproval, "{:?}", step.error);
    let verdict = verdict(&step);
    assert_eq!((verdict.outcome, verdict.rounds), (GateOutcome::Findings, 3));
    let [found] = verdict.findings.as_slice() else { panic!("{verdict:?}") };
    assert_eq!((found.tool.as_str(), found.line, found.is_error()), ("policy", Some(2), true));
    assert_eq!(world.fake.requests().len(), 4);
}

#[tokio::test]
async fn a_model_that_looked_around_first_has_as_many_rounds_as_one_that_did_not() {
    let stubborn = || proposed("mkdir -p terraform\ndocker pull nginx:latest");
    let wrong = || -> Answer {
        let call = json!({"step": 2, "script": GOOD, "proof": "test -d terraform", "summary": "x"});
        reply().call("a", "propose_command", call).into()
    };
    let look =
        || -> Answer { reply().call("a", "look_in_sandbox", json!({"command": "ls"})).into() };
    for (looks, mistakes) in [(0, 0), (4, 0), (6, 0), (7, 0), (7, 1), (7, 3), (5, 4)] {
        let answers = (0..looks).map(|_| look()).chain((0..mistakes).map(|_| wrong()));
        let answers = answers.chain((0..=3).map(|_| stubborn()));
        let world = World::new(Protocol::OpenAi, answers).await;
        let step = prepared(&world).await;
        let tried = format!("{looks} looks and {mistakes} mistakes");
        assert_eq!(step.phase, Phase::WaitingApproval, "{tried}: {:?}", step.error);
        assert_eq!(verdict(&step).outcome, GateOutcome::Findings, "{tried}");
        world.fake.discard_answers();
        if mistakes == 0 {
            assert_eq!(verdict(&step).rounds, 3, "{tried}");
        }
        world.fake.discard_answers();
    }
}

#[tokio::test]
async fn a_weaker_proof_goes_back_once_and_is_then_shown_with_a_note() {
    let propose = |script: &str, proof: &str| -> Answer {
        let call = json!({"step": 1, "script": script, "proof": proof, "summary": "x"});
        reply().call("a", "propose_command", call).into()
    };
    let strong = "test -d terraform\ntest -d terraform/modules";
    let again = || propose("mkdir -p terraform/modules", "test -d terraform");
    let first = propose("mkdir -p terraform/modules\ndocker pull nginx:latest", strong);
    let world = World::new(Protocol::OpenAi, [first, again(), again()]).await;
    let step = prepared(&world).await;
    assert_eq!(step.phase, Phase::WaitingApproval, "{:?}", step.error);
    let requests = world.fake.requests();
    let notes: Vec<_> = requests
        .iter()
        .map(|request| request.to_string().matches("weaker than the one before").count())
        .collect();
    // Each request repeats the earlier messages.
    assert_eq!(notes, [0, 0, 1], "the first proof is the measure, and the note comes once");
    let verdict = verdict(&step);
    assert_eq!((verdict.outcome, verdict.rounds), (GateOutcome::Findings, 2));
    let [found] = verdict.findings.as_slice() else { panic!("{verdict:?}") };
    assert!(!found.is_error() && found.message.contains("weaker"), "{found:?}");
}

#[tokio::test]
async fn an_unchecked_script_is_reported_and_does_not_pass() {
    let script = "mkdir -p terraform\ncat >compose.yaml <<'EOF'\nservices:\n  a:\n    image: nginx:1.28.0\nEOF";
    let world = World::new(Protocol::OpenAi, [proposed(script)]).await;
    let step = prepared(&world).await;
    let verdict = verdict(&step);
    assert_eq!(verdict.outcome, GateOutcome::NotChecked);
    let left_out: Vec<_> = verdict.not_checked.iter().map(|one| one.tool.as_str()).collect();
    assert!(left_out.contains(&"docker compose config"), "{left_out:?}");
    assert!(verdict.not_checked.iter().all(|left| !left.reason.is_empty()));
    assert!(verdict.checked.iter().any(|tool| tool == "policy"), "{verdict:?}");
}

/// Tools that find something in one script only.
struct Tools;

#[async_trait::async_trait]
impl agents::Machines for Tools {
    async fn check(&self, _: Scope, bench: Bench) -> Result<Checked, NoAnswer> {
        let found = Finding::new("shellcheck", Severity::Error, "SC2086: quote it").at(None, 1);
        let findings = if bench.script.contains("echo $HOME") { vec![found] } else { Vec::new() };
        let checked = vec!["shellcheck 0.10.0".to_owned()];
        Ok(Checked { checked, findings, not_checked: Vec::new() })
    }

    async fn look(&self, _: Scope, _: &Reading) -> Result<Printed, NoAnswer> {
        unreachable!("the sandbox is not up, so nothing looks into it");
    }

    async fn look_up(&self, _: Scope, _: &Topic, _: usize) -> Result<Documented, NoAnswer> {
        unreachable!("the sandbox is not up, so nothing is looked up in it");
    }
}

#[tokio::test]
async fn shellcheck_reports_findings_where_it_is_installed() {
    // Bash reads this without an error, but does something other than it says.
    let script = "mkdir -p terraform\nif [ -d terraform -a ]; then echo a; fi";
    let world = World::new(Protocol::OpenAi, [proposed(script), proposed(GOOD)]).await;
    let step = prepared(&world).await;
    let verdict = verdict(&step);
    assert!(verdict.checked.iter().any(|tool| tool == "shellcheck"), "{verdict:?}");
    assert_eq!(verdict.rounds, 1);
    assert!(world.fake.requests()[1].to_string().contains("SC1"));
}

#[tokio::test]
async fn the_sandboxs_tools_report_findings() {
    let script = "echo $HOME\nmkdir -p terraform";
    let mut world = World::new(Protocol::OpenAi, [proposed(script), proposed(GOOD)]).await;
    world.agents = world.agents.with_machines(Arc::new(Tools));
    let step = prepared(&world).await;
    let verdict = verdict(&step);
    assert_eq!((verdict.outcome, verdict.rounds), (GateOutcome::Passed, 1));
    let shellcheck = verdict.checked.iter().filter(|tool| tool.starts_with("shellcheck"));
    assert_eq!(shellcheck.collect::<Vec<_>>(), ["shellcheck 0.10.0"], "asked once, in the sandbox");
    assert!(world.fake.requests()[1].to_string().contains("SC2086"));
}

/// A sandbox that never answers; counts how often it was asked.
#[derive(Default)]
struct Silent(AtomicUsize);

#[async_trait::async_trait]
impl agents::Machines for Silent {
    async fn check(&self, _: Scope, _: Bench) -> Result<Checked, NoAnswer> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(NoAnswer::Silence("The sandbox did not answer in time.".to_owned()))
    }

    async fn look(&self, _: Scope, _: &Reading) -> Result<Printed, NoAnswer> {
        unreachable!("the sandbox is not up, so nothing looks into it");
    }

    async fn look_up(&self, _: Scope, _: &Topic, _: usize) -> Result<Documented, NoAnswer> {
        unreachable!("the sandbox is not up, so nothing is looked up in it");
    }
}

#[tokio::test]
async fn a_sandbox_that_does_not_answer_is_asked_once_and_does_not_block_the_script() {
    let script = "docker pull nginx:latest";
    let mut world = World::new(Protocol::OpenAi, [proposed(script), proposed(GOOD)]).await;
    let silent = Arc::new(Silent::default());
    world.agents = world.agents.with_machines(silent.clone());
    let step = prepared(&world).await;
    assert_eq!(step.phase, Phase::WaitingApproval, "{:?}", step.error);
    assert_eq!(silent.0.load(Ordering::Relaxed), 1);
    let script = "cat >deploy.sh <<'E'\ntrue\nE\ncat >site.yml <<'E'\n- hosts: all\nE";
    let mut world = World::new(Protocol::OpenAi, [proposed(script)]).await;
    world.agents = world.agents.with_machines(silent);
    let step = prepared(&world).await;
    let left = &verdict(&step).not_checked;
    let lint = left.iter().find(|left| left.tool == "ansible-lint").unwrap();
    assert_eq!(lint.reason, "Not checked in the sandbox: The sandbox did not answer in time.");
}
