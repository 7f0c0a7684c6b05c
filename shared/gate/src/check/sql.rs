//! Checks SQL that a script feeds to a client or writes to a file: where statements end, and brackets.

use super::error;
use crate::{FILES, Unit};
use domain::gate::Finding;

/// Programs that read SQL from their standard input.
const CLIENTS: [&str; 4] = ["mariadb", "mysql", "psql", "sqlite3"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.files.iter().filter(|file| file.extension() == "sql") {
        for (line, message) in mistakes(&file.text) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let reads = argv.iter().any(|word| {
                word.split_whitespace().any(|word| CLIENTS.contains(&crate::bash::base(word)))
            });
            for heredoc in command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at)) {
                for (line, message) in mistakes(&heredoc.text).into_iter().filter(|_| reads) {
                    let line = heredoc.line + line - 1 + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
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

fn mistakes(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut depth, mut quoted, mut body) = (0_i32, false, false);
    // The last line of the statement that has not ended.
    let mut open: Option<usize> = None;
    for (at, line) in text.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        let upper = code.to_uppercase();
        if code.matches("$$").count() % 2 == 1 {
            body = !body;
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
                            "There is a comma too many before this bracket.".to_owned(),
                        ));
                    }
                }
                ';' if !quoted => {
                    if depth > 0 {
                        found.push((at + 1, "A bracket of this statement has no end.".to_owned()));
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
                found.push((at + 1, "There is a comma too many before the bracket.".to_owned()));
            }
        }
    }
    found
}
