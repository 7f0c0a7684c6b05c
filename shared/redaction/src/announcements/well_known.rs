//! Finds the passwords that everyone tries first, where a sentence says that one is in use: "the default, which is letmein".

use super::{COMPARED_BYTES, Line};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::words::{Role, Table, folded, role};
use std::ops::Range;
use std::sync::OnceLock;

/// Passwords at the top of every list, in lower case.
const COMMON: &str = "letmein password1 password12 password123 hunter2 qwerty1 qwerty12 qwerty123 qwertz123 azerty123 admin1 admin12 admin123 \
     admin1234 iloveyou welcome1 welcome123 willkommen1 abc123 abc1234 secret1 secret12 secret123 passw0rd p@ssw0rd p4ssw0rd pa55word 123456 \
     1234567 12345678 123456789 1234567890 654321 111111 11111111 000000 00000000 test123 test1234 toor root123 root1234 monkey12 monkey123 \
     monkey99 trustno1 raspberry calvin changeme changeit dragon123 hola123 administrator1 passwort1 passwort123 geheim123 contrasena1 \
     contrasena123 contraseña1 contraseña123 motdepasse1 superman1 qwertyuiop 1q2w3e4r 1qaz2wsx zaq12wsx user123 guest123 master123";
/// Words about a password that a machine has from the start.
pub(crate) const DEFAULTS: [&str; 9] = [
    "default",
    "standard",
    "werks",
    "por defecto",
    "predeterminad",
    "de fábrica",
    "par défaut",
    "d'usine",
    "predefinit",
];
/// What lists of such passwords and rules about them say.
const LISTS: [&str; 29] = [
    "readme",
    "placeholder",
    "platzhalter",
    "template",
    "vorlage",
    "plantilla",
    "modèle",
    "such as",
    " like ",
    "e.g.",
    "i.e.",
    "example",
    "beispiel",
    "ejemplo",
    "exemple",
    "common",
    "häufig",
    "wordlist",
    "wörterliste",
    "rockyou",
    "never use",
    "forbid",
    "reject",
    "verbot",
    "blocklist",
    "blacklist",
    "banned",
    "prohib",
    "interdit",
];
/// Users that machines have from the start.
const USERS: [&str; 9] =
    ["root", "admin", "administrator", "user", "guest", "pi", "ubuntu", "cisco", "supervisor"];
/// Words before such a password: "set to", "mit".
const BEFORE: [&str; 14] = [
    "to", "auf", "with", "mit", "con", "avec", "use", "uses", "using", "tiene", "tienen", "a",
    "still", "noch",
];
/// Words after it: "de contraseña", "as the password".
const BEHIND: [&str; 8] = ["de", "as", "als", "como", "comme", "come", "for", "en"];

/// Whether a word in lower case is one of them.
pub(crate) fn is_common(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(COMMON)).get(word).is_some()
}

/// `the default, which is letmein`, `default login admin:password1`, `Standardpasswort vom Switch: password1`
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let sign = |c: char| "\"'`„“”«»‘’.,;!?()".contains(c);
    let words = &line.words;
    let mut found = words.iter().enumerate().filter_map(|(at, word)| {
        let bare = word.trim_matches(sign);
        let (user, value) = bare.rsplit_once([':', '/']).unwrap_or(("", bare));
        // Another number may be a default as well.
        let named = line.announces || value.contains(char::is_alphabetic);
        (named && is_common(&value.to_lowercase())).then_some((at, user, value))
    });
    let (at, user, value) = found.next()?;
    if found.next().is_some() || LISTS.iter().any(|list| line.lower.contains(list)) {
        return None;
    }
    let before = at.checked_sub(1).map(|at| words[at].trim_matches(sign)).unwrap_or_default();
    let lower = before.to_lowercase();
    let copula = part(&lower) == Some(Part::Is) || role(&folded(&lower)) == Some(Role::Copula);
    let tied = copula
        || before.ends_with([':', '=', '>', '→'])
        || BEFORE.contains(&lower.as_str())
        || says(&lower).is_none() && line.speaks && lower.contains("pass");
    let called = words.get(at + 1).is_some_and(|next| BEHIND.contains(next))
        && words[at + 1..]
            .iter()
            .take(4)
            .any(|next| role(&folded(next.trim_matches(sign))) == Some(Role::Password));
    let login = USERS.contains(&user.to_lowercase().as_str());
    ((user.is_empty() && (tied || called)) || login).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_common_password_in_use_is_found() {
        seals(&[
            ("It's still on the default, which is letmein. Rotate it?", &["letmein"]),
            ("Standardpasswort vom Drucker: password1", &["password1"]),
            ("default login admin:password1, nobody changed it", &["password1"]),
            ("todas las cámaras tienen letmein de contraseña", &["letmein"]),
            ("le mot de passe par défaut est azerty123", &["azerty123"]),
        ]);
        for text in [
            "passwords such as letmein and password1 are refused",
            "a list of common passwords begins with letmein",
            "the default password policy forbids password123",
            "the default is 8 characters",
            "der Standardwert ist 123456",
            "In the README it says password: changeme, which is only a placeholder.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
