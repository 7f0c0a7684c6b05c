//! Finds secrets whose place in a line, a column or a stanza identifies them: `.pgpass`, `.netrc`, `htpasswd`,
//! tables, rows of SQL.

mod dialogs;
mod elements;
mod files;
mod lines;
mod rows;
mod tables;
mod wires;

use super::Raw;
use super::SecretKind::Password;
use super::places::bytes;
use super::talk::says_plainly;
use super::things::is_stand_in;
use super::things::marks::CharSet;
use super::weight::{MIN_BYTES, Weight, is_random, weigh};
use super::words::{Role, role};
use std::ops::Range;
use tables::{TableForm, cells, header};

/// The longest line that is read, in bytes.
const LINE_BYTES: usize = 1024;
/// The most lines of a `.netrc` stanza.
const STANZA_LINES: usize = 4;
/// How many lines the settings of an alarm or a lock may have.
const KEYPAD_LINES: usize = 12;
/// How many lines the settings of a server that knows users may have.
const GEAR_LINES: usize = 6;
/// The longest name of a user, in bytes.
const USER_BYTES: usize = 32;

/// The secrets in lines of a known form, and the starts of lines that belong to a table, a stanza or a block above
/// them.
pub struct Records {
    pub found: Vec<Raw>,
    /// The starts of such lines, in order.
    pub bound: Vec<usize>,
}

/// Reads the lines outside `skips`, in which an earlier reading found nothing. No secret crosses a wall.
pub fn find(text: &str, walls: &[Range<usize>], mut skips: &[Range<usize>]) -> Records {
    let mut reader = LineReader::of(walls);
    let mut bound = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let free = reader.is_free();
        while skips.first().is_some_and(|skip| skip.end <= at) {
            skips = &skips[1..];
        }
        if let Some(skip) = skips.first().filter(|skip| free && skip.start <= at) {
            (at, reader.above) = (skip.end, [""; 2]);
            continue;
        }
        if !free {
            bound.push(at);
        }
        let end = at + line_len(&text[at..]);
        let line = text[at..end].trim_end_matches(['\n', '\r']);
        reader.read(Line { text: line, start: at, signs: CharSet::of(line) }, end);
        at = end;
    }
    Records { found: reader.found, bound }
}

/// A line without its end.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    /// Where it starts in the whole text.
    start: usize,
    /// Which signs it has: most forms need one that most lines lack.
    signs: CharSet,
}

impl Line<'_> {
    /// The place in the whole text of a part of the line.
    fn place(&self, span: Range<usize>) -> Range<usize> {
        self.start + span.start..self.start + span.end
    }
}

/// Reads line by line, and knows what the lines above have begun.
struct LineReader<'t> {
    /// The walls that do not end before the line.
    walls: &'t [Range<usize>],
    found: Vec<Raw>,
    table: Option<TableForm>,
    /// How many more lines a stanza may have.
    stanza: usize,
    /// The variable whose block this is, and how many more lines the block may have.
    block: Option<(String, usize)>,
    /// How many more lines the settings of an alarm or a lock may have.
    keypad: usize,
    /// How many more lines the settings of a server that knows users may have.
    gear: usize,
    /// The two lines above, the nearest first.
    above: [&'t str; 2],
}

impl<'t> LineReader<'t> {
    fn of(walls: &'t [Range<usize>]) -> Self {
        Self {
            walls,
            found: Vec::new(),
            table: None,
            stanza: 0,
            block: None,
            keypad: 0,
            gear: 0,
            above: [""; 2],
        }
    }

    /// Whether the next line depends on no line above.
    fn is_free(&self) -> bool {
        self.table.is_none()
            && self.stanza == 0
            && self.block.is_none()
            && self.keypad + self.gear == 0
    }

