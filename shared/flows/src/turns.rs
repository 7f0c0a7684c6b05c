//! Asks for an agent's turn, and offers it again if no function takes it.
//!
//! SQS hides a received message for the queue's visibility timeout. AWS refuses to map a queue to a function that may
//! run longer than that, so a queue of ten-minute turns hides its messages for twelve minutes. A function that has
//! begun shortens this to a lease of seconds (see `aws::Queue::leased`). Nothing shortens it for a function that dies
//! earlier, for example in its cold start: neither a shorter timeout of the queue nor another setting of the mapping
//! helps, and only a receiver can make a message visible. Meanwhile its group, the project, waits behind it.
//!
//! So turns are not recorded in the queue alone. The table lists each turn from before its message is sent until it is
//! over (`store::turns`). Each minute, the reaper sends another message for the turns that no function has taken, in a
//! separate group. The lost message comes late and finds its turn over. Turns that are requested behind it in the
//! meantime are offered again in the same way, so they wait for a minute at most.
//!
//! Under load, a turn that only waits for a free function may be offered again. That costs a message but no model call:
//! one message takes the turn, and the others are dropped.

use aws::{AwsError, Queue};
use domain::work::AgentRun;
use settings::{ConfigError, SdkConfig};
use store::{StoreError, Table};

/// Asks for turns.
#[derive(Clone, Debug)]
pub struct Turns {
    owed: store::turns::Turns,
    agent_runs: Queue,
}

/// Why a turn could not be requested.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl Turns {
    /// Uses the table and the queue `agent-runs`.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self { owed: store::turns::Turns::new(table), agent_runs: Queue::agent_runs(sdk)? })
    }

    /// Asks for a turn. Asking again for the same run is harmless.
    pub async fn ask(&self, run: &AgentRun) -> Result<(), TurnError> {
        self.owed.ask(run).await?;
        Ok(self.agent_runs.send_agent_run(run).await?)
    }

    /// Offers the turns that no function has taken again; returns their number.
    ///
    /// The message is sent first: after a crash before it is recorded, the same one is sent again, and the queue drops
    /// it.
    pub async fn offer_again(&self) -> Result<usize, TurnError> {
        let untaken = self.owed.untaken().await?;
        for turn in &untaken {
            self.agent_runs.send_agent_run_again(&turn.run, turn.offers + 1).await?;
            self.owed.offered(turn).await?;
        }
        Ok(untaken.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lambda_events::sqs::SqsMessage;
    use aws_sdk_sqs::config::{BehaviorVersion, Credentials, Region};
    use axum::Router;
    use axum::extract::State;
    use axum::http::HeaderMap;
    use axum::routing::post;
    use domain::{AgentId, InstallationId, ProjectId, RunId, Scope};
    use serde_json::{Value, json};
    use std::sync::{Arc, Mutex};
    use store::testing;

    const SCOPE: Scope = Scope { installation: InstallationId(1), project: ProjectId(7) };

    /// The calls that a queue has received: operation and body.
    type Calls = Arc<Mutex<Vec<(String, Value)>>>;

    async fn answer(
        State(calls): State<Calls>,
        headers: HeaderMap,
        body: String,
    ) -> axum::Json<Value> {
        let target = headers["x-amz-target"].to_str().unwrap();
        let operation = target.rsplit('.').next().unwrap().to_owned();
        let body: Value = serde_json::from_str(&body).unwrap();
        calls.lock().unwrap().push((operation, body));
        axum::Json(json!({}))
    }

    async fn queue(calls: &Calls) -> Queue {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/", post(answer)).with_state(calls.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .endpoint_url(&address)
            .build();
        let url = format!("{address}/000000000000/agent-runs.fifo");
        Queue::of(aws_sdk_sqs::Client::from_conf(config), url)
    }

    fn sent(calls: &Calls, name: &str) -> Vec<String> {
        let calls = calls.lock().unwrap();
        let sent = calls.iter().filter(|(operation, _)| operation == "SendMessage");
        sent.map(|(_, body)| body[name].as_str().unwrap().to_owned()).collect()
    }

    #[tokio::test]
    async fn a_turn_that_no_function_takes_is_offered_again_in_a_separate_group() {
        let (table, calls) = (testing::table().await, Calls::default());
        let owed = store::turns::Turns::new(&table);
        let turns = Turns { owed: owed.clone(), agent_runs: queue(&calls).await };
        let run_id = RunId::random();
        let message = "Generate".to_owned();
        let agent = AgentId::CloudArchitect;
        let run = AgentRun::GeneratePlan { scope: SCOPE, agent, run_id: run_id.clone(), message };
        turns.ask(&run).await.unwrap();
        assert_eq!(turns.offer_again().await.unwrap(), 0, "its message may be on the way");

        testing::turns_wait(&table, 10).await;
        assert_eq!(turns.offer_again().await.unwrap(), 1);
        assert_eq!(
            turns.offer_again().await.unwrap(),
            0,
            "the second message may also be on its way"
        );
        testing::turns_wait(&table, 10).await;
        assert_eq!(turns.offer_again().await.unwrap(), 1);
        assert_eq!(sent(&calls, "MessageGroupId"), ["7", run_id.0.as_str(), run_id.0.as_str()]);
        let names = [run_id.to_string(), format!("{run_id}.1"), format!("{run_id}.2")];
        assert_eq!(sent(&calls, "MessageDeduplicationId"), names);
        let bodies = sent(&calls, "MessageBody");
        assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");

        let lease = owed.take(&run_id, "a").await.unwrap().unwrap();
        testing::turns_wait(&table, 10).await;
        assert_eq!(turns.offer_again().await.unwrap(), 0, "a reader is working on it");
        owed.end(&lease).await.unwrap();
        assert_eq!(turns.offer_again().await.unwrap(), 0, "it is over");
    }

    #[tokio::test]
    async fn work_on_a_message_begins_with_its_lease() {
        let calls = Calls::default();
        let queue = queue(&calls).await;
        let mut message = SqsMessage::default();
        message.receipt_handle = Some("receipt".to_owned());
        let before = queue.leased(&message, async { calls.lock().unwrap().clone() }).await;
        let [(operation, body)] = before.as_slice() else { panic!("{before:?}") };
        assert_eq!(
            (operation.as_str(), &body["ReceiptHandle"]),
            ("ChangeMessageVisibility", &json!("receipt"))
        );
    }
}
