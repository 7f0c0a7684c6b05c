//! Reconciles ECS's view of sandboxes with the table's, and releases expired holds.
//!
//! EventBridge calls it when a task of the cluster changes state, and once a minute. If a task is gone, its running
//! steps fail, and their owner can execute them again. Other work under way (a command being prepared) is queued again,
//! in case the same crash lost its message. A sandbox whose task runs but whose agent has fallen silent is ended in the
//! same way. The reaper also offers turns of agents that no function has taken again,
//! backs up and stops idle sandboxes, keeps the warm pool at its size, starts checks for drift that are due, and sends
//! mail to owners whose projects wait for them.

mod changes;
mod deletions;
mod drift;
mod idle;
mod mail;
mod pool;
mod side_by_side;
mod silent;

use crate::mail::Recipients;
use crate::side_by_side::worked_on;
use crate::silent::Heard;
use aws::{AwsError, MailError, Mailer, Objects, TaskState, Tasks};
use aws_lambda_events::eventbridge::EventBridgeEvent;
use domain::money::SandboxRate;
use domain::report::Chain;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::step::Failure;
use domain::{MicroDollars, Scope, Timestamp};
use flows::WorkspaceSync;
use flows::{
    Progression, ProgressionError, Rechecks, SandboxControl, StartRefused, TurnError, Turns,
};
use serde_json::Value;
use settings::ConfigError;
use settings::{var, var_or};
use store::StoreError;
use store::backups::Backups;
use store::deletions::Deletions;
use store::executions::Executions;
use store::ledger::Ledger;
use store::mail::Mail;
use store::pool::Pool;
use store::projects::Projects;
use store::rates::Rates;
use store::sandboxes::{Active, Sandboxes};
use store::schedules::Schedules;
use store::sessions::Sessions;
use store::tokens::Tokens;

/// How many projects a sweep handles at once. One by one, with some twenty calls each, it could not handle a thousand
/// sandboxes in its time.
const AT_ONCE: usize = 16;
/// How long a sandbox's agent may take to connect after the start, in seconds.
const CONNECTED_WITHIN_SECONDS: i64 = 300;
/// The text beside the sandbox's state.
const TASK_ENDED: &str = "The sandbox stopped unexpectedly.";
const NEVER_CONNECTED: &str = "The sandbox started but did not connect. Try again.";

/// The function's state.
#[derive(Clone)]
pub struct App {
    sandboxes: Sandboxes,
    control: SandboxControl,
    progression: Progression,
    turns: Turns,
    tasks: Tasks,
    sync: WorkspaceSync,
    backups: Backups,
    idle_stop_seconds: i64,
    sandbox_rate: SandboxRate,
    ledger: Ledger,
    deletions: Deletions,
    projects: Projects,
    objects: Objects,
    pool: Pool,
    pool_size: u32,
    tokens: Tokens,
    websocket_url: String,
    schedules: Schedules,
    rechecks: Rechecks,
    /// `None` if the deployment sends no mail.
    mailer: Option<Mailer>,
    mail: Mail,
    executions: Executions,
    sessions: Sessions,
    rates: Rates,
}

