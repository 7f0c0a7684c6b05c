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

impl Places {
    pub(super) const SANDBOX: Self = Self(1);
    pub(super) const SERVER: Self = Self(2);
    /// The workspace, seen from the sandbox and from its terminal.
    pub(super) const WORKSPACE: Self = Self(1 | 4);
    /// Without confinement.
    pub(super) const OPEN: Self = Self(2 | 4);
    pub(super) const BOTH: Self = Self(1 | 2);
    pub(super) const EVERYWHERE: Self = Self(1 | 2 | 4);

    pub(super) fn has(self, place: Place) -> bool {
        let bit = match place {
            Place::Sandbox => 1,
            Place::Server => 2,
            Place::Terminal => 4,
        };
        self.0 & bit != 0
    }
}
