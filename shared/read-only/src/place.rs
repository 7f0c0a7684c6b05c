//! Places where a command may run without approval.

/// The place where a command would run. It decides which commands are known to be harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The sandbox, in the reader's confinement.
    Sandbox,
    /// The user's server, as the user of the ssh login: without confinement.
    Server,
    /// The user's own shell in the sandbox's terminal, whose output no model sees: without confinement.
    Terminal,
}

/// A set of places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places(u8);

/// The place's bit in a set.
const fn bit(place: Place) -> u8 {
    match place {
        Place::Sandbox => 1,
        Place::Server => 2,
        Place::Terminal => 4,
    }
}

const SANDBOX: u8 = bit(Place::Sandbox);
const SERVER: u8 = bit(Place::Server);
const TERMINAL: u8 = bit(Place::Terminal);

impl Places {
    pub(super) const SANDBOX: Self = Self(SANDBOX);
    pub(super) const SERVER: Self = Self(SERVER);
    /// The workspace, seen from the sandbox and from its terminal.
    pub(super) const WORKSPACE: Self = Self(SANDBOX | TERMINAL);
    /// Without confinement.
    pub(super) const OPEN: Self = Self(SERVER | TERMINAL);
    pub(super) const SANDBOX_AND_SERVER: Self = Self(SANDBOX | SERVER);
    pub(super) const EVERYWHERE: Self = Self(SANDBOX | SERVER | TERMINAL);

    pub(super) fn has(self, place: Place) -> bool {
        self.0 & bit(place) != 0
    }
}
