//! A project whose records are as large as they can be, written by the store's own functions.
use super::largest::{self, FRAME_BYTES, bytes, chars, hex, person};
use domain::audit::Actor;
use domain::backup::{Backup, BackupReason, KEPT_BACKUPS};
use domain::change::{ChangeKind, MAX_WISH_CHARS};
use domain::chat::{
    MAX_ANSWER_BYTES, MAX_CALLS, MAX_MESSAGE_CHARS, MAX_NOTE_CHARS, MAX_REPLY_BYTES,
    MAX_SUMMARY_BYTES, Message, Summary, ToolCall, ToolResult,
};
use domain::credential::{MAX_FORMER, MAX_FORMER_BYTES, MAX_TOTAL_BYTES, Provider};
use domain::document::{MAX_DOCUMENTATION_BYTES, MAX_FACTS_BYTES, MAX_QUICKSTART_BYTES};
use domain::inquiry::{Answer, Bench, BenchFile, Question};
use domain::masking::Hiding;
use domain::origin::{FileKind, Origin, OriginFile};
use domain::plan::{MAX_DOCUMENT_BYTES, MAX_REPORT_BYTES, MAX_STEPS};
use domain::preview::{PreviewAnswer, PreviewBody, Previewed};
use domain::project::{MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Project};
use domain::repository::{MAX_FILES, MAX_PATH_BYTES, MAX_PUSHES, PullRequest, Push};
use domain::requirement::words::MAX_QUOTE_BYTES;
use domain::requirement::{MAX_UNREAD, TABLE_BYTES, WORDS_BYTES};
use domain::step::{
    Event, MAX_ERROR_CHARS, MAX_SCRIPT_BYTES, Phase, Seen, Step, StepDecision, StepEdit, Track,
};
use domain::terraform_state::{KEPT_STATES, StateName, TerraformState};
use domain::work::AgentRun;
use domain::{AgentId, InstallationId, PlanId, RunId, Scope, Timestamp};
use read_only::Reach;
use serde_json::json;
use std::collections::BTreeMap;
use store::backups::Backups;
use store::changes::Changes;
use store::credentials::{Credentials, SealedValue};
use store::documentation::Documents;
use store::executions::Executions;
use store::inquiries::Inquiries;
use store::plans::{PlanKind, Plans, Writing, Written};
use store::previews::Previews;
use store::projects::Projects;
use store::repositories::Repositories;
use store::sandboxes::Sandboxes;
use store::shares::Shares;
use store::sign_ins::{Choice, Offered, SignIns, User};
use store::terraform_states::TerraformStates;
use store::threads::Threads;
use store::transfers::{Transfer, Transfers};
use store::turns::Turns;
use store::typed::TypedCommands;
use store::{Table, testing};

/// What KMS adds to a data key, and the sealer to a value, in bytes.
const SEALED_BYTES: usize = 300;
/// A sandbox's tools and their versions, in characters: 40 of each, 60 long.
const EQUIPMENT_CHARS: usize = 2 * 40 * 60;
/// The most files of an import.
const IMPORTED_FILES: usize = 400;
/// The most installations that a sign-in offers.
const OFFERED: usize = 300;
/// The longest command that an agent types, in characters, and how many wait.
const TYPED: (usize, usize) = (1_000, 10);

pub struct World {
    pub table: Table,
    pub scope: Scope,
    pub plan: PlanId,
    by: Actor,
    names: Vec<String>,
}

impl World {
    pub async fn new() -> Self {
        let table = testing::table().await;
        let installation = InstallationId(domain::ids::MAX_SAFE_INTEGER);
        let name = chars(MAX_NAME_CHARS);
        let project = Project::new(&name, Some(&chars(MAX_DESCRIPTION_CHARS))).unwrap();
        assert!(Projects::new(&table).create(installation, &project).await.unwrap());
        let scope = Scope { installation, project: project.id };
        Self { table, scope, plan: PlanId::random(), by: person(), names: largest::names() }
    }

