//! Finds secrets whose place in a line, a column or a stanza identifies them: `.pgpass`, `.netrc`, `htpasswd`,
//! tables, rows of SQL.

mod dialogs;
mod elements;
mod files;
mod lines;
mod rows;
mod wires;

use super::Raw;
use super::SecretKind::Password;
use super::talk::says_plainly;
use super::things::is_stand_in;
use super::things::marks::CharSet;
use super::weight::{MIN_BYTES, Weight, is_random, weigh};
use super::words::{Role, fold, lists, role};
use std::ops::Range;

/// The longest line that is read, in bytes.
const LINE_BYTES: usize = 1024;
/// The most columns of a table.
const COLUMNS: usize = 24;
/// The most lines of a `.netrc` stanza.
const STANZA_LINES: usize = 4;
/// The longest name of a column, in bytes.
const NAME_BYTES: usize = 40;
/// The most words of a column's name.
const NAME_WORDS: usize = 3;
/// How many lines the settings of an alarm or a lock may have.
const KEYPAD_LINES: usize = 12;
/// How many lines the settings of a server that knows users may have.
const GEAR_LINES: usize = 6;
/// Represents two or more spaces between columns.
const BLANKS: u8 = b' ';
/// The longest name of a user, in bytes.
const USER_BYTES: usize = 32;

/// The form of the lines of a table.
#[derive(Clone, Copy)]
struct TableForm {
    separator: u8,
    /// The column with the passwords.
    column: usize,
    columns: usize,
    /// How much a cell must look like a password.
    least: Weight,
}

/// The secrets in lines of a known form, and the starts of lines that belong to a table, a stanza or a block above
/// them.
pub struct Records {
    pub found: Vec<Raw>,
    /// The starts of such lines, in order.
    pub bound: Vec<usize>,
}

