//! Recognizes parts of logs and of code by their form: times, frames, attributes, algorithms, ids of nodes and networks.

use super::Place;
use crate::redaction::weight::is_hex;
use std::ops::Range;

/// Whether a value is such a part.
pub(super) fn is_logged(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_time(value)
        || is_setting(value)
        || is_algorithm(value)
        || is_of_network(value)
        || is_of_code(value, before)
        || is_thread(value)
        || (value.contains('@') && value.ends_with("'s"))
        || (is_digits(value) && after.trim_start().starts_with("IN\t"))
        || ["logger=", "rule_uid="].iter().any(|name| before.ends_with(name))
        || (before.ends_with(", ") && before.contains("LdapErr:"))
        || is_attribute(value, before)
        || is_node(text, span, place)
        || is_of_signature(text, span, before)
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

/// `net/http.HandlerFunc.ServeHTTP(0xc000393564`, `crypt($1`, `#[warn(unused_variables)]`, `(Read-Host -AsSecureString)`.
fn is_of_code(value: &str, before: &str) -> bool {
    const CMDLETS: [&str; 3] = ["Read-Host", "Get-Credential", "ConvertTo-SecureString"];
    let call = value.split_once('(').is_some_and(|(name, arguments)| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_./*".contains(&b);
        let named = name.len() >= 3 && name.bytes().all(plain);
        let parameter = arguments.strip_prefix('$').is_some_and(is_digits);
        named && (arguments.starts_with("0x") || parameter)
    });
    let attribute =
        value.strip_prefix("#[").and_then(|inner| inner.strip_suffix(']')).is_some_and(|inner| {
            inner.bytes().all(|b| b.is_ascii_lowercase() || b"_():, ".contains(&b))
        });
    call || attribute || (before.ends_with('(') && CMDLETS.contains(&value))
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

/// `<input type="password" maxlength="96">`: the name of an attribute.
fn is_attribute(value: &str, before: &str) -> bool {
    before.ends_with(' ')
        && value.bytes().all(|b| b.is_ascii_lowercase())
        && before.trim_start().starts_with('<')
        && !before.contains('>')
}

/// An id of a node or an index in Elasticsearch: `[3k4dAO2i_dHJnqagEIffSW][auth-06][/var/lib/elasticsearch]`, and the column
/// `uuid` of `_cat/indices`.
fn is_node(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    const ID_BYTES: usize = 22;
    const ABOVE_BYTES: usize = 4_000;
    let Place { value, before, after, .. } = *place;
    if value.len() != ID_BYTES {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    (before.ends_with('[') && after.starts_with("]["))
        || text[from..span.start].contains(" uuid ")
            && text[from..span.start].contains("docs.count")
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

    const CAT: &str = "health status index   uuid                   pri rep docs.count";

    #[test]
    fn parts_of_logs_and_code_are_no_secrets() {
        for (above, before, value, after) in [
            ("", "pwdChangedTime: ", "202609120812Z", ""),
            ("", "took ", "1618ms", ""),
            ("", "s.sessions.New(user, ", "87*time.Minute", ")"),
            ("", "[", "2025-12-06T21:11:06.346Z][INFO", " ][a]"),
            ("", "secret sauce: `", "vm.swappiness=19", "`"),
            ("", "Session Key Type: ", "AES-256-CTS-HMAC-SHA1-96", ""),
            ("", "vpc-0ac23faa2ff67f3be0, ", "subnet-0c4b979f93954c03fb", ", sg"),
            ("", "", "net/http.HandlerFunc.ServeHTTP(0xc000393564", ", {})"),
            ("", "password_hash = ", "crypt($1", ", gen_salt('bf'))"),
            ("", "= note: `", "#[warn(unused_variables)]", "` on by default"),
            ("", "-NewPassword (", "Read-Host", " -AsSecureString)"),
            ("", "charon: ", "11[CFG]", " selected peer config"),
            ("", "", "deploy@web1.example.org's", " password:"),
            ("", "_dmarc.example.org.\t", "1109", "\tIN\tTXT"),
            ("", "<input type=\"password\" ", "maxlength", "=\"96\">"),
            ("", "exceeded on [", "3k4dAO2i_dHJnqagEIffSW", "][auth-06][/var"),
            (CAT, "green open logs-1 ", "7P3-UZPWk0BruTGu1km7WP", " 1 1"),
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
            ("", "password: ", "Night(7x", ""),
            ("", "password: ", "11[walnut]", ""),
            ("", "<password>", "maxlength", "</password>"),
            ("", "key [", "3k4dAO2i_dHJnqagEIffSW", "]"),
            ("id", "token ", "7P3-UZPWk0BruTGu1km7WP", ""),
            ("DKIM-Signature: v=1;\n\nHi,", "\tpassword ", "r1yNST5b8jXLsZOI", ""),
        ] {
            assert!(!logged(above, before, value, after), "{before}{value}");
        }
    }
}
