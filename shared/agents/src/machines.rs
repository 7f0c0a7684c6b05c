//! What agents may ask of a sandbox without an approval, known here only by its questions.

use domain::Scope;
use domain::gate::Checked;
use domain::inquiry::Bench;
use domain::manual::Topic;
use domain::read_only::Reading;
use std::sync::{Arc, OnceLock};

/// Asks the project's sandbox. Every answer comes within seconds; `Err` is a sentence that says why there is none.
#[async_trait::async_trait]
pub trait Machines: Send + Sync {
    /// What the sandbox's tools say about a script and its files.
    async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, String>;

    /// What a command prints that only reads.
    async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, String>;

    /// A page of the documentation that the sandbox carries, from this line on.
    async fn look_up(&self, scope: Scope, topic: &Topic, from: usize)
    -> Result<Documented, String>;
}

/// What a command printed, both streams in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Its beginning, at most [`LOOK_BYTES`](domain::inquiry::LOOK_BYTES).
    pub text: String,
    /// Whether there was more.
    pub cut: bool,
    /// Its exit code; none if it did not end in time.
    pub exit_code: Option<i32>,
}

/// What a sandbox has on a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Documented {
    /// Lines of a page.
    Page {
        /// Whole lines, at most [`PAGE_BYTES`](domain::manual::PAGE_BYTES).
        text: String,
        /// The line that follows them, if there are more.
        next: Option<usize>,
    },
    /// No such page, for this reason, which may quote a tool.
    Missing(String),
}

/// Why a sandbox was not asked where a function has no way to it.
const NO_SANDBOX: &str = "This function has no access to sandboxes.";

/// The sandbox during one turn. A sandbox that did not answer once is not asked again: each silence would cost the
/// turn half a minute.
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
        self.heard(answer)
    }

    pub(crate) async fn look(&self, scope: Scope, reading: &Reading) -> Result<Printed, String> {
        let answer = self.machines()?.look(scope, reading).await;
        self.heard(answer)
    }

    pub(crate) async fn look_up(
        &self,
        scope: Scope,
        topic: &Topic,
        from: usize,
    ) -> Result<Documented, String> {
        let answer = self.machines()?.look_up(scope, topic, from).await;
        self.heard(answer)
    }

    fn machines(&self) -> Result<&dyn Machines, String> {
        match (self.silent.get(), &self.machines) {
            (Some(reason), _) => Err(reason.clone()),
            (None, None) => Err(NO_SANDBOX.to_owned()),
            (None, Some(machines)) => Ok(machines.as_ref()),
        }
    }

    fn heard<T>(&self, answer: Result<T, String>) -> Result<T, String> {
        answer.inspect_err(|reason| {
            let _ = self.silent.set(reason.clone());
        })
    }
}
