//! What a call for a new project carries, and why it is refused.

use domain::project::InvalidProject;
use http_kit::ApiError;
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
        InvalidProject::NameMissing => "name_missing",
        InvalidProject::NameTooLong => "name_too_long",
        InvalidProject::DescriptionTooLong => "description_too_long",
        InvalidProject::Control(_) => "control_characters",
        InvalidProject::Secret(_) => "secret_in_text",
    };
    ApiError::unprocessable(code, invalid.to_string())
}
