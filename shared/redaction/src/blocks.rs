//! Secrets inside a frame: PEM blocks, PuTTY's and OpenVPN's keys, passwords and keys in addresses, links that sign somebody
//! in, authorization headers, webhooks, bot tokens, words of a wallet. And what is not a secret: public keys and certificates, which are
//! random texts, and placeholders.

pub mod base64_pem;
mod headers;
mod links;
mod parameters;
pub mod php_constants;
pub mod placeholders;
pub mod seeds;

use super::Raw;
use super::SecretKind::{Password, PrivateKey, Token};
use super::leet::is_leet_word;
use super::places::{place, places};
use super::things::is_dotted_secret;
use super::weight::{Weight, weigh};
use super::words::{Role, folded, role};
use std::ops::Range;

/// The longest key block, in bytes.
const BLOCK_BYTES: usize = 32 * 1024;
/// The longest label of a PEM block, in bytes.
const LABEL_BYTES: usize = 64;
/// The least base64 in one line of a truncated private key, in characters.
const KEY_LINE_CHARS: usize = 16;
/// The longest part of an address before its host, in bytes.
const AUTHORITY_BYTES: usize = 512;
/// The longest path of a webhook, in bytes.
const WEBHOOK_BYTES: usize = 256;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// The findings in frames.
pub struct Framed {
    pub secrets: Vec<Raw>,
    /// Public keys, certificates and the like: random texts that are not secrets.
    pub public: Vec<Range<usize>>,
}

/// Finds PEM blocks from `BEGIN` to `END`. From a truncated private key, it takes the part that looks like a key.
pub fn pem(text: &str) -> Framed {
    let mut framed = Framed { secrets: putty(text), public: Vec::new() };
    // Where the next block ends. It is searched once, and not again for each block.
    let mut next_end = 0;
    let mut from = 0;
    while let Some(start) = place(&text[from..], BEGIN).map(|at| from + at) {
        from = start + BEGIN.len();
        let window = &text[from..text.floor_char_boundary(from + LABEL_BYTES)];
        let Some(label) = window.find("-----").map(|end| &window[..end]) else { continue };
        if label.contains(['\n', '"']) {
            continue;
        }
        let body_at = from + label.len() + "-----".len();
        let limit = text.floor_char_boundary(body_at + BLOCK_BYTES);
        let body = &text[body_at..limit];
        if next_end < body_at {
            next_end = place(&text[body_at..], END).map_or(text.len(), |at| body_at + at);
        }
        // A truncated block does not reach the end of the next block.
        let own = next_end < limit && !text[body_at..next_end].contains(BEGIN);
        let end = own.then(|| {
            let mark = next_end + END.len();
            let rest = &text[mark..text.floor_char_boundary(mark + LABEL_BYTES)];
            mark + rest.find("-----").map_or(0, |n| n + "-----".len())
        });
        let tunnel = label.starts_with("OpenVPN") && label.to_ascii_lowercase().contains("key");
        let private = tunnel || label.contains("PRIVATE KEY");
        // "-----BEGIN PRIVATE KEY----- (removed) -----END PRIVATE KEY-----"
        if own && !has_key(&text[body_at..next_end]) {
            continue;
        }
        let end = end.or_else(|| cut_off(body).map(|length| body_at + length));
        let Some(end) = end else { continue };
        if private {
            let name = match label {
                _ if tunnel => "OPENVPN_KEY",
                _ if label.contains("OPENSSH") => "SSH_PRIVATE_KEY",
                _ => "PRIVATE_KEY",
            };
            framed.secrets.push(Raw::sure(start..end, name, PrivateKey));
        } else {
            framed.public.push(start..end);
        }
        from = end;
    }
    framed
}

/// Whether the text of a block has as much as the shortest line of a key.
fn has_key(body: &str) -> bool {
    let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    body.split(|c| !base64(c)).any(|run| run.len() >= KEY_LINE_CHARS)
}

/// Length of the lines of base64 at the start of a text. A line end may be written as `\n`.
fn cut_off(body: &str) -> Option<usize> {
    let mut length = 0;
    while length < body.len() {
        let rest = &body[length..];
        let content = rest.trim_start_matches([' ', '\t', '\r', '"', '\'']);
        let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=\\".contains(c);
        let after = if content.starts_with("Proc-Type:") || content.starts_with("DEK-Info:") {
            &content[content.find('\n').unwrap_or(content.len())..]
        } else {
            content.trim_start_matches(base64)
        };
        let chars = content.len() - after.len();
        let after = after.trim_start_matches([' ', '\t', '\r', '"', '\'']);
        if (1..KEY_LINE_CHARS).contains(&chars) || !(after.is_empty() || after.starts_with('\n')) {
            break;
        }
        length = body.len() - after.strip_prefix('\n').unwrap_or(after).len();
    }
    let lines = &body[..length];
    (!lines.trim().is_empty()).then_some(lines.trim_end().len())
}

