//! Answers a question: a look, a page of documentation, or the findings of the tools here in a script.
//!
//! The supervisor starts this role as a separate process for each question, with a folder that is removed afterward.
//! Everything that it runs, it runs as a reader: without credentials, network or a way to change anything but that
//! folder. A script is checked over a copy of the workspace in which its files already exist ([`scratch`]), so that a
//! tool sees them, and the workspace itself does not change.
//!
//! A tool that is missing, late or broken is reported as *not checked*, with the reason, and never as a finding: a
//! false finding costs its reader more than a missing one.

mod exec;
mod manuals;
mod scratch;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, io};

use anyhow::Context;
use protocol::{Answer, LOOK_BYTES, Question};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::process;
use crate::reader::{self, Marks, Terms};

/// The file with the question, in the folder of an answer.
pub const QUESTION: &str = "question.json";

/// A question, and the credentials of which its answer must not show any part.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asked {
    pub question: Question,
    pub marks: Marks,
}

/// Time limit of a look.
const LOOKING: Duration = Duration::from_secs(20);

/// The role `answer`: reads the question in a folder, prints the answer, and ends everything that it started.
pub async fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let [folder, workspace] = arguments else {
        anyhow::bail!("expected a folder and a workspace");
    };
    process::adopt_orphans()?;
    let (folder, workspace) = (PathBuf::from(folder), PathBuf::from(workspace));
    let asked = serde_json::from_slice(&fs::read(folder.join(QUESTION))?);
    let answer = answer(asked.context("the question")?, &folder, &workspace).await;
    process::end_descendants();
    println!("{}", serde_json::to_string(&answer)?);
    Ok(ExitCode::SUCCESS)
}

async fn answer(Asked { question, marks }: Asked, folder: &Path, workspace: &Path) -> Answer {
    let answered = match question {
        Question::Look { command, reach } => {
            look(workspace, &Terms { reach, marks }, &command).await
        }
        Question::Check(bench) => {
            tools::check(folder, workspace, bench, &marks).await.map(Answer::Checked)
        }
        Question::LookUp { topic, from } => manuals::look_up(folder, workspace, &topic, from).await,
    };
    answered.unwrap_or_else(|error| Answer::Refused {
        reason: format!("The sandbox could not do this: {error}."),
    })
}

async fn look(workspace: &Path, terms: &Terms, command: &str) -> io::Result<Answer> {
    let (mut command, _session) =
        reader::command(workspace, terms, &format!("exec 2>&1\n{command}"))?;
    let ran = exec::run(&mut command, LOOK_BYTES, LOOKING).await?;
    Ok(Answer::Printed { text: ran.stdout, cut: ran.cut, exit_code: ran.code })
}

/// Runs a future with a time limit; `None` if it takes longer.
async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    timeout(limit, work).await.ok()
}
