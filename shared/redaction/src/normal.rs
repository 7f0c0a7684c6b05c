//! The text as a reader sees it: without invisible characters, and with plain letters for full-width and mathematical
//! ones.
//!
//! A full-width colon, a soft hyphen or a zero-width space in "pass\u{ad}word：" changes nothing for a reader, so it
//! must not hide a secret either. The plain text knows where in the original each of its characters comes from.

use std::borrow::Cow;
use std::ops::Range;

/// A text in plain characters, and where they come from.
pub struct Plain<'a> {
    /// The plain text.
    pub text: Cow<'a, str>,
    /// The pieces that were copied unchanged or character by character: where each begins in `text` and where in the
    /// original. Empty if the text is its own plain form.
    pieces: Vec<(usize, usize)>,
}

impl<'a> Plain<'a> {
    /// The plain form of a text.
    pub fn of(original: &'a str) -> Self {
        if original.is_ascii() {
            return Self { text: Cow::Borrowed(original), pieces: Vec::new() };
        }
        let mut text = String::with_capacity(original.len());
        let mut pieces = vec![(0, 0)];
        let mut shift = 0;
        let mut at = 0;
        while let Some(c) = original[at..].chars().next() {
            if !is_invisible(c) && !is_combining(c) {
                if at - text.len() != shift {
                    shift = at - text.len();
                    pieces.push((text.len(), at));
                }
                // Most characters are already plain, and are copied in runs.
                let run = original.as_bytes()[at..].iter().take_while(|b| b.is_ascii()).count();
                if run > 0 {
                    text.push_str(&original[at..at + run]);
                    at += run;
                    continue;
                }
                text.push(plain(c));
            }
            at += c.len_utf8();
        }
        pieces.push((text.len(), original.len()));
        Self { text: Cow::Owned(text), pieces }
    }

    /// The place of a part of the plain text in the original.
    pub fn original(&self, span: Range<usize>) -> Range<usize> {
        let at = |place: usize| {
            let next = self.pieces.partition_point(|(plain, _)| *plain <= place);
            next.checked_sub(1).map_or(place, |i| place - self.pieces[i].0 + self.pieces[i].1)
        };
        at(span.start)..at(span.end)
    }

    /// The place of a part of the original in the plain text.
    pub fn of_original(&self, span: Range<usize>) -> Range<usize> {
        let at = |place: usize| {
            let next = self.pieces.partition_point(|(_, original)| *original <= place);
            let Some(i) = next.checked_sub(1) else { return place };
            let (plain, original) = self.pieces[i];
            // Characters that were left out before the next piece have no place in the plain text.
            let end = self.pieces.get(next).map_or(self.text.len(), |(plain, _)| *plain);
            (plain + (place - original)).min(end)
        };
        at(span.start)..at(span.end)
    }
}

/// The secret in a part of the original, without the invisible characters that copying may have added.
pub fn value(original: &str) -> String {
    let visible = original.chars().filter(|c| !is_invisible(*c));
    visible.map(|c| if is_wide(c) { plain(c) } else { c }).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Accents that follow their letter.
fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d6a3}' | '\u{1d7ce}'..='\u{1d7ff}')
}

/// The plain character that looks like `c`.
fn plain(c: char) -> char {
    let offset = |base: u32, period: u32| (u32::from(c) - base) % period;
    let ascii = |from: u8, by: u32| char::from(from + u8::try_from(by).unwrap_or_default());
    match c {
        '\u{ff01}'..='\u{ff5e}' => ascii(b'!', offset(0xff01, 94)),
        '\u{1d400}'..='\u{1d6a3}' => match offset(0x1d400, 52) {
            upper @ 0..=25 => ascii(b'A', upper),
            lower => ascii(b'a', lower - 26),
        },
        '\u{1d7ce}'..='\u{1d7ff}' => ascii(b'0', offset(0x1d7ce, 10)),
        '\u{a0}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}'
        | '•'
        | '·'
        | '▪'
        | '‣' => ' ',
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{fe30}' | 'ː' | '∶' | '꞉' => ':',
        '→' | '⇒' | '➜' | '➡' | '⟶' => '=',
        '…' => '.',
        '│' | '┃' | '║' => '|',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_left_out_and_places_are_kept() {
        let original = "pa\u{ad}ss\u{200b}word： Ｘ9\u{301}z";
        let plain = Plain::of(original);
        assert_eq!(plain.text, "password: X9z");
        let found = plain.original(10..12);
        assert_eq!(&original[found], "Ｘ9\u{301}");
        let back = plain.of_original(plain.original(4..8));
        assert_eq!(&plain.text[back], "word");
        assert_eq!(value("Ｔｒ0\u{200b}ub"), "Tr0ub");
        assert_eq!(plain.original(13..13), original.len()..original.len());
    }
}
