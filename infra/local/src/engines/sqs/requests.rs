//! The requests of the SQS API.

use super::attributes::Attributes;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SendMessage {
    pub queue_url: String,
    pub message_body: String,
    #[serde(default)]
    pub message_attributes: Attributes,
    pub message_group_id: Option<String>,
    pub message_deduplication_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ReceiveMessage {
    pub queue_url: String,
    pub max_number_of_messages: Option<usize>,
    pub visibility_timeout: Option<u32>,
    pub wait_time_seconds: Option<u64>,
    #[serde(default)]
    pub attribute_names: Vec<String>,
    #[serde(default)]
    pub message_system_attribute_names: Vec<String>,
    #[serde(default)]
    pub message_attribute_names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct InFlight {
    pub queue_url: String,
    pub receipt_handle: String,
    pub visibility_timeout: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CreateQueue {
    pub queue_name: String,
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct GetQueueUrl {
    pub queue_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OfQueue {
    pub queue_url: String,
    #[serde(default)]
    pub attribute_names: Vec<String>,
}
