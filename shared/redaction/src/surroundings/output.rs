//! Recognizes what programs print: records, histories, metrics.

use super::Place;
use crate::weight::is_hex;

/// Whether a value is a part of what a program prints, or of a file that a program keeps.
pub(super) fn is_program_output(place: &Place<'_>) -> bool {
    let Place { value, before, after, above } = *place;
    let alone = before.trim().is_empty() && after.trim().is_empty();
    let starts = before.trim().is_empty();
    let is_kind = before.trim_end().ends_with("type:");
    // A line of a history below one that ends with "password": `0b7e94a add a test`
    let commit = before.is_empty()
        && after.starts_with(' ')
        && (7..=12).contains(&value.len())
        && is_hex(value);
    // A row of a table, from the middle of one cell into another
    let address = value.split(',').any(|cell| {
        cell.split('.').count() == 4 && cell.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    });
    let id = |cell: &str| cell.len() >= 16 && is_hex(&cell.replace('-', ""));
    let cells = value.matches(',').count() >= 2 && (address || value.split(',').any(id));
    // `<string name="forgot_pin">Forgot PIN?</string>`
    let words = after.trim_start_matches(['?', '!', ',']).starts_with(' ');
    let text = before.ends_with('>') && after.contains("</") && words;
    // "[sudo] password for ann:" and below it "Sorry, try again."
    let refused = ["Sorry", "Permission", "Access denied", "Authentication", "Login incorrect"]
        .iter()
        .any(|answer| value.starts_with(answer));
    // What psql prints once it has got the password
    let greeted = value.starts_with("psql (") && above.starts_with("Password for user ");
    (asks(above) && ((starts && !alone) || is_kind || refused))
        || greeted
        || is_comment(before, value)
        || is_expired(value)
        || is_record(before, value)
        || commit
        || is_measured(before, value)
        || cells
        || text
}

/// Whether a value is the comment of a public key: `ssh-rsa AAAA… deploy@web1`, `256 SHA256:… deploy@web1 (ED25519)`.
fn is_comment(before: &str, value: &str) -> bool {
    const KEY_BYTES: usize = 60;
    let key = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let fingerprint = ["SHA256:", "MD5:"].iter().any(|digest| key.starts_with(digest));
    value.contains('@') && (fingerprint || (key.len() >= KEY_BYTES && key.bytes().all(base64)))
}

/// Whether words say that a password has expired: "est expiré d'après …".
fn is_expired(value: &str) -> bool {
    const STEMS: [&str; 9] = [
        "expir",
        "abgelaufen",
        "caducad",
        "scadut",
        "verlopen",
        "wygas",
        "vencid",
        "périm",
        "ungültig",
    ];
    let first = value.split_once(' ').map(|(first, _)| first.to_lowercase());
    first.is_some_and(|first| STEMS.iter().any(|stem| first.starts_with(stem)))
}

/// Whether a line is a program's question for a password: what is typed below it is not shown.
fn asks(line: &str) -> bool {
    const STARTS: [&str; 5] = ["Enter ", "Retype ", "Re-enter ", "Confirm ", "[sudo] "];
    line.ends_with(':') && STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a value belongs to a record that holds no secret: a hashed host of SSH, a user without a hash, a public key
/// in JSON.
fn is_record(before: &str, value: &str) -> bool {
    const PUBLIC_PARTS: [&str; 4] = ["\"n\":\"", "\"x\":\"", "\"y\":\"", "\"e\":\""];
    let of_user =
        value.strip_prefix("x:").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let of_key = before.contains("\"kty\"") && {
        let compact: String = before.chars().filter(|c| *c != ' ').collect();
        PUBLIC_PARTS.iter().any(|part| compact.ends_with(part))
    };
    // sshd's lists of names
    let allowed = ["AllowUsers ", "DenyUsers ", "AllowGroups ", "DenyGroups "]
        .iter()
        .any(|list| before.trim_start().starts_with(list));
    before.starts_with("|1|") || of_user || of_key || allowed
}

/// Whether a value is a measurement after the name of a metric: `http_requests_total{code="401"} 923819`.
fn is_measured(before: &str, value: &str) -> bool {
    let number = value.bytes().all(|b| b.is_ascii_digit() || b".+-eE".contains(&b));
    let labels = before.trim_end().strip_suffix('}').and_then(|before| before.split_once('{'));
    number
        && labels.is_some_and(|(name, labels)| {
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_:".contains(&b);
            !name.is_empty() && name.bytes().all(plain) && labels.contains("=\"")
        })
}
