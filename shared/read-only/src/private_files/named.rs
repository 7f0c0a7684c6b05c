//! Private keys that only the name of a field tells from a public text: JSON's keys, WireGuard's, and what programs
//! print of a key's numbers.

/// Fields with a private number, in the words of `openssl`, BIND and `.NET`; digits with colons, or base64, follow.
const NUMBERS: [&str; 6] =
    ["privateexponent", "priv", "prime1", "exponent1", "private-exponent", "privatekey"];
/// WireGuard's fields, with a key of [`WIREGUARD_CHARS`].
const WIREGUARD: [&str; 3] = ["privatekey", "presharedkey", "private_key"];
/// Characters of a key of 32 bytes in base64, with the padding.
const WIREGUARD_CHARS: usize = 44;
/// Fewest characters of a number: those of eight bytes with colons.
const NUMBER_CHARS: usize = 23;
/// Fewest characters of a private value in a JSON key.
const JSON_CHARS: usize = 16;

/// Whether a field of a text holds a private key.
pub(super) fn holds_key(content: &[u8]) -> bool {
    let json = contains(content, b"\"kty\"") || contains(content, b"\\\"kty\\\"");
    content.iter().enumerate().any(|(at, byte)| {
        matches!(byte, b':' | b'=') && (is_number(content, at) || json && is_json(content, at))
    })
}

fn contains(content: &[u8], part: &[u8]) -> bool {
    content.windows(part.len()).any(|window| window == part)
}

/// The name that ends at a place, and how it is quoted there.
fn name(content: &[u8], end: usize) -> (&[u8], bool) {
    let quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\' | b' ' | b'\t');
    let mut to = end;
    while to > 0 && quote(&content[to - 1]) && end - to < 8 {
        to -= 1;
    }
    let named = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = content[..to].iter().rev().take(32).take_while(|byte| named(byte)).count();
    (&content[to - length..to], content[to..end].contains(&b'"'))
}

/// The value behind a place, up to the first byte that is neither base64 nor a colon between digits.
fn value(content: &[u8], from: usize) -> &[u8] {
    let rest = &content[from..content.len().min(from + 256)];
    let skipped = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\');
    let rest = &rest[rest.iter().take_while(|byte| skipped(byte)).count()..];
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-:".contains(byte);
    &rest[..rest.iter().take_while(|byte| inside(byte)).count()]
}

fn is_number(content: &[u8], at: usize) -> bool {
    let name = name(content, at).0.to_ascii_lowercase();
    let is = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    let value = || value(content, at + 1);
    let digits = |value: &[u8]| {
        let digits = value.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b':');
        let random = value.iter().any(u8::is_ascii_digit);
        value.len() >= NUMBER_CHARS && random && (digits || value.ends_with(b"="))
    };
    // A dump that shows no line ends has the next field directly behind the value.
    let wireguard =
        |value: &[u8]| value.iter().position(|byte| *byte == b'=') == Some(WIREGUARD_CHARS - 1);
    is(&NUMBERS) && digits(value()) || is(&WIREGUARD) && wireguard(value())
}

/// The private value of a JSON key: `d` of a pair, `k` of a shared key.
fn is_json(content: &[u8], at: usize) -> bool {
    let (name, quoted) = name(content, at);
    quoted && matches!(name, b"d" | b"k") && value(content, at + 1).len() >= JSON_CHARS
}
