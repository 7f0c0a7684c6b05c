//! Recognizes what a sentence or a listing calls something: names of objects in Kubernetes, programs for passwords,
//! packages and their architectures, names of headers, issues, years, compound words.

use super::{Place, announces};
use crate::redaction::words::lists;

/// Programs that keep passwords.
const KEEPERS: &str = "keepass keepassx keepassxc keepassdx vaultwarden bitwarden 1password lastpass dashlane passbolt enpass \
     roboform nordpass teampass padloc psono gopass syspass passwork";
/// Parts of the names of objects that hold secrets.
const PARTS: &str = "credentials credential creds secret secrets key keys token tokens tls cert certs config password passwords auth";
/// Words before a name.
const NAMES: [&str; 18] = [
    "called",
    "named",
    "name",
    "heißt",
    "namens",
    "genannt",
    "llama",
    "llamada",
    "llamado",
    "nombre",
    "appelle",
    "s'appelle",
    "s’appelle",
    "nommé",
    "nommée",
    "mean",
    "meinst",
    "secret",
];
/// What machines are made for.
const MACHINES: [&str; 10] =
    ["amd64", "arm64", "armhf", "armv7", "i386", "i686", "noarch", "x86_64", "aarch64", "ppc64el"];
/// How lines of programs that install packages begin.
const PACKAGES: [&str; 12] = [
    "Setting up ",
    "Unpacking ",
    "Selecting ",
    "Preparing to unpack ",
    "Removing ",
    "Purging ",
    "Inst ",
    "Conf ",
    "Get:",
    "ii  ",
    "rc  ",
    "Processing triggers for ",
];
/// Last parts of compound words.
const COMPOUNDS: &str = "side party date life like specific based level defined generated aware only free compatible independent \
     safe friendly ready wide driven related time readable encoded separated oriented";
/// Trackers of issues, before `#` and a number.
const TRACKERS: &str =
    "its gnome kde alioth avahi dbus bug gh rt nb pr mr lp issue ticket closes fixes";

/// Whether a value is such a name.
pub(super) fn is_called(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let value = value.trim_end_matches(['.', ',', '?', '!', ';', ')']);
    let asked = place.value.ends_with('?') || after.contains('?');
    lists(KEEPERS, &value.to_lowercase())
        || MACHINES.contains(&value)
        || is_of_packages(place)
        || is_object(before, value)
        || is_header(place)
        || (is_issue(value) && !before.ends_with(['"', '\'', '=', '`']) && !before.ends_with(": "))
        || is_compound(before, value)
        || is_year(before, value)
        || (asked && is_to_change(before))
        || is_library(value)
        || is_charset(value)
        || is_of_distribution(before, value)
        || is_quoted_name(place)
        || is_package_of_code(value)
        || is_attribute(before, value)
        || is_filled_in(before, value)
        || is_key_of_service(before)
}

/// `Setting up libsecret-1-0:amd64 (0.21) ...`
fn is_of_packages(place: &Place<'_>) -> bool {
    const FIRST: [char; 9] = ['S', 'U', 'P', 'R', 'I', 'C', 'G', 'i', 'r'];
    let Place { value, before, after, .. } = *place;
    let begun = before.trim_start();
    if !(if begun.is_empty() { value } else { begun }).starts_with(FIRST) {
        return false;
    }
    let start = [before, value].concat();
    let version = |text: &str| {
        text.split_once(" (")
            .is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let listed = start.starts_with("ii  ") || start.starts_with("rc  ");
    PACKAGES.iter().any(|known| start.trim_start().starts_with(known))
        && (listed || version(after) || after.trim_end().ends_with("..."))
}

/// `shop-db-credentials`, `deploy-key-1`: an object of Kubernetes or a key, as a sentence names it.
fn is_object(before: &str, value: &str) -> bool {
    const OF_NAMES: [&str; 4] = ["called ", "named ", "name ", "namens "];
    if !value.contains('-') {
        return false;
    }
    let stripped = OF_NAMES.iter().find_map(|start| value.strip_prefix(start));
    let value = stripped.unwrap_or(value);
    let value = value.split(' ').next().unwrap_or_default();
    let plain = |part: &str| {
        !part.is_empty()
            && part.len() <= 14
            && (part.bytes().all(|b| b.is_ascii_lowercase())
                || (part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())))
    };
    let last =
        before.trim_end_matches([' ', '"', '\'', '`']).rsplit(' ').next().unwrap_or_default();
    let lower = last.to_lowercase();
    let named = stripped.is_some() || NAMES.contains(&lower.as_str());
    let tied = last.ends_with([':', '=']) || super::IS.contains(&lower.as_str());
    value.split('-').all(plain)
        && value.split('-').skip(1).any(|part| lists(PARTS, part))
        && (named || !tied)
        && !before.ends_with(['=', ':', '@', '/', '\t', '|', ';', ','])
}

