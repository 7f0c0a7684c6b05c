//! Batches of queue messages, handled and reported message by message.

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};

/// Handles the messages one after another and returns those that SQS should deliver again. `one` logs the reason.
pub async fn each_message<F, E>(
    event: SqsEvent,
    one: impl Fn(SqsMessage) -> F + Send,
) -> SqsBatchResponse
where
    F: Future<Output = Result<(), E>> + Send,
    E: Send,
{
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let id = message.message_id.clone().unwrap_or_default();
        if one(message).await.is_err() {
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
    }
    response
}

/// Whether its queue gave the message up and moved it to the dead-letter queue.
pub fn is_dead(message: &SqsMessage) -> bool {
    message.event_source_arn.as_deref().is_some_and(|arn| arn.ends_with("-dead.fifo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str, queue: &str) -> SqsMessage {
        let mut message = SqsMessage::default();
        message.message_id = Some(id.to_owned());
        message.event_source_arn = Some(format!("arn:aws:sqs:eu-central-1:1:{queue}"));
        message
    }

    #[tokio::test]
    async fn only_the_message_that_failed_is_delivered_again() {
        let mut event = SqsEvent::default();
        event.records = ["a", "b", "c"].map(|id| message(id, "steps.fifo")).into();
        let handled = each_message(event, |message: SqsMessage| async move {
            if message.message_id.as_deref() == Some("b") { Err(()) } else { Ok(()) }
        });
        let failed = handled.await.batch_item_failures;
        assert_eq!(failed.iter().map(|f| f.item_identifier.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_dead_message_is_known_by_its_queue() {
        assert!(is_dead(&message("a", "prod-steps-dead.fifo")));
        assert!(!is_dead(&message("a", "prod-steps.fifo")));
        assert!(!is_dead(&SqsMessage::default()));
    }
}
