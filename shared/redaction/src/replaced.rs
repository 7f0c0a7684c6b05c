//! The text with references in place of secrets, and the way back to the original.

use super::{Found, Raw, reference};

/// The text with references, and where the pieces between them came from.
pub fn replaced(text: &str, found: &[Found]) -> (String, Pieces) {
    let mut out = String::with_capacity(text.len());
    let mut pieces = Pieces(Vec::with_capacity(found.len() + 1));
    let mut from = 0;
    for Found { span, name, .. } in found {
        pieces.0.push((out.len(), from));
        out.push_str(&text[from..span.start]);
        out.push_str(&reference(name));
        from = span.end;
    }
    pieces.0.push((out.len(), from));
    out.push_str(&text[from..]);
    (out, pieces)
}

/// For each piece between references, where it begins in the text with references and where it begins in the original.
pub struct Pieces(Vec<(usize, usize)>);

impl Pieces {
    /// Where a place of the original is in the text with references, unless a match covers it.
    pub fn replaced(&self, place: usize, found: &[Found]) -> Option<usize> {
        let before = found.partition_point(|found| found.span.end <= place);
        let inside = found.get(before).is_some_and(|found| found.span.start < place);
        let (start, origin) = *self.0.get(before)?;
        (!inside).then_some(place - origin + start)
    }

    /// Moves a find from the text with references to its place in the original.
    pub fn original(&self, raw: Raw) -> Raw {
        let at = |piece: usize, place: usize| {
            let (start, origin) = self.0[piece.saturating_sub(1)];
            place - start + origin
        };
        let first = self.0.partition_point(|(start, _)| *start <= raw.span.start);
        let last = self.0.partition_point(|(start, _)| *start < raw.span.end);
        Raw { span: at(first, raw.span.start)..at(last, raw.span.end), ..raw }
    }
}
