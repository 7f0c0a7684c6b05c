//! Terraform's HTTP backend: answers Terraform's requests in the sandbox, and keeps the state with the gateway.
//!
//! Each approved run and each terminal gets its own password, which expires with it. A reading has no password, so it
//! never sees a state. By the password the agent also tells the gateway which command holds a lock. The agent transfers
//! the state's content directly to and from the bucket, and encrypts it here.
//!
//! A request from Terraform becomes one or two questions to the gateway, each repeated until the gateway answers. If no
//! answer comes in time, Terraform gets an error and tries again; the agent keeps repeating questions that release a
//! lock or complete a write. Questions are numbered, because repeated ones overtake each other on their way: an old one
//! neither takes nor releases a lock that was asked for after it.

mod asking;
mod content;
mod terraform;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use protocol::{FromAgent, LockInfo, STATE_BYTES, StateAsk};
use rand::Rng;
use tokio::time::Instant;

/// Random bytes in a password: 256 bits, too many to guess.
const PASSWORD_BYTES: usize = 32;

/// Random bytes in the name of a request or a version.
const NAME_BYTES: usize = 16;

/// Time after which an unanswered question is asked again.
const REPEAT_AFTER: Duration = Duration::from_secs(3);

/// How long Terraform waits for the gateway before it tries again.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long the agent repeats a question after Terraform has stopped waiting for its answer.
const LINGER: Duration = Duration::from_secs(300);

/// How many requests may wait for their bodies; the supervisor sends four at once.
const JOBS: usize = 8;

/// Terraform's requests and the questions that they became.
#[derive(Default)]
pub struct Backend {
    /// Whether the gateway keeps states.
    open: bool,
    /// The runs and terminals, by password.
    holders: HashMap<String, String>,
    bodies: HashMap<u64, Vec<u8>>,
    asked: BTreeMap<String, Asked>,
    /// Locks that commands here hold or have asked for, by id.
    locks: HashMap<String, Held>,
    /// How many questions there have been.
    count: u64,
}

struct Held {
    state: String,
    holder: String,
    /// The number of the question for it.
    order: u64,
}

/// A question to the gateway.
struct Asked {
    /// Its number.
    order: u64,
    state: String,
    ask: StateAsk,
    /// Terraform's request that waits for the answer.
    job: Option<u64>,
    holder: String,
    /// The content to write.
    content: Vec<u8>,
    since: Instant,
    sent: Option<Instant>,
}

/// A request from Terraform, as the supervisor passes it on.
pub struct Request {
    pub job: u64,
    pub method: String,
    pub path: String,
    pub lock_id: Option<String>,
    pub password: String,
    pub bytes: u64,
}

/// The end of a transfer between the agent and the bucket.
pub enum Moved {
    Fetched {
        job: u64,
        holder: String,
        content: anyhow::Result<Vec<u8>>,
    },
    Put {
        state: String,
        version: String,
        job: Option<u64>,
        holder: String,
        put: anyhow::Result<()>,
    },
}

impl Backend {
    /// Records whether the gateway keeps states.
    pub fn set_open(&mut self, open: bool) {
        self.open = open;
    }

    /// Creates a password; `None` if the gateway keeps no state.
    pub fn password(&self) -> Option<String> {
        self.open.then(random::<PASSWORD_BYTES>)
    }

    /// Allows a run or terminal to use this password.
    pub fn admit(&mut self, holder: &str, password: &str) {
        self.holders.insert(password.to_owned(), holder.to_owned());
    }

    /// Ends a run's or terminal's access: its password becomes void, and its locks are released.
    pub fn over(&mut self, holder: &str) {
        self.holders.retain(|_, known| known != holder);
        let held: Vec<_> = self.locks.extract_if(|_, held| held.holder == holder).collect();
        for (id, Held { state, holder, .. }) in held {
            self.ask(state, StateAsk::Unlock { lock_id: Some(id) }, None, holder, Vec::new());
        }
    }

    /// Handles the supervisor's end, which ends every command too. A write that has begun continues: its content already
    /// exists.
    pub fn all_over(&mut self) {
        self.bodies.clear();
        for asked in self.asked.values_mut() {
            asked.job = None;
        }
        let holders: Vec<_> = self.holders.drain().map(|(_, holder)| holder).collect();
        holders.iter().for_each(|holder| self.over(holder));
    }

