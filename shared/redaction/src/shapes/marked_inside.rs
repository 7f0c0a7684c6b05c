//! Tokens that are recognized by a sign inside them: the parts of a JWT, the separators of a license key.

use super::Body::{Dashed, Dotted, Word};
use super::{LONGEST, Raw, TokenKind};
use std::ops::Range;

/// The length of a group of a license key, in bytes, and how many groups it has.
const GROUP_BYTES: std::ops::RangeInclusive<usize> = 4..=6;
const GROUPS: Range<usize> = 4..9;
/// The lengths of the two parts of a token with which a node joins a Kubernetes cluster, in bytes.
const JOIN_ID_BYTES: usize = 6;
const JOIN_SECRET_BYTES: usize = 16;
/// How often letters and digits change places at least in the second part; names of hosts and files have fewer changes.
const JOIN_CHANGES: usize = 4;

/// A token of kubeadm: `07401b.f395accd246ae52d`.
pub fn join_token(text: &str, at: usize) -> Option<Raw> {
    const BYTES: usize = JOIN_ID_BYTES + 1 + JOIN_SECRET_BYTES;
    let rest = &text.as_bytes()[at..];
    if rest.get(JOIN_ID_BYTES) != Some(&b'.') {
        return None;
    }
    let holds = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let (id, secret) = (&rest[..JOIN_ID_BYTES], rest.get(JOIN_ID_BYTES + 1..BYTES)?);
    let more = |b: &u8| b.is_ascii_alphanumeric() || b"_-/@:".contains(b);
    let goes_on = match rest.get(BYTES) {
        Some(b'.') => rest.get(BYTES + 1).is_some_and(more),
        next => next.is_some_and(more),
    };
    let before = at.checked_sub(1).map(|before| text.as_bytes()[before]);
    let is_part = before.is_some_and(|b| b.is_ascii_alphanumeric() || b"._-/@".contains(&b));
    let kind = |pair: &&[u8]| pair[0].is_ascii_digit() != pair[1].is_ascii_digit();
    let mixed = secret.windows(2).filter(kind).count() >= JOIN_CHANGES;
    // Builds name their files by digests: `styles.4be07fd91a3c8265`.
    let digest = secret.iter().all(u8::is_ascii_hexdigit) && !id.iter().any(u8::is_ascii_digit);
    let fits = !goes_on && !is_part && mixed && !digest && id.iter().chain(secret).all(holds);
    fits.then(|| Raw::sure(at..at + BYTES, "KUBEADM_TOKEN", TokenKind))
}

/// A token with which a node joins a cluster of k3s or RKE2: `K10`, the digest of the certificate, a user and the password.
pub fn k3s(text: &str, at: usize) -> Option<Raw> {
    const DIGEST_BYTES: usize = 64;
    let rest = &text[at..];
    let token = rest.strip_prefix("K10")?;
    let (digest, login) = (token.get(..DIGEST_BYTES)?, token.get(DIGEST_BYTES..)?);
    let login = login.strip_prefix("::")?;
    let holds = |b: &u8| b.is_ascii_alphanumeric() || b"._-:".contains(b);
    let length = login.bytes().take(LONGEST).take_while(holds).count();
    let login = login[..length].trim_end_matches(['.', ':', '-']);
    let end = at + rest.len() - token.len() + DIGEST_BYTES + "::".len() + login.len();
    (digest.bytes().all(|b| b.is_ascii_hexdigit()) && login.len() >= JOIN_SECRET_BYTES)
        .then(|| Raw::sure(at..end, "K3S_TOKEN", TokenKind))
}

/// Keys in equal groups: `XXXXX-XXXXX-XXXXX-XXXXX` of a license, eight times six digits of BitLocker.
pub fn grouped(text: &str, at: usize) -> Option<Raw> {
    let rest = &text.as_bytes()[at..];
    let group = GROUP_BYTES.into_iter().find(|length| rest.get(*length) == Some(&b'-'))?;
    let holds = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let mut length = 0;
    let mut groups = 0;
    while rest.get(length..length + group).is_some_and(|part| part.iter().all(holds)) {
        length += group;
        groups += 1;
        if rest.get(length) != Some(&b'-') || groups > GROUPS.end {
            break;
        }
        length += 1;
    }
    let value = &rest[..length];
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_uppercase()).count();
    let goes_on = rest.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
    let (license, bitlocker) = (
        letters > GROUPS.start && (digits > 1 || (digits == 1 && groups > GROUPS.start)),
        letters == 0,
    );
    let whole = length + 1 == groups * (group + 1) && !goes_on;
    let name = match (groups, group) {
        (8, 6) if bitlocker => "BITLOCKER_RECOVERY_KEY",
        (count, 4..) if license && GROUPS.contains(&count) => "LICENSE_KEY",
        _ => return None,
    };
    whole.then(|| Raw::sure(at..at + length, name, TokenKind))
}

