//! EventBridge: the schedule's minute and the changes of ECS tasks, both for the sandbox-reaper.

use crate::engines::dynamodb::DynamoDb;
use crate::engines::ecs::{Ecs, Events};
use crate::functions::EventFunction;
use crate::names;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// The interval at which expired items are deleted.
const MINUTE: Duration = Duration::from_secs(60);
/// How long the sandbox-reaper may take, as in `template.yaml`.
const TIMEOUT: Duration = Duration::from_secs(55);
/// How often an event is delivered if the function fails: Lambda tries an asynchronous call three times.
const ATTEMPTS: u32 = 3;
/// The pause before the second attempt; it doubles.
const PAUSE: Duration = Duration::from_secs(1);

/// Calls the reaper at once and then each minute, or at the requested interval.
pub async fn schedule(reaper: EventFunction, every: Duration, stop: CancellationToken) {
    let mut minutes = tokio::time::interval(every);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = minutes.tick() => minute(&reaper).await,
        };
    }
}

/// Calls the reaper as the schedule does; returns whether it succeeded.
pub async fn minute(reaper: &EventFunction) -> bool {
    tell(reaper, scheduled()).await
}

/// Deletes expired items each minute.
pub async fn expire(dynamodb: DynamoDb, stop: CancellationToken) {
    let mut minutes = tokio::time::interval(MINUTE);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = minutes.tick() => dynamodb.expire().await,
        }
    }
}

/// Notifies the reaper of each change of a task.
pub async fn announce(
    reaper: EventFunction,
    ecs: Ecs,
    mut changes: Events,
    stop: CancellationToken,
) {
    loop {
        let task = tokio::select! {
            () = stop.cancelled() => return,
            task = changes.recv() => match task {
                Some(task) => task,
                None => return,
            },
        };
        if tell(&reaper, task.to_event()).await {
            ecs.announced(&task);
        }
    }
}

async fn tell(reaper: &EventFunction, event: Value) -> bool {
    let mut pause = PAUSE;
    for attempt in 1..=ATTEMPTS {
        let mut running = tokio::spawn(reaper(event.clone()));
        match tokio::time::timeout(TIMEOUT, &mut running).await {
            Ok(Ok(Ok(()))) => return true,
            Ok(Ok(Err(error))) => tracing::warn!(attempt, error, "the sandbox-reaper failed"),
            Ok(Err(error)) => tracing::error!(attempt, %error, "the sandbox-reaper died"),
            Err(_elapsed) => {
                running.abort();
                tracing::error!(attempt, "the sandbox-reaper took too long");
            }
        }
        if attempt < ATTEMPTS {
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }
    false
}

fn scheduled() -> Value {
    let rule = format!("arn:aws:events:{}:{}:rule/sandbox-reaper", names::REGION, names::ACCOUNT);
    json!({
        "version": "0",
        "id": crate::ids::request_id(),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": names::ACCOUNT,
        "time": crate::ids::rfc3339(crate::ids::now_ms()),
        "region": names::REGION,
        "resources": [rule],
        "detail": {},
    })
}
