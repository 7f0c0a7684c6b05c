//! Finds values of the wrong shape: one value where a program takes a list, a list where it takes a mapping.
//!
//! A dash too few or too many leaves valid YAML, which the program then refuses. What the keys take is in `shapes.txt`.

use super::{FILES, error, task_documents};
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node, Value};
use crate::{Unit, Written};
use domain::gate::Finding;

const TABLE: &str = include_str!("shapes.txt");

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        for (line, message) in mistakes(file) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

fn mistakes(file: &Written) -> Mistakes {
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(kind) = kind(file) {
        documents.iter().for_each(|document| judge(kind, document, &mut found));
    } else if file.name().starts_with(".gitlab-ci") {
        for job in documents.iter().flat_map(Node::map) {
            if job.value.get("script").is_some() || job.value.get("stage").is_some() {
                judge("gitlab-job", &job.value, &mut found);
            }
            // `- echo "lint: start"` is a name with a value, because of the colon and the space.
            let scripts = ["after_script", "before_script", "script"];
            let lines = scripts.iter().filter_map(|key| job.value.get(key)).flat_map(Node::list);
            for line in lines.filter(|line| !line.map().is_empty()) {
                let message = "YAML reads this command as a name and a value, because of its `: `: put the whole command in quotes.";
                found.push((line.line, message.to_owned()));
            }
        }
    } else if task_documents(file).is_some() {
        for item in documents.iter().flat_map(Node::list) {
            let kind = if item.get("hosts").is_some() { "play" } else { "task" };
            judge(kind, item, &mut found);
        }
    } else {
        for document in &documents {
            if document.get("apiVersion").is_some() && document.get("kind").is_some() {
                judge("kubernetes", document, &mut found);
            }
            found.extend(whole(file, document));
        }
    }
    found
}

/// What a file describes, where its path or its text says it.
fn kind(file: &Written) -> Option<&'static str> {
    let requirements = ["requirements.yml", "requirements.yaml"].contains(&file.name());
    if is_compose(file) {
        Some("compose")
    } else if file.is_workflow() {
        Some("workflow")
    } else if requirements {
        Some("requirements")
    } else {
        (is_of_role(file, "meta") && file.name().starts_with("main.")).then_some("role-meta")
    }
}

/// Whether a file is in this folder of a role.
fn is_of_role(file: &Written, folder: &str) -> bool {
    let parts: Vec<&str> = file.path.split('/').collect();
    parts.windows(3).any(|three| three[0] == "roles" && three[2] == folder)
}

/// A document of Ansible that is a mapping where it must be a list, or the other way round.
fn whole(file: &Written, document: &Node) -> Option<(usize, String)> {
    let of = |folders: &[&str]| folders.iter().any(|folder| is_of_role(file, folder));
    let grouped = ["group_vars", "host_vars"]
        .iter()
        .any(|folder| file.path.split('/').any(|part| part == *folder));
    let has = |keys: &[&str]| keys.iter().any(|key| document.get(key).is_some());
    let play = ["become", "gather_facts", "pre_tasks", "roles", "tasks"];
    let message = match &document.value {
        Value::Map(_) if document.get("hosts").is_some() && has(&play) => {
            "A playbook is a list of plays: put `- ` before the first key of the play."
        }
        Value::Map(entries) if of(&["tasks", "handlers"]) && !entries.is_empty() => {
            "A file of tasks is a list: put `- ` before the first key of each task."
        }
        Value::List(items) if (of(&["defaults", "vars"]) || grouped) && !items.is_empty() => {
            "A file of variables is a mapping: `name: value`, without a hyphen."
        }
        _ => return None,
    };
    Some((document.line, message.to_owned()))
}

/// What a key takes, as words of the table.
fn taken(kind: &str, key: &str) -> Option<&'static str> {
    let of = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(": ");
    let mut keys = TABLE.lines().find_map(of)?.split(' ');
    keys.find_map(|entry| entry.strip_prefix(key)?.strip_prefix('='))
}

/// The values of a mapping of some kind, and those in them.
fn judge(kind: &str, node: &Node, found: &mut Mistakes) {
    for entry in node.map() {
        let Some(words) = taken(kind, &entry.key).filter(|_| !is_open(&entry.value)) else {
            continue;
        };
        let fitting = words.split('|').find(|word| fits(word, &entry.value));
        match fitting {
            Some(word) => inside(word, &entry.key, &entry.value, found),
            None => {
                let message = format!(
                    "`{}` takes {}, but this is {}.",
                    entry.key,
                    wanted(words),
                    shape(&entry.value)
                );
                found.push((entry.line, message));
            }
        }
    }
}

/// Whether a value may be anything: nothing, an alias, or what bash or a template fills in.
fn is_open(node: &Node) -> bool {
    match &node.value {
        Value::Alias => true,
        Value::Scalar(text) => {
            (!node.quoted && ["", "x", "~", "null"].contains(&text.as_str()))
                || text.contains("{{")
                || text.contains("${")
        }
        _ => false,
    }
}

/// Whether a value has the shape that a word of the table names.
fn fits(word: &str, node: &Node) -> bool {
    let name = word.split(':').next().unwrap_or_default();
    match &node.value {
        Value::Scalar(_) => name == "text",
        Value::List(_) => ["list", "texts", "items"].contains(&name),
        Value::Map(_) => ["map", "each"].contains(&name),
        Value::Alias => true,
    }
}

