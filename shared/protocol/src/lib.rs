#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod agent;
mod browser;
mod files;
mod frames;
mod inquiry;
mod orders;
mod preview;
mod reorder;
mod run_id;
mod state;
mod tools;
#[cfg(test)]
mod typescript;

pub use agent::{FromAgent, RunKind, RunReport, WorkspaceFile, WorkspaceUse};
pub use browser::{FromBrowser, LinkState, ToBrowser};
pub use domain::gate::{Checked, Finding, NotChecked, Severity};
pub use domain::inquiry::{
    ANSWER_SECONDS, Answer, Bench, BenchFile, BenchTool, LOOK_BYTES, Question,
};
pub use domain::manual::{Kind as ManualKind, PAGE_BYTES, Topic, TopicRequest};
pub use domain::masking::{EVERYWHERE_BYTES, Hiding, hiding};
pub use domain::preview::{
    ANSWER_BYTES, AT_ONCE, LISTED_PORTS, ListeningPort, PreviewAnswer, PreviewAsk, PreviewBody,
    PreviewFailure, PreviewRequest, Previewed, REQUEST_BYTES, SERVICE_SECONDS,
};
pub use domain::saved_plan::{PLAN_FILE, PlannedResource, SavedPlan};
pub use domain::script::{PROOF_LINE, bound_to_plan, parts, plans_of, with_proof};
pub use domain::shellcheck;
pub use domain::step::Outcome;
pub use domain::terraform_state::{ListedResource, LockInfo, STATE_BYTES, listed};
pub use files::{
    FILE_BYTES, FILE_END_BYTES, FILE_PART_BYTES, FILE_PARTS, FILE_PATH_BYTES, FILE_REQUEST_BYTES,
    FileEntry, FileFailure, FileKind, FilesAnswer, FilesRequest, LISTED_ENTRIES, entry_parts,
    file_parts,
};
pub use frames::{Piece, terminal_frames};
pub use inquiry::Inquiry;
pub use orders::{Assignment, Backup, ReadOrder, RestoreOrder, RunOrder, ToAgent};
pub use preview::PreviewOrder;
pub use read_only::Reach;
pub use read_only::private_files;
pub use redaction::find as secrets_in;
pub use reorder::{GapTooWide, Reorder};
pub use run_id::{NotARun, WireRun};
pub use state::{StateAnswer, StateAsk, StatePlace, StateWrite};
pub use tools::{InstalledTool, Toolset};

/// The largest text frame that API Gateway accepts, in bytes.
pub const FRAME_BYTES: usize = 32 * 1024;

/// The largest message that API Gateway passes to a connection, in bytes; it divides it into frames.
pub const MESSAGE_BYTES: usize = 128 * 1024;

/// How much of the start of a run's output a report carries, in bytes of UTF-8.
pub const OUTPUT_HEAD_BYTES: usize = 4096;

/// How much of the end of a run's output a report carries, in bytes of UTF-8.
pub const OUTPUT_TAIL_BYTES: usize = 4096;

/// The most workspace files that a finished run lists.
pub const LISTED_FILES: usize = 200;

/// The terminal that a browser means if it names none.
pub const MAIN_TERMINAL: &str = "main";

/// The error of a restore during a running command.
pub const RESTORE_FOUND_RUN: &str = "A command is running. Wait until it has ended.";

/// The header in which a sandbox agent sends its own secret when it dials: a token that it has presented opens
/// connections only for it. It is a header, because addresses end up in logs.
pub const DIALER_HEADER: &str = "x-groundcrew-dialer";

/// The version in `hello`: it grows when an older gateway could misread a message.
pub const VERSION: u32 = 1;

/// Returns [`MAIN_TERMINAL`] as the default of a message's field.
fn main_terminal() -> String {
    MAIN_TERMINAL.to_owned()
}
