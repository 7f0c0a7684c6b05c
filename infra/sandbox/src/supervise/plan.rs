//! The Terraform plan that a step saves, and the one that a step may apply.
//!
//! After a script has ended without an error, its runner (`script/run.sh`) copies the plan that the script saved and
//! has Terraform describe the copy. The digest and the description are both of that copy, so they belong together. A
//! script that is bound to a plan starts only if the file still has the approved digest: a user who plans again in
//! between, in a step, a terminal or the helper, changes what would be applied. A missing file does not stop the
//! script, because Terraform cannot apply a plan that does not exist.
//!
//! A plan is applied at most once. Terraform takes a saved plan a second time if it could not write the state after the
//! first, and would create everything again. So once a bound script has ended, however it ended, the plan is removed, and
//! no bound script starts while the state that Terraform could not write lies beside the plan.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use protocol::{PLAN_FILE, SavedPlan};
use sha2::{Digest, Sha256};

/// The largest saved plan, in bytes: the runner copies no larger one either.
const PLAN_BYTES: u64 = 64 * 1024 * 1024;

/// How much of Terraform's description of a plan is read, in bytes.
const SHOWN_BYTES: u64 = 32 * 1024 * 1024;

/// Where Terraform leaves a state that it could not write to its backend, relative to the workspace.
const UNWRITTEN_STATE: &str = "terraform/errored.tfstate";

/// What the owner of a failed run reads if its plan was removed.
const SPENT: &str = "The saved plan was removed, because a plan is applied at most once. Run the step that makes the \
                     plan again, then re-execute this one.";

/// Why a script that is bound to a plan does not start.
#[derive(Debug)]
pub enum Unfit {
    /// The saved plan differs from the one that was approved.
    Other,
    /// The state of an earlier run was not written.
    UnwrittenState,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other => write!(
                f,
                "The saved plan in {PLAN_FILE} is not the one that was approved, so the command was not run. Run the \
                 step that makes the plan again, then re-execute this one: it asks for your approval of the new plan."
            ),
            Self::UnwrittenState => write!(
                f,
                "An earlier run could not write its state and left it in {UNWRITTEN_STATE}, so the command was not \
                 run: it could create the same resources again. Run `terraform -chdir=terraform state push \
                 errored.tfstate` in the terminal and remove the file. Then run the step that makes the plan again."
            ),
        }
    }
}

impl Error for Unfit {}

/// Refuses a script that is bound to a plan other than the saved one, or while a state waits to be written.
pub fn check(workspace: &Path, script: &[u8]) -> io::Result<()> {
    let script = String::from_utf8_lossy(script);
    let mut bound = protocol::plans_of(&script).peekable();
    if bound.peek().is_none() {
        return Ok(());
    }
    if workspace.join(UNWRITTEN_STATE).symlink_metadata().is_ok() {
        return Err(io::Error::other(Unfit::UnwrittenState));
    }
    let digest = match digest(&workspace.join(PLAN_FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        digest => digest?,
    };
    match bound.all(|approved| approved.eq_ignore_ascii_case(&digest)) {
        true => Ok(()),
        false => Err(io::Error::other(Unfit::Other)),
    }
}

/// Removes the plan to which a script that has ended was bound; returns what its owner reads if the run failed. A plan
/// that the script itself has made stays.
pub fn spend(workspace: &Path, script: &[u8]) -> Option<&'static str> {
    let script = String::from_utf8_lossy(script);
    let plan = workspace.join(PLAN_FILE);
    let present = digest(&plan).ok()?;
    protocol::plans_of(&script).find(|bound| bound.eq_ignore_ascii_case(&present))?;
    match fs::remove_file(&plan) {
        Ok(()) => Some(SPENT),
        Err(error) => {
            tracing::error!(%error, "a plan that was applied could not be removed");
            None
        }
    }
}

/// The plan that a run saved, from its folder.
pub async fn saved(folder: PathBuf) -> Option<Box<SavedPlan>> {
    let read = tokio::task::spawn_blocking(move || {
        let sha256 = digest(&folder.join("tfplan")).ok()?;
        let mut shown = Vec::new();
        let file = File::open(folder.join("tfplan.json")).ok();
        let read = file.and_then(|file| file.take(SHOWN_BYTES).read_to_end(&mut shown).ok());
        Some(Box::new(SavedPlan::of(sha256, read.map(|_| shown.as_slice()))))
    });
    read.await.ok().flatten()
}

fn digest(path: &Path) -> io::Result<String> {
    // Before it is opened: opening a named pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other(Unfit::Other));
    }
    let mut digest = Sha256::new();
    let read = io::copy(&mut File::open(path)?.take(PLAN_BYTES + 1), &mut digest)?;
    match read > PLAN_BYTES {
        true => Err(io::Error::other(Unfit::Other)),
        false => Ok(hex::encode(digest.finalize())),
    }
}
