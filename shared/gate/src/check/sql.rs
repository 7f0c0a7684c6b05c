//! Checks SQL that a script feeds to a client or writes to a file: where statements end, and brackets.

mod dollars;
mod fields;
mod roles;
mod statements;
mod variables;

use super::error;
use crate::files::filled;
use crate::{FILES, Unit};
use domain::gate::Finding;

/// Programs that read SQL from their standard input.
const CLIENTS: [&str; 4] = ["mariadb", "mysql", "psql", "sqlite3"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| file.extension() == "sql") {
        let around: Vec<&str> = unit.texts().collect();
        let found = mistakes(&file.text).into_iter().chain(shapes(&file.text, file.expands));
        let found = found.chain(variables::unset(&file.text, &around.join("\n")));
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let reads = argv.iter().any(|word| {
                word.split_whitespace().any(|word| CLIENTS.contains(&crate::bash::base(word)))
            });
            for (line, message) in given(&argv) {
                let line = command.line + line - 1 + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
            let psql = argv.iter().any(|word| word.contains("psql"));
            for heredoc in command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at)) {
                let mut found = mistakes(&heredoc.text);
                found.extend(shapes(&heredoc.text, heredoc.expands));
                if psql {
                    found.extend(variables::unset(&heredoc.text, &argv.join(" ")));
                }
                for (line, message) in found.into_iter().filter(|_| reads) {
                    let line = heredoc.line + line - 1 + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

/// What is wrong with the shapes of statements, unless [`columns`] has found a comma that is missing between lines.
fn shapes(text: &str, expands: bool) -> Vec<(usize, String)> {
    let filled = filled(text, expands);
    let found = if columns(text).is_empty() { statements::mistakes(&filled) } else { Vec::new() };
    found.into_iter().chain(roles::unknown(&filled)).collect()
}

/// Mistakes in the statements that a client gets as an argument.
fn given(argv: &[&str]) -> Vec<(usize, String)> {
    if !argv.first().is_some_and(|program| CLIENTS.contains(program)) {
        return Vec::new();
    }
    let options = ["-c", "--command", "-e", "--execute"];
    let behind = argv.windows(2).filter(|two| options.contains(&two[0])).map(|two| two[1]);
    behind.flat_map(|text| shapes(text, true)).collect()
}

/// Words that begin a statement at the start of a line.
const BEGINS: [&str; 9] = [
    "ALTER ",
    "BEGIN;",
    "COMMENT ON ",
    "CREATE ",
    "DROP ",
    "FLUSH ",
    "GRANT ",
    "INSERT ",
    "REVOKE ",
];

/// The user and the host of `'user'@'host'`.
fn account(line: &str, after: &str) -> Option<(String, String)> {
    let (_, rest) = line.split_once(after)?;
    let parts: Vec<&str> = rest.split(['\'', '`']).collect();
    match parts.as_slice() {
        [_, user, "@", host, ..] => Some(((*user).to_owned(), (*host).to_owned())),
        _ => None,
    }
}

/// Rights for an account that differs from the one created only in its host, and a variable of psql that psql does not see.
fn names(text: &str) -> Vec<(usize, String)> {
    let created: Vec<(String, String)> = text
        .lines()
        .filter(|line| line.to_uppercase().contains("CREATE USER"))
        .filter_map(|line| account(line, "USER"))
        .collect();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let grant = account(line, " TO ")
            .filter(|_| line.to_uppercase().contains("GRANT") || line.contains(" ON "));
        if let Some((user, host)) = grant {
            let same = created.iter().filter(|(name, _)| *name == user);
            let hosts: Vec<&str> = same.map(|(_, host)| host.as_str()).collect();
            if !hosts.is_empty() && !hosts.contains(&host.as_str()) {
                found.push((
                    at + 1,
                    format!("`{user}` was created for `{}`, not for `{host}`.", hosts.join("`, `")),
                ));
            }
        }
        let variable = line.split("':").nth(1).and_then(|rest| rest.split_once('\''));
        if let Some((name, _)) = variable.filter(|(name, _)| crate::bash::is_name(name)) {
            found.push((at + 1, format!("psql replaces `:'{name}'`, not `':{name}'`.")));
        }
    }
    found
}

/// `IF` and `LOOP` in a body between dollar signs that do not end.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut parts = text.split("$$");
    let mut line = 1 + parts.next().unwrap_or_default().matches('\n').count();
    while let Some(body) = parts.next() {
        for word in ["IF", "LOOP"] {
            let (mut open, mut begun) = (0_i32, line);
            let mut before = String::from(";");
            for (at, code) in body.lines().enumerate() {
                let code = code.split("--").next().unwrap_or_default().replace(';', " ; ");
                for part in code.split_whitespace() {
                    let upper = part.to_uppercase();
                    let ends = before == "END";
                    let starts = [";", "BEGIN", "THEN", "ELSE", "LOOP"].contains(&before.as_str());
                    if upper == word && ends {
                        open -= 1;
                    } else if upper == word && (starts || word == "LOOP") {
                        open += 1;
                        begun = line + at;
                    }
                    before = upper;
                }
            }
            if open > 0 {
                found.push((begun, format!("This `{word}` has no `END {word}`.")));
            }
        }
        line += body.matches('\n').count();
        line += parts.next().unwrap_or_default().matches('\n').count();
    }
    found
}

