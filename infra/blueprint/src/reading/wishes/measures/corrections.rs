//! Numbers that a message gives up for others: “20 days rather than 10”.

use super::super::amounts::{is_number, is_size};
use super::{PRODUCTS, Reader, counts, is_version};
use crate::words::numbers;

impl Reader<'_> {
    /// Whether the message gives up the number or the size that begins here. It is then marked as explained.
    pub(super) fn gives_up_a_number(&mut self, at: usize) -> bool {
        let value = self.values[at];
        let replaced = is_replaced(&self.values, at);
        let counted = self.context.counted().is_some();
        // “Instead of 512 MB”
        let size = is_size(value, self.after(at)) && replaced;
        // “Scrap the third node”
        let machine = counts::is_an_ordinal(value)
            && counts::is_machine(self.after(at))
            && counted
            && !self.words.means_value(self.value_at(at));
        // “20 days rather than 10”
        let second = !self.context.changed.is_empty()
            && is_number(value)
            && is_second_of_two(&self.values, at);
        // “Make it 3 instead of 2”
        let count = counted && numbers::read(value).is_some() && replaced;
        let gives_up = size || machine || second || count;
        if gives_up {
            self.give_up(at);
        }
        if size && is_number(value) {
            self.open.take_at(at + 1);
        }
        gives_up
    }

    /// Whether the message corrects a version to the one that is built here: “make it 17, not 16”. The other version is
    /// then given up.
    pub(super) fn corrects_a_version(&mut self, at: usize) -> bool {
        let value = self.values[at];
        let means = |reader: &Self, at: usize| reader.words.means_value(reader.value_at(at));
        if !is_version(value) || !means(self, at) || !corrects(&self.values, at) {
            return false;
        }
        let mut built = PRODUCTS.iter().filter_map(|product| self.blueprint.version_of(product));
        if !built.any(|series| series == value) {
            return false;
        }
        self.open.take_at(at);
        for other in at.saturating_sub(2)..self.values.len().min(at + 4) {
            if is_version(self.values[other]) && !means(self, other) {
                self.give_up(other);
            }
        }
        true
    }
}

/// Whether a number is the one that another takes the place of: “instead of 10”.
fn is_second_of_two(values: &[&str], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |at| values[at]);
    [["instead", "of"], ["rather", "than"]].contains(&[before(2), before(1)])
}

/// Whether a message takes another size in place of this one: “instead of 512 MB”.
fn is_replaced(values: &[&str], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |at| values[at]);
    is_second_of_two(values, at) || before(1) == "not"
}

/// Whether a number beside “not” or “instead of” corrects another number: “17 not 16”.
fn corrects(values: &[&str], at: usize) -> bool {
    let number = |at: usize| values.get(at).is_some_and(|value| is_version(value));
    let word = |at: usize| values.get(at).copied().unwrap_or_default();
    let after = word(at + 1) == "not" && number(at + 2);
    let instead = word(at + 1) == "instead" && word(at + 2) == "of" && number(at + 3);
    let before = at > 1 && ["but", "rather"].contains(&word(at - 1)) && number(at - 2);
    after || instead || before
}
