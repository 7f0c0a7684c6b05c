//! Users, installations, browser sessions and tokens, kept in a file; codes live in memory for ten minutes.

use super::key;
use super::people::{Account, GUEST, Installation, Start, User};
use super::repositories::Repositories;
use crate::{environment::Ports, files, names};
use anyhow::{Context, Result};
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::KeyPair as _;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How long a code may be exchanged, in milliseconds: GitHub's own ten minutes.
const CODE_MS: i64 = 10 * 60 * 1000;
/// Id of the first user; the others follow.
const FIRST_USER: u64 = 1001;
/// Id of the first installation; the others follow.
const FIRST_INSTALLATION: u64 = 50_001;
/// The longest login that GitHub allows, in characters.
const LOGIN_CHARS: usize = 39;

/// The local GitHub.
#[derive(Clone)]
pub struct GitHub(Arc<Inner>);

struct Inner {
    file: PathBuf,
    site: String,
    kept: Mutex<Kept>,
    codes: Mutex<HashMap<String, Code>>,
    app_key: KeyPair,
    repositories: Repositories,
}

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    client_secret: String,
    #[serde(default)]
    webhook_secret: String,
    /// The App's private key, in PEM.
    #[serde(default)]
    app_key: String,
    users: BTreeMap<String, User>,
    sessions: BTreeMap<String, String>,
    tokens: BTreeMap<String, String>,
    /// The highest number of a deleted installation.
    #[serde(default)]
    last_installation: u64,
}

impl Kept {
    fn accounts(&self) -> impl Iterator<Item = u64> {
        let of = |user: &User| {
            let organizations: Vec<_> =
                user.installations.iter().map(|one| one.account.id).collect();
            organizations.into_iter().chain([user.id])
        };
        self.users.values().flat_map(of)
    }

    fn next_account(&self) -> u64 {
        self.accounts().max().map_or(FIRST_USER, |last| last + 1)
    }

    fn next_installation(&self) -> u64 {
        let there = self.users.values().flat_map(|user| &user.installations).map(|one| one.id);
        there
            .chain([self.last_installation])
            .max()
            .map_or(FIRST_INSTALLATION, |last| last + 1)
            .max(FIRST_INSTALLATION)
    }
}

/// The result of changing an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is kept.
    Stays,
    /// It is deleted.
    Goes,
}

/// The data behind a code.
#[derive(Clone, Debug)]
pub struct Code {
    /// Login of the user who authorized the App.
    pub login: String,
    /// The callback address the code was sent to.
    pub redirect_uri: String,
    /// The PKCE challenge that the exchange must meet.
    pub challenge: Option<String>,
    expires_ms: i64,
}

impl GitHub {
    /// Reads the state; generates the App's secrets the first time. The App's private key then comes from `shared_key`,
    /// if that is given.
    pub fn open(file: PathBuf, ports: Ports, shared_key: Option<&Path>) -> Result<Self> {
        let kept: Option<Kept> =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut kept = kept.unwrap_or_default();
        for secret in [&mut kept.client_secret, &mut kept.webhook_secret] {
            if secret.is_empty() {
                *secret = crate::ids::token();
            }
        }
        kept.users = kept.users.into_iter().map(|(login, user)| (login, user.renewed())).collect();
        if kept.app_key.is_empty() {
            kept.app_key = match shared_key {
                Some(shared) => files::shared(shared, key::make)
                    .with_context(|| format!("cannot share {}", shared.display()))?,
                None => key::make()?,
            };
        }
        let app_key = key::read(&kept.app_key)?;
        files::write_json(&file, &kept)?;
        let repositories = Repositories::open(file.with_file_name("github-repositories"))?;
        let site = format!("http://localhost:{}", ports.site);
        let (kept, codes) = (Mutex::new(kept), Mutex::default());
        Ok(Self(Arc::new(Inner { file, site, kept, codes, app_key, repositories })))
    }

    /// The App's client secret.
    pub fn client_secret(&self) -> String {
        self.kept().client_secret.clone()
    }

    /// The secret with which the App's webhooks are signed.
    pub fn webhook_secret(&self) -> String {
        self.kept().webhook_secret.clone()
    }

    /// The App's private key, in PEM.
    pub fn private_key(&self) -> String {
        self.kept().app_key.clone()
    }

    /// The App's public key.
    pub fn public_key(&self) -> &[u8] {
        self.0.app_key.public_key().as_ref()
    }

    /// The repositories.
    pub fn code(&self) -> &Repositories {
        &self.0.repositories
    }

    /// The installation with this number, of any user.
    pub fn installation(&self, id: u64) -> Option<Installation> {
        let kept = self.kept();
        kept.users.values().flat_map(|user| &user.installations).find(|one| one.id == id).cloned()
    }

    /// The origin of the site, which hosts both the App and this GitHub.
    pub fn site(&self) -> &str {
        &self.0.site
    }

    /// The App's callback address.
    pub fn callback(&self) -> String {
        format!("{}/api/github/callback", self.0.site)
    }

    /// The user with this login, created if new.
    pub fn user(&self, login: &str) -> User {
        if let Some(user) = self.kept().users.get(login) {
            return user.clone();
        }
        // A guest sees the installation of the account to whose repository they contribute.
        let hosted = login.strip_prefix(GUEST).and_then(|host| {
            let id = self.install(host);
            self.installation(id)
        });
        let mut kept = self.kept();
        let id = kept.next_account();
        let installations = hosted.into_iter().collect();
        let mut user = User { id, login: login.to_owned(), installations, only: None };
        let (mut account, mut installation) = (id, kept.next_installation());
        for (name, organization, suspended) in Start::of(login).installed_on(login) {
            if organization {
                account += 1;
            }
            let id = if organization { account } else { user.id };
            user.installations.push(Installation {
                id: installation,
                account: Account { id, login: name, organization },
                suspended_at: suspended.then(now),
                writes: false,
            });
            installation += 1;
        }
        kept.users.insert(login.to_owned(), user.clone());
        self.keep(&kept);
        user
    }