    /// Reads a line whose end, with its sign, is at `end`.
    fn read(&mut self, line: Line<'t>, end: usize) {
        while self.walls.first().is_some_and(|wall| wall.end <= line.start) {
            self.walls = &self.walls[1..];
        }
        let walled = self.walls.first().is_some_and(|wall| wall.start < end);
        if self.table.is_none()
            && line.signs.has_any(b"$:")
            && self.take_all(line, lines::hashes(line.text), "PASSWORD_HASH")
        {
            return;
        }
        if line.text.len() > LINE_BYTES || line.text.trim().is_empty() {
            self.part_ends();
            return;
        }
        if self.row_or_wire(line) {
            return;
        }
        self.variable(line, walled);
        if self.setting(line, walled) || self.row_of_table(line, walled) {
            return;
        }
        self.table = header(line.text);
        self.stanza = stanza_after(line.text, self.stanza);
        if walled || self.table.is_some() {
            return;
        }
        if line.signs.has(b':') {
            self.take(line, lines::hashed(line.text).or_else(|| lines::oracle(line.text)));
        }
        if self.stanza > 0 {
            self.take(line, netrc(line.text));
        }
    }

    /// Forgets what the lines above have begun: a blank line or a long one ends it.
    fn part_ends(&mut self) {
        (self.table, self.stanza, self.block, self.keypad, self.gear) = (None, 0, None, 0, 0);
    }

    /// Takes the values of a row of SQL, or of a message that a program sends; returns whether there were any.
    fn row_or_wire(&mut self, line: Line<'t>) -> bool {
        let Line { text, signs, .. } = line;
        if self.table.is_none() && self.take_all(line, rows::values(text, signs), "PASSWORD") {
            return true;
        }
        let wires = wires::values(text, signs, self.above);
        self.above = [text, self.above[0]];
        self.take_all(line, wires, "PASSWORD")
    }

    /// Takes the default of the variable whose block the line begins or continues.
    fn variable(&mut self, line: Line<'_>, walled: bool) {
        if !line.text.starts_with("variable") && self.block.is_none() {
            return;
        }
        let above = self.block.take();
        self.block = files::declared(line.text).or_else(|| {
            above
                .filter(|(_, left)| *left > 1 && !line.text.starts_with('}'))
                .map(|(name, left)| (name, left - 1))
        });
        if let Some((name, _)) = self.block.as_ref().filter(|_| !walled) {
            let span = files::default_of(line.text);
            let span = span.filter(|span| is_value(&line.text[span.clone()]));
            self.found.extend(span.map(|span| Raw::likely(line.place(span), name, Password)));
        }
    }

    /// Takes the value of a line that is one setting or one login; returns whether it is.
    fn setting(&mut self, line: Line<'_>, walled: bool) -> bool {
        let Line { text, signs, .. } = line;
        let keypad = signs.has(b':') && lines::is_keypad(text);
        self.keypad = if keypad { KEYPAD_LINES } else { self.keypad.saturating_sub(1) };
        self.gear = if files::is_of_gear(text) { GEAR_LINES } else { self.gear.saturating_sub(1) };
        // Reads a form only where it may be.
        let read = |may: bool, form: fn(&str) -> Option<Range<usize>>| {
            if may { form(text) } else { None }
        };
        let (outside, has) = (self.table.is_none(), |sign: u8| signs.has(sign));
        let login = || {
            read(outside && has(b':'), lines::pgpass)
                .or_else(|| read(has(b'>') && has(b':'), lines::written_pgpass))
                .or_else(|| read(has(b':') && has(b'.'), files::relay))
                .or_else(|| read(has(b'_') && has(b':'), files::bundler))
                .or_else(|| read(has(b'<') && has(b'/'), elements::phrase))
                .or_else(|| if outside { elements::below(text, self.above[1]) } else { None })
                .or_else(|| read(outside, files::share))
                .or_else(|| read(outside && has(b'*'), lines::chap))
        };
        let wireless = read(has(b'='), lines::wireless).map(|span| (span, "WIFI_PASSWORD"));
        let setting = wireless.or_else(|| login().map(|span| (span, "PASSWORD")));
        let code = || read(self.keypad > 0, lines::keypad_code);
        let setting = setting.or_else(|| code().map(|span| (span, "ALARM_CODE")));
        let shared = || read(self.gear > 0, files::shared_key);
        let setting = setting.or_else(|| shared().map(|span| (span, "SHARED_KEY")));
        let Some((span, name)) = setting.filter(|_| !walled) else { return false };
        self.found.push(Raw::likely(line.place(span), name, Password));
        true
    }

