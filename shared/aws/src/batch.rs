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

/// Whether the message has already failed this many times. Its runner then ends the work that a user waits for, and
/// does not try again.
///
/// This happens at a delivery after the last try and not in the dead-letter queue, because a function that reads a
/// queue polls it all the time, which costs money, and dead messages are rare. SQS also counts a delivery whose
/// function died.
pub fn is_spent(message: &SqsMessage, tries: u32) -> bool {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse::<u32>().ok()).is_some_and(|count| count > tries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str, deliveries: u32) -> SqsMessage {
        let mut message = SqsMessage::default();
        message.message_id = Some(id.to_owned());
        let count = ("ApproximateReceiveCount".to_owned(), deliveries.to_string());
        message.attributes.extend([count]);
        message
    }

    #[tokio::test]
    async fn only_the_message_that_failed_is_delivered_again() {
        let mut event = SqsEvent::default();
        event.records = ["a", "b", "c"].map(|id| message(id, 1)).into();
        let handled = each_message(event, |message: SqsMessage| async move {
            if message.message_id.as_deref() == Some("b") { Err(()) } else { Ok(()) }
        });
        let failed = handled.await.batch_item_failures;
        assert_eq!(failed.iter().map(|f| f.item_identifier.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_message_has_used_up_its_tries_only_after_the_last_one() {
        assert!(!is_spent(&message("a", 1), 5));
        assert!(!is_spent(&message("a", 5), 5));
        assert!(is_spent(&message("a", 6), 5));
        assert!(!is_spent(&SqsMessage::default(), 5));
    }
}
