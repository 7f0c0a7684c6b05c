//! The words of a message in several forms.

use std::borrow::Cow;
use std::ops::Range;

use super::{ONE, THERE_IS};
use crate::words::{Words, lists};

/// The words of a message, each in English, as the user wrote it, and without what it is joined to: “Strato-VPS”.
pub(super) struct Said<'a>(pub(super) Vec<[Cow<'a, str>; 3]>);

impl<'a> Said<'a> {
    pub(super) fn of(words: &'a Words) -> Self {
        let forms = |(at, value): (usize, &'a str)| {
            let last = value.rsplit('-').next().unwrap_or(value);
            [value.into(), words.said(at).0.to_lowercase().into(), last.into()]
        };
        Said(words.values().enumerate().map(forms).collect())
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is(&self, at: usize, list: &str) -> bool {
        self.0[at].iter().any(|word| lists(list, word))
    }

    pub(super) fn has(&self, range: Range<usize>, list: &str) -> bool {
        range.into_iter().any(|at| self.is(at, list))
    }

    /// Where one of [`THERE_IS`] begins, with an article behind it.
    pub(super) fn there_is(&self, range: Range<usize>) -> Option<usize> {
        let starts = |at: &usize| {
            THERE_IS.iter().any(|phrase| {
                let end = at + phrase.len();
                let same = |(at, word): (usize, &&str)| self.0[at].iter().any(|said| said == word);
                end < range.end && (*at..end).zip(*phrase).all(same) && self.is(end, ONE)
            })
        };
        range.clone().find(starts)
    }
}
