//! Where the data of a dump begins in its lines.
//!
//! Dumps differ in their addresses (`0010`, `0x00000010`, `00000010:`), and a log writes its own words before each
//! line. Only the data have one form: words of hexadecimal digits, all of the same length. So the first line that shows
//! a part of a credential also shows how many words stand before the data, and the next lines have as many.

/// Digits of the data in a full line: nearly all programs print sixteen bytes.
const FULL_DIGITS: usize = 32;
/// Fewest digits of an address.
const ADDRESS_DIGITS: usize = 4;
/// Digits of a word whose margin one blank separates, behind an address with `0x`: those of `readelf -x`.
const NARROW_DIGITS: usize = 8;

/// Bytes before the wider gap in the middle of a line.
const HALF_BYTES: usize = 8;
/// Columns of a byte in a dump in octal or decimal digits, or as characters.
const CELL: usize = 4;

/// Whether a margin begins, as far as the form of its line says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Margin {
    None,
    /// The data may go on here as well.
    Possible,
    /// The data do not go on here, unless they are numbers.
    Likely,
    Sure,
}

/// The words of a line so far.
#[derive(Clone, Default)]
pub struct Layout {
    /// How many words are complete.
    words: usize,
    word: Word,
    /// The word before, if it is the address of a line.
    before: Option<Address>,
    /// The latest words of digits that have the same length.
    row: Row,
    /// The blanks before this word.
    blanks: usize,
}

/// A word so far.
#[derive(Clone, Copy, Default)]
struct Word {
    bytes: usize,
    digits: usize,
    /// Whether it begins with `0x`.
    marked: bool,
    /// Whether it ends with a colon.
    colon: bool,
}

#[derive(Clone, Copy)]
struct Address {
    /// Whether it begins with `0x`.
    marked: bool,
    /// Whether it ends with a colon.
    colon: bool,
}

/// Words of digits, one after the other.
#[derive(Clone, Copy, Default)]
struct Row {
    /// How many words are before it.
    first: usize,
    /// The digits of each word.
    width: usize,
    words: usize,
    address: Option<Address>,
    /// Whether several blanks are before one of them, except the first.
    spread: bool,
}

impl Layout {
    /// Reads bytes of which only the last line counts.
    pub fn skip(&mut self, text: &[u8]) {
        let line = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| {
            *self = Self::default();
            end + 1
        });
        text[line..].iter().for_each(|byte| self.step(*byte));
    }

    /// Reads a byte of a line.
    pub fn step(&mut self, byte: u8) {
        let word = &mut self.word;
        match byte {
            b' ' | b'\t' | b'\r' => {
                self.end_word(true);
                self.blanks += 1;
            }
            // `openssl` writes one between the halves of a line.
            b'-' if word.digits == word.bytes => self.end_word(false),
            b'x' if word.bytes == 1 && word.digits == 1 => {
                *word = Word { marked: true, ..Word::default() };
            }
            byte => {
                word.bytes += 1;
                word.digits += usize::from(byte.is_ascii_hexdigit());
                word.colon = byte == b':';
            }
        }
    }

    /// How many words are complete.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether the line so far is an address and nothing more.
    pub fn is_address(&self) -> bool {
        self.words == 1 && self.before.is_some() && self.word.bytes <= 1
    }

    /// How many words of this line are before its data, if it is a line of a dump in hexadecimal digits.
    pub fn before_data(&mut self) -> Option<usize> {
        self.end_word(true);
        let Row { first, width, words, address, .. } = self.row;
        let even = width > 0 && width.is_multiple_of(2);
        if self.is_address_in_row() {
            return Some(first + 1);
        }
        let long = width * words >= FULL_DIGITS;
        (even && (long || address.is_some())).then_some(first)
    }

    /// Whether a margin begins with a byte that follows so many blanks.
    pub fn margin(&self, blanks: usize, byte: u8) -> Margin {
        let Row { first, width, words, address, spread } = self.row;
        let bytes = words - usize::from(self.is_address_in_row());
        let narrow = width == NARROW_DIGITS && address.is_some_and(|address| address.marked);
        let full = width * bytes == FULL_DIGITS && (blanks > 1 || narrow);
        if self.word.bytes > 0 || self.words < 2 {
            return Margin::None;
        }
        if full {
            return Margin::Sure;
        }
        // `od` with `z` writes a sign at this column, which none of its other formats has for data.
        if byte == b'>' && blanks % CELL != CELL - 1 && blanks > 1 {
            return Margin::Likely;
        }
        // Numbers stand in columns, so the shorter ones have more blanks before them.
        let hex = width > 0 && width.is_multiple_of(2) && !spread;
        let led = address.is_some_and(|address| address.marked || address.colon);
        match (width, words) {
            _ if !hex || blanks < 2 => Margin::None,
            (2, _) if byte == b'|' && address.is_some() => Margin::Sure,
            (2, HALF_BYTES) if blanks == 2 && byte.is_ascii_hexdigit() => Margin::Possible,
            (4 | 8 | 16, 3..) => Margin::Sure,
            (_, 2..) => Margin::Likely,
            (_, 1) if blanks > 2 && address.is_some() && (led || first <= 1) => Margin::Likely,
            _ => Margin::None,
        }
    }

    /// Whether the row begins with the address: one word more than a full line has.
    fn is_address_in_row(&self) -> bool {
        let Row { width, words, address, .. } = self.row;
        address.is_none() && width >= ADDRESS_DIGITS && width * words == FULL_DIGITS + width
    }

    /// Ends the word; `blank` if a blank does. Dates have dashes.
    fn end_word(&mut self, blank: bool) {
        let word = std::mem::take(&mut self.word);
        if word.bytes == 0 {
            return;
        }
        let pure = word.digits == word.bytes && !word.marked;
        let blanks = std::mem::take(&mut self.blanks);
        if pure && word.digits == self.row.width {
            self.row.spread |= blanks > 1 && self.row.words != HALF_BYTES;
            self.row.words += 1;
        } else if pure {
            let (first, address) = (self.words, self.before);
            self.row = Row { first, width: word.digits, words: 1, address, spread: false };
        } else {
            self.row = Row::default();
        }
        let digits = word.bytes - usize::from(word.colon);
        let address = blank && word.digits == digits && digits >= ADDRESS_DIGITS;
        self.before = address.then_some(Address { marked: word.marked, colon: word.colon });
        self.words += 1;
    }
}
