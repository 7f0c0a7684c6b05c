//! Users, created as their names require when they first appear, and their installations of the App.
//!
//! The prefix of a name decides what its owner has, so that a test or a person can ask for any situation on GitHub by
//! its name: see [`Start::of`].

use serde::{Deserialize, Serialize};

/// How the name of a user begins who contributes to a repository of the user whose name follows.
pub const GUEST: &str = "guest-of-";

/// How the name of a user begins who can access several installations.
const SEVERAL: &str = "several-";

/// How many installations a user whose name begins with `many-` has: more than a page of GitHub's holds.
const MANY: usize = 101;

/// A user of the local GitHub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// A number that never changes.
    pub id: u64,
    /// The name in addresses.
    pub login: String,
    /// The installations that the user can access.
    #[serde(default)]
    pub installations: Vec<Installation>,
    /// The only installation of a user in the format of an earlier version.
    #[serde(default, rename = "installation", skip_serializing_if = "Option::is_none")]
    pub only: Option<u64>,
}

/// An installation of the App.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// The installation's number.
    pub id: u64,
    /// The account it belongs to.
    pub account: Account,
    /// When it was suspended, as RFC 3339.
    pub suspended_at: Option<String>,
    /// Whether it grants the App write permission for code and pull requests; the App asks for it when it is first
    /// needed.
    #[serde(default)]
    pub writes: bool,
}

/// A user's or an organization's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// A number from the same sequence as the users'.
    pub id: u64,
    /// Name.
    pub login: String,
    /// Whether it belongs to an organization.
    pub organization: bool,
}

/// What a user begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nothing; the install page installs at once.
    Welcome,
    /// Nothing; the install page asks.
    New,
    /// The user's own account and two organizations, the second of them suspended.
    Several,
    /// More organizations than a page holds.
    Many,
    /// Nothing; the install page can only send a request to an owner, who does not answer.
    Pending,
    /// One installation, which is suspended.
    Suspended,
    /// Nothing, and the user refuses authorization.
    Denies,
    /// The installation of an organization.
    Organization,
}

/// How a user belongs to the organizations whose installations they can access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belongs {
    /// As a member.
    Member,
    /// Not at all: the user contributes to one of their repositories.
    Outside,
    /// The user has yet to accept an invitation.
    Invited,
    /// The App may not read that.
    Unread,
}

impl Belongs {
    /// How a user with this name belongs to them.
    pub fn of(login: &str) -> Self {
        let login = login.strip_prefix(SEVERAL).unwrap_or(login);
        let kinds =
            [("outside-", Self::Outside), ("invited-", Self::Invited), ("unread-", Self::Unread)];
        let kind = kinds.into_iter().find(|(prefix, _)| login.starts_with(prefix));
        kind.map_or(Self::Member, |(_, kind)| kind)
    }
}

impl Start {
    /// The start of a user with this name.
    pub fn of(login: &str) -> Self {
        let kinds = [
            ("none-", Self::New),
            ("new-", Self::New),
            (SEVERAL, Self::Several),
            ("many-", Self::Many),
            ("pending-", Self::Pending),
            ("suspended-", Self::Suspended),
            ("denied-", Self::Denies),
        ];
        let kind = kinds.into_iter().find(|(prefix, _)| login.starts_with(prefix));
        match kind {
            Some((_, kind)) => kind,
            None if Belongs::of(login) != Belongs::Member => Self::Organization,
            None => Self::Welcome,
        }
    }

    /// The accounts whose installations the user can access from the beginning, and whether each is suspended.
    pub fn installed_on(self, login: &str) -> Vec<(String, bool, bool)> {
        let own = |suspended| (login.to_owned(), false, suspended);
        let organization = |name: String, suspended| (name, true, suspended);
        match self {
            Self::Welcome | Self::New | Self::Pending | Self::Denies => Vec::new(),
            Self::Suspended => vec![own(true)],
            Self::Organization => vec![organization(format!("{login}-labs"), false)],
            Self::Several => vec![
                own(false),
                organization(format!("{login}-labs"), false),
                organization(format!("{login}-ops"), true),
            ],
            Self::Many => (1..=MANY).map(|n| organization(format!("{login}-{n}"), false)).collect(),
        }
    }
}

impl User {
    /// The user's own account.
    pub fn account(&self) -> Account {
        Account { id: self.id, login: self.login.clone(), organization: false }
    }

    /// The user in this version's format.
    pub fn renewed(mut self) -> Self {
        if let Some(id) = self.only.take() {
            let account = self.account();
            self.installations.push(Installation {
                id,
                account,
                suspended_at: None,
                writes: false,
            });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_from_an_earlier_version_stays_with_its_user() {
        let kept = r#"{"id": 1001, "login": "local", "installation": 50001}"#;
        let user = serde_json::from_str::<User>(kept).unwrap().renewed();
        assert_eq!(user.installations[0].id, 50_001);
        assert_eq!(user.installations[0].account.login, "local");
        assert_eq!(user.only, None);
    }
}
