//! Credentials in dumps beside other credentials: what begins one, by chance, must not hide another.

use super::Mask;

/// Values that begin with letters, digits and signs, as people and generators choose them.
const VALUES: [&str; 12] = [
    "gk4TtR9wLmQ2xZ",
    "9zebraQuartz",
    "0000deadbeef42",
    "000-0001-7Gx",
    "-Kx9 w|q>Zt7",
    "|pipe>42<Kx|",
    "!Hg7 %tR>2pQ",
    "aaaabbbbQ7x",
    "67gk4T6b34",
    "Zq81LmRt55wPa9cVtB3nKs7dYe2fHg6j",
    "correct horse battery",
    "kR7/vWq2'Zt\"Y9<m>X&b4+L $C\\8!e",
];

/// How many values are looked for beside each of all: those above, and some of the passwords below.
const SECRETS: usize = 16;

/// Passwords of the kind that each run gets for Terraform's state, the same ones in every run of this test.
fn hexadecimal() -> Vec<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..16_u64).map(|n| format!("{n:x}{:015x}{:016x}", next() >> 4, next())).collect()
}

/// How a program dumps bytes, and how many bytes one of its words has.
type Dump = (&'static str, usize, fn(&[u8]) -> String);

fn lines(bytes: &[u8], count: usize, line: impl Fn(usize, &[u8]) -> String) -> String {
    let lines = bytes.chunks(count).enumerate();
    lines.map(|(n, part)| line(n * count, part) + "\n").collect()
}

/// A line's words with a blank between them.
fn words(bytes: &[u8], size: usize, write: impl Fn(&[u8]) -> String) -> String {
    bytes.chunks(size).map(write).collect::<Vec<_>>().join(" ")
}

fn hex(word: &[u8]) -> String {
    hex::encode(word)
}

fn shown(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' })
        .collect()
}

fn little_endian(word: &[u8]) -> u64 {
    word.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// The name that `od -a` has for a byte.
fn named(byte: u8) -> String {
    match byte {
        b' ' => "sp".to_owned(),
        b'\n' => "nl".to_owned(),
        byte => char::from(byte).to_string(),
    }
}

fn escaped(byte: u8) -> String {
    if byte == b'\n' { "\\n".to_owned() } else { char::from(byte).to_string() }
}

const DUMPS: [Dump; 17] = [
    ("od -c", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!(
                "{at:07o}{}",
                part.iter().map(|byte| format!("{:>4}", escaped(*byte))).collect::<String>()
            )
        })
    }),
    ("od -a", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!(
                "{at:07o}{}",
                part.iter().map(|byte| format!("{:>4}", named(*byte))).collect::<String>()
            )
        })
    }),
    ("od -A x -c", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!(
                "{at:06x}{}",
                part.iter().map(|byte| format!("{:>4}", escaped(*byte))).collect::<String>()
            )
        })
    }),
    ("od -b", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o} {}", words(part, 1, |w| format!("{:03o}", w[0])))
        })
    }),
    ("od -A n -t x1", 1, |bytes| lines(bytes, 16, |_, part| format!(" {}", words(part, 1, hex)))),
    ("od -t u1", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o}{}", part.iter().map(|byte| format!("{byte:4}")).collect::<String>())
        })
    }),
    ("od -t o1z", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            let data: String =
                part.iter().map(|byte| format!("{byte:4o}").replace("  ", " 0")).collect();
            format!("{at:07o}{data:<64}  >{}<", shown(part))
        })
    }),
    ("od -t x1z", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o} {:<47}  >{}<", words(part, 1, hex), shown(part))
        })
    }),
    ("od -x", 2, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o} {}", words(part, 2, |w| format!("{:04x}", little_endian(w))))
        })
    }),
    ("od", 2, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o} {}", words(part, 2, |w| format!("{:06o}", little_endian(w))))
        })
    }),
    ("od -t u2", 2, |bytes| {
        lines(bytes, 16, |at, part| {
            format!(
                "{at:07o}{}",
                part.chunks(2).map(|w| format!("{:6}", little_endian(w))).collect::<String>()
            )
        })
    }),
    ("od -t x4", 4, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:07o} {}", words(part, 4, |w| format!("{:08x}", little_endian(w))))
        })
    }),
    ("hexdump -C", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            let halves: Vec<_> = part.chunks(8).map(|half| words(half, 1, hex)).collect();
            format!("{at:08x}  {:<48}  |{}|", halves.join("  "), shown(part))
        })
    }),
    ("xxd", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!("{at:08x}: {:<39}  {}", words(part, 2, hex), shown(part))
        })
    }),
    ("xxd -b", 1, |bytes| {
        lines(bytes, 6, |at, part| {
            format!(
                "{at:08x}: {:<53}  {}",
                words(part, 1, |w| format!("{:08b}", w[0])),
                shown(part)
            )
        })
    }),
    ("objdump -s", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            format!(" {at:04x} {:<35}  {}", words(part, 4, hex), shown(part))
        })
    }),
    ("openssl", 1, |bytes| {
        lines(bytes, 16, |at, part| {
            let halves: Vec<_> = part.chunks(8).map(|half| words(half, 1, hex)).collect();
            format!("{at:04x} - {:<47}   {}", halves.join("-"), shown(part))
        })
    }),
];

