//! What several modules need.
use domain::output::OutputView;
use domain::step::{Finish, Outcome};

/// The end of a command that exited, without output.
pub fn exited(exit_code: i32) -> Finish {
    Finish {
        outcome: Outcome::Exited,
        exit_code: Some(exit_code),
        duration_ms: 1,
        output: OutputView::default(),
        detail: None,
        saved_plan: None,
    }
}
