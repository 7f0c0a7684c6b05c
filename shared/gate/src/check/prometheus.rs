//! Checks configurations of Prometheus and its Alertmanager: queries, times that must fit each other, receivers and the
//! files with rules.

use super::{FILES, error};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.written().collect();
    // cloud-init has its own `groups`.
    let own = |file: &&&Written| is_yaml(file) && !file.text.starts_with("#cloud-config");
    for file in all.iter().filter(own) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        let mut found = Vec::new();
        for document in &documents {
            lists(document, &mut found);
            queries(document, &mut found);
            times(document, &mut found);
            receivers(document, &mut found);
            rules(document, &all, &mut found);
        }
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Fields of Prometheus and Alertmanager that are lists.
const LISTS: [&str; 10] = [
    "alertmanagers",
    "email_configs",
    "groups",
    "receivers",
    "rule_files",
    "rules",
    "scrape_configs",
    "static_configs",
    "targets",
    "webhook_configs",
];

fn lists(document: &Node, found: &mut Mistakes) {
    let own = ["scrape_configs", "groups", "receivers"];
    if !own.iter().any(|key| document.get(key).is_some())
        || document.get("apiVersion").is_some()
        || document.get("exporters").is_some()
    {
        return;
    }
    for entry in document.all().into_iter().flat_map(Node::map) {
        if LISTS.contains(&entry.key.as_str()) && entry.value.is_single() {
            found.push((entry.line, format!("`{}` takes a list, with `- `.", entry.key)));
        }
    }
}

/// `=` in a query outside the braces that choose series: `==` compares.
fn queries(document: &Node, found: &mut Mistakes) {
    if document.get("groups").is_none() {
        return;
    }
    for node in document.all() {
        let Some(query) = node.get("expr") else { continue };
        let (mut bare, mut depth, mut quote) = (String::new(), 0_usize, None);
        for c in query.text().unwrap_or_default().chars() {
            match (quote, c) {
                (Some(end), c) if c == end => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'' | '`') => quote = Some(c),
                (None, '{') => depth += 1,
                (None, '}') => depth = depth.saturating_sub(1),
                (None, c) if depth == 0 => bare.push(c),
                _ => {}
            }
        }
        let rest = ["==", "!=", "<=", ">="].iter().fold(bare, |text, sign| text.replace(sign, ""));
        if rest.contains('=') {
            found.push((query.line, "A query compares with `==`.".to_owned()));
        }
        let text = query.text().unwrap_or_default();
        if !super::playbook::balanced(text) {
            found.push((query.line, format!("A bracket in this query is unmatched: `{text}`.")));
        }
    }
}

/// A time such as `1m30s` in seconds.
fn seconds(text: &str) -> Option<u64> {
    let (mut all, mut rest) = (0, text);
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: u64 = rest.get(..digits)?.parse().ok()?;
        let unit = rest.get(digits..)?;
        let (unit, length) = [("ms", 0), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
            .into_iter()
            .find(|(name, _)| unit.starts_with(name))?;
        all += number * length;
        rest = rest.get(digits + unit.len()..)?;
    }
    Some(all)
}

/// A scrape ends before the next one begins.
fn times(document: &Node, found: &mut Mistakes) {
    let Some(jobs) = document.get("scrape_configs") else { return };
    let global = document.get("global");
    for place in jobs.list().iter().chain(global) {
        let own = |key: &str| place.get(key).or_else(|| global?.get(key));
        let (Some(timeout), interval) = (place.get("scrape_timeout"), own("scrape_interval"))
        else {
            continue;
        };
        let interval = interval.and_then(|node| seconds(node.text()?)).unwrap_or(60);
        if timeout.text().and_then(seconds).is_some_and(|timeout| timeout > interval) {
            let message = "`scrape_timeout` must not be longer than `scrape_interval`.";
            found.push((timeout.line, message.to_owned()));
        }
    }
}

/// Receivers that a route names and that do not exist.
fn receivers(document: &Node, found: &mut Mistakes) {
    let (Some(route), Some(list)) = (document.get("route"), document.get("receivers")) else {
        return;
    };
    let names: Vec<&str> = list.list().iter().filter_map(|node| node.get("name")?.text()).collect();
    for node in route.all() {
        let Some(receiver) = node.get("receiver") else { continue };
        let name = receiver.text().unwrap_or_default();
        if !names.contains(&name) && !name.contains(['{', '$']) {
            found.push((receiver.line, format!("No receiver is named `{name}`.")));
        }
    }
}

/// Patterns for files with rules that fit none of those in the same folder.
fn rules(document: &Node, all: &[&Written], found: &mut Mistakes) {
    for node in document.get("rule_files").map(Node::list).unwrap_or_default() {
        let text = node.text().unwrap_or_default();
        let Some((folder, pattern)) = text.rsplit_once('/') else { continue };
        let Some((begin, end)) = pattern.split_once('*').filter(|_| !folder.contains('*')) else {
            continue;
        };
        let mut beside = all
            .iter()
            .filter(|file| file.folder() == folder && file.text.contains("groups:"))
            .peekable();
        let none = beside.peek().is_some()
            && !beside.any(|file| file.name().starts_with(begin) && file.name().ends_with(end));
        if none {
            found.push((node.line, format!("No file with rules in {folder} matches `{pattern}`.")));
        }
    }
}
