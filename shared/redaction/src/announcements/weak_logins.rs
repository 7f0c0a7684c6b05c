//! Finds weak passwords beside their users: `postgres://app:secret@db:5432/app`, `curl -u admin:admin`, "login is
//! admin/admin".
//!
//! As with settings, a weak value is still a value, and the rest of the text decides whether the login is in use. An address
//! in a manual has stand-ins in more than one place: `user:password@host`, `/dbname`. Outside of addresses, two equal words
//! may be an owner with a group (`chown root:root`) or a path, so an option or a word for a login has to come before them.

use super::weak_values::{is_about_examples, is_weak};
use super::{COMPARED_BYTES, Line};
use crate::words::{FIRST_USERS, Role, folded, lists, role};
use std::ops::Range;

/// Users, hosts and databases of manuals.
const USERS: &str = "user username usr usuario benutzer utilisateur utente name login usuário";
const HOSTS: &str = "host hostname server servername yourhost myhost";
const DATABASES: &str = "dbname database mydatabase mydb databasename";
/// Options before a user with a password.
const OPTIONS: &str = "-u --user --auth --userpwd -a";
/// Words for a login besides those of [`role`], folded.
const LOGINS: &str = "default works worked geht funktioniert funciona marche";
/// The most addresses of a line that are read, and the most words before a pair.
const ADDRESSES: usize = 8;
const WORDS: usize = 6;
/// How far into a word the sign behind a first user is looked for, in bytes.
const NAME_BYTES: usize = 16;

/// The passwords.
pub(super) fn values(line: &Line<'_>) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return Vec::new();
    }
    let mut found: Vec<_> = of_pair(line).into_iter().collect();
    if line.chars.has(b'@') && line.chars.has(b':') {
        let addresses = line.text.match_indices("://").take(ADDRESSES);
        found.extend(addresses.filter_map(|(at, mark)| of_address(&line.text[at + mark.len()..])));
    }
    if !found.is_empty() && is_about_examples(line) {
        return Vec::new();
    }
    found.into_iter().map(|value| line.span(value)).collect()
}

/// The weak password of an address, from its user on, if nothing else in it is a stand-in.
fn of_address(rest: &str) -> Option<&str> {
    let address = rest.split([' ', '\t', '"', '\'', '`', '<', '>', ')']).next()?;
    let (authority, path) = address.split_once('/').unwrap_or((address, ""));
    let (login, host) = authority.split_once('@')?;
    let (user, password) = login.split_once(':')?;
    let host = host.split(':').next()?;
    let database = path.split('?').next()?;
    let capitals = |text: &str| text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let own = |list: &str, word: &str| !word.is_empty() && !lists(list, word) && !capitals(word);
    let used =
        (user.is_empty() || own(USERS, user)) && own(HOSTS, host) && !lists(DATABASES, database);
    (used && is_weak(password)).then_some(password)
}

/// The password of `-u admin:admin` and "login is admin/admin".
fn of_pair<'a>(line: &Line<'a>) -> Option<&'a str> {
    let at = line.words.iter().position(|word| {
        // Most words end here.
        let start = word.as_bytes().iter().take(NAME_BYTES);
        start.clone().any(|b| matches!(b, b':' | b'/')) && pair(word).is_some()
    })?;
    let value = pair(line.words[at])?;
    let before = line.words[at.saturating_sub(WORDS)..at].iter();
    let option = before.clone().next_back().is_some_and(|word| lists(OPTIONS, word));
    let logs_in = |word: &&str| {
        let word = folded(word.trim_end_matches([':', ',']));
        matches!(role(&word), Some(Role::Login)) || lists(LOGINS, &word)
    };
    // A file or an image: `ls admin/admin`, `cd test/test`
    let after = line.words.get(at + 1);
    (option || before.clone().chain(after).any(logs_in)).then_some(value)
}

/// The password of a first user whose name it repeats, or for whom it is a weak one: `admin:admin`, `root/password`.
fn pair(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let (user, value) = word.split_once([':', '/'])?;
    let repeated = || user == value && value.len() >= 4;
    let secret = || matches!(role(value), Some(Role::Password | Role::Token)) && is_weak(value);
    ((repeated() || secret()) && lists(FIRST_USERS, user)).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::redacted;

    #[test]
    fn a_weak_password_in_use_is_found_beside_its_user() {
        for text in [
            "DATABASE_URL=postgres://app:secret@db:5432/app",
            "mysql://root:password@127.0.0.1:3306/shop",
            "redis://:example@cache-1:6379/0",
            "curl -u admin:admin http://grafana:3000/api/health",
            "login is admin/admin",
            "admin/admin works on the grafana",
            "zugangsdaten: root/password",
        ] {
            assert!(redacted(text).contains("{{secret:"), "{text}");
        }
    }

    #[test]
    fn stand_ins_owners_and_paths_stay() {
        for text in [
            "postgres://user:password@host:5432/dbname",
            "postgres://USER:password@HOST:5432/app",
            "postgresql://app:password@localhost:5432/database",
            "for example postgres://app:secret@db:5432/app",
            "chown root:root /etc/nginx/nginx.conf",
            "chown -R admin:admin /srv",
            "cd admin/admin && ls",
            "image: test/test:1.2",
            "the docs say the default login is admin/admin",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