/// `Access-Control-Max-Age: 600`: the name of a header at the start of its line.
fn is_header(place: &Place<'_>) -> bool {
    let part = |part: &str| {
        let mut letters = part.bytes();
        letters.next().is_some_and(|b| b.is_ascii_uppercase())
            && letters.all(|b| b.is_ascii_lowercase())
    };
    // `Access-Control-Expose-Headers: X-Auth-Token, Retry-After`
    let listed = place.before.contains("-Headers:");
    place.value.matches('-').count() >= 1
        && place.value.split('-').all(part)
        && (listed || place.before.trim_start_matches(['<', '>', '*', ' ', '-', '+']).is_empty())
        && (place.after.starts_with(':') || listed)
}

/// `Bug#45559`, `RT#122199`
fn is_issue(value: &str) -> bool {
    value.split_once('#').is_some_and(|(tracker, number)| {
        lists(TRACKERS, &tracker.to_ascii_lowercase())
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
    })
}

/// "server-side", "up-to-date", "end-of-life"
fn is_compound(before: &str, value: &str) -> bool {
    const PART_BYTES: usize = 12;
    if !value.contains('-') {
        return false;
    }
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let tied = last.ends_with([':', '=', '"', '\'']) || super::IS.contains(&last.as_str());
    let lower = value.to_ascii_lowercase();
    let words = (2..=3).contains(&lower.split('-').count())
        && lower
            .split('-')
            .all(|part| part.len() <= PART_BYTES && part.bytes().all(|b| b.is_ascii_lowercase()));
    let words = words && !tied;
    let last = lower.rsplit('-').next();
    words && (lower.starts_with("non-") || last.is_some_and(|end| lists(COMPOUNDS, end)))
}

/// "Copyright 1998, 2001"
fn is_year(before: &str, value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_digit() || b" ,-".contains(&b))
        && before.to_ascii_lowercase().contains("copyright")
}

/// "change the key of the WLAN: where in the router?"
fn is_to_change(before: &str) -> bool {
    const VERBS: [&str; 12] = [
        "ändern:",
        "wechseln:",
        "zurücksetzen:",
        "change:",
        "reset:",
        "rotate:",
        "cambiar:",
        "restablecer:",
        "changer:",
        "réinitialiser:",
        "changer :",
        "réinitialiser :",
    ];
    let lower = before.to_lowercase();
    VERBS.iter().any(|verb| lower.contains(verb))
}

/// `pam_issue.so`, `libsecret-1-0`
fn is_library(value: &str) -> bool {
    let plain =
        |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.+".contains(&b));
    (value.ends_with(".so") || value.contains(".so.")) && plain(value) && !announces(value)
}

/// `libpam-modules-bin`, `License: BSD-3-Clause`, and the key of a setting: `- key: show_all_hosts`
fn is_of_distribution(before: &str, value: &str) -> bool {
    const ENDS: [&str; 6] = ["-dev", "-bin", "-common", "-doc", "-dbg", "-utils"];
    let small = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-+.".contains(&b);
    let library = value.starts_with("lib")
        && ENDS.iter().any(|end| value.ends_with(end))
        && value.bytes().all(small);
    let setting = before.trim() == "- key:"
        && value.contains('_')
        && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    library || setting || before.trim_end().ends_with("License:")
}

