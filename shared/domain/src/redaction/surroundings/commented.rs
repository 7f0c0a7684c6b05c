//! Recognizes what files of settings and licenses contain: settings that are commented out, modules of PAM, variables of
//! AppArmor, licenses and standards.

use super::Place;

/// Whether a value is such a part of a file.
pub(super) fn is_of_file(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_commented(before, value, after)
        || is_module(value)
        || value.starts_with("@{")
        || is_standard(value)
        || is_license(before, value)
        || is_choice(before, value)
        || is_format(value)
        || is_compound(value)
        || value.contains("#<")
        || (value.starts_with('-') && before.ends_with('[') && after.starts_with(']'))
        || matches!(value.trim(), "Bearer" | "Basic" | "scram-sha-256" | "SCRAM-SHA-256")
}

/// `#HandlePowerKey=poweroff`, `#initdb_options = ''`: a setting that is commented out.
fn is_commented(before: &str, value: &str, after: &str) -> bool {
    let Some(setting) = value.strip_prefix('#') else { return false };
    let name = setting.split(['=', ':']).next().unwrap_or_default();
    let tied = name.len() < setting.len() || after.trim_start().starts_with(['=', ':']);
    let part = |b: u8| b.is_ascii_alphabetic() || b"_-.".contains(&b);
    let mut turns = name.as_bytes().windows(2);
    let turn = |of: &[u8]| of[0].is_ascii_lowercase() && of[1].is_ascii_uppercase();
    let joined = name.contains('_') || turns.any(turn);
    let pam = value.starts_with("#%PAM-");
    before.trim().is_empty()
        && (pam || (tied && joined && !name.is_empty() && name.bytes().all(part)))
}

/// `pam_unix.so`
fn is_module(value: &str) -> bool {
    value.strip_prefix("pam_").and_then(|name| name.strip_suffix(".so")).is_some_and(|name| {
        name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    })
}

/// `PKCS#8`, `X.509v3`, and `2>$LOG` behind a command
fn is_standard(value: &str) -> bool {
    let value = value.trim_end_matches(|c: char| ".,;:)*`'\"".contains(c));
    let public = value.starts_with("X.509") || value.starts_with("2>");
    public
        || value.strip_prefix("PKCS#").is_some_and(|number| {
            (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
        })
}

/// `License: GPL-3+`
fn is_license(before: &str, value: &str) -> bool {
    const NAMES: [&str; 7] = ["GPL-", "LGPL-", "AGPL-", "GFDL-", "MPL-", "Apache-", "BSD-"];
    let version = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b".+".contains(&b));
    let word = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase());
    let known = NAMES.iter().filter_map(|name| value.strip_prefix(name));
    let named = before.trim().ends_with("License:");
    known.into_iter().any(|rest| version(rest) || (named && rest.split('-').all(word)))
        || (named && value.split('-').count() > 2 && value.split('-').all(word))
}

/// `ssl=true|false`: what a setting may be.
fn is_choice(before: &str, value: &str) -> bool {
    let word = |part: &str| {
        part.len() >= 2 && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'_')
    };
    before.ends_with('=') && value.contains('|') && value.split('|').all(word)
}

/// `%-8.8s`, `%s:%s@%s`: a pattern for a text.
fn is_format(value: &str) -> bool {
    let between = |part: &str| {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || "-.+l".contains(c));
        part.strip_prefix(['s', 'd', 'i', 'u', 'x', 'f'])
            .is_some_and(|rest| rest.chars().all(|c| ":@/ .,-".contains(c)))
    };
    let value = value.strip_suffix("\\n").unwrap_or(value);
    value.strip_prefix('%').is_some_and(|formats| formats.split('%').all(between))
}

/// `SHA256-based`, `short-lived`: a word that describes something.
fn is_compound(value: &str) -> bool {
    const ENDS: [&str; 13] = [
        "based",
        "specific",
        "lived",
        "line",
        "level",
        "only",
        "accelerated",
        "compiled",
        "like",
        "free",
        "aware",
        "related",
        "encoded",
    ];
    value.trim_end_matches(['.', ',', ')', ':']).split_once('-').is_some_and(|(first, last)| {
        ENDS.contains(&last) && first.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn settings_and_licenses_stay() {
        for text in [
            "# Keys and passwords:\n#HandlePowerKey=poweroff\n#HandlePowerKeyLongPress=ignore\n#ReserveVT=6",
            "usage: htpasswd [-cimB25dpsDv] [-C cost] passwordfile username",
            "auth required pam_issue.so issue=/etc/issue",
            "PKCS#8 is a format for a private key",
            "Files: lib/password/*\nLicense: GPL-3+",
            "host = \"%s:%s@%s\" % (user, password, host)",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn what_only_resembles_them_is_found() {
        seals(&[
            ("password: #Walnut77=tree", &["#Walnut77=tree"]),
            ("the password:\n#Walnut77tree", &["Walnut77tree"]),
            ("password=walnut|Tree77", &["walnut|Tree77"]),
            ("the root password is %Kettle77%moon", &["Kettle77"]),
        ]);
    }
}
