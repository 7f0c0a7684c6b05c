//! Takes the value that begins at a place, if the context expects one and this one qualifies.

use super::context::{Context, Tie};
use super::fields::{is_assignment, is_field};
use super::machines::{is_long_name, is_target};
use super::signs::tag;
use super::{Reader, Role, is_word};
use crate::Raw;
use crate::value::{Value, is_whole, paired};
use std::ops::Range;

impl Reader<'_> {
    /// Takes the value that begins here, if the context expects one and this one qualifies.
    pub(super) fn value_here(&mut self) -> bool {
        if self.context.is_none() && !self.echo && !self.line.has_options() {
            return false;
        }
        let byte = self.text.as_bytes()[self.at];
        if b"\"'`([{<>|*=:,;])}".contains(&byte) || !self.begins() {
            return false;
        }
        if self.refers_here() {
            return false;
        }
        if matches!(byte, b'!' | b'E') && self.context.is_some() {
            let length = tag(&self.text[self.at..]);
            if length > 0 {
                (self.context, self.at) = (None, self.at + length);
                return true;
            }
        }
        if let Some(raw) = self.option() {
            self.take(raw);
            return true;
        }
        if self.echo {
            self.hear_echo();
        }
        let Some(raw) = self.value_of_context() else { return false };
        self.take(raw);
        true
    }

    /// The value of the context that begins here.
    fn value_of_context(&mut self) -> Option<Raw> {
        let context = self.context.as_ref()?;
        let owned = self.owned(context);
        if owned.is_none()
            && ((context.tie == Tie::Subject && !context.placed)
                || (context.tie == Tie::Near && self.plain_word()))
        {
            return None;
        }
        let said = owned.or_else(|| self.spoken(context)).or_else(|| self.plain_after(context));
        if let Some(span) = said {
            return Some(Raw::likely(span, &context.name, context.kind()));
        }
        let found = self.values.candidate(self.open(), self.at)?;
        let context = self.context.as_ref()?;
        let span = self.qualified(context, &found)?;
        // The vendor's mark of a value says more about it.
        let marked = is_word(self.text.as_bytes()[self.at]) && self.marked(self.at).is_some();
        (!marked).then(|| Raw::likely(span, &context.name, context.kind()))
    }

    /// Where the secret in a candidate is, if it qualifies by its form: all of it, or a pair with a user's name.
    fn qualified(&self, context: &Context, found: &Value) -> Option<Range<usize>> {
        if !found.quoted && self.is_joined_to_wall(found.span.end) {
            return None;
        }
        let value = &self.text[found.span.clone()];
        let logs_in = context.role == Role::Login && context.values == 0;
        if logs_in && matches!(context.tie, Tie::Direct | Tie::Near) && is_target(value) {
            return None;
        }
        let listed = || self.is_listed(context, found) || self.is_of_login(context, found);
        if !self.is_name(context, found) && (context.accepts(found, value) || listed()) {
            return Some(self.pair_in(context, found).unwrap_or_else(|| found.span.clone()));
        }
        // `sftp backup:X@files.example.com`
        let near = context.tie == Tie::Near && context.role != Role::Program;
        self.pair_in(context, found)
            .filter(|pair| !near || self.open()[pair.end..].starts_with('@'))
    }

    /// Whether a candidate is a name, whose value may follow.
    fn is_name(&self, context: &Context, found: &Value) -> bool {
        let after = &self.text[found.span.end..];
        if found.quoted {
            // A key of JSON.
            return after.get(1..).is_some_and(|after| after.starts_with(':'));
        }
        let value = &self.text[found.span.clone()];
        after.starts_with(['=', ':'])
            || is_field(value)
            || ((context.tie != Tie::Sign || context.role == Role::Login) && is_assignment(value))
    }

    /// The pair of a user's name and a password that a candidate is, if the context takes pairs.
    fn pair_in(&self, context: &Context, found: &Value) -> Option<Range<usize>> {
        let open = self.open();
        // `ssh -i ssh/shop_ed25519` names a file.
        let is_path = |pair: &Range<usize>| {
            context.role == Role::Login
                && self.byte_before(pair.start) == Some(b'/')
                && is_long_name(&open[pair.clone()])
        };
        let whole = || {
            let set = matches!(context.tie, Tie::Sign | Tie::Copula) && context.words == 0;
            context.role != Role::Login && set && is_whole(&open[found.span.clone()])
        };
        paired(open, &found.span).filter(|pair| context.takes_pairs() && !is_path(pair) && !whole())
    }
}