    /// The user with this login, if there is one.
    pub fn known(&self, login: &str) -> Option<User> {
        self.kept().users.get(login).cloned()
    }

    /// Whether an account, a user's or an organization's, has this number.
    pub fn is_account(&self, id: u64) -> bool {
        self.kept().accounts().any(|known| known == id)
    }

    /// Installs the App on a user's own account and returns the installation's id.
    pub fn install(&self, login: &str) -> u64 {
        let user = self.user(login);
        if let Some(own) = user.installations.iter().find(|one| one.account.id == user.id) {
            return own.id;
        }
        let mut kept = self.kept();
        let id = kept.next_installation();
        if let Some(user) = kept.users.get_mut(login) {
            let account = user.account();
            user.installations.push(Installation {
                id,
                account,
                suspended_at: None,
                writes: false,
            });
        }
        self.keep(&kept);
        id
    }

    /// Adds an installation with a recorded number to one of the user's organizations; it grants the write permissions.
    pub fn recorded_installation(&self, login: &str, id: u64, organization: &str) {
        let mut kept = self.kept();
        let account = kept.next_account();
        if let Some(user) = kept.users.get_mut(login)
            && user.installations.iter().all(|one| one.id != id)
        {
            let account =
                Account { id: account, login: organization.to_owned(), organization: true };
            let (suspended_at, writes) = (None, true);
            user.installations.push(Installation { id, account, suspended_at, writes });
            self.keep(&kept);
        }
    }

    /// Changes one of a user's installations, or deletes it if `change` says so; returns its last state.
    pub fn change_installation(
        &self,
        login: &str,
        id: u64,
        change: impl FnOnce(&mut Installation) -> Fate,
    ) -> Option<Installation> {
        let mut kept = self.kept();
        let user = kept.users.get_mut(login)?;
        let at = user.installations.iter().position(|one| one.id == id)?;
        let fate = change(&mut user.installations[at]);
        let changed = user.installations[at].clone();
        if fate == Fate::Goes {
            // Its number is never assigned again.
            user.installations.remove(at);
            kept.last_installation = kept.last_installation.max(id);
        }
        self.keep(&kept);
        Some(changed)
    }

    /// Signs a browser in and returns the value of its cookie.
    pub fn sign_in(&self, login: &str) -> String {
        let session = crate::ids::token();
        let mut kept = self.kept();
        kept.sessions.insert(session.clone(), login.to_owned());
        self.keep(&kept);
        session
    }

    /// Signs a browser out.
    pub fn sign_out(&self, session: &str) {
        let mut kept = self.kept();
        if kept.sessions.remove(session).is_some() {
            self.keep(&kept);
        }
    }

    /// The user who is signed in with this cookie.
    pub fn signed_in(&self, session: &str) -> Option<String> {
        self.kept().sessions.get(session).cloned()
    }

    /// Creates a code.
    pub fn issue_code(&self, login: &str, redirect_uri: &str, challenge: Option<String>) -> String {
        let code = crate::ids::token();
        self.issue(&code, login, redirect_uri, challenge);
        code
    }

    /// Creates the code of a recorded sign-in, which then works once more.
    pub fn recorded_code(&self, login: &str, code: &str, redirect_uri: &str) {
        self.install(login);
        self.issue(code, login, redirect_uri, None);
    }

    fn issue(&self, code: &str, login: &str, redirect_uri: &str, challenge: Option<String>) {
        let now = crate::ids::now_ms();
        let issued = Code {
            login: login.to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            challenge,
            expires_ms: now + CODE_MS,
        };
        let mut codes = self.codes();
        codes.retain(|_, code| code.expires_ms > now);
        codes.insert(code.to_owned(), issued);
    }

    /// Removes and returns a code, so that it works once.
    pub fn take_code(&self, code: &str) -> Option<Code> {
        self.codes().remove(code).filter(|code| code.expires_ms > crate::ids::now_ms())
    }

    /// Creates an access token.
    pub fn issue_token(&self, login: &str) -> String {
        let token = format!("ghu_{}", crate::ids::token());
        let mut kept = self.kept();
        kept.tokens.insert(token.clone(), login.to_owned());
        self.keep(&kept);
        token
    }

    /// The user to whom an access token belongs.
    pub fn bearer(&self, token: &str) -> Option<User> {
        let login = self.kept().tokens.get(token).cloned()?;
        Some(self.user(&login))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn codes(&self) -> MutexGuard<'_, HashMap<String, Code>> {
        self.0.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: &Kept) {
        if let Err(error) = files::write_json(&self.0.file, kept) {
            tracing::error!(file = %self.0.file.display(), %error, "could not write the local GitHub's state");
        }
    }
}

fn now() -> String {
    crate::ids::rfc3339(crate::ids::now_ms())
}

/// A login as GitHub allows it: letters, digits and single hyphens inside.
pub fn is_login(login: &str) -> bool {
    let hyphens = login.starts_with('-') || login.ends_with('-') || login.contains("--");
    let allowed = login.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    !login.is_empty() && login.len() <= LOGIN_CHARS && allowed && !hyphens
}

/// The user who is signed in if no login is given.
pub const DEFAULT_LOGIN: &str = "local";

/// Whether this is the App that is registered at this GitHub.
pub fn is_our_app(slug: &str) -> bool {
    slug == names::GITHUB_APP_SLUG
}
