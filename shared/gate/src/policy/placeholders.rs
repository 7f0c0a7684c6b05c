//! Finds values that a model left to the reader: `<your-domain>`, `YOUR_API_KEY`, `/path/to/app`.
//!
//! The reader approves a script and does not edit it. A value in which the script itself replaces such a word (`sed`)
//! is a template.

use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Beginnings and parts of words that stand for a value.
const PARTS: [&str; 9] = [
    "/path/to/",
    "change_me",
    "changeme",
    "replace_me",
    "replaceme",
    "replace_with_",
    "xxx.xxx.xxx.xxx",
    "your_domain",
    "yourdomain.",
];

/// What is between angle brackets for a value, if it is in capitals.
const NAMES: [&str; 10] =
    ["BUCKET", "DOMAIN", "EMAIL", "HOST", "HOSTNAME", "IP", "PASSWORD", "REGION", "TOKEN", "USER"];

/// Programs that put the value in.
const FILLERS: [&str; 7] = ["envsubst", "grep", "perl", "replace", "sed ", "awk", "if "];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let unfilled = (1..).zip(unit.text.lines()).find_map(|(line, text)| {
        let text = text.trim();
        // fail2ban fills in `<HOST>`.
        let filter = ["failregex", "ignoreregex", "actionban", "actionunban"];
        let filled = filter.iter().any(|key| text.starts_with(key)) || text.contains("<HOST>");
        let signs = ["#", "//", ";", "-- ", "<!--"];
        let is_comment = signs.iter().any(|sign| text.starts_with(sign)) || filled;
        let word = value(text).filter(|_| !is_comment)?;
        let fills =
            |other: &str| other.contains(&word) && FILLERS.iter().any(|name| other.contains(name));
        (!unit.text.lines().any(fills)).then_some((line, word))
    });
    if let Some((line, word)) = unfilled.or_else(|| redirected(unit)) {
        let message = format!(
            "`{word}` stands for a value that no one will fill in: the script runs as is. Write \
            the value, or read it \
             from the environment."
        );
        findings.push(error(POLICY, message).at(None, line));
    }
}

/// `tar -xf <archive>`: bash reads from `archive` and writes to what comes next.
fn redirected(unit: &Unit) -> Option<(usize, String)> {
    let shells = unit.shells.iter().filter(|shell| shell.file.is_none());
    let commands = shells
        .flat_map(|shell| shell.script.commands.iter().map(move |command| (shell.offset, command)));
    let mut fed = commands.filter(|(_, command)| !command.reads.is_empty());
    fed.find_map(|(offset, command)| {
        let line = command.line + offset;
        let raw = unit.text.lines().nth(line.checked_sub(1)?)?;
        let open = command.reads.iter().map(|read| format!("<{read}>"));
        open.into_iter().find(|word| raw.contains(word)).map(|word| (line, word))
    })
}

/// The first value that is left open in a line.
fn value(line: &str) -> Option<String> {
    let between =
        line.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(inside, _)| inside);
    let mut between = between.filter(|inside| is_open(inside));
    if let Some(inside) = between.next() {
        return Some(format!("<{inside}>"));
    }
    let is_part = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let mut words = line.split(|c: char| !is_part(c));
    words.find(|word| is_value(word)).map(str::to_owned)
}

/// Whether the text between angle brackets stands for a value: `your-domain`, `SERVER_IP`, `insert the address`.
fn is_open(inside: &str) -> bool {
    let small = inside.to_lowercase();
    let asks = ["your", "insert", "replace", "enter ", "fill in"]
        .iter()
        .any(|word| small.starts_with(word));
    let plain = inside.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let named = plain && (inside.contains('_') || NAMES.contains(&inside));
    let short = !inside.is_empty() && inside.len() <= 60;
    short && (named || (asks && inside.chars().all(|c| c.is_alphanumeric() || " _-.'".contains(c))))
}

fn is_value(word: &str) -> bool {
    let small = word.to_lowercase();
    let capitals = |begin: &str| {
        let rest = word.strip_prefix(begin);
        rest.is_some_and(|rest| rest.len() > 2 && !rest.chars().any(|c| c.is_ascii_lowercase()))
    };
    let here = (small.starts_with("your-") || small.starts_with("your_")) && small.len() > 7;
    capitals("YOUR_") || here || PARTS.iter().any(|part| small.contains(part))
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_that_are_left_open_are_found() {
        for line in [
            "server_name <your-domain>;",
            "curl http://<SERVER_IP>:80/",
            "KEY=YOUR_API_KEY",
            "bucket = \"your-bucket-name\"",
            "cp /path/to/app.conf .",
            "password: changeme",
            "listen <IP>",
            "mail <insert the address here>",
        ] {
            assert!(value(line).is_some(), "{line}");
        }
        for line in [
            "Usage: shop <file> [options]",
            "vector<T> a; map<String, i32> b",
            "<VirtualHost *:80>",
            "if a < b && c > d",
            "<body>",
            "echo 'Your server is ready'",
            "name = \"shop-your\"",
            "cat <EOF >a",
            "YOURS=1",
        ] {
            assert_eq!(value(line), None, "{line}");
        }
    }
}
