//! Tests the store against a real engine: tenancy, races and once-only writes.
use domain::audit::Actor;
use domain::chat::{Message, Role, Summary};
use domain::output::OutputView;
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::secret_token::SecretToken;
use domain::share::MAX_SHARES;
use domain::stage::{Artifacts, StageId};
use domain::step::{Event, Phase, Seen};
use domain::{AgentId, InstallationId, PlanId, RunId, Scope, ThreadId, Timestamp};
use store::costs::CostBook;
use store::executions::{ExecutionError, Executions};
use store::pipelines::Pipelines;
use store::plans::{PlanKind, Plans};
use store::projects::Projects;
use store::sandboxes::{LISTED_SECONDS, Sandboxes};
use store::shares::Shares;
use store::threads::Threads;
use store::tokens::{Grant, Tokens};
use store::{Table, testing};

const OWNER: InstallationId = InstallationId(1);
const STRANGER: InstallationId = InstallationId(2);

async fn project(table: &Table) -> (Scope, Scope) {
    let project = Project::new("blog", Some("a blog")).unwrap();
    assert!(Projects::new(table).create(OWNER, &project).await.unwrap());
    let scope = |installation| Scope { installation, project: project.id };
    (scope(OWNER), scope(STRANGER))
}

fn planned(n: usize) -> Vec<PlannedStep> {
    (1..=n)
        .map(|n| PlannedStep {
            description: format!("Step {n}"),
            prompt: format!("Do {n}"),
            ..PlannedStep::default()
        })
        .collect()
}

#[tokio::test]
async fn a_project_whose_step_begins_during_a_sweep_stays_on_the_reapers_list() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let sandboxes = Sandboxes::new(&table);
    let read = async || sandboxes.active().await.unwrap();
    let now = Timestamp::now();
    let (before, later) =
        (now.plus_seconds(-2 * LISTED_SECONDS), now.plus_seconds(2 * LISTED_SECONDS));

    // The reaper reads the list and finds nothing under way; then a decision lists the project for its step.
    sandboxes.list_active(scope, before).await.unwrap();
    let swept = read().await.remove(0);
    sandboxes.list_active(scope, now).await.unwrap();
    assert!(!sandboxes.unlist_idle(&swept, later).await.unwrap());
    assert_eq!(read().await.len(), 1, "the reaper still visits the project");

    // A decision lists the project; the reaper reads the list before the decision has moved the step.
    let swept = read().await.remove(0);
    assert!(!sandboxes.unlist_idle(&swept, now).await.unwrap());
    assert_eq!(read().await.len(), 1);

    // A start lists the project in the transaction that brings the sandbox up.
    sandboxes.list_active(scope, before).await.unwrap();
    let swept = read().await.remove(0);
    let up = sandboxes.change(scope, |sandbox| {
        *sandbox = sandbox.next_life();
        true
    });
    assert!(up.await.unwrap().unwrap().0.is_up());
    assert!(!sandboxes.unlist_idle(&swept, later).await.unwrap());

    // No function lists it again, so it is removed, once.
    let swept = read().await.remove(0);
    assert!(sandboxes.unlist_idle(&swept, later).await.unwrap());
    assert!(!sandboxes.unlist_idle(&swept, later).await.unwrap());
    assert_eq!(read().await, []);
}

#[tokio::test]
async fn a_strangers_lookup_finds_nothing_of_a_project() {
    let table = testing::table().await;
    let (owner, stranger) = project(&table).await;
    for (scope, there) in [(owner, true), (stranger, false)] {
        assert_eq!(Projects::new(&table).get(scope).await.unwrap().is_some(), there);
        assert_eq!(Pipelines::new(&table).get(scope).await.unwrap().is_some(), there);
        assert_eq!(Plans::new(&table).requirements(scope).await.unwrap().is_some(), there);
        assert_eq!(Executions::new(&table).load(scope).await.unwrap().is_some(), there);
        assert_eq!(CostBook::new(&table).get(scope).await.unwrap().is_some(), there);
        assert_eq!(Sandboxes::new(&table).get(scope).await.unwrap().is_some(), there);
        for kind in [PlanKind::Architecture, PlanKind::Implementation] {
            assert_eq!(Plans::new(&table).get(scope, kind).await.unwrap().is_some(), there);
        }
    }
    assert_eq!(Projects::new(&table).list(OWNER).await.unwrap().len(), 1);
    assert_eq!(Projects::new(&table).list(STRANGER).await.unwrap(), []);
}

