//! Who may log in, if both the database and its server have a user of that name: “root may log in from 203.0.113.5” after
//! “MySQL”. The model does not guess: the address is not let in, and a row has the clause.

use super::Dialogue;
use super::nets::Before;
use crate::catalogue::{DATABASES, networks};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

/// Users of a database whose names systems have, too.
const USERS: &[&str] = &["root", "postgres", "admin", "dba"];

/// Words for the server, by which a user is one of its system.
const OF_THE_SERVER: &[&str] = &[
    "ssh", "sftp", "22", "shell", "server", "machine", "vps", "box", "host", "system", "linux",
    "debian", "key", "keys",
];

impl Dialogue {
    /// Lets in no address by SSH from which such a user may log in.
    pub(super) fn keep_logins_apart(&mut self, words: &Words, before: &Before) {
        let database = self.blueprint.is_some_and(|now| DATABASES.contains(&now.id));
        let ssh = self.parameters().find(|one| one.key == networks::SSH_FROM.key);
        let given =
            ssh.filter(|one| database && self.values.get(one.key) != before.values.get(one.key));
        let Some(parameter) = given else { return };
        let values: Vec<&str> = words.values().collect();
        let address = |at: &usize| networks::has_address(values[*at]) && words.means_value(*at);
        let ambiguous = |at: &usize| {
            let sentence = &values[words.sentence(*at)];
            let has = |list: &[&str]| sentence.iter().any(|word| list.contains(word));
            has(USERS) && !has(OF_THE_SERVER)
        };
        let Some(at) = (0..values.len()).filter(address).find(ambiguous) else { return };
        let clause = words.clause(at);
        self.restore(parameter, before);
        self.lack(vec![Asked { what: words.said_in(clause.clone()), fate: Fate::NotUnderstood }]);
        self.latest.reported.extend(clause);
    }
}
