//! Sizes: those that the plan has, and those that it does not have.

use std::ops::Range;

use super::super::amounts::is_number;
use super::super::context::Context;
use super::super::open::{Open, same};
use super::super::{Asked, Fate};
use super::{Measure, Reader};
use crate::catalogue::parameters::kinds::memory;
use crate::catalogue::sizes::{self, ARM, DEDICATED, Family, SHARED};
use crate::words::Words;

impl Reader<'_> {
    /// Marks the sizes of the server as explained: the dialogue lists them.
    pub(super) fn take_sizes_of_the_server(&mut self) {
        for size in self.context.sizes_of_the_server(self.words) {
            self.take_known(size);
        }
    }

    /// Marks the sizes in words that the plan has as explained: “ciento veintiocho megas”.
    pub(super) fn take_spelled_sizes(&mut self) {
        for (place, value) in memory::spelled(self.words) {
            if self.context.sets(&format!("{value}mb")) {
                self.take_known(place);
            }
        }
    }

    fn take_known(&mut self, place: Range<usize>) {
        self.sized.push(self.words.clause(place.start));
        self.open.take_range(&place);
        self.known.extend(place);
    }

    /// Reports a kind of cores that the server does not have.
    pub(super) fn report_family(&mut self) {
        let row = family(self.context, self.words, self.open);
        self.asked.extend(row);
    }

    /// Whether a size begins here that needs no row of its own: one that the plan has, or one of another disk.
    pub(super) fn settles_a_size(&mut self, at: usize) -> bool {
        if !self.is_size(at) {
            return false;
        }
        // The size of another disk is in the row for the disk.
        if self.open.is_ruled_out(self.value_at(at)) {
            return true;
        }
        let settles = is_number(self.values[at]) && self.is_set(at);
        if settles {
            self.sized.push(self.words.clause(self.value_at(at)));
            self.open.take_at(at);
            self.open.take_at(at + 1);
        }
        settles
    }

    /// A size or a price that the plan does not have.
    pub(super) fn size(&mut self, at: usize) -> Option<Measure> {
        if !self.is_size(at) || self.is_set(at) {
            return None;
        }
        if let Some(contents) = contents(self.words, self.value_at(at)) {
            // What a site has by now is not a wish.
            self.open.take_range(&contents);
            return Some(Measure::Settled);
        }
        self.sized.push(self.words.clause(self.value_at(at)));
        let value = self.values[at];
        let apart = is_number(value);
        let size = if apart { format!("{value} {}", self.after(at)) } else { value.to_string() };
        let last = at + usize::from(apart);
        self.open.take_at(last);
        let span = self.span_after(last);
        // The server may have it anyway, or the message may only tell of it or give a limit.
        let place = self.value_at(at);
        let had = span.is_empty() && self.context.server_has(&size)
            || sizes::is_of_the_past(self.words, place)
            || sizes::is_of_a_state(self.words, place);
        Some(Measure::Row(size + &span, if had { Fate::NotUnderstood } else { Fate::Not }))
    }

    /// The span of time for which a price is given, marked as explained: “5 euros a month”.
    fn span_after(&mut self, last: usize) -> String {
        let span = |at: &usize| self.values.get(*at).is_some_and(|word| SPANS.contains(word));
        let Some(at) = (last + 1..last + 4).find(span) else { return String::new() };
        self.open.take_at(at);
        format!(" a {}", self.values[at])
    }

    /// Marks the words for what is measured as explained in the clauses with a size.
    pub(super) fn take_names_of_sizes(&mut self) {
        let is_set = |value: &str| {
            let digits = value.starts_with(|c: char| c.is_ascii_digit());
            digits && !value.contains('.') && self.context.sets(value)
        };
        let set = (0..self.values.len()).filter(|at| is_set(self.values[*at]));
        let set: Vec<_> = set.map(|at| self.words.clause(self.value_at(at))).collect();
        self.sized.extend(set);
        for at in 0..self.values.len() {
            let place = self.value_at(at);
            let near = self.sized.iter().any(|clause| clause.contains(&place));
            if near && SIZES.iter().any(|size| same(self.values[at], size)) {
                self.open.take_at(at);
            }
        }
    }
}

/// The row for a kind of cores that the server does not have. The words for one that it has are explained.
fn family(context: &Context, words: &Words, open: &mut Open) -> Option<Asked> {
    let family = Family::in_message(words).filter(|_| context.asks("server-type"))?;
    let server = context.parameters.iter().find(|parameter| parameter.key == "server-type")?;
    let kind = context.values.get(server.key).map_or(server.default, String::as_str);
    let (names, what) = match family {
        Family::Arm => (ARM, "arm"),
        Family::Dedicated => (DEDICATED, "dedicated cores"),
        Family::Any => return None,
    };
    names.iter().for_each(|name| open.take(name));
    if family == Family::Dedicated {
        open.take("vcpu");
        SHARED.iter().filter(|word| words.excludes(word)).for_each(|word| open.rule_out(word));
    }
    let fate = Fate::Differently(format!("a {kind}"));
    (!family.has(kind)).then(|| Asked { what: what.into(), fate })
}

/// Words for what a size measures.
const SIZES: &[&str] = &["ram", "memory", "mem", "cpu", "vcpu", "core", "disk", "ssd", "storage"];

/// Spans of time for which a price is given.
const SPANS: &[&str] = &["month", "year", "monthly", "hour"];

/// The words for contents that are there, beginning with their size: “2 GB of images”, “2 GB mit Bildern”.
pub fn contents(words: &Words, at: usize) -> Option<Range<usize>> {
    const OF: &str = "of with mit an de d' con avec en";
    const CONTENTS: &str = "image images picture pictures photo photos video videos file files data content contents pdfs music \
        bilder bildern fotos dateien daten inhalte imágenes fotos vídeos archivos datos contenido donnée données image photos \
        vidéos fichiers contenu";
    const REACH: usize = 3;
    let clause = words.clause(at);
    let mut near = at + 1..clause.end.min(at + 2 + REACH);
    let of = near.find(|at| words.is_in(*at, OF))?;
    let last = (of..near.end).find(|at| words.is_in(*at, CONTENTS))?;
    Some(at..last + 1)
}
