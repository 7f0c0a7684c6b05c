//! Message attributes and the digests by which clients check what was stored.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A typed value that accompanies a message's body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct MessageAttribute {
    /// `String`, `Number` or `Binary`, with an optional `.label`.
    pub data_type: String,
    /// The value of a string or number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string_value: Option<String>,
    /// The value of a binary attribute, in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary_value: Option<String>,
}

/// Attributes by name.
pub type Attributes = BTreeMap<String, MessageAttribute>;

/// MD5 of a body, in hexadecimal.
pub fn md5_of_body(body: &str) -> String {
    hex::encode(Md5::digest(body.as_bytes()))
}

/// MD5 of attributes in SQS's own encoding; `None` if there are none.
pub fn md5_of_attributes(attributes: &Attributes) -> Option<String> {
    if attributes.is_empty() {
        return None;
    }
    let mut digest = Md5::new();
    for (name, attribute) in attributes {
        add(&mut digest, name.as_bytes());
        add(&mut digest, attribute.data_type.as_bytes());
        match (&attribute.string_value, &attribute.binary_value) {
            (Some(text), _) => {
                digest.update([STRING]);
                add(&mut digest, text.as_bytes());
            }
            (None, Some(binary)) => {
                digest.update([BINARY]);
                add(&mut digest, &STANDARD.decode(binary).unwrap_or_default());
            }
            (None, None) => {}
        }
    }
    Some(hex::encode(digest.finalize()))
}

/// Marks a string or number in the digest.
const STRING: u8 = 1;
/// Marks a binary in the digest.
const BINARY: u8 = 2;

fn add(digest: &mut Md5, bytes: &[u8]) {
    digest.update(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    digest.update(bytes);
}