/// Reads the lines outside `skips`, in which an earlier reading found nothing. No secret crosses a wall.
pub fn find(text: &str, mut walls: &[Range<usize>], mut skips: &[Range<usize>]) -> Records {
    let (mut found, mut bound) = (Vec::new(), Vec::new());
    let mut table: Option<TableForm> = None;
    let mut stanza = 0;
    let mut block: Option<(String, usize)> = None;
    let (mut keypad, mut gear) = (0, 0);
    let mut above = [""; 2];
    let mut at = 0;
    while at < text.len() {
        let free = table.is_none() && stanza == 0 && block.is_none() && keypad + gear == 0;
        while skips.first().is_some_and(|skip| skip.end <= at) {
            skips = &skips[1..];
        }
        if let Some(skip) = skips.first().filter(|skip| free && skip.start <= at) {
            (at, above) = (skip.end, [""; 2]);
            continue;
        }
        let start = at;
        if !free {
            bound.push(start);
        }
        at += line_len(&text[start..]);
        let line = &text[start..at];
        let line = line.trim_end_matches(['\n', '\r']);
        while walls.first().is_some_and(|wall| wall.end <= start) {
            walls = &walls[1..];
        }
        let walled = walls.first().is_some_and(|wall| wall.start < at);
        let hashes = lines::hashes(line).into_iter();
        let hashes = hashes.map(|span| start + span.start..start + span.end);
        let open = |span: &Range<usize>| {
            let next = walls.partition_point(|wall| wall.end <= span.start);
            walls.get(next).is_none_or(|wall| wall.start >= span.end)
        };
        let hashes: Vec<_> = hashes.filter(open).collect();
        if !hashes.is_empty() && table.is_none() {
            found.extend(
                hashes.into_iter().map(|span| Raw::likely(span, "PASSWORD_HASH", Password)),
            );
            continue;
        }
        if line.len() > LINE_BYTES || line.trim().is_empty() {
            (table, stanza, block, keypad, gear) = (None, 0, None, 0, 0);
            continue;
        }
        let place = |span: Range<usize>| start + span.start..start + span.end;
        let signs = CharSet::of(line);
        let rows: Vec<_> = rows::values(line, signs).into_iter().map(place).filter(open).collect();
        if !rows.is_empty() && table.is_none() {
            found.extend(rows.into_iter().map(|span| Raw::likely(span, "PASSWORD", Password)));
            continue;
        }
        let wires = wires::values(line, signs, above).into_iter().map(place).filter(open);
        above = [line, above[0]];
        let before = found.len();
        found.extend(wires.map(|span| Raw::likely(span, "PASSWORD", Password)));
        if found.len() > before {
            continue;
        }
        if line.starts_with("variable") || block.is_some() {
            block = files::declared(line).or_else(|| {
                block
                    .filter(|(_, left)| *left > 1 && !line.starts_with('}'))
                    .map(|(n, l)| (n, l - 1))
            });
            if let Some((name, _)) = block.as_ref().filter(|_| !walled) {
                let span = files::default_of(line).filter(|span| is_value(&line[span.clone()]));
                let raw = |span: Range<usize>| {
                    Raw::likely(start + span.start..start + span.end, name, Password)
                };
                found.extend(span.map(raw));
            }
        }
        keypad = if lines::is_keypad(line) { KEYPAD_LINES } else { keypad.saturating_sub(1) };
        gear = if files::is_of_gear(line) { GEAR_LINES } else { gear.saturating_sub(1) };
        let shared = || files::shared_key(line).filter(|_| gear > 0);
        let wireless = lines::wireless(line).map(|span| (span, "WIFI_PASSWORD"));
        let code = || lines::keypad_code(line).filter(|_| keypad > 0);
        let pgpass = || lines::pgpass(line).filter(|_| table.is_none());
        let login = || {
            pgpass()
                .or_else(|| lines::written_pgpass(line))
                .or_else(|| files::relay(line))
                .or_else(|| files::bundler(line))
                .or_else(|| elements::phrase(line))
                .or_else(|| files::share(line).filter(|_| table.is_none()))
                .or_else(|| lines::chap(line).filter(|_| table.is_none()))
        };
        let setting = wireless.or_else(|| login().map(|span| (span, "PASSWORD")));
        let setting = setting.or_else(|| code().map(|span| (span, "ALARM_CODE")));
        let setting = setting.or_else(|| shared().map(|span| (span, "SHARED_KEY")));
        if let Some((span, name)) = setting.filter(|_| !walled) {
            found.push(Raw::likely(start + span.start..start + span.end, name, Password));
            continue;
        }
        let mut take = |span: Option<Range<usize>>| {
            let Some(span) = span else { return };
            let sure = is_quoted(line, &span);
            if sure || is_value(&line[span.clone()]) {
                found.push(Raw { sure, ..Raw::likely(place(span), "PASSWORD", Password) });
            }
        };
        if let Some(known) = table {
            // A reference is a value that was already replaced.
            let cells = cells(line, known.separator);
            if cells.len() == known.columns {
                let doubtful = known.least > Weight::None;
                let fits = |cell: &Range<usize>| {
                    let value = &line[cell.clone()];
                    weigh(value) >= known.least && !(doubtful && value.contains(' '))
                };
                take(cells.get(known.column).cloned().filter(|cell| !walled && fits(cell)));
                continue;
            }
        }
        table = header(line);
        let word = line.trim_start();
        stanza = match word.split([' ', '\t']).next() {
            Some("machine" | "default") if word.contains(' ') || word == "default" => STANZA_LINES,
            Some("host" | "hostname" | "server" | "user" | "username" | "login")
                if is_field(word) =>
            {
                STANZA_LINES
            }
            _ => stanza.saturating_sub(1),
        };
        if walled || table.is_some() {
            continue;
        }
        if line.contains(':') {
            take(lines::hashed(line).or_else(|| lines::oracle(line)));
        }
        if stanza > 0 {
            take(netrc(line));
        }
    }
    Records { found, bound }
}

