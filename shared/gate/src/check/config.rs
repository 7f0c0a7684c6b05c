//! Checks files of programs whose parsers are not here: sections, braces, and values of systemd, cron and Kubernetes.

use super::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let found =
            [sections(file), systemd(file), braces(file), cron(file), cluster(file), quoted(file)];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

pub(super) const UNITS: [&str; 6] = ["mount", "path", "service", "slice", "socket", "timer"];

/// The extension, without that of a template.
pub(super) fn kind(file: &Written) -> String {
    let name = file.name().strip_suffix(".j2").unwrap_or(file.name());
    name.rsplit_once('.').map(|(_, end)| end.to_lowercase()).unwrap_or_default()
}

/// The kind of unit that a file is, or adds to from `a.service.d/`; `None` for services of D-Bus, which end like units.
pub(super) fn unit_kind(file: &Written) -> Option<String> {
    let of = |kind: &&&str| {
        let folder = format!(".{kind}.d");
        file.folder().ends_with(&folder) && file.path.trim_end_matches(".j2").ends_with(".conf")
    };
    if file.folder().contains("dbus-1/") {
        return None;
    }
    let own = kind(file);
    let added = || UNITS.iter().find(of).map(|kind| (*kind).to_owned());
    if UNITS.contains(&own.as_str()) { Some(own) } else { added() }
}

/// Heads of sections without an end.
fn sections(file: &Written) -> Mistakes {
    let kind = kind(file);
    let kind = kind.as_str();
    if !(["ini", "cfg", "cnf", "local"].contains(&kind) || unit_kind(file).is_some()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let bare = line.trim();
        if line.starts_with('[') && !bare.contains(']') {
            found.push((at + 1, format!("This section header is not closed: `{bare}`.")));
        }
    }
    found
}

/// Settings of PostgreSQL whose text has no end: `listen_addresses = 'localhost`.
fn quoted(file: &Written) -> Mistakes {
    let path = file.path.trim_end_matches(".j2");
    if !(path.ends_with(".conf") && path.contains("postgres")) || path.contains("pg_hba") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some((name, value)) = line.split_once('=') else { continue };
        let value = value.trim_start();
        let setting = name.trim().bytes().all(|b| b.is_ascii_lowercase() || b"_.".contains(&b));
        let closed = value.matches('\'').count() % 2 == 0;
        if setting && value.starts_with('\'') && !closed && !value.contains(['{', '$', '#']) {
            found.push((at + 1, format!("This string is not closed: `{}`.", line.trim())));
        }
    }
    found
}

/// Whether a word is a number with a unit, such as `10s`: neither a number of TOML (`0x1f`, `1e6`) nor a date.
pub(super) fn has_unit(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let prefix = ["0b", "0o", "0x"].iter().any(|start| word.starts_with(start));
    unit.len() < word.len()
        && !unit.is_empty()
        && !prefix
        && unit.chars().all(|c| c.is_ascii_alphabetic())
}

const TYPES: [&str; 8] =
    ["dbus", "exec", "forking", "idle", "notify", "notify-reload", "oneshot", "simple"];
const RESTARTS: [&str; 7] =
    ["always", "no", "on-abnormal", "on-abort", "on-failure", "on-success", "on-watchdog"];

/// Values of systemd's units.
fn systemd(file: &Written) -> Mistakes {
    if unit_kind(file).is_none() || file.path.contains(".network") {
        return Vec::new();
    }
    let text = file.filled();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        if value.contains("{{") || value.is_empty() {
            continue;
        }
        let wrong = match key {
            "Type" if file.text.contains("[Service]") => !TYPES.contains(&value),
            "Restart" => !RESTARTS.contains(&value),
            "OnCalendar" => !is_calendar(value),
            key if key.starts_with("Exec") => {
                let program = value.trim_start_matches(['-', '@', ':', '+', '!', '|']);
                let program = program.split_whitespace().next().unwrap_or_default();
                program.contains('/')
                    && !program.starts_with(['/', '%', '$', '"'])
                    && !starts_with_expansion(file, at)
            }
            _ => false,
        };
        if wrong {
            found.push((at + 1, format!("systemd does not know this value: `{key}={value}`.")));
        }
    }
    found
}

/// Whether the value in a line begins with what bash fills in, which may be a whole path.
fn starts_with_expansion(file: &Written, at: usize) -> bool {
    let line = file.text.lines().nth(at).filter(|_| file.expands).unwrap_or_default();
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    value.trim_start_matches(['-', '@', ':', '+', '!', '|']).starts_with('$')
}

