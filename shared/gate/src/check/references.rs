//! Finds references to files that no command writes, where another file of that kind is written but never used.
//!
//! A missing file alone proves nothing: it may have been in the workspace before, or a program may make it. But if a
//! script writes `stack.yml`, which nothing uses, and uses `stacks.yml`, which nothing writes, one of the two names is
//! wrong. A name that any command mentions counts as written, because commands make files in many ways.

mod kinds;

use super::error;
use crate::bash::{Command, read};
use crate::files::{in_folders, known, placed};
use crate::{FILES, Unit};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// A reference from one file to another.
#[derive(Debug)]
struct Reference {
    /// The file that refers; `None` for a command.
    from: Option<String>,
    line: usize,
    /// The name as it is written.
    name: String,
    /// The paths that it can mean.
    places: Vec<String>,
}

/// What files refer to.
#[derive(Debug, Default)]
struct References {
    single: Vec<Reference>,
    /// The ends of the names of files that count as used, because a pattern or a template names them.
    endings: BTreeSet<String>,
    /// Folders of which everything is used.
    folders: BTreeSet<String>,
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let mut references = References::default();
    for file in &unit.tree {
        kinds::references(file, &mut references);
    }
    let tree: BTreeSet<String> = unit.tree.iter().map(|file| file.path.clone()).collect();
    let (written, mut used) = commands(unit);
    let exists: BTreeSet<&String> = tree.iter().chain(&written).collect();
    let found = |places: &[String]| {
        places.iter().any(|place| {
            let inside = format!("{place}/");
            exists.contains(place) || exists.iter().any(|path| path.starts_with(&inside))
        })
    };
    let mentions = mentions(unit);
    let own: Vec<&String> = unit.files.iter().map(|file| &file.path).chain(&written).collect();
    references.single.append(&mut used);
    let places = references.single.iter().flat_map(|reference| &reference.places);
    let reached: BTreeSet<&str> = places.map(String::as_str).collect();
    let orphan = |path: &str| {
        let name = base(path);
        // That a play uses a role says nothing about each file in it.
        let is_role =
            |place: &str| place.rsplit_once('/').is_some_and(|(above, _)| base(above) == "roles");
        let within = |place: &str| !is_role(place) && path.starts_with(&format!("{place}/"));
        !reached.iter().any(|place| path == *place || within(place))
            && !references.endings.iter().any(|end| path.ends_with(end.as_str()))
            && !references
                .folders
                .iter()
                .any(|folder| folder.is_empty() || path.starts_with(&format!("{folder}/")))
            && !mentions.contains(name)
            && !loaded(path)
    };
    let orphans: Vec<&str> =
        own.iter().map(|path| path.as_str()).filter(|path| orphan(path)).collect();
    let files: BTreeSet<&str> = unit.files.iter().map(|file| file.path.as_str()).collect();
    for reference in &references.single {
        let is_own = reference.from.as_ref().is_none_or(|file| files.contains(file.as_str()));
        if !is_own || found(&reference.places) {
            continue;
        }
        // A command's own words mention the name.
        let name = base(&reference.name);
        if reference.from.is_some() && mentions.contains(name) {
            continue;
        }
        let Some(place) = reference.places.first() else { continue };
        // A role or a module is a folder.
        let is_folder = !base(place).contains('.');
        let near = match place.rsplit_once('/').filter(|_| is_folder) {
            Some((above, _)) => unused_folder(&own, &reached, &format!("{above}/")),
            None => orphans.iter().find(|orphan| resembles(orphan, place)).map(ToString::to_string),
        };
        if let Some(near) = near {
            let message = format!(
                "`{}` is written nowhere, and nothing uses `{near}`: one of the names is wrong.",
                reference.name
            );
            findings.push(error(FILES, message).at(reference.from.as_deref(), reference.line));
        }
    }
}

/// A role or a module in a folder that nothing names.
fn unused_folder(own: &[&String], reached: &BTreeSet<&str>, above: &str) -> Option<String> {
    own.iter().find_map(|path| {
        let (name, rest) = path.strip_prefix(above)?.split_once('/')?;
        let folder = format!("{above}{name}");
        let kept = rest.starts_with("tasks/") || rest.ends_with(".tf");
        (kept && !reached.contains(folder.as_str())).then_some(folder)
    })
}

