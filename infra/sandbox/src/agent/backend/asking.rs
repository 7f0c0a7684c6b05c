//! Turns Terraform's requests into questions to the gateway, and the gateway's answers into Terraform's.

use protocol::{STATE_BYTES, StateAnswer, StateAsk, StatePlace};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::super::{Agent, Done};
use super::terraform::{self, Call};
use super::{Asked, Moved, NAME_BYTES, Request, content, random, terminal};
use crate::pipe::{DATA_BYTES, Order};

const NO_ANSWER: &str = "Groundcrew is not answering. Try again in a moment.";

impl Agent {
    /// Creates a password for a terminal that is about to open.
    pub(in crate::agent) fn let_terraform_in(&mut self, order: &mut Order) {
        if let Order::Open { terminal: name, backend, .. } = order {
            *backend = self.backend.password();
            if let Some(password) = backend {
                self.backend.admit(&terminal(name), password);
            }
        }
    }

    /// Accepts a request from Terraform whose body has arrived.
    pub(in crate::agent) async fn backend_asked(&mut self, request: Request) -> anyhow::Result<()> {
        let Request { job, method, path, lock_id, password, bytes } = request;
        let body = self.backend.bodies.remove(&job).unwrap_or_default();
        let Some(holder) = self.backend.holders.get(&password).cloned() else {
            return self.respond(job, 401, Vec::new()).await;
        };
        if bytes > STATE_BYTES {
            let text = format!(
                "The state has {bytes} bytes; Groundcrew keeps up to {STATE_BYTES}. Terraform leaves it in errored.tfstate. \
                 Split the configuration into several root modules."
            );
            return self.fail(job, &holder, 413, &text).await;
        }
        let Some((state, call)) = terraform::read(&method, &path, lock_id, &body) else {
            return self.respond(job, 400, Vec::new()).await;
        };
        let (ask, content) = match call {
            Call::Read => (StateAsk::Read, Vec::new()),
            Call::Lock(info) => {
                self.backend.lock(state, info, job, holder);
                return Ok(());
            }
            Call::Unlock(lock_id) => (StateAsk::Unlock { lock_id }, Vec::new()),
            Call::Write(mut write) => {
                write.version = random::<NAME_BYTES>();
                write.sha256 = hex::encode(Sha256::digest(&body));
                (StateAsk::Write(write), body)
            }
        };
        self.backend.ask(state, ask, Some(job), holder, content);
        Ok(())
    }

    /// Handles the gateway's answer.
    pub(in crate::agent) async fn state_answered(
        &mut self,
        request_id: &str,
        answer: StateAnswer,
    ) -> anyhow::Result<()> {
        let Some(asked) = self.backend.asked.remove(request_id) else { return Ok(()) };
        let Asked { order, state, ask, job, holder, content, .. } = asked;
        match (&ask, &answer) {
            (StateAsk::Lock { info, .. }, StateAnswer::Done) if job.is_none() => {
                // Terraform was already refused, or has ended.
                let unlock = StateAsk::Unlock { lock_id: Some(info.id.clone()) };
                self.backend.locks.remove(&info.id);
                self.backend.ask(state.clone(), unlock, None, holder.clone(), Vec::new());
            }
            (StateAsk::Lock { .. }, StateAnswer::Done) => {}
            (StateAsk::Lock { info, .. }, _) => drop(self.backend.locks.remove(&info.id)),
            (StateAsk::Unlock { lock_id }, StateAnswer::Done) => {
                self.backend.released(&state, lock_id.as_ref(), order);
            }
            (StateAsk::Write(_), StateAnswer::Place(place)) => {
                self.put_state((state, job, holder), place.clone(), content);
                return Ok(());
            }
            (StateAsk::Read, StateAnswer::Place(place)) => {
                self.fetch_state(job, holder, place.clone());
                return Ok(());
            }
            _ => {}
        }
        let Some(job) = job else { return Ok(()) };
        match answer {
            StateAnswer::Done => self.respond(job, 200, Vec::new()).await,
            StateAnswer::Nothing => self.respond(job, 204, Vec::new()).await,
            StateAnswer::Locked { info, holder: other } => {
                let text = format!(
                    "{} has the state locked: {}. Wait until it is done.",
                    terraform::in_words(&other),
                    info.operation
                );
                self.note(&holder, &text);
                self.respond(job, 423, terraform::lock_json(&info)).await
            }
            StateAnswer::Refused { reason } => self.fail(job, &holder, 409, &reason).await,
            StateAnswer::Place(_) => self.respond(job, 500, Vec::new()).await,
        }
    }

