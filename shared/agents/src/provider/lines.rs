//! Splits the body of a reply into its messages: server-sent events, or JSON documents.
//!
//! The body itself shows which of them it is, because servers send one with the content type of the other. Where
//! servers leave out the blank line between events, or send an error as a bare line of JSON, each line is a message.

use super::error::{Denied, Kind, ModelError};
use super::wire;
use serde_json::Value;

/// The most bytes of one message, or of a whole document: many times the longest reply that is kept.
const MESSAGE_BYTES: usize = 4 << 20;

/// A message of the reply.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// What the provider says.
    Json(Value),
    /// The same in an event that is named `error`.
    Error(Value),
    /// The protocol's mark of the end.
    Done,
}

/// The part of the body that is not a message yet.
#[derive(Debug, Default)]
pub(super) struct Lines {
    form: Form,
    /// The line that is arriving, or the whole document.
    held: Vec<u8>,
    /// Whether the last line ended with a carriage return, so that a line feed belongs to the same line end.
    returned: bool,
    /// The data of the event that is arriving.
    data: String,
    /// What is open in it.
    open: Open,
    /// Whether that event is named `error`.
    named_error: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    Events,
    Document,
}

/// What is open in a JSON text that arrives line by line, so that it is parsed only where it may be complete: parsing it
/// at each of its lines would take time in proportion to the square of its length.
#[derive(Debug, Default)]
struct Open {
    brackets: i64,
    quoted: bool,
    escaped: bool,
    /// Nothing was open and it was not JSON, so no further line can complete it.
    hopeless: bool,
}

impl Open {
    fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.quoted => self.escaped = true,
                b'"' => self.quoted = !self.quoted,
                b'{' | b'[' if !self.quoted => self.brackets += 1,
                b'}' | b']' if !self.quoted => self.brackets -= 1,
                _ => {}
            }
        }
    }

    fn may_be_complete(&self) -> bool {
        self.brackets <= 0 && !self.quoted && !self.hopeless
    }
}

impl Lines {
    /// Adds the messages that this packet completes.
    pub(super) fn push(
        &mut self,
        packet: &[u8],
        messages: &mut Vec<Message>,
    ) -> Result<(), ModelError> {
        for byte in packet {
            if self.form == Form::Unknown && !byte.is_ascii_whitespace() {
                if *byte == b'<' {
                    let page = ModelError::new(Kind::Refused(Denied::Address), "a web page");
                    return Err(page);
                }
                self.form = if b"{[".contains(byte) { Form::Document } else { Form::Events };
            }
            let follows_return = std::mem::take(&mut self.returned);
            match byte {
                b'\n' | b'\r' if self.form != Form::Document => {
                    self.returned = *byte == b'\r';
                    if !(*byte == b'\n' && follows_return) {
                        self.line(messages)?;
                    }
                }
                byte => self.held.push(*byte),
            }
        }
        if self.held.len() + self.data.len() > MESSAGE_BYTES {
            return Err(ModelError::new(Kind::OverBudget, "a message without an end"));
        }
        Ok(())
    }

    /// Adds the messages that the end of the body completes.
    pub(super) fn end(&mut self, messages: &mut Vec<Message>) -> Result<(), ModelError> {
        if self.form == Form::Document {
            let held = std::mem::take(&mut self.held);
            for document in serde_json::Deserializer::from_slice(&held).into_iter::<Value>() {
                match document.map_err(wire::malformed)? {
                    Value::Array(parts) => messages.extend(parts.into_iter().map(Message::Json)),
                    document => messages.push(Message::Json(document)),
                }
            }
            return Ok(());
        }
        self.line(messages)?;
        self.dispatch(messages)
    }

    /// Takes the line that has ended.
    fn line(&mut self, messages: &mut Vec<Message>) -> Result<(), ModelError> {
        let line = String::from_utf8(std::mem::take(&mut self.held));
        let line = line.map_err(|_| wire::interrupted("a line that is not UTF-8"))?;
        let line = line.trim();
        if line.is_empty() {
            return self.dispatch(messages);
        }
        if let Some(name) = line.strip_prefix("event:") {
            self.named_error = name.trim() == "error";
        } else if let Some(data) = line.strip_prefix("data:") {
            self.data(data.trim(), messages)?;
        } else if line.starts_with('{') {
            self.data(line, messages)?;
            self.dispatch(messages)?;
        }
        Ok(())
    }

    /// Adds a line of data to the event, or begins another event if this one is complete.
    fn data(&mut self, data: &str, messages: &mut Vec<Message>) -> Result<(), ModelError> {
        if !self.data.is_empty() {
            let complete = self.open.may_be_complete()
                && serde_json::from_str::<serde::de::IgnoredAny>(&self.data).is_ok();
            self.open.hopeless |= self.open.may_be_complete() && !complete;
            if complete || data == DONE {
                self.dispatch(messages)?;
            } else {
                self.data.push('\n');
            }
        }
        self.data.push_str(data);
        self.open.read(data);
        if self.data == DONE {
            self.dispatch(messages)?;
        }
        Ok(())
    }

    fn dispatch(&mut self, messages: &mut Vec<Message>) -> Result<(), ModelError> {
        let (data, named_error) =
            (std::mem::take(&mut self.data), std::mem::take(&mut self.named_error));
        self.open = Open::default();
        if data.is_empty() {
            return Ok(());
        }
        if data == DONE {
            messages.push(Message::Done);
            return Ok(());
        }
        let message = serde_json::from_str(&data).map_err(wire::malformed)?;
        messages.push(if named_error { Message::Error(message) } else { Message::Json(message) });
        Ok(())
    }
}