/// Whether a file could be what a name means: the same kind of file in another place, or another kind of that name.
fn resembles(orphan: &str, place: &str) -> bool {
    let end = |path: &str| base(path).rsplit_once('.').map(|(_, end)| end.to_owned());
    let stem = |path: &str| base(path).split('.').next().unwrap_or_default().to_owned();
    let same_end = end(orphan).is_some_and(|kind| Some(kind) == end(place));
    same_end || (stem(orphan) == stem(place) && !stem(place).is_empty())
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Files that programs load by their names.
fn loaded(path: &str) -> bool {
    let name = base(path);
    let parts: Vec<&str> = path.split('/').collect();
    let folders = ["group_vars", "host_vars", "defaults", "handlers", "meta", "library"];
    parts.iter().any(|part| folders.contains(part) || (part.starts_with('.') && part.len() > 1))
        || name.starts_with("main.")
        || name.starts_with("README")
        || name.starts_with('.')
        || ["tf", "tfvars", "md", "hcl", "lock", "txt"]
            .iter()
            .any(|end| name.ends_with(&format!(".{end}")))
        || path.starts_with(['/', '~', '$', '…'])
}

/// A path without `.` and `..`.
pub(super) fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// The words of all commands except those that write a here-document.
fn mentions(unit: &Unit) -> String {
    let mut text = String::new();
    let mut add = |command: &Command| {
        let writes = ["cat", "tee", "install"].iter().any(|name| command.program() == Some(name));
        let from = if writes && !command.heredocs.is_empty() { command.words.len() } else { 0 };
        for word in command.words.iter().skip(from) {
            text.push_str(&word.text);
            text.push('\n');
        }
        for from in &command.reads {
            text.push_str(from);
            text.push('\n');
        }
    };
    let earlier: Vec<_> = unit.context.earlier.iter().map(|text| read(text)).collect();
    earlier.iter().flat_map(|script| &script.commands).for_each(&mut add);
    unit.everywhere().flat_map(|shell| &shell.script.commands).for_each(&mut add);
    text
}

/// Extensions of files that a command reads.
const READ: [&str; 12] =
    ["cfg", "conf", "ini", "js", "json", "py", "sh", "sql", "tfvars", "toml", "yaml", "yml"];

/// Programs that make the files that they name, or take them away.
const MAKERS: [&str; 19] = [
    "cat", "chmod", "chown", "cp", "curl", "dd", "echo", "find", "git", "grep", "install", "ln",
    "mkdir", "mv", "printf", "rm", "tar", "touch", "wget",
];

/// What the script's own commands write, and the files in the workspace that they read.
fn commands(unit: &Unit) -> (Vec<String>, Vec<Reference>) {
    let (mut written, mut used) = (Vec::new(), Vec::new());
    let is_workspace = |path: &str| {
        !path.starts_with(['/', '~', '$', '…']) && !path.contains(['$', '*', '?', '`', '[', '{'])
    };
    let mut named: Vec<String> = Vec::new();
    for (command, folder) in in_folders(&unit.script) {
        for (path, _) in &command.writes {
            written.push(plain(&placed(&known(path, &unit.script), folder.as_deref())));
        }
        let argv = command.argv();
        let Some((program, rest)) = argv.split_first() else { continue };
        for word in rest {
            let value = word.rsplit_once('=').map_or(*word, |(_, value)| value);
            let value = value.trim_start_matches('@').trim_start_matches("file://");
            let path = known(value, &unit.script);
            let end = path.rsplit_once('.').map(|(_, end)| end).unwrap_or_default();
            if !READ.contains(&end)
                || path.contains([' ', ':', ',', '(', '"'])
                || word.starts_with("s/")
                // The ending alone, which `basename` takes off.
                || base(&path).trim_start_matches('.') == end
            {
                continue;
            }
            let place = plain(&placed(&path, folder.as_deref()));
            named.push(base(&place).to_owned());
            let reads = !MAKERS.contains(program) && command.heredocs.is_empty();
            // The folder may be another one: `-chdir`, `--project-directory`, a server's.
            let elsewhere =
                ["ssh", "scp", "rsync", "aws", "docker", "terraform", "tofu", "npm", "make"];
            if reads && is_workspace(&place) && !elsewhere.contains(program) && folder.is_some() {
                let line = command.line;
                used.push(Reference { from: None, line, name: path, places: vec![place] });
            }
        }
    }
    // A name that two commands mention may have been made by one of them.
    used.retain(|reference| {
        let name = base(&reference.name);
        named.iter().filter(|other| *other == name).count() == 1
    });
    (written, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        crate::testing::said(examine, text)
    }

    fn play(task: &str) -> String {
        format!("cat >site.yml <<'E'\n- hosts: all\n  tasks:\n    - name: A\n      {task}\nE\n")
    }

    #[test]
    fn a_name_that_nothing_writes_is_found_beside_a_file_that_nothing_uses() {
        let copy = play("ansible.builtin.copy: {src: a.conf, dest: /etc/a.conf}");
        let run = "ansible-playbook site.yml\n";
        for (text, count) in [
            (format!("{copy}cat >files/b.conf <<'E'\nE\n{run}"), 1),
            (format!("{copy}echo x >files/b.conf\n{run}"), 1),
            (format!("{copy}cat >files/a.conf <<'E'\nE\n{run}"), 0),
            (format!("{copy}{run}"), 0),
            (format!("{copy}cat >files/b.conf <<'E'\nE\ncp files/b.conf files/a.conf\n{run}"), 0),
            (format!("{copy}cat >files/b.conf <<'E'\nE\nscp files/b.conf h:\n{run}"), 0),
            (format!("{copy}cat >files/b.txt <<'E'\nE\n{run}"), 0),
            (format!("{copy}cat >a.conf <<'E'\nE\nansible-playbook play.yml\n"), 1),
        ] {
            assert_eq!(said(&text).len(), count, "{text}: {:?}", said(&text));
        }
    }

    #[test]
    fn paths_are_compared_without_dots() {
        assert_eq!(plain("./a/../b//c/./d"), "b/c/d");
        assert_eq!(plain("../a"), "../a");
    }
}
