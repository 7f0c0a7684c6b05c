#![doc = include_str!("../README.md")]

use agents::{Machines, Printed};
use async_trait::async_trait;
use domain::Scope;
use domain::gate::Checked;
use domain::inquiry::{Answer, Bench, Question};
use domain::read_only::Reading;
use domain::report::Chain;
use flows::{Asking, Unanswered};
use settings::{ConfigError, SdkConfig};
use store::Table;

/// What an agent says of a sandbox that could not be reached, for a reason that is ours.
const UNREACHED: &str = "The sandbox could not be asked.";

/// The sandboxes of projects.
#[derive(Clone, Debug)]
pub struct Workbench {
    asking: Asking,
}

impl Workbench {
    /// From the table and the queue `steps`.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { asking: Asking::from_env(sdk, table)? })
    }

    async fn ask(&self, scope: Scope, question: Question) -> Result<Answer, String> {
        match self.asking.ask(scope, &question).await {
            Ok(Answer::Refused { reason }) => Err(reason),
            Ok(answer) => Ok(answer),
            Err(error @ (Unanswered::Store(_) | Unanswered::Aws(_))) => {
                tracing::error!(error = %Chain(&error), "a sandbox could not be asked");
                Err(UNREACHED.to_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

#[async_trait]
impl Machines for Workbench {
    async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, String> {
        match self.ask(scope, Question::Check(bench)).await? {
            Answer::Checked(checked) => Ok(checked),
            Answer::Printed { .. } | Answer::Refused { .. } => Err(UNREACHED.to_owned()),
        }
    }

    async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, String> {
        let question = Question::Look { command: reading.script(), reach: reading.reach.clone() };
        match self.ask(scope, question).await? {
            Answer::Printed { text, cut, exit_code } => Ok(Printed { text, cut, exit_code }),
            Answer::Checked(_) | Answer::Refused { .. } => Err(UNREACHED.to_owned()),
        }
    }
}
