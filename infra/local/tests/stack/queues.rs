use crate::local::{Clients, Local, soon};
use aws_sdk_sqs::error::ProvideErrorMetadata;
use aws_sdk_sqs::types::{
    Message, MessageAttributeValue, MessageSystemAttributeName as System, QueueAttributeName,
};
use local_stack::names;

const QUEUE: &str = "steps.fifo";

async fn send(at: &Clients, group: &str, text: &str) -> String {
    let sent = at.sqs().send_message().queue_url(at.queue(QUEUE)).message_body(text);
    let sent = sent.message_group_id(group).message_deduplication_id(text).send().await.unwrap();
    sent.message_id.unwrap()
}

async fn receive(at: &Clients, queue: &str) -> Vec<Message> {
    let ask = at.sqs().receive_message().queue_url(at.queue(queue)).max_number_of_messages(10);
    let ask = ask.message_system_attribute_names(System::All).message_attribute_names("All");
    ask.send().await.unwrap().messages.unwrap_or_default()
}

async fn delete(at: &Clients, message: &Message) {
    let delete = at.sqs().delete_message().queue_url(at.queue(QUEUE));
    delete.receipt_handle(message.receipt_handle.as_ref().unwrap()).send().await.unwrap();
}

/// Makes a message in flight visible again at once.
async fn release(at: &Clients, message: &Message) {
    let change =
        at.sqs().change_message_visibility().queue_url(at.queue(QUEUE)).visibility_timeout(0);
    change.receipt_handle(message.receipt_handle.as_ref().unwrap()).send().await.unwrap();
}

fn bodies(messages: &[Message]) -> Vec<&str> {
    messages.iter().filter_map(Message::body).collect()
}

#[tokio::test]
async fn a_groups_next_message_waits_until_the_first_is_deleted() {
    let local = Local::start().await;
    let at = &local.clients;
    send(at, "a", "a1").await;
    let first = receive(at, QUEUE).await;
    send(at, "a", "a2").await;
    send(at, "b", "b1").await;
    assert_eq!(bodies(&first), ["a1"]);
    assert_eq!(bodies(&receive(at, QUEUE).await), ["b1"]);
    delete(at, &first[0]).await;
    assert_eq!(bodies(&receive(at, QUEUE).await), ["a2"]);
}

#[tokio::test]
async fn a_group_is_received_in_the_order_it_was_sent() {
    let local = Local::start().await;
    for text in ["1", "2", "3"] {
        send(&local.clients, "a", text).await;
    }
    assert_eq!(bodies(&receive(&local.clients, QUEUE).await), ["1", "2", "3"]);
}

#[tokio::test]
async fn a_repeated_deduplication_id_is_enqueued_once() {
    let local = Local::start().await;
    let at = &local.clients;
    let first = send(at, "a", "same").await;
    assert_eq!(send(at, "a", "same").await, first);
    let received = receive(at, QUEUE).await;
    assert_eq!(received.len(), 1);
    delete(at, &received[0]).await;
    assert_eq!(send(at, "a", "same").await, first, "remembered after it is gone");
    assert!(receive(at, QUEUE).await.is_empty());
}

#[tokio::test]
async fn a_released_message_is_delivered_again_and_counted() {
    let local = Local::start().await;
    let at = &local.clients;
    send(at, "a", "x").await;
    for count in ["1", "2"] {
        let message = receive(at, QUEUE).await.remove(0);
        let attributes = message.attributes().unwrap();
        assert_eq!(attributes[&System::ApproximateReceiveCount], count);
        assert_eq!(attributes[&System::MessageGroupId], "a");
        release(at, &message).await;
    }
}

#[tokio::test]
async fn an_outdated_receipt_deletes_nothing() {
    let local = Local::start().await;
    let at = &local.clients;
    send(at, "a", "x").await;
    let outdated = receive(at, QUEUE).await.remove(0);
    release(at, &outdated).await;
    let current = receive(at, QUEUE).await.remove(0);
    let delete_outdated = at.sqs().delete_message().queue_url(at.queue(QUEUE));
    let refused = delete_outdated.receipt_handle(outdated.receipt_handle.unwrap()).send().await;
    assert_eq!(refused.unwrap_err().code(), Some("InvalidParameterValue"));
    release(at, &current).await;
    assert_eq!(receive(at, QUEUE).await.len(), 1);
}

