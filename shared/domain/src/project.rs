//! A project, and what its name and description may be.

use crate::{ProjectId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Longest project name, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// Longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;

/// A project as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    /// Random, below 2^53.
    pub id: ProjectId,
    /// What its owner calls it, 1 to 100 characters.
    pub name: String,
    /// A few words about it, or none.
    #[schema(required)]
    pub description: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When anything in it last changed by its owner's doing.
    pub updated_at: Timestamp,
}

/// Why a project cannot be made from what was typed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProject {
    /// No name, or white space alone.
    #[error("Project name is required.")]
    NameMissing,
    /// Over [`MAX_NAME_CHARS`].
    #[error("Project name is too long. Keep it within 100 characters.")]
    NameTooLong,
    /// Over [`MAX_DESCRIPTION_CHARS`].
    #[error("Description is too long. Keep it within 2,000 characters.")]
    DescriptionTooLong,
}

impl Project {
    /// A new project from what its owner typed, trimmed and checked.
    pub fn new(name: &str, description: Option<&str>) -> Result<Self, InvalidProject> {
        let name = name.trim();
        let description = description.map(str::trim).filter(|text| !text.is_empty());
        if name.is_empty() {
            return Err(InvalidProject::NameMissing);
        }
        if name.chars().count() > MAX_NAME_CHARS {
            return Err(InvalidProject::NameTooLong);
        }
        if description.is_some_and(|text| text.chars().count() > MAX_DESCRIPTION_CHARS) {
            return Err(InvalidProject::DescriptionTooLong);
        }
        let now = Timestamp::now();
        Ok(Self {
            id: ProjectId::random(),
            name: name.to_owned(),
            description: description.map(str::to_owned),
            created_at: now,
            updated_at: now,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_no_name_and_no_description() {
        assert_eq!(Project::new(" \n", None), Err(InvalidProject::NameMissing));
        let project = Project::new("  blog ", Some("  ")).unwrap();
        assert_eq!((project.name.as_str(), project.description), ("blog", None));
    }

    #[test]
    fn lengths_are_counted_in_characters_not_bytes() {
        assert!(Project::new(&"é".repeat(MAX_NAME_CHARS), None).is_ok());
        assert_eq!(
            Project::new(&"é".repeat(MAX_NAME_CHARS + 1), None),
            Err(InvalidProject::NameTooLong)
        );
    }
}
