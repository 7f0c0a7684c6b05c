//! Recognizes packages: their names, versions, architectures, libraries and licenses.

use super::{Place, announces};

/// Commands after which the names of packages follow.
const INSTALLERS: [&str; 15] = [
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
    "dpkg-reconfigure",
];
/// How lines of programs that install packages begin.
const REPORTS: [&str; 12] = [
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
/// What packages are built for.
const PLATFORMS: [&str; 18] = [
    "amd64",
    "arm64",
    "armhf",
    "armv7",
    "i386",
    "i686",
    "noarch",
    "x86_64",
    "x86-64",
    "aarch64",
    "ppc64el",
    "16-bit",
    "32-bit",
    "64-bit",
    "128-bit",
    "256-bit",
    "512-bit",
    "arc4random",
];

/// Whether a value belongs to a package.
pub(super) fn is_of_package(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let bare = value.trim_matches(|c: char| ".,?!;:)*`".contains(c));
    PLATFORMS.contains(&bare)
        || is_installed(before, value)
        || is_reported(place)
        || is_library(bare)
        || is_version(value)
        || is_license(before, value)
        || is_versioned(value, after)
        || is_tag(place)
        || is_moving_tag(place)
        || is_requirement(value)
        || (before.ends_with('`')
            && after.starts_with('`')
            && is_release(value)
            && !announces(before))
}

/// `celery[redis]>=5.3`: a package with the version that it needs.
fn is_requirement(value: &str) -> bool {
    let name = |b: u8| b.is_ascii_alphanumeric() || b"-_.[],".contains(&b);
    [">=", "==", "~=", "<=", "!="].iter().any(|sign| {
        value.split_once(sign).is_some_and(|(package, version)| {
            package.starts_with(|c: char| c.is_ascii_alphabetic())
                && package.bytes().all(name)
                && version.starts_with(|c: char| c.is_ascii_digit())
                && version.contains('.')
        })
    })
}

/// `pulling image "postgres:e6b1d55"`: the version of a container's image.
fn is_tag(place: &Place<'_>) -> bool {
    if !place.before.ends_with(':') || !place.before.contains("mage") {
        return false;
    }
    let begun = place.begun();
    let named = place.before[..place.before.len() - begun.len()].trim_end().trim_end_matches(':');
    let last = named.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    !begun.contains('@') && ["image", "images", "imagen"].contains(&last.to_lowercase().as_str())
}

/// `registry.example.org/ldap-auth:latest`: a tag that names no version.
fn is_moving_tag(place: &Place<'_>) -> bool {
    const TAGS: [&str; 6] = ["latest", "stable", "edge", "nightly", "main", "master"];
    let begun = place.begun();
    TAGS.contains(&place.value)
        && begun.ends_with(':')
        && begun.contains('/')
        && !begun.contains(['@', '"', '\''])
        && !begun.contains("://")
}

/// `libssl3t64 (9.3.2+dfsg-3)`
fn is_versioned(value: &str, after: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.+".contains(&b);
    let bracketed = after.strip_prefix(" (").and_then(|rest| rest.split(')').next());
    let debian = || after.strip_prefix(' ')?.split(' ').next().filter(|next| next.contains('-'));
    let version = bracketed.or_else(debian);
    value.bytes().all(plain)
        && version.is_some_and(|version| {
            version.starts_with(|c: char| c.is_ascii_digit())
                && version.contains('.')
                && !version.contains(' ')
        })
}

/// `apt-get install passwd libpam-pwquality`
fn is_installed(before: &str, value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.+:".contains(&b);
    value.bytes().all(plain)
        && INSTALLERS.iter().any(|command| {
            before
                .rsplit_once(command)
                .is_some_and(|(_, between)| !between.contains(['&', ';', '|', '`', ')']))
        })
}

/// `Setting up libsecret-1-0:amd64 (0.21) ...`
fn is_reported(place: &Place<'_>) -> bool {
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
    REPORTS.iter().any(|known| start.trim_start().starts_with(known))
        && (listed || version(after) || after.trim_end().ends_with("..."))
}

/// `pam_issue.so`, `libpam-modules-bin`
fn is_library(value: &str) -> bool {
    const ENDS: [&str; 6] = ["-dev", "-bin", "-common", "-doc", "-dbg", "-utils"];
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.+".contains(&b);
    let small = |b: u8| plain(b) && !b.is_ascii_uppercase();
    let loaded = (value.ends_with(".so") || value.contains(".so."))
        && value.bytes().all(plain)
        && !announces(value);
    let module = value.starts_with("pam_") && value.ends_with(".so") && value.bytes().all(small);
    let library = value.starts_with("lib")
        && ENDS.iter().any(|end| value.ends_with(end))
        && value.bytes().all(small);
    loaded || module || library
}

/// `2+deb12u2`
fn is_version(value: &str) -> bool {
    const MARKS: [&str; 5] = ["+deb", "~deb", "~bpo", "ubuntu", "+dfsg"];
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    number(value)
        && MARKS.iter().any(|mark| value.split_once(mark).is_some_and(|(_, rest)| number(rest)))
}

/// `micromark@3`
fn is_release(value: &str) -> bool {
    value.rsplit_once('@').is_some_and(|(name, version)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b"@/-".contains(&b))
            && !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    })
}

/// `License: BSD-3-Clause`, `GPL-3+`
fn is_license(before: &str, value: &str) -> bool {
    const NAMES: [&str; 7] = ["GPL-", "LGPL-", "AGPL-", "GFDL-", "MPL-", "Apache-", "BSD-"];
    let version = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b".+".contains(&b));
    before.trim_end().ends_with("License:")
        || NAMES.iter().any(|name| value.strip_prefix(name).is_some_and(version))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn parts_of_packages_stay() {
        for text in [
            "apt-get install -y passwd libpam-cracklib gnome-keyring",
            "dnf install sssd-tools authselect passwd shadow-utils",
            "Setting up passwd (1:4.13) ...\nSetting up libsecret-1-0:amd64 (0.21) ...",
            "Password checks moved to libpam-modules-bin, a non-ASCII one fails",
            "the package `micromark@3` helps here",
            "auth required pam_issue.so issue=/etc/issue",
            "apt wants to upgrade passwd2fa (1.18.21-1ubuntu6.8) and libssl3t64 (9.3.2+dfsg-3), ok?",
            "Läuft libssl3t64 3.0.13-0ubuntu3.7 schon überall? celery[redis]>=5.3 y falla el build",
            "docker build --no-cache --pull -t registry.example.org/acme/ldap-auth:latest .",
            "Back-off pulling image \"postgres:e6b1d55\" for worker-067c31e2e-s2t8x",
            "Files: lib/password/*\nLicense: GPL-3+",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_beside_packages_are_found() {
        seals(&[
            ("Setting up the db: password Quartz!81", &["Quartz!81"]),
            ("apt-get install mysql-client && mysql -uroot -pWalnut77", &["Walnut77"]),
        ]);
    }
}
