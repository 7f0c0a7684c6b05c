//! Files that are embedded as texts in other files or commands: in tasks of Ansible, in cloud-init, in config maps, in
//! Terraform's here-documents, and after `echo` and `printf`.

use crate::bash::{Command, Script};
use crate::check::{task_documents, tasks};
use crate::files::{Written, behind, target};
use crate::places::is_yaml;
use crate::yaml::{self, Node};

/// A file in a text, and the file that has the text; `None` for the script itself.
pub(crate) struct Embedded {
    pub(crate) file: Written,
    pub(crate) home: Option<String>,
}

/// The files that are embedded in a file. The line of each is the one in that file.
pub(crate) fn texts(file: &Written) -> Vec<Embedded> {
    let found = if file.extension() == "tf" {
        documents(file)
    } else if is_yaml(file) {
        [tasked(file), booted(file), mapped(file)].concat()
    } else {
        Vec::new()
    };
    let home = || Some(file.path.clone());
    found.into_iter().map(|file| Embedded { file, home: home() }).collect()
}

/// A text that is written as it is, or with what a template fills in.
fn made(path: &str, node: &Node) -> Option<Written> {
    // A single value may be any text.
    let text = node.text().filter(|text| !text.trim().starts_with("{{") || text.contains('\n'))?;
    let filled = text.contains("{{") || text.contains("{%");
    let parsed = [".yml", ".yaml", ".json"].iter().any(|end| path.ends_with(end));
    let path = if filled && parsed { format!("{path}.j2") } else { path.to_owned() };
    (!path.contains("{{")).then(|| Written {
        path,
        text: text.to_owned(),
        expands: false,
        line: node.line,
    })
}

/// What tasks of Ansible copy from their own text.
fn tasked(file: &Written) -> Vec<Written> {
    let documents = task_documents(file).unwrap_or_default();
    let tasks = tasks(&documents, file);
    let copies = tasks.iter().filter_map(|task| task.module()).filter(|(name, _)| *name == "copy");
    let variables = variables(&documents);
    copies
        .filter_map(|(_, given)| {
            made(&named(given.get("dest")?.text()?, &variables), given.get("content")?)
        })
        .collect()
}

/// The variables of a file's plays.
fn variables(documents: &[Node]) -> Vec<(&str, &str)> {
    let plays = documents.iter().flat_map(Node::list).filter_map(|play| play.get("vars"));
    let entries = plays.flat_map(Node::map);
    entries.filter_map(|entry| Some((entry.key.as_str(), entry.value.text()?))).collect()
}

/// A path with the values of the variables between its braces, or with their names where their values are not known.
fn named(path: &str, variables: &[(&str, &str)]) -> String {
    // A value may name another variable.
    const ROUNDS: usize = 3;
    let mut path = path.to_owned();
    for round in 0..ROUNDS {
        let mut whole = String::new();
        let mut rest = path.as_str();
        while let Some((before, (name, after))) =
            rest.split_once("{{").and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
        {
            let name = name.split('|').next().unwrap_or_default().trim();
            let value = variables.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
            whole.push_str(before);
            // `hosts.user` and `item['name']` end with a name, and a file may have it.
            let plain = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            let own = name.split(plain).rfind(|part| !part.is_empty()).unwrap_or("x");
            whole.push_str(value.filter(|_| round + 1 < ROUNDS).unwrap_or(own));
            rest = after;
        }
        path = whole + rest;
    }
    path
}

