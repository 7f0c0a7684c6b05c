//! Credentials with gaps between their characters: line ends of `fold`, colors of a terminal, and the blanks,
//! addresses and margins of `od`, `xxd` and `hexdump`.

use super::automaton::Automaton;
use super::layout::{Layout, Margin};
use std::collections::VecDeque;
use std::ops::Range;

/// How many bytes one credential may be spread over.
const SPREAD_BYTES: u64 = 64 * 1024;
/// Hexadecimal digits of the address before a line of a dump.
const ADDRESS_DIGITS: Range<usize> = 6..17;
/// Fewest digits of an address that `0x` or ` - ` marks as one: those of `tcpdump -X` and of `openssl`.
const MARKED_DIGITS: usize = 4;
/// What `openssl` writes behind an address.
const DASH: &[u8] = b" - ";

/// Fewest characters at the end of a line that are treated as a credential that may continue on the next.
const BEGINNING: usize = 4;
/// Digits of a byte in a dump that has margins.
const BYTE_DIGITS: usize = 2;
/// So many digits do not look like a part of a credential by chance.
const LONG: usize = 8;
/// Widest column of a dump including the line end, in bytes.
const COLUMN_BYTES: u64 = 5;

/// The allowed gaps between the characters of a credential.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Line ends and terminal sequences.
    Lines,
    /// Blanks, addresses and margins as well.
    Dump,
}

/// Terminal sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequence {
    None,
    Escape,
    /// `ESC [`, up to a letter.
    Control,
    /// `ESC ]` and other strings, up to BEL or `ESC \`.
    System,
    SystemEscape,
}

/// Searches a text for credentials with gaps.
#[derive(Clone)]
pub struct Loose {
    gaps: Gaps,
    automaton: Automaton,
    state: u32,
    sequence: Sequence,
    /// Positions of the characters of the credential prefix found so far.
    places: VecDeque<u64>,
    /// How many characters without a gap this line has.
    inked: usize,
    layout: Layout,
    /// How many words come before the data of this line of a dump, unless it begins with an address.
    ahead: Option<usize>,
    /// Whether these words are being read.
    skipping: bool,
    /// What may be the address of a line: its digits and their positions.
    address: Option<Vec<(u8, u64)>>,
    /// How much of [`DASH`] follows it.
    dashed: usize,
    /// The most recent blanks, and the position of the last one.
    blanks: usize,
    last_blank: u64,
    /// Inside the margin of a dump, until the end of the line.
    margin: bool,
    /// Whether a credential was found in a dump: the margin next to it shows it again.
    covers_line: bool,
}

impl Loose {
    pub fn new(gaps: Gaps, automaton: Automaton) -> Self {
        Self {
            gaps,
            automaton,
            state: Automaton::START,
            sequence: Sequence::None,
            places: VecDeque::new(),
            inked: 0,
            layout: Layout::default(),
            ahead: None,
            skipping: false,
            address: None,
            dashed: 0,
            blanks: 0,
            last_blank: 0,
            margin: false,
            covers_line: false,
        }
    }

    /// A search in its initial state.
    pub fn afresh(&self) -> Self {
        Self::new(self.gaps, self.automaton.clone())
    }

    /// Whether the text so far has no effect on the text to come.
    pub fn is_idle(&self) -> bool {
        self.state == Automaton::START && self.sequence == Sequence::None && !self.covers_line
    }

    /// The start of the credential prefix found so far.
    pub fn start(&self) -> Option<u64> {
        self.places.front().copied()
    }