/// How many bytes in a row of a credential a dump may not show.
const SHOWN_BYTES: usize = 3;

/// A dump's words, without the blanks and dashes between them.
fn spaced(text: &str) -> String {
    let words: Vec<&str> = text.split([' ', '-', '\t']).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// Asserts that nothing of a credential is left in a dump.
fn assert_hidden(mask: &Mask, secrets: [&str; 2], dump: &Dump, text: &str) {
    let (name, size, write) = *dump;
    let printed = write(text.as_bytes());
    let shown = mask.whole(&printed);
    let lines: Vec<String> = shown.lines().map(spaced).collect();
    let addressed = name != "od -A n -t x1";
    for secret in secrets {
        let at = text.find(secret).unwrap();
        let words = SHOWN_BYTES.div_ceil(size).max(2);
        let first = at.next_multiple_of(size);
        for from in
            (first..).step_by(size).take_while(|from| from + words * size <= at + secret.len())
        {
            let bytes = &text.as_bytes()[from..from + words * size];
            if bytes.iter().any(|byte| matches!(byte, b' ' | b'-')) {
                continue;
            }
            let piece = spaced(write(bytes).lines().next().unwrap_or_default());
            let piece: Vec<&str> =
                piece.split_whitespace().skip(usize::from(addressed)).take(words).collect();
            let piece = format!(" {} ", piece.join(" "));
            let left = lines.iter().any(|line| line.contains(&piece));
            assert!(!left, "{name}: {secret:?} of {secrets:?}: {piece:?}\n{printed}{shown}");
        }
        let clear = secret.as_bytes().windows(SHOWN_BYTES + 1).any(|part| {
            !part.iter().all(|byte| byte.is_ascii_hexdigit())
                && shown.contains(std::str::from_utf8(part).unwrap())
        });
        assert!(!clear, "{name}: {secret:?} of {secrets:?}:\n{printed}{shown}");
    }
}

#[test]
fn a_credential_in_a_dump_is_masked_beside_any_other() {
    const BEFORE: &str = "say: 0a 9k -zZ16";
    let hexadecimal = hexadecimal();
    let all: Vec<&str> =
        VALUES.iter().copied().chain(hexadecimal.iter().map(String::as_str)).collect();
    for (n, secret) in all.iter().take(SECRETS).enumerate() {
        for (m, beside) in all.iter().enumerate() {
            let mask = Mask::of([*secret, *beside]);
            // Each pair at another place of a line, and each credential alone at all of them.
            let places = if secret == beside {
                0..BEFORE.len()
            } else {
                (n + 5 * m) % 16..(n + 5 * m) % 16 + 1
            };
            for before in places {
                let before = &BEFORE[..before];
                let text = format!("{before}{secret}{beside} and more of it\n");
                for dump in &DUMPS {
                    assert_hidden(&mask, [*secret, *beside], dump, &text);
                    let alone = format!("{before}{secret}, and more of it\n");
                    assert_hidden(&mask, [*secret, *secret], dump, &alone);
                }
            }
        }
    }
}
