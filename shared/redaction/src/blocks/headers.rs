//! Finds secrets that are an identifier by their form, and a login by their name: the token in a header of any scheme, the
//! secret half of a login to Vault, Nomad or Consul.

use crate::SecretKind::Token;
use crate::places::places;
use crate::things::is_uuid;
use crate::weight::{is_hex, is_random};
use crate::{Raw, shapes};
use std::ops::Range;

/// The longest scheme of an authorization, in bytes, and the longest token, in bytes.
const SCHEME_BYTES: usize = 32;
const TOKEN_BYTES: usize = 513;
/// The least hexadecimal digits of a token.
const HEX_DIGITS: usize = 24;
/// How far around an identifier its kin is looked for, in bytes.
const AROUND_BYTES: usize = 240;
/// The least blanks between two columns.
const COLUMN_BLANKS: usize = 2;
/// Programs whose logins have an identifier and a secret identifier, and the names of the other half.
const LOGINS: [&str; 8] =
    ["accessor", "approle", "role_id", "roleid", "role id", "nomad", "consul", "vault"];
/// A vendor that calls the number of a client's secret its identifier, and that vendor's other identifiers.
const NUMBERED: [&str; 5] = ["azure", "entra", "tenant", "client", "application"];

/// Such secrets of a text. None crosses a wall.
pub fn find(text: &str, walls: &[Range<usize>]) -> Vec<Raw> {
    let open = |at: usize| {
        let next = walls.partition_point(|wall| wall.end <= at);
        let wall = walls.get(next).map_or(text.len(), |wall| wall.start);
        text.get(at..wall)
    };
    const AUTHORIZATION: &str = "uthorization";
    let headers = places(text, AUTHORIZATION).filter_map(|at| {
        let start = at + AUTHORIZATION.len();
        let (skipped, length) = token(open(start)?)?;
        let span = start + skipped..start + skipped + length;
        // Its vendor's mark says more about it.
        let marked = shapes::marked(&text[..span.end], span.start).filter(|raw| raw.span == span);
        Some(marked.unwrap_or_else(|| Raw::sure(span, "AUTHORIZATION_TOKEN", Token)))
    });
    let mut found: Vec<_> = headers.collect();
    for mark in ["ecret", "ECRET"] {
        found.extend(places(text, mark).filter_map(|at| {
            let start = at + mark.len();
            let span = secret_id(text, at, open(start)?, start)?;
            Some(Raw::sure(span, "SECRET_ID", Token))
        }));
    }
    found
}

/// How much comes before the token of a header, and its length: `: Splunk bd823c6c-…`, `": "GenieKey 4f…"`.
fn token(rest: &str) -> Option<(usize, usize)> {
    let closed = rest.trim_start_matches(['"', '\'']);
    // `Set("Authorization", "Splunk …")`
    let listed = closed.strip_prefix(',').filter(|_| closed.len() < rest.len());
    let value = closed.trim_start_matches(' ');
    let value =
        listed.or_else(|| value.strip_prefix([':', '=']))?.trim_start_matches([' ', '"', '\'']);
    let scheme = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let length = value.bytes().take(SCHEME_BYTES).take_while(scheme).count();
    let (name, after) = value.split_at(length);
    // Without a scheme, the token is the whole value.
    let value = after.strip_prefix(' ').filter(|_| is_scheme(name)).unwrap_or(value);
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"-_.+/=~".contains(b);
    let length = value.bytes().take(TOKEN_BYTES).take_while(part).count();
    let (token, after) = value.split_at(length);
    let made = is_uuid(token) || (token.len() >= HEX_DIGITS && is_hex(token)) || is_random(token);
    // "Authorization: request 4f… was denied" goes on.
    let ends = after.starts_with(['"', '\'', '\\', '`', '\r', '\n']) || after.trim().is_empty();
    (made && ends && length < TOKEN_BYTES).then(|| (rest.len() - value.len(), length))
}

/// Whether a word is the scheme of an authorization: "Splunk", "apikey", "Zoho-oauthtoken".
fn is_scheme(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() < SCHEME_BYTES
}