    /// Takes a part of the text, from a position on, in which no credential begins.
    pub fn skip(&mut self, text: &[u8], place: u64) {
        let line = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| {
            self.inked = 0;
            end + 1
        });
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        self.inked += text[line..].iter().filter(|byte| !blank(byte)).count();
        if let Some(last) = text.iter().rposition(|byte| blank(&byte)) {
            self.last_blank = place + last as u64;
        }
        if self.gaps == Gaps::Dump {
            self.layout.skip(text);
        }
    }

    /// Ends the text; returns the credential that its last digits complete.
    pub fn end(&mut self) -> Option<Range<u64>> {
        self.take_digits()
    }

    /// Reads the byte at a position; returns the credential that it completes.
    pub fn step(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        if self.start().is_some_and(|start| place - start > SPREAD_BYTES) {
            self.forget();
        }
        // Another credential may begin in such a line, so the search goes on.
        self.covers_line = self.covers_line && byte != b'\n';
        let covered = self.covers_line.then_some(place..place + 1);
        self.read(byte, place).or(covered)
    }

    /// Reads a byte as [`Self::step`] does, and covers nothing more than what it completes.
    fn read(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        if self.is_sequence(byte) {
            return None;
        }
        if matches!(byte, b'\n' | b'\r') {
            return self.end_line(byte, place);
        }
        if self.gaps == Gaps::Lines {
            return self.ink(byte, place);
        }
        self.margin = self.margin || self.is_margin(byte);
        if self.margin {
            return None;
        }
        self.layout.step(byte);
        if self.skipping && self.is_ahead(byte) {
            return None;
        }
        self.dumped(byte, place)
    }

    fn end_line(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        let found = self.take_digits();
        let data = self.layout.before_data();
        // One character in each line: the line has nothing but the credential, and perhaps an opening quote.
        let whole = self.inked + self.blanks > 0 && self.inked <= self.places.len() + 1;
        let dumped = (self.margin || data.is_some()) && self.places.len() >= BYTE_DIGITS;
        let many = self.places.len() >= BEGINNING || dumped;
        if self.skipping || !(many || whole || self.is_listed(place)) {
            // A line end alone does not begin a credential, so it is not held back.
            self.forget();
        }
        self.margin = false;
        self.blanks = 0;
        let under_way = self.state != Automaton::START && self.gaps == Gaps::Dump;
        if byte == b'\n' {
            self.ahead = data.filter(|ahead| under_way && *ahead > 0);
            self.layout = Layout::default();
            self.inked = 0;
        }
        self.address = under_way.then(Vec::new);
        found
    }

    /// Whether a margin begins with this byte, behind a part of a credential.
    ///
    /// The form of the line decides, and not what was found in it: the zeros of an address begin some forms of most
    /// values, and any byte before a credential may begin another one.
    fn is_margin(&self, byte: u8) -> bool {
        let begins = self.blanks > 0 && !matches!(byte, b' ' | b'\t');
        if !begins || self.address.is_some() {
            return false;
        }
        let depth = self.automaton.depth(self.state);
        let margin = match self.layout.margin(self.blanks, byte) {
            Margin::Sure => true,
            Margin::Likely => !self.goes_on(byte),
            // Eight bytes are a line, or the first half of one, in which another credential may follow a whole one.
            Margin::Possible => {
                depth >= LONG && self.automaton.found(self.state) == 0 && !self.goes_on(byte)
            }
            Margin::None => false,
        };
        depth >= BYTE_DIGITS && margin
    }

    /// Whether a byte goes on with any of the credentials of which this may be a part.
    fn goes_on(&self, byte: u8) -> bool {
        self.automaton.depth(self.automaton.next(self.state, byte)) > BYTE_DIGITS
    }

    /// Whether a byte comes before the data of a dump's line.
    fn is_ahead(&mut self, byte: u8) -> bool {
        let begins = !matches!(byte, b' ' | b'\t');
        // Only the first line may have other words before its address: `echo -n "key: "; objdump …`.
        let ahead = self.ahead.is_some_and(|ahead| self.layout.words() < ahead)
            && !self.layout.is_address();
        self.skipping = self.skipping && (ahead || !begins);
        self.skipping
    }

    /// Whether the end of this line looks like a dump's: a blank before its last byte.
    fn is_listed(&self, place: u64) -> bool {
        let column = place - self.last_blank;
        let whole = column <= self.places.len() as u64 + 2;
        self.gaps == Gaps::Dump && self.last_blank > 0 && (column <= COLUMN_BYTES || whole)
    }

    fn forget(&mut self) {
        self.state = Automaton::START;
        self.places.clear();
        self.address = None;
        self.dashed = 0;
        self.margin = false;
        self.skipping = false;
    }

    fn dumped(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        let blank = matches!(byte, b' ' | b'\t');
        if let Some(found) = self.addressed(byte, place) {
            return found;
        }
        if blank {
            self.blanks += 1;
            self.last_blank = place;
            return None;
        }
        // `openssl` writes a dash between the halves of a line, without blanks.
        let dash = byte == b'-' && self.state != Automaton::START && self.blanks == 0;
        if dash && !self.automaton.follows(self.state, byte) {
            return None;
        }
        self.blanks = 0;
        self.ink(byte, place)
    }

    /// Reads a byte of what may be the address of a line; `None` if it is not part of one.
    fn addressed(&mut self, byte: u8, place: u64) -> Option<Option<Range<u64>>> {
        let digits = self.address.as_mut()?;
        let blank = matches!(byte, b' ' | b'\t');
        let marked = digits.get(1).is_some_and(|(byte, _)| *byte == b'x');
        let many = digits.len() - 2 * usize::from(marked);
        if digits.is_empty() && blank {
            self.blanks += 1;
            self.last_blank = place;
            return Some(None);
        }
        let prefix = byte == b'x' && digits.iter().map(|(byte, _)| *byte).eq(*b"0");
        let more = byte.is_ascii_hexdigit() && many + 1 < ADDRESS_DIGITS.end;
        if self.dashed == 0 && (prefix || more) {
            digits.push((byte, place));
            return Some(None);
        }
        let long = ADDRESS_DIGITS.contains(&many) || (marked && many >= MARKED_DIGITS);
        let long = long && !continues(&self.automaton, self.state, digits);
        let dashed = !marked && many >= MARKED_DIGITS && DASH.get(self.dashed) == Some(&byte);
        if self.dashed == 0 && long && (blank || byte == b':')
            || self.dashed + 1 == DASH.len() && dashed
        {
            self.address = None;
            self.dashed = 0;
            self.blanks = usize::from(blank);
            self.last_blank = place;
            return Some(None);
        }
        if dashed {
            self.dashed += 1;
            self.last_blank = if blank { place } else { self.last_blank };
            return Some(None);
        }
        let more = digits.len() >= BYTE_DIGITS && continues(&self.automaton, self.state, digits);
        if self.ahead.is_some() && !more {
            // A log writes its own words before each line, or the address is short.
            self.address = None;
            self.dashed = 0;
            self.blanks = 0;
            self.skipping = true;
            return self.is_ahead(byte).then_some(None);
        }
        self.take_digits().map(Some)
    }

    /// Reads the digits at the beginning of a line as text, once they cannot be an address.
    fn take_digits(&mut self) -> Option<Range<u64>> {
        let mut found = None;
        self.dashed = 0;
        for (digit, place) in self.address.take().unwrap_or_default() {
            found = self.ink(digit, place).or(found);
        }
        found
    }

    fn ink(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        self.inked += 1;
        self.state = self.automaton.next(self.state, byte);
        self.places.push_back(place);
        let depth = self.automaton.depth(self.state);
        while self.places.len() > depth {
            self.places.pop_front();
        }
        let length = self.automaton.found(self.state);
        if length == 0 {
            return None;
        }
        let start = self.places[depth - length];
        self.covers_line = self.gaps == Gaps::Dump && self.last_blank > start;
        Some(start..place + 1)
    }

    /// Whether a byte is part of a terminal sequence.
    fn is_sequence(&mut self, byte: u8) -> bool {
        use Sequence::{Control, Escape, None, System, SystemEscape};
        let before = self.sequence;
        self.sequence = match (before, byte) {
            (None, 0x1b) => Escape,
            (None, _) => None,
            (Escape, b'[') => Control,
            (Escape, b']' | b'P' | b'X' | b'^' | b'_') => System,
            // A character set, as `tput sgr0` chooses one.
            (Escape, 0x20..=0x2f) => Escape,
            (Control, 0x20..=0x3f) => Control,
            (System, 0x1b) => SystemEscape,
            (System, 0x07 | b'\n') => None,
            (System, _) => System,
            (Escape | Control | SystemEscape, _) => None,
        };
        before != None || self.sequence != None
    }
}

/// Whether digits go on with what was found so far: they are not an address then, but part of a dump that has none.
fn continues(automaton: &Automaton, mut state: u32, digits: &[(u8, u64)]) -> bool {
    digits.iter().all(|(digit, _)| {
        let follows = automaton.follows(state, *digit);
        state = automaton.next(state, *digit);
        follows
    })
}
