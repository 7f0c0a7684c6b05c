//! Shows the authors of a draft which secrets they are about to send, and takes their corrections.
//!
//! Pages count in UTF-16 code units; this module counts in bytes. It keeps and logs nothing of a draft.

use domain::chat::{InvalidMessage, MAX_MESSAGE_CHARS};
use http_kit::{ApiError, ErrorCode};
use redaction::{Choices, Found, SecretKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use utoipa::ToSchema;

/// The most selections of one kind in a message.
const SELECTIONS: usize = 32;

/// A part of a message, in UTF-16 code units, like the indices of a JavaScript string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Selection {
    /// The first code unit.
    pub start: u32,
    /// The code unit after the last one.
    pub end: u32,
}

/// A draft to search for secrets.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Draft {
    /// The message; up to 20,000 characters.
    pub message: String,
    /// Selections that the user marked as secret.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub secrets: Vec<Selection>,
    /// Finds that the user marked as harmless.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub not_secrets: Vec<Selection>,
}

/// The parts of a draft that would be sealed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DraftSecrets {
    /// In their order; they do not overlap.
    pub found: Vec<DraftSecret>,
}

/// A part of a draft that would be sealed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DraftSecret {
    /// Its first UTF-16 code unit.
    pub start: u32,
    /// The UTF-16 code unit after its last.
    pub end: u32,
    /// Its kind.
    pub kind: SecretKind,
    /// The name under which it would be sealed: the message would show `{{secret:NAME}}`.
    pub name: String,
}

/// The author's corrections of a draft, if it can be a message.
pub(crate) fn checked(draft: &Draft) -> Result<Choices, ApiError> {
    if draft.message.chars().take(MAX_MESSAGE_CHARS + 1).count() > MAX_MESSAGE_CHARS {
        let refused = InvalidMessage::TooLong.to_string();
        return Err(ApiError::unprocessable(ErrorCode::InvalidMessage, refused));
    }
    choices(&draft.message, &draft.secrets, &draft.not_secrets)
}

/// The secrets found in a message, with places as pages count them.
pub(crate) fn in_units(message: &str, found: Vec<Found>) -> DraftSecrets {
    let mut units = Units::of(message);
    let found = found.into_iter().map(|found| DraftSecret {
        start: units.at_byte(found.span.start),
        end: units.at_byte(found.span.end),
        kind: found.kind,
        name: found.name,
    });
    DraftSecrets { found: found.collect() }
}

/// The author's corrections of a message, in bytes.
pub(crate) fn choices(
    message: &str,
    secrets: &[Selection],
    not_secrets: &[Selection],
) -> Result<Choices, ApiError> {
    Ok(Choices { secrets: spans(message, secrets)?, not_secrets: spans(message, not_secrets)? })
}

fn spans(message: &str, selections: &[Selection]) -> Result<Vec<Range<usize>>, ApiError> {
    if selections.len() > SELECTIONS {
        return Err(invalid(&format!(
            "Too many selections: a message may have up to {SELECTIONS}."
        )));
    }
    let mut sorted = selections.to_vec();
    sorted.sort_by_key(|selection| selection.start);
    let span = |selection: &Selection| {
        let start = byte_at(message, selection.start)?;
        let end = byte_at(message, selection.end)?;
        (start < end && !message[start..end].trim().is_empty()).then_some(start..end)
    };
    let spans: Option<Vec<_>> = sorted.iter().map(span).collect();
    spans.ok_or_else(|| invalid("A selection must be a part of the message."))
}

fn invalid(detail: &str) -> ApiError {
    ApiError::unprocessable(ErrorCode::InvalidSelection, detail)
}

/// The byte at which a code unit begins a character; `None` inside a character and beyond the text.
fn byte_at(text: &str, unit: u32) -> Option<usize> {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        if units == unit {
            return Some(at);
        }
        units += if c.len_utf16() == 2 { 2 } else { 1 };
    }
    (units == unit).then_some(text.len())
}

/// Counts code units from the start of a text to places in ascending order.
struct Units<'a> {
    text: &'a str,
    bytes: usize,
    units: usize,
}

impl<'a> Units<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, bytes: 0, units: 0 }
    }

    fn at_byte(&mut self, byte: usize) -> u32 {
        self.units += self.text[self.bytes..byte].chars().map(char::len_utf16).sum::<usize>();
        self.bytes = byte;
        // A message has at most 20,000 characters.
        u32::try_from(self.units).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use redaction::{Taken, find_with};

    fn draft_secrets(draft: &Draft) -> Result<DraftSecrets, ApiError> {
        let choices = checked(draft)?;
        Ok(in_units(&draft.message, find_with(&draft.message, &choices, &Taken::default())))
    }

    fn draft(message: &str, secrets: &[(u32, u32)], not_secrets: &[(u32, u32)]) -> Draft {
        let all = |given: &[(u32, u32)]| {
            given.iter().map(|&(start, end)| Selection { start, end }).collect()
        };
        Draft { message: message.to_owned(), secrets: all(secrets), not_secrets: all(not_secrets) }
    }

    fn found(draft: &Draft) -> Vec<(String, String)> {
        let units: Vec<u16> = draft.message.encode_utf16().collect();
        let text = |secret: &DraftSecret| {
            let (start, end) = (secret.start as usize, secret.end as usize);
            String::from_utf16(&units[start..end]).unwrap()
        };
        let secrets = draft_secrets(draft).unwrap().found;
        secrets.iter().map(|secret| (text(secret), secret.name.clone())).collect()
    }

    #[test]
    fn positions_are_right_after_any_text_in_the_pages_count() {
        let said = found(&draft("😀 é: the root password is Tr0ub4dor&3, ok?", &[], &[]));
        assert_eq!(said, [("Tr0ub4dor&3".to_owned(), "PASSWORD".to_owned())]);
    }

    #[test]
    fn a_marked_text_is_sealed_and_an_unmarked_one_is_not() {
        let message = "😀 use swordfish; password=Tr0ub4dor3";
        let marked = found(&draft(message, &[(7, 16)], &[]));
        assert_eq!(marked[0], ("swordfish".to_owned(), "SECRET".to_owned()));
        assert_eq!(marked[1].0, "Tr0ub4dor3");
        assert_eq!(found(&draft(message, &[], &[(27, 28)])), []);
    }

    #[test]
    fn a_selection_outside_the_text_or_inside_a_character_is_refused() {
        for wrong in [(0, 1), (1, 2), (3, 3), (4, 3), (3, 99), (2, 3)] {
            let refused = draft_secrets(&draft("😀 secret", &[wrong], &[]));
            assert_eq!(refused.unwrap_err().code(), ErrorCode::InvalidSelection, "{wrong:?}");
        }
        let many = [(3, 4); SELECTIONS + 1];
        assert!(draft_secrets(&draft("😀 secret", &[], &many)).is_err());
        assert!(draft_secrets(&draft(&"x".repeat(20_001), &[], &[])).is_err());
    }
}
