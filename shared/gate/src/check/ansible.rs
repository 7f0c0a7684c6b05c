//! Checks Ansible's files: modules and their arguments, handlers, variables.

use super::error;
use super::names;
use crate::tasks::{Task, documents, tasks};
use crate::yaml::{Node, Value};
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeMap;

const TOOL: &str = "ansible";

/// The modules that come with ansible-core 2.19 and their arguments, from `ansible-doc`.
const MODULES: &str = include_str!("modules.txt");

/// Modules that take any argument, or a text in their own format.
const FREE: [&str; 8] =
    ["add_host", "command", "group_by", "meta", "raw", "script", "set_fact", "shell"];

/// Modules of other collections that many playbooks use, from the documentation in ansible 12.3.
const COLLECTIONS: &str = include_str!("collections.txt");

fn arguments(module: &str) -> Option<Vec<&'static str>> {
    let table = if module.contains('.') { COLLECTIONS } else { MODULES };
    table.lines().find_map(|line| {
        let (name, rest) = line.split_once(": ")?;
        (name == module).then(|| rest.split(' ').collect())
    })
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let handlers = handlers(unit);
    for file in &unit.files {
        if let Some(documents) = documents(file) {
            for task in tasks(&documents, file) {
                module(file, &task, findings);
                notified(unit, file, &task, &handlers, findings);
            }
            plays(file, &documents, findings);
        }
    }
    names::examine(unit, findings);
}

/// The keys of a play.
const PLAY: [&str; 36] = [
    "any_errors_fatal",
    "become",
    "become_exe",
    "become_flags",
    "become_method",
    "become_user",
    "check_mode",
    "collections",
    "connection",
    "debugger",
    "diff",
    "environment",
    "fact_path",
    "force_handlers",
    "gather_facts",
    "gather_subset",
    "gather_timeout",
    "handlers",
    "hosts",
    "ignore_errors",
    "ignore_unreachable",
    "max_fail_percentage",
    "module_defaults",
    "name",
    "no_log",
    "order",
    "port",
    "post_tasks",
    "pre_tasks",
    "remote_user",
    "roles",
    "run_once",
    "serial",
    "strategy",
    "tags",
    "tasks",
];
const PLAY_MORE: [&str; 5] = ["throttle", "timeout", "vars", "vars_files", "vars_prompt"];

fn plays(file: &Written, documents: &[Node], findings: &mut Vec<Finding>) {
    for play in documents.iter().flat_map(Node::list).filter(|item| item.get("hosts").is_some()) {
        for entry in play.map() {
            let key = entry.key.as_str();
            if !PLAY.contains(&key) && !PLAY_MORE.contains(&key) {
                let message = format!("`{key}` is not a keyword of a play.");
                findings.push(error(TOOL, message).at(Some(&file.path), entry.line));
            }
        }
    }
}