/// The beginnings of SSH's public keys and certificates in base64: the length of the key type's name, and the name.
const PUBLIC_KEYS: [&str; 8] = [
    "C3NzaC1lZDI1NTE5",         // ssh-ed25519
    "B3NzaC1yc2E",              // ssh-rsa
    "B3NzaC1kc3M",              // ssh-dss
    "E2VjZHNhLXNoYTItbmlzdHAy", // ecdsa-sha2-nistp
    "GnNrLXNzaC1lZDI1NTE5",     // sk-ssh-ed25519
    "InNrLWVjZHNhLXNoYTIt",     // sk-ecdsa-sha2-
    "IHNzaC1lZDI1NTE5LWNlcnQt", // ssh-ed25519-cert-
    "HHNzaC1yc2EtY2VydC12",     // ssh-rsa-cert-v
];

/// Finds SSH's public keys outside the walls. A part of their random characters may look like a word that announces a
/// password.
pub fn public_keys(text: &str, mut walls: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut keys: Vec<Range<usize>> = Vec::new();
    const MARK: &str = "AAAA";
    for at in places(text, MARK) {
        let content = &text[at + MARK.len()..];
        let known = keys.last().is_some_and(|key| at < key.end);
        if known || !PUBLIC_KEYS.iter().any(|key| content.starts_with(key)) {
            continue;
        }
        let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        let end = text.len() - content.trim_start_matches(base64).len();
        while walls.first().is_some_and(|wall| wall.end <= at) {
            walls = &walls[1..];
        }
        if walls.first().is_none_or(|wall| end <= wall.start) {
            keys.push(at..end);
        }
    }
    keys
}

/// The private part of a PuTTY key file.
fn putty(text: &str) -> Vec<Raw> {
    let mut found = Vec::new();
    const MARK: &str = "Private-Lines:";
    for at in places(text, MARK) {
        let body_at = at + MARK.len();
        let body = &text[body_at..text.floor_char_boundary(body_at + BLOCK_BYTES)];
        let Some(first) = body.find('\n') else { continue };
        let length = cut_off(&body[first + 1..]).unwrap_or_default();
        if length > 0 {
            let start = body_at + first + 1;
            found.push(Raw::sure(start..start + length, "PUTTY_PRIVATE_KEY", PrivateKey));
        }
    }
    found
}

/// Finds passwords in `scheme://user:password@host`, addresses that are secrets themselves, and secret parameters. None
/// crosses a wall.
pub fn addresses(text: &str, mut walls: &[Range<usize>]) -> Vec<Raw> {
    let mut found = links::find(text, walls);
    found.extend(headers::find(text, walls));
    found.extend(parameters::find(text, walls));
    const MARK: &str = "://";
    for at in places(text, MARK) {
        while walls.first().is_some_and(|wall| wall.end <= at) {
            walls = &walls[1..];
        }
        let wall = walls.first().map_or(text.len(), |wall| wall.start);
        if wall < at + MARK.len() {
            continue;
        }
        let scheme_at = text[..at]
            .bytes()
            .rev()
            .take(32)
            .take_while(|b| b.is_ascii_alphanumeric() || b"+.-".contains(b))
            .count();
        let rest_at = at + MARK.len();
        let rest = &text[rest_at..text.floor_char_boundary(rest_at + AUTHORITY_BYTES).min(wall)];
        found.extend(webhook(rest, rest_at));
        let scheme = &text[at - scheme_at..at];
        // User names in a directory contain commas and equals signs.
        let directory = matches!(scheme, "ldap" | "ldaps");
        // Before the user of a share comes its domain: `smb://shop;ann:…@nas1`
        let share = matches!(scheme, "smb" | "cifs");
        let ends = |c: char| {
            c.is_whitespace()
                || "/\"'`<>".contains(c)
                || (c == ',' && !directory)
                || (c == ';' && !share)
        };
        let authority = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let Some((user, _host)) = authority.rsplit_once('@') else { continue };
        match user.split_once(':') {
            Some((name, password))
                if is_own(password) && (directory || !name.contains(['?', '='])) =>
            {
                let start = rest_at + name.len() + 1;
                let name = format!("{}_PASSWORD", service(scheme));
                let span = start..start + password.len();
                let marked = super::shapes::marked(&text[..span.end], start);
                let marked = marked.filter(|raw| raw.span == span);
                found.push(marked.unwrap_or_else(|| Raw::sure(span, &name, Password)));
            }
            // A token without a user, as GitHub and Sentry accept it.
            None if super::weight::is_random(user)
                || (super::weight::is_hex(user) && user.len() >= 32) =>
            {
                let name = format!("{}_TOKEN", service(scheme));
                found.push(Raw::sure(rest_at..rest_at + user.len(), &name, Token));
            }
            _ => {}
        }
    }
    found
}

