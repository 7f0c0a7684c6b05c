//! A project, and what its name and description may be.

use crate::{ProjectId, Timestamp, redaction};
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
    /// Characters that move the cursor, turn the text around or are not seen.
    #[error("{0} contains control characters. Type it again as plain text.")]
    Control(&'static str),
    /// It stands in every page, prompt and log line about the project, where no secret belongs.
    #[error(
        "{0} seems to contain a secret. Leave it out: you can add it as a credential once the project exists."
    )]
    Secret(&'static str),
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
        check_plain("Project name", name, |_| false)?;
        if let Some(description) = description {
            check_plain("Description", description, |c| matches!(c, '\n' | '\r' | '\t'))?;
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

/// Refuses what nobody should read in a name: characters that steer what shows them, and secrets.
fn check_plain(
    what: &'static str,
    text: &str,
    allowed: fn(char) -> bool,
) -> Result<(), InvalidProject> {
    let steers = |c: char| {
        let bidirectional = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        (c.is_control() && !allowed(c)) || bidirectional || matches!(c, '\u{2028}' | '\u{2029}')
    };
    if text.contains(steers) {
        return Err(InvalidProject::Control(what));
    }
    if redaction::find(text).is_empty() { Ok(()) } else { Err(InvalidProject::Secret(what)) }
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

    #[test]
    fn a_name_holds_neither_secrets_nor_characters_that_steer() {
        for bad in ["a\u{7}b", "a\nb", "a\u{1b}[31m", "a\u{202e}b", "a\u{2028}b", "a\tb"] {
            assert_eq!(
                Project::new(bad, None),
                Err(InvalidProject::Control("Project name")),
                "{bad:?}"
            );
        }
        assert!(Project::new("Shop", Some("Two lines:\r\n\tthis is the second")).is_ok());
        let steering = Project::new("Shop", Some("a\u{0}b"));
        assert_eq!(steering, Err(InvalidProject::Control("Description")));
        let telling = Project::new("Shop root:Tr0ub4dor&3", None);
        assert_eq!(telling, Err(InvalidProject::Secret("Project name")));
        let telling = Project::new("Shop", Some("The root password is Tr0ub4dor&3."));
        assert_eq!(telling, Err(InvalidProject::Secret("Description")));
    }
}
