//! A question for a sandbox.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Question;

/// A question for the sandbox: it needs no approval, has no credentials and leaves no trace.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inquiry {
    /// The id that the answer repeats.
    pub request_id: String,
    /// The question.
    pub question: Question,
    /// Values that the answer must hide: all credentials of the project.
    #[serde(default)]
    pub hidden: Vec<String>,
}

/// Shows no credential.
impl fmt::Debug for Inquiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inquiry").field("request_id", &self.request_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Bench, BenchFile, BenchTool, FromAgent, ToAgent};
    use serde_json::json;

    #[test]
    fn a_question_and_its_answer_have_their_json_form() {
        let bench = Bench {
            script: "bash deploy.sh".into(),
            files: vec![BenchFile { path: "deploy.sh".into(), text: "if\n".into() }],
            tools: vec![BenchTool { name: "bash -n".into(), places: vec!["deploy.sh".into()] }],
        };
        let inquiry = Inquiry {
            request_id: "q".into(),
            question: Question::Check(bench),
            hidden: vec!["hush".into()],
        };
        let ask = ToAgent::Ask(inquiry);
        let value = serde_json::to_value(&ask).unwrap();
        assert_eq!((&value["type"], &value["question"]["kind"]), (&json!("ask"), &json!("check")));
        assert_eq!(serde_json::from_value::<ToAgent>(value).unwrap(), ask);
        assert!(!format!("{ask:?}").contains("hush"));
        let answered = json!({"type": "answered", "request_id": "q",
            "answer": {"kind": "printed", "text": "a", "cut": true, "exit_code": null}});
        let expected = Answer::Printed { text: "a".into(), cut: true, exit_code: None };
        let answered: FromAgent = serde_json::from_value(answered).unwrap();
        assert_eq!(answered, FromAgent::Answered { request_id: "q".into(), answer: expected });
    }
}
