//! Recognizes names that everyone knows: programs that keep passwords, standards, character sets, methods of authentication.

use super::Place;
use crate::words::lists;

/// Programs that keep passwords.
const KEEPERS: &str = "keepass keepassx keepassxc keepassdx vaultwarden bitwarden 1password lastpass dashlane passbolt enpass \
     roboform nordpass teampass padloc psono gopass syspass passwork";
/// Methods of authentication.
const METHODS: &str = "bearer basic scram-sha-256";

/// Whether a value is such a name, or a year.
pub(super) fn is_known(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let bare = value.trim_matches(|c: char| " .,?!;:)*`'\"".contains(c)).to_lowercase();
    lists(KEEPERS, &bare)
        || lists(METHODS, &bare)
        || is_standard(&bare)
        || is_charset(&bare)
        || is_suite(&bare)
        || (is_technique(&bare) && !place.is_announced())
        || is_year(before, value)
        // A device, also in a longer word: "FRITZ!Box-Oberfläche"
        || bare.strip_prefix("fritz!").is_some_and(|device| device.starts_with(char::is_alphabetic))
}

/// `2FA/MFA`, `S3-Cloud-Speicher`, `IPv6-Adressen`, `v4v6`: a technique whose name has a digit, alone or with words.
fn is_technique(lower: &str) -> bool {
    const TECHNIQUES: &str = "2fa u2f fido2 oauth2 ipv4 ipv6 v4v6 s3 webauthn microk8s";
    let (first, rest) = lower.split_once(['-', '/']).unwrap_or((lower, ""));
    lists(TECHNIQUES, first) && rest.chars().all(|c| c.is_alphabetic() || c == '-')
}

/// `pkcs#8`, `x.509v3`
fn is_standard(lower: &str) -> bool {
    lower.starts_with("x.509")
        || lower.strip_prefix("pkcs#").is_some_and(|number| {
            (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
        })
}

/// `utf-16-le`, `iso-8859-2`, `utf8mb4_unicode_ci`
fn is_charset(lower: &str) -> bool {
    const STARTS: [&str; 9] = [
        "utf-",
        "utf_",
        "utf8",
        "latin-",
        "latin_",
        "latin1",
        "iso-8859",
        "iso8859",
        "windows-125",
    ];
    const MOST_BYTES: usize = 20;
    lower.len() <= MOST_BYTES
        && lower.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && STARTS.iter().any(|start| lower.starts_with(start))
}

/// `aes256-sha256-modp2048`, `aes256gcm16-prfsha384-ecp384`: the algorithms that two ends of a tunnel agree on.
fn is_suite(lower: &str) -> bool {
    const ALGORITHMS: [&str; 14] = [
        "aes",
        "sha",
        "modp",
        "ecp",
        "prf",
        "md5",
        "3des",
        "chacha20",
        "curve25519",
        "x25519",
        "mlkem",
        "camellia",
        "secp",
        "prime256v1",
    ];
    let known = |part: &str| ALGORITHMS.iter().any(|start| part.starts_with(start));
    lower.contains(['-', ':']) && lower.split(['-', ':']).all(known)
}

/// "Copyright 1998, 2001"
fn is_year(before: &str, value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_digit() || b" ,-".contains(&b))
        && before.to_ascii_lowercase().contains("copyright")
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn known_names_stay() {
        for text in [
            "We replaced Bitwarden by KeePassXC and it works.",
            "PKCS#8 is a format for a private key",
            "ike phase 1: aes256-sha256-modp2048",
            "ike=aes128-sha1-modp1024",
            "MySQL 8 please, utf8mb4, about 20 GB of data to start with",
            "Anmeldung des Benutzers fritz1 an der FRITZ!Box-Benutzeroberfläche gescheitert (falsches Kennwort)",
            "If you have 2FA/MFA enabled on your Gmail the password will not work",
            "für das Backup mit Passwort unterstützt Version 3 NAS und S3-Cloud-Speicher.",
            "bind :::443 v4v6 ssl crt site.pem",
            "Server-side encryption needs a key and up-to-date clients",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[("KeePassXC opens with Walnut_77x", &["Walnut_77x"])]);
    }
}