/// Judges what is in a value that has the right shape itself.
fn inside(word: &str, key: &str, node: &Node, found: &mut Mistakes) {
    let (name, kind) = word.split_once(':').unwrap_or((word, ""));
    let mut tell = |node: &Node, wanted: &str| {
        let message = format!("An entry of `{key}` is {wanted}, but this is {}.", shape(node));
        found.push((node.line, message));
    };
    let text = |node: &Node| matches!(node.value, Value::Scalar(_) | Value::Alias);
    let map = |node: &Node| matches!(node.value, Value::Map(_));
    match name {
        "texts" => {
            // A list in a list comes from an alias or a tag.
            node.list().iter().filter(|item| map(item)).for_each(|item| tell(item, "one value"));
        }
        "list" if !kind.is_empty() => {
            let odd = |item: &&Node| !map(item) && !is_open(item);
            node.list().iter().filter(odd).for_each(|item| tell(item, "a mapping"));
        }
        "each" => {
            let values = node.map().iter().filter(|entry| !is_extension(&entry.key));
            let odd = values.map(|entry| &entry.value).filter(|it| !map(it) && !is_open(it));
            odd.for_each(|value| tell(value, "a mapping"));
        }
        "items" => {
            let odd = node.list().iter().filter(|item| !map(item) && !text(item));
            odd.for_each(|item| tell(item, "one value or a mapping"));
        }
        _ => {}
    }
    if kind.is_empty() {
        return;
    }
    match name {
        "map" => judge(kind, node, found),
        "each" => node.map().iter().for_each(|entry| judge(kind, &entry.value, found)),
        _ => node.list().iter().for_each(|item| judge(kind, item, found)),
    }
}

/// Whether a key is for merging or for the author's own use.
fn is_extension(key: &str) -> bool {
    key == "<<" || key.starts_with("x-")
}

/// The shapes of the table's words, in words.
fn wanted(words: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for word in words.split('|') {
        let name = match word.split(':').next().unwrap_or_default() {
            "text" => "one value",
            "map" | "each" => "a mapping",
            _ => "a list, with `- `",
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" or ")
}

fn shape(node: &Node) -> &'static str {
    match node.value {
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
        _ => "one value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<usize> {
        let file = Written { path: path.into(), text: text.into(), expands: false, line: 1 };
        mistakes(&file).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn values_have_the_shape_that_their_program_takes() {
        for (path, text, line) in [
            ("a.yml", "- hosts: all\n  tasks:\n    apt:\n      name: a\n", 2),
            ("a.yml", "- hosts: all\n  vars: a\n  tasks: []\n", 2),
            ("a.yml", "- hosts: all\n  roles:\n    web:\n", 2),
            ("a.yml", "hosts: all\ntasks: []\n", 1),
            ("roles/a/tasks/main.yml", "- debug:\n    msg: a\n  with_items: [b]\n  vars: [c]\n", 4),
            ("roles/a/tasks/main.yml", "- debug: {msg: a}\n  notify:\n    Restart: b\n", 2),
            ("roles/a/handlers/main.yml", "name: Restart\nservice: {name: a}\n", 1),
            ("roles/a/defaults/main.yml", "- a: 1\n", 1),
            ("roles/a/meta/main.yml", "dependencies:\n  role: b\n", 1),
            ("requirements.yml", "roles: geerlingguy.docker\n", 1),
            ("compose.yml", "services:\n  a:\n    image: b\n    ports: 80:80\n", 4),
            ("compose.yml", "services:\n  a:\n    image: b\n    environment:\n      - C: d\n", 5),
            ("compose.yml", "services:\n  - a:\n      image: b\n", 1),
            ("compose.yml", "services:\n  a:\n    image: b\n    healthcheck: curl\n", 4),
            (".github/workflows/a.yml", "on: push\njobs:\n  a:\n    steps:\n      run: b\n", 4),
            (".github/workflows/a.yml", "on: push\njobs:\n  - a\n", 2),
            (".gitlab-ci.yml", "a:\n  script: b\n  rules:\n    if: c\n", 3),
            ("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: a\n", 3),
        ] {
            assert_eq!(said(path, text), [line], "{text}");
        }
    }

    #[test]
    fn other_shapes_that_a_program_takes_are_right() {
        for (path, text) in [
            (
                "a.yml",
                "- hosts: [a, b]\n  vars_files: c.yml\n  roles: [d, {role: e, tags: f}]\n  handlers:\n",
            ),
            (
                "roles/a/tasks/main.yml",
                "- debug: {msg: a}\n  loop: \"{{ b }}\"\n  when: [c, d]\n  notify: e\n- block: []\n",
            ),
            ("requirements.yml", "- src: a.b\n  version: '1.0'\n"),
            ("requirements.yml", "collections:\n  - community.general\nroles: []\n"),
            (
                "compose.yml",
                "x-a: &a\n  b: c\nservices:\n  d:\n    image: e\n    environment: *a\n    command: f\n    depends_on: [g]\n    networks: {h: }\nvolumes:\n  i:\nnetworks: {h: {}}\n",
            ),
            (
                ".github/workflows/a.yml",
                "on:\n  push:\njobs:\n  a:\n    needs: [b]\n    strategy:\n      matrix: ${{ fromJSON(c) }}\n    steps:\n      - run: d\n",
            ),
            (".gitlab-ci.yml", "a:\n  script: [b, [c, d]]\n  image: {name: e}\n"),
            ("group_vars/all.yml", "a: [b]\n"),
            ("inventory.yml", "all:\n  hosts:\n    a:\n"),
        ] {
            assert!(said(path, text).is_empty(), "{text}: {:?}", said(path, text));
        }
    }
}
