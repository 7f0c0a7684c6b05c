//! What the addresses of a later message change: each is one that is let in now, or a new one.

use std::sync::Arc;

use super::super::{exceptions, names_ssh, sources};
use super::{
    Later, Said, adds, changes_something, has, is_part, is_restated, is_ruled_out, is_said,
    nearest, of_the_same_name,
};
use crate::words::Words;
use crate::words::language::Weight;

/// The addresses of a message, beside the present ones.
pub(super) struct Change<'a> {
    words: &'a Words,
    present: &'a [String],
    earlier: &'a [Arc<Words>],
    /// The addresses that the rules for a first message read.
    read: Vec<String>,
    /// Addresses that are let in now and that the message rules out.
    out: Vec<&'a Said>,
    /// The other addresses of the message that are let in now.
    kept: Vec<&'a Said>,
    /// New addresses.
    pub(super) fresh: Vec<&'a Said>,
}

impl<'a> Change<'a> {
    pub(super) fn of(
        words: &'a Words,
        present: &'a [String],
        earlier: &'a [Arc<Words>],
        all: &'a [Said],
    ) -> Change<'a> {
        let read = sources::of_ssh(words);
        let inside =
            |said: &&Said| present.contains(&said.network) || is_part(present, &said.network);
        let (known, fresh): (Vec<&Said>, Vec<&Said>) = all.iter().partition(inside);
        let (out, kept): (Vec<&Said>, Vec<&Said>) =
            known.into_iter().partition(|said| is_ruled_out(words, said.at));
        let seen = |said: &Said| earlier.iter().any(|words| has(words, &said.network));
        let is_new = |said: &&Said| {
            !is_ruled_out(words, said.at) && (read.contains(&said.network) || !seen(said))
        };
        let fresh = fresh.into_iter().filter(is_new).collect();
        Change { words, present, earlier, read, out, kept, fresh }
    }

    /// The present addresses without those that the message rules out.
    fn rest(&self) -> Vec<String> {
        let mut rest = self.present.to_vec();
        for said in &self.out {
            rest.retain(|network| *network != said.network);
            rest = exceptions::without(&rest, &said.network);
        }
        rest
    }

    fn restricts(&self) -> bool {
        self.words.means("only")
    }

    /// What a message says that has no new address.
    pub(super) fn of_known_ones(&self) -> Later {
        let words = self.words;
        let split = self.out.iter().find(|said| !self.present.contains(&said.network));
        match (split, self.out.is_empty(), self.kept.first()) {
            (Some(said), ..) => Later::Narrowed(self.rest(), words.said_in(words.clause(said.at))),
            (None, false, _) => Later::Now(self.rest()),
            (None, true, Some(said))
                if !self.restricts() && !is_restated(words, &self.kept, self.present) =>
            {
                Later::Unclear(words.said_in(said.at..said.at + 1))
            }
            (None, true, _) => Later::AsRead,
        }
    }

    /// What a message says that has new addresses.
    pub(super) fn with_new_ones(&self, first: &Said) -> Later {
        let adds = adds(self.words);
        if !self.out.is_empty() || adds && self.stays_beside(first) {
            let new = self.fresh.iter().map(|said| said.network.clone());
            return Later::Now(self.rest().into_iter().chain(new).collect());
        }
        if adds {
            return Later::AsRead;
        }
        let changes = self.changes(first);
        self.in_place_of_one(first, changes)
            .unwrap_or_else(|| self.as_read_or_unclear(first, changes))
    }

    /// Whether the sentence of a new address keeps a present one: “192.0.2.50 stays, 192.0.2.51 too”.
    fn stays_beside(&self, first: &Said) -> bool {
        let beside = |said: &&Said| self.words.sentence(said.at).contains(&first.at);
        self.kept.iter().any(beside)
            && !self.fresh.iter().any(|said| self.read.contains(&said.network))
    }

    /// Whether the sentence of a new address says that something changes.
    fn changes(&self, first: &Said) -> bool {
        let sentence = self.words.sentence(first.at);
        let mut values = self.words.values().skip(sentence.start).take(sentence.len());
        values.any(changes_something)
    }

    /// The present addresses with the new one in place of an old one.
    fn instead_of(&self, old: &str, new: &Said) -> Later {
        let list = self.present.iter().map(|one| if one == old { &new.network } else { one });
        Later::Now(list.cloned().collect())
    }

    /// What a message says by a single new address that is named beside an old one or like it.
    fn in_place_of_one(&self, first: &Said, changes: bool) -> Option<Later> {
        let words = self.words;
        if self.fresh.len() != 1 {
            return None;
        }
        // “203.0.113.70 → 203.0.113.71”
        let pair = || {
            let mut sentence = words.sentence(first.at);
            sentence.all(|at| words.weighs(at) != Weight::Full || is_said(words, at))
        };
        if let [old] = self.kept.as_slice()
            && (changes || pair())
        {
            return Some(self.instead_of(&old.network, first));
        }
        let old = of_the_same_name(words, first.at, self.earlier).filter(|_| !self.restricts())?;
        if self.present.contains(&old) {
            return Some(self.instead_of(&old, first));
        }
        (!names_ssh(words)).then_some(Later::Elsewhere)
    }

    /// What a message says by new addresses that have no tie to an old one.
    fn as_read_or_unclear(&self, first: &Said, changes: bool) -> Later {
        let one = self.fresh.len() == 1;
        let whole = self.fresh.iter().all(|said| self.read.contains(&said.network));
        let named = self.restricts() || names_ssh(self.words);
        let old = match self.present {
            [_] if whole => return Later::AsRead,
            _ if whole && (named || !one) => return Later::AsRead,
            [old] => Some(old.as_str()),
            present => nearest(present, &first.network),
        };
        match old.filter(|_| one && changes) {
            Some(old) => self.instead_of(old, first),
            None => Later::Unclear(self.words.said_in(first.at..first.at + 1)),
        }
    }
}
