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
    "admin",
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

/// How alerts leave the server.
const BY_WEBHOOK: &str = "to a webhook";

/// The rows for addresses to which alerts are to be sent by mail. Only those without another row are left.
pub(super) fn of_alerts(words: &Words, alerts: bool, open: &mut Open) -> Vec<Asked> {
    let values: Vec<&str> = words.values().collect();
    let sends = |at: usize| words.sentence(at).any(|at| SENDING.contains(&values[at]));
    let left = |at: &usize| alerts && is_address(values[*at]) && open.is_open(*at) && sends(*at);
    let addresses: Vec<usize> = (0..values.len()).filter(left).collect();
    let row = |at: usize| {
        open.take_range(&(at..at + 1));
        Asked { what: words.said_in(at..at + 1), fate: Fate::Differently(BY_WEBHOOK.into()) }
    };
    addresses.into_iter().map(row).collect()
}

fn is_address(value: &str) -> bool {
    value.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
}

/// The clauses that only give an address.
pub(super) struct Contacts(Vec<Range<usize>>);

impl Contacts {
    pub(super) fn of(words: &Words) -> Self {
        let values: Vec<&str> = words.values().collect();
        let places = (0..values.len()).filter(|at| is_address(values[*at]));
        // “the mail for the certificate: kim@example.org”
        let with_label = |at: usize| {
            let clause = words.clause(at);
            let alone = clause.len() == 1 && clause.start > words.sentence(at).start;
            let start = if alone { words.clause(clause.start - 1).start } else { clause.start };
            start..clause.end
        };
        let clauses = places.map(with_label);
        let given = |clause: &Range<usize>| {
            let says =
                |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
            says(NOUNS) && !says(SENDING)
        };
        Self(clauses.filter(given).collect())
    }

    /// Whether the words at these positions are such a noun in one of these clauses.
    pub(super) fn explain(&self, words: &Words, place: &Range<usize>) -> bool {
        let noun = |at: usize| words.values().nth(at).is_some_and(|word| NOUNS.contains(&word));
        let values = words.values_of(place);
        let within =
            |clause: &Range<usize>| clause.start <= values.start && values.end <= clause.end;
        self.0.iter().any(within) && values.clone().all(noun)
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