#[tokio::test]
async fn a_message_that_fails_too_often_goes_to_the_dead_letter_queue_and_frees_its_group() {
    let local = Local::start().await;
    let at = &local.clients;
    send(at, "a", "bad").await;
    for _ in 0..names::STEPS_RECEIVES {
        let message = receive(at, QUEUE).await.remove(0);
        release(at, &message).await;
    }
    send(at, "a", "good").await;
    assert_eq!(bodies(&receive(at, QUEUE).await), ["good"]);
    let dead = receive(at, "steps-dead.fifo").await;
    assert_eq!(bodies(&dead), ["bad"]);
    let source = &dead[0].attributes().unwrap()[&System::DeadLetterQueueSourceArn];
    assert_eq!(source, "arn:aws:sqs:us-east-1:000000000000:steps.fifo");
}

#[tokio::test]
async fn a_waiting_reader_gets_a_message_when_it_is_sent() {
    let local = Local::start().await;
    let at = local.clients;
    let waiting = tokio::spawn(async move {
        let ask = at.sqs().receive_message().queue_url(at.queue(QUEUE)).wait_time_seconds(20);
        ask.send().await.unwrap().messages.unwrap_or_default()
    });
    send(&at, "a", "now").await;
    assert_eq!(bodies(&soon(waiting).await.unwrap()), ["now"]);
}

#[tokio::test]
async fn a_message_becomes_visible_in_time_while_a_reader_waits() {
    let local = Local::start().await;
    let at = &local.clients;
    send(at, "a", "x").await;
    let ask = || at.sqs().receive_message().queue_url(at.queue(QUEUE)).wait_time_seconds(20);
    ask().visibility_timeout(1).send().await.unwrap();
    assert_eq!(soon(ask().send()).await.unwrap().messages().len(), 1);
}

#[tokio::test]
async fn attributes_and_settings_are_returned() {
    let local = Local::start().await;
    let at = &local.clients;
    let kind =
        MessageAttributeValue::builder().data_type("String").string_value("run").build().unwrap();
    let sent = at.sqs().send_message().queue_url(at.queue(QUEUE)).message_body("x");
    let sent = sent
        .message_group_id("a")
        .message_deduplication_id("x")
        .message_attributes("kind", kind.clone());
    let sent = sent.send().await.unwrap();
    let message = receive(at, QUEUE).await.remove(0);
    assert_eq!(message.message_attributes().unwrap()["kind"], kind);
    assert_eq!(message.md5_of_body, sent.md5_of_message_body);
    assert_eq!(message.md5_of_message_attributes, sent.md5_of_message_attributes);
    let url = at
        .sqs()
        .get_queue_url()
        .queue_name("agent-runs.fifo")
        .send()
        .await
        .unwrap()
        .queue_url
        .unwrap();
    let settings =
        at.sqs().get_queue_attributes().queue_url(url).attribute_names(QueueAttributeName::All);
    let settings = settings.send().await.unwrap().attributes.unwrap();
    let visibility = names::AGENT_RUNS_VISIBILITY_SECONDS.to_string();
    assert_eq!(settings[&QueueAttributeName::VisibilityTimeout], visibility);
    let redrive = &settings[&QueueAttributeName::RedrivePolicy];
    let most = format!("\"maxReceiveCount\":{}", names::AGENT_RUNS_RECEIVES);
    assert!(redrive.contains("agent-runs-dead.fifo") && redrive.contains(&most), "{redrive}");
}

#[tokio::test]
async fn an_unknown_queue_and_a_missing_group_are_refused() {
    let local = Local::start().await;
    let at = &local.clients;
    let unknown = at.sqs().get_queue_url().queue_name("nothing.fifo").send().await.unwrap_err();
    assert!(unknown.into_service_error().is_queue_does_not_exist());
    let ungrouped =
        at.sqs().send_message().queue_url(at.queue(QUEUE)).message_body("x").send().await;
    assert_eq!(ungrouped.unwrap_err().code(), Some("MissingParameter"));
}
