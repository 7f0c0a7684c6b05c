//! The messages between the two roles, over the supervisor's stdin and stdout.
//!
//! A frame is two lengths, a JSON message and raw bytes. The agent reads frames from a process that runs among
//! untrusted ones, so lengths are checked before anything is allocated.

use std::collections::BTreeMap;
use std::io;

use protocol::{
    Answer, FileEntry, FileFailure, Outcome, PreviewAnswer, PreviewAsk, SavedPlan, WorkspaceFile,
    WorkspaceUse,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::answer::Asked;
use crate::reader::Terms;

/// From the agent to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Order {
    /// The setup is complete: close to inspection and begin. Always the first order.
    Seal,
    /// Run the script in the data, and its proof after it.
    Start {
        run_id: String,
        deadline_ms: u64,
        env: BTreeMap<String, String>,
        /// Set for a command without approval: it runs as a reader.
        reading: Option<Terms>,
        /// Whether the first command that fails ends the script.
        strict: bool,
        proof: Option<String>,
        /// The run's password for Terraform's backend.
        backend: Option<String>,
    },
    Cancel {
        run_id: String,
    },
    /// Start a login shell on a new terminal.
    Open {
        terminal: String,
        rows: u16,
        cols: u16,
        /// The terminal's password for Terraform's backend.
        backend: Option<String>,
    },
    /// The data are keys.
    Type {
        terminal: String,
        /// Press Enter afterward if the shell's prompt holds exactly this text.
        run_typed: Option<String>,
        /// Set if the keys are a part of a command that an agent types.
        part: Option<Part>,
    },
    Resize {
        terminal: String,
        rows: u16,
        cols: u16,
    },
    /// This many more bytes of the terminal may be read.
    Grant {
        terminal: String,
        bytes: usize,
    },
    /// A request about a file; the data are the content to write.
    Files {
        job: u64,
        ask: FilesAsk,
    },
    /// Answer a question, as a reader.
    Answer {
        request_id: String,
        asked: Asked,
    },
    /// List the services, or send one a request; the data are the request's body.
    Preview {
        job: u64,
        ask: PreviewAsk,
    },
    /// Answer a request to Terraform's backend; the data are the next part of the body.
    Respond {
        job: u64,
        status: u16,
        last: bool,
    },
    /// Zip the workspace.
    Pack {
        job: u64,
    },
    /// The data are the next part of a zip to extract into the workspace, or to replace its content with.
    Unpack {
        last: bool,
        replace: bool,
    },
    /// End all processes, with time to exit cleanly.
    Stop,
}

/// From the supervisor to the agent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Waiting for [`Order::Seal`].
    Ready,
    /// The data are output of a run.
    Output { run_id: String },
    /// A run has ended; all of its output came before.
    Ended {
        run_id: String,
        outcome: Outcome,
        exit_code: Option<i32>,
        duration_ms: u64,
        files: Vec<WorkspaceFile>,
        detail: Option<String>,
        saved_plan: Option<Box<SavedPlan>>,
    },
    /// The data are output of a terminal.
    Printed { terminal: String },
    /// Keys of a command that an agent types were not typed.
    NotTyped { terminal: String, part: Part },
    /// The terminal's shell has ended; all of its output came before.
    Closed { terminal: String, exit_code: i32 },
    /// The answer about a file; the data are the content that was read.
    Files { job: u64, done: FilesDone },
    /// The answer to a question.
    Answered { request_id: String, answer: Answer },
    /// The data are the next part of the body of a service's answer.
    PreviewPart { job: u64 },
    /// A service's answer; its body came before.
    Previewed { job: u64, answer: PreviewAnswer },
    /// The data are the next part of the body of a request to Terraform's backend.
    BackendPart { job: u64 },
    /// A request to Terraform's backend; its body came before unless it is too large.
    Backend {
        job: u64,
        method: String,
        path: String,
        lock_id: Option<String>,
        password: String,
        /// The size of the body, in bytes.
        bytes: u64,
    },
    /// The data are the next part of a zip.
    Packed { job: u64 },
    /// The zip is complete, or has failed.
    PackDone { job: u64, error: Option<String>, workspace: Option<WorkspaceUse> },
    /// The zip was extracted, except for the refused entries.
    Unpacked { refused: Vec<String>, error: Option<String> },
}

/// A part of a command that an agent types for its user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The browser connection that types it, and that hears of it if the sandbox does not type it.
    pub connection: String,
    /// The whole command.
    pub command: String,
    /// What the shell's prompt must hold: what was typed of the command before.
    pub after: String,
}

/// A request about a file of the workspace.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilesAsk {
    List { path: String },
    Read { path: String, end: bool },
    Write { path: String, base_sha256: Option<String> },
}

/// The supervisor's answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilesDone {
    Listed {
        entries: Vec<FileEntry>,
        truncated: bool,
    },
    /// The size of the whole file.
    Content {
        bytes: u64,
    },
    Written,
    Failed {
        code: FileFailure,
    },
}

/// A message and the raw bytes that belong to it.
#[derive(Debug)]
pub struct Frame<T> {
    pub message: T,
    pub data: Vec<u8>,
}

/// The largest message: a listing of the workspace with very long paths.
const MESSAGE_BYTES: usize = 2 * 1024 * 1024;

/// The most data of one frame, in bytes: the script of the gateway's largest message fits.
pub const DATA_BYTES: usize = 1024 * 1024;

/// Reads the next frame; `None` at the end of the stream. Not cancel-safe: give it its own task.
pub async fn read<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<Frame<T>>> {
    let message_len = match from.read_u32().await {
        Ok(length) => length as usize,
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(e) => return Err(e),
    };
    let data_len = from.read_u32().await? as usize;
    if message_len > MESSAGE_BYTES || data_len > DATA_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "frame too large"));
    }
    let mut message = vec![0; message_len];
    from.read_exact(&mut message).await?;
    let mut data = vec![0; data_len];
    from.read_exact(&mut data).await?;
    let message = serde_json::from_slice(&message)?;
    Ok(Some(Frame { message, data }))
}

/// Writes a frame in one piece.
pub async fn write<T: Serialize>(
    to: &mut (impl AsyncWrite + Unpin),
    message: &T,
    data: &[u8],
) -> io::Result<()> {
    let message = serde_json::to_vec(message)?;
    let mut frame = Vec::with_capacity(8 + message.len() + data.len());
    for length in [message.len(), data.len()] {
        let length =
            u32::try_from(length).map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        frame.extend_from_slice(&length.to_be_bytes());
    }
    frame.extend_from_slice(&message);
    frame.extend_from_slice(data);
    to.write_all(&frame).await?;
    to.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_frame_arrives_as_it_was_sent_and_then_the_stream_ends() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Event::Packed { job: 3 }, b"\x00\xff").await.unwrap();
        let mut from = bytes.as_slice();
        let frame: Frame<Event> = read(&mut from).await.unwrap().unwrap();
        assert!(matches!(frame.message, Event::Packed { job: 3 }));
        assert_eq!(frame.data, b"\x00\xff");
        assert!(read::<Event>(&mut from).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_length_beyond_the_bound_is_refused_before_it_is_allocated() {
        let bytes = [0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, b'{', b'}'];
        let error = read::<Event>(&mut bytes.as_slice()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
