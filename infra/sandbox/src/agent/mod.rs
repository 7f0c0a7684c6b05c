//! The outer role: speaks with the gateway and remembers.
//!
//! One loop owns everything and waits for nothing but the next event: what takes time (dialling, transfers) is a
//! task that reports back. What can be said again is not queued but made when there is room for it: progress
//! and results come from [`runs`], terminal frames from [`terminals`], so that a slow or absent gateway costs no memory.

mod backups;
mod files;
mod gateway;
mod inside;
mod journal;
mod link;
mod mask;
mod output;
mod pooled;
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

use protocol::{Assignment, Backup, FromAgent, RunOrder};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use tokio::sync::{mpsc, watch};

use crate::confinement::{Inside, Plan};
pub use settings::Settings;

/// How many events of connections may wait for the loop.
const WAITING_HAPPENINGS: usize = 64;

/// How many orders wait for the workspace to be restored; the gateway delivers the others again.
const EARLY_RUNS: usize = 16;

/// How many backups wait for the same.
const EARLY_BACKUPS: usize = 4;

/// How many messages that cannot be made again wait for a connection.
const PARKED: usize = 64;

/// Runs the agent until it is told to stop.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    // No process of ours, whoever's it is, may read the token or a run's credentials out of /proc.
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
    let dialling = tokio::spawn(link::keep(
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
        usage: usage::Usage::begin(),
        sequence: sequence::Sequence::start(),
        link: None,
        tokens,
        welcomed: false,
        restore: Restore::Unknown,
        restoring: None,
        early: VecDeque::new(),
        early_backups: VecDeque::new(),
        parked: VecDeque::new(),
        client: transfer::client()?,
        done,
    };
    let served = agent.serve(happenings, finished).await;
    dialling.abort();
    served
}

/// The workspace's filling: before the first run, and when a backup takes its place.
#[derive(Debug, PartialEq, Eq)]
enum Restore {
    /// No `welcome` has said yet whether there is a backup.
    Unknown,
    /// On its way.
    UnderWay,
    Done,
}

/// What a task of the agent reports.
enum Done {
    /// A backup is fetched and handed to the supervisor, or could not be; for the restore of this id, or the first
    /// filling.
    Fetched(Option<String>, anyhow::Result<()>),
    /// The log of a run is put, or is given up.
    LogPut { run_id: String },
    /// A zip is put, or is given up.
    Uploaded(FromAgent),
}

struct Agent {
    state: state::State,
    plan: Plan,
    inside: Inside,
    runs: runs::Runs,
    terminals: terminals::Terminals,
    files: files::Files,
    usage: usage::Usage,
    backups: backups::Backups,
    sequence: sequence::Sequence,
    link: Option<link::Link>,
    tokens: watch::Sender<String>,
    welcomed: bool,
    restore: Restore,
    restoring: Option<restore::Restoring>,
    /// Runs that came before the workspace was there.
    early: VecDeque<RunOrder>,
    /// Backups that were asked for before: of an empty workspace, they would replace the one that is to fill it.
    early_backups: VecDeque<Backup>,
    /// Messages that wait for a connection.
    parked: VecDeque<FromAgent>,
    client: reqwest::Client,
    done: mpsc::Sender<Done>,
}
