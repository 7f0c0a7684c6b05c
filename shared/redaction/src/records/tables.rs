//! Tables: which column of one has passwords, and the cells of a line.

use crate::weight::Weight;
use crate::words::{Role, fold, lists, role};
use std::ops::Range;

/// The most columns of a table.
const COLUMNS: usize = 24;
/// The longest name of a column, in bytes.
const NAME_BYTES: usize = 40;
/// The most words of a column's name.
const NAME_WORDS: usize = 3;
/// Represents two or more spaces between columns.
const BLANKS: u8 = b' ';

/// The form of the lines of a table.
#[derive(Clone, Copy)]
pub struct TableForm {
    pub separator: u8,
    /// The column with the passwords.
    pub column: usize,
    pub columns: usize,
    /// How much a cell must look like a password.
    pub least: Weight,
}

/// The table that a line announces, if one of its columns has passwords and another says what they are for.
pub fn header(line: &str) -> Option<TableForm> {
    let signs = [b'|', b'\t', b';', b','];
    let first = line.bytes().position(|byte| matches!(byte, b'|' | b'\t' | b';' | b','));
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
pub fn cells(line: &str, separator: u8) -> Vec<Range<usize>> {
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