/// The reason why a reconciliation failed; EventBridge calls again.
#[derive(Debug, thiserror::Error)]
pub enum ReaperError {
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// ECS failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
    /// A sandbox's state could not be recorded.
    #[error(transparent)]
    Control(#[from] StartRefused),
    /// A turn could not be offered again.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// An execution could not be moved forward.
    #[error(transparent)]
    Progression(#[from] ProgressionError),
    /// A letter could not be sent.
    #[error(transparent)]
    Mail(#[from] MailError),
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        Ok(Self {
            sandboxes: Sandboxes::new(&table),
            control: SandboxControl::from_env(&sdk, &table)?,
            progression: Progression::from_env(&sdk, &table)?,
            turns: Turns::from_env(&sdk, &table)?,
            tasks: Tasks::from_env(&sdk)?,
            sync: WorkspaceSync::from_env(&sdk, &table)?,
            backups: Backups::new(&table),
            idle_stop_seconds: idle_stop_seconds()?,
            sandbox_rate: sandbox_rate()?,
            ledger: Ledger::new(&table),
            deletions: Deletions::new(&table),
            projects: Projects::new(&table),
            objects: Objects::from_env(&sdk)?,
            pool: Pool::new(&table),
            pool_size: pool::pool_size()?,
            tokens: Tokens::new(&table),
            websocket_url: var("WEBSOCKET_URL")?,
            schedules: Schedules::new(&table),
            rechecks: Rechecks::from_env(&sdk, &table)?,
            mailer: Mailer::from_env(&sdk),
            mail: Mail::new(&table),
            executions: Executions::new(&table),
            sessions: Sessions::new(&table),
            rates: Rates::new(&table),
        })
    }

    /// Takes care of the pool and of every project on the list; a failing one does not delay the others.
    async fn sweep(&self) -> Result<(), ReaperError> {
        let mut outcome = self.release_holds().await;
        if let Err(error) = self.offer_turns_again().await {
            tracing::error!(error = %Chain(&error), "turns could not be offered again");
            outcome = Err(error);
        }
        if let Err(error) = self.keep_pool().await {
            tracing::error!(error = %Chain(&error), "the pool could not be maintained");
            outcome = Err(error);
        }
        // Next to each other, so that much of one tenant's work never keeps another's sandbox waiting.
        let (deleted, checked, looked) = futures::join!(
            Box::pin(self.delete_what_is_to_go()),
            Box::pin(self.check_what_is_due()),
            Box::pin(self.look_after_all()),
        );
        if let Err(error) = deleted {
            tracing::error!(error = %Chain(&error), "deletions could not be completed");
            outcome = Err(error);
        }
        if let Err(error) = checked {
            tracing::error!(error = %Chain(&error), "due checks for drift could not start");
            outcome = Err(error);
        }
        let (active, recipients, looked) = looked?;
        // This comes last, so that a slow mail service delays nothing else.
        self.send_notices(&active, &recipients).await.and(looked).and(outcome)
    }

    /// Takes care of every project on the list; returns them, whom to write to about them, and whether all went well.
    async fn look_after_all(
        &self,
    ) -> Result<(Vec<Active>, Recipients, Result<(), ReaperError>), ReaperError> {
        let active = in_another_order(self.sandboxes.active().await?);
        let (recipients, heard) = (Recipients::default(), Heard::default());
        let (told, known) = (&recipients, &heard);
        let look = |project: Active| {
            // Boxed, because the nested futures of three SDKs are deeper than the compiler accepts.
            Box::pin(async move {
                let looked = self.look_after(&project, told, known).await;
                looked.inspect_err(|error| {
                    let scope = project.scope;
                    tracing::error!(error = %Chain(error), %scope, "a sandbox could not be reconciled");
                })
            })
        };
        let looked = worked_on(AT_ONCE, None, active.clone(), look).await;
        let outcome = looked.into_iter().fold(Ok(()), Result::and);
        let outcome = self.end_silent(heard).await.and(outcome);
        Ok((active, recipients, outcome))
    }

    /// Releases the expired holds of model calls; the functions that made them were killed.
    async fn release_holds(&self) -> Result<(), ReaperError> {
        let released = self.ledger.release_expired(Timestamp::now()).await;
        match released {
            Ok(0) => Ok(()),
            Ok(holds) => {
                tracing::info!(holds, "released expired holds");
                Ok(())
            }
            Err(error) => {
                tracing::error!(error = %Chain(&error), "holds could not be released");
                Err(error.into())
            }
        }
    }

    /// Offers the turns that no function has taken again; those that received their messages were killed.
    async fn offer_turns_again(&self) -> Result<(), ReaperError> {
        let turns = self.turns.offer_again().await?;
        if turns > 0 {
            tracing::info!(turns, "offered turns again");
        }
        Ok(())
    }

    async fn look_after(
        &self,
        active: &Active,
        recipients: &Recipients,
        heard: &Heard,
    ) -> Result<(), ReaperError> {
        let scope = active.scope;
        let Some(sandbox) = self.sandboxes.get(scope).await? else {
            return Ok(self.sandboxes.unlist_deleted(scope).await?);
        };
        if !sandbox.is_up() {
            return self.tidy(active, recipients).await;
        }
        self.sandboxes.charge(scope, self.sandbox_rate, Timestamp::now()).await?;
        if sandbox.start_was_lost() {
            // The function that began the start is gone, and ECS has reported no task, so start again, as another
            // generation.
            self.control.ensure_started(scope).await?;
            return Ok(());
        }
        let state = match &sandbox.task_arn {
            Some(arn) => self.tasks.state(arn).await?,
            None => TaskState::Up,
        };
        match state {
            TaskState::Up => {}
            // Another sandbox would begin without the last backup, which this one is making. ECS reports its end.
            TaskState::Stopping => return Ok(()),
            TaskState::Down => return self.ended(scope, &sandbox).await,
        }
        self.give_up_if_late(scope, &sandbox).await?;
        if self.is_silent(scope, &sandbox, heard).await? {
            return Ok(());
        }
        if self.stop_if_unpaid(scope).await? {
            return Ok(());
        }
        if !self.progression.resume(scope).await? {
            self.stop_if_idle(scope).await?;
        }
        Ok(())
    }

    /// Ends the runs of a sandbox that is down, and takes the project off the list if nothing else is under way. The
    /// function that should have done so may have been killed.
    async fn tidy(&self, active: &Active, recipients: &Recipients) -> Result<(), ReaperError> {
        let scope = active.scope;
        self.progression.abandon_acknowledged_runs(scope).await?;
        if self.progression.resume(scope).await? {
            return Ok(());
        }
        // The reaper notifies its owner only while the project is on the list.
        if self.has_recipients(scope, recipients).await? {
            return Ok(());
        }
        // The last charge, before the project leaves the list.
        self.sandboxes.charge(scope, self.sandbox_rate, Timestamp::now()).await?;
        // If a function has started it or moved one of its steps in the meantime, it has listed it again.
        self.sandboxes.unlist_idle(active, Timestamp::now()).await?;
        Ok(())
    }

    async fn give_up_if_late(&self, scope: Scope, sandbox: &Sandbox) -> Result<(), ReaperError> {
        let waited = sandbox.started_at.map_or(0, |at| Timestamp::now().seconds_since(at));
        if sandbox.status != SandboxStatus::Creating || waited < CONNECTED_WITHIN_SECONDS {
            return Ok(());
        }
        if let Some(arn) = &sandbox.task_arn {
            self.tasks.stop(arn, "its agent never connected").await?;
        }
        let late = self.control.note_stopped(scope, sandbox.generation, Some(NEVER_CONNECTED));
        if late.await?.is_some_and(|present| present.generation != sandbox.generation) {
            return Ok(());
        }
        Ok(self.progression.abandon_runs(scope, Failure::NoSandbox, Some(NEVER_CONNECTED)).await?)
    }

    async fn ended(&self, scope: Scope, sandbox: &Sandbox) -> Result<(), ReaperError> {
        self.lost(scope, sandbox, TASK_ENDED).await
    }

    /// Records that a sandbox is down, and fails its runs, which their owner can execute again.
    async fn lost(&self, scope: Scope, sandbox: &Sandbox, detail: &str) -> Result<(), ReaperError> {
        // The sandbox's stop comes first, so that a repeated step starts another sandbox and does not wait for this one.
        let noted = self.control.note_stopped(scope, sandbox.generation, Some(detail)).await?;
        if noted.is_some_and(|present| present.generation != sandbox.generation) {
            // Its owner has started another one, whose welcome ends what this one had accepted.
            return Ok(());
        }
        self.progression.abandon_runs(scope, Failure::Lost, None).await?;
        self.progression.resume(scope).await?;
        Ok(())
    }
}

/// The projects in order, but starting at a random one, so that sweeps that run out of time do not always leave out the
/// same projects.
fn in_another_order<T>(mut projects: Vec<T>) -> Vec<T> {
    let first = rand::random_range(0..=projects.len());
    projects.rotate_left(first);
    projects
}

/// The price of an hour of a sandbox, in dollars.
fn sandbox_rate() -> Result<SandboxRate, ConfigError> {
    let dollars = var_or("SANDBOX_RATE", "0");
    let rate = MicroDollars::parse_dollars(&dollars).filter(|rate| *rate >= MicroDollars::ZERO);
    rate.map(SandboxRate::per_hour).ok_or_else(|| ConfigError::Invalid {
        name: "SANDBOX_RATE",
        reason: format!("{dollars:?} is not a number of dollars with at most two decimals"),
    })
}

fn idle_stop_seconds() -> Result<i64, ConfigError> {
    let seconds = var_or("IDLE_STOP_SECONDS", &idle::IDLE_STOP_SECONDS.to_string());
    let invalid = |_| ConfigError::Invalid {
        name: "IDLE_STOP_SECONDS",
        reason: format!("{seconds:?} is not a number of seconds"),
    };
    seconds.parse().map_err(invalid)
}

/// Handles one event: a change of a task, or the minute.
pub async fn handle(app: &App, event: EventBridgeEvent<Value>) -> Result<(), ReaperError> {
    if event.detail_type != "ECS Task State Change" {
        return Box::pin(app.sweep()).await;
    }
    Box::pin(app.task_changed(&event.detail)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_sweep_visits_each_project_once_in_random_order() {
        assert!(in_another_order(Vec::<u8>::new()).is_empty());
        let projects = vec![1, 2, 3, 4, 5];
        let mut first = BTreeSet::new();
        for _ in 0..1000 {
            let mut order = in_another_order(projects.clone());
            first.insert(order[0]);
            order.sort_unstable();
            assert_eq!(order, projects);
        }
        assert_eq!(first.len(), projects.len());
    }
}
