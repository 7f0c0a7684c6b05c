#![doc = include_str!("../README.md")]

use agents::{Documented, LOG_BYTES, Log, Machines, NoAnswer, Printed};
use async_trait::async_trait;
use domain::gate::Checked;
use domain::inquiry::{Answer, Bench, Question};
use domain::manual::Topic;
use domain::report::Chain;
use domain::{RunId, Scope};
use flows::{Asking, RunLogs, Unanswered};
use read_only::Reading;
use settings::{ConfigError, SdkConfig};
use store::Table;

/// The text that an agent gets if Groundcrew could not reach a sandbox, for a reason on its own side.
const UNREACHED: &str = "The sandbox could not be asked.";

/// The same if Groundcrew could not read a log.
const UNREAD: &str = "The log could not be read.";

fn unreached() -> NoAnswer {
    NoAnswer::Silence(UNREACHED.to_owned())
}

/// The sandboxes of projects.
#[derive(Clone, Debug)]
pub struct Workbench {
    asking: Asking,
    logs: RunLogs,
}

impl Workbench {
    /// Uses the table, the queue `steps` and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { asking: Asking::from_env(sdk, table)?, logs: RunLogs::from_env(sdk)? })
    }

    async fn ask(&self, scope: Scope, question: Question) -> Result<Answer, NoAnswer> {
        match self.asking.ask(scope, &question).await {
            Ok(Answer::Refused { reason }) => Err(NoAnswer::Refused(reason)),
            Ok(answer) => Ok(answer),
            Err(error @ (Unanswered::Store(_) | Unanswered::Aws(_))) => {
                tracing::error!(error = %Chain(&error), "a sandbox did not answer a question");
                Err(unreached())
            }
            Err(error) => Err(NoAnswer::Silence(error.to_string())),
        }
    }
}

#[async_trait]
impl Machines for Workbench {
    async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, NoAnswer> {
        match self.ask(scope, Question::Check(bench)).await? {
            Answer::Checked(checked) => Ok(checked),
            _ => Err(unreached()),
        }
    }

    async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, NoAnswer> {
        let question = Question::Look { command: reading.script(), reach: reading.reach.clone() };
        match self.ask(scope, question).await? {
            Answer::Printed { text, cut, exit_code } => Ok(Printed { text, cut, exit_code }),
            _ => Err(unreached()),
        }
    }

    async fn look_up(
        &self,
        scope: Scope,
        topic: &Topic,
        from: usize,
    ) -> Result<Documented, NoAnswer> {
        let question = Question::LookUp { topic: topic.clone(), from };
        match self.ask(scope, question).await? {
            Answer::Page { text, next } => Ok(Documented::Page { text, next }),
            Answer::NoPage { reason } => Ok(Documented::Missing(reason)),
            _ => Err(unreached()),
        }
    }

    async fn log(&self, scope: Scope, run_id: &RunId) -> Result<Option<Log>, String> {
        let read = self.logs.read(scope, run_id, LOG_BYTES).await.map_err(|error| {
            tracing::error!(error = %Chain(&error), "a run's log could not be read");
            UNREAD.to_owned()
        })?;
        Ok(read.map(|log| Log { text: log.text, cut: log.cut }))
    }
}
