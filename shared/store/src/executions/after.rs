//! What a call made of a step.

use domain::step::Step;

/// A step after a call that can change it.
#[derive(Debug, Clone, PartialEq)]
pub struct StepAfter {
    /// The step as it is now.
    pub step: Step,
    /// Whether this call changed it; a repeated or late one does not.
    pub changed: bool,
}

impl StepAfter {
    pub(super) fn changed(step: Step) -> Self {
        Self { step, changed: true }
    }

    pub(super) fn kept(step: Step) -> Self {
        Self { step, changed: false }
    }
}
