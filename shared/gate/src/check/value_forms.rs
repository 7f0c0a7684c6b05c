//! Finds values of YAML in a form that their reader does not expect: a mapping or a list of variables against the loops
//! and templates that use it, numbers where a module wants texts, text that lost the sign of its block, and versions of
//! charts.

use super::{FILES, error, task_documents, tasks};
use crate::places::is_yaml;
use crate::yaml::{self, Node, Value};
use crate::{Unit, Written};
use domain::gate::Finding;

type Mistakes = Vec<(usize, String)>;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    for file in unit.written().filter(|file| is_yaml(file)) {
        let found = [
            variables(file, &texts),
            environment(file),
            keywords(file),
            folded(file),
            rules(file),
            chart(file),
        ];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// The variables that a file of Ansible gives: those of a role or a group, and those of plays.
fn given(file: &Written) -> Vec<(String, Node)> {
    let folders = ["defaults", "group_vars", "host_vars", "vars"];
    let placed = file.path.split('/').any(|part| folders.contains(&part));
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let plays = documents.iter().flat_map(Node::list).filter_map(|play| play.get("vars"));
    let whole = documents.iter().filter(|_| placed);
    let entries = plays.chain(whole).flat_map(Node::map);
    entries.map(|entry| (entry.key.clone(), entry.value.clone())).collect()
}

/// Lists that a template or a loop takes for a mapping, and mappings that a loop takes for a list.
fn variables(file: &Written, texts: &[&str]) -> Mistakes {
    let mut found = Vec::new();
    let used = |sign: &str| {
        texts.iter().any(|text| {
            text.match_indices(sign).any(|(at, _)| {
                !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "_.".contains(c))
            })
        })
    };
    for (name, value) in given(file) {
        let sign = |end: &str| used(&format!("{name}{end}"));
        match &value.value {
            Value::List(_)
                if [".items()", ".keys()", ".values()", " | dict2items", "|dict2items"]
                    .iter()
                    .any(|end| sign(end)) =>
            {
                let message = format!("`{name}` is used as a mapping, but this is a list.");
                found.push((value.line, message));
            }
            Value::Map(entries)
                if !entries.is_empty()
                    && ["loop: \"{{ ", "loop: '{{ ", "with_items: \"{{ "].iter().any(|start| {
                        texts.iter().any(|text| text.contains(&format!("{start}{name} }}}}")))
                    }) =>
            {
                let message = format!("A loop uses `{name}` as a list, but this is a mapping.");
                found.push((value.line, message));
            }
            _ => {}
        }
    }
    found
}

/// Modules that refuse variables of a container's environment that are not strings.
const CONTAINERS: [&str; 3] = [
    "community.docker.docker_container",
    "docker_container",
    "community.docker.docker_container_exec",
];

fn environment(file: &Written) -> Mistakes {
    let documents = task_documents(file).unwrap_or_default();
    let mut found = Vec::new();
    for (module, given) in tasks(&documents, file).iter().filter_map(|task| task.module()) {
        let given = given.get("env").filter(|_| CONTAINERS.contains(&module));
        for entry in given.map(Node::map).unwrap_or_default() {
            if entry.value.is_not_text() {
                let text = entry.value.text().unwrap_or_default();
                let message = format!("The value of a variable is a string: `\"{text}\"`.");
                found.push((entry.line, message));
            }
        }
    }
    found
}

/// Keys of plays and tasks that are true or false, and those that are numbers.
const TRUTHS: [&str; 8] = [
    "any_errors_fatal",
    "become",
    "check_mode",
    "force_handlers",
    "gather_facts",
    "ignore_errors",
    "no_log",
    "run_once",
];
const NUMBERS: [&str; 5] = ["async", "delay", "poll", "retries", "throttle"];