    /// Takes the password of a row of the table above; returns whether the line is such a row.
    fn row_of_table(&mut self, line: Line<'_>, walled: bool) -> bool {
        let Some(known) = self.table else { return false };
        let cells = cells(line.text, known.separator);
        if cells.len() != known.columns {
            return false;
        }
        let doubtful = known.least > Weight::None;
        let fits = |cell: &Range<usize>| {
            let value = &line.text[cell.clone()];
            weigh(value) >= known.least && !(doubtful && value.contains(' '))
        };
        // A reference is a value that was already replaced.
        let cell = cells.get(known.column).filter(|cell| !walled && fits(cell));
        self.take(line, cell.cloned());
        true
    }

    /// Takes a value if it looks like one.
    fn take(&mut self, line: Line<'_>, span: Option<Range<usize>>) {
        let Some(span) = span else { return };
        let sure = is_quoted(line.text, &span);
        if sure || is_value(&line.text[span.clone()]) {
            self.found.push(Raw { sure, ..Raw::likely(line.place(span), "PASSWORD", Password) });
        }
    }

    /// Takes the values that cross no wall; returns whether there were any.
    fn take_all(
        &mut self,
        line: Line<'_>,
        values: impl IntoIterator<Item = Range<usize>>,
        name: &str,
    ) -> bool {
        let before = self.found.len();
        for span in values {
            let span = line.place(span);
            let next = self.walls.partition_point(|wall| wall.end <= span.start);
            if self.walls.get(next).is_none_or(|wall| wall.start >= span.end) {
                self.found.push(Raw::likely(span, name, Password));
            }
        }
        self.found.len() > before
    }
}

/// How many more lines a stanza may have after a line, which may begin one.
fn stanza_after(line: &str, left: usize) -> usize {
    let word = line.trim_start();
    match word.split([' ', '\t']).next() {
        Some("machine" | "default") if word.contains(' ') || word == "default" => STANZA_LINES,
        Some("host" | "hostname" | "server" | "user" | "username" | "login") if is_field(word) => {
            STANZA_LINES
        }
        _ => left.saturating_sub(1),
    }
}

/// The length of the first line of a text, including its end.
fn line_len(text: &str) -> usize {
    bytes(text, b'\n').next().map_or(text.len(), |end| end + 1)
}

/// Whether a cell has a value, and not words about one.
fn is_value(value: &str) -> bool {
    let says_nothing = value.split(' ').next().is_some_and(|word| says_plainly(word).is_none());
    let marks = value.bytes().all(|b| b"-*._=? ".contains(&b));
    // "rosebud-on-sled" ends like a participle only as a whole.
    let joined = || value.rsplit_once('-').is_some_and(|(_, last)| says_plainly(last).is_none());
    let says_nothing = says_nothing || (!value.contains(' ') && joined());
    // "ssh key", "only key"
    let words = value.rsplit_once(' ').is_some_and(|(_, last)| role(last) == Some(Role::Key));
    value.len() >= MIN_BYTES
        && !marks
        && !words
        && (value.starts_with('$') || is_framed(value) || (says_nothing && !is_stand_in(value)))
}