/// Whether a time could be one of systemd's: at most one day of the week, one date, one time, one zone, in this order.
fn is_calendar(value: &str) -> bool {
    let words: Vec<&str> = value.split_whitespace().collect();
    // Five fields are cron's.
    let field = |word: &&str| word.chars().all(|c| c.is_ascii_digit() || "*/,-".contains(c));
    if words.len() == 5 && words.iter().all(field) {
        return false;
    }
    // Words are names of days, of times that repeat, or of zones.
    let zone =
        |word: &str| word.contains(['/', '_']) || word.chars().all(|c| !c.is_ascii_lowercase());
    let day = |word: &str| {
        let start = word.get(..3).unwrap_or_default().to_lowercase();
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains(&start.as_str())
    };
    let odd = |word: &&str| {
        let letters = word.chars().all(|c| c.is_ascii_alphabetic());
        letters && !zone(word) && !day(word) && !word.to_lowercase().ends_with("ly")
    };
    if words.iter().any(|word| is_not_a_date(word)) || words.iter().any(odd) {
        return false;
    }
    let names = [
        "minutely",
        "hourly",
        "daily",
        "monthly",
        "weekly",
        "yearly",
        "annually",
        "quarterly",
        "semiannually",
    ];
    !words.iter().any(|word| names.contains(&word.to_lowercase().as_str()))
        || words
            .first()
            .is_some_and(|word| names.contains(&word.to_lowercase().as_str()) && words.len() <= 2)
}

/// Whether a file is in a language with blocks in braces that is checked here.
fn in_braces(file: &Written) -> bool {
    let has = |wanted: fn(&str) -> bool| file.text.lines().any(|line| wanted(line.trim()));
    is_nginx(file)
        || file.name().starts_with("Caddyfile")
        || has(|line| line.starts_with("table inet ") && line.ends_with('{'))
        || (file.path.contains("logrotate") && has(|line| line.ends_with('{')))
}

pub(super) fn is_haproxy(file: &Written) -> bool {
    let has = |start: &str| {
        file.text.lines().any(|line| line.starts_with(start) && !line.contains(['=', '{']))
    };
    has("frontend ") || has("listen ") || has("backend ")
}

pub(super) fn is_nginx(file: &Written) -> bool {
    let line = |wanted: fn(&str) -> bool| file.text.lines().any(|line| wanted(line.trim()));
    let known = is_yaml(file) || file.extension() == "md" || crate::places::is_shell(file);
    // A part of its settings may have neither a block nor a site.
    let placed = file.folder().starts_with("/etc/nginx") && file.extension() == "conf";
    placed && !known
        || !known
            && line(|line| {
                ["server {", "location ", "upstream ", "map $", "geo $", "split_clients "]
                    .iter()
                    .any(|start| line.starts_with(start))
                    && line.ends_with('{')
            })
            && line(|line| {
                [
                    "keepalive ",
                    "limit_req_zone ",
                    "listen ",
                    "proxy_cache_path ",
                    "proxy_pass ",
                    "root ",
                    "server_name ",
                ]
                .iter()
                .any(|start| line.starts_with(start))
            })
}

/// A line without its comment, its quotes and what a template fills in.
pub(super) fn code(line: &str) -> String {
    let mut code = String::new();
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => continue,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '#' && (code.is_empty() || code.ends_with(char::is_whitespace)) => break,
            None if c == '{' && matches!(chars.peek(), Some('{' | '%' | '#')) => {
                let close =
                    if chars.peek() == Some(&'{') { '}' } else { *chars.peek().unwrap_or(&'}') };
                chars.next();
                while let Some(inner) = chars.next() {
                    if inner == close && chars.peek() == Some(&'}') {
                        chars.next();
                        break;
                    }
                }
                code.push('x');
                continue;
            }
            None if c == '\\' => {
                chars.next();
                continue;
            }
            None => {}
        }
        code.push(c);
    }
    code.trim().to_owned()
}

/// Blocks without an end. A regular expression with a quantifier (`\d{3}`) opens and closes in one line.
fn braces(file: &Written) -> Mistakes {
    if !in_braces(file) {
        return Vec::new();
    }
    let mut open = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        for c in code(line).chars() {
            match c {
                '{' => open.push(at + 1),
                '}' if open.pop().is_none() => {
                    return vec![(at + 1, "This brace closes a block that nothing opened.".into())];
                }
                _ => {}
            }
        }
    }
    let ends = file.text.lines().map(str::trim).filter(|line| *line == "endscript").count();
    let scripts = ["prerotate", "postrotate", "firstaction", "lastaction", "preremove"];
    let starts: Vec<usize> = file
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| scripts.contains(&line.trim()))
        .map(|(at, _)| at + 1)
        .collect();
    let mut found: Mistakes =
        open.iter().map(|line| (*line, "This block is not closed.".to_owned())).collect();
    if let Some(line) = starts.last().filter(|_| starts.len() > ends) {
        found.push((*line, "This logrotate script has no `endscript`.".to_owned()));
    }
    found
}

