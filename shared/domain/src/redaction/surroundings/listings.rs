//! Recognizes cells of tables and lists that programs print: names of disks, keys, resources, packages, and frames.

use super::{Place, announces};
use crate::redaction::weight::is_hex;
use std::ops::Range;

/// Whether a value is in such a table or list.
pub(super) fn is_listed(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    is_key_of_gnupg(value)
        || is_disk(before, value)
        || (is_uuid_of_lvm(value) && !announces(before))
        || is_scientific(value)
        || is_art(value)
        || is_resource(before, value)
        || is_vulnerable(place)
        || is_frame(place)
        || is_encoding(before)
        || is_encrypted(before, value)
        || is_dashboard(before)
        || is_of_zone(before, value)
        || is_of_column(text, span, place)
}

/// `rsa4096/1C5E58EED07180B2`: an algorithm and a key's public id.
fn is_key_of_gnupg(value: &str) -> bool {
    const ALGORITHMS: [&str; 5] = ["rsa", "dsa", "elg", "ed", "cv"];
    let Some((algorithm, id)) = value.split_once('/') else { return false };
    let id = id.strip_prefix("0x").unwrap_or(id);
    let kind = algorithm.trim_end_matches(|c: char| c.is_ascii_digit());
    kind.len() < algorithm.len()
        && ALGORITHMS.contains(&kind)
        && [8, 16, 32, 40].contains(&id.len())
        && is_hex(id)
}

/// `ata-WDC_WD40EFRX-68N32N0_WD-WCC7K3ZA087T`: a disk by its model and serial number, at the start of a row or in
/// `/dev/disk/by-id`.
fn is_disk(before: &str, value: &str) -> bool {
    const BUSES: [&str; 6] = ["ata-", "nvme-", "scsi-", "usb-", "wwn-0x", "virtio-"];
    const LEAST_BYTES: usize = 16;
    value.len() >= LEAST_BYTES
        && value.contains('_')
        && BUSES.iter().any(|bus| value.starts_with(bus))
        && (before.trim().is_empty() || before.ends_with("by-id/"))
}

