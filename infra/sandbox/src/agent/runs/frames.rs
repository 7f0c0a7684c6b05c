//! Messages about runs, cut so that each fits one frame.

use protocol::{FRAME_BYTES, FromAgent, RunReport};

use crate::agent::output::Output;

fn size(message: &FromAgent) -> usize {
    serde_json::to_string(message).map_or(0, |text| text.len())
}

/// The report as a message that fits one frame: the listing is cut first, then the output, whose control characters take
/// six times their size.
pub(super) fn fitted(mut report: RunReport) -> FromAgent {
    loop {
        let message = FromAgent::RunFinished(report.clone());
        if size(&message) <= FRAME_BYTES {
            return message;
        }
        if report.files.is_empty() {
            halve(&mut report.head, &mut report.tail);
        } else {
            report.files.truncate(report.files.len() / 2);
        }
    }
}

pub(super) fn progress(run_id: &str, output: &Output, seq: u64) -> FromAgent {
    let (mut head, mut tail) = (output.head().to_owned(), output.tail().to_owned());
    loop {
        let message = FromAgent::RunProgress {
            run_id: run_id.to_owned(),
            seq,
            head: head.clone(),
            tail: tail.clone(),
            bytes: output.bytes(),
        };
        if size(&message) <= FRAME_BYTES {
            return message;
        }
        halve(&mut head, &mut tail);
    }
}

fn halve(head: &mut String, tail: &mut String) {
    head.truncate(head.floor_char_boundary(head.len() / 2));
    *tail = tail.split_off(tail.ceil_char_boundary(tail.len() / 2));
}
