//! How programs escape the characters of a text, read byte by byte.
//!
//! Programs escape different characters: one JSON encoder writes `<` as `\u003c`, another leaves it. So a mask cannot
//! list the spellings of a credential. It reads the text as the escapes mean it instead ([`spelled`](super::spelled)).

mod markup;
mod numbers;

use markup::markup;
use numbers::struck;
pub use numbers::{BACKSPACE, Number, width};

/// A kind of escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Strings of shells and languages: `\"`, `\x22`, `\u0022`, `\u{22}`, `\U00000022`, `\42`.
    Backslash,
    /// HTML and XML: `&quot;`, `&#34;`, `&#x22;`.
    Markup,
    /// Addresses: `%22`, `%u0022`.
    Percent,
    /// Forms: the same, and `+` for a blank.
    Form,
    /// Mail: `=22`, and `=` at a line's end.
    Printable,
    /// CSV, SQL, systemd: a mark twice for once.
    Doubled,
    /// Windows' shells: `^&`, `` `$ ``.
    Marked,
    /// Invisible characters: zero bytes, as in UTF-16, zero-width blanks, soft hyphens.
    Unseen,
    /// A mark and a byte's number.
    Numbered(Number),
    /// Characters that `nroff` strikes over others.
    Struck,
    /// Numbers and marks before the lines of a text: `cat -n`, `grep -n`, `diff`.
    Lead,
}

/// What the beginning of a text means.
#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Its first byte is not an escape.
    Plain,
    /// It depends on what follows.
    Open,
    /// So many bytes are an escape of these bytes.
    Of(usize, Vec<u8>),
}

use Meaning::{Of, Open, Plain};

/// The widest indentation of a continued line, in bytes.
const INDENT_BYTES: usize = 8;

impl Escapes {
    /// Whether an escape may begin with this byte.
    pub fn begin_with(self, byte: u8) -> bool {
        match self {
            Self::Backslash => byte == b'\\',
            Self::Markup => byte == b'&',
            Self::Percent => byte == b'%',
            Self::Form => matches!(byte, b'%' | b'+'),
            Self::Printable => byte == b'=',
            Self::Doubled => matches!(byte, b'"' | b'\'' | b'`' | b'$' | b'%'),
            Self::Marked => matches!(byte, b'^' | b'`'),
            Self::Unseen => matches!(byte, 0 | 0xc2 | 0xe2 | 0xef),
            Self::Numbered(number) => byte == number.mark,
            Self::Struck => matches!(byte, b'_' | BACKSPACE),
            Self::Lead => byte == b'\n',
        }
    }

    /// Reads the beginning of a text that is not empty; `ended` if nothing follows.
    pub fn read(self, text: &[u8], ended: bool) -> Meaning {
        if !self.begin_with(text[0]) {
            return Plain;
        }
        let meaning = match self {
            Self::Backslash => backslash(text),
            Self::Markup => markup(text),
            Self::Percent => percent(text),
            Self::Form if text[0] == b'+' => Of(1, b" ".to_vec()),
            Self::Form => percent(text),
            Self::Printable => printable(text),
            Self::Doubled => next(text, |byte| byte == text[0]),
            Self::Marked => next(text, |byte| byte.is_ascii_graphic()),
            Self::Unseen => unseen(text),
            Self::Numbered(number) => number.read(text),
            Self::Struck => struck(text),
            Self::Lead => lead(text),
        };
        if ended && meaning == Open { at_the_end(self, text) } else { meaning }
    }
}

/// An escape that the text's end cuts short: octal digits may be fewer, and so may the blanks of an indented line.
fn at_the_end(escapes: Escapes, text: &[u8]) -> Meaning {
    match (escapes, text) {
        (Escapes::Backslash, [b'\\', b'0'..=b'7' | b'\n', ..]) => backslash(&[text, b"."].concat()),
        _ => Plain,
    }
}

