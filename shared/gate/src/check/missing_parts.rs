//! Finds what nothing makes, where the scripts themselves made everything around it: a role beside others, a program of a
//! unit, a file that an image copies, a variable of Compose.

use super::error;
use super::shell::is_exported;
use super::spelling::nearest;
use crate::bash::{self, Word};
use crate::places::{is_compose, is_dockerfile, is_yaml};
use crate::yaml::Node;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    for file in unit.written() {
        let found = [
            roles(unit, file, &texts),
            unloaded(unit, file, &texts),
            programs(unit, file),
            copied(unit, file),
            variables(unit, file, &texts),
            chart(unit, file),
        ];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// A role that a play names beside roles that the scripts wrote, and that no program fetches.
fn roles(unit: &Unit, file: &Written, texts: &[&str]) -> Mistakes {
    let written: BTreeSet<&str> = unit
        .tree
        .iter()
        .filter_map(|file| file.path.split('/').skip_while(|part| *part != "roles").nth(1))
        .collect();
    let fetched = ["ansible-galaxy", "git clone", "requirements.yml"];
    if written.is_empty() || fetched.iter().any(|sign| texts.iter().any(|it| it.contains(sign))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (line, name) in named_roles(file) {
        if !name.contains(['{', '.', '/']) && !written.contains(name.as_str()) {
            found.push((line, format!("No script here writes the role `{name}`.")));
        }
    }
    found
}

/// The roles that plays and tasks use, and those that a role depends on, with their lines.
fn named_roles(file: &Written) -> Vec<(usize, String)> {
    let name = |role: &Node| {
        let name = role.text().or_else(|| role.get("role").or_else(|| role.get("name"))?.text());
        Some((role.line, name?.to_owned()))
    };
    let meta = file.path.contains("/meta/main.") && is_yaml(file);
    if meta {
        let documents = crate::yaml::documents(&file.filled()).unwrap_or_default();
        let needs = documents.iter().filter_map(|document| document.get("dependencies"));
        return needs.flat_map(Node::list).filter_map(name).collect();
    }
    let documents = super::task_documents(file).unwrap_or_default();
    let plays = documents.iter().flat_map(Node::list).filter_map(|play| play.get("roles"));
    let used = plays.flat_map(Node::list).filter_map(name);
    let tasks = super::tasks(&documents, file);
    let included = tasks.iter().filter_map(|task| task.module()).filter_map(|(module, given)| {
        let role =
            given.get("name").filter(|_| ["include_role", "import_role"].contains(&module))?;
        Some((role.line, role.text()?.to_owned()))
    });
    used.chain(included).collect()
}

/// Folders of a role of which Ansible loads only `main.yml`.
const LOADED: [&str; 4] = ["defaults", "handlers", "meta", "tasks"];

/// A file of a role that Ansible does not load, because it is not `main.yml` and nothing includes it.
fn unloaded(unit: &Unit, file: &Written, texts: &[&str]) -> Mistakes {
    let parts: Vec<&str> = file.path.split('/').collect();
    let [.., "roles", _, folder, name] = parts.as_slice() else { return Vec::new() };
    let main = |name: &str| name.split('.').next() == Some("main");
    if !LOADED.contains(folder) || !is_yaml(file) || main(name) {
        return Vec::new();
    }
    let above = file.folder();
    if unit.tree.iter().any(|other| other.folder() == above && main(other.name())) {
        return Vec::new();
    }
    let stem = name.split('.').next().unwrap_or(name);
    let named = |line: &str| {
        let says = ["include", "import", "_from", "loop", "with_", "ln ", "cp ", "mv "];
        says.iter().any(|word| line.contains(word)) && line.contains(stem)
            || line.trim().trim_start_matches("- ").trim_start_matches("file:").trim() == *name
    };
    if texts.iter().flat_map(|text| text.lines()).any(named) {
        return Vec::new();
    }
    vec![(
        1,
        format!("Ansible loads only `main.yml` from `{folder}`, and nothing includes `{name}`."),
    )]
}

/// The program of a unit, where a script puts a program of almost that name into that folder.
fn programs(unit: &Unit, file: &Written) -> Mistakes {
    if !file.path.ends_with(".service") {
        return Vec::new();
    }
    let own = |path: &str| ["/usr/local/", "/opt/", "/srv/"].iter().any(|at| path.starts_with(at));
    let mut places: BTreeSet<String> =
        unit.written().map(|file| file.path.clone()).filter(|path| own(path)).collect();
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            places.extend(
                command.argv().iter().filter(|word| own(word)).map(|word| (*word).to_owned()),
            );
        }
    }
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let Some(start) = line.trim().strip_prefix("ExecStart=") else { continue };
        let program = start.trim_start_matches(['-', '@', '+', '!', ':']);
        let program = program.split_whitespace().next().unwrap_or_default();
        if !own(program) || places.contains(program) {
            continue;
        }
        let folder = program.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside: Vec<&str> = places
            .iter()
            .map(String::as_str)
            .filter(|path| path.rsplit_once('/').is_some_and(|(above, _)| above == folder))
            .collect();
        let stem = beside.iter().find(|path| {
            path.strip_prefix(program).is_some_and(|end| end.starts_with('.'))
                || program.strip_prefix(**path).is_some_and(|end| end.starts_with('.'))
        });
        // The same program in another folder.
        let bare = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split('.').next().unwrap_or(name).to_owned()
        };
        let moved = places.iter().map(String::as_str).find(|path| {
            path.contains("bin/") && program.contains("bin/") && bare(path) == bare(program)
        });
        let near = stem.copied().or_else(|| nearest(program, &beside)).or(moved);
        if let Some(near) = near {
            found.push((
                at + 1,
                format!("Nothing puts `{program}` there, but something puts `{near}` there."),
            ));
        }
    }
    found
}

