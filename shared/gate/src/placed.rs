//! Follows the files of a script to the places where others copy them: from the workspace to a server, and there into
//! the folders that services read.

use crate::bash::{Command, Script, base};
use crate::files::{self, Written, known};
use crate::tasks::{documents as task_documents, tasks};
use crate::yaml::Node;
use crate::{Shell, Unit, bash};

/// A file of the script at the place where a copy of it ends.
pub(crate) struct Placed<'a> {
    /// The file that the script writes.
    pub(crate) source: &'a Written,
    /// The same text under the path of the copy.
    pub(crate) copy: Written,
    /// The line of the script where the text reaches this place; `None` within files and for tasks.
    pub(crate) at: Option<usize>,
    /// Whether a task of Ansible puts it there.
    pub(crate) task: bool,
}

/// One copy: what is copied, and the place where it goes.
struct Copy {
    source: String,
    place: String,
    at: Option<usize>,
    task: bool,
}

/// How often one copy may be copied again.
const STEPS: usize = 4;

/// The places of a script's files: the paths that it writes itself, and those to which commands and tasks copy them.
pub(crate) fn placed<'a>(unit: &'a Unit) -> Vec<Placed<'a>> {
    let all = copies(unit);
    let mut found = Vec::new();
    for source in unit.tree.iter().chain(&unit.there) {
        let alone = unit.tree.iter().filter(|other| other.name() == source.name()).count() <= 1;
        let own = unit.files.iter().any(|own| own.path == source.path);
        let mut paths = vec![(source.path.clone(), own.then_some(source.line), false)];
        for step in 0..STEPS {
            let Some((path, ..)) = paths.get(step).cloned() else { break };
            // Where two files have one name, only the whole path tells which of them is copied.
            let named = (alone || step > 0).then(|| base(&path).to_owned());
            for copy in &all {
                let place = copy.of(&path, named.as_deref());
                if let Some(place) = place.filter(|it| !paths.iter().any(|(path, ..)| path == it)) {
                    paths.push((place, copy.at, copy.task));
                }
            }
        }
        found.extend(paths.into_iter().map(|(path, at, task)| Placed {
            source,
            copy: Written { path, ..source.clone() },
            at,
            task,
        }));
    }
    found
}

impl Copy {
    /// Where this copy puts a file with this path, or with this name if no other file has it.
    fn of(&self, path: &str, named: Option<&str>) -> Option<String> {
        let source = self.source.strip_prefix("./").unwrap_or(&self.source);
        let folder = self.place.ends_with('/');
        if let Some(rest) = path.strip_prefix(source.trim_end_matches('/'))
            && let Some(rest) = rest.strip_prefix('/')
        {
            // `rsync a/ b` copies what is in the folder, and `cp -r a b` the folder.
            let inner = source.ends_with('/') || source == "." || !folder;
            let place = self.place.trim_end_matches('/');
            let own = base(source.trim_end_matches('/'));
            let kept = if inner { String::new() } else { format!("{own}/") };
            return Some(format!("{place}/{kept}{rest}"));
        }
        let name = base(path);
        let fits = |wanted: &str, text: &str| match wanted.split_once('*') {
            Some((begin, end)) => {
                text.len() >= begin.len() + end.len()
                    && text.starts_with(begin)
                    && text.ends_with(end)
            }
            None => wanted == text,
        };
        let same = fits(source, path) || named.is_some_and(|named| fits(base(source), named));
        same.then(|| if folder { format!("{}{name}", self.place) } else { self.place.clone() })
    }
}

/// How the paths of folders end that scripts name without a slash.
const FOLDERS: [&str; 6] = [".d", "/bin", "/sites-available", "/sites-enabled", "/system", "/tmp"];

/// Options of programs that copy, with a value.
const VALUED: [&str; 14] =
    ["-F", "-J", "-P", "-S", "-c", "-e", "-g", "-i", "-l", "-m", "-o", "-p", "--mode", "--owner"];

fn copies(unit: &Unit) -> Vec<Copy> {
    let mut found = Vec::new();
    for shell in unit.everywhere() {
        for (index, command) in shell.script.commands.iter().enumerate() {
            found.extend(copied(shell, index, command));
        }
    }
    for file in unit.files.iter() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            let Some((module, given)) = task.module() else { continue };
            let text = |key: &str| given.get(key).and_then(Node::text);
            if let (true, Some(source), Some(place)) =
                (["copy", "template"].contains(&module), text("src"), text("dest"))
                && !base(place).contains('{')
                && place.starts_with('/')
            {
                let (source, place) = (source.to_owned(), place.to_owned());
                found.push(Copy { source, place, at: None, task: true });
            }
        }
    }
    found
}

