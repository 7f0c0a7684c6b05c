//! A project in its own table, and an agent's context on it.

use super::fake_model::FakeModel;
use super::reply::{Answer, Protocol};
use agents::{AgentContext, Turn};
use domain::chat::{ChatEvent, Message, ProposedCommand};
use domain::output::OutputView;
use domain::plan::PlannedStep;
use domain::project::Project;
use domain::step::{Event, Finish, Outcome, Seen, Step, StepStatus, Track};
use domain::{AgentId, InstallationId, MicroDollars, PlanId, RunId, Scope};
use futures::StreamExt;
use store::Table;
use store::costs::{CostBook, Costs};
use store::executions::Executions;
use store::ledger::Ledger;
use store::plans::{PlanKind, Plans};
use store::projects::Projects;
use store::threads::Threads;

pub struct World {
    pub table: Table,
    pub scope: Scope,
    pub fake: FakeModel,
    pub agents: AgentContext,
}

impl World {
    /// A new project whose model gives these answers.
    pub async fn new(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> Self {
        let table = store::testing::table().await;
        let project = Project::new("Blog", Some("A small blog")).unwrap();
        let installation = InstallationId(7);
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let credit = MicroDollars::of_cents(100_000);
        assert!(Ledger::new(&table).grant_opening(1, installation, credit).await.unwrap());
        let fake = FakeModel::new(protocol, answers).await;
        let agents = AgentContext::new(&table, fake.model());
        Self { table, scope: Scope { installation, project: project.id }, fake, agents }
    }

    pub fn plans(&self) -> Plans {
        Plans::new(&self.table)
    }

    pub async fn messages(&self, agent: AgentId) -> Vec<Message> {
        let thread = Threads::new(&self.table).load(self.scope, agent).await.unwrap();
        thread.map(|thread| thread.messages).unwrap_or_default()
    }

    pub async fn costs(&self) -> Costs {
        CostBook::new(&self.table).get(self.scope).await.unwrap().unwrap()
    }

    /// Sends a message and follows the turn to its end.
    pub async fn chat(&self, agent: AgentId, message: &str) -> Transcript {
        let turn = agents::chat(&self.agents, agent, self.scope, message).await.unwrap();
        transcript(turn).await
    }

    /// Begins an execution of this many steps; returns its plan and the first step's run.
    pub async fn execution(&self, steps: usize) -> (PlanId, RunId) {
        let planned = planned("Step", "Do", steps);
        let put = self.plans().put(self.scope, PlanKind::Implementation, "# Plan", &planned).await;
        self.begin(Track::Execution, &put.unwrap().unwrap(), &planned).await
    }

    /// Begins a validation of this many checks; returns its plan and the first check's run.
    pub async fn validation(&self, checks: usize) -> (PlanId, RunId) {
        let planned = planned("Check", "Prove", checks);
        let put = self.plans().put(self.scope, PlanKind::Validation, "# Checks", &planned).await;
        self.begin(Track::Validation, &put.unwrap().unwrap(), &planned).await
    }

    /// Begins steps on a track that has no plan; returns the first one's run.
    pub async fn on_track(&self, track: Track, steps: usize) -> (PlanId, RunId) {
        self.begin(track, &PlanId::random(), &planned("Step", "Do", steps)).await
    }

    async fn begin(
        &self,
        track: Track,
        plan_id: &PlanId,
        planned: &[PlannedStep],
    ) -> (PlanId, RunId) {
        let executions = Executions::new(&self.table).on(track);
        executions.start(self.scope, plan_id, planned).await.unwrap().unwrap();
        let run_id = RunId::random();
        self.apply_on(track, plan_id, 1, Event::Prepare { run_id: run_id.clone() }).await;
        (plan_id.clone(), run_id)
    }

    /// Takes a step that is being prepared through approval to its end.
    pub async fn ran(
        &self,
        track: Track,
        plan_id: &PlanId,
        number: u32,
        run_id: &RunId,
        printed: &str,
        exit_code: i32,
    ) {
        let prepared = Event::Prepared {
            run_id: run_id.clone(),
            next_run_id: RunId::random(),
            script: "true\n".into(),
            verdict: None,
            rollback: None,
        };
        let run_id = RunId::random();
        let (head, bytes) = (printed.to_owned(), printed.len() as u64);
        let finish = Finish {
            outcome: Outcome::Exited,
            exit_code: Some(exit_code),
            duration_ms: 1,
            output: OutputView { seq: 1, head, tail: String::new(), bytes },
            detail: None,
            saved_plan: None,
        };
        for event in [
            prepared,
            Event::Approve {
                run_id: run_id.clone(),
                seen: Seen::default(),
                credentials: Vec::new(),
            },
            Event::Finished { run_id, finish },
        ] {
            self.apply_on(track, plan_id, number, event).await;
        }
    }

    pub async fn apply(&self, plan_id: &PlanId, number: u32, event: Event) -> Step {
        self.apply_on(Track::Execution, plan_id, number, event).await
    }

    pub async fn apply_on(
        &self,
        track: Track,
        plan_id: &PlanId,
        number: u32,
        event: Event,
    ) -> Step {
        let executions = Executions::new(&self.table).on(track);
        executions.apply(self.scope, plan_id, number, &event).await.unwrap().step
    }

    pub async fn step(&self, number: u32) -> Step {
        let execution = Executions::new(&self.table).load(self.scope).await.unwrap().unwrap();
        execution.step(number).unwrap().clone()
    }
}

fn planned(title: &str, task: &str, steps: usize) -> Vec<PlannedStep> {
    let step = |n| PlannedStep {
        description: format!("{title} {n}"),
        prompt: format!("{task} part {n}"),
        ..PlannedStep::default()
    };
    (1..=steps).map(step).collect()
}

/// What a reader saw of a turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    pub text: String,
    pub pieces: Vec<String>,
    /// Tool and summary.
    pub tools: Vec<(String, String)>,
    pub commands: Vec<ProposedCommand>,
    /// Pieces of the commands' output.
    pub output: Vec<String>,
    /// How following each command ended.
    pub ends: Vec<(u32, StepStatus, Option<i32>)>,
    /// Code and public text of the error.
    pub failed: Option<(&'static str, String)>,
}

/// Follows a turn to its end; nothing may follow an error.
pub async fn transcript(mut turn: Turn) -> Transcript {
    let mut transcript = Transcript::default();
    while let Some(event) = turn.next().await {
        assert_eq!(transcript.failed, None, "nothing follows an error");
        match event {
            Ok(ChatEvent::Text { chunk }) => {
                transcript.text.push_str(&chunk.content);
                transcript.pieces.push(chunk.content);
            }
            Ok(ChatEvent::Tool { tool, summary }) => transcript.tools.push((tool, summary)),
            Ok(ChatEvent::Command { command }) => transcript.commands.push(command),
            Ok(ChatEvent::CommandOutput { content, .. }) => transcript.output.push(content),
            Ok(ChatEvent::CommandEnd { number, status, exit_code }) => {
                transcript.ends.push((number, status, exit_code));
            }
            Ok(other @ (ChatEvent::Error { .. } | ChatEvent::End)) => {
                panic!("only the reply's reader gets {other:?}")
            }
            Err(error) => {
                transcript.failed = Some((error.code().as_str(), error.public_text().to_owned()))
            }
        }
    }
    transcript
}