/// Three parts of base64, the first two of them JSON objects. An encrypted token has five parts.
pub fn jwt(text: &str, at: usize) -> Option<Raw> {
    let rest = &text[at..];
    if !rest.starts_with("eyJ") {
        return None;
    }
    let holds = |b: &u8| b.is_ascii_alphanumeric() || b"-_.".contains(b);
    let length = rest.bytes().take(4 * LONGEST).take_while(holds).count();
    let word = rest[..length].trim_end_matches(['.', '-']);
    let mut parts = word.split('.');
    let (header, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let object = header.len() >= 10 && (claims.starts_with("eyJ") || parts.next().is_some());
    (object && claims.len() >= 10 && signature.len() >= 10)
        .then(|| Raw::sure(at..at + word.len(), "JWT_TOKEN", TokenKind))
}

/// The secret key of 1Password: `A3-ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB`, also with the third part joined to the next.
fn account_key(text: &str, at: usize) -> Option<Raw> {
    const GROUPS: [&[usize]; 2] = [&[2, 6, 6, 5, 5, 5, 5], &[2, 6, 11, 5, 5, 5]];
    let rest = text[at..].strip_prefix("A3-").and(text.get(at..))?;
    let holds = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'-';
    let length = rest.bytes().take(64).take_while(holds).count();
    let lengths = || rest[..length].split('-').map(str::len);
    let goes_on = rest[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (!goes_on && GROUPS.iter().any(|groups| lengths().eq(groups.iter().copied())))
        .then(|| Raw::sure(at..at + length, "ONEPASSWORD_SECRET_KEY", TokenKind))
}

/// An access token of Braintree: `access_token$production$x7kq2mpzwn4tb9vl$…`.
fn braintree(text: &str, at: usize) -> Option<Raw> {
    const DIGEST_BYTES: usize = 32;
    let rest = text[at..].strip_prefix("access_token$")?;
    let mut parts = rest.splitn(3, '$');
    let (stage, merchant, digest) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |part: &str| part.len() <= 16 && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let hex = digest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let end = text.len() - digest.len() + hex;
    (plain(stage) && plain(merchant) && hex == DIGEST_BYTES)
        .then(|| Raw::sure(at..end, "BRAINTREE_ACCESS_TOKEN", TokenKind))
}

/// Tokens with a mark inside: Telegram bots, Terraform Cloud, Azure client secrets, Mailchimp.
pub fn special(text: &str, at: usize) -> Option<Raw> {
    let rest = &text[at..];
    let run = |holds: fn(u8) -> bool, most: usize| {
        rest.bytes().take(most).take_while(|b| holds(*b)).count()
    };
    // `https://api.telegram.org/bot8627911812:AAHB…/getUpdates`
    if let Some(token) = rest.strip_prefix("bot")
        && token.starts_with(|c: char| c.is_ascii_digit())
        && text[..at].ends_with('/')
    {
        return special(text, at + "bot".len());
    }
    if rest.starts_with(['A', 'a'])
        && (rest.starts_with("A3-") || rest.starts_with("access_token$"))
    {
        return account_key(text, at).or_else(|| braintree(text, at));
    }
    let digits = run(|b| b.is_ascii_digit(), 11);
    if (8..=10).contains(&digits) && rest[digits..].starts_with(":AA") {
        let body = rest[digits + 1..].bytes().take(40).take_while(|b| Dashed.holds(*b)).count();
        let length = digits + 1 + body;
        return (33..=37)
            .contains(&body)
            .then(|| Raw::sure(at..at + length, "TELEGRAM_BOT_TOKEN", TokenKind));
    }
    let word = run(|b| Word.holds(b), 40);
    if word == 14 && rest[word..].starts_with(".atlasv1.") {
        let length = run(|b| Dotted.holds(b), 128);
        return (length > 70).then(|| Raw::sure(at..at + length, "TFE_TOKEN", TokenKind));
    }
    let azure = word == 5 && rest.as_bytes()[3].is_ascii_digit() && rest.get(4..6) == Some("Q~");
    if azure {
        let body =
            rest[6..].bytes().take(40).take_while(|b| Dotted.holds(*b) || *b == b'~').count();
        return (31..=36)
            .contains(&body)
            .then(|| Raw::sure(at..at + 6 + body, "AZURE_CLIENT_SECRET", TokenKind));
    }
    if word == 32 && follows_account(&text[..at], rest) {
        return Some(Raw::sure(at..at + word, "TWILIO_AUTH_TOKEN", TokenKind));
    }
    if word == 32
        && rest[..32].bytes().all(|b| b.is_ascii_hexdigit())
        && rest[32..].starts_with("-us")
    {
        let digits = rest[35..].bytes().take_while(u8::is_ascii_digit).count();
        return (1..=2)
            .contains(&digits)
            .then(|| Raw::sure(at..at + 35 + digits, "MAILCHIMP_API_KEY", TokenKind));
    }
    None
}

/// `Client("AC9f3e…", "7c1e…")`: whether 32 digits come after the account of Twilio in a call.
fn follows_account(before: &str, digits: &str) -> bool {
    const ACCOUNT_BYTES: usize = 34;
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b"abcdef".contains(&b));
    let Some(head) = before.strip_suffix(['"', '\'']) else { return false };
    let head = head.trim_end().strip_suffix(',').and_then(|head| head.strip_suffix(['"', '\'']));
    let from = head.and_then(|head| head.len().checked_sub(ACCOUNT_BYTES));
    let account = head.zip(from).and_then(|(head, from)| head.get(from..));
    hex(&digits[..32])
        && digits[32..].starts_with(['"', '\''])
        && account.and_then(|account| account.strip_prefix("AC")).is_some_and(hex)
}
