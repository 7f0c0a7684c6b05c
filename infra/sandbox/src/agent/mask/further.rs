//! Encodings that programs use less often, and encodings within encodings: a Kubernetes secret holds base64 of base64,
//! `PowerShell` takes commands in base64 of UTF-16.

use super::forms::{base32_by, base64};
use super::quoting;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

const BASE32HEX: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Of RFC 1924, which Git uses as well.
const BASE85: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// A text in these encodings.
pub fn of(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let wide = [u16::to_le_bytes, u16::to_be_bytes]
        .map(|order| text.encode_utf16().flat_map(order).collect::<Vec<u8>>());
    let encoded = STANDARD.encode(bytes);
    let mut inner = vec![encoded.clone().into_bytes(), hex::encode(bytes).into_bytes()];
    inner.extend(wide.iter().cloned());
    let escaped = [quoting::json(text), super::forms::component(text)].into_iter();
    let escaped = escaped.chain(quoting::in_files(text));
    inner.extend(escaped.filter(|one| one != text).map(String::into_bytes));
    // A registry's or a server's login, which a secret or a first boot holds once more: `base64(user:password)`.
    inner.extend(base64(bytes, &STANDARD_NO_PAD).into_iter().map(String::into_bytes));
    inner.sort_unstable();
    inner.dedup();

    let mut forms: Vec<String> =
        inner.iter().flat_map(|inner| base64(inner, &STANDARD_NO_PAD)).collect();
    forms.extend(wide.iter().chain([&encoded.into_bytes()]).map(hex::encode));
    forms.extend(base32_by(BASE32HEX, bytes));
    let lower =
        base32_by(super::forms::BASE32, bytes).into_iter().chain(base32_by(BASE32HEX, bytes));
    forms.extend(lower.map(|form| form.to_ascii_lowercase()));
    forms.extend(base64(bytes, &STANDARD_NO_PAD).iter().flat_map(|form| uuencoded(form)));
    forms.extend([base58(bytes), ascii85(bytes), base85(bytes)]);
    forms
}

/// The characters of a text as a list, without its outer quotes and without blanks: what `jq` prints of `split("")`,
/// and Python of a text that it takes for a list.
pub fn characters(text: &str) -> Vec<String> {
    let list = |write: fn(char) -> String| text.chars().map(write).collect::<Vec<_>>().join(",");
    let inside = |list: String| list.trim_matches(['"', '\'']).to_owned();
    let python = |c: char| match c {
        '\'' => "\"'\"".to_owned(),
        '\\' => "'\\\\'".to_owned(),
        c => format!("'{c}'"),
    };
    let literal = |c: char| match c {
        '\'' | '\\' => format!("'\\{c}'"),
        c => format!("'{c}'"),
    };
    let mut forms = vec![
        inside(list(|c| format!("\"{}\"", quoting::json(&c.to_string())))),
        inside(list(python)),
        inside(list(literal)),
        list(|c| c.to_string()),
    ];
    forms.extend(yaml(text));
    forms
}

/// The same as YAML, whose writers quote a sign that would begin something else; they differ in how they quote digits,
/// and in whether "y" and "n", which were once "yes" and "no", are words.
fn yaml(text: &str) -> impl Iterator<Item = String> {
    const SIGNS: &str = "#,&*!|>'\"%@`?:-[]{}=~";
    [('\'', false), ('\'', true), ('"', false), ('"', true)].into_iter().map(|(quote, words)| {
        let item = |c: char| match c {
            '\'' => "''''".to_owned(),
            c if SIGNS.contains(c) || c.is_whitespace() => format!("'{c}'"),
            c if c.is_ascii_digit() || (words && "yYnN".contains(c)) => {
                format!("{quote}{c}{quote}")
            }
            c => c.to_string(),
        };
        let form: Vec<_> = text.chars().map(item).collect();
        form.join("-").trim_end_matches(['\'', '"']).to_owned()
    })
}

/// As `gdb` prints characters with `x/c`: the number of each, and itself.
pub fn numbered(text: &str) -> String {
    let shown = |c: char| match c {
        '\'' | '\\' => format!("'\\{c}'"),
        c => format!("'{c}'"),
    };
    let list: String = text.chars().map(|c| format!("{}{}", u32::from(c), shown(c))).collect();
    list.trim_end_matches('\'').to_owned()
}

/// As `od` and `hexdump` print words of 2, 4 or 8 bytes in octal and decimal digits; `od` alone prints octal words
/// of two.
pub fn numbers(bytes: &[u8], word: usize) -> Vec<String> {
    let value =
        |word: &[u8]| word.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
    let words: Vec<u64> = bytes.chunks_exact(word).map(value).collect();
    let list = |write: &dyn Fn(&u64) -> String| words.iter().map(write).collect::<String>();
    let octal = (8 * word).div_ceil(3);
    let mut forms = vec![list(&|value| format!("{value:0octal$o}")), list(&u64::to_string)];
    if word == 2 {
        forms.push(list(&|value| format!("{value:05}")));
    }
    forms
}

/// As `uuencode` writes what base64 writes so; it has two signs for nothing.
fn uuencoded(form: &str) -> [String; 2] {
    let value = |c: char| BASE64.iter().position(|sign| char::from(*sign) == c).unwrap_or_default();
    ['`', ' '].map(|nothing| {
        let sign = |value: usize| match value {
            0 => nothing,
            value => char::from(b' ' + u8::try_from(value).unwrap_or_default()),
        };
        form.trim_end_matches('=').chars().map(|c| sign(value(c))).collect()
    })
}

fn base58(bytes: &[u8]) -> String {
    let mut digits: Vec<usize> = Vec::new();
    for byte in bytes {
        let mut carry = usize::from(*byte);
        for digit in &mut digits {
            carry += *digit << 8;
            *digit = carry % 58;
            carry /= 58;
        }
        while carry > 0 {
            digits.push(carry % 58);
            carry /= 58;
        }
    }
    digits.iter().rev().map(|digit| char::from(BASE58[*digit])).collect()
}

fn ascii85(bytes: &[u8]) -> String {
    by_fours(bytes, |digits| {
        if digits == [0; 5] {
            return "z".to_owned();
        }
        digits.iter().map(|digit| char::from(b'!' + digit)).collect()
    })
}

fn base85(bytes: &[u8]) -> String {
    by_fours(bytes, |digits| {
        digits.iter().map(|digit| char::from(BASE85[usize::from(*digit)])).collect()
    })
}

/// Each four bytes as five digits; fewer bytes have one digit more than bytes.
fn by_fours(bytes: &[u8], write: impl Fn([u8; 5]) -> String) -> String {
    let mut text = String::new();
    for group in bytes.chunks(4) {
        let mut whole = [0; 4];
        whole[..group.len()].copy_from_slice(group);
        let mut rest = u32::from_be_bytes(whole);
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = u8::try_from(rest % 85).unwrap_or_default();
            rest /= 85;
        }
        let written = write(digits);
        let shown = if group.len() == 4 { written.len() } else { group.len() + 1 };
        text.push_str(&written[..shown.min(written.len())]);
    }
    text
}