    /// Takes the next part of a request's body.
    pub fn part(&mut self, job: u64, data: &[u8]) {
        if self.bodies.len() < JOBS || self.bodies.contains_key(&job) {
            let body = self.bodies.entry(job).or_default();
            if body.len() + data.len() <= usize::try_from(STATE_BYTES).unwrap_or(usize::MAX) {
                body.extend_from_slice(data);
            }
        }
    }

    fn ask(
        &mut self,
        state: String,
        ask: StateAsk,
        job: Option<u64>,
        holder: String,
        content: Vec<u8>,
    ) {
        self.count += 1;
        let (order, since) = (self.count, Instant::now());
        let asked = Asked { order, state, ask, job, holder, content, since, sent: None };
        self.asked.insert(random::<NAME_BYTES>(), asked);
    }

    /// Asks for a lock. It counts as held from here on, so a question from another command does not release it as
    /// abandoned. If Terraform tries again while an earlier try is unanswered, it gets the answer to that one.
    fn lock(&mut self, state: String, info: LockInfo, job: u64, holder: String) {
        let unanswered = self.asked.values_mut().find(|asked| asked.is_for_lock(&state, &info.id));
        if let Some(asked) = unanswered {
            (asked.job, asked.since) = (Some(job), Instant::now());
            return;
        }
        let order = self.count + 1;
        let held = Held { state: state.clone(), holder: holder.clone(), order };
        self.locks.insert(info.id.clone(), held);
        let held = self.locks.keys().cloned().collect();
        let ask = StateAsk::Lock { info, holder: holder.clone(), held };
        self.ask(state, ask, Some(job), holder, Vec::new());
    }

    /// Forgets the locks of a state that are released: the one with this id, or all, but none that was asked for later.
    fn released(&mut self, state: &str, id: Option<&String>, order: u64) {
        self.locks.retain(|held_id, held| {
            held.state != state || held.order > order || id.is_some_and(|id| id != held_id)
        });
    }

    /// The messages to send now.
    pub fn news(&mut self, now: Instant) -> Vec<FromAgent> {
        let due = self.asked.iter_mut().filter(|(_, asked)| asked.due(now) <= now);
        due.map(|(request_id, asked)| {
            asked.sent = Some(now);
            let (request_id, name) = (request_id.clone(), asked.state.clone());
            FromAgent::State { request_id, name, order: asked.order, ask: asked.ask.clone() }
        })
        .collect()
    }

    /// When the next message is due.
    pub fn next_turn(&self) -> Option<Instant> {
        let now = Instant::now();
        self.asked.values().map(|asked| asked.due(now)).min()
    }

    /// When a request has waited long enough.
    pub fn gives_up(&self) -> Option<Instant> {
        self.asked.values().map(Asked::until).min()
    }

    /// Makes every message due again: messages on the old connection may be lost.
    pub fn say_again(&mut self) {
        for asked in self.asked.values_mut() {
            asked.sent = None;
        }
    }

    /// A question that was not answered in time.
    fn late(&self, now: Instant) -> Option<String> {
        let late = self.asked.iter().find(|(_, asked)| asked.until() <= now);
        late.map(|(request_id, _)| request_id.clone())
    }
}

impl Asked {
    fn is_for_lock(&self, state: &str, id: &str) -> bool {
        self.state == state && matches!(&self.ask, StateAsk::Lock { info, .. } if info.id == id)
    }

    fn due(&self, now: Instant) -> Instant {
        self.sent.map_or(now, |sent| sent + REPEAT_AFTER)
    }

    fn until(&self) -> Instant {
        self.since + self.job.map_or(LINGER, |_| PATIENCE)
    }
}

/// The name under which a terminal holds a lock.
pub fn terminal(name: &str) -> String {
    format!("{}{name}", terraform::TERMINAL)
}

/// This many random bytes, in hexadecimal.
fn random<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    rand::rng().fill(&mut bytes[..]);
    hex::encode(bytes)
}

#[cfg(test)]
mod tests;
