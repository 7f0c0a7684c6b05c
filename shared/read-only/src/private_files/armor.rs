//! Private keys behind an encoding: in base64, base32, in digits, or in a dump of bytes.
//!
//! Each reading turns the lines of a file back into bytes, which are then searched as a file is. So a form of a key that
//! is found in a file is found in each of these encodings too, however long the lines are and whatever is before them: a
//! reading takes the longest part of a line that may belong to the encoding.

/// The shortest key with the mark that tells it from other texts, in bytes.
const KEY_BYTES: usize = 48;
/// Fewest characters of an encoding beside other text on a line.
const RUN: usize = 16;
/// The least length of the text in decoded bytes that is searched for another encoding.
const TEXT_BYTES: usize = 32;
/// The bytes of a dump's line; what follows them is a margin.
const LINE_BYTES: usize = 16;
/// The longest line that may be one character of a list, in quotes and escaped.
const SHORT: usize = 6;
/// Fewest digits of an address before the bytes of a line.
const ADDRESS_DIGITS: usize = 6;

/// Every reading of a file as bytes that another program has written as text.
pub(super) fn readings(content: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let base64 = joined(content, |byte| sextet(byte).is_some());
    // In a patch, the sign before a line is not a part of it.
    let signed = content.split(|byte| *byte == b'\n').any(is_signed);
    let unsigned = signed.then(|| joined(&without_signs(content), |byte| sextet(byte).is_some()));
    let base32 = joined(content, |byte| quintet(byte).is_some());
    let sixes = [base64, unsigned.unwrap_or_default()].into_iter();
    let sixes = sixes
        .flat_map(|all| (0..4).map(move |from| decoded(all.iter().skip(from).copied(), 6, sextet)));
    let fives = (0..8).map(move |from| decoded(base32.iter().skip(from).copied(), 5, quintet));
    sixes.chain(fives).chain(dumped(content)).filter(|bytes| bytes.len() >= KEY_BYTES)
}

/// Whether a line of base64 may have the sign of a patch before it.
fn is_signed(line: &[u8]) -> bool {
    matches!(line, [b'+' | b'-', rest @ ..] if rest.iter().take(RUN).all(|byte| sextet(*byte).is_some()))
}

fn without_signs(content: &[u8]) -> Vec<u8> {
    let lines = content.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| if is_signed(line) { &line[1..] } else { line });
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// The parts of decoded bytes that are text, in which there may be another encoding.
pub(super) fn texts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    bytes.split(move |byte| !text(byte)).filter(|part| part.len() >= TEXT_BYTES)
}

/// The lines of a text, also of one whose line ends are written as `\n`.
fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = content;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = (0..rest.len()).find(|at| match rest[*at] {
            b'\n' => true,
            b'\\' => matches!(rest.get(at + 1), Some(b'n' | b'r')),
            _ => false,
        });
        let line = &rest[..end.unwrap_or(rest.len())];
        let mark = end.map_or(0, |at| if rest[at] == b'\n' { 1 } else { 2 });
        rest = &rest[line.len() + mark..];
        Some(line)
    })
}

/// The longest run of such bytes in each line, if it is long or nearly all of the line.
fn joined(content: &[u8], is_in: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut all = Vec::new();
    for line in lines(content) {
        let runs = line.split(|byte| !is_in(*byte));
        let run = runs.max_by_key(|run| run.len()).unwrap_or_default();
        let text = line.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
        if run.len() >= RUN || (!run.is_empty() && text <= run.len()) {
            all.extend_from_slice(run);
        }
    }
    all
}

/// The bytes that these characters stand for, each for so many bits.
fn decoded(
    characters: impl Iterator<Item = u8>,
    width: u32,
    value: impl Fn(u8) -> Option<u8>,
) -> Vec<u8> {
    let (mut held, mut bits, mut bytes) = (0_u32, 0, Vec::new());
    for value in characters.filter_map(value) {
        held = held << width | u32::from(value);
        bits += width;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    bytes
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

fn quintet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a',
        b'2'..=b'7' => byte - b'2' + 26,
        _ => return None,
    })
}

/// How a word of a dump stands for bytes.
type Word = fn(&str) -> Option<Vec<u8>>;

/// A dump may be in hexadecimal, binary, octal or decimal digits, or in characters; of words of several bytes, the
/// last byte may come first.
const WORDS: [(Word, &str); 6] = [
    (of_hex, MARKS),
    (|word| of_hex(word).map(|bytes| bytes.into_iter().rev().collect()), MARKS),
    (of_octal, MARKS),
    (|word| word.parse().ok().map(|byte| vec![byte]), MARKS),
    (of_character, MARKS),
    // Here, a mark is a character.
    (of_character, ""),
];

