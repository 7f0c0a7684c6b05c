//! Has a separate process (role `answer`) answer a question, and waits for it.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use protocol::{ANSWER_SECONDS, Answer};
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::timeout;

use super::home::Home;
use super::{Events, send};
use crate::answer::{Asked, QUESTION};
use crate::pipe::Event;
use crate::process::Children;

/// How long an answer may take; the process itself gives up a little earlier.
const PATIENCE: Duration = Duration::from_secs(ANSWER_SECONDS);

/// The longest answer that is read, in bytes.
const ANSWER_BYTES: u64 = 256 * 1024;

/// The reason given if the process returned no answer.
const BROKE_OFF: &str = "The sandbox did not finish this.";

/// Starts to answer; [`Event::Answered`] follows in any case.
pub fn start(
    request_id: String,
    asked: &Asked,
    home: &Home,
    children: &mut Children,
    events: Events,
) {
    let started = spawn(asked, home, children);
    tokio::spawn(async move {
        let answer = match started {
            Ok((folder, group, output)) => {
                let answer = timeout(PATIENCE, read(output)).await.ok().flatten();
                let _ = kill_process_group(group, Signal::KILL);
                drop(folder);
                answer
            }
            Err(error) => {
                tracing::error!(%error, "a question could not be answered");
                None
            }
        };
        let answer = answer.unwrap_or_else(|| Answer::Refused { reason: BROKE_OFF.to_owned() });
        send(&events, Event::Answered { request_id, answer }, Vec::new()).await;
    });
}

/// Starts the process with the question in a folder that is removed with the answer.
fn spawn(
    asked: &Asked,
    home: &Home,
    children: &mut Children,
) -> io::Result<(TempDir, Pid, Receiver)> {
    let folder = tempfile::Builder::new().prefix("answer-").tempdir()?;
    std::fs::write(folder.path().join(QUESTION), serde_json::to_vec(asked)?)?;
    let (output, input) = io::pipe()?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("answer")
        .arg(folder.path())
        .arg(&home.workspace)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(input)
        .stderr(Stdio::null())
        .process_group(0);
    let (group, _) = children.start(&mut command)?;
    // The command still holds the write end, which would keep the pipe open.
    drop(command);
    Ok((folder, group, Receiver::from_owned_fd(OwnedFd::from(output))?))
}

async fn read(output: Receiver) -> Option<Answer> {
    let mut text = Vec::new();
    output.take(ANSWER_BYTES).read_to_end(&mut text).await.ok()?;
    serde_json::from_slice(&text).ok()
}
