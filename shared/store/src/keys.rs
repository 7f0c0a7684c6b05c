//! Keys that several modules share.

use domain::Scope;

/// The partition that holds everything of one project.
pub(crate) fn partition(scope: Scope) -> String {
    format!("P#{}#{}", scope.installation, scope.project)
}
