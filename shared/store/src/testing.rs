//! A fresh table in memory behind DynamoDB's own wire protocol, for tests.

pub mod faults;

use crate::Table;
use crate::table::{Item, item_bytes, text};
use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use aws_sdk_dynamodb::{Client, Config};
use domain::Scope;
use domain::step::Track;

/// A new table in its own engine, which lives as long as the runtime in which it was made.
///
/// # Panics
///
/// If the engine does not start, because no test can run without it.
#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
pub async fn table() -> Table {
    table_with(|config| config).await
}

/// The same, behind a client that the test configures.
///
/// # Panics
///
/// If the engine does not start, because no test can run without it.
#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
pub async fn table_with(configure: impl FnOnce(Builder) -> Builder) -> Table {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let database = dynoxide::Database::memory().expect("an engine in memory");
    tokio::spawn(dynoxide::server::serve_on(listener, database));
    let builder = || {
        Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .endpoint_url(format!("http://{address}"))
    };
    create(&Client::from_conf(builder().build()), "groundcrew").await;
    Table::new(Client::from_conf(configure(builder()).build()), "groundcrew")
}

#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
async fn create(client: &Client, name: &str) {
    let mut request =
        client.create_table().table_name(name).billing_mode(BillingMode::PayPerRequest);
    for (attribute, role) in [("pk", KeyType::Hash), ("sk", KeyType::Range)] {
        let definition = AttributeDefinition::builder()
            .attribute_name(attribute)
            .attribute_type(ScalarAttributeType::S);
        let element = KeySchemaElement::builder().attribute_name(attribute).key_type(role);
        request = request
            .attribute_definitions(definition.build().expect("a definition"))
            .key_schema(element.build().expect("a key"));
    }
    request.send().await.expect("the table is created");
}

/// The keys of every item in the table, with its size in bytes as DynamoDB counts it.
///
/// # Panics
///
/// If the table fails, because no test can run without it.
#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
pub async fn sizes(table: &Table) -> Vec<(String, String, usize)> {
    let scan = table.client.scan().table_name(&table.name).into_paginator().items().send();
    let items = scan.collect::<Result<Vec<_>, _>>().await.expect("the table is read");
    let key = |item: &Item, name: &str| text(item, name);
    items.iter().map(|item| (key(item, "pk"), key(item, "sk"), item_bytes(item))).collect()
}

/// Makes every turn this many seconds older, as if it had been offered and leased that much earlier.
///
/// # Panics
///
/// If the table fails, because no test can run without it.
#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
pub async fn turns_wait(table: &Table, seconds: i64) {
    let key = ("pk", AttributeValue::S("TURNS".to_owned()));
    let query = table.client.query().table_name(&table.name).key_condition_expression("pk = :pk");
    let turns = query.expression_attribute_values(":pk", key.1.clone()).send().await;
    for turn in turns.expect("the turns are listed").items() {
        let earlier = |name: &str| Some(format!("{name} = {name} - :seconds"));
        let names = ["offered_at", "leased_until"].into_iter().filter(|n| turn.contains_key(*n));
        let set: Vec<_> = names.filter_map(earlier).collect();
        let update = table.client.update_item().table_name(&table.name);
        let update = update.key(key.0, key.1.clone()).key("sk", turn["sk"].clone());
        let update = update.update_expression(format!("SET {}", set.join(", ")));
        let update = update.condition_expression("attribute_exists(pk)");
        let by = AttributeValue::N(seconds.to_string());
        // The turn may have ended in the meantime.
        update.expression_attribute_values(":seconds", by).send().await.ok();
    }
}

/// Removes marks from the header of a project's execution, as if a function of an earlier version had written it.
///
/// # Panics
///
/// If the table fails, because no test can run without it.
#[allow(clippy::expect_used, reason = "a test cannot run without its table")]
pub async fn forgets_marks(table: &Table, scope: Scope, marks: &[&str]) {
    let key = crate::executions::header_key(scope, Track::Execution);
    let update = table.client.update_item().table_name(&table.name);
    let update = update.set_key(Some(key.attributes()));
    let update = update.update_expression(format!("REMOVE {}", marks.join(", ")));
    update.send().await.expect("the marks are removed");
}
