#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod bash;
mod carried;
mod check;
mod embedded;
mod files;
mod hcl;
mod placed;
mod places;
mod policy;
mod tables;
mod tasks;
#[cfg(test)]
mod testing;
mod work;
mod yaml;

pub use files::{Written, written};
pub use places::bench;
use places::is_shell;

use domain::gate::Finding;

/// The name under which the rules of this crate are listed among the checks.
pub const POLICY: &str = "policy";

/// The name under which the search for secrets is listed.
pub const SECRETS: &str = "secrets";

/// The name under which the parsing of files in their own language is listed.
pub const FILES: &str = "files";

/// What is known about a script besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// What its owner asked for, and the step's own words: ports and public places that these name may be opened.
    pub asked: &'a str,
    /// The words of the step: only these allow the script to destroy something.
    pub step: &'a str,
    /// The names of the variables in its environment.
    pub environment: &'a [String],
    /// Scripts that ran before it, in order: the files that they wrote exist.
    pub earlier: &'a [&'a str],
    /// Whether the script is a check, of which only the exit status counts.
    pub check: bool,
}

/// All findings in a script that need no program to run.
pub fn examine(text: &str, context: &Context) -> Vec<Finding> {
    let unit = Unit::new(text, context);
    let mut findings = Vec::new();
    check::examine(&unit, &mut findings);
    policy::examine(&unit, &mut findings);
    tables::examine(&unit, &mut findings);
    for finding in &mut findings {
        // No file has the text, so its lines are those of the script.
        let stream = unit.files.iter().find(|file| finding.file.as_ref() == Some(&file.path));
        if let Some(file) = stream.filter(|file| file.path.starts_with(files::STREAM)) {
            let from = u32::try_from(file.line.saturating_sub(1)).unwrap_or_default();
            finding.file = None;
            finding.line = finding.line.map(|line| line + from);
        }
        let place = finding
            .file
            .as_deref()
            .and_then(|path| embedded::place(&unit.embedded, path, finding.line.unwrap_or(1)));
        if let Some((file, line)) = place {
            finding.file = file;
            finding.line = Some(line);
        }
    }
    findings
}

/// A warning if the proof of a text requires less than the proof of an earlier text for the same work; a text without a
/// proof is a check, which is its own proof.
pub fn weakened(before: &str, after: &str) -> Option<Finding> {
    check::weakened(before, after)
}

/// What a script changes, judged from its text; empty if it can run again and again without changing anything.
pub fn changes(text: &str) -> Vec<Finding> {
    let context = Context { check: true, ..Context::default() };
    let unit = Unit::new(text, &context);
    let mut findings = Vec::new();
    policy::changes(&unit, &mut findings);
    findings
}

/// Whether a script applies the Terraform plan that an earlier step saved.
pub fn applies_plan(text: &str) -> bool {
    let mut shells = Vec::new();
    gather(text, None, 0, 0, &mut shells);
    shells.iter().any(|shell| policy::applies_plan(&shell.script))
}

/// A script within a script, for bash's own parser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inner {
    /// Its text, with a placeholder word for what bash or a template fills in.
    pub text: String,
    /// The file that contains it; `None` for the script itself.
    pub file: Option<String>,
    /// The number to add to its lines.
    pub offset: usize,
}

/// The shell scripts that a script hands to other shells, here, on servers and in the files that it writes.
pub fn inner_shells(text: &str) -> Vec<Inner> {
    let script = bash::read(text);
    let mut found = Vec::new();
    nested(&script, None, 0, 0, &mut found);
    for file in written(&script).into_iter().chain(files::streamed(&script)) {
        let first = file.text.lines().next().unwrap_or_default();
        let foreign = ["zsh", "fish", "csh"].iter().any(|shell| first.ends_with(shell));
        let whole = (is_shell(&file) && !foreign).then(|| (1, file.filled()));
        // Scripts that a task copies from its own text, with a word for what a template fills in
        let copied = embedded::texts(&file).into_iter().map(|embedded| embedded.file);
        let copied = copied.filter(|file| is_shell(file) && !file.text.contains("{%"));
        let copied = copied.map(|file| (file.line + 1, carried::without_templates(&file.text)));
        let parsed = carried::parsed(&file).into_iter().chain(copied);
        for (line, text) in whole.into_iter().chain(parsed) {
            let inner = bash::read(&text);
            let offset = line.saturating_sub(1);
            nested(&inner, Some(&file.path), offset, 1, &mut found);
            found.push(Inner { text, file: Some(file.path.clone()), offset });
        }
    }
    found
}

fn nested(
    script: &bash::Script,
    file: Option<&str>,
    offset: usize,
    depth: usize,
    into: &mut Vec<Inner>,
) {
    if depth >= NESTING {
        return;
    }
    for command in &script.commands {
        for (line, text) in script.parsed_of(command) {
            let offset = offset + line - 1;
            nested(&bash::read(&text), file, offset, depth + 1, into);
            into.push(Inner { text, file: file.map(str::to_owned), offset });
        }
    }
}