/// The five fields of cron: each in its range.
pub(super) fn is_schedule(fields: &[&str]) -> bool {
    let ranges = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)];
    fields.len() == 5
        && fields.iter().zip(ranges).all(|(field, (low, high))| {
            field.split([',', '-', '/']).all(|part| {
                let name = part.len() == 3 && part.chars().all(|c| c.is_ascii_alphabetic());
                let number = part.parse::<u32>().is_ok_and(|number| (low..=high).contains(&number));
                let step = field.contains('/') && part.parse::<u32>().is_ok_and(|step| step > 0);
                part == "*" || number || step || (name && high <= 12)
            })
        })
}

/// Whether a date is in no year, as `*-02-30`.
fn is_not_a_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let [_, month, day] = parts.as_slice() else { return false };
    day.parse::<u32>().is_ok_and(|day| day > longest(month.trim_start_matches('0')))
}

/// The number of days of a month.
fn longest(month: &str) -> u32 {
    match month.to_lowercase().as_str() {
        "2" | "feb" => 29,
        "4" | "6" | "9" | "11" | "apr" | "jun" | "sep" | "nov" => 30,
        _ => 31,
    }
}

/// Whether no month of a schedule has any of its days, as with the 30th of February.
fn is_never(fields: &[&str]) -> bool {
    let [_, _, days, months, "*"] = fields else { return false };
    let longest = months.split(',').map(longest).max().unwrap_or(31);
    let mut days = days.split(',').map(str::parse::<u32>).peekable();
    days.peek().is_some() && days.all(|day| day.is_ok_and(|day| day > longest))
}

/// Lines of a table of cron.
fn cron(file: &Written) -> Mistakes {
    let place = ["cron.d", "crontabs", "crontab", "cron"];
    let placed = file.path.split('/').any(|part| place.contains(&part));
    let timed = |line: &str| line.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    if !placed || file.text.starts_with("#!") || file.extension() != "" {
        return Vec::new();
    }
    let text = file.filled();
    let lines = text.lines().enumerate().filter(|(_, line)| timed(line));
    let wrong = lines.filter(|(_, line)| {
        let fields: Vec<&str> = line.split_whitespace().take(5).collect();
        !line.contains("{{") && (!is_schedule(&fields) || is_never(&fields))
    });
    let mut found: Mistakes = wrong
        .map(|(at, line)| (at + 1, format!("cron cannot read this schedule: `{}`.", line.trim())))
        .collect();
    // A percent sign without a backslash ends the command.
    let ends = |line: &str| {
        line.replace("\\%", "").split_once('%').is_some_and(|(_, rest)| !rest.trim().is_empty())
    };
    let cut = text.lines().enumerate().filter(|(_, line)| timed(line) && ends(line));
    found
        .extend(cut.map(|(at, _)| (at + 1, "cron ends a command at `%`: write `\\%`.".to_owned())));
    found
}

/// Objects of Kubernetes.
fn cluster(file: &Written) -> Mistakes {
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    if !is_yaml(file) || !documents.iter().any(|document| document.get("apiVersion").is_some()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for document in documents.iter().filter(|document| document.get("kind").is_some()) {
        if document.get("apiVersion").is_none() {
            found.push((document.line, "This object names no `apiVersion`.".to_owned()));
        }
        let Some(spec) = document.get("spec") else { continue };
        let schedule = spec.get("schedule").and_then(|node| Some((node.line, node.text()?)));
        if let Some((line, text)) = schedule.filter(|(_, text)| !text.starts_with(['@', 'x', '$']))
        {
            let fields: Vec<&str> = text.split_whitespace().collect();
            if !is_schedule(&fields) {
                found.push((line, format!("cron cannot read this schedule: `{text}`.")));
            }
        }
        let wanted = spec.get("selector").and_then(|selector| selector.get("matchLabels"));
        let labels = spec.get("template").and_then(|pod| pod.get("metadata")?.get("labels"));
        let (Some(wanted), Some(labels)) = (wanted, labels) else { continue };
        for entry in wanted.map() {
            let same = labels.get(&entry.key).and_then(Node::text) == entry.value.text();
            if !same {
                let message =
                    format!("The pods of this object have no such label: `{}`.", entry.key);
                found.push((entry.line, message));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_postgresql_have_an_end() {
        let said = |text: &str| {
            let path = "/etc/postgresql/17/main/conf.d/a.conf".into();
            quoted(&Written { path, text: text.into(), expands: false, line: 1 }).len()
        };
        assert_eq!(said("listen_addresses = 'localhost,10.0.0.1\nport = 5432\n"), 1);
        assert_eq!(said("log_line_prefix = '%t [%p]: '\narchive_command = 'a ''b'''\n"), 0);
    }
}