/// What cloud-init writes.
fn booted(file: &Written) -> Vec<Written> {
    if !file.text.starts_with("#cloud-config") {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let lists = documents.iter().filter_map(|document| document.get("write_files"));
    let files = lists.flat_map(Node::list).filter(|node| node.get("encoding").is_none());
    files.filter_map(|node| made(node.get("path")?.text()?, node.get("content")?)).collect()
}

/// The files of config maps.
fn mapped(file: &Written) -> Vec<Written> {
    if !file.text.contains("kind: ConfigMap") || file.expands {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let maps = documents
        .iter()
        .filter(|document| document.get("kind").and_then(Node::text) == Some("ConfigMap"));
    let entries = maps.filter_map(|map| map.get("data")).flat_map(Node::map);
    let named = entries.filter(|entry| entry.key.contains('.'));
    named.filter_map(|entry| made(&format!("…/data/{}", entry.key), &entry.value)).collect()
}

/// Terraform's here-documents with JSON or cloud-init's settings in them.
fn documents(file: &Written) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut open: Option<String> = None;
    for (at, line) in file.text.lines().enumerate() {
        if let Some(mark) = &open {
            if line.trim() == mark {
                open = None;
            } else if let Some(file) = found.last_mut() {
                // Unlike bash, Terraform leaves backslashes here as they are.
                file.text.push_str(&line.replace('\\', "\\\\"));
                file.text.push('\n');
            }
            continue;
        }
        let Some((_, mark)) = line.split_once("<<").filter(|(before, _)| before.contains('='))
        else {
            continue;
        };
        let mark = mark.trim_start_matches('-').trim();
        if crate::bash::is_name(mark) {
            open = Some(mark.to_owned());
            let path = format!("…/text-{}", at + 1);
            found.push(Written { path, text: String::new(), expands: true, line: at + 2 });
        }
    }
    let plain =
        found.into_iter().filter(|file| !file.text.contains("%{") && !file.text.contains("$$"));
    plain
        .filter_map(|mut file| {
            let text = dedented(&file.text);
            let end = if text.starts_with("#cloud-config") {
                "yaml"
            } else if text.starts_with(['{', '[']) && text.contains("\":") {
                "json"
            } else {
                return None;
            };
            file.path = format!("{}.{end}", file.path);
            file.text = text;
            Some(file)
        })
        .collect()
}

/// A text without the spaces with which each of its lines begins.
fn dedented(text: &str) -> String {
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = || text.lines();
    let common = lines().filter(|line| !line.trim().is_empty()).map(spaces).min().unwrap_or(0);
    lines().fold(String::new(), |all, line| all + line.get(common..).unwrap_or_default() + "\n")
}

/// The files that `echo` and `printf` write as a whole, themselves or through `tee`.
pub(crate) fn echoed(script: &Script) -> Vec<Embedded> {
    let one = |(at, command): (usize, &Command)| {
        let text = spoken(command)?;
        let taker = match command.writes.as_slice() {
            [] => behind(script, at).first().and_then(|taker| target(taker)),
            [written] => Some(written.clone()),
            _ => None,
        };
        let (path, _) = taker.filter(|(_, appends)| !appends)?;
        // One word is a value and no file of settings.
        let known = path.starts_with("/etc/") && text.trim().contains(' ') && !path.contains('$');
        let file = Written { path, text, expands: true, line: command.line };
        known.then_some(Embedded { file, home: None })
    };
    script.commands.iter().enumerate().filter_map(one).collect()
}

/// What `echo` or `printf` prints.
pub(crate) fn spoken(command: &Command) -> Option<String> {
    Some(match command.argv().as_slice() {
        ["echo", rest @ ..] => {
            let rest: Vec<&str> =
                rest.iter().filter(|word| !["-e", "-n"].contains(*word)).copied().collect();
            rest.join(" ") + "\n"
        }
        ["printf", "%s\\n", rest @ ..] if !rest.is_empty() => rest.join("\n") + "\n",
        ["printf", text] => text.replace("\\n", "\n").replace("%%", "%"),
        _ => return None,
    })
}

/// The place of a finding in the file or script that has the text.
pub(crate) fn place(embedded: &[Embedded], path: &str, line: u32) -> Option<(Option<String>, u32)> {
    let found = embedded.iter().find(|one| one.file.path == path)?;
    let from = u32::try_from(found.file.line.saturating_sub(1)).unwrap_or_default();
    let line = if found.home.is_none() { from + 1 } else { from + line };
    Some((found.home.clone(), line))
}

/// The files of a script's files and commands that nothing else writes.
pub(crate) fn all(written: &[&Written], script: &Script) -> Vec<Embedded> {
    let mut found: Vec<Embedded> = Vec::new();
    let inner = written.iter().flat_map(|file| texts(file));
    for one in inner.chain(echoed(script)) {
        let taken = written.iter().any(|file| file.path == one.file.path)
            || found.iter().any(|other| other.file.path == one.file.path);
        if !taken {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_the_values_of_its_variables() {
        let variables = [("version", "15"), ("home", "/etc/postgresql/{{ version }}/main")];
        for (path, whole) in [
            ("{{ home }}/conf.d/a.conf", "/etc/postgresql/15/main/conf.d/a.conf"),
            ("/etc/sudoers.d/{{ hardening.user }}", "/etc/sudoers.d/user"),
            ("/srv/{{ item['name'] | lower }}/a", "/srv/name/a"),
            ("/srv/a", "/srv/a"),
            ("/srv/{{ a", "/srv/{{ a"),
        ] {
            assert_eq!(named(path, &variables), whole);
        }
    }

    #[test]
    fn texts_are_files_with_their_own_lines() {
        let file = |path: &str, text: &str| Written {
            path: path.into(),
            text: text.into(),
            expands: false,
            line: 1,
        };
        let play = "- hosts: a\n  tasks:\n    - name: B\n      ansible.builtin.copy:\n        dest: /etc/b.conf\n        content: |\n          c 1\n          d 2\n";
        let found = texts(&file("site.yml", play));
        assert_eq!((found[0].file.path.as_str(), found[0].file.line), ("/etc/b.conf", 7));
        let boot = "#cloud-config\nwrite_files:\n  - path: /etc/a.service\n    content: |\n      [Unit]\n      Description=A\n";
        assert_eq!(texts(&file("a.yaml", boot))[0].file.text, "[Unit]\nDescription=A\n");
        let policy = "resource \"a\" \"b\" {\n  policy = <<-EOF\n    {\n      \"a\": \"${b}\"\n    }\n  EOF\n}\n";
        assert_eq!(texts(&file("a.tf", policy))[0].file.path, "…/text-2.json");
        let script = crate::bash::read(
            "echo 'a b' >/etc/c.conf\nprintf '%s\\n' 'd e' f >/etc/g.conf\necho x >/etc/hostname\nprintf '%s\\n' 'h i' j | sudo tee /etc/k.conf >/dev/null\necho 'l m' | tee -a /etc/n.conf\n",
        );
        let files = echoed(&script).into_iter().map(|it| (it.file.path, it.file.text));
        let files: Vec<(String, String)> = files.collect();
        let wanted =
            [("/etc/c.conf", "a b\n"), ("/etc/g.conf", "d e\nf\n"), ("/etc/k.conf", "h i\nj\n")];
        assert_eq!(files, wanted.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }
}
