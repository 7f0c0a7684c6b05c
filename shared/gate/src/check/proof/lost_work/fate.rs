//! What becomes of a failure.

use super::super::says;

/// What a part of a script does with the failure of one command.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// The command is not in this part.
    Absent,
    /// The status of this part is the failure. If bash has ignored it, then it goes on behind this part, for this reason.
    Fails { ignored: Option<&'static str> },
    /// The script ends with the failure, or something may notice it.
    Noticed,
    /// The script goes on as if the command had succeeded. If not `surely`, what runs later may notice that.
    Lost { because: &'static str, surely: bool },
}

/// How the shell treats failures in some place.
#[derive(Clone, Copy)]
pub(super) struct Shell {
    /// Whether `set -e` is on.
    pub(super) heeds: bool,
    /// Whether this is part of a condition, in which `set -e` has no effect.
    pub(super) ignores: bool,
    /// What to say if a failure is lost here.
    pub(super) because: &'static str,
}

impl Shell {
    /// The runner starts each step with `set -euo pipefail`.
    pub(super) fn strict() -> Self {
        Self { heeds: true, ignores: false, because: says::SWITCHED_OFF }
    }

    /// A shell that a script starts.
    pub(super) fn child(heeds: bool) -> Self {
        Self { heeds, ignores: false, because: says::OTHER_SHELL }
    }

    pub(super) fn in_condition(self) -> Self {
        Self { ignores: true, because: says::UNHEEDED, ..self }
    }
}