/// Types with which the definition of a column continues after its name.
const TYPES: [&str; 34] = [
    "BIGINT",
    "BIGSERIAL",
    "BINARY",
    "BLOB",
    "BOOL",
    "BOOLEAN",
    "BYTEA",
    "CHAR",
    "CHARACTER",
    "CITEXT",
    "DATE",
    "DATETIME",
    "DECIMAL",
    "DOUBLE",
    "ENUM",
    "FLOAT",
    "INET",
    "INT",
    "INTEGER",
    "INTERVAL",
    "JSON",
    "JSONB",
    "LONGTEXT",
    "MEDIUMTEXT",
    "NUMERIC",
    "REAL",
    "SERIAL",
    "SMALLINT",
    "TEXT",
    "TIME",
    "TIMESTAMP",
    "TIMESTAMPTZ",
    "UUID",
    "VARCHAR",
];

/// Words that begin a line after the definition of a column and belong to it.
const CLAUSES: [&str; 14] = [
    "AFTER",
    "AS",
    "AUTO_INCREMENT",
    "CHECK",
    "COLLATE",
    "COMMENT",
    "CONSTRAINT",
    "DEFAULT",
    "GENERATED",
    "NOT",
    "NULL",
    "ON",
    "REFERENCES",
    "USING",
];

/// Tables that a key refers to and that the same text does not create, although another name is almost theirs.
fn tables(text: &str) -> Vec<(usize, String)> {
    let word = |text: &str| {
        let end = |c: char| c.is_whitespace() || "(;,)".contains(c);
        text.trim_start()
            .split(end)
            .next()
            .unwrap_or_default()
            .trim_matches(['"', '`'])
            .to_lowercase()
    };
    let lower = text.to_lowercase();
    let made: Vec<String> = lower
        .match_indices("create table ")
        .map(|(at, sign)| {
            let rest = lower[at + sign.len()..].trim_start();
            word(rest.strip_prefix("if not exists").unwrap_or(rest))
        })
        .collect();
    let known: Vec<&str> = made.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for (at, line) in lower.lines().enumerate() {
        let Some((_, rest)) =
            line.split("--").next().and_then(|line| line.split_once(" references "))
        else {
            continue;
        };
        let name = word(rest);
        let near =
            known.iter().find(|one| **one == format!("{name}s") || format!("{one}s") == name);
        let near = near.copied().or_else(|| super::spelling::nearest(&name, &known));
        if let Some(near) = near.filter(|_| !known.contains(&name.as_str()) && !name.contains('.'))
        {
            found.push((
                at + 1,
                format!("Nothing here creates the table `{name}`, but something creates `{near}`."),
            ));
        }
    }
    found
}

/// Columns of a table, and rows of values, that no comma separates from the next ones.
fn columns(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut table, mut values, mut depth) = (Vec::new(), false, false, 0_i32);
    let lines: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            (at + 1, line.split("--").next().unwrap_or_default().trim().to_uppercase())
        })
        .filter(|(_, line)| !line.is_empty())
        .collect();
    for (index, (at, line)) in lines.iter().enumerate() {
        table |= line.starts_with("CREATE TABLE") || line.starts_with("CREATE UNLOGGED TABLE");
        values |=
            line.starts_with("INSERT") || line.starts_with("VALUES") || line.contains(" VALUES");
        let inner = depth;
        let quoted = line.matches('\'').count() % 2 == 1;
        depth += i32::try_from(line.matches('(').count()).unwrap_or_default();
        depth -= i32::try_from(line.matches(')').count()).unwrap_or_default();
        let next = lines.get(index + 1).map_or("", |(_, next)| next.as_str());
        let mut words = next.split([' ', '(', ',']).filter(|word| !word.is_empty());
        let (name, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let column = TYPES.contains(&kind) && !CLAUSES.contains(&name) && !TYPES.contains(&name);
        let open = !line.ends_with([',', '(', ';']) && !quoted && !next.starts_with(',');
        if table && inner == 1 && depth == 1 && column && open {
            found.push((*at, "A comma is missing after this column.".to_owned()));
        }
        if values
            && inner == 0
            && depth == 0
            && line.ends_with(')')
            && line.starts_with('(')
            && next.starts_with('(')
        {
            found.push((*at, "A comma is missing after this row.".to_owned()));
        }
        if line.ends_with(';') {
            (table, values, depth) = (false, false, 0);
        }
    }
    found
}