/// A script as the rules see it.
pub(crate) struct Unit<'a> {
    pub(crate) text: &'a str,
    pub(crate) context: &'a Context<'a>,
    pub(crate) script: bash::Script,
    /// The files that it writes.
    pub(crate) files: Vec<Written>,
    /// The files in the workspace after it has run: its own, and earlier ones.
    pub(crate) tree: Vec<Written>,
    /// All shell scripts in it: itself, those that it hands to other shells, and those that it writes.
    pub(crate) shells: Vec<Shell>,
    /// Shell scripts in files of other kinds: Ansible's tasks, `RUN` in Dockerfiles.
    pub(crate) carried: Vec<Shell>,
    /// What the calls of the functions in all of these run.
    pub(crate) called: Vec<Shell>,
    /// The files that its scripts for servers write there, and those that are embedded in other files.
    pub(crate) there: Vec<Written>,
    /// Those that are embedded in other files.
    embedded: Vec<embedded::Embedded>,
}

/// A shell script within a script.
pub(crate) struct Shell {
    pub(crate) script: bash::Script,
    /// The file to which it is written; `None` for the script itself.
    pub(crate) file: Option<String>,
    /// The number to add to its lines.
    pub(crate) offset: usize,
}

/// How deeply nested scripts are followed.
const NESTING: usize = 4;

impl<'a> Unit<'a> {
    fn new(text: &'a str, context: &'a Context<'a>) -> Self {
        let script = bash::read(text);
        let mut files = written(&script);
        files.extend(files::streamed(&script));
        let mut tree: Vec<Written> = Vec::new();
        let earlier = context.earlier.iter().flat_map(|text| written(&bash::read(text)));
        for file in earlier.chain(files.iter().cloned()) {
            tree.retain(|other| other.path != file.path);
            tree.push(file);
        }
        let mut shells = Vec::new();
        gather(text, None, 0, 0, &mut shells);
        for file in files.iter().filter(|file| is_shell(file)) {
            gather(&file.text, Some(&file.path), 0, 0, &mut shells);
        }
        let inner = shells.iter().filter(|shell| shell.file.is_none() && shell.offset > 0);
        let mut there: Vec<Written> = inner.flat_map(|shell| written(&shell.script)).collect();
        let known: Vec<&Written> = files.iter().chain(&there).collect();
        let embedded = embedded::all(&known, &script);
        for file in there.iter().filter(|file| is_shell(file)) {
            gather(&file.text, Some(&file.path), 0, 0, &mut shells);
        }
        let inside = embedded.iter().map(|one| &one.file);
        for file in inside.filter(|file| is_shell(file) && !file.text.contains("{%")) {
            gather(&file.text, Some(&file.path), 0, 0, &mut shells);
        }
        there.extend(embedded.iter().map(|one| one.file.clone()));
        let carried: Vec<Shell> = files.iter().chain(&there).flat_map(carried::shells).collect();
        let called = shells.iter().chain(&carried).flat_map(calls).collect();
        Self { text, context, script, files, tree, shells, carried, called, there, embedded }
    }

    /// The texts of the earlier scripts and of this one.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.context.earlier.iter().copied().chain(std::iter::once(self.text))
    }

    /// All shell scripts, wherever they are.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = &Shell> {
        self.shells.iter().chain(&self.carried)
    }

    /// All shell scripts, and what each call of their functions runs.
    pub(crate) fn running(&self) -> impl Iterator<Item = &Shell> {
        self.everywhere().chain(&self.called)
    }

    /// Whether a file is a text in another file.
    pub(crate) fn is_embedded(&self, file: &Written) -> bool {
        self.embedded.iter().any(|one| one.file.path == file.path)
    }

    /// Whether a file of another kind has commands: tasks of Ansible, steps of a pipeline.
    pub(crate) fn carries(&self, file: &Written) -> bool {
        self.carried.iter().any(|shell| shell.file.as_ref() == Some(&file.path))
    }

    /// The files that it writes, here and on servers.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Written> {
        self.files.iter().chain(&self.there)
    }
}

fn calls(shell: &Shell) -> Vec<Shell> {
    let calls = bash::calls::calls(&shell.script).into_iter();
    calls.map(|script| Shell { script, file: shell.file.clone(), offset: shell.offset }).collect()
}

fn gather(text: &str, file: Option<&str>, offset: usize, depth: usize, into: &mut Vec<Shell>) {
    let script = bash::read(text);
    if depth < NESTING {
        for (line, inner) in script.inner() {
            gather(&inner, file, offset + line - 1, depth + 1, into);
        }
    }
    into.push(Shell { script, file: file.map(str::to_owned), offset });
}
