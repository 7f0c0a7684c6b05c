//! Machines that the user rents from a provider, or of which the message gives the address.

use std::net::Ipv4Addr;
use std::ops::Range;

use super::{BEFORE, BEHIND, Noun, OF, OURS};
use crate::catalogue::Place;
use crate::catalogue::foreign::{Foreign, Kind};

/// Subjects and verbs by which a machine is rented by now, and not to be rented: “I rent a server from Strato”.
const TENANTS: &str = "i we ich wir je nous";
const RENTS: &str = "rent rented miete mieten mietete loue louons";
/// Verbs that have their subject in them.
const RENTING: &str = "alquilo alquilamos";

impl Noun<'_> {
    /// “I rent a server from Strato”, but not “I want to rent a server”
    pub(super) fn is_rented(&self) -> bool {
        let said = self.said;
        let reach = self.clause.start.max(self.at.saturating_sub(BEHIND));
        let by_now = |at: usize| {
            // “I already rent”
            let before = self.clause.start.max(at.saturating_sub(2))..at;
            said.is(at, RENTING) || said.is(at, RENTS) && said.has(before, TENANTS)
        };
        let verb = (reach..self.at).rev().find(|at| by_now(*at));
        verb.is_some_and(|verb| !said.has(verb + 1..self.at, OF))
    }

    /// “My VPS at OVH”, “unser Strato-Server”
    pub(super) fn is_rented_elsewhere(&self) -> bool {
        let end = self.clause.end.min(self.at + BEFORE);
        let others = Foreign::all().filter(|foreign| foreign.kind == Kind::Place);
        let ours = self.said.has(self.from..self.at, OURS);
        let others = others.flat_map(|one| one.cues.iter().copied());
        ours && !self.names(others, self.from..end).is_empty()
    }

    /// “My server at 203.0.113.9”
    pub(super) fn has_an_address(&self) -> bool {
        let end = self.words.sentence(self.at).end.min(self.at + BEFORE);
        let address = |at: usize| self.said.0[at][0].parse::<Ipv4Addr>().is_ok();
        let nothing_else = |at: usize| self.said.is(at, "at ip under unter en à the bei");
        let mut behind = (self.at + 1..end).skip_while(|at| nothing_else(*at));
        self.said.has(self.from..self.at, OURS) && behind.next().is_some_and(address)
    }

    /// The words among these positions that say at which provider something is: “at OVH”.
    pub(super) fn provider_in(&self, range: Range<usize>) -> Vec<usize> {
        let others = Foreign::all().filter(|foreign| foreign.kind == Kind::Place);
        let others = others.flat_map(|one| one.cues.iter().copied());
        let own = [Place::Aws, Place::Hetzner].into_iter().flat_map(Place::provider).copied();
        let names = self.names(others.chain(own), range.clone()).into_iter();
        names.flat_map(|at| at.saturating_sub(1).max(range.start)..at + 1).collect()
    }

    /// The positions among these at which one of the phrases begins.
    fn names(&self, cues: impl Iterator<Item = &'static str>, range: Range<usize>) -> Vec<usize> {
        let places = cues.flat_map(|cue| self.words.places(cue));
        let places = places.map(|place| self.words.origin(place.start));
        places.filter(|at| range.contains(at)).collect()
    }
}
