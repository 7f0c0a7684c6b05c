//! Recognizes ids and names in columns of tables that programs print.

use super::{Place, announces};
use crate::talk::{Says, says};
use std::ops::Range;

/// How far above a value its header may be, in bytes.
const ABOVE_BYTES: usize = 4_000;

/// Whether a value is in such a column.
pub(super) fn is_of_column(text: &str, span: &Range<usize>, place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    let above = &text[from..span.start];
    // `[3k4dAO2i_dHJnqagEIffSW][auth-06]` in the log of Elasticsearch
    (is_id_of_node(value) && before.ends_with('[') && after.starts_with("]["))
        || is_of_index(above, place)
        || is_id_of_row(above, place)
        || is_named(above, place)
        || is_row(above, place)
        || is_note(place)
}

/// Whether a line is the header of a table in capitals: `NAME  READY  AGE`.
fn is_header(line: &str) -> bool {
    line.bytes().all(|b| b.is_ascii_uppercase() || b" -()".contains(&b))
}

fn is_id_of_node(value: &str) -> bool {
    const ID_BYTES: usize = 22;
    value.len() == ID_BYTES
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

/// `green open app-2024 rKAbTGbhWl2xSrQX6hRVcw 1 1 4459`: an index, a shard or a node of Elasticsearch.
fn is_of_index(above: &str, place: &Place<'_>) -> bool {
    const COLUMNS: [&str; 5] = ["uuid", "id", "node_id", "node", "task_id"];
    const SHARDS: [&str; 3] = ["STARTED", "RELOCATING", "INITIALIZING"];
    let Place { value, before, after, .. } = *place;
    if !is_id_of_node(value.split(':').next().unwrap_or_default()) {
        return false;
    }
    let mut words = before.split_whitespace();
    if words.clone().any(|word| SHARDS.contains(&word)) {
        return true;
    }
    let health = words.next().is_some_and(|word| ["green", "yellow", "red"].contains(&word));
    let open = words.next().is_some_and(|word| ["open", "close"].contains(&word));
    let alone = before.trim().is_empty() && after.trim().is_empty();
    let name = |b: u8| b.is_ascii_lowercase() || b"._ ".contains(&b);
    (health && open && words.count() == 1)
        || (!alone
            && above.split('\n').any(|line| {
                line.split_whitespace().count() >= 3
                    && !announces(line)
                    && line.bytes().all(name)
                    && line.split_whitespace().any(|column| COLUMNS.contains(&column))
            }))
}

/// An id in the first column: `docker secret ls`.
fn is_id_of_row(above: &str, place: &Place<'_>) -> bool {
    const ID_BYTES: usize = 12;
    let Place { value, before, after, .. } = *place;
    value.len() >= ID_BYTES
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && before.trim().is_empty()
        && after.starts_with("  ")
        && above.split('\n').any(|line| line.trim_start().starts_with("ID  ") && is_header(line))
}

/// The name of an object in the column `SECRET` of a table that `kubectl` prints.
fn is_named(above: &str, place: &Place<'_>) -> bool {
    const COLUMNS: usize = 3;
    let Place { value, before, .. } = *place;
    let name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
    if !before.ends_with("  ") || !value.bytes().all(name) {
        return false;
    }
    let header = above.rsplit('\n').skip(1).find(|line| {
        line.contains(" AGE") && line.split_whitespace().count() >= COLUMNS && is_header(line)
    });
    let column = header.and_then(|header| {
        header.split_whitespace().position(|name| name == "SECRET" || name == "SECRETS")
    });
    column == Some(before.split_whitespace().count())
}

/// `Huber;Admin;12.02.2024` below `Name;Rolle;Passwort zuletzt geändert`: a row or a part of one, from one cell into another.
fn is_row(above: &str, place: &Place<'_>) -> bool {
    const ROWS: usize = 32;
    let Place { value, before, after, .. } = *place;
    [';', '|', '\t'].into_iter().filter(|sign| value.contains(*sign)).any(|sign| {
        let cells = |line: &str| line.matches(sign).count();
        let own = cells(before) + cells(value) + cells(after);
        let mut lines = above.rsplit('\n').skip(1).take_while(|line| !line.trim().is_empty());
        // `2024-11-02;kim` below `Changed on;By`
        let dated = || value.split(sign).next().is_some_and(is_date);
        (own > 1 || (own == 1 && dated()))
            && lines.by_ref().take(ROWS).any(|line| cells(line) == own)
    })
}

/// `2024-11-02`, `04.11.2024`
fn is_date(cell: &str) -> bool {
    let parts = cell.split(['-', '.', '/']);
    let number =
        |part: &str| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|b| b.is_ascii_digit());
    parts.clone().count() == 3 && parts.into_iter().all(number)
}

