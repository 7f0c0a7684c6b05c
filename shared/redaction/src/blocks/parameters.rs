//! Finds secrets in lists of parameters: `?q=Ulm&appid=⟦4e81c7d0…⟧`, `;password={⟦walnut;7⟧};`.
//!
//! A key in a query often has only hexadecimal digits, which are harmless elsewhere; here, its name says what it is.
//! Drivers of databases read a value between braces as it is, so it may contain every sign that separates fields.

use crate::SecretKind::{Password, Token};
use crate::places::bytes;
use crate::things::is_uuid;
use crate::weight::{MIN_BYTES, Weight, is_hex, is_random, weigh};
use crate::words::lists;
use crate::{Raw, blocks};
use std::ops::Range;

/// The longest name of a parameter, in bytes.
const NAME_BYTES: usize = 32;
/// Lengths of a key in a query, in bytes.
const KEY_BYTES: Range<usize> = 24..257;
/// The longest value between braces, in bytes.
const BRACED_BYTES: usize = 128;
/// Names of parameters whose value is a key.
const KEYS: &str = "appid key apikey api_key api-key x-api-key apitoken api_token token access_token access_key accesskey \
     auth auth_token authtoken x-amz-signature x-goog-signature x-amz-security-token signature secret client_secret sig subscription-key user_key userkey licensekey license_key private private_token";

/// The secret parameters of a text, in order. None crosses a wall.
pub fn find(text: &str, mut walls: &[Range<usize>]) -> Vec<Raw> {
    let mut found = Vec::new();
    for at in bytes(text, b'=') {
        while walls.first().is_some_and(|wall| wall.end <= at) {
            walls = &walls[1..];
        }
        let wall = walls.first().map_or(text.len(), |wall| wall.start);
        if wall <= at {
            continue;
        }
        let part = |b: &&u8| b.is_ascii_alphanumeric() || b"_-".contains(b);
        let before = text.as_bytes()[..at].iter().rev();
        let name_at = at - before.take(NAME_BYTES).take_while(part).count();
        let name = &text[name_at..at];
        let rest = &text[at + 1..wall];
        let start = at + 1;
        if let Some(length) = braced(rest).filter(|_| is_password(name)) {
            found.push(Raw::sure(start + 1..start + 1 + length, "DB_PASSWORD", Password));
        } else if let Some(length) = seed(&text[..name_at], name, rest) {
            found.push(Raw::sure(start..start + length, "TOTP_SECRET", Token));
        } else if let Some(length) = login_id(&text[..name_at], name, rest) {
            found.push(Raw::sure(start..start + length, "VAULT_SECRET_ID", Token));
        } else if let Some(span) = property(&text[..at], rest) {
            found.push(Raw::sure(start + span.start..start + span.end, "LOGIN_TOKEN", Token));
        } else if text[..name_at].ends_with(['?', '&'])
            && lists(KEYS, &name.to_ascii_lowercase())
            && let Some(length) = key(rest)
        {
            found.push(Raw::sure(start..start + length, "API_KEY", Token));
        }
    }
    found
}

fn is_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("password") || name.ends_with("pwd")
}

/// The length of the key at the start of a text.
fn key(rest: &str) -> Option<usize> {
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"-_%".contains(b);
    let length = rest.bytes().take(KEY_BYTES.end).take_while(part).count();
    let value = &rest[..length];
    (KEY_BYTES.contains(&length) && (is_hex(value) || is_random(value))).then_some(length)
}

/// The length of the seed of one-time passwords in an address of an authenticator:
/// `otpauth://totp/shop:ann?secret=C6BSFS3PNW6JM3ZQ`.
fn seed(before: &str, name: &str, rest: &str) -> Option<usize> {
    const ADDRESS_BYTES: usize = 256;
    const LEAST_BYTES: usize = 8;
    if name != "secret" || !before.ends_with(['?', '&']) {
        return None;
    }
    let from = before.ceil_char_boundary(before.len().saturating_sub(ADDRESS_BYTES));
    let address = before[from..].rsplit(char::is_whitespace).next().unwrap_or_default();
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (address.contains("otpauth://") && length >= LEAST_BYTES).then_some(length)
}

