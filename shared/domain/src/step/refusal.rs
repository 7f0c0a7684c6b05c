//! The reasons for which a user's request about a step is refused.

/// Why a user's request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The step's phase does not allow it.
    #[error("The status of this step no longer allows that. Reload to see it.")]
    IllegalTransition,
    /// The decision is about an attempt that another decision has ended.
    #[error("This attempt is over. Review the step's current state.")]
    AttemptOver,
    /// The step has earlier attempts, and the decision does not name its attempt and command.
    #[error(
        "This step was tried before. Approve it with the attempt and the command that you saw."
    )]
    AttemptUnnamed,
    /// The decision to roll back does not name the rollback.
    #[error("Name the rollback that you saw.")]
    RollbackUnnamed,
    /// A step is under way and would collide with the rollback.
    #[error("A step is under way. Wait for it to end or cancel it, then roll the change back.")]
    StepUnderWay,
    /// Another step is running, and only one runs at a time.
    #[error("Another step is running. Wait for it to end, or cancel it.")]
    AnotherRuns,
    /// The change is being rolled back, or has been.
    #[error("This change is rolled back, so its steps no longer run.")]
    RolledBack,
    /// The command differs from the one that was shown.
    #[error("The command has changed since it was shown. Review it and approve again.")]
    CommandChanged,
}
