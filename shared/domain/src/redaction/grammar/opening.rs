//! Words that open a context, tie it to the text after it, or refer to the text before.

use super::context::{Context, Tie};
use super::{LAST_FINDS, Reader, Role};
use crate::redaction::names::{self, variable};
use crate::redaction::value::paired;
use crate::redaction::weight::{Weight, weigh};
use crate::redaction::{Raw, SecretKind, bare};
use std::ops::Range;

impl Reader<'_> {
    /// A word for a secret.
    pub(super) fn opens(&mut self, role: Role, span: Range<usize>, folded: &str) {
        let word = &self.text[span.clone()];
        let text_before = &self.text[..span.start];
        let name =
            names::proposed(role, word, folded, &self.text[self.before_span.clone()], self.before);
        if self.called
            && matches!(role, Role::Password | Role::MaybePassword | Role::Token)
            && let Some(value) = self.digits.take()
        {
            let known = self.found.last().is_some_and(|raw| raw.span.end > value.start);
            if !known && weigh(&self.text[value.clone()]) >= Weight::Fair {
                self.found.push(Raw::likely(value, &name, SecretKind::of(role)));
            }
        }
        if role == Role::Program || (role == Role::Password && self.line_pipes(folded)) {
            self.piped();
        }
        let option = self.byte_before(span.start) == Some(b'-') && !text_before.ends_with(" - ");
        let said = matches!(self.before, Some(Role::With | Role::Copula));
        self.context = Some(Context {
            role,
            is_variable: variable(word) == word && word.contains('_'),
            identifier: word.contains(['_', '-', '.']) || option,
            name,
            tie: if option {
                Tie::Option
            } else if role == Role::Program {
                Tie::Near
            } else {
                Tie::Direct
            },
            words: 0,
            values: 0,
            line_starts: self.walled != span.start && starts_line(text_before),
            said,
            lines: 0,
        });
        self.before = Some(role);
        self.before_span = span;
    }

    fn line_pipes(&self, folded: &str) -> bool {
        folded == "passwd" && self.echoed.is_some()
    }

    /// The argument of `echo` that goes into a program which reads a password.
    fn piped(&mut self) {
        let Some(span) = self.echoed.take() else { return };
        let span = paired(self.open(), &span).unwrap_or(span);
        let mut last = self.found.iter().rev().take(LAST_FINDS);
        let known = last.any(|raw| raw.span.start < span.end && span.start < raw.span.end);
        if !known && weigh(&self.text[span.clone()]) >= Weight::Name {
            self.found.push(Raw::likely(span, "PASSWORD", SecretKind::Password));
        }
    }

    /// Any other word.
    pub(super) fn ties(&mut self, span: Range<usize>, role: Option<Role>, folded: &str) {
        if matches!(folded, "stdin")
            || (folded == "s" && self.text[..span.start].ends_with("sudo -"))
        {
            self.piped();
        }
        if folded == "basic"
            && let Some(raw) = self.basic(span.end)
        {
            self.before = None;
            return self.take(raw);
        }
        self.called |= matches!(role, Some(Role::As | Role::Copula)) && self.digits.is_some();
        if let Some(context) = &mut self.context
            && !context.goes_on(role)
        {
            self.context = None;
        }
        self.before = role;
        self.before_span = span;
    }

    /// `Basic dXNlcjpwYXNz`
    fn basic(&self, end: usize) -> Option<Raw> {
        let start = end + self.text[end..].bytes().take_while(|b| *b == b' ').count();
        let run = start..bare::run_end(self.text, start).min(self.wall());
        let decoded = bare::decode(&self.text[run.clone()])?;
        let readable = decoded.iter().all(|b| (b' '..=b'~').contains(b)) && decoded.contains(&b':');
        (run.len() >= 8 && readable).then(|| Raw::likely(run, "BASIC_AUTH", SecretKind::Token))
    }
}

/// Whether nothing but marks stands before a word in its line.
fn starts_line(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '"', '\'', '-', '*', '|', '>']);
    before.is_empty() || before.ends_with('\n')
}
