//! Recognizes what manuals, listings and lists of files contain: options in brackets, packages, names of headers, digests after
//! their name, colors, certificates in XML, nonces, and the examples of documentation.

use super::{Place, announces};
use crate::redaction::bare::decode;
use crate::redaction::weight::is_hex;
use crate::redaction::words::lists;
use std::ops::Range;

/// Commands after which the names of packages follow.
const INSTALLERS: [&str; 14] = [
    "apt-get install",
    "apt install",
    "aptitude install",
    "dnf install",
    "yum install",
    "zypper install",
    "zypper in ",
    "apk add",
    "pacman -S",
    "brew install",
    "pkg install",
    "apt-get remove",
    "apt remove",
    "apt-get purge",
];
/// What may follow "password" in the name of a thing or an activity.
const ACTIVITIES: &str = "cracker crackers cracking sprayer sprayers spraying stuffing guesser guessers guessing dump dumps leak leaks \
     breach breaches sniffer sniffers stealer stealers dictionary dictionaries wordlist wordlists brute lists meter meters safes \
     managers vaults policies prompts fields hashes resets rotations rules hints strengths crackstation fatigue hygiene reuse \
     aging ageing entropy masking quality complexity recovery";
/// Fields of logs and settings whose value is a number or an id.
const NUMBERED: [&str; 12] = [
    "pid=",
    "ppid=",
    "uid=",
    "auid=",
    "gid=",
    "ses=",
    "seed=",
    "seed ",
    "seed: ",
    "cluster.id=",
    "clusterId=",
    "process.pid=",
];
/// Names of digests before `=` or `:`.
const DIGESTS: [&str; 7] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake3"];

/// Whether a value is such a thing.
pub(super) fn is_of_manual(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    let Place { value, before, after, above } = *place;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.+:".contains(&b);
    let small = value.bytes().all(plain);
    // `-p, --password[=name]`, `--passphrase=PHRASE   passphrase of the key`
    let capitals = value.bytes().all(|b| b.is_ascii_uppercase()) && after.starts_with("  ");
    let option = (before.ends_with("[=") && after.starts_with(']'))
        || (capitals && before.ends_with('=') && before.contains("--"));
    // `RFC 7616 shows nonce="…"`
    let nonce = before.trim_end_matches(['"', '\'']).ends_with("nonce=");
    // `.gitignore`: `!secrets/README.md`
    let kept = value.starts_with('!')
        && before.is_empty()
        && value.contains('/')
        && (above.ends_with('/') || above.contains('*') || above.starts_with('.'));
    // "hydra and hashcat are password crackers"
    let activity = before.ends_with(' ')
        && announces(before.trim_end().rsplit(' ').next().unwrap_or_default())
        && lists(ACTIVITIES, value.trim_end_matches(['.', ',', '?', '!']));
    option
        || nonce
        || kept
        || activity
        || (small && (is_package(before) || is_account(before, value, after)))
        || (small && is_after_file(before))
        || is_numbered(before, value)
        || is_digest(before, value)
        || is_color(before, value)
        || is_header(value)
        || is_region(value)
        || value.contains("X509Certificate>")
        || is_message(before, value)
        || (value.strip_prefix("wwn-0x").is_some_and(is_hex) && before.trim().is_empty())
        || is_greeting(before, value)
        || is_in_certificate(text, span)
        || is_id_of_row(text, span, place)
        || (value.ends_with("EXAMPLEKEY") && is_documented(before, after))
        || value.starts_with("hashlib.")
        || is_issue(value)
        || matches!(value, "FIXME" | "TBD" | "fixme")
}

/// `apt-get install passwd libpam-pwquality`
fn is_package(before: &str) -> bool {
    INSTALLERS.iter().any(|command| {
        before
            .rsplit_once(command)
            .is_some_and(|(_, between)| !between.contains(['&', ';', '|', '`', ')']))
    })
}

/// `passwd deploy`: the user whose password is to be typed.
fn is_account(before: &str, value: &str, after: &str) -> bool {
    let ends = after.trim().is_empty() || after.trim_start().starts_with(['&', ';', '|', '#', '`']);
    let Some(head) = before.trim_end().strip_suffix("passwd") else { return false };
    let head = head.trim_start().trim_end();
    let root = head.ends_with("sudo") || head.ends_with('#');
    let command =
        root || head.is_empty() || head.ends_with(['$', '`', ';']) || head.ends_with("&&");
    let letters = value.bytes().all(|b| b.is_ascii_lowercase() || b"._-".contains(&b));
    ends && before.ends_with(' ') && command && (root || letters)
}

