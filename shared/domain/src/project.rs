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
    if name_tells(name) { Err(InvalidProject::Secret("Project name")) } else { Ok(name.to_owned()) }
}

fn checked_description(description: Option<&str>) -> Result<Option<String>, InvalidProject> {
    let Some(description) = description.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if description.chars().count() > MAX_DESCRIPTION_CHARS {
        return Err(InvalidProject::DescriptionTooLong);
    }
    check_plain("Description", description, |c| matches!(c, '\n' | '\r' | '\t'))?;
    if redaction::has_secret(description) {
        return Err(InvalidProject::Secret("Description"));
    }
    Ok(Some(description.to_owned()))
}

/// Whether a name contains a secret.
///
/// A few words such as "Nextcloud29" could also answer the question for a password, so they are read as the field that
/// they fill. A longer name is read as a sentence.
fn name_tells(name: &str) -> bool {
    const FEW_WORDS: usize = 3;
    match name.split_whitespace().count() <= FEW_WORDS {
        true => redaction::has_secret(&format!("Project name: {name}")),
        false => redaction::has_secret(name),
    }
}

/// Refuses control characters.
fn check_plain(
    what: &'static str,
    text: &str,
    allowed: fn(char) -> bool,
) -> Result<(), InvalidProject> {
    let steers = |c: char| unseen::is_unseen(c) || (c.is_control() && !allowed(c));
    if text.contains(steers) { Err(InvalidProject::Control(what)) } else { Ok(()) }
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

    #[test]
    fn secrets_as_people_write_them_are_refused_in_names_and_descriptions() {
        for text in [
            "make the mysql root password Pfannkuchen",
            "The password is **Winter2021!**",
            "hier das passwort Mausefalle",
            "logga in som root med Kanelbulle22",
            "root / Sommer2024, set it to MyDogHasFleas",
            "use pat-na1-fe74800c-47f1-406d-8791-71cb09ee33b8 for HubSpot",
        ] {
            let named = Project::new(text, None);
            assert_eq!(named, Err(InvalidProject::Secret("Project name")), "{text}");
            let described = Project::new("Shop", Some(text));
            assert_eq!(described, Err(InvalidProject::Secret("Description")), "{text}");
            let update = ProjectUpdate { description: Some(text.into()), ..Default::default() };
            let changed = Project::new("Shop", None).unwrap().changed(&update);
            assert_eq!(changed, Err(InvalidProject::Secret("Description")), "{text}");
        }
    }

    #[test]
    fn ordinary_names_and_descriptions_are_kept() {
        for name in [
            "Shop2024",
            "shop-v2",
            "blog",
            "Kubernetes 3",
            "Nextcloud29",
            "acme-prod-eu1",
            "k3s_cluster_01",
            "WebShop_Backend_2",
            "Vaultwarden for the team",
            "Project X (copy)",
            "API v1.2.3",
            "password-manager",
            "Secrets & keys",
            "Copy of staging-2026-11",
            "MyApp2.0-Beta!",
            "root server",
            "Team C3PO/R2D2",
            "kunde_4711",
            "GitLab-CI@home",
            "n8n#2",
        ] {
            assert!(Project::new(name, None).is_ok(), "{name}");
        }
        for description in [
            "A small VPS in Nuremberg with nginx, 2 vCPUs and 4 GB of memory. Passwords come from Vault.",
            "Der Server bekommt PostgreSQL 16; das Passwort kommt aus Vault.",
            "Rotate the root password every 90 days, at least 12 characters.",
            "Deploy github.com/acme/shop@v1.4.2 to 203.0.113.7 (user deploy, key in ~/.ssh/shop_ed25519).",
            "Keycloak with OIDC, login with GitHub. Host: sso.example.com, port 8443.",
        ] {
            assert!(Project::new("Shop", Some(description)).is_ok(), "{description}");
        }
    }
}