/// A line end and what a program writes before the next line: blanks with a number and its sign, or a mark.
fn lead(text: &[u8]) -> Meaning {
    /// The widest number with the blanks before it, in bytes.
    const NUMBER_BYTES: usize = 11;
    let rest = &text[1..];
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let digits = rest[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if blanks + digits > NUMBER_BYTES {
        return Plain;
    }
    let end = b"\n".to_vec();
    match (blanks, digits, rest.get(blanks + digits)) {
        (_, _, None) => Open,
        (_, 1.., Some(b'\t' | b':' | b' ')) => Of(2 + blanks + digits, end),
        (0, 0, Some(b'>' | b'<')) => match rest.get(1) {
            None => Open,
            Some(b' ') => Of(3, end),
            Some(_) => Plain,
        },
        (0, 0, Some(b'+' | b'-')) => Of(2, end),
        _ => Plain,
    }
}

/// A byte behind a mark, if it is of this kind.
fn next(text: &[u8], is: impl Fn(u8) -> bool) -> Meaning {
    match text.get(1) {
        None => Open,
        Some(byte) if is(*byte) => Of(2, vec![*byte]),
        Some(_) => Plain,
    }
}

fn backslash(text: &[u8]) -> Meaning {
    let Some(kind) = text.get(1) else { return Open };
    let control = match kind {
        b'x' => return hex_escape(text, 2, false),
        b'u' => return hex_escape(text, 4, true),
        b'U' => return hex_escape(text, 8, true),
        b'0'..=b'7' => return octal(text),
        b'\n' => return continued(text),
        b'a' => 0x07,
        b'b' => 0x08,
        b'e' => 0x1b,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0b,
        other if other.is_ascii() => *other,
        _ => return Of(1, Vec::new()),
    };
    Of(2, vec![control])
}

/// The end of a line that continues on the next, where YAML indents it.
fn continued(text: &[u8]) -> Meaning {
    let blanks = text[2..].iter().take(INDENT_BYTES).take_while(|byte| **byte == b' ').count();
    let all = blanks == INDENT_BYTES || text.len() > 2 + blanks;
    if all { Of(2 + blanks, Vec::new()) } else { Open }
}

/// `\x22`, `\u0022`, or with braces; `wide` numbers are characters, others bytes.
fn hex_escape(text: &[u8], digits: usize, wide: bool) -> Meaning {
    let letter = Of(2, vec![text[1]]);
    let braces = match text.get(2) {
        None => return Open,
        Some(brace) => *brace == b'{',
    };
    if braces {
        return numbered(text, 3, 16, b'}').unwrap_or(letter);
    }
    let end = 2 + digits;
    let given = &text[2..text.len().min(end)];
    if !given.iter().all(u8::is_ascii_hexdigit) {
        return letter;
    }
    if given.len() < digits {
        return Open;
    }
    match number(given, 16) {
        Some(high @ 0xd800..0xdc00) if wide => pair(text, high).unwrap_or(letter),
        Some(code) if wide => character(code).map_or(letter, |bytes| Of(end, bytes)),
        Some(code) => Of(end, u8::try_from(code).into_iter().collect()),
        None => letter,
    }
}

/// `\ud83d\ude00`, one character above U+FFFF; `None` if its second half is missing.
fn pair(text: &[u8], high: u32) -> Option<Meaning> {
    let second = &text[6..];
    let begins = second.iter().zip(b"\\u").all(|(byte, wanted)| byte == wanted);
    if second.len() < 6 {
        return (begins && second.iter().skip(2).all(u8::is_ascii_hexdigit)).then_some(Open);
    }
    let low = number(&second[2..6], 16).filter(|low| begins && (0xdc00..0xe000).contains(low))?;
    character(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)).map(|bytes| Of(12, bytes))
}