/// `restic --password-file /etc/restic/pw snapshots`: what follows the value of an option for a file.
fn is_after_file(before: &str) -> bool {
    let mut back = before.split_ascii_whitespace().rev();
    let (path, option) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
    let of_file = |option: &str| option.starts_with('-') && option.contains("file");
    // `--password-file=<(echo X)` has the secret itself.
    let glued = path
        .split_once('=')
        .is_some_and(|(option, file)| of_file(option) && !file.contains(['(', '<']));
    let named = path.contains(['/', '.', '~', '\\']) || path.starts_with('$');
    before.ends_with(' ') && ((of_file(option) && named) || glued)
}

/// `pid=3162`, `--randomly-seed=92721578`
fn is_numbered(before: &str, value: &str) -> bool {
    let id = before.ends_with("cluster.id=") || before.ends_with("clusterId=");
    let digits = value.bytes().all(|b| b.is_ascii_digit());
    id || (digits && NUMBERED.iter().any(|name| before.ends_with(name)))
}

/// `sha256=684f6849…`
fn is_digest(before: &str, value: &str) -> bool {
    const LEAST_BYTES: usize = 32;
    let (name, digits) = match value.split_once(['=', ':']) {
        Some(parts) => parts,
        None => (before.trim_end_matches(['=', ':']), value),
    };
    let tied = digits.len() < value.len() || before.ends_with(['=', ':']);
    let name = name.rsplit([' ', '"', '\'', ',', '-', '_']).next().unwrap_or_default();
    digits.len() >= LEAST_BYTES && is_hex(digits) && tied && DIGESTS.contains(&name)
}

/// `color: #2ba1fdc2;`
fn is_color(before: &str, value: &str) -> bool {
    let value = value.trim_end_matches([';', ',', ')']);
    let (sign, digits) = match value.strip_prefix('#') {
        Some(digits) => (true, digits),
        None => (before.ends_with('#'), value),
    };
    sign && [3, 4, 6, 8].contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && !announces(before)
}

/// `X-Hub-Signature-256`: the name of a header.
fn is_header(value: &str) -> bool {
    const ABBREVIATIONS: [&str; 4] = ["256", "512", "ID", "API"];
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut letters = word.chars();
        let titled = letters.next().is_some_and(|c| c.is_ascii_uppercase())
            && letters.all(|c| c.is_ascii_lowercase());
        titled || ABBREVIATIONS.contains(&part)
    };
    value.strip_prefix("X-").is_some_and(|name| name.contains('-') && name.split('-').all(part))
}

/// `acme/shop#12`, `gc/TestAge.java#id0`: an issue of a repository, or a part of a file.
fn is_issue(value: &str) -> bool {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    let Some((path, part)) = value.split_once('#') else { return false };
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let number = (1..=6).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
    let file = (2..=5).contains(&kind.len()) && kind.bytes().all(|b| b.is_ascii_lowercase());
    (number || file) && plain(name) && plain(part) && folder.split('/').all(plain)
}

/// `eu-central-1a`: a region or a zone of a cloud.
fn is_region(value: &str) -> bool {
    const SIDES: &str =
        "north south east west central northeast southeast northwest southwest gov iso";
    let mut parts = value.split('-');
    let (area, number) = (parts.next().unwrap_or_default(), parts.next_back().unwrap_or_default());
    let small = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase());
    let zone = number.trim_start_matches(|c: char| c.is_ascii_digit());
    area.len() == 2
        && small(area)
        && zone.len() <= 1
        && small(zone)
        && zone.len() < number.len()
        && (1..=2).contains(&parts.clone().count())
        && parts.all(|part| lists(SIDES, part))
}

