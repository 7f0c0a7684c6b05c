//! Commands in files that are no shell scripts: Ansible's tasks and the `RUN` lines of Dockerfiles.

use crate::check::{Task, task_documents, tasks};
use crate::files::Written;
use crate::yaml::Node;
use crate::{Shell, places};

/// The scripts in a file, each with the line in which it begins.
pub(crate) fn shells(file: &Written) -> Vec<Shell> {
    let texts = if places::is_dockerfile(file) { runs(&file.text) } else { commands(file) };
    let mut shells = Vec::new();
    for (line, text) in texts {
        crate::gather(&text, Some(&file.path), line.saturating_sub(1), 1, &mut shells);
    }
    shells
}

/// What the `RUN` lines of a Dockerfile run, without their options.
fn runs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        let start = line.strip_prefix("RUN ");
        if let Some(rest) = start {
            found.push((at + 1, String::new()));
            open = true;
            push(&mut found, rest);
        } else if open {
            push(&mut found, line);
        }
        open = open && line.ends_with('\\');
    }
    for (_, text) in &mut found {
        while let Some(rest) = text.trim_start().strip_prefix("--") {
            let rest = rest.split_once([' ', '\n']).map_or("", |(_, rest)| rest);
            *text = rest.trim_start().trim_start_matches("\\\n").to_owned();
        }
    }
    found
}

fn push(found: &mut [(usize, String)], line: &str) {
    if let Some((_, text)) = found.last_mut() {
        text.push_str(line);
        text.push('\n');
    }
}

/// What Ansible's tasks run, once for each value of a loop.
fn commands(file: &Written) -> Vec<(usize, String)> {
    let Some(documents) = task_documents(file) else { return Vec::new() };
    let mut found = Vec::new();
    for task in tasks(&documents, file) {
        let Some((module, given)) = task.module() else { continue };
        if !["command", "shell", "raw"].contains(&module) {
            continue;
        }
        let Some(text) = text(given) else { continue };
        found.extend(each(&task, &text).into_iter().map(|text| (given.line, text)));
    }
    found
}

fn text(given: &Node) -> Option<String> {
    let said = given.text().or_else(|| given.get("cmd")?.text()).map(str::to_owned);
    said.or_else(|| {
        let words = given.get("argv")?.list().iter().filter_map(Node::text);
        let quoted = words.map(|word| format!("'{}'", word.replace('\'', "'\\''")));
        Some(quoted.collect::<Vec<_>>().join(" "))
    })
}

/// A text with each value of the task's loop in place of the loop's variable.
fn each(task: &Task, text: &str) -> Vec<String> {
    let get = |key: &str| task.node.get(key);
    let name = get("loop_control").and_then(|control| control.get("loop_var")?.text());
    let template = format!("{{{{ {} }}}}", name.unwrap_or("item"));
    let values = get("loop").or_else(|| get("with_items")).map(Node::list).unwrap_or_default();
    let values = values.iter().filter_map(Node::text);
    let filled: Vec<_> = values.map(|value| text.replace(&template, value)).collect();
    if filled.is_empty() || !text.contains(&template) { vec![text.to_owned()] } else { filled }
}