/// A file that an image copies from a folder that the script fills, beside files that it wrote there.
fn copied(unit: &Unit, file: &Written) -> Mistakes {
    if !is_dockerfile(file) {
        return Vec::new();
    }
    let folder = file.folder();
    let place = |name: &str| {
        let name = name.trim_start_matches("./");
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    };
    let has = |name: &str| unit.tree.iter().any(|file| file.path == place(name));
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some("COPY") || line.contains("--from") || line.ends_with('\\') {
            continue;
        }
        let names: Vec<&str> = words.filter(|word| !word.starts_with("--")).collect();
        let Some((_, names)) = names.split_last() else { continue };
        if !names.iter().any(|name| has(name)) {
            continue;
        }
        for name in names.iter().filter(|name| !has(name)) {
            let plain = name.contains('.') && !name.contains(['*', '?', '[', '$', '"']);
            // Any other mention may be a command that makes it.
            let alone = unit.text.matches(name).count() == 1;
            if plain && alone && !name.ends_with('/') && *name != "." {
                found.push((at + 1, format!("Nothing writes `{name}`, which this image copies.")));
            }
        }
    }
    found
}

/// The file of this name in the folder of the chart whose template this is.
pub(super) fn beside_templates<'a>(
    unit: &'a Unit,
    file: &Written,
    name: &str,
) -> Option<&'a Written> {
    let (above, _) = file.path.rsplit_once("templates/")?;
    unit.tree.iter().find(|file| file.path.strip_prefix(above) == Some(name))
}

/// Values that a chart's template reads and its own `values.yaml` does not have.
fn chart(unit: &Unit, file: &Written) -> Mistakes {
    let Some(values) = beside_templates(unit, file, "values.yaml") else { return Vec::new() };
    let Ok(documents) = crate::yaml::documents(&values.filled()) else { return Vec::new() };
    let guarded = ["default", "if ", "with ", "range ", "required", "hasKey", "dig "];
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        if guarded.iter().any(|word| line.contains(word)) {
            continue;
        }
        for rest in line.split(".Values.").skip(1) {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            let path = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let lost = documents.first().and_then(|document| lost(document, path));
            let set = |name: &str| unit.text.contains(&format!("--set {name}"));
            if let Some(name) = lost.filter(|name| !set(name)) {
                found.push((at + 1, format!("`values.yaml` has no `{name}`.")));
            }
        }
    }
    found
}

/// The first part of a path of names that a document does not have. An empty mapping may get anything later.
fn lost<'a>(document: &Node, path: &'a str) -> Option<&'a str> {
    let mut node = document;
    let mut end = 0;
    for name in path.split('.') {
        end += name.len();
        match node.get(name) {
            Some(inner) => node = inner,
            None if node.map().is_empty() || name.is_empty() => return None,
            None => return path.get(..end),
        }
        end += 1;
    }
    None
}

