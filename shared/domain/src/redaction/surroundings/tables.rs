//! Recognizes rows of search engines and of the DNS, words of the configuration of an SSH server, references to secrets of
//! Kubernetes, numbers of wireless devices, and sentences after "that is no secret:".

use super::{Place, announces};
use std::ops::Range;

/// Whether a value is such a thing.
pub(super) fn is_tabled(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    is_of_index(text, span, place)
        || is_of_record(text, span, place)
        || is_keyword_of_sshd(place)
        || is_reference(place)
        || is_model(place)
        || is_no_secret(place)
}

/// `green open app-2024 rKAbTGbhWl2xSrQX6hRVcw 1 1 4459`: an index, a shard or a node of Elasticsearch.
fn is_of_index(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const ID_BYTES: usize = 22;
    const ABOVE_BYTES: usize = 2_000;
    const COLUMNS: [&str; 5] = ["uuid", "id", "node_id", "node", "task_id"];
    let Place { value, before, after, .. } = *place;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
    let head = value.split(':').next().unwrap_or_default();
    if head.len() != ID_BYTES || !head.bytes().all(plain) {
        return false;
    }
    let mut words = before.split_whitespace();
    let health = words.next().is_some_and(|word| ["green", "yellow", "red"].contains(&word));
    let open = words.next().is_some_and(|word| ["open", "close"].contains(&word));
    if health && open && words.count() == 1 {
        return true;
    }
    let shard = |word: &str| ["STARTED", "RELOCATING", "INITIALIZING"].contains(&word);
    if before.split_whitespace().any(shard) {
        return true;
    }
    if before.trim().is_empty() && after.trim().is_empty() {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    text[from..span.start].split('\n').any(|line| {
        let name = |b: u8| b.is_ascii_lowercase() || b"._ ".contains(&b);
        line.split_whitespace().count() >= 3
            && !announces(line)
            && line.bytes().all(name)
            && line.split_whitespace().any(|column| COLUMNS.contains(&column))
    })
}

/// `DNSKEY 257 3 13 9rWm…`, `_443._tcp TLSA 3 1 1 92003b…`: a record of the DNS as a file of a zone has it.
fn is_of_record(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const KINDS: [&str; 11] = [
        "DNSKEY",
        "CDNSKEY",
        "DS",
        "CDS",
        "TLSA",
        "RRSIG",
        "SSHFP",
        "OPENPGPKEY",
        "SMIMEA",
        "KEY",
        "IPSECKEY",
    ];
    const LEAST_BYTES: usize = 12;
    const ABOVE_BYTES: usize = 1_200;
    let Place { value, before, .. } = *place;
    let base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
    if value.len() < LEAST_BYTES || !value.bytes().all(base64) {
        return false;
    }
    // Flags, numbers and earlier parts of the key come before it.
    let behind = |line: &str| {
        let mut words = line.split_ascii_whitespace().skip_while(|word| !KINDS.contains(word));
        let Some(kind) = words.next() else { return false };
        let mut numbers = 0;
        let fits = words.all(|word| {
            let number = word.bytes().all(|b| b.is_ascii_digit());
            numbers += usize::from(number);
            let name = kind == "RRSIG"
                && (word.ends_with('.') || word.bytes().all(|b| b.is_ascii_uppercase()));
            let part = word.len() >= LEAST_BYTES && word.bytes().all(base64);
            number || name || part || word == "("
        });
        fits && (numbers >= 2 || kind == "OPENPGPKEY")
    };
    if behind(before) {
        return true;
    }
    let whole = before.trim();
    if !whole.bytes().all(|b| base64(b) || b == b' ') {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    text[from..span.start].rsplit_once('(').is_some_and(|(above, inside)| {
        !inside.contains(')') && above.rsplit('\n').next().is_some_and(behind)
    })
}

/// `KbdInteractiveAuthentication no` on a line of its own: a setting of an SSH server or client.
fn is_keyword_of_sshd(place: &Place<'_>) -> bool {
    const ENDS: [&str; 26] = [
        "Authentication",
        "File",
        "Files",
        "Forwarding",
        "Login",
        "Passwords",
        "Passwd",
        "Command",
        "CommandUser",
        "Users",
        "Groups",
        "Keys",
        "Key",
        "Modes",
        "Level",
        "Facility",
        "Interval",
        "Max",
        "Time",
        "Ciphers",
        "Algorithms",
        "Environment",
        "Path",
        "Family",
        "PAM",
        "Checking",
    ];
    let Place { value, before, after, .. } = *place;
    let mut humps = value.as_bytes().windows(2);
    before.trim().is_empty()
        && value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.bytes().all(|b| b.is_ascii_alphabetic())
        && humps.any(|of| of[0].is_ascii_alphabetic() && of[1].is_ascii_uppercase())
        && ENDS.iter().any(|end| value.ends_with(end))
        && after.starts_with([' ', '\t'])
        && !after.trim().is_empty()
        && !after.trim().contains(' ')
}

/// `nginx.ingress.kubernetes.io/auth-secret: basic-auth`: the name of a secret of Kubernetes.
fn is_reference(place: &Place<'_>) -> bool {
    const LEAST_LETTERS: usize = 4;
    let Place { value, before, .. } = *place;
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if value.bytes().filter(u8::is_ascii_lowercase).count() < LEAST_LETTERS
        || !value.split(['-', '/', '.']).all(word)
    {
        return false;
    }
    let Some(key) = before.trim_end_matches([' ', '"', '\'']).strip_suffix([':', '=']) else {
        return false;
    };
    let key = key.trim_end_matches(['"', '\'']).rsplit([' ', '"', '\'']).next().unwrap_or_default();
    let short = key.split_once('/').map_or(
        "",
        |(domain, name)| {
            if domain.contains('.') { name } else { "" }
        },
    );
    let named = ["secret-name", "secretName", "secret_name"].iter().any(|end| key.ends_with(end));
    named || short.ends_with("-secret") || short == "secret"
}

/// "The wifi FRITZ!Box 7590 is slow", "UniFi 6": the number of a device.
fn is_model(place: &Place<'_>) -> bool {
    const DEVICES: [&str; 20] = [
        "box",
        "fritz!box",
        "fritzbox",
        "unifi",
        "archer",
        "livebox",
        "freebox",
        "bbox",
        "speedport",
        "repeater",
        "nighthawk",
        "omada",
        "orbi",
        "eero",
        "deco",
        "airport",
        "lancom",
        "vigor",
        "powerline",
        "netgear",
    ];
    const NUMBER_BYTES: usize = 5;
    let Place { value, before, .. } = *place;
    let number = value.trim_end_matches(['.', ',', '?', '!']);
    let plain = number.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if number.len() > NUMBER_BYTES || !plain || !number.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    DEVICES.contains(&last.trim_start_matches(['"', '(', '„']))
}

/// "Das ist kein Geheimnis: RabbitMQ braucht viel RAM": what is said after such words, or after "the secret:" in a sentence.
fn is_no_secret(place: &Place<'_>) -> bool {
    const DENIED: [&str; 16] = [
        "kein geheimnis",
        "no secret",
        "not a secret",
        "ningún secreto",
        "ningun secreto",
        "no es un secreto",
        "no es secreto",
        "pas un secret",
        "nessun segreto",
        "non è un segreto",
        "nenhum segredo",
        "não é segredo",
        "geen geheim",
        "żaden sekret",
        "open secret",
        "offenes geheimnis",
    ];
    const NOUNS: [&str; 10] = [
        "der schlüssel",
        "das geheimnis",
        "the key",
        "the secret",
        "la clave",
        "el secreto",
        "la clé",
        "le secret",
        "la chiave",
        "il segreto",
    ];
    // What begins an advice
    const ADVICE: [&str; 16] = [
        "einfach",
        "immer",
        "nie",
        "niemals",
        "just",
        "simply",
        "always",
        "never",
        "simplemente",
        "siempre",
        "nunca",
        "simplement",
        "toujours",
        "jamais",
        "semplicemente",
        "sempre",
    ];
    let Place { value, before, .. } = *place;
    let Some(head) = before.trim_end().strip_suffix([':', ',', '–', '-']) else { return false };
    let word = |c: char| c.is_alphabetic() || " ,.!'’-".contains(c);
    if !value.contains(' ') || !value.chars().all(word) {
        return false;
    }
    let head = head.trim_end().to_lowercase();
    let first = value.split(' ').next().unwrap_or_default().to_lowercase();
    DENIED.iter().any(|denied| head.ends_with(denied))
        || (NOUNS.contains(&head.trim_start()) && ADVICE.contains(&first.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn rows_records_and_references_stay() {
        for text in [
            "green open app-2024 rKAbTGbhWl2xSrQX6hRVcw 1 1 4459 0 32mb 16mb",
            "id                     pid host\nXq7uZ5mWSUe0b1f3nH4LQw 1821 10.0.3.7",
            "DNSKEY 257 3 13 9rWmrOqvhg6uKwIQX2SLR6X1x3WDA5YHoZ7yAUi6bJrnMpmxp08Cdl8",
            "@ IN DNSKEY 257 3 13 (\n  9rWmrOqvhg6uKwIQX2SLR6X1x3WDA5YHoZ7yAUi6bJ\n  rnMpmxp08Cdl8Yq2 )",
            "AuthorizedKeysFile .ssh/authorized_keys\nKbdInteractiveAuthentication no",
            "nginx.ingress.kubernetes.io/auth-secret: basic-auth",
            "The wifi FRITZ!Box 7590 is slow",
            "Das ist kein Geheimnis: minio braucht viel RAM.",
            "It's no secret: postgres likes memory.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn what_only_resembles_them_is_found() {
        seals(&[
            ("green open app, api key rKAbTGbhWl2xSrQX6hRVcw", &["rKAbTGbhWl2xSrQX6hRVcw"]),
            ("the API key is rKAbTGbhWl2xSrQX6hRVcw", &["rKAbTGbhWl2xSrQX6hRVcw"]),
            ("auth-secret: 8f3KqLm2Xw7RtZp9Vb4N", &["8f3KqLm2Xw7RtZp9Vb4N"]),
            ("WLAN FRITZ!Box 7590, Passwort 58203917465528390174", &["58203917465528390174"]),
            ("kein Geheimnis mehr: Passwort ist Ziegel#Brot19", &["Ziegel#Brot19"]),
        ]);
    }
}
