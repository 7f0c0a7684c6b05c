//! Recognizes cells of tables and lists that programs print: names of disks, keys, resources, frames.

use super::{Place, announces};
use crate::weight::is_hex;

/// Whether a value is in such a table or list.
pub(super) fn is_listed(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    is_key_of_gnupg(value)
        || is_disk(before, value)
        || (is_uuid_of_lvm(value) && !announces(before))
        || is_scientific(value)
        || is_art(value)
        || is_resource(before, value)
        || is_frame(place)
        || is_encrypted(before, value)
        || is_dashboard(before)
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

/// What encryption or a keyed digest leaves: parts of `ENC[AES256_GCM,data:…,iv:…,tag:…]`, `hmac-sha256:0cec…` in an
/// audit of Vault.
fn is_encrypted(before: &str, value: &str) -> bool {
    const ENVELOPES: [&str; 3] = ["ENC[AES256_GCM,", "ENC[PKCS7,", "ENC[GPG,"];
    const LEAST_BYTES: usize = 12;
    if value.len() < LEAST_BYTES {
        return false;
    }
    let begun = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    ENVELOPES.iter().any(|envelope| {
        begun.rsplit_once(envelope).is_some_and(|(_, inside)| !inside.contains(']'))
    })
}

/// `"uid":"W9GnGLPub"`: a dashboard or a source of data in Grafana's JSON.
fn is_dashboard(before: &str) -> bool {
    ["\"uid\":\"", "\"uid\": \"", "\"dashboardUid\":\"", "\"datasourceUid\":\""]
        .iter()
        .any(|field| before.ends_with(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(above: &str, before: &str, value: &str, after: &str) -> bool {
        is_listed(&Place { value, before, after, above })
    }

    #[test]
    fn cells_of_tables_and_lists_are_not_secrets() {
        for (above, before, value, after) in [
            ("", "pub   ", "rsa4096/1C5E58EED07180B2", " 2023-03-11 [SC]"),
            ("config:", "    ", "ata-WDC_WD40EFRX-68N32N0_WD-WCC7K3ZA087T", "  ONLINE"),
            ("", "zpool create /dev/disk/by-id/", "nvme-Samsung_990_S6Z1NJ0W", ""),
            ("", "└─root  LVM2_member ", "ye6mo9-R3Rm-xe5r-YeUL-tL1d-CCS3-xsw8G3", ""),
            ("", "process_resident_memory_bytes ", "4.266309e+07", ""),
            ("Your public key", "", "+----[SHA256]-----+", ""),
            ("", "CREATED  AWS::SecretsManager::Secret    ", "DbPassword85A5670A", "  2025"),
            ("stack backtrace:", "   0: ", "rust_begin_unwind", ""),
            ("", "mac: ENC[AES256_GCM,data:", "7/2hPZzwo3gYmEaEgzPO", ",iv:niVK"),
            ("", "\"panels\":[],\"uid\":\"", "W9GnGLPub", "\",\"version\":2"),
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
            ("passwords:", "   0: ", "rust_begin_unwind", ""),
            ("", "ENC[AES256_GCM,data:x] ", "7/2hPZzwo3gYmEaEgzPO", ""),
            ("", "\"password\":\"", "hmac-hunter2", "\""),
            ("", "uid ann password ", "W9GnGLPub", ""),
        ] {
            assert!(!listed(above, before, value, after), "{before}{value}");
        }
    }
}
