//! What a call for a new project carries, and why it is refused.

use domain::project::InvalidProject;
use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A new project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewProject {
    /// 1 to 100 characters.
    pub name: String,
    /// At most 2,000 characters.
    pub description: Option<String>,
}

/// The refusal of a name or a description.
pub(crate) fn refuse(invalid: &InvalidProject) -> ApiError {
    let code = match invalid {
        InvalidProject::NameMissing => ErrorCode::NameMissing,
        InvalidProject::NameTooLong => ErrorCode::NameTooLong,
        InvalidProject::DescriptionTooLong => ErrorCode::DescriptionTooLong,
        InvalidProject::Control(_) => ErrorCode::ControlCharacters,
        InvalidProject::Secret(_) => ErrorCode::SecretInText,
    };
    ApiError::unprocessable(code, invalid.to_string())
}
