//! Random texts without any context: keys pasted without a description.

use super::Raw;
use super::SecretKind::Token;
use super::identifiers;
use super::weight::is_random;
use super::words::{Role, fold, role};
use std::ops::Range;

/// Lengths of a pasted key, in bytes.
const BYTES: Range<usize> = 20..257;
/// The longest run of characters that is read, in bytes. A longer run is not a pasted key, and neither is any part of
/// it.
const RUN_BYTES: usize = 1024;
/// The least length of a digest in base64, and how far it is read before and after a part of it, in bytes.
const DIGEST_BYTES: usize = 40;
/// How far back to look for the word that describes a text, in bytes.
const WORD_BEFORE_BYTES: usize = 32;
/// The length of an AWS secret access key, in bytes.
const AWS_SECRET_BYTES: usize = 40;
/// The length of a Hetzner Cloud token, in bytes.
const HETZNER_BYTES: usize = 64;
/// The length of a public key of age, in bytes.
const AGE_BYTES: usize = 62;
/// The most slashes in a random text that is not a path.
const SLASHES: usize = 4;

/// What the text is about, from which secrets without a mark get their names.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints {
    pub aws: bool,
    pub hetzner: bool,
}

impl Hints {
    /// Notes a word, in lower case.
    pub fn hear(&mut self, word: &str) {
        // Most words end here.
        if !word.starts_with(['a', 'h']) {
            return;
        }
        self.aws |= word.starts_with("aws") || word.starts_with("akia");
        self.hetzner |= word.starts_with("hetzner") || word.starts_with("hcloud");
    }

    /// The name of a random text, if the hints or the proposed name describe it.
    pub fn name(self, text: &str, proposed: &str) -> Option<&'static str> {
        if text.starts_with("hcloud_") {
            return Some("HCLOUD_TOKEN");
        }
        match text.len() {
            AWS_SECRET_BYTES if (self.aws || proposed == "ACCESS_KEY") && is_random(text) => {
                Some("AWS_SECRET_ACCESS_KEY")
            }
            HETZNER_BYTES if self.hetzner && is_random(text) => Some("HCLOUD_TOKEN"),
            _ => None,
        }
    }
}

fn holds(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/_-~".contains(&byte)
}

/// The end of the run of characters that keys are written with, or of the part of the run that is read.
pub fn run_end(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    let body = bytes.iter().take(RUN_BYTES).take_while(|b| holds(**b)).count();
    let padding = bytes[body..].iter().take(2).take_while(|b| **b == b'=').count();
    at + body + padding
}

/// The random text in a run, if there is one and nothing marks it as public.
pub fn random(text: &str, run: Range<usize>) -> Option<Raw> {
    let word = &text[run.clone()];
    if word.len() < BYTES.start {
        return None;
    }
    let padded = word.trim_end_matches('=');
    let kept = padded.trim_end_matches(['-', '/', '+', '~', '_']);
    let kept = if padded.len() < word.len() { word } else { kept };
    let span = run.start..run.start + kept.len();
    let slashes = kept.bytes().filter(|b| *b == b'/').count();
    let fits = BYTES.contains(&kept.len())
        && !kept.starts_with(['/', '-', '~'])
        && slashes <= SLASHES
        && !is_public(kept)
        && is_random(kept)
        && !is_named(&text[..run.start])
        && !is_encoded_text(kept)
        && !identifiers::is_identifier(text, &span);
    fits.then(|| Raw::likely(span, "SECRET", Token))
}

/// Whether a word is a public key, a digest with its algorithm, or a path of words.
pub fn is_public(word: &str) -> bool {
    let marked =
        ["AAAA", "sha1-", "sha256-", "sha384-", "sha512-", "MII", "ssh-", "pk_live_", "pk_test_"]
            .iter()
            .any(|mark| {
                word.as_bytes().first() == mark.as_bytes().first() && word.starts_with(mark)
            });
    // A recipient of age; the secret key begins with "AGE-SECRET-KEY-1".
    let marked = marked || (word.starts_with("age1") && word.len() == AGE_BYTES);
    let path_of_words = word.contains('/')
        && word
            .split('/')
            .any(|part| part.len() > 3 && part.chars().all(|c| c.is_ascii_lowercase()));
    marked || path_of_words
}

/// Whether the preceding text shows that a name follows: `sha256:`, `id=`, a path, a query.
pub fn is_named(before: &str) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(WORD_BEFORE_BYTES));
    let before = &before[from..];
    let joined = before.ends_with(['/', '.', '@', '#', '\\', '%']);
    let signed = before.trim_end_matches(|c: char| " :=\"'`(*|[{\n\r\t\\".contains(c));
    let start = signed
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |i| i + signed[i..].chars().next().map_or(1, char::len_utf8));
    let last = &signed[start..];
    let mut folded = String::new();
    fold(last, &mut folded);
    let inner = folded.strip_suffix("id").is_some_and(|rest| rest.len() > 3);
    joined
        || inner
        || (role(&folded) == Some(Role::Key) && ends_public(signed[..start].trim_end()))
        || signed.rsplit([',', ';', '\n']).next().is_some_and(|clause| {
            clause.split(' ').any(ends_public)
        })
        // The session in a cookie is a secret; the session in a log line is a name.
        || (role(&folded) == Some(Role::Name) && !(folded == "session" && before.ends_with('=')))
        || (folded == "h1" && before.ends_with(':'))
}

/// Whether a word is a part of a long run of random characters, such as a digest, and therefore means nothing.
pub fn in_random_run(text: &str, word: &Range<usize>) -> bool {
    let base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let (before, after) = (&text.as_bytes()[..word.start], &text.as_bytes()[word.end..]);
    let before = before.iter().rev().take(DIGEST_BYTES).take_while(base64).count();
    let after = after.iter().take(DIGEST_BYTES).take_while(base64).count();
    before + word.len() + after >= DIGEST_BYTES
        && is_random(&text[word.start - before..word.end + after])
}

/// Whether a text ends with a word that says that the key after it is public.
pub fn ends_public(text: &str) -> bool {
    let words = [
        "público",
        "publica",
        "publiczna",
        "public",
        "publique",
        "pública",
        "pubblica",
        "publiczny",
        "openbare",
        "öffentlicher",
    ];
    let longest = text.floor_char_boundary(text.len().saturating_sub(WORD_BEFORE_BYTES));
    let end = text[longest..].to_lowercase();
    words.iter().any(|word| end.ends_with(word))
}

/// Whether a word is readable text in base64.
fn is_encoded_text(word: &str) -> bool {
    let readable = |b: &u8| (b' '..=b'~').contains(b) || *b == b'\n' || *b == b'\t';
    decode(word).is_some_and(|bytes| !bytes.is_empty() && bytes.iter().all(readable))
}

/// Decodes base64.
pub fn decode(word: &str) -> Option<Vec<u8>> {
    let word = word.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(word.len() * 3 / 4);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in word.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(six)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).unwrap_or_default());
        }
    }
    (word.len() % 4 != 1).then_some(bytes)
}

/// Whether a byte is a sign of base64.
pub fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"+/=".contains(&b)
}
