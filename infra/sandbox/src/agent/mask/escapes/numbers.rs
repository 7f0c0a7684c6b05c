//! Escapes that are a mark and the number of a byte, and overstruck characters.

use super::Meaning::{self, Of, Open, Plain};

/// A mark and a byte's number with so many digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    pub mark: u8,
    radix: u32,
    digits: usize,
}

impl Number {
    /// HAProxy's logs: `#22`.
    pub const HASH: Self = Self { mark: b'#', radix: 16, digits: 2 };
    /// rsyslog: `#042`.
    pub const HASH_OCTAL: Self = Self { mark: b'#', radix: 8, digits: 3 };
    /// LDAP: `\22`.
    pub const BACKSLASH: Self = Self { mark: b'\\', radix: 16, digits: 2 };
    /// DNS, Lua, Haskell: `\034`.
    pub const BACKSLASH_DECIMAL: Self = Self { mark: b'\\', radix: 10, digits: 3 };

    /// Reads the beginning of a text that begins with the mark.
    pub fn read(self, text: &[u8]) -> Meaning {
        let given = &text[1..text.len().min(1 + self.digits)];
        if !given.iter().all(|byte| char::from(*byte).is_digit(self.radix)) {
            return Plain;
        }
        if given.len() < self.digits {
            return Open;
        }
        let byte = super::number(given, self.radix).and_then(|code| u8::try_from(code).ok());
        byte.map_or(Plain, |byte| Of(1 + self.digits, vec![byte]))
    }
}

/// The backspace of `nroff`, which prints a bold character twice, and `_` under another one.
pub const BACKSPACE: u8 = 0x08;

/// Reads what is struck over a character: it means nothing.
pub fn struck(text: &[u8]) -> Meaning {
    match text {
        [b'_', BACKSPACE, ..] => Of(2, Vec::new()),
        [BACKSPACE, lead, ..] => {
            let bytes = width(*lead);
            if text.len() > bytes { Of(1 + bytes, Vec::new()) } else { Open }
        }
        [b'_' | BACKSPACE] => Open,
        _ => Plain,
    }
}

/// How many bytes the character has that begins with this one.
pub fn width(lead: u8) -> usize {
    match lead {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_means_its_byte() {
        for (number, text, means) in [
            (Number::HASH, "#2f", b'/'),
            (Number::HASH, "#2F", b'/'),
            (Number::HASH_OCTAL, "#012", b'\n'),
            (Number::BACKSLASH, "\\2a", b'*'),
            (Number::BACKSLASH_DECIMAL, "\\195", 0xc3),
        ] {
            assert_eq!(number.read(text.as_bytes()), Of(text.len(), vec![means]), "{text}");
            assert_eq!(number.read(&text.as_bytes()[..2]), Open, "{text}");
        }
        assert_eq!(Number::HASH.read(b"#2g"), Plain);
        assert_eq!(Number::BACKSLASH_DECIMAL.read(b"\\256"), Plain);
    }

    #[test]
    fn an_overstruck_character_means_nothing() {
        for text in ["\u{8}k", "_\u{8}", "\u{8}é", "\u{8}_"] {
            assert_eq!(struck(text.as_bytes()), Of(text.len(), Vec::new()), "{text:?}");
        }
        assert_eq!(struck(b"_k"), Plain);
    }
}
