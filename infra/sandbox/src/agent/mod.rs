//! The outer role: talks to the gateway and keeps the records.
//!
//! One loop owns everything and waits only for the next event; slow work (dialing, transfers) is a task that reports
//! back. Repeatable messages are not queued but generated when there is room for them: progress and results come from
//! [`runs`], terminal frames from [`terminals`], so a slow or absent gateway costs no memory.

mod backend;
mod backups;
mod browsers;
mod files;
mod gateway;
mod hello;
mod inquiries;
mod inside;
mod journal;
mod leaving;
mod link;
mod mask;
mod output;
mod pooled;
mod previews;
mod reports;
mod restore;
mod runs;
mod scrollback;
mod sequence;
mod serve;
mod settings;
mod state;
mod terminals;
mod transfer;
mod usage;
mod viewer;
mod workspace;

use std::collections::VecDeque;
use std::time::Duration;

use protocol::{Assignment, Backup, FromAgent, RunOrder};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use tokio::sync::{mpsc, watch};

use crate::confinement::{Inside, Plan};
pub use settings::Settings;

/// How many connection events may wait for the loop.
const WAITING_HAPPENINGS: usize = 64;

/// How many orders may wait until the workspace is restored; the gateway delivers any others again.
const EARLY_RUNS: usize = 16;

/// How many backups may wait for the restore.
const EARLY_BACKUPS: usize = 4;

/// How many messages that cannot be repeated may wait for a connection.
const PARKED: usize = 64;

/// Runs the agent until it has to stop.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    // No other process of the same user may read the token or a run's credentials from /proc.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let state = state::State::take(&settings.state_dir)?;
    let (user, token) = match &settings.user {
        Some(user) => (user.clone(), settings.token.clone()),
        None => match pooled::wait(&settings).await? {
            Some(Assignment { user, token }) => (user, token),
            None => return Ok(()),
        },
    };
    let plan = settings.plan(&user)?;
    let runs = runs::Runs::open(state.path("runs"))?;
    let inside = plan.start().await?;
    tracing::info!(confinement = ?plan.confinement, user = plan.user, "the sandbox is up");

    let (tokens, newest) = watch::channel(token);
    let (happened, happenings) = mpsc::channel(WAITING_HAPPENINGS);
    let (done, finished) = mpsc::channel(WAITING_HAPPENINGS);
    let dialing = tokio::spawn(link::keep(
        settings.websocket_url.clone(),
        settings.renew_after(),
        newest,
        happened,
    ));
    let mut agent = Agent {
        backups: backups::Backups::open(state.path("spool"))?,
        state,
        plan,
        inside,
        runs,
        terminals: terminals::Terminals::default(),
        files: files::Files::default(),
        browsers: browsers::Browsers::default(),
        inquiries: inquiries::Inquiries::default(),
        previews: previews::Previews::default(),
        backend: backend::Backend::default(),
        usage: usage::Usage::begin(),
        sequence: sequence::Sequence::start(),
        link: None,
        tokens,
        reports: reports::Reports::default(),
        hello: hello::Hello::default(),
        confines: crate::reader::is_possible(),
        welcomed: false,
        restore: Restore::Unknown,
        restoring: None,
        early: VecDeque::new(),
        early_backups: VecDeque::new(),
        parked: VecDeque::new(),
        client: transfer::client()?,
        done,
        grace: settings.grace(),
        leaving: None,
        unsaved: false,
        uploads: 0,
    };
    let served = agent.serve(happenings, finished).await;
    dialing.abort();
    served
}

/// Progress of filling the workspace: before the first run, and during a restore.
#[derive(Debug, PartialEq, Eq)]
enum Restore {
    /// No `welcome` has arrived yet to say whether there is a backup.
    Unknown,
    /// The backup is being fetched.
    UnderWay,
    Done,
}

/// The report of one of the agent's tasks.
enum Done {
    /// A backup was fetched and handed to the supervisor, or this failed: for the restore with this id, or for the
    /// first fill.
    Fetched(Option<String>, anyhow::Result<()>),
    /// The log of a run was uploaded, or the upload was given up.
    LogPut { run_id: String },
    /// A zip was uploaded, or the upload was given up.
    Uploaded(FromAgent),
    /// The content of a preview was transferred between the agent and the bucket, or the transfer failed.
    Preview(previews::Moved),
    /// A version of Terraform's state was transferred between the agent and the bucket, or the transfer failed.
    State(backend::Moved),
}

struct Agent {
    state: state::State,
    plan: Plan,
    inside: Inside,
    runs: runs::Runs,
    terminals: terminals::Terminals,
    files: files::Files,
    browsers: browsers::Browsers,
    inquiries: inquiries::Inquiries,
    previews: previews::Previews,
    backend: backend::Backend,
    usage: usage::Usage,
    backups: backups::Backups,
    reports: reports::Reports,
    sequence: sequence::Sequence,
    link: Option<link::Link>,
    tokens: watch::Sender<String>,
    hello: hello::Hello,
    /// Whether a reader can be confined here; `false` once one could not, whatever the kernel promises.
    confines: bool,
    /// Whether the gateway has ever answered.
    welcomed: bool,
    restore: Restore,
    restoring: Option<restore::Restoring>,
    /// Runs that arrived on this connection before the workspace was filled; none of them is accepted yet.
    early: VecDeque<RunOrder>,
    /// Backups requested before then: a backup of the empty workspace would replace the one that is to fill it.
    early_backups: VecDeque<Backup>,
    /// Messages that wait for a connection.
    parked: VecDeque<FromAgent>,
    client: reqwest::Client,
    done: mpsc::Sender<Done>,
    /// The time between SIGTERM and SIGKILL.
    grace: Duration,
    leaving: Option<leaving::Leaving>,
    /// Whether the workspace may have changed since the last backup began.
    unsaved: bool,
    /// The number of uploads in progress.
    uploads: usize,
}