    pub async fn documents(&self) {
        let (plans, scope) = (Plans::new(&self.table), self.scope);
        let documents = Documents::new(&self.table);
        let content = bytes(MAX_DOCUMENT_BYTES - TABLE_BYTES - WORDS_BYTES);
        let wishes = largest::wishes();
        let unread = vec![bytes(MAX_QUOTE_BYTES); MAX_UNREAD + 1];
        // A second writing keeps the first as a former version.
        for more in ["a", "b"] {
            let content = content.replacen('𝄞', &more.repeat(4), 1);
            let said = (&wishes[..], &unread[..]);
            plans.renew_requirements(scope, &content, said, true).await.unwrap().unwrap();
            let steps = largest::planned();
            for kind in [PlanKind::Architecture, PlanKind::Implementation, PlanKind::Validation] {
                let text = bytes(MAX_DOCUMENT_BYTES).replacen('𝄞', &more.repeat(4), 1);
                let writing = Writing { text: &text, steps: &steps, written_from: None };
                assert!(matches!(plans.write(scope, kind, writing).await.unwrap(), Written::As(_)));
                let report = bytes(MAX_REPORT_BYTES + TABLE_BYTES);
                assert!(plans.put_report(scope, kind, &report).await.unwrap());
            }
            let documentation = documents.change(scope, |document| {
                document.documentation = bytes(MAX_DOCUMENTATION_BYTES + TABLE_BYTES);
                document.quickstart = more.repeat(MAX_QUICKSTART_BYTES);
                document.key_value_data = bytes(MAX_FACTS_BYTES);
            });
            assert!(documentation.await.unwrap());
        }
    }

    /// A step that ran, failed, was written again, edited, run, and failed again; and the rollback of its change.
    pub async fn steps(&self) {
        let (executions, scope) = (Executions::new(&self.table), self.scope);
        executions.start(scope, &self.plan, &largest::planned()).await.unwrap().unwrap();
        self.fails(&executions, Event::Prepare { run_id: RunId::from("0") }, false).await;
        let again = executions.step(scope, 1).await.unwrap().unwrap();
        let decided = self.approve(&executions, &again).await;
        let prepared = Event::Prepare { run_id: decided.run_id.clone().unwrap() };
        let failed = self.fails(&executions, prepared, true).await;
        let rollback = failed.rollback().unwrap().sha256.clone();
        let shown = (1, rollback.as_str());
        let rolled = executions.roll_back(scope, &self.plan, shown, &self.by, &self.names);
        let run_id = rolled.await.unwrap().run_id.unwrap();
        let finished = Event::Finished { run_id, finish: largest::finish() };
        executions.on(Track::Rollback).apply_to_run(scope, 1, &finished).await.unwrap();
    }

    async fn approve(&self, executions: &Executions, step: &Step) -> Step {
        let shown = step.command.as_ref().unwrap().sha256.clone();
        let decision = StepDecision {
            plan_id: self.plan.clone(),
            step_number: step.number,
            approved: true,
            seen: Seen::of(step.attempt, Some(&shown)),
            roll_back: false,
            reason: None,
        };
        let decided =
            executions.decide(self.scope, &decision, &self.by, &self.names).await.unwrap();
        let store::executions::Decided::Now(step) = decided else { panic!("{decided:?}") };
        step
    }

    async fn fails(&self, executions: &Executions, prepare: Event, edit: bool) -> Step {
        let Event::Prepare { run_id } = &prepare else { panic!("{prepare:?}") };
        let apply = async |event: Event| {
            executions.apply(self.scope, &self.plan, 1, &event).await.unwrap().step
        };
        apply(prepare.clone()).await;
        let command = largest::command();
        let script = command.script.replacen('𝄞', if edit { "bbbb" } else { "aaaa" }, 1);
        let waits = apply(Event::Prepared {
            run_id: run_id.clone(),
            next_run_id: RunId::random(),
            script,
            verdict: command.verdict.clone(),
            rollback: command.rollback.clone(),
        })
        .await;
        let waits = if edit {
            let edit = StepEdit {
                plan_id: self.plan.clone(),
                step_number: 1,
                attempt: waits.attempt,
                command_sha256: waits.command.as_ref().unwrap().sha256.clone(),
                script: command.script.clone(),
            };
            let edited = executions.edit(self.scope, &edit, &command, &self.by);
            edited.await.unwrap().step
        } else {
            waits
        };
        let runs = self.approve(executions, &waits).await;
        let run_id = runs.run_id.unwrap();
        apply(Event::Finished { run_id, finish: largest::finish() }).await
    }

    /// Checks under standing approvals, as large as steps can be.
    pub async fn checks(&self) {
        let standing = Executions::new(&self.table).on(Track::Drift);
        let checks: Vec<_> =
            (1..).take(MAX_STEPS).map(|number| largest::step(&self.plan, number)).collect();
        let given = standing.give_standing(self.scope, &self.plan, &checks, &self.by, &self.names);
        given.await.unwrap();
        let found = standing.load(self.scope).await.unwrap().unwrap();
        assert_eq!(found.steps.len(), MAX_STEPS, "a query of several pages returns all of them");
        assert!(found.steps.iter().all(|step| step.standing.is_some()));
        for track in [Track::Helper, Track::Validation] {
            let executions = standing.on(track);
            let added = executions
                .add(self.scope, &self.plan, u32::MAX, |number| largest::step(&self.plan, number));
            added.await.unwrap().unwrap();
        }
    }

