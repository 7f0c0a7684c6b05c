use crate::local::{Clients, Local, browser};
use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

pub async fn put(at: &Clients, pk: &str) {
    let put = at
        .dynamodb()
        .put_item()
        .table_name("groundcrew")
        .item("pk", text(pk))
        .item("sk", text("x"));
    put.condition_expression("attribute_not_exists(pk)").send().await.unwrap();
}

pub async fn is_there(at: &Clients, pk: &str) -> bool {
    let get =
        at.dynamodb().get_item().table_name("groundcrew").key("pk", text(pk)).key("sk", text("x"));
    get.send().await.unwrap().item.is_some()
}

#[tokio::test]
async fn a_failed_condition_has_its_own_error() {
    let local = Local::start().await;
    put(&local.clients, "a").await;
    let again = local.clients.dynamodb().put_item().table_name("groundcrew");
    let again = again
        .item("pk", text("a"))
        .item("sk", text("x"))
        .condition_expression("attribute_not_exists(pk)");
    let refused = again.send().await.unwrap_err().into_service_error();
    assert!(refused.is_conditional_check_failed_exception());
}

#[tokio::test]
async fn a_canceled_transaction_gives_its_reasons_and_writes_nothing() {
    let local = Local::start().await;
    put(&local.clients, "a").await;
    let item = |pk: &str| {
        let put =
            Put::builder().table_name("groundcrew").item("pk", text(pk)).item("sk", text("x"));
        let put = put.condition_expression("attribute_not_exists(pk)").build().unwrap();
        TransactWriteItem::builder().put(put).build()
    };
    let write = local
        .clients
        .dynamodb()
        .transact_write_items()
        .transact_items(item("b"))
        .transact_items(item("a"));
    let refused = write.send().await.unwrap_err().into_service_error();
    assert!(refused.is_transaction_canceled_exception());
    assert!(!is_there(&local.clients, "b").await);
}

#[tokio::test]
async fn items_expire_at_their_attribute() {
    let local = Local::start().await;
    let setting = local
        .clients
        .dynamodb()
        .describe_time_to_live()
        .table_name("groundcrew")
        .send()
        .await
        .unwrap();
    let setting = setting.time_to_live_description.unwrap();
    assert_eq!(setting.attribute_name(), Some("expires_at"));
}

#[tokio::test]
async fn an_unsigned_call_is_refused() {
    let local = Local::start().await;
    let call = browser()
        .post(local.clients.engines())
        .header("x-amz-target", "DynamoDB_20120810.ListTables");
    let call = call.header("content-type", "application/x-amz-json-1.0").body("{}");
    assert_eq!(call.send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn a_call_with_a_foreign_host_or_an_invented_signature_is_refused() {
    let local = Local::start().await;
    let port = local.clients.ports.engines;
    let refused = async |host: String, path: &str| {
        let call = browser().get(format!("{}{path}", local.clients.engines()));
        call.header("host", host).send().await.unwrap().status()
    };
    assert_eq!(refused(format!("127.0.0.1:{port}"), "/_local/dynamodb/calls").await, 200);
    for path in ["/_local/dynamodb/calls", "/groundcrew/backups/1", "/@connections/a"] {
        assert_eq!(refused(format!("rebound.example:{port}"), path).await, 403, "{path}");
    }
    let call = browser()
        .post(local.clients.engines())
        .header("x-amz-target", "DynamoDB_20120810.ListTables")
        .header("x-amz-date", "20260101T000000Z")
        .header(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, \
             SignedHeaders=host;x-amz-date;x-amz-target, Signature=00",
        );
    assert_eq!(call.body("{}").send().await.unwrap().status(), 403);
}
