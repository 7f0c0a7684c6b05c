//! Where a command of a proof is, which decides what its failure does.

/// How bash treats a failure of a command in some place.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether the shell ends at the failure.
    pub(super) heeds: bool,
    /// Whether the status of the last command in this place is the one that counts.
    pub(super) last: bool,
    /// The explanation if the shell does not end.
    pub(super) because: &'static str,
    /// Whether something reads what is printed here.
    pub(super) read: bool,
}

impl Place {
    pub(super) fn ends(self, last: bool) -> Self {
        Self { last: self.last && last, ..self }
    }
}