/// The data of the last event.
const DONE: &str = "[DONE]";

#[cfg(test)]
mod tests {
    use super::*;
    use growth::{assert_linear, repeated};
    use serde_json::json;

    #[test]
    fn replies_are_split_in_linear_time() {
        for piece in [
            "data: 1,\n",
            "data: [\n",
            "data: ]\n",
            "data: {\"a\":\n",
            "data: \"\n",
            "data: a\n",
            "data:\n",
            "data: {}\n",
            "\r",
            "\n",
            "event: error\n",
            "{\n",
            "{}",
            "a",
            "[DONE]",
            "data: [DONE]\n",
            "data: \\\"\n",
        ] {
            for begin in ["", "data: [1,\n", "data: [1],\n", "{"] {
                let make = |bytes| format!("{begin}{}", repeated(piece, bytes)).into_bytes();
                assert_linear(&format!("{begin:?} {piece:?}"), 2 * 1024, make, |body| {
                    let (mut lines, mut messages) = (Lines::default(), Vec::new());
                    for packet in body.chunks(64) {
                        std::hint::black_box(lines.push(packet, &mut messages).ok());
                    }
                    std::hint::black_box(lines.end(&mut messages).ok());
                });
            }
        }
    }

    #[test]
    fn an_event_in_many_lines_of_data_is_one_message() {
        let body = "data: {\"a\": [\ndata: \"}\\\"]\",\ndata: 1]\ndata: }\ndata: {\"b\": 2}\n\n";
        let expected = [json!({"a": ["}\"]", 1]}), json!({"b": 2})].map(Message::Json);
        assert_eq!(messages(body), expected);
    }

    /// The messages of a body that arrives in packets of each size.
    fn messages(body: &str) -> Vec<Message> {
        let read = |bytes: usize| {
            let mut lines = Lines::default();
            let packets = body.as_bytes().chunks(bytes);
            let mut messages = Vec::new();
            packets.for_each(|packet| lines.push(packet, &mut messages).unwrap());
            lines.end(&mut messages).unwrap();
            messages
        };
        let whole = read(body.len());
        assert!((1..9).all(|bytes| read(bytes) == whole), "{body:?}");
        whole
    }

    #[test]
    fn events_are_read_with_every_line_end_and_without_blank_lines() {
        let expected =
            [Message::Json(json!({"a": 1})), Message::Json(json!({"é": 2})), Message::Done];
        for body in [
            "data: {\"a\": 1}\n\ndata: {\"é\": 2}\n\ndata: [DONE]\n\n",
            "data: {\"a\": 1}\r\n\r\ndata: {\"é\": 2}\r\n\r\ndata: [DONE]\r\n\r\n",
            "data: {\"a\": 1}\r\rdata: {\"é\": 2}\r\rdata: [DONE]\r\r",
            ": ping\n\nevent: x\ndata:{\"a\":\ndata: 1}\n\nid: 7\ndata: {\"é\": 2}\n\ndata: [DONE]",
            "data: {\"a\":\r\ndata: 1}\r\n\r\ndata: {\"é\": 2}\r\n\r\ndata: [DONE]",
            "data: {\"a\": 1}\ndata: {\"é\": 2}\ndata: [DONE]\n",
        ] {
            assert_eq!(messages(body), expected, "{body:?}");
        }
    }

    #[test]
    fn a_body_that_begins_with_a_brace_is_a_document() {
        let expected = [Message::Json(json!({"a": [1, 2]}))];
        for body in ["{\"a\": [1, 2]}", "\n {\n\n  \"a\": [1,\r\n 2]\n}\n", "[{\"a\": [1, 2]}]"] {
            assert_eq!(messages(body), expected, "{body:?}");
        }
        let expected = [Message::Json(json!({"a": 1})), Message::Json(json!({"a": 2}))];
        assert_eq!(messages("{\"a\": 1}\n{\"a\": 2}\n"), expected);
    }

    #[test]
    fn errors_between_events_are_found() {
        let expected = [Message::Json(json!({"a": 1})), Message::Error(json!({"b": 2}))];
        assert_eq!(messages("data: {\"a\": 1}\n\nevent: error\ndata: {\"b\": 2}\n\n"), expected);
        let expected = [Message::Json(json!({"a": 1})), Message::Json(json!({"error": "x"}))];
        assert_eq!(messages("data: {\"a\": 1}\n\n{\"error\": \"x\"}"), expected);
    }

    #[test]
    fn malformed_and_endless_messages_are_refused() {
        for body in ["{\"a\": 1", "data: {\"a\": 1", "data: oops\n\n"] {
            let (mut lines, mut messages) = (Lines::default(), Vec::new());
            let read = lines.push(body.as_bytes(), &mut messages);
            let read = read.and_then(|()| lines.end(&mut messages));
            assert_eq!(read.unwrap_err().kind, Kind::Interrupted, "{body:?}");
        }
        for start in ["data: ", "{"] {
            let (mut lines, mut messages) = (Lines::default(), Vec::new());
            lines.push(start.as_bytes(), &mut messages).unwrap();
            let more = "x".repeat(1 << 20);
            let ended = (0..5).find_map(|_| lines.push(more.as_bytes(), &mut messages).err());
            assert_eq!(ended.unwrap().kind, Kind::OverBudget);
        }
    }
}
