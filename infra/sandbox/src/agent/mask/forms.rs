//! The forms in which a credential is printed.

use super::MIN_BYTES;
use base64::Engine;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Shortest line of a longer credential that is looked for by itself, in bytes.
const LINE_BYTES: usize = 16;
/// Where `base64`, `openssl` and PEM break lines, in characters.
const LINE_LENGTHS: [usize; 2] = [76, 64];

/// Every form of a value that is long enough to be looked for.
pub fn of(value: &str) -> Vec<Vec<u8>> {
    let trimmed = value.trim();
    if trimmed.len() < MIN_BYTES {
        return Vec::new();
    }
    let mut forms = vec![value.to_owned(), trimmed.to_owned()];
    if trimmed.contains('\n') {
        // A header is no secret, and the same for all keys.
        let lines = trimmed.lines().map(str::trim).filter(|line| !line.starts_with("-----"));
        forms.extend(lines.filter(|line| line.len() >= LINE_BYTES).map(str::to_owned));
    }
    for text in [value, trimmed] {
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            forms.extend(base64(text.as_bytes(), &engine));
        }
        forms.extend(percent(text));
        forms.push(json(text));
    }
    forms.retain(|form| form.len() >= MIN_BYTES);
    forms.sort_unstable();
    forms.dedup();
    forms.into_iter().map(String::into_bytes).collect()
}

/// Encoded by itself, in lines, and within something longer: what is then certain of it depends on how
/// many bytes come before it, modulo three.
fn base64(bytes: &[u8], engine: &GeneralPurpose) -> Vec<String> {
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

/// Encoded for an address, as the usual encoders differ.
fn percent(text: &str) -> [String; 4] {
    let encode = |keep: &str, upper: bool| {
        let mut encoded = String::new();
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || keep.as_bytes().contains(&byte) {
                encoded.push(char::from(byte));
            } else if upper {
                encoded.push_str(&format!("%{byte:02X}"));
            } else {
                encoded.push_str(&format!("%{byte:02x}"));
            }
        }
        encoded
    };
    let form = encode("-._* ", true).replace(' ', "+");
    [encode("-._~", true), encode("-._~", false), encode("-._~/", true), form]
}

/// As a JSON string holds it.
fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}
