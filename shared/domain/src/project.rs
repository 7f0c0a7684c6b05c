//! A project, and the rules for its name and description.

use crate::{ProjectId, Timestamp, unseen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest project name, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// The longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 2_000;

/// A project as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Project {
    /// Random, below 2^53.
    pub id: ProjectId,
    /// Its name, 1 to 100 characters.
    pub name: String,
    /// A short description, or null.
    #[schema(required)]
    pub description: Option<String>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its owner's last change.
    pub updated_at: Timestamp,
    /// Archived by its owner: nothing is deleted, and lists of projects omit it by default.
    #[serde(default)]
    pub archived: bool,
}

/// Why input is not a valid project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProject {
    /// No name, or only white space.
    #[error("Project name is required.")]
    NameMissing,
    /// Over [`MAX_NAME_CHARS`].
    #[error("Project name is too long. Keep it within 100 characters.")]
    NameTooLong,
    /// Over [`MAX_DESCRIPTION_CHARS`].
    #[error("Description is too long. Keep it within 2,000 characters.")]
    DescriptionTooLong,
    /// Characters that move the cursor, reverse the text or are invisible.
    #[error("{0} contains control characters. Type it again as plain text.")]
    Control(&'static str),
    /// The text seems to contain a secret. Every page, prompt and log line about the project would show it.
    #[error(
        "{0} seems to contain a secret. Leave it out: you can add it as a credential once the project exists."
    )]
    Secret(&'static str),
}

impl Project {
    /// A new project from its owner's input, trimmed and checked.
    pub fn new(name: &str, description: Option<&str>) -> Result<Self, InvalidProject> {
        let (name, description) = (checked_name(name)?, checked_description(description)?);
        let now = Timestamp::now();
        Ok(Self {
            id: ProjectId::random(),
            name,
            description,
            created_at: now,
            updated_at: now,
            archived: false,
        })
    }

    /// The same project with its owner's changes; fields that the request omits stay unchanged.
    pub fn changed(self, update: &ProjectUpdate) -> Result<Self, InvalidProject> {
        let name = update.name.as_deref().map(checked_name).transpose()?;
        let description = update.description.as_deref().map(|text| checked_description(Some(text)));
        Ok(Self {
            name: name.unwrap_or(self.name),
            description: description.transpose()?.unwrap_or(self.description),
            archived: update.archived.unwrap_or(self.archived),
            updated_at: Timestamp::now(),
            ..self
        })
    }
}

/// The changes to a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectUpdate {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// At most 2,000 characters; an empty text removes the description.
    pub description: Option<String>,
    /// Whether it is archived.
    pub archived: Option<bool>,
}

fn checked_name(name: &str) -> Result<String, InvalidProject> {
    let name = name.trim();
    if name.is_empty() {
        return Err(InvalidProject::NameMissing);
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(InvalidProject::NameTooLong);
    }
    check_plain("Project name", name, |_| false)?;
    Ok(name.to_owned())
}

fn checked_description(description: Option<&str>) -> Result<Option<String>, InvalidProject> {
    let Some(description) = description.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if description.chars().count() > MAX_DESCRIPTION_CHARS {
        return Err(InvalidProject::DescriptionTooLong);
    }
    check_plain("Description", description, |c| matches!(c, '\n' | '\r' | '\t'))?;
    Ok(Some(description.to_owned()))
}

/// Refuses control characters and secrets in a name.
fn check_plain(
    what: &'static str,
    text: &str,
    allowed: fn(char) -> bool,
) -> Result<(), InvalidProject> {
    let steers = |c: char| unseen::is_unseen(c) || (c.is_control() && !allowed(c));
    if text.contains(steers) {
        return Err(InvalidProject::Control(what));
    }
    if redaction::find(text).is_empty() { Ok(()) } else { Err(InvalidProject::Secret(what)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_neither_a_name_nor_a_description() {
        assert_eq!(Project::new(" \n", None), Err(InvalidProject::NameMissing));
        let project = Project::new("  blog ", Some("  ")).unwrap();
        assert_eq!((project.name.as_str(), project.description), ("blog", None));
    }

    #[test]
    fn an_update_changes_only_the_fields_that_it_names() {
        let project = Project::new("blog", Some("words")).unwrap();
        let renamed = ProjectUpdate { name: Some(" shop ".into()), ..ProjectUpdate::default() };
        let project = project.changed(&renamed).unwrap();
        assert_eq!(
            (project.name.as_str(), project.description.as_deref()),
            ("shop", Some("words"))
        );
        let emptied = ProjectUpdate { description: Some(" ".into()), ..ProjectUpdate::default() };
        assert_eq!(project.clone().changed(&emptied).unwrap().description, None);
        let nameless = ProjectUpdate { name: Some(" ".into()), ..ProjectUpdate::default() };
        assert_eq!(project.changed(&nameless), Err(InvalidProject::NameMissing));
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
    fn a_name_contains_neither_secrets_nor_control_characters() {
        for bad in [
            "a\u{7}b",
            "a\nb",
            "a\u{1b}[31m",
            "a\u{9b}31m",
            "a\u{202e}b",
            "a\u{2028}b",
            "a\tb",
            "a\u{200f}b",
            "a\u{200b}b",
            "a\u{feff}b",
            "a\u{ad}b",
            "a\u{e0069}\u{e0067}",
        ] {
            assert_eq!(
                Project::new(bad, None),
                Err(InvalidProject::Control("Project name")),
                "{bad:?}"
            );
        }
        assert!(Project::new("👩\u{200d}💻 می\u{200c}خواهم", None).is_ok());
        assert!(Project::new("Shop", Some("Two lines:\r\n\tthis is the second")).is_ok());
        let steering = Project::new("Shop", Some("a\u{0}b"));
        assert_eq!(steering, Err(InvalidProject::Control("Description")));
        let telling = Project::new("Shop root:Tr0ub4dor&3", None);
        assert_eq!(telling, Err(InvalidProject::Secret("Project name")));
        let telling = Project::new("Shop", Some("The root password is Tr0ub4dor&3."));
        assert_eq!(telling, Err(InvalidProject::Secret("Description")));
    }
}
