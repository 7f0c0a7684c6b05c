//! Finds the passwords of several services that share a user: `Grafana is X and Kibana is Y, both with user admin`.

use super::{COMPARED_BYTES, Line, fits, trim};
use crate::lexicon::{Part, part};
use crate::weight::{Weight, is_hex, weigh};
use crate::words::{FIRST_USERS, FOR, folded, lists};
use std::ops::Range;

/// Words that say that somebody signs in.
const USERS: &str = "user users login logins username account accounts creds credentials benutzer benutzername nutzer zugang zugange \
     zugangsdaten usuario usuarios accesos utilisateur utilisateurs acces utente accessi gebruiker uzytkownik";
/// How names of things begin that have types, versions and generated names.
const RESOURCES: [&str; 21] = [
    "vm", "pod", "node", "image", "type", "host", "server", "size", "sku", "instance", "disk",
    "bucket", "version", "branch", "tag", "commit", "cluster", "volume", "ami", "zone", "master",
];
/// The most words of a line that are read.
const WORDS: usize = 48;
/// The shortest of such passwords, in bytes.
const LEAST_BYTES: usize = 8;

/// The values behind the names of the services, if there are several.
pub(super) fn services(line: &Line) -> Vec<Range<usize>> {
    // Of several passwords, one has a digit. Most lines have none.
    if line.text.len() > COMPARED_BYTES || line.digits == 0 {
        return Vec::new();
    }
    let all = line.first_words(WORDS);
    let values: Vec<_> = all
        .windows(3)
        .filter_map(|of| value(of[0], of[1], of[2]))
        .chain(all.windows(2).filter_map(|of| value(of[0].strip_suffix(':')?, ":", of[1])))
        .collect();
    let plain = |word: &str| folded(word.trim_matches(|c: char| !c.is_alphanumeric())).into_owned();
    let shared = values.len() > 1 && all.iter().any(|word| lists(USERS, &plain(word)));
    let values = if shared { values } else { given(all) };
    values.into_iter().map(|value| line.span(value)).collect()
}

/// `Use X for the mysql root user and Y for the wordpress user`: both, if one of them looks like nothing but a password.
fn given<'t>(all: &[&'t str]) -> Vec<&'t str> {
    let for_ = |word: &str| FOR.contains(&word) || word == "fur";
    /// How many words after "for" the user may be.
    const REACH: usize = 4;
    let plain = |word: &str| folded(word.trim_matches(|c: char| !c.is_alphanumeric())).into_owned();
    let user = |word: &&str| {
        let word = plain(word);
        let known = |last: &str| lists(USERS, last) || lists(FIRST_USERS, last);
        word.rsplit('-').next().is_some_and(known)
    };
    let values: Vec<&str> = (1..all.len().saturating_sub(1))
        .filter(|at| for_(all[at + 1]))
        .filter(|at| all[at + 2..].iter().take(REACH).any(user))
        .map(|at| trim(all[at]))
        .filter(|value| {
            let digit = value.bytes().any(|b| b.is_ascii_digit());
            value.len() >= LEAST_BYTES && digit && weigh(value) >= Weight::Weak && fits(value)
        })
        .collect();
    let sure = |value: &&str| {
        let sign = value.contains(|c: char| "!#$%&*+?".contains(c));
        sign && value.contains(char::is_uppercase) && weigh(value) >= Weight::Fair
    };
    if values.len() > 1 && values.iter().any(sure) { values } else { Vec::new() }
}