/// "the header `Clear-Site-Data`", "the package `micromark@3`"
fn is_quoted_name(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    if !before.ends_with('`') || !after.starts_with('`') || announces(before) {
        return false;
    }
    let titled = |part: &str| {
        let mut letters = part.bytes();
        letters.next().is_some_and(|b| b.is_ascii_uppercase())
            && letters.all(|b| b.is_ascii_lowercase())
    };
    let header = value.contains('-') && value.split('-').all(titled);
    let package = value.rsplit_once('@').is_some_and(|(name, version)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b"@/-".contains(&b))
            && !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    });
    header || package
}

/// `utf-16-le`, `iso-8859-2`
fn is_charset(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let plain = lower.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    plain
        && lower.len() <= 14
        && ["utf-", "utf_", "latin-", "latin_", "iso-8859", "iso8859", "windows-125"]
            .iter()
            .any(|start| lower.starts_with(start))
}

/// `com.example.shop#Order$Item`, `org.example.Main`
fn is_package_of_code(value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".#$_".contains(&b);
    ["com.", "org.", "io.", "net."].iter().any(|start| value.starts_with(start))
        && value.matches('.').count() > 1
        && value.bytes().all(plain)
}

/// `id="login-password-2"`: how a page names a field.
fn is_attribute(before: &str, value: &str) -> bool {
    const NAMES: &str = "id name for class type data-testid aria-label autocomplete htmlfor";
    if !value.contains(['-', '_']) {
        return false;
    }
    let (name, value) = match value.split_once('=') {
        Some(parts) => parts,
        None => (
            before.trim_end_matches(['"', '\'', '=']).rsplit([' ', '<']).next().unwrap_or_default(),
            value,
        ),
    };
    let quoted =
        before.ends_with("=\"") || before.ends_with("='") || value.starts_with(['"', '\'']);
    let value = value.trim_matches(['"', '\'']);
    quoted
        && lists(NAMES, name)
        && value.contains(['-', '_'])
        && value.split(['-', '_']).all(|part| {
            !part.is_empty()
                && (part.bytes().all(|b| b.is_ascii_lowercase())
                    || (part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())))
        })
}

/// `--private-key=LOCAL_FILE_PATH`: what a manual leaves to fill in.
fn is_filled_in(before: &str, value: &str) -> bool {
    value.contains('_')
        && value.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        && before.ends_with('=')
        && before.rsplit(' ').next().is_some_and(|option| option.starts_with("--"))
}

/// `kms: arn:aws:kms:…:key/…`
fn is_key_of_service(before: &str) -> bool {
    let begun = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    begun.contains("arn:aws") || begun.contains("/keyRings/")
}

#[cfg(test)]
mod tests {
    use crate::redaction::announced::tests::{redacted, seals};

    #[test]
    fn names_stay() {
        for text in [
            "We replaced Bitwarden by KeePassXC and it works.",
            "The secret is called shop-db-credentials, in namespace web.",
            "Das Secret heißt shop-db-credentials.",
            "Welchen Schlüssel meinst du, deploy-key-2 oder den von Jo?",
            "Access-Control-Allow-Headers: Content-Type, X-Api-Key\nAccess-Control-Expose-Headers: Link",
            "Setting up passwd (1:4.13) ...\nSetting up libsecret-1-0:amd64 (0.21) ...",
            "Server-side encryption needs a key and up-to-date clients",
            "Passwort vom WLAN ändern: geht das im Router7-Menü?",
            "the password field has id=\"login-password-2\" and no label",
            "Access-Control-Expose-Headers: X-Auth-Token, Retry-After",
            "the header `Clear-Site-Data` and the package `micromark@3` help here",
            "Password checks moved to libpam-modules-bin, a non-ASCII one fails",
            "a fix for the password prompt, see Bug#45559",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_beside_names_are_found() {
        seals(&[
            ("the password is shop-db-credentials7X", &["shop-db-credentials7X"]),
            ("auth_password: 'Ticket#19!'", &["Ticket#19!"]),
            ("the password is `Maple-Harbor-Quilt`", &["Maple-Harbor-Quilt"]),
            ("password: Ticket#1977", &["Ticket#1977"]),
            ("Setting up the db: password Quartz!81", &["Quartz!81"]),
            ("KeePassXC opens with Walnut_77x", &["Walnut_77x"]),
            ("das Passwort heißt Sommer-Regen-42", &["Sommer-Regen-42"]),
        ]);
    }
}