/// Words where Ansible wants a truth value or a number.
fn keywords(file: &Written) -> Mistakes {
    let documents = task_documents(file).unwrap_or_default();
    let plays = documents.iter().flat_map(Node::list);
    let tasks = tasks(&documents, file);
    let mut found = Vec::new();
    for node in plays.chain(tasks.iter().map(|task| task.node)) {
        for entry in node.map() {
            let Some(text) = entry.value.text().filter(|it| !it.contains('{') && *it != "x") else {
                continue;
            };
            let words = ["true", "false", "yes", "no", "on", "off", "0", "1", "y", "n"];
            let truth = words.contains(&text.to_lowercase().as_str());
            let key = entry.key.as_str();
            if TRUTHS.contains(&key) && !truth {
                found.push((entry.line, format!("`{key}` takes `true` or `false`, not `{text}`.")));
            } else if NUMBERS.contains(&key) && text.parse::<f64>().is_err() {
                found.push((entry.line, format!("`{key}` takes a number, not `{text}`.")));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Parts of Prometheus' rules and settings that are mappings.
fn rules(file: &Written) -> Mistakes {
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let mut found = Vec::new();
    let mut judge = |node: &Node, key: &str| {
        let Some(value) = node.get(key) else { return };
        let text = value.text().is_some_and(|text| !text.is_empty() && !text.contains(['{', '$']));
        if !value.list().is_empty() || text {
            found.push((value.line, format!("`{key}` takes a mapping: `name: value`.")));
        }
    };
    for document in &documents {
        if document.get("scrape_configs").is_some() {
            judge(document, "global");
            judge(document, "alerting");
        }
        let groups = document.get("groups").map(Node::list).unwrap_or_default();
        for rule in groups.iter().filter_map(|group| group.get("rules")).flat_map(Node::list) {
            if rule.get("expr").is_some() {
                judge(rule, "labels");
                judge(rule, "annotations");
            }
        }
    }
    found
}

/// Keys of texts with several lines.
const TEXTS: [&str; 10] =
    ["block", "body", "cmd", "content", "inline", "run", "script", "shell", "source", "user_data"];

/// Lines of a text that YAML joins to one, because `|` is missing.
fn folded(file: &Written) -> Mistakes {
    let text = file.filled();
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim_start().trim_start_matches("- ").trim_end();
        let key = bare.strip_suffix(':').map(|key| key.rsplit('.').next().unwrap_or(key));
        if !key.is_some_and(|key| TEXTS.contains(&key)) {
            continue;
        }
        let own = depth(line) + if line.trim_start().starts_with("- ") { 2 } else { 0 };
        let inner: Vec<&&str> = lines
            .iter()
            .skip(at + 1)
            .take_while(|line| line.trim().is_empty() || depth(line) > own)
            .filter(|line| !line.trim().is_empty())
            .collect();
        let plain = |line: &&&str| {
            let line = line.trim();
            let mapping = line.ends_with(':') || line.contains(": ");
            !mapping && !line.starts_with(['-', '#', '"', '\'', '{', '[', '|', '>', '&', '*', '!'])
        };
        if inner.len() > 1 && inner.iter().all(plain) {
            let message = "YAML joins these lines into one: put `|` after the colon.";
            found.push((at + 1, message.to_owned()));
        }
    }
    if file.text.starts_with("#cloud-config") {
        let documents = yaml::documents(&text).unwrap_or_default();
        let files = documents.iter().filter_map(|it| it.get("write_files")).flat_map(Node::list);
        for content in files.filter_map(|file| file.get("content")) {
            if content.text().is_none() {
                found.push((content.line, "`content` takes a string: put `|` after it.".into()));
            }
        }
    }
    found
}

/// Versions of a chart of Helm, which are texts of three numbers.
fn chart(file: &Written) -> Mistakes {
    if file.name() != "Chart.yaml" {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let mut found = Vec::new();
    for document in &documents {
        for key in ["appVersion", "description", "name", "version"] {
            let Some(value) = document.get(key).filter(|value| value.is_not_text()) else {
                continue;
            };
            let text = value.text().unwrap_or_default();
            found.push((
                value.line,
                format!("Helm needs a string as `{key}`: `{text}` is a number."),
            ));
        }
        let version = document.get("version").filter(|value| !value.is_not_text());
        let Some((line, text)) = version.and_then(|it| Some((it.line, it.text()?))) else {
            continue;
        };
        let core = text.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default();
        let numbers = core.split('.').all(|part| part.parse::<u32>().is_ok());
        if !numbers && !text.contains(['{', '$', 'x']) {
            found.push((line, format!("A chart's version has the form `1.2.3`, not `{text}`.")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_have_the_form_that_is_read() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let list = "cat >roles/a/defaults/main.yml <<'E'\nteams:\n  - ops: a\nE\n";
        let map = "cat >roles/a/defaults/main.yml <<'E'\nteams:\n  ops: a\nE\n";
        let template =
            "cat >roles/a/templates/a.j2 <<'E'\n{% for a, b in teams.items() %}{% endfor %}\nE\n";
        let over = "cat >roles/a/tasks/main.yml <<'E'\n- ansible.builtin.debug:\n    msg: \"{{ item }}\"\n  loop: \"{{ teams }}\"\nE\n";
        let dict = over.replace("teams }}", "teams | dict2items }}");
        let box_ = "cat >a.yml <<'E'\n- hosts: a\n  tasks:\n    - community.docker.docker_container:\n        name: a\n        env:\n          A: VALUE\nE\n";
        let boot = "cat >a.yaml <<'E'\n#cloud-config\nwrite_files:\n  - path: /etc/a\n    content:SIGN\n      a = 1\n      b = 2\nE\n";
        let alert = "cat >rules.yml <<'E'\ngroups:\n  - name: a\n    rules:\n      - alert: A\n        expr: up == 0\n        labels:\n          VALUE\nE\n";
        let chart = "cat >Chart.yaml <<'E'\napiVersion: v2\nname: a\nversion: VERSION\nE\n";
        for (text, count) in [
            (format!("{list}{template}"), 1),
            (format!("{map}{template}"), 0),
            (format!("{list}{over}"), 0),
            (format!("{map}{over}"), 1),
            (format!("{map}{dict}"), 0),
            (format!("{list}{dict}"), 1),
            (box_.replace("VALUE", "4"), 1),
            (box_.replace("VALUE", "\"4\""), 0),
            (box_.replace("VALUE", "info"), 0),
            (boot.replace("SIGN", ""), 1),
            (boot.replace("SIGN", " |"), 0),
            (boot.replace("SIGN", "").replace("a = 1\n      b = 2", "a: 1"), 1),
            (over.replace("  loop:", "  become: yess\n  loop:"), 1),
            (over.replace("  loop:", "  become: yes\n  retries: 3\n  loop:"), 0),
            (over.replace("  loop:", "  retries: three\n  loop:"), 1),
            (alert.replace("VALUE", "severity page"), 1),
            (alert.replace("VALUE", "severity: page"), 0),
            (chart.replace("VERSION", "0.1"), 1),
            (chart.replace("VERSION", "latest"), 1),
            (chart.replace("VERSION", "0.1.0"), 0),
            (chart.replace("VERSION", "1.2.3-rc.1+b"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