#[tokio::test]
async fn a_taken_project_id_is_not_overwritten() {
    let table = testing::table().await;
    let projects = Projects::new(&table);
    let first = Project::new("first", None).unwrap();
    let second = Project { name: "second".into(), ..first.clone() };
    assert!(projects.create(OWNER, &first).await.unwrap());
    assert!(!projects.create(OWNER, &second).await.unwrap());
    assert_eq!(projects.list(OWNER).await.unwrap(), [first]);
}

#[tokio::test]
async fn a_token_opens_only_once_however_many_callers_try() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let tokens = Tokens::new(&table);
    let grant = || Grant::Browser { scope, session: "hash".into() };
    let token = tokens.issue(grant(), 30).await.unwrap();
    let tries = (0..8).map(|_| {
        let (tokens, token) = (tokens.clone(), token.clone());
        tokio::spawn(async move { tokens.redeem(&token).await.unwrap() })
    });
    let mut opened = 0;
    for attempt in tries.collect::<Vec<_>>() {
        opened += usize::from(attempt.await.unwrap() == Some(grant()));
    }
    assert_eq!(opened, 1);
    let late = tokens.issue(grant(), -1).await.unwrap();
    assert_eq!(tokens.redeem(&late).await.unwrap(), None);
}

#[tokio::test]
async fn an_agents_token_opens_for_the_agent_that_presents_it_first() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let tokens = Tokens::new(&table);
    let grant = || Grant::Sandbox { scope, generation: 1 };
    let token = tokens.issue(grant(), 30).await.unwrap();
    let agents: Vec<SecretToken> = (0..8).map(|_| SecretToken::random()).collect();
    let tries = agents.iter().map(|agent| {
        let (tokens, token, agent) = (tokens.clone(), token.clone(), agent.clone());
        tokio::spawn(async move { tokens.redeem_for(&token, &agent).await.unwrap() })
    });
    let mut first = Vec::new();
    for (n, attempt) in tries.collect::<Vec<_>>().into_iter().enumerate() {
        if attempt.await.unwrap() == Some(grant()) {
            first.push(n);
        }
    }
    assert_eq!(first.len(), 1, "{first:?}");
    for (n, agent) in agents.iter().enumerate() {
        let again = tokens.redeem_for(&token, agent).await.unwrap();
        assert_eq!(again.is_some(), n == first[0], "agent {n}, after {first:?}");
    }
    assert_eq!(tokens.redeem(&token).await.unwrap(), None, "nor for an agent without a secret");
    let late = tokens.issue(grant(), -1).await.unwrap();
    assert_eq!(tokens.redeem_for(&late, &agents[0]).await.unwrap(), None);
    let unknown = SecretToken::random();
    assert_eq!(tokens.redeem_for(&unknown, &agents[0]).await.unwrap(), None);
    assert_eq!(
        tokens.redeem_for(&unknown, &agents[0]).await.unwrap(),
        None,
        "a failed try does not create the token"
    );
    let ticket = tokens.issue(Grant::Browser { scope, session: "hash".into() }, 30).await.unwrap();
    assert_eq!(tokens.redeem_for(&ticket, &agents[0]).await.unwrap(), None, "a page has no agent");
    assert!(tokens.redeem(&ticket).await.unwrap().is_some());
}

#[tokio::test]
async fn only_one_of_many_racing_approvals_runs_the_step() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let executions = Executions::new(&table);
    let plan = PlanId::from("plan");
    executions.start(scope, &plan, &planned(2)).await.unwrap().unwrap();
    let prepare = Event::Prepare { run_id: "a".into() };
    let prepared = Event::Prepared {
        run_id: "a".into(),
        next_run_id: "x".into(),
        script: "true".into(),
        verdict: None,
        rollback: None,
    };
    for event in [prepare, prepared] {
        assert!(executions.apply(scope, &plan, 1, &event).await.unwrap().changed);
    }
    let racers = (0..6).map(|n| {
        let (executions, plan) = (executions.clone(), plan.clone());
        let event = Event::Approve {
            run_id: RunId(format!("run-{n}")),
            seen: Seen::default(),
            credentials: Vec::new(),
        };
        tokio::spawn(async move { executions.apply(scope, &plan, 1, &event).await.is_ok() })
    });
    let mut won = 0;
    for racer in racers.collect::<Vec<_>>() {
        won += usize::from(racer.await.unwrap());
    }
    assert_eq!(won, 1);
    let execution = executions.load(scope).await.unwrap().unwrap();
    assert_eq!(execution.step(1).unwrap().phase, Phase::Running);
    assert_eq!(execution.step(2).unwrap().phase, Phase::Pending);
}

