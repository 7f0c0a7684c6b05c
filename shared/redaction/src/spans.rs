//! Parts of a text: references to secrets, and matches that do not overlap.

use super::{Raw, weight};
use crate::variable::{MAX_NAME_CHARS, check_name};
use std::ops::Range;

pub const OPEN: &str = "{{secret:";
pub const CLOSE: &str = "}}";

pub fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Byte ranges of the references in a text.
pub fn references(text: &str) -> Vec<Range<usize>> {
    let longest = MAX_NAME_CHARS + CLOSE.len();
    let starts = text.match_indices(OPEN).map(|(at, _)| at);
    let ends = starts.filter_map(|at| {
        let name_at = at + OPEN.len();
        let name = &text[name_at..text.floor_char_boundary(name_at + longest)];
        let name = &name[..name.find(CLOSE)?];
        check_name(name).is_ok().then_some(at..name_at + name.len() + CLOSE.len())
    });
    ends.collect()
}

pub fn sorted(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    spans
}

/// The match without braces at its ends: an adjacent reference would make them part of the value again. What every
/// reference begins with is not a secret: `{{secret:{{secret:` without a name.
pub fn trimmed(text: &str, raw: Raw) -> Option<Raw> {
    let value = &text[raw.span.clone()];
    let start = raw.span.start + value.len() - value.trim_start_matches('}').len();
    let value = value.trim_start_matches('}').trim_end_matches('{');
    // "« X »": the spaces belong to the quotes.
    let spaced = value.starts_with(char::is_whitespace) && value.ends_with(char::is_whitespace);
    let quoted = spaced && text[..start].ends_with(['«', '»', '‹', '›', '"']);
    let start = start + if quoted { value.len() - value.trim_start().len() } else { 0 };
    let value = if quoted { value.trim() } else { value };
    let opening = value.ends_with(':') && OPEN.ends_with(value);
    let kept = value.len() >= weight::MIN_BYTES
        && !opening
        && !value.contains("{{")
        && !value.contains("}}");
    kept.then(|| Raw { span: start..start + value.len(), ..raw })
}

/// Adds matches to the known ones, in order. Known matches take precedence.
pub fn apart(mut known: Vec<Raw>, more: Vec<Raw>) -> Vec<Raw> {
    let sure = known.len();
    known.extend(more);
    let mut order: Vec<_> = (0..known.len()).collect();
    // At equal starts, known matches come first.
    order.sort_by_key(|i| (known[*i].span.start, *i >= sure));
    let mut kept: Vec<usize> = Vec::with_capacity(order.len());
    for i in order {
        match kept.last().copied() {
            Some(last) if overlap(&known[last].span, &known[i].span) => {
                if last >= sure && i < sure {
                    kept.pop();
                    kept.push(i);
                }
            }
            _ => kept.push(i),
        }
    }
    kept.into_iter().map(|i| known[i].clone()).collect()
}