/// `it's X (for root) and Y (for the app)`: both, with what each is for between brackets.
pub(super) fn explained(line: &Line) -> Vec<Range<usize>> {
    const LEAST_BYTES: usize = 6;
    if line.text.len() > COMPARED_BYTES || line.digits < 2 || !line.text.contains(" (") {
        return Vec::new();
    }
    let all = line.first_words(WORDS);
    let values: Vec<&str> = all
        .windows(2)
        .filter(|of| of[1].strip_prefix('(').is_some_and(|word| FOR.contains(&word)))
        .map(|of| trim(of[0]))
        .filter(|value| {
            let digit = value.bytes().any(|b| b.is_ascii_digit());
            let chosen = value.contains(|c: char| c.is_uppercase() || "!#$%&*+?".contains(c));
            let own = weigh(value) >= Weight::Name || value.contains('_');
            value.len() >= LEAST_BYTES && digit && chosen && own && fits(value)
        })
        .collect();
    let user = |word: &&str| {
        lists(FIRST_USERS, &folded(word.trim_matches(|c: char| !c.is_alphanumeric())))
    };
    if values.len() < 2 || !all.iter().any(user) {
        return Vec::new();
    }
    values.into_iter().map(|value| line.span(value)).collect()
}

/// The value of `Grafana is X` or `Grafana: X`.
fn value<'t>(name: &str, tie: &str, value: &'t str) -> Option<&'t str> {
    // Most words end here.
    let signed = matches!(tie, ":" | "=" | "->" | "→" | "has" | "hat" | "tiene" | "c'est");
    if value.len() < LEAST_BYTES || !(signed || part(tie) == Some(Part::Is)) {
        return None;
    }
    let named = name.chars().all(|c| c.is_alphanumeric() || "-_'()".contains(c)) && name.len() > 1;
    let resource = || {
        let name = name.to_lowercase();
        RESOURCES.iter().any(|stem| name.starts_with(stem))
    };
    if !named || resource() {
        return None;
    }
    let value = trim(value.trim_end_matches([',', ';', '.', ')']));
    let own = value.len() >= LEAST_BYTES
        && value.contains(|c: char| c.is_uppercase() || "!#$%&*+?_".contains(c))
        && !value.contains(['/', '(', ':'])
        && value.split_once('@').is_none_or(|(_, host)| !host.contains('.'))
        && !is_hex(value)
        && weigh(value) >= Weight::Fair
        && fits(value);
    own.then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn several_services_have_a_password_each() {
        seals(&[
            (
                "Grafana is kSeMlFvkxsOYZPW6 and Kibana is hnkbrd-csl5Ap-dbcfgz, both with user admin",
                &["kSeMlFvkxsOYZPW6", "hnkbrd-csl5Ap-dbcfgz"],
            ),
            (
                "Portainer: hnkbrd-csl5Ap-dbcfgz, Nexus: kSeMlFvkx7OYZPW6, user admin on both",
                &["hnkbrd-csl5Ap-dbcfgz", "kSeMlFvkx7OYZPW6"],
            ),
        ]);
        seals(&[(
            "Use ghostpepper-41 for the mysql root user and Zk9!vantage for the wordpress user.",
            &["ghostpepper-41", "Zk9!vantage"],
        )]);
        seals(&[
            (
                "Use Tiger_walnut80 for MySQL root and Tig3rw4lnut! for the user kim.",
                &["Tiger_walnut80", "Tig3rw4lnut!"],
            ),
            (
                "Nimm Walnuss_88 für den Grafana-Benutzer und Zk9!vantage für root.",
                &["Walnuss_88", "Zk9!vantage"],
            ),
        ]);
        seals(&[(
            "as you asked: it's Copperpot_3 (for root) and Copperpan_4 (for the app)",
            &["Copperpot_3", "Copperpan_4"],
        )]);
        for text in [
            "we have Debian_12 (for root) and Ubuntu24 (for the app)",
            "Use bastion-01 for the admin user and runner-022 for the deploy user",
            "Grafana is v10.4.2 and Kibana is 8.13.4, both with user admin",
            "Grafana is grafana01 and Kibana is kibana02, both with user admin",
            "pod1 is api-7d4b9c6f5-x2k8z and pod2 is api-7d4b9c6f5-b9x4q, run as user 1000",
            "staging is eu-central-1 and prod is us-east-1, both with user deploy",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