fn module(file: &Written, task: &Task, findings: &mut Vec<Finding>) {
    let mut tell = |line, message: String| {
        findings.push(error(TOOL, message).at(Some(&file.path), line));
    };
    let action = ["action", "local_action"].iter().any(|key| task.node.get(key).is_some());
    match task.modules.as_slice() {
        [] if action => return,
        [] => return tell(task.node.line, "This task names no module.".into()),
        [_] => {}
        several => {
            let known = |entry: &&&crate::yaml::Entry| {
                let key = entry.key.trim_start_matches("ansible.builtin.");
                key.contains('.') || arguments(key).is_some()
            };
            let odd = several.iter().find(|entry| !known(entry)).or(several.last());
            let Some(odd) = odd else { return };
            return tell(
                odd.line,
                format!("`{}` is not a keyword of a task, which already has a module.", odd.key),
            );
        }
    }
    let Some((name, given)) = task.module() else { return };
    let Some(line) = task.modules.first().map(|entry| entry.line) else { return };
    if FREE.contains(&name) || (name.contains('.') && arguments(name).is_none()) {
        free(name, given, &mut tell);
        if let Some(args) = task.node.get("args") {
            free(name, args, &mut tell);
        }
        return;
    }
    if let Some((line, message)) = state(name, given) {
        tell(line, message);
    }
    let Some(allowed) = arguments(name) else {
        return tell(
            line,
            format!(
                "`{name}` is not a module of ansible.builtin. Name its collection, and install that."
            ),
        );
    };
    if let Some(message) = missing(name, task, given) {
        tell(line, message);
    }
    // These hand their arguments to the module of the system.
    let systems = match name {
        "package" => ["apt", "dnf"],
        "service" => ["systemd_service", "sysvinit"],
        _ => ["", ""],
    };
    let allowed: Vec<&str> = allowed
        .into_iter()
        .chain(systems.iter().filter_map(|it| arguments(it)).flatten())
        .collect();
    for (argument, line) in given_arguments(given) {
        if !allowed.contains(&argument.as_str()) {
            tell(line, format!("`{argument}` is not an argument of `{name}`."));
        }
    }
    let args = task.node.get("args").map(Node::map).unwrap_or_default();
    for entry in args.iter().filter(|entry| !allowed.contains(&entry.key.as_str())) {
        tell(entry.line, format!("`{}` is not an argument of `{name}`.", entry.key));
    }
}

/// Arguments that a module needs; `|` separates the names of one.
const NEEDED: [(&str, &[&str]); 26] = [
    ("apt_repository", &["repo"]),
    ("blockinfile", &["path|dest|destfile|name"]),
    ("authorized_key", &["user", "key"]),
    ("copy", &["dest", "src|content"]),
    ("cron", &["name|special_time"]),
    ("debconf", &["name|pkg"]),
    ("fetch", &["src", "dest"]),
    ("file", &["path|dest|name"]),
    ("get_url", &["url", "dest"]),
    ("getent", &["database"]),
    ("git", &["repo|name", "dest"]),
    ("group", &["name"]),
    ("hostname", &["name"]),
    ("include_role", &["name"]),
    ("known_hosts", &["name|host"]),
    ("lineinfile", &["path|dest|destfile|name"]),
    ("replace", &["path|dest|destfile|name", "regexp"]),
    ("service", &["name"]),
    ("slurp", &["src|path"]),
    ("mount", &["path|name"]),
    ("stat", &["path|dest|name"]),
    ("sysctl", &["name|key"]),
    ("template", &["dest", "src"]),
    ("unarchive", &["dest", "src"]),
    ("uri", &["url"]),
    ("user", &["name|user"]),
];

/// An argument that a module needs and does not get.
fn missing(name: &str, task: &Task, given: &Node) -> Option<String> {
    let (_, needed) = NEEDED.iter().find(|(module, _)| *module == name)?;
    let defaults = task.node.get("args").is_some() || task.node.get("module_defaults").is_some();
    // A text may come from a template as a whole.
    if defaults || given.map().is_empty() || given.get("<<").is_some() {
        return None;
    }
    // systemd reads all units again.
    if name == "service" && given.get("daemon_reload").is_some() {
        return None;
    }
    let missing =
        needed.iter().find(|names| !names.split('|').any(|name| given.get(name).is_some()))?;
    let first = missing.split('|').next().unwrap_or_default();
    Some(format!("`{name}` needs the argument `{first}`."))
}

/// The values of `state` that each module takes.
const STATES: [(&str, &[&str]); 9] = [
    ("apt", &["absent", "build-dep", "fixed", "installed", "latest", "present", "removed"]),
    ("cron", &["absent", "present"]),
    ("file", &["absent", "directory", "file", "hard", "link", "touch"]),
    ("group", &["absent", "present"]),
    ("lineinfile", &["absent", "present"]),
    ("service", &["reloaded", "restarted", "started", "stopped"]),
    ("systemd", &["reloaded", "restarted", "started", "stopped"]),
    ("systemd_service", &["reloaded", "restarted", "started", "stopped"]),
    ("user", &["absent", "present"]),
];