/// The length of the first line of a text, including its end.
fn line_len(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
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

/// The table that a line announces, if one of its columns has passwords and another says what they are for.
fn header(line: &str) -> Option<TableForm> {
    let signs = [b'|', b'\t', b';', b','];
    let first = line.bytes().position(|byte| signs.contains(&byte));
    let lead = line.len() - line.trim_start().len();
    let aligned = || line.trim().find("  ").filter(|_| !line.ends_with(['.', ':', '{', ';']));
    let first = first.or_else(|| aligned().map(|at| lead + at))?;
    // Most lines are prose: their first comma comes much later than a column's name would end.
    let before = line[..first].trim();
    if before.len() > NAME_BYTES || before.split_ascii_whitespace().count() > NAME_WORDS {
        return None;
    }
    let known = signs.into_iter().find(|sign| line.as_bytes().contains(sign));
    let separator = known.unwrap_or(BLANKS);
    let cells = cells(line, separator);
    let is_name = |cell: &Range<usize>| {
        let name = &line[cell.clone()];
        let parts = name.split([' ', '_', '-']).filter(|part| !part.is_empty()).count();
        let kept = |c: char| c.is_alphanumeric() || " _-/".contains(c);
        name.len() <= NAME_BYTES && (1..=NAME_WORDS).contains(&parts) && name.chars().all(kept)
    };
    if !(2..=COLUMNS).contains(&cells.len()) || !cells.iter().all(is_name) {
        return None;
    }
    let mut folded = String::new();
    let mut last = |cell: &Range<usize>| {
        let name = &line[cell.clone()];
        fold(name.rsplit([' ', '_', '-']).next().unwrap_or_default(), &mut folded);
        let named = matches!(role(&folded), Some(Role::Password));
        (named || matches!(folded.as_str(), "pass" | "secret" | "auth"), is_owner(&folded))
    };
    let kinds: Vec<_> = cells.iter().map(&mut last).collect();
    let column = kinds.iter().position(|(password, _)| *password)?;
    let owned = kinds.iter().any(|(_, owner)| *owner);
    // "auth" may also say how to sign in.
    let doubtful = line[cells[column].clone()].eq_ignore_ascii_case("auth");
    let least = if doubtful { Weight::Name } else { Weight::None };
    owned.then_some(TableForm { separator, column, columns: cells.len(), least })
}

/// Whether a column says whose the passwords are.
fn is_owner(name: &str) -> bool {
    const OWNERS: &str = "host hosts user konto kunde title site website web page service dienst servicio system systeme \
         device gerat appliance name login logon";
    matches!(role(name), Some(Role::Subject | Role::Login | Role::Network)) || lists(OWNERS, name)
}

/// The cells of a line, without the spaces and quotes around them.
fn cells(line: &str, separator: u8) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let (mut start, mut quoted) = (0, false);
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match *byte {
            b' ' if separator == BLANKS => {
                if bytes.get(at + 1) == Some(&b' ') {
                    if at > start {
                        all.push(start..at);
                    }
                    start = at + 1;
                } else if at == start {
                    start = at + 1;
                }
            }
            b'"' => quoted = !quoted,
            sign if sign == separator && !quoted => {
                all.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(start..line.len());
    if separator == BLANKS {
        all.retain(|cell| !line[cell.clone()].trim().is_empty());
    }
    if separator == b'|' {
        // Drops the bars at both ends of a line.
        all.retain(|cell| {
            !(line[cell.clone()].trim().is_empty() && (cell.start == 0 || cell.end == line.len()))
        });
    }
    let inner = |cell: Range<usize>| {
        let text = &line[cell.clone()];
        let left = text.trim_start_matches([' ', '\t', '"', '`', '*']);
        let right = left.trim_end_matches([' ', '\t', '"', '`', '*']);
        let start = cell.end - left.len();
        start..start + right.len()
    };
    all.into_iter().map(inner).collect()
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