/// `systemd-ask-password[5087]: Timed out`: the first word that a program wrote into the journal.
fn is_message(before: &str, value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphabetic())
        && before
            .trim_end()
            .strip_suffix("]:")
            .and_then(|head| head.rsplit_once('['))
            .is_some_and(|(_, pid)| !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a value is a part of a certificate in XML or in a key set: `<ds:X509Certificate>MII…`, `"x5c":["MII…`.
fn is_in_certificate(text: &str, span: &Range<usize>) -> bool {
    const ABOVE_BYTES: usize = 4_000;
    const LEAST_BYTES: usize = 20;
    const MARKS: [&str; 2] = ["X509Certificate>", "\"x5c\""];
    let value = &text[span.clone()];
    let base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
    if value.len() < LEAST_BYTES || !value.bytes().all(base64) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    let above = &text[from..span.start];
    MARKS.iter().any(|mark| {
        above.rsplit_once(mark).is_some_and(|(_, between)| {
            between.bytes().all(|b| base64(b) || b.is_ascii_whitespace() || b":[\",".contains(&b))
        })
    })
}

/// Whether a value is an id in the first column of a table that a program prints: `docker secret ls`.
fn is_id_of_row(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const ABOVE_BYTES: usize = 2_000;
    const ID_BYTES: usize = 12;
    let Place { value, before, after, .. } = *place;
    let plain = value.len() >= ID_BYTES && value.bytes().all(|b| b.is_ascii_alphanumeric());
    if !plain || !before.trim().is_empty() || !after.starts_with("  ") {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    text[from..span.start].split('\n').any(|line| {
        line.trim_start().starts_with("ID  ")
            && line.bytes().all(|b| b.is_ascii_uppercase() || b" -()".contains(&b))
    })
}

/// `R3LDvMOfZSBhdXMgS8O2bG4=`: several words in base64.
fn is_greeting(before: &str, value: &str) -> bool {
    let base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/=".contains(&b);
    if !value.bytes().all(base64) || announces(before) {
        return false;
    }
    let text = decode(value).and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    text.contains(' ') && text.chars().all(|c| c.is_alphabetic() || " ,.!?'".contains(c))
}

/// Whether the text around a key says that it is the one of a documentation.
pub(in crate::redaction) fn is_documented(before: &str, after: &str) -> bool {
    const SAID: [&str; 8] = [
        " docs ",
        "documentation",
        "example",
        "dokumentation",
        "beispiel",
        "ejemplo",
        "documentación",
        "exemple",
    ];
    let said = |text: &str| {
        let lower = text.to_lowercase();
        SAID.iter().any(|said| lower.contains(said))
    };
    said(before) || said(after)
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn manuals_and_listings_stay() {
        let base64 = "MIIDdzCCAl+gAwIBAgIE3ykC1RyXW8r7ur7WvpD5a0TPoP5mPOQqKzhbG4u9jxg4\n\
             mSzIENThMQ7N5vBj2ke0UnEhSQg2bY0QDomUVmXLa8hVFyaZHpi9YqOOlejVwFwN";
        for text in [
            "sudo passwd backup2",
            "passwd -l kim",
            "apt-get install -y passwd libpam-cracklib gnome-keyring",
            "dnf install sssd-tools authselect passwd shadow-utils",
            "rails (7.1.2) sha256=\
             9a1f0c27d4e81d2b7c3a5f6e7d8c9b0a1f2e3d4c5b6a79881726354453627180",
            "background: #2ba1fdc2;",
            "  -w, --passphrase[=phrase]  Passphrase of the key",
            "  -P, --passphrase=PHRASE   passphrase of the key",
            "Antes era eu-west-1b, ahora es eu-central-1a.",
            "see the header X-Shopify-Hmac-Sha256 and the secret",
            "systemd-ask-password[812]: Timed out waiting for the password",
            "borg --passphrase-file ~/borg.txt list",
            "pgbench --password-file=/etc/pw init",
            "RFC 7616 shows nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFoH4GiTo0v\" as its sample.",
            "payloads are signed, see X-Gitea-Signature-256",
            "john and ophcrack are password crackers",
            "*.pem\nsecrets/\n!secrets/README.md",
            "SECRET_KEY=FIXME",
            "ops/Runbook#12 explains the password rotation",
            "echo 'R3LDvMOfZSBhdXMgS8O2bG4=' | base64 -d",
            "type=USER_AUTH msg=audit(1720946990.123:1494): pid=3162 uid=0 op=PAM:authentication res=failed",
            "ID                          NAME          CREATED\n2HrLdVqnrwR2nDSQfZDJOt9r1Es   db_password   2 days ago",
            "The AWS docs use AKIAIOSFODNN7EXAMPLE as the example access key ID.",
            &format!("<ds:X509Certificate>\n{base64}\n</ds:X509Certificate>"),
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_beside_manuals_are_found() {
        seals(&[
            ("passwd deploy: xK7!mq-Lo9", &["xK7!mq-Lo9"]),
            ("apt-get install mysql-client && mysql -uroot -pWalnut77", &["Walnut77"]),
            ("restic --password-file /etc/pw snapshots; PGPASSWORD=walnut77 psql", &["walnut77"]),
            ("my key is AKIAIOSFODNN7EXAMPLE.", &["AKIAIOSFODNN7EXAMPLE"]),
            ("password: #2ba1fdc2", &["2ba1fdc2"]),
            ("rsync --password-file=<(echo hazel9tree) a b", &["hazel9tree"]),
            ("the root password is db-prod-22", &["db-prod-22"]),
        ]);
    }
}
