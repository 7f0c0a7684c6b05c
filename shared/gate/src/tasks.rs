//! The tasks of Ansible's files.

use crate::Written;
use crate::places::{is_playbook, is_yaml};
use crate::yaml::{self, Entry, Node, Value};

/// The keys of a task, block or handler besides its module.
const KEYWORDS: [&str; 48] = [
    "action",
    "always",
    "any_errors_fatal",
    "args",
    "async",
    "become",
    "become_exe",
    "become_flags",
    "become_method",
    "become_user",
    "block",
    "changed_when",
    "check_mode",
    "collections",
    "connection",
    "debugger",
    "delay",
    "delegate_facts",
    "delegate_to",
    "diff",
    "environment",
    "failed_when",
    "gather_facts",
    "ignore_errors",
    "ignore_unreachable",
    "listen",
    "local_action",
    "loop",
    "loop_control",
    "module_defaults",
    "name",
    "no_log",
    "notify",
    "poll",
    "port",
    "register",
    "remote_user",
    "rescue",
    "retries",
    "run_once",
    "tags",
    "throttle",
    "timeout",
    "until",
    "vars",
    "when",
    "loop_with",
    "strategy",
];

/// A task.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) node: &'a Node,
    /// Its keys that are not keywords: the module, if the task is correct.
    pub(crate) modules: Vec<&'a Entry>,
    /// Whether it is a handler.
    pub(crate) handler: bool,
    /// The line of the play that contains it; `None` in files of roles and of tasks.
    pub(crate) play: Option<usize>,
}

impl<'a> Task<'a> {
    fn new(node: &'a Node, handler: bool, play: Option<usize>) -> Self {
        let module = |entry: &&Entry| {
            let key = entry.key.as_str();
            !KEYWORDS.contains(&key) && !key.starts_with("with_")
        };
        Self { node, modules: node.map().iter().filter(module).collect(), handler, play }
    }

    /// The module's name without the collection that is always present, and its arguments.
    pub(crate) fn module(&self) -> Option<(&'a str, &'a Node)> {
        let [entry] = self.modules.as_slice() else { return None };
        let name = entry.key.strip_prefix("ansible.builtin.");
        let name = name.or_else(|| entry.key.strip_prefix("ansible.legacy."));
        Some((name.unwrap_or(&entry.key), &entry.value))
    }
}

/// The documents of an Ansible file; `None` for other files and unreadable ones.
pub(crate) fn documents(file: &Written) -> Option<Vec<Node>> {
    if !is_yaml(file) {
        return None;
    }
    let mut documents = yaml::documents(&file.filled()).ok()?;
    documents.iter_mut().for_each(spread);
    let listed = documents.iter().any(|document| !document.list().is_empty());
    let placed =
        ["tasks", "handlers"].iter().any(|part| file.path.split('/').any(|folder| folder == *part));
    let named = documents.iter().flat_map(Node::all).flat_map(Node::map);
    let speaks = named.into_iter().any(|entry| entry.key.starts_with("ansible."));
    (listed && (is_playbook(file) || placed || speaks)).then_some(documents)
}

/// Modules whose arguments may be in one text, as in `service: name=nginx state=restarted`.
const SPREAD: [&str; 22] = [
    "apt",
    "apt_repository",
    "blockinfile",
    "copy",
    "dnf",
    "file",
    "get_url",
    "git",
    "group",
    "hostname",
    "lineinfile",
    "package",
    "pip",
    "replace",
    "service",
    "systemd",
    "systemd_service",
    "template",
    "unarchive",
    "uri",
    "user",
    "yum",
];

/// Turns arguments in one text into a mapping, as Ansible does.
fn spread(node: &mut Node) {
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(spread),
        Value::Map(entries) => {
            for entry in entries {
                let short = entry.key.strip_prefix("ansible.builtin.").unwrap_or(&entry.key);
                if !SPREAD.contains(&short) {
                    spread(&mut entry.value);
                } else if let Some(given) = arguments(&entry.value) {
                    entry.value.value = Value::Map(given);
                }
            }
        }
        _ => {}
    }
}

/// The arguments of a text, if it has nothing else.
fn arguments(node: &Node) -> Option<Vec<Entry>> {
    let text = node.text().filter(|text| !text.contains(['\'', '"', '{', '\n']))?;
    let words = text.split_whitespace().map(|word| word.split_once('='));
    let of = |(key, value): (&str, &str)| Entry {
        key: key.to_owned(),
        line: node.line,
        value: Node { line: node.line, value: Value::Scalar(value.to_owned()), quoted: false },
    };
    let given: Option<Vec<Entry>> = words.map(|word| word.map(of)).collect();
    given.filter(|given| !given.is_empty())
}

/// The tasks of a file's documents.
pub(crate) fn tasks<'a>(documents: &'a [Node], file: &Written) -> Vec<Task<'a>> {
    let handlers = file.path.split('/').any(|folder| folder == "handlers");
    let mut found = Vec::new();
    for item in documents.iter().flat_map(Node::list) {
        if item.get("hosts").is_some() {
            for (key, handler) in
                [("pre_tasks", false), ("tasks", false), ("post_tasks", false), ("handlers", true)]
            {
                let list = item.get(key).map(Node::list).unwrap_or_default();
                list.iter().for_each(|task| add(task, handler, Some(item.line), &mut found));
            }
        } else if !item.map().iter().any(|entry| entry.key.ends_with("import_playbook")) {
            add(item, handlers, None, &mut found);
        }
    }
    found
}

fn add<'a>(node: &'a Node, handler: bool, play: Option<usize>, found: &mut Vec<Task<'a>>) {
    if node.map().is_empty() {
        return;
    }
    let mut inner = false;
    for key in ["block", "rescue", "always"] {
        let Some(list) = node.get(key) else { continue };
        inner = true;
        list.list().iter().for_each(|task| add(task, handler, play, found));
    }
    if !inner {
        found.push(Task::new(node, handler, play));
    }
}
