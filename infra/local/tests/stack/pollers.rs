use crate::local::{Local, soon};
use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use local_stack::Functions;
use local_stack::functions::QueueMapping;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

const QUEUE: &str = "steps.fifo";

/// A function that passes its messages on, reports `fail` as failed and dies on `die`, each the first time.
async fn start() -> (Local, mpsc::UnboundedReceiver<SqsMessage>) {
    let (messages, received) = mpsc::unbounded_channel();
    let function: local_stack::functions::QueueFunction = Arc::new(move |event: SqsEvent| {
        let messages = messages.clone();
        Box::pin(async move {
            let mut response = SqsBatchResponse::default();
            for message in event.records {
                let first = message.attributes["ApproximateReceiveCount"] == "1";
                let (body, id) =
                    (message.body.clone().unwrap(), message.message_id.clone().unwrap());
                messages.send(message).unwrap();
                match body.as_str() {
                    "fail" if first => {
                        let mut failure = BatchItemFailure::default();
                        failure.item_identifier = id;
                        response.batch_item_failures.push(failure);
                    }
                    "die" if first => panic!("as asked"),
                    _ => {}
                }
            }
            response
        })
    });
    let mapping =
        QueueMapping { queue: QUEUE, batch: 10, timeout: Duration::from_secs(10), function };
    let local = Local::with(Functions { queues: vec![mapping], ..Functions::nothing() }).await;
    // One second, so that a failed message soon returns.
    let sqs = local.clients.sqs();
    let create = sqs.create_queue().queue_name(QUEUE);
    let create = create.attributes(aws_sdk_sqs::types::QueueAttributeName::VisibilityTimeout, "1");
    create.send().await.unwrap();
    (local, received)
}

async fn send(local: &Local, group: &str, text: &str) {
    let send =
        local.clients.sqs().send_message().queue_url(local.clients.queue(QUEUE)).message_body(text);
    send.message_group_id(group)
        .message_deduplication_id(format!("{group}-{text}"))
        .send()
        .await
        .unwrap();
}

async fn next(messages: &mut mpsc::UnboundedReceiver<SqsMessage>) -> (String, String) {
    let message = soon(messages.recv()).await.unwrap();
    (message.body.unwrap(), message.attributes["ApproximateReceiveCount"].clone())
}

fn pair(body: &str, count: &str) -> (String, String) {
    (body.to_owned(), count.to_owned())
}

#[tokio::test]
async fn a_failed_message_returns_before_the_rest_of_its_group() {
    let (local, mut messages) = start().await;
    send(&local, "a", "fail").await;
    assert_eq!(next(&mut messages).await, pair("fail", "1"));
    send(&local, "a", "after").await;
    assert_eq!(next(&mut messages).await, pair("fail", "2"));
    // In a FIFO queue this is delivered only once the one before it was deleted.
    assert_eq!(next(&mut messages).await, pair("after", "1"));
}

#[tokio::test]
async fn a_function_that_dies_has_failed_its_batch() {
    let (local, mut messages) = start().await;
    send(&local, "a", "die").await;
    assert_eq!(next(&mut messages).await, pair("die", "1"));
    assert_eq!(next(&mut messages).await, pair("die", "2"));
}

#[tokio::test]
async fn another_group_does_not_wait_for_a_failed_one() {
    let (local, mut messages) = start().await;
    send(&local, "a", "fail").await;
    assert_eq!(next(&mut messages).await, pair("fail", "1"));
    send(&local, "b", "other").await;
    assert_eq!(next(&mut messages).await, pair("other", "1"));
}

#[tokio::test]
async fn a_message_has_the_form_that_lambda_gives_it() {
    let (local, mut messages) = start().await;
    send(&local, "project-1", "x").await;
    let message = soon(messages.recv()).await.unwrap();
    assert_eq!(message.event_source.as_deref(), Some("aws:sqs"));
    assert_eq!(
        message.event_source_arn.as_deref(),
        Some("arn:aws:sqs:us-east-1:000000000000:steps.fifo")
    );
    assert_eq!(message.attributes["MessageGroupId"], "project-1");
    assert_eq!(message.attributes["MessageDeduplicationId"], "project-1-x");
    assert!(message.receipt_handle.is_some() && message.md5_of_body.is_some());
}
