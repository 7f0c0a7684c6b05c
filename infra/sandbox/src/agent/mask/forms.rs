//! The forms in which programs print a credential.

use super::MIN_BYTES;
use super::further;
use super::quoting::{self, escaped};
use base64::Engine;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Shortest line of a multi-line credential that is also searched for alone, in bytes.
const LINE_BYTES: usize = 16;
/// Where `base64`, `openssl` and PEM break lines, in characters.
const LINE_LENGTHS: [usize; 2] = [76, 64];
/// Longest value that is searched for byte by byte with separators, in bytes: programs do not print long keys like
/// that, and the limit keeps the automaton small.
const LISTED_BYTES: usize = 160;
/// Shortest form that is searched for with gaps, in bytes: shorter ones would match across words.
const INK_BYTES: usize = 8;
/// How many bytes base32 turns into whole characters.
const BASE32_GROUP: usize = 5;
/// The signs of base32.
pub(super) const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Every form of a value that is long enough to search for.
pub fn of(value: &str) -> Vec<Vec<u8>> {
    let trimmed = value.trim();
    if trimmed.len() < MIN_BYTES {
        return Vec::new();
    }
    let mut forms = vec![value.to_owned(), trimmed.to_owned()];
    if trimmed.contains('\n') {
        forms.extend(lines(trimmed).map(str::to_owned));
    }
    for text in [value, trimmed] {
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            forms.extend(base64(text.as_bytes(), &engine));
        }
        forms.extend(percent(text));
        forms.extend(quoting::of(text));
        forms.extend(base32(text.as_bytes()));
        forms.extend([hex::encode(text), hex::encode_upper(text)]);
        if text.len() <= LISTED_BYTES {
            forms.extend(listed(text.as_bytes()));
            forms.extend(further::of(text));
        }
    }
    cleaned(forms, MIN_BYTES)
}

/// The forms that are also searched for with line ends, blanks and terminal sequences between their characters.
pub fn ink(value: &str) -> Vec<Vec<u8>> {
    let trimmed = value.trim();
    if trimmed.len() < MIN_BYTES {
        return Vec::new();
    }
    let bytes = trimmed.as_bytes();
    let mut forms = vec![trimmed.to_owned(), hex::encode(bytes), hex::encode_upper(bytes)];
    forms.extend(lines(trimmed).map(str::to_owned));
    forms.extend(base64(bytes, &STANDARD_NO_PAD));
    forms.extend(base32(bytes));
    if bytes.len() <= LISTED_BYTES {
        let list = |write: fn(&u8) -> String| bytes.iter().map(write).collect::<String>();
        forms.extend([
            list(|byte| format!("{byte:03o}")),
            list(|byte| format!("{byte:03}")),
            list(u8::to_string),
            list(|byte| format!("{byte},")),
            list(|byte| format!("0x{byte:02x},")),
            list(|byte| format!("0x{byte:02X},")),
            list(|byte| format!("0X{byte:02X},")),
            list(|byte| format!("0x{byte:02x}")),
            list(|byte| format!("{byte:02x},")),
            list(|byte| format!("{byte:08b}")),
            // `od -a` has names for them.
            trimmed.replace(' ', "sp").replace('\n', "nl").replace('\t', "ht"),
        ]);
        forms.extend(further::characters(trimmed));
        forms.push(further::numbered(trimmed));
        for form in &mut forms {
            // The last one of a list has no comma behind it.
            form.truncate(form.trim_end_matches(',').len());
        }
        for word in [2, 4, 8] {
            let words = |from: usize| little_endian(&bytes[from.min(bytes.len())..], word);
            forms.extend((0..word).map(words));
            forms.extend(
                (0..word).flat_map(|from| further::numbers(&bytes[from.min(bytes.len())..], word)),
            );
        }
    }
    for form in &mut forms {
        form.retain(|c| !c.is_ascii_whitespace());
    }
    cleaned(forms, INK_BYTES)
}

/// The forms in which files hold a value: plain, quoted, in base64, and each line of a longer one.
pub fn in_files(value: &str) -> Vec<Vec<u8>> {
    let trimmed = value.trim();
    let mut forms = vec![trimmed.to_owned()];
    forms.extend(lines(trimmed).map(str::to_owned));
    if trimmed.len() <= LISTED_BYTES {
        forms.extend(quoting::of(trimmed));
        forms.extend(base64(trimmed.as_bytes(), &STANDARD_NO_PAD));
    }
    cleaned(forms, MIN_BYTES)
}

fn cleaned(mut forms: Vec<String>, least: usize) -> Vec<Vec<u8>> {
    forms.retain(|form| form.len() >= least);
    forms.sort_unstable();
    forms.dedup();
    forms.into_iter().map(String::into_bytes).collect()
}

