//! Finds names in files of services and pipelines that refer to nothing in the same file.

use super::config::{is_haproxy, is_nginx, is_schedule};
use super::{error, peers};
use crate::yaml::{self, Entry, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let services = peers::services(unit);
    for file in unit.written() {
        // nginx joins the files of a folder.
        let beside: Vec<&str> = unit
            .tree
            .iter()
            .chain(&unit.there)
            .flat_map(|file| file.text.lines())
            .filter_map(|line| line.trim().strip_prefix("upstream ")?.split([' ', '{']).next())
            .collect();
        let found = servers(file, &beside, services.is_empty())
            .into_iter()
            .chain(pipeline(file))
            .chain(conditions(file));
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Groups of servers behind nginx and HAProxy. A name may be a host's, so it counts only beside a group that nothing uses;
/// on a server without containers (`alone`), also beside any group, because its hosts have names with dots.
fn servers(file: &Written, beside: &[&str], alone: bool) -> Mistakes {
    let has = |start: &str| file.text.lines().any(|line| line.starts_with(start));
    let haproxy = has("backend ") && (has("frontend ") || has("listen "));
    if !haproxy && !is_nginx(file) {
        return Vec::new();
    }
    let (mut groups, mut uses): (Vec<String>, Vec<(usize, String)>) = (Vec::new(), Vec::new());
    for (at, line) in file.filled().lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [first, name, ..] = words.as_slice() else { continue };
        match *first {
            "upstream" => groups.push((*name).to_owned()),
            "backend" | "listen" if haproxy => groups.push((*name).to_owned()),
            "default_backend" | "use_backend" if haproxy => uses.push((at + 1, (*name).to_owned())),
            "proxy_pass" | "fastcgi_pass" | "grpc_pass" | "uwsgi_pass" => {
                let host = name.split_once("://").map_or(*name, |(_, host)| host);
                let host = host.split(['/', ';']).next().unwrap_or_default();
                uses.push((at + 1, host.to_owned()));
            }
            _ => {}
        }
    }
    let open = |name: &str| name.contains(['.', ':', '$', '{', '%', '[']) || name == "localhost";
    let idle = groups.iter().find(|group| !uses.iter().any(|(_, name)| name == *group));
    if idle.is_none() && (groups.is_empty() || !alone) {
        return Vec::new();
    }
    if uses.iter().any(|(_, name)| name.contains(['$', '{', '%'])) {
        return Vec::new();
    }
    let known = |name: &str| groups.iter().any(|group| group == name) || beside.contains(&name);
    let lost = uses.into_iter().filter(|(_, name)| !open(name) && !known(name));
    let unused = idle.map(|idle| format!(", and nothing uses `{idle}`")).unwrap_or_default();
    lost.map(|(line, name)| (line, format!("No group of servers is named `{name}` here{unused}.")))
        .collect()
}

/// Conditions of HAProxy that no `acl` declares. Those in capitals are HAProxy's own.
fn conditions(file: &Written) -> Mistakes {
    let text = file.filled();
    if !is_haproxy(file) {
        return Vec::new();
    }
    let second = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    let declared: Vec<String> =
        text.lines().filter(|line| line.trim().starts_with("acl ")).filter_map(second).collect();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        let condition = [" if ", " unless "].iter().find_map(|word| line.split_once(word));
        // Neither a comment nor a statement of a template has a condition.
        let other = line.starts_with("acl ") || line.starts_with(['#', '{']);
        let Some((_, condition)) = condition.filter(|_| !other) else {
            continue;
        };
        let mut anonymous = false;
        for word in condition.split_whitespace() {
            let name = word.trim_start_matches('!');
            match name {
                "{" => anonymous = true,
                "}" => anonymous = false,
                "or" | "||" | "and" | "" => {}
                _ if anonymous || name.chars().all(|c| !c.is_ascii_lowercase()) => {}
                _ if name.contains(['$', '{', '%', '"']) => break,
                _ if !declared.iter().any(|one| one == name) => {
                    found.push((at + 1, format!("No `acl` here declares `{name}`.")));
                }
                _ => {}
            }
        }
    }
    found
}

/// The keys of a workflow, of its jobs and of their steps, from GitHub's reference.
const WORKFLOW: [&str; 8] =
    ["concurrency", "defaults", "env", "jobs", "name", "on", "permissions", "run-name"];
const JOB: [&str; 19] = [
    "concurrency",
    "container",
    "continue-on-error",
    "defaults",
    "env",
    "environment",
    "if",
    "name",
    "needs",
    "outputs",
    "permissions",
    "runs-on",
    "secrets",
    "services",
    "steps",
    "strategy",
    "timeout-minutes",
    "uses",
    "with",
];
const STEP: [&str; 10] = [
    "continue-on-error",
    "env",
    "id",
    "if",
    "name",
    "run",
    "shell",
    "timeout-minutes",
    "uses",
    "with",
];

fn pipeline(file: &Written) -> Mistakes {
    if !file.is_workflow() {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let (mut found, mut late) = (Vec::new(), Vec::new());
    let mut judge = |entries: &[Entry], known: &[&str], what: &str| {
        let odd = |entry: &&Entry| {
            let key = entry.key.as_str();
            !known.contains(&key) && key != "<<" && key != "working-directory" && key != "snapshot"
        };
        let odd = entries.iter().filter(odd);
        found
            .extend(odd.map(|entry| (entry.line, format!("A {what} has no key `{}`.", entry.key))));
    };
    for document in &documents {
        judge(document.map(), &WORKFLOW, "workflow");
        let times = document.get("on").and_then(|on| on.get("schedule"));
        for node in times.map(Node::list).unwrap_or_default() {
            let Some(cron) = node.get("cron") else { continue };
            let fields: Vec<&str> = cron.text().unwrap_or_default().split_whitespace().collect();
            if !is_schedule(&fields) {
                late.push((cron.line, "GitHub cannot read this schedule.".to_owned()));
            }
        }
        let jobs = document.get("jobs").map(Node::map).unwrap_or_default();
        for job in jobs {
            judge(job.value.map(), &JOB, "job");
            for step in job.value.get("steps").map(Node::list).unwrap_or_default() {
                judge(step.map(), &STEP, "step");
            }
        }
    }
    found.extend(late);
    found
}