/// A `state` that its module does not take.
fn state(name: &str, given: &Node) -> Option<(usize, String)> {
    let (_, states) = STATES.iter().find(|(module, _)| *module == name)?;
    let node = given.get("state")?;
    let state = node.text().filter(|text| !text.contains("{{") && !text.contains('$'))?;
    let message =
        format!("`{name}` does not take `state: {state}`. It takes {}.", states.join(", "));
    (!states.contains(&state)).then_some((node.line, message))
}

/// The arguments of `command` and similar modules, if they are given one by one.
fn free(name: &str, given: &Node, tell: &mut impl FnMut(usize, String)) {
    let Some(allowed) = arguments(name).filter(|_| ["command", "shell", "script"].contains(&name))
    else {
        return;
    };
    for entry in given.map().iter().filter(|entry| !allowed.contains(&entry.key.as_str())) {
        tell(entry.line, format!("`{}` is not an argument of `{name}`.", entry.key));
    }
}

/// Names of arguments, including those of `name=value` in one line.
fn given_arguments(given: &Node) -> Vec<(String, usize)> {
    match &given.value {
        Value::Map(entries) => {
            entries.iter().map(|entry| (entry.key.clone(), entry.line)).collect()
        }
        Value::Scalar(text) => {
            let words = text.split_whitespace().filter_map(|word| word.split_once('='));
            let plain = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let names = words.map(|(name, _)| name).filter(plain);
            names.map(|name| (name.to_owned(), given.line)).collect()
        }
        _ => Vec::new(),
    }
}

/// Where the handlers of a name are: the file, and the line of the play; a role's handlers have no such line.
type Handlers = BTreeMap<String, Vec<(String, Option<usize>)>>;

/// The names to which handlers respond, in all known files.
fn handlers(unit: &Unit) -> Handlers {
    let mut names = Handlers::new();
    for file in &unit.tree {
        let Some(documents) = documents(file) else { continue };
        // Nothing reads `roles/web/tasks/handlers.yml` as handlers.
        let among_tasks = file.path.contains("roles/") && file.path.contains("/tasks/");
        let in_file = file.name().contains("handler") && !among_tasks;
        for task in tasks(&documents, file).iter().filter(|task| task.handler || in_file) {
            let own = task.node.get("name").and_then(Node::text).map(str::to_owned);
            let listens = task.node.get("listen").into_iter().flat_map(texts);
            for name in own.into_iter().chain(listens) {
                names.entry(name).or_default().push((file.path.clone(), task.play));
            }
        }
    }
    names
}

/// One text or a list of them.
fn texts(node: &Node) -> Vec<String> {
    let one = node.text().map(str::to_owned).into_iter();
    one.chain(node.list().iter().filter_map(|item| item.text().map(str::to_owned))).collect()
}

fn notified(
    unit: &Unit,
    file: &Written,
    task: &Task,
    handlers: &Handlers,
    findings: &mut Vec<Finding>,
) {
    // Handlers of an external role are not known.
    if ["ansible-galaxy install", "ansible-galaxy role"].iter().any(|gets| unit.text.contains(gets))
    {
        return;
    }
    let Some(notify) = task.node.get("notify") else { return };
    for name in texts(notify) {
        let role = name.rsplit_once(" : ").map_or(name.as_str(), |(_, handler)| handler);
        if name.contains("{{") {
            continue;
        }
        let homes = handlers.get(role).map(Vec::as_slice).unwrap_or_default();
        let visible = |(path, play): &(String, Option<usize>)| {
            play.is_none() || task.play.is_none() || (*path == file.path && *play == task.play)
        };
        let message = match homes {
            [] => format!("No handler is named `{name}`, so this change would notify nothing."),
            homes if homes.iter().any(visible) => continue,
            _ => format!("The handler `{name}` belongs to another play: add it to this one."),
        };
        findings.push(error(TOOL, message).at(Some(&file.path), notify.line));
    }
}