#[tokio::test]
async fn output_that_arrives_late_or_twice_never_replaces_newer_output() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let executions = Executions::new(&table);
    let plan = PlanId::from("plan");
    executions.start(scope, &plan, &planned(1)).await.unwrap().unwrap();
    let run = RunId::from("run");
    for event in [
        Event::Prepare { run_id: "a".into() },
        Event::Prepared {
            run_id: "a".into(),
            next_run_id: "x".into(),
            script: "true".into(),
            verdict: None,
            rollback: None,
        },
        Event::Approve { run_id: run.clone(), seen: Seen::default(), credentials: Vec::new() },
    ] {
        executions.apply(scope, &plan, 1, &event).await.unwrap();
    }
    let view = |seq: u64| OutputView {
        seq,
        head: "x".repeat(seq as usize),
        tail: String::new(),
        bytes: seq,
    };
    for seq in [2, 1, 4, 3, 4] {
        executions.progress(scope, 1, &run, &view(seq)).await.unwrap();
    }
    executions.progress(scope, 1, &RunId::from("another"), &view(9)).await.unwrap();
    let execution = executions.load(scope).await.unwrap().unwrap();
    assert_eq!(execution.step(1).unwrap().output, view(4));
}

#[tokio::test]
async fn a_new_plan_replaces_the_steps_unless_one_is_running() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let executions = Executions::new(&table);
    let (old, new) = (PlanId::from("old"), PlanId::from("new"));
    executions.start(scope, &old, &planned(5)).await.unwrap().unwrap();
    executions.start(scope, &new, &planned(2)).await.unwrap().unwrap();
    let execution = executions.load(scope).await.unwrap().unwrap();
    assert_eq!((execution.plan_id, execution.steps.len()), (Some(new.clone()), 2));
    let late = executions.apply(scope, &old, 1, &Event::Prepare { run_id: "a".into() }).await;
    assert!(matches!(late, Err(ExecutionError::StalePlan)));

    for event in [
        Event::Prepare { run_id: "a".into() },
        Event::Prepared {
            run_id: "a".into(),
            next_run_id: "x".into(),
            script: "true".into(),
            verdict: None,
            rollback: None,
        },
        Event::Approve { run_id: "b".into(), seen: Seen::default(), credentials: Vec::new() },
    ] {
        executions.apply(scope, &new, 1, &event).await.unwrap();
    }
    let third = executions.start(scope, &PlanId::from("third"), &planned(1)).await;
    assert!(matches!(third, Err(ExecutionError::StillRunning)));
}

#[tokio::test]
async fn messages_keep_their_order_and_their_thread() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let threads = Threads::new(&table);
    let agent = AgentId::RequirementsGatherer;
    assert_eq!(threads.load(scope, agent).await.unwrap(), None);
    let mut thread = threads.load_or_begin(scope, agent).await.unwrap();
    let mut behind = thread.clone();
    behind.id = ThreadId::clone(&thread.id);
    for n in 0..12 {
        threads.append(scope, agent, &mut thread, Message::user(n.to_string())).await.unwrap();
    }
    threads.append(scope, agent, &mut behind, Message::user("12")).await.unwrap();
    let loaded = threads.load(scope, agent).await.unwrap().unwrap();
    let texts: Vec<_> = loaded.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]);
    assert_eq!(loaded.id, thread.id);
    assert_eq!(threads.load(scope, AgentId::Executor).await.unwrap(), None);
}

