//! A reply's event stream, frame by frame.

use aws_smithy_eventstream::frame::read_message_from;
use bytes::{Bytes, BytesMut};

/// The longest frame in bytes. AWS allows 16 MiB, but an event of a reply is only a few words.
const FRAME_BYTES: usize = 1024 * 1024;
/// The length of a frame's first field, which holds the frame's length, in bytes.
const LENGTH_BYTES: usize = 4;

/// The lengths or checksums of a frame are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a frame of the event stream is broken")]
pub struct BrokenFrame;

/// What a frame contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An event of this type.
    Event(String),
    /// An error of this type, which ends the stream.
    Error(String),
}

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What it carries.
    pub kind: Kind,
    /// The event or the error, as JSON.
    pub payload: Bytes,
}

/// Splits a stream into frames as it arrives.
#[derive(Debug, Default)]
pub struct Frames {
    held: BytesMut,
}

impl Frames {
    /// Takes the next piece of the stream, which may end anywhere.
    pub fn push(&mut self, piece: &[u8]) {
        self.held.extend_from_slice(piece);
    }

    /// The next complete frame, if one has arrived.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, BrokenFrame> {
        let Some(length) = self.held.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| BrokenFrame)?;
        if length > FRAME_BYTES {
            return Err(BrokenFrame);
        }
        if self.held.len() < length {
            return Ok(None);
        }
        let message = read_message_from(self.held.split_to(length).freeze());
        let message = message.map_err(|_| BrokenFrame)?;
        let header = |name: &str| {
            let found = message.headers().iter().find(|header| header.name().as_str() == name)?;
            found.value().as_string().ok().map(|value| value.as_str().to_owned())
        };
        let named = |name: &str| header(name).unwrap_or_default();
        let kind = match header(":message-type").as_deref() {
            Some("exception") => Kind::Error(named(":exception-type")),
            Some("error") => Kind::Error(named(":error-code")),
            _ => Kind::Event(named(":event-type")),
        };
        Ok(Some(Frame { kind, payload: message.payload().clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_smithy_eventstream::frame::write_message_to;
    use aws_smithy_types::event_stream::{Header, HeaderValue, Message};

    fn frame(headers: &[(&'static str, &'static str)], payload: &'static str) -> Vec<u8> {
        let headers = headers.iter();
        let headers =
            headers.map(|(name, value)| Header::new(*name, HeaderValue::String((*value).into())));
        let message = Message::new_from_parts(headers.collect(), payload);
        let mut bytes = Vec::new();
        write_message_to(&message, &mut bytes).unwrap();
        bytes
    }

    fn delta() -> Vec<u8> {
        frame(&[(":event-type", "contentBlockDelta"), (":message-type", "event")], "{\"a\":1}")
    }

    fn all(frames: &mut Frames) -> Result<Vec<Frame>, BrokenFrame> {
        let mut found = Vec::new();
        while let Some(frame) = frames.next_frame()? {
            found.push(frame);
        }
        Ok(found)
    }

    #[test]
    fn frames_arrive_whole_wherever_the_packets_end() {
        let refused = [(":exception-type", "throttlingException"), (":message-type", "exception")];
        let stream = [delta(), frame(&refused, "{}"), frame(&[], "")].concat();
        for bytes in [1, 2, 3, 7, 16, stream.len()] {
            let mut frames = Frames::default();
            let mut found = Vec::new();
            for packet in stream.chunks(bytes) {
                frames.push(packet);
                found.extend(all(&mut frames).unwrap());
            }
            let kinds: Vec<_> = found.iter().map(|frame| frame.kind.clone()).collect();
            let event = |name: &str| Kind::Event(name.to_owned());
            let error = Kind::Error("throttlingException".to_owned());
            assert_eq!(kinds, [event("contentBlockDelta"), error, event("")]);
            assert_eq!(found[0].payload, "{\"a\":1}");
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_in_any_position() {
        let whole = delta();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            let mut frames = Frames::default();
            frames.push(&changed);
            let read = all(&mut frames);
            // A greater length makes the frame wait for bytes that never come; the end of the stream then reveals the
            // damage.
            assert!(matches!(read.as_deref(), Err(BrokenFrame) | Ok([])), "byte {at}: {read:?}");
        }
    }

    #[test]
    fn a_frame_with_an_impossible_length_is_refused_at_once() {
        for length in [0, 15, FRAME_BYTES as u32 + 1, u32::MAX] {
            let mut frames = Frames::default();
            frames.push(&length.to_be_bytes());
            frames.push(&[0; 12]);
            assert_eq!(frames.next_frame(), Err(BrokenFrame), "{length}");
        }
    }
}