/// The copies that one command makes.
fn copied(shell: &Shell, index: usize, command: &Command) -> Vec<Copy> {
    let script = &shell.script;
    let argv = command.argv();
    let of = |sources: &[String], place: &str| -> Vec<Copy> {
        let place = without_host(&known(place, script)).to_owned();
        let folder = sources.len() > 1 || FOLDERS.iter().any(|end| place.ends_with(end));
        let folder = folder && !place.ends_with('/');
        let place = if folder { format!("{place}/") } else { place };
        let at = shell.file.is_none().then_some(command.line + shell.offset);
        let copy = |source: &String| Copy {
            source: source.clone(),
            place: place.clone(),
            at,
            task: false,
        };
        sources.iter().map(copy).collect()
    };
    match argv.as_slice() {
        ["install", rest @ ..] if rest.iter().any(|word| ["-d", "--directory"].contains(word)) => {
            Vec::new()
        }
        ["cp" | "install" | "ln" | "mv" | "rsync" | "scp", rest @ ..] => {
            let (words, target) = operands(rest);
            let (sources, place) = match (target, words.split_last()) {
                (Some(target), _) => (words.as_slice(), target),
                (None, Some((place, sources))) => (sources, *place),
                (None, None) => return Vec::new(),
            };
            let sources: Vec<String> =
                sources.iter().flat_map(|source| spelled(source, script)).collect();
            of(&sources, place)
        }
        // `ssh server 'tee /etc/a' <a` and `tee /etc/a <a`.
        ["ssh", ..] if !command.reads.is_empty() => {
            let place = files::on_server(command);
            place.map(|place| of(&sources(&command.reads, script), &place)).unwrap_or_default()
        }
        ["tee", rest @ ..] if !command.reads.is_empty() => {
            let place = rest.iter().find(|word| !word.starts_with('-'));
            place.map(|place| of(&sources(&command.reads, script), place)).unwrap_or_default()
        }
        ["cat", names @ ..] if command.heredocs.is_empty() => {
            let names: Vec<String> = names.iter().map(|name| known(name, script)).collect();
            let written = command.writes.iter().map(|(path, _)| path.clone());
            let behind = files::behind(script, index).into_iter().filter_map(files::taken);
            written.chain(behind).flat_map(|place| of(&names, &place)).collect()
        }
        [_, ..] => {
            // `sed s/a/b/ a >b` and `envsubst <a >b` fill in a file.
            let fills = ["envsubst", "jq", "sed"].contains(&argv.first().copied().unwrap_or(""));
            let last = argv.last().map(|word| known(word, script));
            let sources: Vec<String> =
                sources(&command.reads, script).into_iter().chain(last).collect();
            let writes = command.writes.iter().filter(|_| fills);
            writes.flat_map(|(place, _)| of(&sources, place)).collect()
        }
        [] => Vec::new(),
    }
}

/// The words that are not options, and the folder after `-t`.
fn operands<'a>(rest: &[&'a str]) -> (Vec<&'a str>, Option<&'a str>) {
    let (mut words, mut target) = (Vec::new(), None);
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if *word == "-t" {
            target = rest.next().copied();
        } else if let Some(folder) = word.strip_prefix("--target-directory=") {
            target = Some(folder);
        } else if VALUED.contains(word) {
            rest.next();
        } else if !word.starts_with('-') {
            words.push(*word);
        }
    }
    (words, target)
}

/// A place without the server that it is on.
fn without_host(place: &str) -> &str {
    let host = place.split_once(':').filter(|(host, _)| !host.contains('/'));
    host.map_or(place, |(_, path)| path)
}

fn sources(reads: &[String], script: &Script) -> Vec<String> {
    reads.iter().map(|path| known(path, script)).collect()
}

/// The words that a word expands to: itself, the parts in its braces, or the values of a loop.
fn spelled(word: &str, script: &Script) -> Vec<String> {
    let text = known(word, script);
    if let Some((before, rest)) = text.split_once('{').filter(|(before, _)| !before.ends_with('$'))
        && let Some((inner, after)) = rest.split_once('}')
    {
        return inner.split(',').map(|part| format!("{before}{part}{after}")).collect();
    }
    let name = base(&text).trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
    if base(&text).starts_with('$') && bash::is_name(name) {
        let loops = script.commands.iter().find_map(|command| {
            let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
            match words.as_slice() {
                ["for", variable, "in", values @ ..] if *variable == name => {
                    Some(values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>())
                }
                _ => None,
            }
        });
        if let Some(values) = loops {
            return values;
        }
    }
    vec![text]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn places(text: &str) -> Vec<String> {
        let context = Context::default();
        let unit = Unit::new(text, &context);
        let found = placed(&unit).into_iter().filter(|one| one.copy.path != one.source.path);
        found.map(|one| one.copy.path).collect()
    }

    #[test]
    fn copies_of_a_file_are_followed() {
        let file = "cat >a.conf <<'E'\nE\n";
        for (text, place) in [
            ("install -m 0644 -o root a.conf /etc/b/\n", "/etc/b/a.conf"),
            ("cp -t /etc/b/ a.conf\n", "/etc/b/a.conf"),
            ("ssh h 'sudo tee /etc/b/a >/dev/null' <a.conf\n", "/etc/b/a"),
            ("cat a.conf | ssh h 'sudo tee /etc/b/a >/dev/null'\n", "/etc/b/a"),
            ("cp *.conf /etc/b/\n", "/etc/b/a.conf"),
            ("for f in a.conf b.conf; do install \"$f\" /etc/b/; done\n", "/etc/b/a.conf"),
            ("cp {a,b}.conf /etc/b/\n", "/etc/b/a.conf"),
            ("sed s/x/y/ a.conf >/etc/b/a\n", "/etc/b/a"),
        ] {
            assert_eq!(places(&format!("{file}{text}")), [place], "{text}");
        }
        let twice = "scp -q -P 22 a.conf h:/tmp/x.conf\nssh h bash -s <<'R'\nsudo install /tmp/x.conf /etc/b/c.conf\nR\n";
        assert_eq!(places(&format!("{file}{twice}")), ["/tmp/x.conf", "/etc/b/c.conf"]);
        let folder = "cat >conf/a.conf <<'E'\nE\nrsync -a conf/ h:/etc/b/\n";
        assert_eq!(places(folder), ["/etc/b/a.conf"]);
        assert_eq!(places(&format!("{file}cp b.conf /etc/b/\n")), [""; 0]);
        let play = "cat >templates/a.j2 <<'E'\nE\ncat >site.yml <<'E'\n- hosts: a\n  tasks:\n    - ansible.builtin.template:\n        src: a.j2\n        dest: /etc/b/a\nE\n";
        assert_eq!(places(play), ["/etc/b/a"]);
    }
}