#[tokio::test]
async fn only_the_end_of_a_long_conversation_is_read_and_its_summary_stays_in_place() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let threads = Threads::new(&table);
    let agent = AgentId::RequirementsGatherer;
    let mut thread = threads.load_or_begin(scope, agent).await.unwrap();
    let long = "x".repeat(20_000);
    for n in 0..250 {
        for message in [Message::user(format!("{n} {long}")), Message::assistant(&long)] {
            threads.append(scope, agent, &mut thread, message).await.unwrap();
        }
    }
    assert!(!thread.begins_earlier());
    let mut end = threads.load(scope, agent).await.unwrap().unwrap();
    let bytes: usize = end.messages.iter().map(|message| message.text.len()).sum();
    assert!((400_000..600_000).contains(&bytes), "{bytes}");
    assert!(end.begins_earlier() && end.id == thread.id);
    assert_eq!(end.messages[..], thread.messages[500 - end.messages.len()..]);
    assert_eq!(end.messages[0].role, Role::User);

    // It replaces the first two of the messages that were read, and later two others come before it.
    let summary = Summary { messages: 2, text: "Wishes".to_owned() };
    let reply = Message { summary: Some(summary.clone()), ..Message::assistant(&long) };
    threads.append(scope, agent, &mut end, Message::user("And?")).await.unwrap();
    threads.append(scope, agent, &mut end, reply).await.unwrap();
    assert_eq!(end.messages.last().unwrap().summary.as_ref(), Some(&summary));
    let later = threads.load(scope, agent).await.unwrap().unwrap();
    let moved = end.messages.len() - later.messages.len();
    let kept = later.messages.last().unwrap().summary.as_ref().unwrap();
    assert_eq!((kept.messages, kept.text.as_str()), (2 - moved, "Wishes"));
}

#[tokio::test]
async fn a_plan_that_was_written_survives_the_failure_of_its_run() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let plans = Plans::new(&table);
    let (kind, run) = (PlanKind::Architecture, RunId::from("run"));
    assert!(plans.generating(scope, kind, &run).await.unwrap());
    plans.of_run(&run).put(scope, kind, "# Shape", &[]).await.unwrap().unwrap();
    plans.failed(scope, kind, &run, "the model went away").await.unwrap();
    let plan = plans.get(scope, kind).await.unwrap().unwrap();
    assert_eq!((plan.status.as_str(), plan.text.as_str()), ("ready", "# Shape"));
    assert!(!plans.generating(scope, kind, &run).await.unwrap(), "the run has ended");
}

#[tokio::test]
async fn a_plan_has_one_writer_at_a_time() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let chat = Plans::new(&table);
    let (kind, old, new) = (PlanKind::Architecture, RunId::from("old"), RunId::from("new"));
    let writes = async |plans: &Plans, text: &str| {
        plans.put(scope, kind, text, &[]).await.unwrap().is_some()
    };
    assert!(writes(&chat, "before").await);
    assert!(chat.generating(scope, kind, &old).await.unwrap());
    assert!(!writes(&chat, "of a conversation").await, "a run is writing");
    assert!(chat.generating(scope, kind, &new).await.unwrap());
    assert!(!writes(&chat.of_run(&old), "late").await, "another run has begun");
    assert!(writes(&chat.of_run(&new), "of the run").await);
    assert!(writes(&chat, "after").await);
    assert_eq!(chat.get(scope, kind).await.unwrap().unwrap().text, "after");
}

#[tokio::test]
async fn a_refused_change_leaves_the_pipeline_unchanged() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let pipelines = Pipelines::new(&table);
    let before = pipelines.get(scope).await.unwrap().unwrap();
    let refused = pipelines
        .change(scope, |p| p.set_completed(StageId::Requirements, true, Artifacts::default()))
        .await;
    assert!(refused.is_err());
    assert_eq!(pipelines.get(scope).await.unwrap().unwrap(), before);
}

#[tokio::test]
async fn concurrent_callers_make_no_more_links_than_a_project_may_have() {
    let table = testing::table().await;
    let (scope, _) = project(&table).await;
    let shares = Shares::new(&table);
    let by = Actor { user_id: 1, login: "owner".to_owned() };
    for _ in 0..MAX_SHARES - 2 {
        shares.make(scope, 1, false, &by).await.unwrap().expect("room");
    }
    let calls = (0..8).map(|_| {
        let (shares, by) = (shares.clone(), by.clone());
        tokio::spawn(async move { shares.make(scope, 1, false, &by).await.unwrap().is_some() })
    });
    let mut made = 0;
    for call in calls.collect::<Vec<_>>() {
        made += usize::from(call.await.unwrap());
    }
    assert_eq!((made, shares.list(scope).await.unwrap().len()), (2, MAX_SHARES));
    let ended = shares.list(scope).await.unwrap().remove(0);
    assert!(shares.withdraw(scope, &ended.id, &by).await.unwrap().is_some());
    assert!(shares.make(scope, 1, false, &by).await.unwrap().is_some(), "its place is free");
}
