//! What agents may ask a sandbox without an approval.

use domain::gate::Checked;
use domain::inquiry::Bench;
use domain::manual::Topic;
use domain::{RunId, Scope};
use read_only::Reading;
use std::sync::{Arc, OnceLock};

/// Why a sandbox gave no answer, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// It refused this question at once. It may answer the next one.
    Refused(String),
    /// Nothing came back.
    Silence(String),
}

impl NoAnswer {
    fn reason(self) -> String {
        match self {
            Self::Refused(reason) | Self::Silence(reason) => reason,
        }
    }
}

/// Asks the project's sandbox. Every answer comes within seconds.
#[async_trait::async_trait]
pub trait Machines: Send + Sync {
    /// The findings of the sandbox's tools in a script and its files.
    async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, NoAnswer>;

    /// The output of a command that only reads.
    async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, NoAnswer>;

    /// A page of the documentation in the sandbox, from this line on.
    async fn look_up(
        &self,
        scope: Scope,
        topic: &Topic,
        from: usize,
    ) -> Result<Documented, NoAnswer>;

    /// The log of a run, which holds its whole output; `None` if there is none. It is read from where it is stored, so
    /// no sandbox has to be up.
    async fn log(&self, _: Scope, _: &RunId) -> Result<Option<Log>, String> {
        Ok(None)
    }
}

/// The log of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Its beginning, at most [`LOG_BYTES`].
    pub text: String,
    /// Whether the log is longer.
    pub cut: bool,
}

/// How much of a log is read, in bytes.
pub const LOG_BYTES: usize = 2 * 1024 * 1024;

/// The output of a command, with both streams in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Its beginning, at most [`LOOK_BYTES`](domain::inquiry::LOOK_BYTES).
    pub text: String,
    /// Whether the command printed more.
    pub cut: bool,
    /// Its exit code; none if it did not end in time.
    pub exit_code: Option<i32>,
}

/// What a sandbox's documentation has on a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Documented {
    /// Lines of a page.
    Page {
        /// Whole lines, at most [`PAGE_BYTES`](domain::manual::PAGE_BYTES).
        text: String,
        /// The number of the line after them, if there is one.
        next: Option<usize>,
    },
    /// There is no such page; the reason may quote a tool.
    Missing(String),
}

/// The reason in a function that cannot reach sandboxes.
const NO_SANDBOX: &str = "This function has no access to sandboxes.";

/// The sandbox during one turn. After one missing answer, the turn does not ask it again, because each wait would take
/// half a minute. A refusal costs no time and may pass within seconds, as when the files are being restored.
#[derive(Clone, Default)]
pub(crate) struct Sandbox {
    machines: Option<Arc<dyn Machines>>,
    silent: Arc<OnceLock<String>>,
}

impl Sandbox {
    pub(crate) fn of(machines: Option<&Arc<dyn Machines>>) -> Self {
        Self { machines: machines.cloned(), silent: Arc::default() }
    }

    pub(crate) async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, String> {
        let answer = self.machines()?.check(scope, bench).await;
        self.noted(answer)
    }

    pub(crate) async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, String> {
        let answer = self.machines()?.look(scope, reading).await;
        self.noted(answer)
    }

    pub(crate) async fn look_up(
        &self,
        scope: Scope,
        topic: &Topic,
        from: usize,
    ) -> Result<Documented, String> {
        let answer = self.machines()?.look_up(scope, topic, from).await;
        self.noted(answer)
    }

    fn machines(&self) -> Result<&dyn Machines, String> {
        match (self.silent.get(), &self.machines) {
            (Some(reason), _) => Err(reason.clone()),
            (None, None) => Err(NO_SANDBOX.to_owned()),
            (None, Some(machines)) => Ok(machines.as_ref()),
        }
    }

    fn noted<T>(&self, answer: Result<T, NoAnswer>) -> Result<T, String> {
        if let Err(NoAnswer::Silence(reason)) = &answer {
            let _ = self.silent.set(reason.clone());
        }
        answer.map_err(NoAnswer::reason)
    }
}