/// Whether a cell in quotes is words with the table's separator between them: it is one value, whatever its signs say.
fn is_quoted(line: &str, cell: &Range<usize>) -> bool {
    let separator = |c: char| ",;|\t".contains(c);
    let value = &line[cell.clone()];
    let quotes = line[..cell.start].ends_with('"') && line[cell.end..].starts_with('"');
    let sign = |c: char| separator(c) || " -_".contains(c);
    let mut words = value.split(sign).filter(|word| !word.is_empty());
    quotes
        && value.contains(separator)
        && words.all(|word| word.chars().all(char::is_alphanumeric) && says_plainly(word).is_none())
}

/// `{SSHA}…`
fn is_framed(value: &str) -> bool {
    let scheme = value.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    scheme.is_some_and(|(name, hash)| {
        name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && hash.len() >= MIN_BYTES
    })
}

/// Whether a line is a name and a value without a sign.
fn is_field(line: &str) -> bool {
    line.split_ascii_whitespace().count() == 2 && !line.contains([':', '=', ','])
}

/// `password X`, in a stanza that names a machine.
fn netrc(line: &str) -> Option<Range<usize>> {
    let starts = |at: &usize| *at == 0 || line[..*at].ends_with([' ', '\t']);
    let find = |word: &str| line.find(word).filter(starts).map(|at| at + word.len());
    let short = || find("pass ").filter(|_| is_field(line));
    let from = find("password ").or_else(short)?;
    let value = line[from..].trim_start();
    let start = line.len() - value.len();
    let length = value.find([' ', '\t']).unwrap_or(value.len());
    let quartets = value.split(' ').count() == 4 && value.split(' ').all(|part| part.len() == 4);
    Some(start..start + if quartets { value.len() } else { length })
}

/// `walnut77_x`: a weak password with a digit and an underscore, which may also be the name of a thing.
fn is_joined_number(value: &str) -> bool {
    weigh(value) == Weight::Weak && value.contains('_') && value.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text, &[], &[]).found.into_iter().map(|raw| &text[raw.span]).collect()
    }

    #[test]
    fn the_position_in_a_line_or_a_column_identifies_a_password() {
        assert_eq!(found("db:5432:shop:app:mint tea\n"), ["mint tea"]);
        assert_eq!(
            found("machine git.example.org\n  login ci\n  password bluebottle"),
            ["bluebottle"]
        );
        assert_eq!(found("host db1\nuser app\npass walnut"), ["walnut"]);
        assert_eq!(
            found("bob:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="),
            ["{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="]
        );
        let table = "site,user,password\nmail,kim,\"pain au chocolat\"\nshop,kim,croissant\n\nweb,kim,waffle";
        assert_eq!(found(table), ["pain au chocolat", "croissant"]);
        assert_eq!(found("user,password\nkim,\"walnut,river\""), ["walnut,river"]);
        assert_eq!(found("Host   Login   Password\nweb1   root    walnut\n"), ["walnut"]);
        let block = "variable \"db_password\" {\n  default = \"rosebud-on-sled\"\n}";
        assert_eq!(found(block), ["rosebud-on-sled"]);
        let block = "variable \"db_password\" {\n  type    = string\n  default = \"walnut\"\n}\n";
        assert_eq!(found(block), ["walnut"]);
        assert_eq!(found("jdbc:oracle:thin:scott/lynx-44@//ora:1521/XE"), ["lynx-44"]);
    }

    #[test]
    fn other_lines_in_these_formats_have_no_password() {
        for text in [
            "root:x:0:0:root:/root:/bin/bash",
            "uucp:x:10:10:uucp:/var/spool/uucp:/usr/sbin/nologin",
            "kim:!:19700:0:99999:7:::",
            "machine learning models\npassword policy",
            "user,password\nkim,\"no, not yet\"",
            "password,required,type\nyes,no,string",
            "variable \"password_length\" {\n  default = \"twelve\"\n}",
            " chat ─┐      ┌─► password",
            "\"password\",\n\"secret\",",
            "let (user, password) = read(line);\nlet (host, port) = split(name);",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