fn octal(text: &[u8]) -> Meaning {
    let digits = text[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    if digits < 3 && text.len() == digits + 1 {
        return Open;
    }
    let code = number(&text[1..=digits], 8).unwrap_or_default();
    Of(1 + digits, u8::try_from(code).into_iter().collect())
}

/// A character's number from `from` up to `end`; `None` if there is none.
fn numbered(text: &[u8], from: usize, radix: u32, end: u8) -> Option<Meaning> {
    let digits = text.get(from..).unwrap_or_default();
    let length = digits.iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
    match digits.get(length) {
        None if length <= 8 => Some(Open),
        Some(byte) if *byte == end => {
            let bytes = character(number(&digits[..length], radix)?)?;
            Some(Of(from + length + 1, bytes))
        }
        _ => None,
    }
}

fn percent(text: &[u8]) -> Meaning {
    match text.get(1) {
        None => Open,
        Some(b'u') => match text.get(2..).unwrap_or_default() {
            given if !given.iter().take(4).all(u8::is_ascii_hexdigit) => Plain,
            given if given.len() < 4 => Open,
            given => {
                number(&given[..4], 16).and_then(character).map_or(Plain, |bytes| Of(6, bytes))
            }
        },
        Some(_) => hex_pair(text),
    }
}

fn printable(text: &[u8]) -> Meaning {
    match (text.get(1), text.get(2)) {
        (None, _) | (Some(b'\r'), None) => Open,
        (Some(b'\n'), _) => Of(2, Vec::new()),
        (Some(b'\r'), Some(b'\n')) => Of(3, Vec::new()),
        _ => hex_pair(text),
    }
}

/// A mark and two hexadecimal digits.
fn hex_pair(text: &[u8]) -> Meaning {
    let given = &text[1..text.len().min(3)];
    match number(given, 16) {
        Some(code) if given.len() == 2 => Of(3, u8::try_from(code).into_iter().collect()),
        Some(_) => Open,
        None => Plain,
    }
}

fn unseen(text: &[u8]) -> Meaning {
    match text {
        [0, ..] => Of(1, Vec::new()),
        [0xc2, 0xad, ..] => Of(2, Vec::new()),
        [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..]
        | [0xe2, 0x81, 0xa0..=0xaf, ..]
        | [0xef, 0xbb, 0xbf, ..] => Of(3, Vec::new()),
        [0xc2 | 0xe2 | 0xef] | [0xe2, 0x80 | 0x81] | [0xef, 0xbb] => Open,
        _ => Plain,
    }
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u32::from_str_radix(digits, radix).ok()
}

fn character(code: u32) -> Option<Vec<u8>> {
    char::from_u32(code).map(|c| c.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Escapes; 12] = [
        Escapes::Backslash,
        Escapes::Markup,
        Escapes::Percent,
        Escapes::Form,
        Escapes::Printable,
        Escapes::Doubled,
        Escapes::Marked,
        Escapes::Unseen,
        Escapes::Numbered(Number::HASH),
        Escapes::Numbered(Number::BACKSLASH_DECIMAL),
        Escapes::Struck,
        Escapes::Lead,
    ];

    #[test]
    fn each_escape_means_its_character() {
        use Escapes::{Backslash, Doubled, Form, Marked, Markup, Percent, Printable, Unseen};
        for (escapes, text, means) in [
            (Backslash, "\\\"", "\""),
            (Backslash, "\\\\", "\\"),
            (Backslash, "\\x22", "\""),
            (Backslash, "\\x{e9}", "é"),
            (Backslash, "\\u00E9", "é"),
            (Backslash, "\\u{1f600}", "😀"),
            (Backslash, "\\ud83d\\ude00", "😀"),
            (Backslash, "\\U0001f600", "😀"),
            (Backslash, "\\042", "\""),
            (Backslash, "\\42", "\""),
            (Backslash, "\\n", "\n"),
            (Backslash, "\\\n", ""),
            (Backslash, "\\\n    ", ""),
            (Markup, "&amp;", "&"),
            (Markup, "&#233;", "é"),
            (Markup, "&#xE9;", "é"),
            (Percent, "%2f", "/"),
            (Percent, "%u00e9", "é"),
            (Form, "+", " "),
            (Printable, "=3D", "="),
            (Printable, "=\r\n", ""),
            (Doubled, "\"\"", "\""),
            (Marked, "^&", "&"),
            (Unseen, "\0", ""),
            (Unseen, "\u{200b}", ""),
        ] {
            let read = escapes.read(text.as_bytes(), true);
            assert_eq!(read, Of(text.len(), means.as_bytes().to_vec()), "{escapes:?} {text:?}");
        }
    }

    #[test]
    fn other_text_is_not_an_escape() {
        for (escapes, text) in [
            (Escapes::Markup, "& b"),
            (Escapes::Markup, "&copy;"),
            (Escapes::Markup, "&#xd800;"),
            (Escapes::Percent, "%s"),
            (Escapes::Percent, "%+2"),
            (Escapes::Printable, "=x"),
            (Escapes::Doubled, "\"'"),
            (Escapes::Unseen, "é"),
            (Escapes::Unseen, "•"),
        ] {
            assert_eq!(escapes.read(text.as_bytes(), false), Plain, "{escapes:?} {text:?}");
        }
    }

    proptest! {
        #[test]
        fn an_escape_is_decided_within_a_few_bytes(
            text in "[\\\\&%=+\"'$^`xuU#_\u{8}{};0-9a-fD8\n\r\u{0}\u{ad}\u{200b}]{1,40}",
        ) {
            for escapes in ALL {
                for cut in 1..=text.len() {
                    let (part, ended) = (&text.as_bytes()[..cut], cut == text.len());
                    match escapes.read(part, ended) {
                        Open => prop_assert!(!ended && cut <= 14, "{escapes:?} {text:?} {cut}"),
                        Of(read, _) => {
                            prop_assert!((1..=cut).contains(&read));
                            // More text does not change what was decided.
                            prop_assert_eq!(escapes.read(part, ended), escapes.read(text.as_bytes(), true));
                            break;
                        }
                        Plain => break,
                    }
                }
            }
        }
    }
}
