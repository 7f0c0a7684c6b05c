//! SSH keys that a message gives, or names by their owners. Every server here gets a new key.

use std::ops::Range;

use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::words::{Words, lists};

/// What a server gets in place of the user's keys.
const NEW_KEY: &str = "a new key of its own";

/// The requirement that a login needs a key.
const KEY_ONLY: &str = "SSH logins by key only";

/// The beginnings of the kinds of public keys, and of every key of such a kind.
const KEY_KINDS: &[&str] = &["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-", "sk-ssh-ed25519", "ssh-dss"];
const KEY_START: &str = "aaaa";

/// The row for keys of people: “only the keys of Karim and Solène”. The clause asks for more than logins by key.
pub(super) fn of_people(
    blueprint: &Blueprint,
    words: &Words,
    open: &mut Open,
    covered: &mut Vec<&'static str>,
) -> Option<Asked> {
    let named = blueprint.has_server().then(|| owners(words)).flatten()?;
    open.take_range(&words.clause(named.start));
    covered.retain(|wish| *wish != KEY_ONLY);
    Some(Asked { what: words.said_in(named), fate: Fate::Differently(NEW_KEY.into()) })
}

/// The words that name keys by their owners.
fn owners(words: &Words) -> Option<Range<usize>> {
    const KEYS: &str = "key keys";
    const OF: &str = "of from for de von d'";
    const JOINING: &str = "and y et und de von of";
    let values: Vec<&str> = words.values().collect();
    let text = words.text();
    let is_a_name = |at: usize| {
        let mut letters = values[at].chars();
        let first = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
        let name: String = first.unwrap_or_default();
        name.chars().all(char::is_alphabetic) && text.contains(&name)
    };
    (0..values.len()).find_map(|at| {
        let clause = words.clause(at);
        let of = clause.contains(&(at + 2)) && lists(KEYS, values[at]) && lists(OF, values[at + 1]);
        if !of || !is_a_name(at + 2) {
            return None;
        }
        let end = (at + 2..clause.end).find(|at| !is_a_name(*at) && !lists(JOINING, values[*at]));
        Some(at..end.unwrap_or(clause.end))
    })
}

/// The row for a public key in the message, which is not a secret and is not repeated either.
pub(super) fn public_key(
    blueprint: Option<&'static Blueprint>,
    words: &Words,
    open: &mut Open,
) -> Option<Asked> {
    let values: Vec<&str> = words.values().collect();
    let kind = |at: usize| KEY_KINDS.iter().any(|kind| values[at].starts_with(kind));
    let key =
        |at: &usize| kind(*at) && values.get(at + 1).is_some_and(|key| key.starts_with(KEY_START));
    let at = (0..values.len()).find(key)?;
    let comment = values.get(at + 2).is_some_and(|comment| comment.contains('@'));
    let whole = at..at + 2 + usize::from(comment);
    let tokens = open.tokens.iter_mut().filter(|token| whole.contains(&token.value));
    tokens.for_each(|token| token.open = false);
    let server = blueprint.filter(|blueprint| blueprint.has_server());
    let fate = server.map_or(Fate::Not, |_| Fate::Differently(NEW_KEY.into()));
    Some(Asked { what: "your own SSH key".into(), fate })
}
