//! A mask takes time in proportion to the text and to its values.

use super::Mask;
use growth::{assert_linear, repeated};

/// The shorter length of a text, and of a value, in bytes.
const TEXT_BYTES: usize = 1024;
const VALUE_BYTES: usize = 1024;

/// Texts that look like the beginnings of the values below, or of escapes and dumps.
const MEAN: [&str; 30] = [
    "a",
    "aaaaab",
    "ab",
    "hunter2",
    "hunter2!",
    "hunter2\n",
    "h",
    "h\n",
    "68 75 6e ",
    "6875 6e74\n",
    "00000000  68 75 6e 74 |hunt|\n",
    "0000000 ",
    "104 117 ",
    "\\",
    "\\\\",
    "\\u0068",
    "\\x68",
    "%68",
    "%2568",
    "&#104;",
    "&amp;#104;",
    "=68",
    "=\n",
    "\u{1b}[0m",
    "\u{1b}]",
    "\u{1b}",
    "aHVudGVyMiE",
    "zebr",
    "zebra",
    "é",
];

fn values() -> Vec<String> {
    let key = (0..VALUE_BYTES).map(|n| char::from(b'!' + u8::try_from(n * 7 % 90).unwrap()));
    let texts = ["hunter2!", "aaaaaa", "zebra", "é-é!"].map(str::to_owned);
    texts.into_iter().chain([key.collect(), "a".repeat(VALUE_BYTES), "ab".repeat(20)]).collect()
}

#[test]
fn outputs_are_masked_in_linear_time() {
    let values = values();
    let mask = Mask::of(values.iter().map(String::as_str));
    for piece in MEAN {
        let make = |bytes| repeated(piece, bytes);
        assert_linear(piece, TEXT_BYTES, make, |text| {
            std::hint::black_box(mask.whole(text));
        });
        assert_linear(&format!("{piece} in pieces"), TEXT_BYTES, make, |text| {
            let (mut mask, mut rest) = (mask.afresh(), text.as_str());
            while !rest.is_empty() {
                let piece = rest.floor_char_boundary(rest.len().min(7));
                std::hint::black_box(mask.push(&rest[..piece]));
                rest = &rest[piece..];
            }
            std::hint::black_box(mask.end());
        });
    }
}

#[test]
fn masks_are_made_in_linear_time() {
    for piece in ["a", "ab", "-----BEGIN", "\n", "a\n", "'", "\\", "é", "0f1e2d3c4b5a"] {
        let make = |bytes| repeated(piece, bytes);
        assert_linear(piece, VALUE_BYTES, make, |value| {
            std::hint::black_box(Mask::of([value.as_str()]));
        });
    }
}
