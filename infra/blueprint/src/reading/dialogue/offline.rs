//! Servers that may not reach the internet: “no internet access”, “ohne Internetzugang”. Everything that is built may.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Dialogue;
use crate::reading::wishes::{Asked, Fate};
use crate::words::{Words, is_negation, lists};

/// What the deployments do instead.
const OUTGOING: &str = "outgoing connections are allowed";

const INTERNET: &str =
    "internet internetzugang internetzugriff internetanschluss internetverbindung";
const ACCESS: &str = "access zugang zugriff anschluss verbindung connection acceso salida conexión accès sortie connexion reach \
    erreichen outbound egress";
/// Words by which the clause is about connections that come in.
const COMING_IN: &str = "from desde depuis aus vom von over reachable accessible exposed open opened public publicly visible";
/// Words after “access” by which it is the access to something here: “no internet access to the database”.
const TO: &str = "to auf zu zur zum al à aux";
/// The most words between the negation and the internet.
const REACH: usize = 6;

impl Dialogue {
    /// Lists that nothing keeps the servers from the internet, if a message asks for that. Returns the positions of the
    /// values that say so, which close no port.
    pub(super) fn read_offline(&mut self, words: &Words) -> BTreeSet<usize> {
        let Some(said) = offline(words) else { return BTreeSet::new() };
        let fate = match self.blueprint {
            Some(_) => Fate::Differently(OUTGOING.into()),
            None => Fate::Not,
        };
        self.lack(vec![Asked { what: words.said_in(said.clone()), fate }]);
        said.collect()
    }
}

/// The words that keep servers from the internet, as positions of values.
fn offline(words: &Words) -> Option<Range<usize>> {
    let forms: Vec<[&str; 2]> =
        words.values().enumerate().map(|(at, value)| [value, words.said(at).0]).collect();
    let is = |at: usize, list: &str| forms[at].iter().any(|word| lists(list, &word.to_lowercase()));
    let no = |at: usize| forms[at].iter().any(|word| is_negation(&word.to_lowercase()));
    (0..forms.len()).filter(|at| is(*at, INTERNET)).find_map(|at| {
        let clause = words.clause(at);
        let start = (clause.start.max(at.saturating_sub(REACH))..at).rev().find(|at| no(*at))?;
        let next = Some(at + 1).filter(|next| clause.contains(next) && is(*next, ACCESS));
        let end = next.unwrap_or(at) + 1;
        let alone = start + 1 == at && next.is_none() && end == clause.end;
        let access =
            alone || forms[at][0].len() > "internet".len() || (start..end).any(|at| is(at, ACCESS));
        let inward =
            clause.clone().any(|at| is(at, COMING_IN)) || clause.contains(&end) && is(end, TO);
        (access && !inward).then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_may_be_kept_from_the_internet() {
        for text in [
            "a server with no internet access",
            "servers without internet access",
            "internal servers, without access to internet",
            "ohne internetzugang",
            "the servers must not reach the internet",
            "sin salida a internet",
            "no internet",
        ] {
            assert!(offline(&Words::of(text)).is_some(), "{text}");
        }
        for text in [
            "no access from the internet",
            "not reachable from the internet",
            "no internet access to the database",
            "no port open to the internet",
            "internet access is fine",
            "the internet is slow here, not my fault",
        ] {
            assert!(offline(&Words::of(text)).is_none(), "{text}");
        }
    }
}
