//! Returns the current documentation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::documentation::Documentation;
use utoipa::ToSchema;

/// The text for missing documentation; pages recognize it.
const NO_DOCUMENTATION: &str = "No documentation has been created yet.";
/// The text for a missing quickstart.
const NO_QUICKSTART: &str = "No quickstart guide has been created yet.";

/// The documentation of a project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DocumentationBody {
    /// Always `success`.
    pub status: String,
    /// Markdown.
    pub documentation: String,
    /// Markdown.
    pub quickstart: String,
    /// Hosts, ports, users; secrets as references only. Null before it is written.
    #[schema(required, value_type = Option<Object>)]
    pub key_value_data: Option<Map<String, Value>>,
}

impl From<Documentation> for DocumentationBody {
    fn from(documentation: Documentation) -> Self {
        let or = |text: String, none: &str| if text.is_empty() { none.to_owned() } else { text };
        Self {
            status: "success".to_owned(),
            documentation: or(documentation.documentation, NO_DOCUMENTATION),
            quickstart: or(documentation.quickstart, NO_QUICKSTART),
            key_value_data: serde_json::from_str(&documentation.key_value_data).ok(),
        }
    }
}
