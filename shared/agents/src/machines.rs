//! The tools that look at a script before a person does, known here only by what they are asked.

use domain::Scope;
use domain::gate::Checked;
use domain::inquiry::Bench;

/// Runs the tools that apply to a script, where they are: in the project's sandbox.
#[async_trait::async_trait]
pub trait Machines: Send + Sync {
    /// What they say about a script and its files, within seconds; `Err` is a sentence that says why none of them did.
    async fn check(&self, scope: Scope, bench: Bench) -> Result<Checked, String>;
}