/// `étiquette sous la box`, `sticker on the router`: a cell that says where a password is. A word of place inside is enough:
/// people rarely write a passphrase of a sentence into a table.
fn is_note(place: &Place<'_>) -> bool {
    const WORDS: usize = 3;
    let Place { value, before, after, .. } = *place;
    let cell = |sign: char| {
        before.trim_end().ends_with(sign)
            && (before.matches(sign).count() + after.matches(sign).count() > 1)
    };
    let letters = |word: &str| word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c));
    let mut words = value.split(' ');
    [';', '|', '\t'].into_iter().any(cell)
        && words.clone().count() >= WORDS
        && words.clone().all(letters)
        && words.any(|word| matches!(says(word), Some(Says::Joins | Says::Links)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cell(above: &str, before: &str, value: &str, after: &str) -> bool {
        let text = format!("{above}\n{before}{value}{after}");
        let from = above.len() + 1 + before.len();
        let span = from..from + value.len();
        is_of_column(&text, &span, &Place::of(&text, &span).unwrap())
    }

    const OBJECTS: &str = "NAME        READY   SECRET       AGE";
    const SECRETS: &str = "ID                          NAME          CREATED";
    const INDICES: &str = "health status index   uuid                   pri rep docs.count";
    const NODES: &str = "id                     pid host";

    #[test]
    fn ids_and_names_in_columns_are_not_secrets() {
        for (above, before, value, after) in [
            (OBJECTS, "shop        True    ", "auth-service-tls", " 4d2h"),
            (SECRETS, "", "2HrLdVqnrwR2nDSQfZDJOt9r1Es", "   db_password   2 days ago"),
            (INDICES, "green open logs-1 ", "7P3-UZPWk0BruTGu1km7WP", " 1 1"),
            (NODES, "", "Xq7uZ5mWSUe0b1f3nH4LQw", " 1821 10.0.3.7"),
            ("", "green open app-2024 ", "rKAbTGbhWl2xSrQX6hRVcw", " 1 1 4459 0 32mb 16mb"),
            ("Name;Role;Password changed", "", "Huber;Admin;12.02.2024", ""),
            ("Role;User;Login;MFA", "Admin;khuber;2024-11-25 ", "08:12;yes", ""),
            ("", "exceeded on [", "3k4dAO2i_dHJnqagEIffSW", "][auth-06][/var"),
        ] {
            assert!(is_cell(above, before, value, after), "{before}{value}");
        }
    }

    #[test]
    fn what_only_resembles_them_may_be_a_secret() {
        for (above, before, value, after) in [
            (OBJECTS, "shop  ", "auth-service-tls", ""),
            ("USER        HOST    SECRET", "shop        db1     ", "walnut-tree", ""),
            ("NAME        READY   PASSWORD     AGE", "shop        True    ", "hunter2", " 4d"),
            ("the new password:", "", "Walnut;77;tree", ""),
            ("id", "token ", "7P3-UZPWk0BruTGu1km7WP", ""),
            ("", "green open, api key ", "rKAbTGbhWl2xSrQX6hRVcw", ""),
            ("", "key [", "3k4dAO2i_dHJnqagEIffSW", "]"),
        ] {
            assert!(!is_cell(above, before, value, after), "{before}{value}");
        }
    }
}