    /// A command that ran without an approval, so the record of its run has its script.
    pub async fn reading(&self) {
        let helper = Executions::new(&self.table).on(Track::Helper);
        let waits = |number| Step {
            phase: Phase::WaitingApproval,
            approval: None,
            ..largest::step(&self.plan, number)
        };
        let added = helper.add(self.scope, &self.plan, u32::MAX, waits).await.unwrap().unwrap();
        let run_id = RunId::random();
        let finish = largest::finish();
        for event in [
            Event::Read { run_id: run_id.clone(), reach: Reach::default() },
            Event::Finished { run_id, finish },
        ] {
            let applied = helper.apply(self.scope, &self.plan, added.number, &event).await;
            assert!(applied.unwrap().changed);
        }
    }

    pub async fn conversation(&self) {
        let (threads, scope) = (Threads::new(&self.table), self.scope);
        let call = |n: usize| ToolCall {
            id: format!("{n}{}", hex(63)),
            name: hex(64),
            arguments: bytes(MAX_REPLY_BYTES / MAX_CALLS - 2 * 64),
        };
        let result = |n| ToolResult { call_id: call(n).id, content: bytes(MAX_ANSWER_BYTES + 50) };
        let notes = vec![chars(MAX_NOTE_CHARS); MAX_CALLS];
        let summary = Summary { messages: usize::from(u16::MAX), text: bytes(MAX_SUMMARY_BYTES) };
        let messages = [
            Message::user(chars(MAX_MESSAGE_CHARS)),
            Message {
                tool_calls: (0..MAX_CALLS).map(call).collect(),
                notes: notes.clone(),
                summary: Some(summary),
                ..Message::assistant("")
            },
            Message { notes, ..Message::tool_results((0..MAX_CALLS).map(result).collect()) },
        ];
        let mut thread = threads.load_or_begin(scope, AgentId::Executor).await.unwrap();
        for message in std::iter::repeat_n(messages, 4).flatten() {
            threads.append(scope, AgentId::Executor, &mut thread, message).await.unwrap();
        }
        let found = threads.load(scope, AgentId::Executor).await.unwrap().unwrap();
        assert_eq!(found.messages.len(), 3, "the end is read, from a question on");
        let run = AgentRun::GeneratePlan {
            scope,
            agent: AgentId::ImplementationPlanner,
            run_id: RunId::random(),
            message: chars(MAX_MESSAGE_CHARS),
        };
        Turns::new(&self.table).ask(&run).await.unwrap();
        let typed = TypedCommands::new(&self.table);
        for _ in 0..TYPED.1 {
            typed.add(scope, &chars(TYPED.0), true).await.unwrap();
        }
    }

    pub async fn sandbox(&self) {
        let (scope, id) = (self.scope, RunId::random());
        let sandboxes = Sandboxes::new(&self.table);
        let tools = sandboxes.change(scope, |sandbox| {
            sandbox.equipment = Some(chars(EQUIPMENT_CHARS));
            sandbox.detail = Some(chars(MAX_ERROR_CHARS));
            true
        });
        tools.await.unwrap().unwrap();
        let inquiries = Inquiries::new(&self.table);
        let file = BenchFile { path: bytes(200), text: bytes(MAX_SCRIPT_BYTES - 200) };
        let bench = Bench { script: bytes(MAX_SCRIPT_BYTES), files: vec![file], tools: Vec::new() };
        inquiries.ask(scope, &id, &Question::Check(bench)).await.unwrap();
        let answer = Answer::Printed { text: bytes(FRAME_BYTES), cut: true, exit_code: Some(1) };
        inquiries.answer(scope, &id, &answer).await.unwrap();
        let served = PreviewAnswer::Served {
            status: 200,
            headers: vec![(bytes(100), bytes(FRAME_BYTES - 100))],
        };
        let body = PreviewBody::Stored { bytes: u64::MAX };
        let answer = Previewed { answer: served, body };
        Previews::new(&self.table).answer(scope, &id, &answer).await.unwrap();
        let transfer = Transfer { bytes: u64::MAX, error: Some(bytes(FRAME_BYTES)) };
        Transfers::new(&self.table).finish(scope, "upload", &transfer).await.unwrap();
        let backup = || Backup {
            id: RunId::random(),
            at: Timestamp::now(),
            bytes: u64::MAX,
            reason: BackupReason::Download,
            step_number: Some(u32::MAX),
        };
        for _ in 0..KEPT_BACKUPS {
            Backups::new(&self.table)
                .change(scope, |list| list.add(backup(), u64::MAX))
                .await
                .unwrap();
        }
    }