/// What stands between the words of a list, besides blanks.
const MARKS: &str = ",;|[]{}()\"'";

/// A file as a dump, by each kind of words.
fn dumped(content: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let lines = content.split(|byte| *byte == b'\n').filter(|line| may_be_dumped(line));
    let text: Vec<_> = lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    WORDS
        .into_iter()
        .map(move |(word, marks)| text.iter().flat_map(|line| of_line(line, word, marks)).collect())
}

/// Whether a line is more digits than other text, or has words of only a few characters.
fn may_be_dumped(line: &[u8]) -> bool {
    let (mut words, mut digits, mut bytes, mut before) = (0, 0, 0, b' ');
    for byte in line {
        let blank = byte.is_ascii_whitespace();
        words += usize::from(!blank && before.is_ascii_whitespace());
        bytes += usize::from(!blank);
        digits += usize::from(byte.is_ascii_hexdigit());
        before = *byte;
    }
    bytes > 0 && (3 * digits >= bytes || 2 * bytes <= 5 * words || bytes <= SHORT)
}

/// The bytes of the most words of a line that follow each other, without an address before them.
fn of_line(line: &str, read: Word, marks: &str) -> Vec<u8> {
    let ends = |c: char| c.is_whitespace() || marks.contains(c);
    let (mut longest, mut bytes, mut dump) = (Vec::new(), Vec::new(), false);
    // The first word, if it may be an address; its bytes, if it turns out not to be one.
    let mut words = line.split(ends).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let digits = word.trim_start_matches("0x").trim_end_matches(':');
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let long = digits.len() >= ADDRESS_DIGITS || word.ends_with(':') || word.starts_with("0x");
        let next = words.peek().copied().unwrap_or_default();
        let other = match next.len() {
            0 => false,
            length => {
                word.ends_with(':') || length < digits.len() && long || length == 2 * digits.len()
            }
        };
        if is_digits && digits.len() >= 4 && bytes.is_empty() && (other || next == "-") {
            dump = true;
            continue;
        }
        // `2d:2d`, `2d-2d`, `\x2d\x2d`, `%2d%2d`: each part is a word as well.
        let parts = word.split([':', '\\', '%', '-']).filter(|part| !part.is_empty());
        let whole = read(word)
            .or_else(|| parts.map(read).collect::<Option<Vec<_>>>().map(|all| all.concat()));
        match whole {
            Some(more) => bytes.extend(more),
            None => {
                longest = longer(longest, std::mem::take(&mut bytes));
            }
        }
    }
    let mut longest = longer(longest, bytes);
    if dump {
        longest.truncate(LINE_BYTES);
    }
    longest
}

fn longer(one: Vec<u8>, other: Vec<u8>) -> Vec<u8> {
    if other.len() > one.len() { other } else { one }
}

/// Bytes in hexadecimal digits, or one in binary digits.
fn of_hex(word: &str) -> Option<Vec<u8>> {
    let digits = ["0x", "0X", "x", "u00"].iter().find_map(|mark| word.strip_prefix(mark));
    let digits = digits.unwrap_or(word);
    if digits.len() == 8 && digits.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return u8::from_str_radix(digits, 2).ok().map(|byte| vec![byte]);
    }
    if digits.is_empty() || digits.len() % 2 == 1 || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok())
        .collect()
}

/// A byte in three octal digits, or two of them in six, the last one first.
fn of_octal(word: &str) -> Option<Vec<u8>> {
    let value = u16::from_str_radix(word, 8).ok()?;
    match word.len() {
        3 => u8::try_from(value).ok().map(|byte| vec![byte]),
        6 => Some(value.to_le_bytes().to_vec()),
        _ => None,
    }
}

/// A character, as `od -c`, `od -a`, `fold -w 1` and lists show it.
fn of_character(word: &str) -> Option<Vec<u8>> {
    let item = word.strip_suffix(',').filter(|item| item.len() > 1).unwrap_or(word);
    let quoted = |quote: char| item.strip_prefix(quote)?.strip_suffix(quote);
    let inside = quoted('"').or_else(|| quoted('\'')).unwrap_or(item);
    match inside {
        "sp" => Some(b" ".to_vec()),
        "nl" | "\\n" => Some(b"\n".to_vec()),
        "\\\"" => Some(b"\"".to_vec()),
        _ if inside.len() == 1 => Some(inside.as_bytes().to_vec()),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
