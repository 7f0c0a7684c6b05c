//! The effects of signs and line ends on a context.

use super::context::Tie;
use super::{Reader, Role};
use crate::redaction::command::Line;

impl Reader<'_> {
    /// The end of a line: of commands, and of most contexts.
    pub(super) fn line_ends(&mut self) {
        self.at += 1;
        let rest = &self.text[self.at..];
        let blank = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let continued = self.text[..self.at - 1].trim_end_matches('\r').ends_with('\\');
        if !continued {
            self.line = Line::default();
            (self.echoed, self.echo) = (None, false);
        }
        self.digits = None;
        self.before = None;
        if !continued
            && let Some(context) = &mut self.context
            && !context.next_line(blank)
        {
            self.context = None;
        }
        if !continued && self.context.is_none() {
            self.quiet_line();
        }
    }

    /// A character that is no part of a word.
    pub(super) fn sign(&mut self, byte: u8) {
        let rest = &self.text[self.at + 1..];
        let next = rest.bytes().next();
        let alone = next.is_none_or(|b| b.is_ascii_whitespace());
        self.at += 1;
        let before = self.before;
        if alone && matches!(byte, b',' | b';' | b'.') {
            self.digits = None;
        }
        let Some(context) = &mut self.context else { return };
        match byte {
            b':' | b'=' => {
                let named = matches!(before, Some(Role::Subject | Role::Name));
                context.tie = match context.tie {
                    _ if named => Tie::Subject,
                    // `user:` in "login: root:secret"
                    Tie::Near if context.values > 0 && !alone => Tie::Slash,
                    _ => Tie::Sign,
                };
            }
            b'|' if context.lines == 0 => context.tie = Tie::Sign,
            b'>' if context.words == 0 => context.tie = Tie::Sign,
            b'-' if alone && self.text[..self.at - 1].ends_with(' ') => {
                context.tie = if context.words <= 3 { Tie::Copula } else { Tie::Near };
            }
            b'/' if alone => context.tie = Tie::Slash,
            b',' | b'&' | b'+' => {
                context.tie = if context.values > 0 { Tie::And } else { Tie::Near };
            }
            b'{' | b'}' | b';' => context.tie = Tie::Near,
            b'.' | b'!' | b'?' if alone => self.context = None,
            _ => {}
        }
    }
}