    fn fetch_state(&self, job: Option<u64>, holder: String, place: StatePlace) {
        let Some(job) = job else { return };
        let (client, done) = (self.client.clone(), self.done.clone());
        tokio::spawn(async move {
            let content = content::fetch(&client, &place).await;
            let _ = done.send(Done::State(Moved::Fetched { job, holder, content })).await;
        });
    }

    fn put_state(
        &self,
        (state, job, holder): (String, Option<u64>, String),
        place: StatePlace,
        content: Vec<u8>,
    ) {
        let (client, done) = (self.client.clone(), self.done.clone());
        tokio::spawn(async move {
            let put = content::put(&client, &place, content).await;
            let version = place.version;
            let moved = Moved::Put { state, version, job, holder, put };
            let _ = done.send(Done::State(moved)).await;
        });
    }

    pub(in crate::agent) async fn state_moved(&mut self, moved: Moved) -> anyhow::Result<()> {
        match moved {
            Moved::Fetched { job, content: Ok(content), .. } => {
                self.respond(job, 200, content).await
            }
            Moved::Fetched { job, holder, content: Err(error) } => {
                self.fail(job, &holder, 500, &format!("The state could not be read: {error:#}."))
                    .await
            }
            Moved::Put { state, version, job, holder, put: Ok(()) } => {
                self.backend.ask(state, StateAsk::Written { version }, job, holder, Vec::new());
                Ok(())
            }
            Moved::Put { job: Some(job), holder, put: Err(error), .. } => {
                let text = format!("The state could not be stored: {error:#}.");
                self.fail(job, &holder, 500, &text).await
            }
            Moved::Put { .. } => Ok(()),
        }
    }

    /// Answers Terraform with an error because the gateway does not answer, and drops what is no longer needed.
    pub(in crate::agent) async fn give_up_states(&mut self, now: Instant) -> anyhow::Result<()> {
        while let Some(request_id) = self.backend.late(now) {
            let Some(asked) = self.backend.asked.get_mut(&request_id) else { continue };
            let (job, holder) = (asked.job.take(), asked.holder.clone());
            if job.is_none() || matches!(asked.ask, StateAsk::Read | StateAsk::Write(_)) {
                self.backend.asked.remove(&request_id);
            }
            if let Some(job) = job {
                self.fail(job, &holder, 503, NO_ANSWER).await?;
            }
        }
        Ok(())
    }

    /// Refuses a request from Terraform. Terraform shows only the status, so the reason goes into the run's output.
    async fn fail(&mut self, job: u64, holder: &str, status: u16, why: &str) -> anyhow::Result<()> {
        self.note(holder, why);
        self.respond(job, status, Vec::new()).await
    }

    fn note(&mut self, holder: &str, text: &str) {
        self.runs.printed(holder, format!("Terraform's state: {text}\n").as_bytes());
    }

    async fn respond(&mut self, job: u64, status: u16, content: Vec<u8>) -> anyhow::Result<()> {
        let mut parts = content.chunks(DATA_BYTES).peekable();
        loop {
            let part = parts.next().unwrap_or_default().to_vec();
            let last = parts.peek().is_none();
            self.order(Order::Respond { job, status, last }, part).await?;
            if last {
                return Ok(());
            }
        }
    }
}
