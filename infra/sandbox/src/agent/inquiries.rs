//! Questions of the gateway, on their way to the supervisor and back.
//!
//! The agent masks an answer like a run's output and sends it once: the function that asked waits only for seconds.

use std::collections::HashMap;

use protocol::{Answer, Checked, FRAME_BYTES, FromAgent, Inquiry};

use super::Agent;
use super::Restore;
use super::mask::Mask;
use crate::pipe::Order;

/// How many questions are answered at once.
const ANSWERED_AT_ONCE: usize = 4;

/// The reasons for refusing a question.
const BUSY: &str = "The sandbox is answering other questions.";
const RESTORING: &str = "Your files are being restored.";

/// Every question without an answer, with what its answer may not show.
#[derive(Default)]
pub struct Inquiries {
    open: HashMap<String, Mask>,
}

impl Agent {
    pub(super) async fn inquire(&mut self, inquiry: Inquiry) -> anyhow::Result<()> {
        let Inquiry { request_id, question, hidden } = inquiry;
        if self.inquiries.open.contains_key(&request_id) {
            return Ok(());
        }
        let refused = match self.restore {
            Restore::Done if self.inquiries.open.len() < ANSWERED_AT_ONCE => None,
            Restore::Done => Some(BUSY),
            Restore::Unknown | Restore::UnderWay => Some(RESTORING),
        };
        if let Some(reason) = refused {
            let answer = Answer::Refused { reason: reason.to_owned() };
            self.say_if_up(&FromAgent::Answered { request_id, answer });
            return Ok(());
        }
        let mask = Mask::of(hidden.iter().map(String::as_str));
        self.inquiries.open.insert(request_id.clone(), mask);
        self.order(Order::Answer { request_id, question }, Vec::new()).await
    }

    pub(super) fn answered(&mut self, request_id: String, answer: Answer) {
        if let Some(mask) = self.inquiries.open.remove(&request_id) {
            self.say_if_up(&fitted(request_id, masked(answer, &mask)));
        }
    }
}

impl Inquiries {
    /// The supervisor ended, and with it everything it was asked.
    pub fn all_failed(&mut self) {
        self.open.clear();
    }
}

fn masked(answer: Answer, mask: &Mask) -> Answer {
    match answer {
        Answer::Checked(mut checked) => {
            for finding in &mut checked.findings {
                finding.message = mask.whole(&finding.message);
                finding.file = finding.file.take().map(|file| mask.whole(&file));
            }
            for left in &mut checked.not_checked {
                left.reason = mask.whole(&left.reason);
            }
            Answer::Checked(checked)
        }
        Answer::Printed { text, cut, exit_code } => {
            Answer::Printed { text: mask.whole(&text), cut, exit_code }
        }
        Answer::Refused { reason } => Answer::Refused { reason: mask.whole(&reason) },
    }
}

/// The answer as a message of one frame: the last findings and the end of a text give way.
fn fitted(request_id: String, mut answer: Answer) -> FromAgent {
    loop {
        let message =
            FromAgent::Answered { request_id: request_id.clone(), answer: answer.clone() };
        let bytes = serde_json::to_string(&message).map_or(0, |text| text.len());
        if bytes <= FRAME_BYTES {
            return message;
        }
        match &mut answer {
            Answer::Printed { text, cut, .. } => {
                text.truncate(text.floor_char_boundary(text.len() / 4 * 3));
                *cut = true;
            }
            Answer::Checked(Checked { findings, .. }) if !findings.is_empty() => {
                findings.truncate(findings.len() / 2);
            }
            _ => answer = Answer::Refused { reason: "The answer is too long.".to_owned() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_fits_a_frame_and_shows_no_credential() {
        let mask = Mask::of(["a-long-password"]);
        let text = format!("x a-long-password {}", "\u{1}".repeat(16 * 1024));
        let printed = masked(Answer::Printed { text, cut: false, exit_code: Some(0) }, &mask);
        let message = fitted("q".into(), printed);
        assert!(serde_json::to_string(&message).unwrap().len() <= FRAME_BYTES);
        let FromAgent::Answered { answer: Answer::Printed { text, cut, .. }, .. } = message else {
            panic!("{message:?}")
        };
        assert!(cut && text.starts_with("x ***"), "{}", &text[..20]);
    }
}
