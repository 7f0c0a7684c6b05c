//! Measures how much of a response's size limit its parts use.
//!
//! Lambda's answers end at 6 MB. Lambda carries a body as a string of JSON, so every quotation mark and every backslash
//! of a body takes two bytes on its way. A text that is itself a string in a body is escaped twice.

use serde::Serialize;

/// The most that a body may take on its way, in bytes. The rest of Lambda's 6 MB is for headers.
pub(crate) const ANSWER_BYTES: usize = 6_000_000;

/// The room for one kind of part, in bytes.
#[derive(Debug)]
pub(crate) struct Room(usize);

impl Room {
    pub fn of(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Takes room for a part; if it does not fit, takes none and returns `false`.
    pub fn take(&mut self, part: &impl Serialize) -> bool {
        self.take_bytes(serde_json::to_vec(part).map_or(usize::MAX, |json| carried(&json)))
    }

    /// The same for a part of a body that is not JSON.
    pub fn take_text(&mut self, text: &str) -> bool {
        let line_ends = text.bytes().filter(u8::is_ascii_control).count();
        self.take_bytes(carried(text.as_bytes()) + line_ends)
    }

    fn take_bytes(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// How many bytes a part of a body takes on its way, with the comma after it.
fn carried(part: &[u8]) -> usize {
    part.len() + part.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count() + 1
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_part_takes_what_it_takes_as_a_string_inside_json() {
        for text in ["", "plain", "say \"hi\"", "a\\b", "two\nlines\r\n", "größer 🚀"] {
            let body = serde_json::to_string(text).unwrap();
            let on_its_way = serde_json::to_string(&body).unwrap().len() - 2;
            let mut room = Room::of(on_its_way + 1);
            assert!(room.take(&text), "{text:?}");
            assert_eq!(room.0, 0, "{text:?}");
            let mut room = Room::of(serde_json::to_string(text).unwrap().len() - 1);
            assert!(room.take_text(text), "{text:?}");
            assert_eq!(room.0, 0, "{text:?}");
        }
    }

    #[test]
    fn a_part_that_does_not_fit_takes_nothing() {
        let mut room = Room::of(4);
        assert!(!room.take(&"abc"));
        assert!(room.take(&1));
        assert!(room.take(&2));
        assert!(!room.take(&3));
    }
}
