//! Every kind of private key in every encoding.

use super::super::holds_private_key;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// Bytes without a meaning, the same ones each time.
fn body(length: usize) -> String {
    let bytes = (0..length).map(|n| u8::try_from(n * n * 31 % 251).unwrap());
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

fn wrapped(text: &str, length: usize, before: &str) -> String {
    let lines = text.as_bytes().chunks(length).map(|line| String::from_utf8_lossy(line));
    lines.map(|line| format!("{before}{line}\n")).collect()
}

fn pem(label: &str) -> String {
    let body = wrapped(&body(150), 64, "");
    format!("-----BEGIN {label}-----\n{body}-----END {label}-----\n")
}

/// What is secret, and a public text of the same kind.
fn keys() -> Vec<String> {
    let labels = ["", "RSA ", "EC ", "DSA ", "ENCRYPTED ", "OPENSSH ", "ANY "];
    let mut keys: Vec<_> = labels.iter().map(|kind| pem(&format!("{kind}PRIVATE KEY"))).collect();
    keys.extend([
        pem("PGP PRIVATE KEY BLOCK"),
        format!("# created: 2026-01-01\nAGE-SECRET-KEY-1{}\n", "QYZ7".repeat(14)),
        format!("PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{}\n", body(40)),
        format!("{{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"{}\"}}\n", body(33)),
        format!("[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32\n", body(32)),
        format!("data:\n  tls.key: {}\n", STANDARD.encode(pem("PRIVATE KEY"))),
        format!("privateExponent:\n    {}\n", "3e:91:f1:c2:".repeat(8)),
    ]);
    keys
}

fn words(bytes: &[u8], size: usize, write: impl Fn(&[u8]) -> String) -> String {
    bytes.chunks(size).map(write).collect::<Vec<_>>().join(" ")
}

fn lines(bytes: &[u8], line: impl Fn(usize, &[u8]) -> String) -> String {
    let lines = bytes.chunks(16).enumerate();
    lines.map(|(n, part)| line(16 * n, part) + "\n").collect()
}

fn hex(word: &[u8]) -> String {
    hex::encode(word)
}

fn shown(bytes: &[u8]) -> String {
    let dot = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' };
    bytes.iter().map(dot).collect()
}

fn reversed(word: &[u8]) -> Vec<u8> {
    word.iter().rev().copied().collect()
}

fn base32(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits: Vec<u8> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let value = |bits: &[u8]| bits.iter().fold(0, |value, bit| value << 1 | usize::from(*bit));
    bits.chunks_exact(5).map(|bits| char::from(SIGNS[value(bits)])).collect()
}

fn named(byte: u8) -> String {
    match byte {
        b' ' => "sp".to_owned(),
        b'\n' => "nl".to_owned(),
        byte => char::from(byte).to_string(),
    }
}

/// How programs write bytes as text.
fn encodings(text: &str) -> Vec<(&'static str, String)> {
    let bytes = text.as_bytes();
    let base64 = STANDARD.encode(text);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cells = |write: fn(u8) -> String| {
        lines(bytes, |at, part| {
            let cells: String = part.iter().map(|byte| format!("{:>4}", write(*byte))).collect();
            format!("{at:07o}{cells}")
        })
    };
    let escaped = |byte| if byte == b'\n' { "\\n".to_owned() } else { char::from(byte).into() };
    let halves =
        |part: &[u8]| part.chunks(8).map(|half| words(half, 1, hex)).collect::<Vec<_>>().join("  ");
    vec![
        ("base64", wrapped(&base64, 76, "")),
        ("base64 -w 64", wrapped(&base64, 64, "")),
        ("base64 -w 0", base64.clone()),
        ("base64 -w 20", wrapped(&base64, 20, "")),
        ("base64 | fold -w 1", wrapped(&base64, 1, "")),
        ("base64 in a URL's alphabet", URL_SAFE_NO_PAD.encode(text)),
        ("base64 behind a byte", STANDARD.encode(format!(" {text}"))),
        ("base64 behind two bytes", wrapped(&STANDARD.encode(format!("  {text}")), 76, "")),
        ("base64 of UTF-16", wrapped(&STANDARD.encode(wide), 76, "")),
        ("base64 twice", wrapped(&STANDARD.encode(wrapped(&base64, 76, "")), 76, "")),
        ("a block of YAML", format!("key: |\n{}other: a\n", wrapped(&base64, 76, "    "))),
        ("a quotation", wrapped(&base64, 76, "> ")),
        ("numbered lines", wrapped(&base64, 76, "   17\t")),
        ("a patch", wrapped(&base64, 76, "+")),
        ("a log", wrapped(&base64, 76, "Jan  1 10:00:00 web app[17]: ")),
        (
            "a string of JSON",
            format!("{{\"key\": \"{}\"}}", wrapped(&base64, 76, "").replace('\n', "\\n")),
        ),
        ("strings of code", wrapped(&base64, 60, "    \"").replace('\n', "\" +\n")),
        ("base32", wrapped(&base32(bytes), 76, "")),
        ("base32 -w 0", base32(bytes)),
        ("xxd -p", wrapped(&hex::encode(bytes), 60, "")),
        ("hexadecimal", hex::encode(bytes)),
        ("HEXADECIMAL", hex::encode_upper(bytes)),
        ("hexadecimal with prefixes", wrapped(&hex::encode(bytes), 60, "web-1  | ")),
        (
            "hexadecimal with colons",
            bytes.iter().map(|byte| hex(&[*byte])).collect::<Vec<_>>().join(":"),
        ),
        ("hexadecimal escapes", bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect()),
        ("percent signs", bytes.iter().map(|byte| format!("%{byte:02X}")).collect()),
        (
            "xxd",
            lines(bytes, |at, part| {
                format!("{at:08x}: {:<39}  {}", words(part, 2, hex), shown(part))
            }),
        ),
        (
            "xxd -g 1",
            lines(bytes, |at, part| {
                format!("{at:08x}: {:<47}  {}", words(part, 1, hex), shown(part))
            }),
        ),
        (
            "xxd -b",
            lines(bytes, |at, part| {
                format!("{at:08x}: {}", words(part, 1, |w| format!("{:08b}", w[0])))
            }),
        ),
        (
            "xxd -i",
            lines(bytes, |_, part| part.iter().map(|byte| format!("0x{byte:02x}, ")).collect()),
        ),
        (
            "hexdump -C",
            lines(bytes, |at, part| format!("{at:08x}  {:<48}  |{}|", halves(part), shown(part))),
        ),
        (
            "hexdump",
            lines(bytes, |at, part| format!("{at:07x} {}", words(part, 2, |w| hex(&reversed(w))))),
        ),
        (
            "objdump -s",
            lines(bytes, |at, part| {
                format!(" {at:04x} {:<35}  {}", words(part, 4, hex), shown(part))
            }),
        ),
        (
            "openssl's dump",
            lines(bytes, |at, part| {
                format!("{at:04x} - {:<47}   {}", halves(part).replace("  ", "-"), shown(part))
            }),
        ),
        ("od -t x1", lines(bytes, |at, part| format!("{at:07o} {}", words(part, 1, hex)))),
        ("od -A n -t x1", lines(bytes, |_, part| format!(" {}", words(part, 1, hex)))),
        (
            "od -x",
            lines(bytes, |at, part| format!("{at:07o} {}", words(part, 2, |w| hex(&reversed(w))))),
        ),
        (
            "od -t x4",
            lines(bytes, |at, part| format!("{at:07o} {}", words(part, 4, |w| hex(&reversed(w))))),
        ),
        (
            "od -t x8",
            lines(bytes, |at, part| format!("{at:07o} {}", words(part, 8, |w| hex(&reversed(w))))),
        ),
        (
            "od -b",
            lines(bytes, |at, part| {
                format!("{at:07o} {}", words(part, 1, |w| format!("{:03o}", w[0])))
            }),
        ),
        (
            "od",
            lines(bytes, |at, part| {
                let word = |w: &[u8]| {
                    reversed(w).iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
                };
                format!("{at:07o} {}", words(part, 2, |w| format!("{:06o}", word(w))))
            }),
        ),
        ("od -c", cells(escaped)),
        ("od -a", cells(named)),
        ("od -t u1", cells(|byte| byte.to_string())),
        ("fold -w 1", text.chars().map(|c| format!("{c}\n")).collect()),
        ("a list of numbers", format!("{bytes:?}")),
        ("jq of characters", format!("{:#?}", text.split("").collect::<Vec<_>>())),
    ]
}

#[test]
fn every_private_key_is_found_behind_every_encoding() {
    for key in keys() {
        assert!(holds_private_key(key.as_bytes()), "{key}");
        for (name, encoded) in encodings(&key) {
            for text in [encoded.clone(), format!("some notes\n\n{encoded}\nand more\n")] {
                assert!(holds_private_key(text.as_bytes()), "{name}:\n{key}{text}");
            }
        }
    }
}

#[test]
fn what_is_public_stays_open_behind_every_encoding() {
    for public in [
        pem("CERTIFICATE"),
        pem("PUBLIC KEY"),
        pem("RSA PUBLIC KEY"),
        format!("ssh-ed25519 {} anna@example\n", body(51)),
        format!("[Peer]\nPublicKey = {}\n", body(32)),
        "A text of several words, which says that a private key is not in it.\n".repeat(8),
        (0..400).map(|n| format!("{} GET /orders/{n} 200 {}\n", n * 37, n * 91 % 977)).collect(),
    ] {
        assert!(!holds_private_key(public.as_bytes()), "{public}");
        for (name, encoded) in encodings(&public) {
            assert!(!holds_private_key(encoded.as_bytes()), "{name}:\n{public}{encoded}");
        }
    }
}
