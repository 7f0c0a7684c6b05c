//! Who there is: users, made on first sight as their names say, and their installations of the App.
//!
//! How a name begins decides what its owner has, so that everything that happens to people at GitHub can be
//! had by asking for it: see [`Start::of`].

use serde::{Deserialize, Serialize};

/// Installations of a user whose name begins with `many-`: more than a page of GitHub's holds.
const MANY: usize = 101;

/// A user of the local GitHub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Number that stays the same for good.
    pub id: u64,
    /// Name in addresses.
    pub login: String,
    /// The installations that the user reaches.
    #[serde(default)]
    pub installations: Vec<Installation>,
    /// The one installation of a user that an earlier version kept.
    #[serde(default, rename = "installation", skip_serializing_if = "Option::is_none")]
    pub only: Option<u64>,
}

/// An installation of the App.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// Number of the installation.
    pub id: u64,
    /// The account it is on.
    pub account: Account,
    /// When it was suspended, as RFC 3339.
    pub suspended_at: Option<String>,
    /// Whether it grants the App to write code and pull requests; nobody is asked before it is needed.
    #[serde(default)]
    pub writes: bool,
}

/// A user's or an organization's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Number, from the same sequence as the users'.
    pub id: u64,
    /// Name.
    pub login: String,
    /// Whether it is an organization's.
    pub organization: bool,
}

/// What a user begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Nothing; the install page installs at once.
    Welcome,
    /// Nothing; the install page asks.
    New,
    /// An own account and two organizations, the second of them suspended.
    Several,
    /// More organizations than a page holds.
    Many,
    /// Nothing; the install page can only ask an owner, who has not answered.
    Pending,
    /// One, and it is suspended.
    Suspended,
    /// Nothing, and no authorization either.
    Denies,
}

impl Start {
    /// What the user of this name begins with.
    pub fn of(login: &str) -> Self {
        let kinds = [
            ("none-", Self::New),
            ("new-", Self::New),
            ("several-", Self::Several),
            ("many-", Self::Many),
            ("pending-", Self::Pending),
            ("suspended-", Self::Suspended),
            ("denied-", Self::Denies),
        ];
        let kind = kinds.into_iter().find(|(prefix, _)| login.starts_with(prefix));
        kind.map_or(Self::Welcome, |(_, kind)| kind)
    }

    /// The accounts whose installations the user reaches from the beginning, and whether each is suspended.
    pub fn installed_on(self, login: &str) -> Vec<(String, bool, bool)> {
        let own = |suspended| (login.to_owned(), false, suspended);
        let organization = |name: String, suspended| (name, true, suspended);
        match self {
            Self::Welcome | Self::New | Self::Pending | Self::Denies => Vec::new(),
            Self::Suspended => vec![own(true)],
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

    /// The user as this version keeps them.
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
    fn an_installation_that_an_earlier_version_kept_stays_its_users() {
        let kept = r#"{"id": 1001, "login": "local", "installation": 50001}"#;
        let user = serde_json::from_str::<User>(kept).unwrap().renewed();
        assert_eq!(user.installations[0].id, 50_001);
        assert_eq!(user.installations[0].account.login, "local");
        assert_eq!(user.only, None);
    }
}
