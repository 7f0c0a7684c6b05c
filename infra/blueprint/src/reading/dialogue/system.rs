//! The operating system that the user wishes: the list says that the servers have it.

use super::Dialogue;
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::versions;
use crate::words::Words;

/// The system of every server in the catalogue.
const SYSTEM: &str = "debian";
const LABEL: &str = "Debian";

/// Whether a row names this system.
pub(super) fn is_own(row: &str) -> bool {
    row.split(' ').next().is_some_and(|first| first.eq_ignore_ascii_case(SYSTEM))
}

impl Dialogue {
    /// Notes whether a message wishes this system, or another one in its place.
    pub(super) fn read_system(&mut self, words: &Words) {
        let places = words.meant_at(SYSTEM);
        let wished = places.iter().any(|place| !words.only_asks(words.origin(place.start)));
        let another =
            || Foreign::in_message(words).into_iter().any(|other| other.kind == Kind::System);
        self.system = wished || self.system && !words.has(SYSTEM) && !another();
    }

    /// The row for the system. A version that the servers do not have has a row that says so.
    pub(super) fn own_system(&self) -> Option<String> {
        let servers = self.blueprint.is_some_and(|blueprint| blueprint.has_server());
        let another = || self.asked.iter().any(|asked| is_own(&asked.what));
        let version = versions::series(SYSTEM).filter(|_| self.system && servers && !another())?;
        Some(format!("{LABEL} {version}"))
    }
}
