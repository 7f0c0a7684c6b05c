//! The gateway's requests to the services inside a sandbox.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{PreviewAsk, PreviewBody};

/// The gateway's request to list the services of a sandbox, or to ask one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewOrder {
    /// The id that the answer repeats.
    pub request_id: String,
    /// The request.
    pub ask: PreviewAsk,
    /// The request's body.
    #[serde(default)]
    pub body: PreviewBody,
    /// Presigned GET of a stored body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_url: Option<String>,
    /// Presigned PUT for an answer that does not fit a frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_url: Option<String>,
}

/// Shows no content and no signed address.
impl fmt::Debug for PreviewOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreviewOrder").field("request_id", &self.request_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromAgent, PreviewAnswer, PreviewFailure, Previewed, ToAgent};
    use serde_json::json;

    #[test]
    fn a_preview_request_and_its_answer_have_their_json_form() {
        let order = ToAgent::Preview(PreviewOrder {
            request_id: "p".into(),
            ask: PreviewAsk::Ports,
            body: PreviewBody::Nowhere,
            body_url: None,
            answer_url: Some("https://signed".into()),
        });
        let value = serde_json::to_value(&order).unwrap();
        assert_eq!((&value["type"], &value["ask"]["kind"]), (&json!("preview"), &json!("ports")));
        assert_eq!(serde_json::from_value::<ToAgent>(value).unwrap(), order);
        assert!(!format!("{order:?}").contains("signed"));
        let failed = FromAgent::Previewed {
            request_id: "p".into(),
            previewed: Previewed::from(PreviewFailure::NotListening),
        };
        let value = serde_json::to_value(&failed).unwrap();
        let answer = json!({"kind": "failed", "reason": "not_listening"});
        assert_eq!((&value["type"], &value["answer"]), (&json!("previewed"), &answer));
        assert_eq!(serde_json::from_value::<FromAgent>(value).unwrap(), failed);
        let served = PreviewAnswer::Served { status: 200, headers: Vec::new() };
        let body = PreviewBody::Here { base64: "YQ==".into() };
        let served = FromAgent::Previewed {
            request_id: "p".into(),
            previewed: Previewed { answer: served, body },
        };
        let value = serde_json::to_value(&served).unwrap();
        assert_eq!(serde_json::from_value::<FromAgent>(value).unwrap(), served);
    }
}
