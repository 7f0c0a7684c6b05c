//! Finds the password in a login that has only a comma between its parts: `login to the nas: kim, driftwood`.
//!
//! Two names of people look the same: "access to the nas: kim, lena". So only words for one login announce such a pair, and
//! words for access only beside a user that every machine has.

use super::{COMPARED_BYTES, Line, fits, is_made_up, is_noun, trim};
use crate::grammar::{is_plain, is_tool};
use crate::identifiers::{is_product, is_service, is_thing_noun};
use crate::words::{FIRST_USERS, folded, lists};
use std::ops::Range;

/// Words for a login with its password, folded.
const LOGINS: &str = "login creds cred credentials credenciales credencial identifiants credenziali credenciais zugangsdaten anmeldedaten logindaten";
/// Words for access, folded.
const ACCESS: &str = "access acceso acces accesso acesso zugang anmeldung";
/// What accounts may do, where they are, and when: no passwords, folded.
const ROLES: &str = "gast guest viewer editor reader writer owner member operator auditor read write execute today tomorrow heute morgen please \
     bitte invitado lecteur lettore leitor lector redactor editeur moderator";
/// The shortest password, in bytes: most shorter words would be names of people.
const LEAST_BYTES: usize = 5;
/// The most words before the colon.
const WORDS: usize = 7;

/// The word behind the comma.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !(line.chars.has(b',') || line.announces) {
        return None;
    }
    let (head, pair) = line.text.split_once(':')?;
    // "login do painel: padaria senha girassol"
    let named = || {
        let mut words = pair.split_whitespace();
        let (user, noun, value) = (words.next()?, words.next()?, words.next()?);
        (is_noun(noun) && words.next().is_none()).then_some((user, value))
    };
    let (user, value) = pair.trim().split_once(", ").or_else(named)?;
    let (user, value) = (user.trim(), trim(value.trim_end_matches(['.', '!'])));
    let one = |text: &str| !text.is_empty() && !text.contains([' ', ':', '=', ',']);
    if !one(user) || !one(value) {
        return None;
    }
    let mut heads = head.split_whitespace();
    let first = heads.find(|word| is_head(word))?;
    let first = folded(first);
    let known = lists(FIRST_USERS, &user.to_lowercase());
    let told = lists(LOGINS, &first) || (lists(ACCESS, &first) && known);
    let word = folded(value);
    let other = is_thing_noun(&word)
        || is_service(&word)
        || is_product(&word)
        || lists(FIRST_USERS, &word)
        || lists(ROLES, &word);
    let own = (is_plain(value) && !is_tool(value) && !other) || is_made_up(value);
    let long = value.len() >= LEAST_BYTES;
    (told && long && heads.count() < WORDS && own && fits(value)).then(|| line.span(value))
}

/// Whether a word announces a login or access.
fn is_head(word: &str) -> bool {
    let word = folded(word);
    lists(LOGINS, &word) || lists(ACCESS, &word)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_comma_may_separate_a_login() {
        seals(&[
            ("login to the nas: kim, driftwood", &["driftwood"]),
            ("Login fürs NAS: kim, Treibholz", &["Treibholz"]),
            ("identifiants du nas : kim, tartelette", &["tartelette"]),
            ("creds: kim, driftwood", &["driftwood"]),
            ("o cliente passou o login do painel: padaria1 senha paodequeijo", &["paodequeijo"]),
            ("Zugang zum Router: admin, Fensterbank", &["Fensterbank"]),
            ("acceso al nas: root, girasol", &["girasol"]),
        ]);
        for text in [
            "access to the nas: kim, lena",
            "acceso al nas: kim, lucia",
            "login to the nas: kim, lena",
            "login for grafana: admin, viewer",
            "login to the nas: kim, please",
            "login to the nas: kim, lena and tom",
            "Zugang zum Router: kim, Fensterbank",
            "login: fix the form, test it",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
