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
            b' ' | b'\t' | b'\r' => self.end_word(true),
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
        let Row { first, width, words, address } = self.row;
        let even = width > 0 && width.is_multiple_of(2);
        if self.is_address_in_row() {
            return Some(first + 1);
        }
        let long = width * words >= FULL_DIGITS;
        (even && (long || address.is_some())).then_some(first)
    }

    /// Whether the data of this line are complete, so that only a margin can follow these blanks.
    pub fn is_full(&self, blanks: usize) -> bool {
        let Row { width, words, address, .. } = self.row;
        let words = words - usize::from(self.is_address_in_row());
        let narrow = width == NARROW_DIGITS && address.is_some_and(|address| address.marked);
        self.word.bytes == 0 && width * words == FULL_DIGITS && (blanks > 1 || narrow)
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
        if pure && word.digits == self.row.width {
            self.row.words += 1;
        } else if pure {
            let (first, address) = (self.words, self.before);
            self.row = Row { first, width: word.digits, words: 1, address };
        } else {
            self.row = Row::default();
        }
        let digits = word.bytes - usize::from(word.colon);
        let address = blank && word.digits == digits && digits >= ADDRESS_DIGITS;
        self.before = address.then_some(Address { marked: word.marked });
        self.words += 1;
    }
}