/// A variable of Compose that has no value and no other one in its place.
fn variables(unit: &Unit, file: &Written, texts: &[&str]) -> Mistakes {
    if !is_compose(file) || file.expands {
        return Vec::new();
    }
    let says = |words: &str| texts.iter().any(|text| text.contains(words));
    let known_file = |name: &str| unit.tree.iter().any(|file| file.name() == name);
    // A file that no script here writes may set anything.
    if (says("--env-file") || says("source ") || says("set -a")) && !known_file(".env") {
        return Vec::new();
    }
    let (mut found, mut reported) = (Vec::new(), BTreeSet::new());
    for (at, line) in file.text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default();
        for (from, _) in line.match_indices("${") {
            let before = line.get(..from).unwrap_or_default();
            let Some((name, _)) = line.get(from + 2..).and_then(|rest| rest.split_once('}')) else {
                continue;
            };
            if before.ends_with('$') || !bash::is_name(name) {
                continue;
            }
            let given = unit.context.environment.iter().any(|given| given == name)
                || is_assigned(unit, name, texts)
                || (!(known_file(".env") || fills_env(texts)) && says(&format!("{name}:")))
                || is_named(file, name, texts)
                || [format!("{name}:?"), format!("{name}?")].iter().any(|sign| says(sign))
                || says(&format!("read {name}"))
                || says(&format!("export {name}"))
                || says(&format!(" {name}\n"))
                || name.starts_with("GROUNDCREW_")
                || ["HOME", "PWD", "USER", "UID", "GID", "HOSTNAME"].contains(&name);
            if !given && reported.insert(name) {
                found.push((
                    at + 1,
                    format!("`{name}` has no value: Compose puts nothing in its place."),
                ));
            }
        }
    }
    found
}

/// Whether a script or a file assigns a variable so that Compose sees it: one of the shell alone is not enough.
fn is_assigned(unit: &Unit, name: &str, texts: &[&str]) -> bool {
    let sign = format!("{name}=");
    let all: usize = texts.iter().map(|text| text.matches(&sign).count()).sum();
    let assigns =
        |word: &Word| bash::assignment(&word.text).is_some_and(|(given, _)| given == name);
    let commands = unit.script.commands.iter().filter(|command| command.argv().is_empty());
    let own = commands.flat_map(|command| &command.words).filter(|word| assigns(word)).count();
    all > own || (own > 0 && is_exported(unit, name))
}

/// Whether something besides a file itself has a key of this name.
fn is_named(file: &Written, name: &str, texts: &[&str]) -> bool {
    let sign = format!("{name}:");
    let all: usize = texts.iter().map(|text| text.matches(&sign).count()).sum();
    all > file.text.matches(&sign).count()
}

/// Whether the scripts fill a `.env` line by line, with names that are in them.
fn fills_env(texts: &[&str]) -> bool {
    let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let into = |line: &&str| {
        let (_, place) = line.rsplit_once('>').unwrap_or_default();
        place.trim().trim_matches('"').ends_with(".env")
    };
    let mut writes = lines.filter(into).peekable();
    let plain = |line: &str| ["}", "echo ", "printf "].iter().any(|start| line.starts_with(start));
    writes.peek().is_some() && writes.all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(script: &str) -> usize {
        let context = Context::default();
        let unit = Unit::new(script, &context);
        let texts: Vec<&str> = unit.texts().collect();
        unit.files.iter().map(|file| variables(&unit, file, &texts).len()).sum()
    }

    #[test]
    fn charts_have_the_values_of_their_templates() {
        let values = crate::yaml::documents("image: {pullPolicy: Always}\nlabels: {}\n").unwrap();
        assert_eq!(lost(&values[0], "image.pullPolcy"), Some("image.pullPolcy"));
        assert_eq!(lost(&values[0], "images.tag"), Some("images"));
        for path in ["image.pullPolicy", "labels.a", "image", ""] {
            assert_eq!(lost(&values[0], path), None, "{path}");
        }
    }

    #[test]
    fn variables_of_compose_come_from_its_file_or_the_environment() {
        let compose = "cat >compose.yaml <<'E'\nservices:\n  a:\n    environment:\n      TOKEN: ${TOKEN}\nE\n";
        for other in [
            "cat >.env <<'E'\nOTHER=1\nE\n",
            "{\n  echo \"OTHER=1\"\n} > .env\n",
            "TOKEN=$(openssl rand -hex 8)\ndocker compose up -d\n",
        ] {
            let (other, made) = (
                other.to_owned(),
                if other.contains(".env") { "" } else { "cat >.env <<'E'\nA=1\nE\n" },
            );
            assert_eq!(said(&(other + made + compose)), 1);
        }
        for other in [
            "cat >.env <<'E'\nTOKEN=1\nE\n",
            "export TOKEN=$(openssl rand -hex 8)\ncat >.env <<'E'\nA=1\nE\n",
            "TOKEN=1 docker compose up -d\n",
            "printf 'TOKEN=%s\\n' \"$X\" > .env\n",
            "sops -d secrets.env > .env\n",
            "",
        ] {
            assert_eq!(said(&(other.to_owned() + compose)), 0, "{other}");
        }
    }
}
