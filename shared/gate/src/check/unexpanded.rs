//! Finds variables of the script where nothing replaces them: in files that bash copies as they are, for programs that
//! know no variables, and in headers in single quotes.

use super::{FILES, error};
use crate::bash::is_name;
use crate::{Unit, Written};
use domain::gate::Finding;

/// Options of curl and wget whose values often contain a variable.
const OPTIONS: [&str; 8] =
    ["-H", "--header", "-u", "--user", "-d", "--data", "--data-raw", "--url"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let replaced = ["envsubst", "sed ", "perl ", "gomplate", "esh "];
    if !replaced.iter().any(|program| unit.text.contains(program)) {
        for file in unit.written() {
            for (at, line) in file.text.lines().enumerate().filter(|_| is_plain(file)) {
                let name = variables(line).find(|name| is_set(unit, name));
                if let Some(name) = name.filter(|_| !line.trim_start().starts_with(['#', ';'])) {
                    let message = format!(
                        "Nothing replaces `${name}` in this file, because its here-document's \
                        delimiter is quoted."
                    );
                    findings.push(error(FILES, message).at(Some(&file.path), at + 1));
                }
            }
        }
    }
    for (at, line) in unit.text.lines().enumerate() {
        let quoted = OPTIONS.iter().find_map(|option| {
            let (_, rest) = line.split_once(&format!(" {option} '"))?;
            rest.split_once('\'').map(|(value, _)| value)
        });
        let calls =
            ["curl", "wget"].iter().any(|program| line.contains(program)) || line.starts_with("  ");
        let name = quoted
            .filter(|_| calls)
            .and_then(|value| variables(value).find(|name| is_set(unit, name)));
        if let Some(name) = name {
            let message = format!("Bash does not replace `${name}` in single quotes.");
            findings.push(error(FILES, message).at(None, at + 1));
        }
    }
}

/// Whether a file is for a program that takes `$NAME` as it is.
fn is_plain(file: &Written) -> bool {
    let kind = file.extension();
    let named = ["redis.conf", "pg_hba.conf", "postgresql.conf", "wg0.conf", "my.cnf"];
    let known = ["cnf", "ini", "json", "toml"].contains(&kind.as_str())
        || (kind == "conf"
            && ["/redis/", "/postgresql/", "/wireguard/", "/mysql/"]
                .iter()
                .any(|part| file.path.contains(part)))
        || named.contains(&file.name());
    known && !file.expands
}

/// The names in capitals after a dollar sign.
fn variables(text: &str) -> impl Iterator<Item = &str> {
    text.split('$').skip(1).filter_map(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let name = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?;
        let capital = name.len() > 2 && name.chars().all(|c| !c.is_ascii_lowercase());
        (capital && is_name(name)).then_some(name)
    })
}

/// Whether the script or its environment sets a variable.
fn is_set(unit: &Unit, name: &str) -> bool {
    unit.context.environment.iter().any(|one| one == name)
        || unit.script.assigned.contains_key(name)
        || unit.text.contains(&format!("${{{name}:?"))
}
