//! Recognizes parts of addresses and paths, mailboxes, phone numbers, and the names of entries in a password manager.

use super::{Place, announces};
use crate::words::{folded, lists};

/// Whether a value is such a part, number or name.
pub(super) fn is_location(place: &Place<'_>) -> bool {
    is_after_host(place)
        || is_of_windows(place.value)
        || is_mailbox(place)
        || is_login_of_scheme(place)
        || is_extension(place)
        || is_entry(place)
}

/// `8080/reset?lang=fr` of `http://localhost:8080/reset?lang=fr`: a port and what follows it, without a secret's name.
fn is_after_host(place: &Place<'_>) -> bool {
    let Place { value, after, .. } = *place;
    let port = value.split(['/', '?']).next().unwrap_or_default();
    // Nearly all finds end here.
    if port.len() == value.len() || !port.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let host = place.begun().rsplit_once("://").map(|(_, host)| host);
    let login = after.split_whitespace().next().is_some_and(|rest| rest.contains('@'));
    host.is_some_and(|host| host.ends_with(':') && !host.contains(['@', '/']))
        && !value.contains('@')
        && !login
        && !value.split_once('?').is_some_and(|(_, query)| announces(query))
}

/// `C:\Users\kim\report.exe`
fn is_of_windows(value: &str) -> bool {
    let mut bytes = value.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.next() == Some(b':')
        && bytes.next() == Some(b'\\')
        && value[3..].contains('\\')
}

/// "went to billing@ yesterday": a mailbox without its host, unless a sentence gives it as the password.
fn is_mailbox(place: &Place<'_>) -> bool {
    let name = place.value.strip_suffix('@').unwrap_or_default();
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_lowercase() || b".-_".contains(&b))
        && place.after.chars().next().is_none_or(char::is_whitespace)
        && !place.is_announced_as_secret()
}

/// `u331407` of `sftp:u331407@u331407.example.com`
fn is_login_of_scheme(place: &Place<'_>) -> bool {
    const SCHEMES: [&str; 4] = ["sftp", "ssh", "scp", "rsync"];
    let scheme = || place.begun().trim_start_matches(['"', '\'', '(']).strip_suffix(':');
    place.after.starts_with('@') && scheme().is_some_and(|scheme| SCHEMES.contains(&scheme))
}

/// "ask Ann, extension 4417", "(Tel. 0711 555 4180)": a number by which somebody is called.
fn is_extension(place: &Place<'_>) -> bool {
    const PHONES: &str = "tel telefon telefono telephone phone tfno tlf tfn fono movil handy mobil extension ext poste durchwahl dw \
         interno anexo nebenstelle fax";
    let Place { value, before, .. } = *place;
    let digits = value.trim_end_matches([')', '.', ',']);
    let sign = |c: char| c.is_ascii_digit() || " ./-".contains(c);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let label = before.trim_end_matches(sign).trim_end_matches([':', '.', ' ', '+', '(']);
    let label = label.rsplit([' ', '(', ',']).next().unwrap_or_default();
    lists(PHONES, &folded(label))
}

/// `entry is called "strato ftp"`: the name of an entry in a password manager.
fn is_entry(place: &Place<'_>) -> bool {
    const ENTRIES: &str = "eintrag entry entrada entree item";
    const CALLED: &str =
        "heisst is called named namens llamada llama se s'appelle nommee es ist est unter";
    const OF: &str = "of des del du von vom della do da";
    let quotes = ['"', '\'', '„', '“', '«', '‘'];
    let Some(before) = place.before.strip_suffix(quotes) else { return false };
    let words = before.split_whitespace().rev();
    let mut words = words.map(|word| folded(word.trim_end_matches(':')).into_owned()).peekable();
    while words.next_if(|word| lists(CALLED, word)).is_some() {}
    // "the password of the entry is"
    words.next().is_some_and(|word| lists(ENTRIES, &word))
        && !words.take(2).any(|word| lists(OF, &word))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn parts_of_addresses_numbers_and_entries_stay() {
        for text in [
            "le lien « mot de passe oublié » renvoie vers http://localhost:8080/reset?lang=fr",
            r"Trojan in C:\Users\Praxis\Downloads\Rechnung_2024_06.exe. Sind jetzt unsere Kennwörter weg?",
            "Das Initialkennwort steht in der Begrüßungsmail, die ist an rechnung@ gegangen",
            "pass: /etc/restic/pw, repo: sftp:u331407@u331407.your-storagebox.de:/backup",
            "mot de passe : demande à Solène, poste 4417",
            "Das Kuvert mit dem Passwort liegt im Tresor, Schlüssel beim Werkschutz (Tel. 0711 555 4180).",
            "hab das pw im 1password geteilt, vault \"Hundeschule\", eintrag heisst \"strato ftp\"",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("das Passwort der Nebenstelle ist 4417", &["4417"]),
            ("the password of the entry is \"strato ftp\"", &["strato ftp"]),
            ("the password is sommer@", &["sommer@"]),
            ("Das Passwort lautet sommer@ und gilt ab morgen", &["sommer@"]),
            ("password: sommer@", &["sommer@"]),
        ]);
    }
}
