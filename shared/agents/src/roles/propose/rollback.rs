//! The script that rolls a change back, submitted with the command of each of its steps.

use super::{Arguments, Known, ProposeCommand, ROUNDS, gate, readable};
use crate::error::AgentError;
use crate::tools::try_again;
use domain::step::{MAX_ROLLBACK_BYTES, Rollback};
use std::sync::atomic::Ordering;

/// The tool's description of it.
pub(super) const ROLLBACK: &str = "A bash script that restores what existed before this change, whether this step ran \
                                   wholly, in part or not at all; at most 16,000 bytes";

/// The prompt's rules for it.
pub(crate) const RULES: &str = "\
# How a change is rolled back
With the script of each step you hand in `rollback`: a script of its own that restores what existed before this change, \
and not only before this step. Its owner reads it beside your script and can run it if a step fails, or if they change \
their mind. So it works after any of the steps up to this one, finished or broken off, and again after itself. It writes \
the former files and values, restarts what used them, and removes what the change added, with nothing else. Data that \
was written since stays, where that can be. Terraform's changes are approved as a plan, so where it takes Terraform to \
come back, `rollback` is empty, and another change undoes this one. It ends by looking whether all is as before, and exits with another code than 0 \
if it is not. It runs like a step: the same rules, the same credentials.";

impl ProposeCommand {
    /// The rollback with its verdict; `None` if no change is under way, if a rollback would need Terraform, or if the
    /// model submits none in all its tries.
    pub(super) async fn rollback_of(
        &self,
        given: &Arguments,
        is_last: bool,
    ) -> Result<Option<Rollback>, AgentError> {
        if !self.with_rollback {
            return Ok(None);
        }
        let rounds = self.rejected.load(Ordering::Relaxed);
        let again = |why: String| {
            self.rejected.fetch_add(1, Ordering::Relaxed);
            Err(try_again(why))
        };
        let more = rounds < ROUNDS && !is_last;
        let text = match given.rollback.trim() {
            "" if more && !self.uses_terraform(given) => {
                return again(format!("`rollback` is missing. {ROLLBACK}."));
            }
            "" => return Ok(None),
            text if text.len() > MAX_ROLLBACK_BYTES && more => {
                return again(format!(
                    "`rollback` has {} bytes, {MAX_ROLLBACK_BYTES} are allowed. Write it shorter.",
                    text.len()
                ));
            }
            text if text.len() > MAX_ROLLBACK_BYTES => return Ok(None),
            text => text,
        };
        let text = match readable("rollback", text).await {
            Ok(text) => text,
            Err(error) if more => return again(error.to_string()),
            Err(_) => return Ok(None),
        };
        let known = self.known.rolling_back();
        let verdict = gate::verdict(&self.sandbox, self.scope, &known, &text, rounds).await;
        match gate::complaint(&verdict).filter(|_| more) {
            Some(complaint) => again(format!("In `rollback`: {complaint}")),
            None => Ok(Some(Rollback::new(text, Some(verdict)))),
        }
    }
}

impl ProposeCommand {
    /// Whether this step or an earlier one uses Terraform.
    fn uses_terraform(&self, given: &Arguments) -> bool {
        let mut scripts = self.known.earlier().chain([given.script.as_str()]);
        scripts.any(|script| script.contains("terraform"))
    }
}

impl Known {
    fn earlier(&self) -> impl Iterator<Item = &str> {
        self.earlier.iter().map(String::as_str)
    }

    /// The same for a script that undoes a change, and so may remove what the change added.
    fn rolling_back(&self) -> Self {
        let mut known = self.clone();
        known.step.push_str("\nRemove what this change added.");
        known
    }
}
