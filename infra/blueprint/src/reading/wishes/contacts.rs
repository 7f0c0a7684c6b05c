//! The address at which a user can be reached: “my mail is kim@example.org”. Nothing that is built needs one.

use std::ops::Range;

use super::open::Open;
use super::{Asked, Fate};
use crate::words::Words;

/// Words for an address and for what one is usually given for, in English.
const NOUNS: &[&str] = &[
    "email",
    "e-mail",
    "mail",
    "emails",
    "mails",
    "contact",
    "acme",
    "adminmail",
    "certbot",
    "courriel",
    "correo",
    "kontakt",
    "ansprechpartner",
];
/// Words that say that something is to be sent there.
const SENDING: &[&str] = &[
    "alert",
    "alerts",
    "alarm",
    "alarms",
    "notify",
    "notification",
    "notifications",
    "notice",
    "notices",
    "warning",
    "warnings",
    "report",
    "reports",
    "send",
    "sends",
    "sent",
    "newsletter",
    "failure",
    "failures",
    "fails",
    "error",
    "errors",
    "swap",
    "form",
    "avisos",
    "aviso",
    "échec",
    "fehler",
    "schickt",
    "schicken",
    "benachrichtigung",
    "grafana",
    "alertmanager",
    "mailserver",
    "mailbox",
    "mailboxes",
];
/// What the deployment does with such an address.
const UNUSED: &str =
    "no address is needed: nothing here sends mail, and Let's Encrypt asks for none";

/// The clauses that only give an address.
pub(super) struct Contacts(Vec<Range<usize>>);

impl Contacts {
    pub(super) fn of(words: &Words) -> Self {
        let values: Vec<&str> = words.values().collect();
        let is_address = |value: &str| {
            value.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
        };
        let places = (0..values.len()).filter(|at| is_address(values[*at]));
        let clauses = places.map(|at| words.clause(at));
        let given = |clause: &Range<usize>| {
            let says =
                |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
            says(NOUNS) && !says(SENDING)
        };
        Self(clauses.filter(given).collect())
    }

    /// Whether a phrase occurs in these clauses and nowhere else.
    pub(super) fn explain(&self, words: &Words, phrase: &str) -> bool {
        let places = words.places(phrase);
        let inside = |place: &Range<usize>| {
            self.0.iter().any(|clause| clause.start <= place.start && place.end <= clause.end)
        };
        NOUNS.contains(&phrase) && !places.is_empty() && places.iter().all(inside)
    }

    /// A row for each address.
    pub(super) fn rows(&self, words: &Words, open: &mut Open) -> Vec<Asked> {
        let values: Vec<&str> = words.values().collect();
        let places = self.0.iter().cloned().flatten();
        let (addresses, others): (Vec<_>, Vec<_>) =
            places.partition(|at| values[*at].contains('@'));
        others
            .into_iter()
            .filter(|at| NOUNS.contains(&values[*at]))
            .for_each(|at| open.take_range(&(at..at + 1)));
        let row = |at: usize| {
            open.take_range(&(at..at + 1));
            Asked { what: words.said_in(at..at + 1), fate: Fate::Differently(UNUSED.into()) }
        };
        addresses.into_iter().map(row).collect()
    }
}
