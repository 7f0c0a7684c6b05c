//! A fake sandbox agent that a test controls.

use api_tests::{Project, Socket};
use domain::Timestamp;
use domain::sandbox::SandboxStatus;
use protocol::{FromAgent, Outcome, RunOrder, RunReport, ToAgent};
use std::collections::VecDeque;
use store::sandboxes::Sandboxes;
use store::tokens::{Grant, Tokens};

/// How long the first token is valid, in seconds: longer than any test.
const TOKEN_SECONDS: i64 = 600;

/// An agent, and the received messages that the test has not waited for yet.
pub struct Agent {
    socket: Socket,
    unread: VecDeque<ToAgent>,
}

impl Agent {
    /// Takes the place of a project's sandbox, as its next generation.
    pub async fn of(project: &Project) -> Self {
        let (table, scope) = (project.app().table(), project.scope());
        let sandboxes = Sandboxes::new(&table);
        let started = sandboxes.change(scope, |sandbox| {
            sandbox.status = SandboxStatus::Creating;
            sandbox.generation += 1;
            sandbox.hello = 0;
            sandbox.connection_id = None;
            sandbox.started_at = Some(Timestamp::now());
            true
        });
        let (sandbox, _) = started.await.unwrap().unwrap();
        let grant = Grant::Sandbox { scope, generation: sandbox.generation };
        let token = Tokens::new(&table).issue(grant, TOKEN_SECONDS).await.unwrap();
        Self::with_token(project, token.expose()).await.0
    }

    /// Connects with a token without a hello.
    pub async fn opens(project: &Project, token: &str) -> Self {
        let address = project.app().url("/ws").replacen("http", "ws", 1);
        let socket = Socket::open(&format!("{address}?token={token}")).await.unwrap();
        Self { socket, unread: VecDeque::new() }
    }

    /// Connects with a token and says hello; also returns the token for the next connection.
    pub async fn with_token(project: &Project, token: &str) -> (Self, String) {
        let mut agent = Self::opens(project, token).await;
        agent.says_hello(0).await;
        let (next, _) = agent.welcomed().await;
        (agent, next)
    }

    /// Says hello with this number.
    pub async fn says_hello(&mut self, seq: u64) {
        self.socket.says_hello(seq).await;
    }

    /// Waits for a welcome: the token for the next connection, and the backup that fills an empty workspace.
    pub async fn welcomed(&mut self) -> (String, Option<String>) {
        self.wait_for(|message| match message {
            ToAgent::Welcome { next_token, restore_url, .. } => {
                Some((next_token.clone(), restore_url.clone()))
            }
            _ => None,
        })
        .await
    }

    /// Sends a message.
    pub async fn says(&mut self, message: FromAgent) {
        self.socket.send(&message).await;
    }

    /// Waits for a message that `pick` accepts; the others are kept for later.
    pub async fn wait_for<T>(&mut self, pick: impl Fn(&ToAgent) -> Option<T>) -> T {
        if let Some(place) = self.unread.iter().position(|message| pick(message).is_some()) {
            return pick(&self.unread.remove(place).unwrap()).unwrap();
        }
        loop {
            let message = self.socket.next().await.expect("the gateway keeps the connection");
            match pick(&message) {
                Some(picked) => return picked,
                None => self.unread.push_back(message),
            }
        }
    }

    /// Waits for the next order to run a command.
    pub async fn order(&mut self) -> RunOrder {
        self.wait_for(|message| match message {
            ToAgent::Run(order) => Some(order.clone()),
            _ => None,
        })
        .await
    }

    /// Waits until the gateway confirms that this run's end is recorded.
    pub async fn recorded(&mut self, run_id: &str) {
        self.wait_for(|message| match message {
            ToAgent::RunRecorded { run_id: recorded } if recorded == run_id => Some(()),
            _ => None,
        })
        .await;
    }

    /// Acknowledges a run.
    pub async fn accepts(&mut self, order: &RunOrder) {
        self.says(FromAgent::RunAccepted { run_id: order.run_id.clone(), seq: 1 }).await;
    }

    /// Reports what a run has printed so far.
    pub async fn shows(&mut self, order: &RunOrder, seq: u64, output: &str) {
        let progress = FromAgent::RunProgress {
            run_id: order.run_id.clone(),
            seq,
            head: output.to_owned(),
            tail: String::new(),
            bytes: output.len() as u64,
        };
        self.says(progress).await;
    }

    /// Acknowledges a run and ends it with this exit code and output.
    pub async fn runs(&mut self, order: &RunOrder, exit_code: i32, output: &str) {
        self.accepts(order).await;
        self.says(ended(&order.run_id, exit_code, output)).await;
        self.recorded(&order.run_id).await;
    }
}

/// The report of a run's end.
pub fn ended(run_id: &str, exit_code: i32, output: &str) -> FromAgent {
    FromAgent::RunFinished(RunReport {
        run_id: run_id.to_owned(),
        seq: 1_000,
        outcome: Outcome::Exited,
        exit_code: Some(exit_code),
        duration_ms: 1,
        head: output.to_owned(),
        tail: String::new(),
        bytes: output.len() as u64,
        files: Vec::new(),
        detail: None,
        saved_plan: None,
    })
}
