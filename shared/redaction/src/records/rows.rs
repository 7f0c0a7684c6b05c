//! Rows of SQL in which a name and its value are neighbors: `VALUES ('smtp_password', 'X')`.

use super::{is_joined_number, is_value};
use crate::names;
use crate::things::marks::CharSet;
use crate::weight::{Weight, weigh};
use crate::words::{Role, fold, lists, role};
use std::ops::Range;

/// The most cells of a line that are read.
const CELLS: usize = 64;
/// Words that are the type of a setting, and no value of it.
const TYPES: &str = "string text varchar password secret encrypted bool boolean int integer json select input hidden null true false \
     default required optional user system admin";
/// Verbs before a word for a secret in the name of a permission or a page.
const VERBS: [&str; 8] = ["reset", "forgot", "change", "update", "show", "require", "has_", "min_"];

/// The values beside the names of secrets in the quoted cells of a line.
pub fn values(line: &str, signs: CharSet) -> Vec<Range<usize>> {
    if !signs.has(b'(')
        || !signs.has_any(b"'\"")
        || !(line.contains("('") || line.contains("(\"") || line.contains(", '"))
    {
        return Vec::new();
    }
    let lower = line.to_ascii_lowercase();
    let row = lower.trim_start().starts_with('(');
    if !row && !["values", "insert ", "replace "].iter().any(|word| lower.contains(word)) {
        return Vec::new();
    }
    let quoted = cells(line);
    let pairs = quoted.windows(2).filter(|of| {
        let between = &line[of[0].end + 1..of[1].start - 1];
        between.trim() == ","
    });
    let beside = pairs.filter_map(|of| {
        let (name, value) = (&line[of[0].clone()], &line[of[1].clone()]);
        (is_secret(name) && is_own(value)).then(|| of[1].clone())
    });
    let mut found: Vec<_> = beside.collect();
    let columns = lower.find("values").map_or_else(Vec::new, |at| column(line, at, &quoted));
    found.extend(columns.into_iter().filter(|cell| is_own(&line[cell.clone()])));
    found.sort_by_key(|cell| cell.start);
    found.dedup();
    found
}

/// Whether a cell may be a secret.
fn is_own(value: &str) -> bool {
    !lists(TYPES, &value.to_ascii_lowercase())
        && !value.contains([' ', '{'])
        && !value.starts_with('$')
        && is_value(value)
        && (weigh(value) >= Weight::Name || (is_joined_number(value) && has_letter(value)))
}

fn has_letter(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// The quoted cells of the column with secrets, if the columns stand before "VALUES" at a place:
/// `INSERT INTO users (name, password) VALUES ('kim', 'X')`.
fn column(line: &str, at: usize, quoted: &[Range<usize>]) -> Vec<Range<usize>> {
    let names = line[..at].trim_end().strip_suffix(')').and_then(|head| head.rsplit_once('('));
    let Some((_, names)) = names else { return Vec::new() };
    let names = names.split(',').map(|name| name.trim_matches([' ', '`', '"', '\'']));
    let place = names.clone().position(|name| {
        let known = role(&name.to_ascii_lowercase());
        matches!(known, Some(Role::Password | Role::Token))
            || (is_secret(name) && !name.ends_with("_hash"))
    });
    let Some(place) = place else { return Vec::new() };
    let (mut found, mut cell, mut begun) = (Vec::new(), 0, at);
    for span in quoted.iter().filter(|span| span.start > at) {
        let between = &line[begun..span.start - 1];
        cell = match between.rfind('(') {
            Some(opened) => between[opened..].matches(',').count(),
            None => cell + between.matches(',').count(),
        };
        if cell == place {
            found.push(span.clone());
        }
        begun = span.end + 1;
    }
    found
}

/// Whether a cell is the name of a secret with several parts: `smtp_password`, `smtp/password`, `api_token`.
fn is_secret(name: &str) -> bool {
    let last = name.rsplit(['/', '.']).next().unwrap_or_default();
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-/.".contains(&b);
    let lower = name.to_ascii_lowercase();
    let about = VERBS.iter().any(|verb| lower.contains(verb));
    if about || !name.bytes().all(plain) || !name.contains(['_', '/', '.', '-']) {
        return false;
    }
    let mut folded = String::new();
    fold(&last[names::last_part(last)..], &mut folded);
    let known = names::key(last, &folded, None).or_else(|| role(&folded));
    matches!(known, Some(Role::Password | Role::MaybePassword | Role::Token))
}

/// The quoted cells of a line, without their quotes. Two quotes stand for one.
fn cells(line: &str) -> Vec<Range<usize>> {
    let (bytes, mut all, mut at) = (line.as_bytes(), Vec::new(), 0);
    while let Some(open) = line[at..].find(['\'', '"']).map(|found| at + found) {
        let quote = bytes[open];
        let mut end = open + 1;
        while end < bytes.len() && (bytes[end] != quote || bytes.get(end + 1) == Some(&quote)) {
            end += if bytes[end] == quote || bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() || all.len() >= CELLS {
            break;
        }
        all.push(open + 1..end);
        at = end + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &'static str) -> Vec<&'static str> {
        values(line, CharSet::of(line)).into_iter().map(|span| &line[span]).collect()
    }

    #[test]
    fn the_neighbor_of_a_name_is_its_value() {
        for (line, secrets) in [
            (
                "INSERT INTO settings (name, value) VALUES ('smtp_password', 'Walnut77');",
                "Walnut77",
            ),
            ("insert into o(k,v) values ('bind_password','wal#nut7'),('host','h1');", "wal#nut7"),
            ("('mail/api_token', \"xK7mqLo9\"),", "xK7mqLo9"),
            ("VALUES ('bind_password', 'walnut77_x')", "walnut77_x"),
            ("VALUES (12, 'db_pass', 'wal''nut_7', now())", "wal''nut_7"),
        ] {
            assert_eq!(read(line), [secrets], "{line}");
        }
        let users = "INSERT INTO users (id, name, password) VALUES (1, 'kim', 'Walnut77'), (2, 'ann', 'Lime_88x')";
        assert_eq!(read(users), ["Walnut77", "Lime_88x"]);
        for line in [
            "INSERT INTO users (name, password_hash) VALUES ('kim77', 'walnut77')",
            "VALUES ('smtp_password', '')",
            "VALUES ('smtp_password', 'varchar')",
            "VALUES ('reset_password', 'Reset2 passwords')",
            "VALUES ('password_min_length', '12')",
            "VALUES ('smtp_password', NULL, 'string2')",
            "WHERE name IN ('smtp_password', 'smtp_user2')",
            "VALUES ('smtp_password', '{{secret:SMTP_PASSWORD}}')",
        ] {
            assert_eq!(read(line), [""; 0], "{line}");
        }
    }
}
