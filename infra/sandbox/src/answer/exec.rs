//! Runs one process to its end, with limits on time and output.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::within;

/// What a process printed, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    /// Whether standard output had more than was kept.
    pub cut: bool,
    /// `None` if it did not end in time, or a signal ended it.
    pub code: Option<i32>,
}

/// Runs `command` in a process group that is killed with it, and keeps the beginning of its output.
pub async fn run(command: &mut Command, most_bytes: usize, limit: Duration) -> io::Result<Ran> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let command = std::mem::replace(command, Command::new("/bin/false"));
    let mut child = tokio::process::Command::from(command).kill_on_drop(true).spawn()?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (mut stdout, mut stderr) = (Kept::new(most_bytes), Kept::new(most_bytes));
    let status = within(limit, async {
        let (status, (), ()) = tokio::join!(child.wait(), stdout.fill(out), stderr.fill(err));
        status
    })
    .await;
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let code = status.transpose()?.and_then(|status| status.code());
    Ok(Ran { cut: stdout.cut, stdout: stdout.text(), stderr: stderr.text(), code })
}

/// Reads the beginning of a stream; the rest is read and dropped.
struct Kept {
    bytes: Vec<u8>,
    most: usize,
    cut: bool,
}

impl Kept {
    fn new(most: usize) -> Self {
        Self { bytes: Vec::new(), most, cut: false }
    }

    async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; 8 * 1024];
        while let Ok(read) = stream.read(&mut buffer).await {
            if read == 0 {
                return;
            }
            let room = (self.most - self.bytes.len()).min(read);
            self.bytes.extend_from_slice(&buffer[..room]);
            self.cut |= room < read;
        }
    }

    fn text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.cut {
            // Drops a cut character, which would be shown as a broken one.
            text.truncate(text.trim_end_matches('\u{fffd}').len());
        }
        text
    }
}