/// The lines of a key without its header, which is not secret and the same for all keys.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("-----"));
    lines.filter(|line| line.len() >= LINE_BYTES)
}

/// In base64: alone, in lines, and within a longer text, where the predictable part depends on the number of bytes in
/// front, modulo three.
pub(super) fn base64(bytes: &[u8], engine: &GeneralPurpose) -> Vec<String> {
    let alone = engine.encode(bytes);
    let mut forms = Vec::new();
    for length in LINE_LENGTHS {
        let (line, mut rest) = (length.min(LINE_BYTES), alone.as_str());
        while rest.len() > length {
            let (first, others) = rest.split_at(length);
            forms.push(first.to_owned());
            rest = others;
        }
        forms.extend((rest.len() >= line && rest.len() < alone.len()).then(|| rest.to_owned()));
    }
    for before in 0..3 {
        let shifted = engine.encode([&[0; 2][..before], bytes].concat());
        let from = (8 * before).div_ceil(6);
        let to = 8 * (before + bytes.len()) / 6;
        forms.push(shifted[from..to].to_owned());
    }
    let padding = "=".repeat((4 - alone.len() % 4) % 4);
    forms.extend([format!("{alone}{padding}"), alone]);
    forms
}

fn base32(bytes: &[u8]) -> Vec<String> {
    base32_by(BASE32, bytes)
}

/// In base32, alone and within a longer text.
pub(super) fn base32_by(alphabet: &[u8; 32], bytes: &[u8]) -> Vec<String> {
    let base32_of = |bytes: &[u8]| base32_of(alphabet, bytes);
    let shifted = (0..BASE32_GROUP).map(|before| {
        let whole = base32_of(&[&[0; BASE32_GROUP][..before], bytes].concat());
        let from = (8 * before).div_ceil(5);
        let to = 8 * (before + bytes.len()) / 5;
        whole[from..to.min(whole.len())].to_owned()
    });
    let alone = base32_of(bytes);
    let padding = "=".repeat((8 - alone.len() % 8) % 8);
    shifted.chain([format!("{alone}{padding}"), alone.clone()]).collect()
}

fn base32_of(alphabet: &[u8; 32], bytes: &[u8]) -> String {
    let (mut held, mut bits, mut text) = (0_u32, 0, String::new());
    for byte in bytes {
        held = (held << 8 | u32::from(*byte)) & 0xffff;
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(alphabet[(held >> bits & 31) as usize]));
        }
    }
    if bits > 0 {
        text.push(char::from(alphabet[(held << (5 - bits) & 31) as usize]));
    }
    text
}

/// Byte by byte with separators, as programs list bytes.
fn listed(bytes: &[u8]) -> Vec<String> {
    let list = |write: fn(&u8) -> String, between: &str| {
        bytes.iter().map(write).collect::<Vec<_>>().join(between)
    };
    vec![
        list(|b| format!("{b:02x}"), ":"),
        list(|b| format!("{b:02X}"), ":"),
        list(|b| format!("{b:02x}"), "-"),
        list(|b| format!("{b:02X}"), "-"),
        list(|b| format!("0x{b:02x}"), ", "),
        list(|b| format!("0x{b:02x}"), ","),
        list(u8::to_string, ", "),
        list(u8::to_string, ","),
        list(u8::to_string, " "),
        list(u8::to_string, "."),
        list(u8::to_string, ":"),
    ]
}

/// As `od` prints words of 2, 4 or 8 bytes: the last byte of each first.
fn little_endian(bytes: &[u8], word: usize) -> String {
    bytes
        .chunks_exact(word)
        .flat_map(|word| word.iter().rev())
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Percent-encoded, except letters, digits and four marks.
pub(super) fn component(text: &str) -> String {
    let kept = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    escaped(text, kept, |b| format!("%{b:02X}"))
}

/// Percent-encoded, in the variants of the common encoders, and encoded twice.
fn percent(text: &str) -> Vec<String> {
    let encode = |text: &str, keep: &str, upper: bool| {
        let kept = |b: u8| b.is_ascii_alphanumeric() || keep.as_bytes().contains(&b);
        escaped(text, kept, |b| if upper { format!("%{b:02X}") } else { format!("%{b:02x}") })
    };
    let plain = component(text);
    let component = encode(text, "-_.!~*'()", true);
    vec![
        encode(&plain, "-._~", true),
        encode(text, "-._~", false),
        encode(text, "-._~/", true),
        encode(text, "-._* ", true).replace(' ', "+"),
        component,
        plain,
    ]
}
