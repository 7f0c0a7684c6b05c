//! Finds fields that Prometheus, its Alertmanager and Grafana refuse, and times that they cannot read.

use super::spelling::nearest;
use super::values::units_of;
use super::{FILES, error};
use crate::Unit;
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use domain::gate::Finding;

const TABLE: &str = include_str!("fields.txt");

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        for document in documents.iter().filter(|_| is_compose(file)) {
            for (line, message) in flags(document) {
                findings.push(error(FILES, message).at(Some(&file.path), line));
            }
        }
        for document in &documents {
            let Some(program) = program(document) else { continue };
            let mut found = Vec::new();
            fields(document, program, program, &mut found);
            if program != "grafana" {
                times(document, &mut found);
            }
            for (line, message) in found {
                findings.push(error(FILES, message).at(Some(&file.path), line));
            }
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Options of Prometheus whose names have parts; it knows no other separators, and no beginnings of names.
const FLAGS: [&str; 14] = [
    "config.file",
    "log.format",
    "log.level",
    "query.lookback-delta",
    "query.max-concurrency",
    "query.timeout",
    "storage.tsdb.path",
    "storage.tsdb.retention.size",
    "storage.tsdb.retention.time",
    "web.config.file",
    "web.enable-lifecycle",
    "web.external-url",
    "web.listen-address",
    "web.route-prefix",
];

/// Options of a container with Prometheus that are nearly the right ones: `--config`, `--config-file`.
fn flags(document: &Node) -> Mistakes {
    let mut found = Vec::new();
    for service in document.get("services").map(Node::map).unwrap_or_default() {
        let image = service.value.get("image").and_then(Node::text).unwrap_or_default();
        let name = image.split([':', '@']).next().and_then(|image| image.rsplit('/').next());
        if name != Some("prometheus") {
            continue;
        }
        for word in service.value.get("command").map(Node::list).unwrap_or_default() {
            let option = word.text().and_then(|text| text.strip_prefix("--"));
            let Some(option) = option.and_then(|text| text.split('=').next()) else { continue };
            let dotted = |text: &str| text.replace(['-', '_'], ".");
            let near = FLAGS.iter().find(|flag| {
                flag.starts_with(&format!("{option}.")) || dotted(flag) == dotted(option)
            });
            // `--storage.tsdb.retention` was an option, too.
            let known = FLAGS.contains(&option) || option == "storage.tsdb.retention";
            let message =
                |flag| format!("Prometheus has no option `--{option}`, but it has `--{flag}`.");
            found.extend(near.filter(|_| !known).map(|flag| (word.line, message(flag))));
        }
    }
    found
}

/// The program whose configuration a document is.
fn program(document: &Node) -> Option<&'static str> {
    let has = |key: &str| document.get(key).is_some();
    let list = |key: &str| document.get(key).is_some_and(|node| !node.list().is_empty());
    let version = document.get("apiVersion").and_then(Node::text);
    if version == Some("1") && (has("datasources") || has("providers")) {
        Some("grafana")
    } else if version.is_some() {
        None
    } else if list("scrape_configs") && !has("positions") && !has("clients") && !has("server") {
        Some("prometheus")
    } else if has("route") && list("receivers") {
        Some("alertmanager")
    } else {
        let groups = document.get("groups").map(Node::list).unwrap_or_default();
        let rule = |rule: &Node| rule.get("expr").is_some();
        let rules =
            |group: &Node| group.get("rules").is_some_and(|rules| rules.list().iter().any(rule));
        groups.iter().any(rules).then_some("ruler")
    }
}

fn table(name: &str) -> Vec<&'static str> {
    let line = TABLE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let words = line.map(|line| line.split(' ').collect()).unwrap_or_default();
    expanded(words)
}