/// The identifier that is a secret, behind the "S" at `at` and what is read of its name: `Secret ID   = e954e17c-…`,
/// `"SecretID": "…"`, `NOMAD_SECRET_ID=…`, "the secret ID is …".
fn secret_id(text: &str, at: usize, rest: &str, start: usize) -> Option<Range<usize>> {
    let name = rest.strip_prefix([' ', '_', '-']).unwrap_or(rest);
    let name = name.get(..2).filter(|id| id.eq_ignore_ascii_case("id")).map(|_| &name[2..])?;
    let bare = name.trim_start_matches(['"', '\'', '`', '*']).trim_start_matches([' ', '\t']);
    let blanks = name.len() - name.trim_start_matches([' ', '\t']).len();
    let said = || ["is ", "ist ", "es ", "est ", "è "].iter().find_map(|is| bare.strip_prefix(is));
    let column = || (blanks >= COLUMN_BLANKS || name.starts_with('\t')).then_some(bare);
    // `secret_id 254f7030-…`
    let named = || rest.starts_with('_').then_some(bare);
    let value = bare.strip_prefix([':', '=']).or_else(said).or_else(column).or_else(named);
    let value = value.or_else(|| told(bare))?;
    let value = value.trim_start_matches([' ', '\t', '"', '\'', '`']);
    let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let length = value.bytes().take(TOKEN_BYTES).take_while(part).count();
    let span = start + rest.len() - value.len()..start + rest.len() - value.len() + length;
    is_uuid(&value[..length].to_ascii_lowercase()).then_some(())?;
    let from = text.floor_char_boundary(at.saturating_sub(AROUND_BYTES));
    let until = text.floor_char_boundary(span.end + AROUND_BYTES);
    let around = [&text[from..at], " ", &text[span.end..until]].concat().to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| around.contains(word));
    let after = value[length..].trim_start_matches(['"', '\'', '`', ',', '.']);
    let alone = after.split('\n').next().is_some_and(|line| line.trim().is_empty());
    (has(&LOGINS) || (alone && !has(&NUMBERED))).then_some(span)
}

/// What follows "is" after a few words: "… of the role is 254f7030-…".
fn told(rest: &str) -> Option<&str> {
    const BYTES: usize = 64;
    let line = rest.get(..rest.floor_char_boundary(BYTES))?.split('\n').next()?;
    let end = [" is ", " ist ", " es ", " est ", " è "]
        .iter()
        .find_map(|is| Some(line.find(is)? + is.len()))?;
    line[..end].chars().all(|c| c.is_alphabetic() || c == ' ').then_some(&rest[end..])
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    const ID: &str = "254f7030-2ca8-4cd7-ad75-153841a708ab";
    const OTHER: &str = "7d1c22f0-99a1-4f0e-8d3c-0be1f6a7c9d2";

    #[test]
    fn a_token_of_any_scheme_is_found_in_its_header() {
        for text in [
            format!("curl -H \"Authorization: Splunk {ID}\" https://hec.example.org:8088"),
            format!("headers:\n  Authorization: MediaBrowser {ID}\n"),
            format!("{{\"Authorization\": \"SSWS {ID}\"}}"),
            format!("curl -H 'authorization: {ID}' https://api.example.org"),
            format!("req.Header.Set(\"Authorization\", \"Splunk {ID}\")"),
            format!("Proxy-Authorization: Zoho-oauthtoken {ID}"),
        ] {
            assert_eq!(found(&text), [ID], "{text}");
        }
        for text in [
            format!("Authorization: request {ID} was denied"),
            format!("authorization {ID} was revoked"),
            "Authorization: Splunk <token>".to_owned(),
            "Authorization: Splunk $HEC_TOKEN".to_owned(),
        ] {
            assert_eq!(found(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_secret_half_of_a_login_is_found_in_tables_and_sentences() {
        for text in [
            format!("Accessor ID = {OTHER}\nSecret ID   = {ID}\nName = ops"),
            format!("{{\"AccessorID\": \"{OTHER}\", \"SecretID\": \"{ID}\"}}"),
            format!("approle:\n  role_id: {OTHER}\n  secret_id: \"{ID}\""),
            format!("the Nomad secret ID is {ID} for now"),
            format!("el Secret ID del rol de Vault es {ID}"),
            format!("role_id {OTHER}, secret_id {ID} for the approle login"),
            format!("Secret ID: {ID}"),
            format!("VAULT_SECRET_ID={ID}"),
            format!("secret_id            {ID}\nsecret_id_accessor   {OTHER}"),
        ] {
            assert_eq!(found(&text), [ID], "{text}");
        }
        for text in [
            format!("secret_id_accessor   {ID}"),
            format!("Accessor ID = {ID}\nPolicies = ops"),
            format!("secret_id={ID} was deleted"),
            format!("Client ID: {OTHER}\nSecret ID: {ID}"),
            format!("Secret Version ID = {ID}"),
        ] {
            assert_eq!(found(&text), [""; 0], "{text}");
        }
    }
}
