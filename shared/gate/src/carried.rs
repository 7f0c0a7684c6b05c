//! Commands in files that are not shell scripts: Ansible's tasks, `RUN` in Dockerfiles, containers that start a shell,
//! steps of pipelines, the first boot of a server, and systemd's units.

use crate::bash;
use crate::check::{Task, task_documents, tasks};
use crate::files::Written;
use crate::yaml::{self, Node};
use crate::{Shell, places};

/// Ansible's modules that run a command.
const RUNNERS: [&str; 3] = ["command", "shell", "raw"];

/// Those of them that hand it to a shell.
const SHELLS: [&str; 2] = ["shell", "raw"];

/// The scripts in a file, each with the line in which it begins.
pub(crate) fn shells(file: &Written) -> Vec<Shell> {
    let texts = if places::is_dockerfile(file) {
        runs(&file.text)
    } else if places::is_yaml(file) {
        [commands(file, &RUNNERS), started(file)].concat()
    } else if ["hcl", "tf"].contains(&file.extension().as_str()) {
        provisioned(file)
    } else {
        timed(file)
    };
    let mut shells = Vec::new();
    for (line, text) in texts {
        crate::gather(&text, Some(&file.path), line.saturating_sub(1), 1, &mut shells);
    }
    shells
}

/// The scripts in a file that a shell parses as they are, with a word in place of what a template fills in.
pub(crate) fn parsed(file: &Written) -> Vec<(usize, String)> {
    let texts = if places::is_dockerfile(file) {
        // What follows `<<` is on the next lines.
        runs(&file.text).into_iter().filter(|(_, text)| !text.contains("<<")).collect()
    } else if places::is_yaml(file) {
        [commands(file, &SHELLS), started(file)].concat()
    } else {
        units(file)
    };
    let texts = texts.into_iter().filter(|(_, text)| !text.contains("{%"));
    texts.map(|(line, text)| (line, without_templates(&text))).collect()
}

/// A text with `x` in place of `{{ … }}` and `${{ … }}`.
pub(crate) fn without_templates(text: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before.strip_suffix('$').unwrap_or(before));
        filled.push('x');
        rest = after.split_once("}}").map_or("", |(_, behind)| behind);
    }
    filled + rest
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
        } else if open && line.trim_start().starts_with('#') {
            // Docker leaves out comments between the lines of a command.
            continue;
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
fn commands(file: &Written, modules: &[&str]) -> Vec<(usize, String)> {
    let Some(documents) = task_documents(file) else { return Vec::new() };
    let mut found = Vec::new();
    for task in tasks(&documents, file) {
        let Some((module, given)) = task.module() else { continue };
        if !modules.contains(&module) {
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
        Some(words.map(quoted).collect::<Vec<_>>().join(" "))
    })
}

/// A word as a shell takes it without changes.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
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

/// What containers hand to a shell, what a pipeline's steps run, and what a server runs at its first boot.
fn started(file: &Written) -> Vec<(usize, String)> {
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let pipeline = file.is_workflow();
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        if let (true, Some(run)) = (pipeline, node.get("run"))
            && node.get("shell").is_none_or(|shell| shell.text() == Some("bash"))
        {
            found.extend(run.text().map(|text| (run.line, text.to_owned())));
        }
        let list = |key: &str| node.get(key).map(Node::list).unwrap_or_default();
        let words: Vec<&Node> =
            ["entrypoint", "command", "args"].iter().flat_map(|key| list(key)).collect();
        let texts: Vec<&str> = words.iter().filter_map(|word| word.text()).collect();
        let shell =
            texts.first().is_some_and(|word| ["sh", "bash", "ash"].contains(&bash::base(word)));
        let option = texts.iter().position(|word| word.starts_with('-') && word.ends_with('c'));
        if let (true, Some(at)) = (shell && texts.len() == words.len(), option)
            && let Some(script) = words.get(at + 1)
        {
            // Compose wants each dollar sign twice.
            found.extend(script.text().map(|text| (script.line, text.replace("$$", "$"))));
        }
    }
    if file.name().starts_with(".gitlab-ci") {
        for key in ["after_script", "before_script", "script"] {
            let lists = documents.iter().flat_map(Node::all).filter_map(|node| node.get(key));
            let lines = lists.flat_map(|list| list.list().iter().chain(std::iter::once(list)));
            found.extend(lines.filter_map(|line| Some((line.line, line.text()?.to_owned()))));
        }
    }
    if file.text.starts_with("#cloud-config") {
        let run = ["bootcmd", "runcmd"];
        let run = documents.iter().flat_map(|it| run.iter().filter_map(|key| it.get(key)));
        for node in run.flat_map(Node::list) {
            let words = node.list().iter().filter_map(Node::text).map(quoted);
            let words = (!node.list().is_empty()).then(|| words.collect::<Vec<_>>().join(" "));
            let text = node.text().map(str::to_owned).or(words);
            found.extend(text.map(|text| (node.line, text)));
        }
    }
    found
}

/// What the provisioners of Packer and Terraform run: the texts in a list `inline`.
fn provisioned(file: &Written) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (at, line) in file.text.lines().enumerate() {
        let bare = line.trim();
        let key = bare.split_once('=').filter(|(key, _)| key.trim() == "inline");
        let list = match key.and_then(|(_, value)| value.trim().strip_prefix('[')) {
            Some(list) => {
                found.push((at + 1, String::new()));
                inside = true;
                list
            }
            None if inside => bare,
            None => continue,
        };
        let Some((first, text)) = found.last_mut() else { continue };
        // Each text keeps its line.
        while *first + text.matches('\n').count() < at + 1 {
            text.push('\n');
        }
        let texts = list.trim_end_matches([']', ',']).trim();
        if let Some(one) = texts.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            text.push_str(&one.replace("\", \"", "; ").replace("\\\"", "\""));
        }
        inside = !bare.ends_with(']');
    }
    found
}

/// What cron runs: the rest of a line after its five fields and the user.
fn timed(file: &Written) -> Vec<(usize, String)> {
    let table = file.path.split('/').any(|part| part == "cron.d" || part == "crontab");
    if !table || file.text.starts_with("#!") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let named = line.starts_with('@');
        if !named && !line.starts_with(|c: char| c.is_ascii_digit() || c == '*') {
            continue;
        }
        let mut rest = line;
        for _ in 0..if named { 2 } else { 6 } {
            rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        }
        if !rest.trim().is_empty() {
            found.push((at + 1, rest.trim().to_owned()));
        }
    }
    found
}

/// What systemd's units hand to a shell.
fn units(file: &Written) -> Vec<(usize, String)> {
    if file.extension() != "service" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some((_, value)) = line.split_once('=').filter(|(key, _)| key.starts_with("Exec"))
        else {
            continue;
        };
        if line.ends_with('\\') {
            continue;
        }
        let script = bash::read(&value.replace("%%", "%").replace("$$", "$"));
        let first = script.commands.first();
        let texts = first.map(|command| script.parsed_of(command)).unwrap_or_default();
        found.extend(texts.into_iter().map(|(_, text)| (at + 1, text)));
    }
    found
}
