//! Passes the gateway's questions to the supervisor, and its answers back.
//!
//! The agent masks an answer like a run's output and sends it once, because the function that asked waits only for
//! seconds.

use std::collections::HashMap;

use protocol::{Answer, Checked, FRAME_BYTES, FromAgent, Inquiry, Question};

use super::Agent;
use super::Restore;
use super::mask::{self, Mask};
use crate::answer::Asked;
use crate::pipe::Order;
use crate::reader::Marks;

/// How many questions may be in progress at once.
const ANSWERED_AT_ONCE: usize = 4;

/// Reasons for refusing a question.
const BUSY: &str = "The sandbox is answering other questions.";
const RESTORING: &str = "Your files are being restored.";

/// Every unanswered question, with the credentials to mask in its answer.
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
        let marks = match &question {
            Question::Look { reach, .. } => mask::marks_for(reach, &hidden),
            // Some tools evaluate what they check.
            Question::Check(_) => mask::marks(&hidden),
            Question::LookUp { .. } => Marks::default(),
        };
        let asked = Asked { question, marks };
        self.order(Order::Answer { request_id, asked }, Vec::new()).await
    }

    pub(super) fn answered(&mut self, request_id: String, answer: Answer) {
        if let Some(mask) = self.inquiries.open.remove(&request_id) {
            self.say_if_up(&fitted(request_id, masked(answer, &mask)));
        }
    }
}

impl Inquiries {
    /// Handles the supervisor's end, which ends every question.
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
            let text = if cut { mask.beginning(&text) } else { mask.whole(&text) };
            Answer::Printed { text, cut, exit_code }
        }
        // The answer consists of whole lines, so no credential is cut at its end.
        Answer::Page { text, next } => Answer::Page { text: mask.whole(&text), next },
        Answer::NoPage { reason } => Answer::NoPage { reason: mask.whole(&reason) },
        Answer::Refused { reason } => Answer::Refused { reason: mask.whole(&reason) },
    }
}

/// The answer as a message that fits one frame: the last findings and the end of a text are dropped if necessary.
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

    #[test]
    fn a_page_of_documentation_shows_no_credential_and_always_fits_a_frame() {
        let mask = Mask::of(["a-long-password"]);
        let page = Answer::Page { text: "x a-long-password\n".into(), next: Some(9) };
        let shown = Answer::Page { text: "x ***\n".into(), next: Some(9) };
        assert_eq!(masked(page, &mask), shown);
        let none = Answer::NoPage { reason: "no a-long-password".into() };
        assert_eq!(masked(none, &mask), Answer::NoPage { reason: "no ***".into() });
        let text = "\"\\".repeat(protocol::PAGE_BYTES / 2);
        let page = Answer::Page { text, next: None };
        let FromAgent::Answered { answer, .. } = fitted("q".into(), page.clone()) else { panic!() };
        assert_eq!(answer, page, "even twice as long in JSON");
    }

    #[test]
    fn an_answer_that_was_cut_within_a_credential_shows_no_part_of_it() {
        let mask = Mask::of(["a-long-password"]);
        for (text, is_cut, shown) in [
            ("x a-long-pass", true, "x "),
            ("x a-long-pass", false, "x a-long-pass"),
            // A last letter may begin an encoded form of the password; a line's end begins none.
            ("x a-long-password and more\n", true, "x *** and more\n"),
        ] {
            let text = text.to_owned();
            let answer = Answer::Printed { text, cut: is_cut, exit_code: None };
            let expected = Answer::Printed { text: shown.into(), cut: is_cut, exit_code: None };
            assert_eq!(masked(answer, &mask), expected);
        }
    }
}
