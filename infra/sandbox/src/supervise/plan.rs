//! The Terraform plan that a step saves, and the one that a step may apply.
//!
//! After a script has ended without an error, its runner (`script/run.sh`) copies the plan that the script saved and
//! has Terraform describe the copy. The digest and the description are both of that copy, so they belong together. A
//! script that is bound to a plan starts only if the file still has the approved digest: a user who plans again in
//! between, in a step, a terminal or the helper, changes what would be applied. A missing file does not stop the
//! script, because Terraform cannot apply a plan that does not exist.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use protocol::{PLAN_FILE, SavedPlan};
use sha2::{Digest, Sha256};

/// The largest saved plan, in bytes: the runner copies no larger one either.
const PLAN_BYTES: u64 = 64 * 1024 * 1024;

/// How much of Terraform's description of a plan is read, in bytes.
const SHOWN_BYTES: u64 = 32 * 1024 * 1024;

/// The saved plan differs from the one that was approved.
#[derive(Debug)]
pub struct Other;

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The saved plan in {PLAN_FILE} is not the one that was approved, so the command was not run. Run the step \
             that makes the plan again, then re-execute this one: it asks for your approval of the new plan."
        )
    }
}

impl Error for Other {}

/// Refuses a script that is bound to a plan other than the saved one.
pub fn check(workspace: &Path, script: &[u8]) -> io::Result<()> {
    let script = String::from_utf8_lossy(script);
    let mut bound = protocol::plans_of(&script).peekable();
    if bound.peek().is_none() {
        return Ok(());
    }
    let digest = match digest(&workspace.join(PLAN_FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        digest => digest?,
    };
    match bound.all(|approved| approved.eq_ignore_ascii_case(&digest)) {
        true => Ok(()),
        false => Err(io::Error::other(Other)),
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
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(Other));
    }
    let mut digest = Sha256::new();
    let read = io::copy(&mut file.take(PLAN_BYTES + 1), &mut digest)?;
    match read > PLAN_BYTES {
        true => Err(io::Error::other(Other)),
        false => Ok(hex::encode(digest.finalize())),
    }
}
