//! Recognizes parts of logs by their form: times, settings, algorithms, threads, signatures, results of tests.

use super::Place;
use crate::weight::is_hex;
use std::ops::Range;

/// Whether a value is such a part.
pub(super) fn is_logged(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_time(value)
        || is_setting(value)
        || is_algorithm(value)
        || is_of_network(value)
        || is_thread(value)
        || (value.contains('@') && value.ends_with("'s"))
        || (is_digits(value) && after.trim_start().starts_with("IN\t"))
        || ["logger=", "rule_uid="].iter().any(|name| before.ends_with(name))
        || (before.ends_with(", ") && before.contains("LdapErr:"))
        || is_of_signature(text, span, before)
        || is_result(text, span, before)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `1618ms`, `87*time.Minute`, `202609120812Z`, `2025-12-06T21:11:06.346Z][INFO`.
fn is_time(value: &str) -> bool {
    const STAMP: &str = "0000-00-00T00:00:00";
    let took = value.strip_suffix("ms").is_some_and(is_digits);
    let unit = value.split_once("*time.").is_some_and(|(number, _)| is_digits(number));
    let zulu = value
        .strip_suffix('Z')
        .is_some_and(|number| (12..=14).contains(&number.len()) && is_digits(number));
    let stamp = value.len() >= STAMP.len()
        && value
            .bytes()
            .zip(STAMP.bytes())
            .all(|(is, form)| if form == b'0' { is.is_ascii_digit() } else { is == form });
    took || unit || zulu || stamp
}

/// `vm.swappiness=19`: a setting of the kernel.
fn is_setting(value: &str) -> bool {
    value.split_once('=').is_some_and(|(name, number)| {
        is_digits(number)
            && name.contains('.')
            && name.split('.').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            })
    })
}

/// `AES-256-CTS-HMAC-SHA1-96`.
fn is_algorithm(value: &str) -> bool {
    (value.contains("HMAC-SHA") || value.contains("-GCM-SHA"))
        && value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"-_".contains(&b))
}

/// `subnet-0c4b979f93954c03fb`: a part of a network of AWS.
fn is_of_network(value: &str) -> bool {
    const KINDS: [&str; 12] = [
        "acl", "ami", "eipalloc", "eni", "igw", "nat", "rtb", "sg", "snap", "subnet", "vol", "vpc",
    ];
    value
        .split_once('-')
        .is_some_and(|(kind, id)| KINDS.contains(&kind) && id.len() >= 8 && is_hex(id))
}

/// `11[CFG]`: a thread of strongSwan and what it is about.
fn is_thread(value: &str) -> bool {
    value.strip_suffix(']').and_then(|rest| rest.split_once('[')).is_some_and(|(number, about)| {
        number.len() == 2
            && is_digits(number)
            && about.len() == 3
            && about.bytes().all(|b| b.is_ascii_uppercase())
    })
}

/// A part of the signature in the head of a mail, on the lines below `DKIM-Signature:`.
fn is_of_signature(text: &str, span: &Range<usize>, before: &str) -> bool {
    const ABOVE_BYTES: usize = 1_000;
    if !before.starts_with(['\t', ' ']) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    let above = &text[from..span.start];
    let head = ["DKIM-Signature:", "ARC-Seal:", "ARC-Message-Signature:"];
    // Every line between is a part of the same header.
    head.iter().filter_map(|name| above.rfind(name)).max().is_some_and(|at| {
        above[at..].split('\n').skip(1).all(|line| line.is_empty() || line.starts_with(['\t', ' ']))
    })
}

/// `PASS: ld-elf/group8b`: the result of a test, among others.
fn is_result(text: &str, span: &Range<usize>, before: &str) -> bool {
    const AROUND_BYTES: usize = 400;
    const RESULTS: [&str; 7] =
        ["PASS: ", "FAIL: ", "XFAIL: ", "XPASS: ", "SKIP: ", "UNSUPPORTED: ", "UNTESTED: "];
    if !RESULTS.iter().any(|result| before.starts_with(result)) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(AROUND_BYTES));
    let until = text.floor_char_boundary((span.end + AROUND_BYTES).min(text.len()));
    let lines = text[from..until].split('\n');
    lines.filter(|line| RESULTS.iter().any(|result| line.starts_with(result))).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(above: &str, before: &str, value: &str, after: &str) -> bool {
        let text = format!("{above}\n{before}{value}{after}");
        let from = above.len() + 1 + before.len();
        let span = from..from + value.len();
        let place = Place::of(&text, &span).unwrap();
        is_logged(&text, &span, &place)
    }

    #[test]
    fn parts_of_logs_and_code_are_not_secrets() {
        for (above, before, value, after) in [
            ("", "pwdChangedTime: ", "202609120812Z", ""),
            ("", "took ", "1618ms", ""),
            ("", "s.sessions.New(user, ", "87*time.Minute", ")"),
            ("", "[", "2025-12-06T21:11:06.346Z][INFO", " ][a]"),
            ("", "secret sauce: `", "vm.swappiness=19", "`"),
            ("", "Session Key Type: ", "AES-256-CTS-HMAC-SHA1-96", ""),
            ("", "vpc-0ac23faa2ff67f3be0, ", "subnet-0c4b979f93954c03fb", ", sg"),
            ("", "charon: ", "11[CFG]", " selected peer config"),
            ("", "", "deploy@web1.example.org's", " password:"),
            ("", "_dmarc.example.org.\t", "1109", "\tIN\tTXT"),
            ("PASS: a/1\nFAIL: b/2", "PASS: ", "ld-elf/group8b", ""),
            (
                "DKIM-Signature: v=1; a=rsa-sha256;",
                "\tbh=",
                "r1yNST5b8jXLsZOIzcvqt+9+MkBwSbhP=",
                ";",
            ),
        ] {
            assert!(logged(above, before, value, after), "{before}{value}");
        }
    }

    #[test]
    fn what_only_resembles_them_may_be_a_secret() {
        for (above, before, value, after) in [
            ("", "the password is ", "walnut18ms!", ""),
            ("", "password: ", "20260912Z", ""),
            ("", "password=", "vm.Swappiness=19", ""),
            ("", "password: ", "AES-walnut-HMAC-SHA", ""),
            ("", "password: ", "subnet-walnut", ""),
            ("", "password: ", "11[walnut]", ""),
            ("", "PASS: ", "walnut77tree", ""),
            ("DKIM-Signature: v=1;\n\nHi,", "\tpassword ", "r1yNST5b8jXLsZOI", ""),
        ] {
            assert!(!logged(above, before, value, after), "{before}{value}");
        }
    }
}
