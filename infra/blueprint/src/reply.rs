//! The answer of a role.

use serde_json::Value;

/// One answer: text, and at most one tool call after it.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub text: String,
    pub call: Option<Call>,
}

/// A call of an offered tool.
#[derive(Debug, Clone)]
pub struct Call {
    pub name: &'static str,
    pub arguments: Value,
}

impl Reply {
    /// An answer that is only text.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), call: None }
    }

    /// A tool call with a short text before it.
    pub fn call(text: impl Into<String>, name: &'static str, arguments: Value) -> Reply {
        Reply { text: text.into(), call: Some(Call { name, arguments }) }
    }
}