fn mistakes(text: &str) -> Vec<(usize, String)> {
    let mut found = names(text);
    found.extend(blocks(text));
    found.extend(columns(text));
    found.extend(tables(text));
    found.extend(fields::mistakes(text));
    let (mut depth, mut quoted, mut body) = (0_i32, false, false);
    // The last line of the statement that has not ended.
    let mut open: Option<usize> = None;
    for (at, line) in text.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        let upper = code.to_uppercase();
        if dollars::quotes(code) % 2 == 1 {
            body = !body;
        }
        if code.trim_start().starts_with("\\g") {
            open = None;
        }
        if body || code.trim().is_empty() || code.trim_start().starts_with(['#', '\\']) {
            continue;
        }
        let begins = !quoted && depth == 0 && BEGINS.iter().any(|word| upper.starts_with(word));
        if let Some(before) = open.take_if(|_| begins) {
            found.push((before + 1, "This statement has no semicolon at its end.".to_owned()));
        }
        let mut last = ' ';
        for c in code.chars() {
            match c {
                '\'' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' if !quoted => {
                    depth -= 1;
                    if last == ',' {
                        found.push((
                            at + 1,
                            "There is an extra comma before this bracket.".to_owned(),
                        ));
                    }
                }
                ';' if !quoted => {
                    if depth > 0 {
                        found.push((
                            at + 1,
                            "A bracket in this statement is not closed.".to_owned(),
                        ));
                    }
                    depth = 0;
                }
                _ => {}
            }
            if !c.is_whitespace() {
                last = c;
            }
        }
        let trimmed = code.trim_end();
        let ends = trimmed.ends_with(';') || trimmed.contains("\\g") || trimmed.ends_with("\\G");
        let goes_on = depth > 0
            || quoted
            || [",", "(", " AS", " AND", " OR", " TO"]
                .iter()
                .any(|end| upper.trim_end().ends_with(end));
        open = (!ends && !goes_on).then_some(at);
        if last == ',' {
            // The comma may be before the bracket of the next line.
            let next = text.lines().skip(at + 1).map(str::trim).find(|line| !line.is_empty());
            if next.is_some_and(|line| line.starts_with(')')) && depth > 0 {
                found.push((at + 1, "There is an extra comma before the bracket.".to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_and_commands_of_psql_end_statements() {
        for text in [
            "DO \\$do\\$\nBEGIN\n  SELECT 1\nEND\n\\$do\\$;\nCREATE TABLE a (b int);\n",
            "SELECT 'CREATE DATABASE a'\nWHERE true\n\\gexec\nREVOKE ALL ON a FROM b;\n",
        ] {
            assert_eq!(mistakes(text), [], "{text}");
        }
        assert_eq!(mistakes("SELECT 1\nREVOKE ALL ON a FROM b;\n").len(), 1);
    }

    #[test]
    fn commas_part_columns_and_rows() {
        let said = |text: &str| columns(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(said("CREATE TABLE a (\n  b text NOT NULL\n  c int\n);\n"), [2]);
        assert_eq!(said("INSERT INTO a VALUES\n  (1, 'b')\n  (2, 'c');\n"), [2]);
        for text in [
            "CREATE TABLE a (\n  b text NOT NULL,\n  c int\n    CHECK (c > 0),\n  d int\n    REFERENCES e (f)\n);\n",
            "CREATE TABLE a (\n  b text -- why\n  , c int\n);\nSELECT a\nFROM b;\n",
            "INSERT INTO a (b)\nVALUES (1),\n  (2);\n",
        ] {
            assert!(said(text).is_empty(), "{text}");
        }
    }
}
