//! Lines of files that hold logins: Bundler's for its sources, davfs2's for its shares, Postfix's for its relays.

use super::{is_joined_number, lines};
use crate::names;
use crate::talk::{Says, says};
use crate::things::{is_placeholder, is_stand_in};
use crate::weight::{MIN_BYTES, Weight, is_hex, weigh};
use crate::words::{Role, fold};
use std::ops::Range;

/// The most lines of a variable's block.
const BLOCK_LINES: usize = 8;
/// The shortest token that Bundler takes in place of a user, in bytes.
const TOKEN_BYTES: usize = 8;
/// The most words of the password of a relay.
const RELAY_WORDS: usize = 6;
/// Settings of Bundler that have two underscores in a row and no login.
const OTHERS: [&str; 4] =
    ["BUNDLE_MIRROR__", "BUNDLE_BUILD__", "BUNDLE_LOCAL__", "BUNDLE_PLUGINS__"];
/// Words for a user of a source whose login is a token alone.
const TOKEN_USERS: [&str; 2] = ["x-oauth-basic", "x-access-token"];

/// `BUNDLE_GEMS__EXAMPLE__ORG: "ci:X"`: two underscores are a dot of the host. Both halves may be made by a machine.
pub fn bundler(line: &str) -> Option<Range<usize>> {
    // Most lines end here.
    line.as_bytes().contains(&b'_').then_some(())?;
    let at = line.find("BUNDLE_")?;
    let setting = &line[at..];
    let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let name = &setting[..setting.bytes().take_while(plain).count()];
    let value = &setting[name.len()..];
    let value = value.strip_prefix('"').unwrap_or(value).strip_prefix([':', '='])?;
    let value = value.trim_start_matches([' ', '"', '\'']);
    let host = name.contains("__") && !OTHERS.iter().any(|other| name.starts_with(other));
    let start = line.len() - value.len();
    let value = &value[..value.find([' ', '"', '\'', '\t']).unwrap_or(value.len())];
    let (user, password) = value.split_once(':')?;
    let own = |part: &str| {
        part.len() >= MIN_BYTES && !part.starts_with(['$', '*']) && !part.contains(['{', '<', '/'])
    };
    if !host || user.is_empty() || !own(password) || user.contains(['$', '{', '<', '/']) {
        return None;
    }
    if password == TOKEN_USERS[0] {
        return own(user).then_some(start..start + user.len());
    }
    let both = user.len() >= TOKEN_BYTES && is_hex(user);
    let from = if both { start } else { start + user.len() + 1 };
    (!is_stand_in(password)).then_some(from..start + value.len())
}

/// `https://cloud.example.org/remote.php/webdav kim X`, `/mnt/nas kim X`: a share or where it is mounted, a user, and the
/// password, which has to look like one where the address says nothing about a share.
pub fn share(line: &str) -> Option<Range<usize>> {
    const MOUNTS: [&str; 5] = ["/mnt/", "/media/", "/home/", "/srv/", "/net/"];
    const SHARES: [&str; 5] = ["dav", "remote.php", "nextcloud", "owncloud", "/share"];
    let line_end = line.trim_end();
    if !line_end.starts_with(['h', '/']) {
        return None;
    }
    let mut words = line_end.split_ascii_whitespace();
    let (place, user, value) = (words.next()?, words.next()?, words.next()?);
    words.next().is_none().then_some(())?;
    let web = place.starts_with("http://") || place.starts_with("https://");
    let shared = web && SHARES.iter().any(|share| place.contains(share));
    let mounted = MOUNTS.iter().any(|mount| place.starts_with(mount));
    let least = if shared { Weight::Name } else { Weight::Strong };
    let (user, value) = (lines::unquoted(user), lines::unquoted(value));
    let plain = |c: char| c.is_alphanumeric() || "_-.@".contains(c);
    let named = user.chars().all(plain)
        && matches!(says(user), None | Some(Says::About))
        && user.contains(char::is_alphabetic);
    let own = value.len() >= MIN_BYTES
        && (weigh(value) >= least || (shared && is_joined_number(value)))
        && !value.contains(['/', '<', '{'])
        && !value.starts_with('$')
        && !names_option(value)
        && !is_stand_in(value);
    let start = value.as_ptr() as usize - line.as_ptr() as usize;
    ((web || mounted) && named && own).then(|| start..start + value.len())
}

/// `[smtp.example.org]:587 mailer:X`, `mx.example.org kim@example.org:X`, as Postfix reads the logins of relays: the
/// whole rest of the line is the password.
pub fn relay(line: &str) -> Option<Range<usize>> {
    let (host, login) = line.trim_end().split_once([' ', '\t'])?;
    // Most lines end here.
    host.contains('.').then_some(())?;
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let (user, value) = login.trim_start().split_once(':')?;
    let named = name.contains('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"[].-".contains(&b))
        && port.bytes().all(|b| b.is_ascii_digit())
        && port.len() <= 5
        && (!port.is_empty() || user.contains('@'));
    // `example.org:443 kim: the port is closed`
    let joined = !value.starts_with([' ', '\t']) && value.split(' ').count() <= RELAY_WORDS;
    let told = value.split(' ').filter(|word| says(word).is_some()).count();
    let told = value.contains(' ') && 2 * told >= value.split(' ').count();
    let whole = !user.is_empty() && !user.contains([' ', '/']) && joined && !told;
    let own =
        value.len() >= MIN_BYTES && !value.starts_with(['/', '$', '{']) && !is_placeholder(value);
    let start = line.trim_end().len() - value.len();
    (named && whole && own).then(|| start..start + value.len())
}

/// Whether a line begins the settings of a server that knows users: `radius server R1`, `tacacs server T1`.
pub fn is_of_gear(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['r', 't', 'a', 'h'])
        && ["radius server ", "tacacs server ", "aaa-server ", "radius-server ", "hwtacacs-server "]
            .iter()
            .any(|start| line.starts_with(start))
}

