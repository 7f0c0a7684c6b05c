//! Finds columns that an index, a key or an insertion names and that the table, which the same text creates, does not have.

use std::collections::BTreeMap;

/// The columns of each table.
type Tables = BTreeMap<String, Vec<String>>;

/// Words that begin a constraint of a table, which is not a column.
const PARTS: [&str; 10] = [
    "check",
    "constraint",
    "exclude",
    "foreign",
    "fulltext",
    "index",
    "key",
    "like",
    "primary",
    "unique",
];

pub(super) fn mistakes(text: &str) -> Vec<(usize, String)> {
    let lower = bare(text).to_lowercase();
    let tables = tables(&lower);
    let mut found = Vec::new();
    for (at, statement) in statements(&lower) {
        // A later change of the table may add columns.
        let altered = |table: &str| {
            lower.contains("alter table")
                && lower.contains(table)
                && [" add ", " rename "].iter().any(|change| lower.contains(change))
        };
        for (table, columns) in named(statement) {
            let Some(known) = tables.get(&table).filter(|_| !altered(&table)) else { continue };
            for column in columns {
                if !known.contains(&column) {
                    let line = lower[..at].matches('\n').count()
                        + statement
                            .find(&column)
                            .map_or(0, |to| statement[..to].matches('\n').count());
                    found
                        .push((line + 1, format!("The table `{table}` has no column `{column}`.")));
                }
            }
        }
    }
    found
}

/// A text without comments, quotes around names, and texts in quotes; each line keeps its place.
fn bare(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let code = line.split("--").next().unwrap_or_default();
        let kept: Vec<&str> = code.split('\'').step_by(2).collect();
        kept.join("''").replace(['"', '`'], "")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The statements of a text with the places where they begin.
fn statements(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let parts = text.split(';').map(|part| {
        let begin = at;
        at += part.len() + 1;
        (begin, part)
    });
    parts.collect()
}

fn tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    for (_, statement) in statements(text) {
        let Some((_, rest)) = statement.split_once("create table ") else { continue };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("if not exists").unwrap_or(rest);
        let (Some((name, _)), Some(body)) = (rest.split_once('('), inner(rest)) else { continue };
        let columns = parts(body).into_iter().filter_map(|part| {
            let name = part.split_whitespace().next()?;
            (!PARTS.contains(&name)).then(|| name.to_owned())
        });
        let columns: Vec<String> = columns.collect();
        // `like` and `partition of` take columns from elsewhere.
        let own = !body.contains("like ") && name.split_whitespace().count() == 1;
        if own && !columns.is_empty() {
            tables.insert(name.trim().to_owned(), columns);
        }
    }
    tables
}

/// What is in the first brackets of a text.
fn inner(text: &str) -> Option<&str> {
    let from = text.find('(')? + 1;
    let mut depth = 1;
    for (at, c) in text[from..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(from..from + at);
        }
    }
    None
}

/// The parts between the commas outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    found
}

/// Tables with columns that a statement names: of an index, of an insertion, and of keys to other tables.
fn named(statement: &str) -> Vec<(String, Vec<String>)> {
    let create = statement.contains("create ") && statement.contains(" index ");
    let mut signs = vec![" references "];
    if create {
        signs.push(" on ");
    } else if statement.trim_start().starts_with("insert into ") {
        signs.push("insert into ");
    }
    let mut found = Vec::new();
    for sign in signs {
        for (at, _) in statement.match_indices(sign) {
            let rest = statement[at + sign.len()..].trim_start();
            let Some((head, _)) = rest.split_once('(') else { continue };
            let table = head.split_whitespace().next().unwrap_or_default();
            let method = head.split_whitespace().nth(1);
            let direct = method.is_none() || (create && method == Some("using"));
            let Some(body) = inner(rest).filter(|_| direct) else { continue };
            // An expression, a direction or a class of operators may follow a name.
            let columns = parts(body)
                .into_iter()
                .filter(|part| !part.contains(['(', ':', '\'']))
                .filter_map(|part| {
                    let name = part.split_whitespace().next()?;
                    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    (plain && !name.starts_with(|c: char| c.is_ascii_digit()))
                        .then(|| name.to_owned())
                });
            found.push((table.to_owned(), columns.collect()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_belong_to_their_table() {
        let made = "CREATE TABLE IF NOT EXISTS orders (\n  id bigint PRIMARY KEY, -- its number\n  total numeric(10, 2) NOT NULL,\n  state text DEFAULT 'a, b',\n  UNIQUE (id, state)\n);\n";
        for (text, line) in [
            ("CREATE INDEX a ON orders (totl);", 7),
            ("CREATE UNIQUE INDEX a ON orders USING btree (id, stat DESC);", 7),
            ("INSERT INTO orders (id, amount) VALUES (1, 2);", 7),
            ("CREATE TABLE b (\n  o bigint REFERENCES orders (number)\n);", 8),
        ] {
            let found = mistakes(&format!("{made}{text}"));
            assert_eq!(found.first().map(|(line, _)| *line), Some(line), "{text}: {found:?}");
        }
        for text in [
            "CREATE INDEX a ON orders (lower(state), total DESC) WHERE id > 1;",
            "INSERT INTO orders (id, total) VALUES (1, 2);",
            "INSERT INTO other (x) VALUES (1);",
            "CREATE INDEX a ON other (x);",
            "ALTER TABLE orders ADD COLUMN note text;\nCREATE INDEX a ON orders (note);",
            "CREATE TABLE b (\n  o bigint REFERENCES orders (id) ON DELETE CASCADE\n);",
        ] {
            assert_eq!(mistakes(&format!("{made}{text}")), [], "{text}");
        }
    }
}