fn expanded(words: Vec<&'static str>) -> Vec<&'static str> {
    let client = words.contains(&"+http");
    words.into_iter().chain(if client { table("http") } else { Vec::new() }).collect()
}

/// Fields that a mapping does not take, there and below.
fn fields(node: &Node, program: &str, holder: &str, found: &mut Mistakes) {
    for item in node.list() {
        fields(item, program, holder, found);
    }
    let own = if holder == program { program.to_owned() } else { format!("{program}.{holder}") };
    let known =
        [own, format!("any.{holder}")].iter().map(|name| table(name)).find(|it| !it.is_empty());
    let known = known.unwrap_or_default();
    for entry in node.map() {
        let key = entry.key.as_str();
        let ends = |word: &&str| word.strip_prefix('*').is_some_and(|end| key.ends_with(end));
        let judged = !known.is_empty() && !key.starts_with("x-") && key != "<<" && key != "x";
        if judged && !known.contains(&key) && !known.iter().any(ends) {
            let near = nearest(key, &known).map(|near| format!("; `{near}` is close"));
            let near = near.unwrap_or_default();
            found.push((entry.line, format!("`{holder}` has no field `{key}`{near}.")));
        }
        fields(&entry.value, program, key, found);
    }
}

/// Fields that take a time.
const TIMES: [&str; 12] = [
    "evaluation_interval",
    "for",
    "group_interval",
    "group_wait",
    "interval",
    "keep_firing_for",
    "refresh_interval",
    "remote_timeout",
    "repeat_interval",
    "resolve_timeout",
    "scrape_interval",
    "scrape_timeout",
];

fn times(document: &Node, found: &mut Mistakes) {
    for entry in document.all().into_iter().flat_map(Node::map) {
        let Some(value) = entry.value.text().filter(|_| TIMES.contains(&entry.key.as_str())) else {
            continue;
        };
        let open = value.is_empty() || value.contains(['x', '{', '$']);
        if !open && !is_time(value) {
            let message =
                format!("`{}` takes a time such as `15s` or `1h30m`, not `{value}`.", entry.key);
            found.push((entry.line, message));
        }
    }
}

/// Whether a text is a time of Prometheus: numbers with units, from the longest to the shortest.
fn is_time(text: &str) -> bool {
    let mut units = ["y", "w", "d", "h", "m", "s", "ms"].iter();
    let found = units_of(text).filter(|_| !text.contains('.')).unwrap_or_default();
    text == "0" || (!found.is_empty() && found.iter().all(|unit| units.any(|known| known == unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<usize> {
        let documents = yaml::documents(text).unwrap();
        let mut found = Vec::new();
        let program = program(&documents[0]).unwrap();
        fields(&documents[0], program, program, &mut found);
        times(&documents[0], &mut found);
        found.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn options_of_prometheus_have_their_whole_names() {
        for (option, count) in [
            ("--config=/a.yml", 1),
            ("--config-file=/a.yml", 1),
            ("--storage.tsdb.retention-time=9d", 1),
            ("--config.file=/a.yml", 0),
            ("--storage.tsdb.retention=9d", 0),
            ("--web.cors.origin=b", 0),
        ] {
            let text = format!(
                "services:\n  a:\n    image: prom/prometheus:v3.1.0\n    command: [\"{option}\"]\n"
            );
            assert_eq!(flags(&yaml::documents(&text).unwrap()[0]).len(), count, "{option}");
        }
    }

    #[test]
    fn fields_and_times_must_be_ones_of_the_program() {
        for (text, lines) in [
            ("global:\n  eval_interval: 30s\nscrape_configs:\n  - job_name: a\n", vec![2]),
            ("scrape_configs:\n  - job: a\n    static_configs:\n      - target: [b]\n", vec![2, 4]),
            ("scrape_configs:\n  - job_name: a\n    scrape_interval: 15 seconds\n", vec![3]),
            (
                "route:\n  receiver: a\n  group_wait: 30\nreceivers:\n  - name: a\n    mail_configs: []\n",
                vec![6, 3],
            ),
            (
                "groups:\n  - name: a\n    rules:\n      - alert: B\n        expr: up == 0\n        forr: 5m\n",
                vec![6],
            ),
            ("apiVersion: 1\ndatasources:\n  - name: a\n    urls: b\n", vec![4]),
            (
                "scrape_configs:\n  - job_name: a\n    scrape_interval: 1m30s\n    ec2_sd_configs: []\n    basic_auth: {username: a, password_file: b}\n    static_configs:\n      - labels: {anything: b}\n        targets: []\n",
                vec![],
            ),
            (
                "route: {receiver: a, group_by: [b], repeat_interval: 1d, routes: [{matchers: [c]}]}\nreceivers:\n  - name: a\n    webhook_configs: [{url: b}]\n",
                vec![],
            ),
        ] {
            assert_eq!(said(text), lines, "{text}");
        }
    }
}