/// ` key X`, ` key 7 X` among the settings of such a server.
pub fn shared_key(line: &str) -> Option<Range<usize>> {
    let mut words = line.split_ascii_whitespace();
    let key = words.next().filter(|word| matches!(*word, "key" | "secret" | "shared-key"));
    let first = key.and_then(|_| words.next())?;
    let coded = matches!(first, "0" | "5" | "6" | "7" | "8" | "cipher" | "simple");
    let value = lines::unquoted(if coded { words.next()? } else { first });
    let own = value.len() >= MIN_BYTES && !value.starts_with(['$', '<', '{', '*']);
    let start = value.as_ptr() as usize - line.as_ptr() as usize;
    (words.next().is_none() && line.starts_with([' ', '\t']) && own && !is_stand_in(value))
        .then(|| start..start + value.len())
}

/// `variable "db_password" {`: the name of the Terraform variable, and how many lines its block may have.
pub fn declared(line: &str) -> Option<(String, usize)> {
    let (name, rest) = line.strip_prefix("variable \"")?.split_once('"')?;
    let mut folded = String::new();
    fold(&name[names::last_part(name)..], &mut folded);
    let password = names::key(name, &folded, None) == Some(Role::Password);
    (password && name.is_ascii() && rest.trim() == "{")
        .then(|| (names::variable(name), BLOCK_LINES))
}

/// `default = "X"`, in such a block.
pub fn default_of(line: &str) -> Option<Range<usize>> {
    let value = line.trim_start().strip_prefix("default")?.trim_start().strip_prefix('=')?;
    let value = value.trim_start().strip_prefix('"')?;
    let start = line.len() - value.len();
    value.find('"').map(|end| start..start + end)
}

/// `retries=3`
fn names_option(value: &str) -> bool {
    let name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    value.split_once('=').is_some_and(|(option, _)| name(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &'static str, form: fn(&str) -> Option<Range<usize>>) -> Option<&'static str> {
        form(line).map(|span| &line[span])
    }

    #[test]
    fn a_source_of_bundler_has_a_login() {
        for (line, secret) in [
            ("BUNDLE_GEMS__EXAMPLE__ORG: \"a1c35d55:bf6eba73\"", "a1c35d55:bf6eba73"),
            ("BUNDLE_GEM__FURY__IO: \"acme:walnut_tree$\"", "walnut_tree$"),
            ("export BUNDLE_GEMS__EXAMPLE__ORG=\"ci:walnut77\"", "walnut77"),
            ("ENV BUNDLE_GITHUB__COM=9b1f0c27d4:x-oauth-basic", "9b1f0c27d4"),
        ] {
            assert_eq!(read(line, bundler), Some(secret), "{line}");
        }
        for line in [
            "BUNDLE_WITHOUT: \"development:test\"",
            "BUNDLE_GEMS__EXAMPLE__ORG: \"$USER:$PASS\"",
            "BUNDLE_LOCAL__RACK: \"C:/src/rack\"",
            "BUNDLE_MIRROR__ALL: \"https://gems.example.org\"",
        ] {
            assert_eq!(read(line, bundler), None, "{line}");
        }
    }

    #[test]
    fn a_relay_has_a_user_and_the_rest_of_the_line_as_the_password() {
        for (line, secret) in [
            ("[smtp.example.org]:587 mailer:walnut", "walnut"),
            ("[smtp.example.org]:587 kim@example.org:old grey heron", "old grey heron"),
            ("mx.example.org kim@example.org:walnut tree 7", "walnut tree 7"),
        ] {
            assert_eq!(read(line, relay), Some(secret), "{line}");
        }
        for line in [
            "example.org:443 kim: it is closed",
            "example.org note:walnut",
            "mx.example.org kim@example.org:please use the new one",
            "[smtp.example.org]:587 mailer:$PASS",
        ] {
            assert_eq!(read(line, relay), None, "{line}");
        }
    }

    #[test]
    fn a_share_has_a_user_and_a_password() {
        for (line, secret) in [
            ("https://cloud.example.org/remote.php/webdav kim Walnut77", "Walnut77"),
            ("http://10.0.3.4:8080/dav backup \"wal-nut_77\"", "wal-nut_77"),
            ("http://10.0.3.4/dav root Walnut=77", "Walnut=77"),
            ("/mnt/nas   kim   xK7!mq-Lo9", "xK7!mq-Lo9"),
        ] {
            assert_eq!(read(line, share), Some(secret), "{line}");
        }
        for line in [
            "https://cloud.example.org/webdav /mnt/dav davfs user,noauto 0 0",
            "https://cloud.example.org/webdav is slow",
            "https://git.example.org/app.git main v1.4.2",
            "https://git.example.org/app.git branch feature-12",
            "/mnt/nas ext4 defaults",
            "/usr/bin/app kim xK7!mq-Lo9",
        ] {
            assert_eq!(read(line, share), None, "{line}");
        }
    }
}