/// The service that a scheme belongs to, for the name of a variable.
fn service(scheme: &str) -> String {
    let plain = scheme.split('+').next().unwrap_or_default().to_ascii_uppercase();
    match plain.as_str() {
        "POSTGRESQL" => "POSTGRES".to_owned(),
        "REDISS" => "REDIS".to_owned(),
        "AMQPS" => "AMQP".to_owned(),
        "HTTPS" => "HTTP".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            plain
        }
        _ => "URL".to_owned(),
    }
}

/// Whether a text can be a password where a sentence or a setting has one.
pub fn is_password(password: &str) -> bool {
    // `9--imxcl_.FV`: no name of a file or an attribute has two joints in a row.
    let twice = ["--", "__", "_.", "._", "-_", "_-", "-.", ".-"];
    let joined = password.contains(['.', '/'])
        && !password.contains(['!', '#', '%', '^', '*', '~'])
        && !twice.iter().any(|joints| password.contains(joints))
        && !password.ends_with(|c: char| c.is_ascii_digit())
        && weigh(password) <= Weight::Weak
        && !is_dotted_secret(password);
    !joined && is_own(password)
}

/// Whether a text can be a password in an address, where neither a host nor a path can be.
fn is_own(password: &str) -> bool {
    let stand_ins =
        ["passwd", "secret", "pass", "changeme", "example", "pwd", "token", "motdepasse", "clave"];
    let lower = password.to_lowercase();
    let variable = password.starts_with('%') && password.ends_with('%');
    (super::weight::MIN_BYTES..=AUTHORITY_BYTES).contains(&password.len())
        && !password.starts_with(['$', '<', '{', '[', '(', '*'])
        && (!password.starts_with('@') || is_leet_word(password))
        && !variable
        && !lower.contains("your")
        && !lower.contains("{{")
        && !lower.chars().all(|c| "x*.-_".contains(c))
        && !stand_ins.contains(&lower.as_str())
        && role(&folded(password)) != Some(Role::Password)
}

/// Hosts of webhooks: anyone who knows such an address may post to it.
const WEBHOOKS: [(&str, &str); 7] = [
    ("hooks.slack.com/services/", "SLACK_WEBHOOK"),
    ("hooks.slack.com/workflows/", "SLACK_WEBHOOK"),
    ("discord.com/api/webhooks/", "DISCORD_WEBHOOK"),
    ("discordapp.com/api/webhooks/", "DISCORD_WEBHOOK"),
    ("outlook.office.com/webhook/", "TEAMS_WEBHOOK"),
    ("chat.googleapis.com/v1/spaces/", "GOOGLE_CHAT_WEBHOOK"),
    ("hooks.zapier.com/hooks/catch/", "ZAPIER_WEBHOOK"),
];

/// The end of such a host of Teams, and the path on it.
const TENANTS_WEBHOOKS: &str = ".webhook.office.com/webhookb2/";

fn webhook(rest: &str, at: usize) -> Option<Raw> {
    // Teams: the tenant's name comes before the host.
    let tenant = rest.find(TENANTS_WEBHOOKS).filter(|at| !rest[..*at].contains(['/', ' ', '\n']));
    let known = || WEBHOOKS.iter().find(|(mark, _)| rest.starts_with(mark)).copied();
    let (mark, name) = match tenant {
        Some(at) => (&rest[..at + TENANTS_WEBHOOKS.len()], "TEAMS_WEBHOOK"),
        None => known().or_else(|| Some((mattermost(rest)?, "MATTERMOST_WEBHOOK")))?,
    };
    let ends = |c: char| c.is_whitespace() || "\"'`<>,;)|".contains(c);
    let path = &rest[mark.len()..];
    let path = path[..path.find(ends).unwrap_or(path.len())].trim_end_matches(['.', ':']);
    let least = if name == "ZAPIER_WEBHOOK" { 10 } else { 16 };
    let secret = path.len() >= least
        && path.len() <= WEBHOOK_BYTES
        && path.contains(|c: char| c.is_ascii_digit())
        && !path.contains("XXXX");
    let start = at + mark.len();
    secret.then(|| Raw::sure(start..start + path.len(), name, Token))
}

/// The host of a webhook of Mattermost with the path up to its code, which has 26 letters and digits.
fn mattermost(rest: &str) -> Option<&str> {
    const PATH: &str = "/hooks/";
    const CODE_BYTES: usize = 26;
    let host = rest.find('/')?;
    let code = rest[host..].strip_prefix(PATH)?;
    let made = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (code.bytes().take_while(made).count() == CODE_BYTES).then(|| &rest[..host + PATH.len()])
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn the_password_of_an_address_may_be_words_with_dots() {
        for (text, secret) in [
            ("wget \"https://me:Open.Sesame@files.corp/x.tgz\"", "Open.Sesame"),
            ("postgres://app:big.tree@db.internal:5432/app", "big.tree"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in ["postgres://app:${db.password}@db/app", "https://user:your.password@host"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