/// `ye6mo9-R3Rm-xe5r-YeUL-tL1d-CCS3-xsw8G3`: a volume of LVM.
fn is_uuid_of_lvm(value: &str) -> bool {
    const LENGTHS: [usize; 7] = [6, 4, 4, 4, 4, 4, 6];
    value.split('-').map(str::len).eq(LENGTHS)
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// `4.266309e+07`: a number.
fn is_scientific(value: &str) -> bool {
    let Some((number, power)) = value.split_once('e') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    whole.len() == 1
        && digits(whole)
        && digits(part)
        && power.strip_prefix(['+', '-']).is_some_and(|power| power.len() >= 2 && digits(power))
}

/// `+----[SHA256]-----+`: the frame around the picture of a key.
fn is_art(value: &str) -> bool {
    value.starts_with("+--")
        && value.ends_with("--+")
        && value
            .trim_matches(['+', '-'])
            .strip_prefix('[')
            .is_some_and(|kind| kind.strip_suffix(']').is_some_and(|kind| kind.len() <= 16))
}

/// `AWS::SecretsManager::Secret DbPassword85A5670A`: the resource of a stack after its type.
fn is_resource(before: &str, value: &str) -> bool {
    const ID_BYTES: usize = 8;
    // The line is read only for a value that ends as such names do.
    let id = value.len().checked_sub(ID_BYTES).and_then(|from| value.get(from..));
    if !id.is_some_and(|id| is_hex(id) && !id.bytes().any(|b| b.is_ascii_lowercase())) {
        return false;
    }
    let kind = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    kind.starts_with("AWS::")
        && before.ends_with(char::is_whitespace)
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// `CVE-2024-3879`, and a package or a version in a row with one.
fn is_vulnerable(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let number = |text: &str| {
        let text = text.trim_end_matches([')', ',', '.', ']', ';']);
        text.strip_prefix("CVE-").and_then(|number| number.split_once('-')).is_some_and(
            |(year, number)| {
                let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
                year.len() == 4 && digits(year) && number.len() >= 4 && digits(number)
            },
        )
    };
    // The line of a frame is read as the sign for it.
    const FRAMES: [char; 2] = ['│', '|'];
    let mut cells = before.split(FRAMES).chain(after.split(FRAMES)).map(str::trim);
    number(value) || (before.trim_start().starts_with(FRAMES) && cells.any(number))
}

/// `0: rust_begin_unwind` below `stack backtrace:`: a function that was called.
fn is_frame(place: &Place<'_>) -> bool {
    let Place { value, before, above, .. } = *place;
    let numbered = before
        .trim()
        .strip_suffix(':')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let below = above.ends_with("backtrace:") || above.trim_start().starts_with("at ");
    numbered && below && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:<>".contains(&b))
}

/// `DEFAULT CHARSET=utf8mb4`, `COLLATE=utf8mb4_0900_ai_ci` in a definition of a table.
fn is_encoding(before: &str) -> bool {
    ["CHARSET=", "COLLATE=", "CHARACTER SET ", "COLLATE "].iter().any(|name| before.ends_with(name))
}

/// What encryption or a keyed digest leaves: parts of `ENC[AES256_GCM,data:…,iv:…,tag:…]`, `hmac-sha256:0cec…` in an
/// audit of Vault.
fn is_encrypted(before: &str, value: &str) -> bool {
    const ENVELOPES: [&str; 3] = ["ENC[AES256_GCM,", "ENC[PKCS7,", "ENC[GPG,"];
    const LEAST_BYTES: usize = 12;
    if value.len() < LEAST_BYTES {
        return false;
    }
    let begun = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let inside = ENVELOPES.iter().any(|envelope| {
        begun.rsplit_once(envelope).is_some_and(|(_, inside)| !inside.contains(']'))
    });
    inside || value.strip_prefix("hmac-sha256:").is_some_and(is_hex)
}

/// `"uid":"W9GnGLPub"`: a dashboard or a source of data in Grafana's JSON.
fn is_dashboard(before: &str) -> bool {
    ["\"uid\":\"", "\"uid\": \"", "\"dashboardUid\":\"", "\"datasourceUid\":\""]
        .iter()
        .any(|field| before.ends_with(field))
}

/// A record of the DNS about keys and signatures: `acme.eu. 86400 IN RRSIG DNSKEY 13 2 86400 …`.
fn is_of_zone(before: &str, value: &str) -> bool {
    const KINDS: [&str; 9] =
        ["CDNSKEY", "CDS", "DNSKEY", "DS", "NSEC3", "NSEC3PARAM", "RRSIG", "SSHFP", "TLSA"];
    const LEAST_BYTES: usize = 12;
    if value.len() < LEAST_BYTES {
        return false;
    }
    before.split_once(" IN ").is_some_and(|(name, record)| {
        let kind = record.split_whitespace().next().unwrap_or_default();
        name.contains('.') && !announces(name) && KINDS.contains(&kind)
    })
}

/// Whether a value is the name of an object in the column `SECRET` of a table that `kubectl` prints.
fn is_of_column(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const ABOVE_BYTES: usize = 4_000;
    const COLUMNS: usize = 3;
    let Place { value, before, .. } = *place;
    let name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
    if !before.ends_with("  ") || !value.bytes().all(name) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    let header = text[from..span.start].rsplit('\n').skip(1).find(|line| {
        line.contains(" AGE")
            && line.split_whitespace().count() >= COLUMNS
            && line.bytes().all(|b| b.is_ascii_uppercase() || b" -()".contains(&b))
    });
    let column = header.and_then(|header| {
        header.split_whitespace().position(|name| name == "SECRET" || name == "SECRETS")
    });
    column == Some(before.split_whitespace().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(above: &str, before: &str, value: &str, after: &str) -> bool {
        let text = format!("{above}\n{before}{value}{after}");
        let from = above.len() + 1 + before.len();
        let span = from..from + value.len();
        let place = Place::of(&text, &span).unwrap();
        is_listed(&text, &span, &place)
    }

    const HEADER: &str = "NAME        READY   SECRET       AGE";

    #[test]
    fn cells_of_tables_and_lists_are_no_secrets() {
        for (above, before, value, after) in [
            ("", "pub   ", "rsa4096/1C5E58EED07180B2", " 2023-03-11 [SC]"),
            ("config:", "    ", "ata-WDC_WD40EFRX-68N32N0_WD-WCC7K3ZA087T", "  ONLINE"),
            ("", "zpool create /dev/disk/by-id/", "nvme-Samsung_990_S6Z1NJ0W", ""),
            ("", "└─root  LVM2_member ", "ye6mo9-R3Rm-xe5r-YeUL-tL1d-CCS3-xsw8G3", ""),
            ("", "process_resident_memory_bytes ", "4.266309e+07", ""),
            ("Your public key", "", "+----[SHA256]-----+", ""),
            ("", "CREATED  AWS::SecretsManager::Secret    ", "DbPassword85A5670A", "  2025"),
            ("", "│ passwd │ ", "CVE-2024-3879", " │ LOW"),
            ("", "│ ", "zlib1g", " │ CVE-2023-45853 │ CRITICAL │"),
            ("stack backtrace:", "   0: ", "rust_begin_unwind", ""),
            ("", ") ENGINE=InnoDB DEFAULT CHARSET=", "utf8mb4", ""),
            ("", "mac: ENC[AES256_GCM,data:", "7/2hPZzwo3gYmEaEgzPO", ",iv:niVK"),
            ("", "\"client_token\":\"", "hmac-sha256:0cec97b902b8de5294955a4e31", "\""),
            ("", "\"panels\":[],\"uid\":\"", "W9GnGLPub", "\",\"version\":2"),
            (HEADER, "shop        True    ", "auth-service-tls", " 4d2h"),
            ("", "acme.eu. 86400 IN RRSIG DNSKEY 13 2 86400 ", "20250857000000", " 1994"),
        ] {
            assert!(listed(above, before, value, after), "{before}{value}");
        }
    }

    #[test]
    fn what_only_resembles_such_a_cell_may_be_a_secret() {
        for (above, before, value, after) in [
            ("", "password rsa/", "hunter2", ""),
            ("", "the password is ", "ata-hunter2", ""),
            ("password:", "", "usb-Kestrel-stick-7719", ""),
            ("", "recovery key: ", "ye6mo9-R3Rm-xe5r-YeUL-tL1d-CCS3-xsw8G3", ""),
            ("", "pin ", "42e17", ""),
            ("", "password ", "+--hunter2--+", ""),
            ("", "AWS::SecretsManager::Secret password: ", "Hunter85", ""),
            ("", "│ admin │ ", "zlib1g", " │ today │"),
            ("passwords:", "   0: ", "rust_begin_unwind", ""),
            ("", "ENC[AES256_GCM,data:x] ", "7/2hPZzwo3gYmEaEgzPO", ""),
            ("", "\"password\":\"", "hmac-hunter2", "\""),
            ("", "uid ann password ", "W9GnGLPub", ""),
            (HEADER, "shop  ", "auth-service-tls", ""),
            ("", "the password IN DS ", "20250857000000", ""),
            ("USER        HOST    SECRET", "shop        db1     ", "walnut-tree", ""),
            ("NAME        READY   PASSWORD     AGE", "shop        True    ", "hunter2", " 4d"),
        ] {
            assert!(!listed(above, before, value, after), "{before}{value}");
        }
    }
}