/// The length of the second id of a login to Vault's AppRole, which is its password:
/// `vault write auth/approle/login role_id=… secret_id=254f7030-…`.
fn login_id(before: &str, name: &str, rest: &str) -> Option<usize> {
    const LINE_BYTES: usize = 160;
    if name != "secret_id" {
        return None;
    }
    let from = before.ceil_char_boundary(before.len().saturating_sub(LINE_BYTES));
    let line = before[from..].rsplit('\n').next().unwrap_or_default();
    let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let length = rest.bytes().take(KEY_BYTES.end).take_while(part).count();
    ((line.contains("approle") || line.contains("role_id=")) && is_uuid(&rest[..length]))
        .then_some(length)
}

/// The length of the token in a property of a program that takes a token in place of a user: `-Dsonar.login=b910d0b9…`.
fn property(before: &str, rest: &str) -> Option<Range<usize>> {
    let head = before.trim_end_matches(' ').strip_suffix(".login")?;
    let value = rest.trim_start_matches(' ');
    let start = rest.len() - value.len();
    let named = head.ends_with(|c: char| c.is_ascii_lowercase());
    key(value).filter(|_| named).map(|length| start..start + length)
}

/// The length of the value between the braces at the start of a text. Two closing braces stand for one.
fn braced(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('{')?;
    let inner = &inner[..inner.floor_char_boundary(BRACED_BYTES)];
    let (bytes, mut end) = (inner.as_bytes(), 0);
    while *bytes.get(end)? != b'}' || bytes.get(end + 1) == Some(&b'}') {
        if bytes[end] == b'\n' {
            return None;
        }
        end += 1 + usize::from(bytes[end] == b'}');
    }
    let value = &inner[..end];
    let closed =
        bytes.get(end + 1).is_none_or(|b| b.is_ascii_whitespace() || b";\"'`),".contains(b));
    // `PWD={password}` is a template, and Python writes `{password!r}`.
    let converted = value.rsplit_once('!').is_some_and(|(_, form)| form.len() == 1);
    let own =
        value.len() >= MIN_BYTES && weigh(value) >= Weight::Name && blocks::is_password(value);
    (closed && own && !converted).then_some(end)
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    const HEX: &str = "9b1f0c27d4e86a35f0a1c2d3e4b59687";

    #[test]
    fn seeds_and_logins_are_found_by_their_names() {
        let id = "254f7030-2ca8-4cd7-ad75-153841a708ab";
        let login = format!("vault write auth/approle/login role_id={id} secret_id={id}");
        assert_eq!(found(&login), [id]);
        let seed = "otpauth://totp/shop:ann@example.org?secret=C6BSFS3PNW6JM3ZQ&issuer=shop";
        assert_eq!(found(seed), ["C6BSFS3PNW6JM3ZQ"]);
        let property = format!("mvn sonar:sonar -Dsonar.login={HEX}");
        assert_eq!(found(&property), [HEX]);
        for text in [
            "mvn sonar:sonar -Dsonar.login=ci-user".to_owned(),
            "https://example.org/?secret=walnutgrove".to_owned(),
            format!("secret_id={id} was deleted"),
        ] {
            assert_eq!(found(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_name_of_a_parameter_says_that_it_is_a_key() {
        for text in [
            format!("curl \"https://api.example.org/weather?q=Ulm&appid={HEX}\""),
            format!("https://api.example.org/rates?key={HEX}&base=EUR"),
            format!("GET /v1/rates?base=EUR&api_key={HEX} HTTP/1.1"),
        ] {
            assert_eq!(found(&text), [HEX], "{text}");
        }
        for text in [
            format!("https://example.org/?commit={HEX}"),
            format!("https://example.org/?v=2&id={HEX}"),
            format!("cache key={HEX}"),
            "https://example.org/?key=walnut-tree".to_owned(),
        ] {
            assert_eq!(found(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_password_between_braces_may_contain_separators() {
        for (text, secret) in [
            ("jdbc:sqlserver://db;user=app;password={W4l;nut}}tree};encrypt=true", "W4l;nut}}tree"),
            ("Driver={SQL Server};Server=db;UID=app;PWD={W4l=nut!};", "W4l=nut!"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "PWD={password};",
            "print(f\"password={password!r}\")",
            "password={env.DB_PASSWORD}",
            "password={{ db_pw_1 }}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