    pub async fn state(&self) {
        let version = json!({
            "id": hex(32), "serial": u64::MAX, "lineage": hex(200), "empty": false, "bytes": u64::MAX,
            "sha256": hex(64), "sealed": hex(SEALED_BYTES * 4 / 3), "at": Timestamp::now(),
        });
        let info = json!({
            "id": hex(200), "operation": hex(200), "who": hex(200), "created": hex(200),
        });
        let state = json!({
            "versions": vec![version.clone(); KEPT_STATES],
            "pending": {"version": version, "base": hex(32), "lock": hex(200)},
            "lock": {"info": info, "holder": hex(64), "generation": u64::MAX},
        });
        let state: TerraformState = serde_json::from_value(state).unwrap();
        let name: StateName = hex(64).parse().unwrap();
        let states = TerraformStates::new(&self.table);
        states.change(self.scope, &name, |kept| *kept = state.clone()).await.unwrap().unwrap();
    }

    pub async fn credentials(&self) {
        let names = largest::names();
        let value = |size: usize| SealedValue {
            sealed: hex((size + SEALED_BYTES) * 4 / 3),
            bytes: size,
            fingerprint: None,
            hiding: Hiding::Everywhere,
            sealed_at: Timestamp::now(),
        };
        let credentials = Credentials::new(&self.table);
        for size in [MAX_FORMER_BYTES / MAX_FORMER, MAX_TOTAL_BYTES / names.len()] {
            let values: BTreeMap<_, _> =
                names.iter().map(|name| (name.clone(), value(size))).collect();
            credentials
                .replace(self.scope, Provider::Other, &values, |_| Ok::<_, store::StoreError>(()))
                .await
                .unwrap();
        }
    }

    pub async fn repository(&self) {
        let (repositories, scope) = (Repositories::new(&self.table), self.scope);
        let repository = format!("{}/{}", hex(100), hex(100));
        let path = |n: usize| format!("{n:06}{}", hex(MAX_PATH_BYTES - 6));
        let kind = FileKind::Terraform;
        let origin = Origin {
            repository: repository.clone(),
            branch: hex(200),
            commit: hex(40),
            files: (0..IMPORTED_FILES).map(|n| OriginFile { path: path(n), kind }).collect(),
            files_sha256: hex(64),
            backup_id: RunId::random(),
            by: person(),
            at: Timestamp::now(),
        };
        assert!(repositories.begin_with(scope, &origin).await.unwrap());
        let push = Push {
            change: u32::MAX,
            repository: repository.clone(),
            branch: hex(200),
            commit: hex(40),
            pull_request: Some(PullRequest { number: u64::MAX, url: hex(300) }),
            files: u32::MAX,
            files_sha256: hex(64),
            by: person(),
            at: Timestamp::now(),
        };
        for _ in 0..MAX_PUSHES {
            repositories.finish(scope, &push, &[]).await.unwrap();
        }
        // Pushes that broke off, with short paths: their number counts as well as their length.
        let short: Vec<_> = (0..100 * MAX_FILES).map(|n| format!("{n:06}")).collect();
        repositories.begin(scope, &repository, &short).await.unwrap();
    }

    pub async fn people(&self) {
        let offered = Offered {
            id: self.scope.installation,
            account: hex(39),
            organization: true,
            own: false,
            avatar_url: hex(300),
            suspended: false,
            member: false,
        };
        let user =
            User { id: u64::MAX, login: hex(39), name: Some(chars(255)), avatar_url: hex(300) };
        let choice = Choice {
            user,
            offered: vec![offered; OFFERED],
            asked_at: Timestamp::now(),
            ends_at: Timestamp::now().plus_seconds(600),
        };
        let token = domain::secret_token::SecretToken::random();
        SignIns::new(&self.table).offer(&token, &choice).await.unwrap();
        Shares::new(&self.table).make(self.scope, 90, true, &self.by).await.unwrap();
    }

    /// Tears everything down: a change that keeps all of what the project says and ran.
    pub async fn change(&self) {
        let changes = Changes::new(&self.table);
        let wish = chars(MAX_WISH_CHARS);
        let begun = changes.begin(self.scope, ChangeKind::TearDown, &wish, &self.by);
        begun.await.unwrap().unwrap();
        let past = changes.past(self.scope, 1).await.unwrap().unwrap();
        assert_eq!(past.execution.steps.len(), MAX_STEPS);
        assert!(!past.documents().is_empty());
    }
}
