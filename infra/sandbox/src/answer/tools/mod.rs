//! The tools that check a script and the files it writes.
//!
//! Each runs as a separate reader over the copy, two at a time, with one limit for each and one for all. The module of
//! each kind parses the tool's output; output that cannot be parsed, or that concerns something missing from the copy,
//! makes the tool *not checked*.

mod ansible;
mod services;
mod shell;
mod terraform;
mod versions;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::StreamExt;
use protocol::{Bench, BenchFile, BenchTool, Checked, Finding, NotChecked, Severity};
use tokio::time::{Instant, timeout_at};

use super::exec::{self, Ran};
use super::scratch::{self, Copied};
use crate::reader::{Marks, Plan};

/// Time limit for all tools together.
const ALL: Duration = Duration::from_secs(25);

/// Time limit for one start of a tool.
const ONE: Duration = Duration::from_secs(20);

/// How many tools run at once: a sandbox has one or two processors.
const AT_ONCE: usize = 2;

/// The most places that one tool looks at.
const PLACES: usize = 12;

/// How much of the output of one start of a tool is read at most, in bytes.
const PRINTED_BYTES: usize = 128 * 1024;

/// How many findings of one tool are kept at most.
const FINDINGS: usize = 30;

const LATE: &str = "It took too long in the sandbox.";

/// Checks a script; `folder` belongs to this check alone, `marks` are those of the project's credentials.
pub async fn check(
    folder: &Path,
    workspace: &Path,
    bench: Bench,
    marks: &Marks,
) -> io::Result<Checked> {
    let Bench { script, files, tools } = bench;
    let desk = &Desk::new(folder.to_owned(), workspace, &files, None)?;
    let evaluates = |tool: &BenchTool| Kind::of(&tool.name).is_some_and(Kind::evaluates);
    let apart = tools.iter().any(evaluates).then(|| folder.join("apart"));
    let apart = apart.map(|apart| Desk::new(apart, workspace, &files, Some(marks))).transpose()?;
    let apart = apart.as_ref().unwrap_or(desk);
    let script = &script;
    let until = Instant::now() + ALL;
    let said = futures::stream::iter(tools)
        .map(async |tool: BenchTool| {
            let desk = if evaluates(&tool) { apart } else { desk };
            let said = timeout_at(until, desk.ask(&tool, script)).await;
            (tool.name, said.unwrap_or_else(|_| Ok(Said::not(LATE))))
        })
        .buffered(AT_ONCE)
        .collect::<Vec<_>>()
        .await;
    let mut checked = Checked::default();
    for (tool, said) in said {
        let Said { looked, mut findings, not } = said.unwrap_or_else(|error| {
            Said::not(&format!("The sandbox could not start it: {error}."))
        });
        if let Some(version) = looked {
            checked.checked.push(format!("{tool} {version}").trim_end().to_owned());
        }
        if let Some(reason) = not {
            checked.not_checked.push(NotChecked { tool, reason });
        }
        findings.truncate(FINDINGS);
        checked.findings.extend(findings);
    }
    Ok(checked)
}

/// The result of a tool.
#[derive(Debug, Default)]
struct Said {
    /// Its version, once it has checked something.
    looked: Option<String>,
    findings: Vec<Finding>,
    /// Why it has not checked something.
    not: Option<String>,
}

impl Said {
    fn not(reason: &str) -> Self {
        Self { not: Some(reason.to_owned()), ..Self::default() }
    }
}

/// The result of one start of a tool.
#[derive(Debug, PartialEq)]
enum Look {
    Found(Vec<Finding>),
    /// The tool could not check anything, for this reason.
    Not(&'static str),
}

/// Where the tools work.
struct Desk {
    folder: PathBuf,
    workspace: PathBuf,
    copy: PathBuf,
    copied: Copied,
    /// The marks of the project's credentials, if the copy has no secrets.
    marks: Option<Marks>,
}

impl Desk {
    /// Makes a copy of the workspace in `folder`; with marks, a copy without secrets.
    fn new(
        folder: PathBuf,
        workspace: &Path,
        files: &[BenchFile],
        marks: Option<&Marks>,
    ) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let copy = folder.join("workspace");
        let copied = scratch::fill(&copy, workspace, files, marks)?;
        for made in ["home", "tmp"] {
            fs::create_dir(folder.join(made))?;
        }
        Ok(Self { folder, workspace: workspace.to_owned(), copy, copied, marks: marks.cloned() })
    }

    async fn ask(&self, tool: &BenchTool, script: &str) -> io::Result<Said> {
        let Some(kind) = Kind::of(&tool.name) else {
            return Ok(Said::not("This sandbox does not support it."));
        };
        let version = match versions::of(self, kind.program()).await? {
            Ok(version) => version,
            Err(reason) => return Ok(Said::not(reason)),
        };
        let mut said = Said::default();
        let mut looks = match kind {
            Kind::Bash | Kind::Shellcheck => shell::look_at_script(self, kind, script).await?,
            _ => Vec::new(),
        };
        let places = tool.places.get(..PLACES).unwrap_or(&tool.places);
        let together = |one: &String, next: &String| {
            kind == Kind::AnsibleLint && parts(one).0 == parts(next).0
        };
        for places in places.chunk_by(together) {
            looks.push(self.look(kind, places).await?);
        }
        if tool.places.len() > PLACES {
            said.not = Some(format!("Only the first {PLACES} files were checked."));
        }
        for look in looks {
            match look {
                Look::Found(findings) => {
                    said.looked.get_or_insert_with(|| version.clone());
                    said.findings.extend(findings);
                }
                Look::Not(reason) => said.not = Some(reason.to_owned()),
            }
        }
        Ok(said)
    }

    /// Starts a tool for one place, or ansible-lint for all of a folder: most of its time goes to its start.
    async fn look(&self, kind: Kind, places: &[String]) -> io::Result<Look> {
        let Some(place) = places.first() else { return Ok(Look::Found(Vec::new())) };
        match kind {
            Kind::Bash | Kind::Shellcheck => shell::look(self, kind, place).await,
            Kind::Format => terraform::format(self, place).await,
            Kind::Validate => terraform::validate(self, place).await,
            Kind::AnsibleSyntax => ansible::syntax(self, place).await,
            Kind::AnsibleLint => ansible::lint(self, places).await,
            Kind::Compose => services::compose(self, place).await,
            Kind::Promtool => services::promtool(self, place).await,
            Kind::Nginx => services::nginx(self, place).await,
        }
    }

    /// Runs a line of bash as a reader in a folder of the copy.
    async fn run(&self, place: &str, line: &str, programs: Vec<PathBuf>) -> io::Result<Ran> {
        let home = self.folder.join("home");
        let plan = Plan {
            workspace: self.copy.clone(),
            scratch: Some(self.folder.clone()),
            home: home.clone(),
            processes: false,
            loopback: false,
            programs,
            parts: None,
            reports: false,
        };
        let mut command = plan.command(line)?;
        let inside = match place {
            "" => Some(self.copy.clone()),
            place => scratch::below(&self.copy, place),
        };
        command
            .current_dir(inside.filter(|inside| inside.is_dir()).unwrap_or(self.copy.clone()))
            .env("TMPDIR", self.folder.join("tmp"))
            .envs([("ANSIBLE_NOCOLOR", "1"), ("ANSIBLE_DEPRECATION_WARNINGS", "0")])
            .env("ANSIBLE_HOME", home.join(".ansible"))
            .env("ANSIBLE_LOCAL_TEMP", self.folder.join("tmp"))
            .envs([("TF_CLI_CONFIG_FILE", "/dev/null"), ("TF_IN_AUTOMATION", "1")]);
        exec::run(&mut command, PRINTED_BYTES, ONE).await
    }
}

/// The supported tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bash,
    Shellcheck,
    Format,
    Validate,
    AnsibleSyntax,
    AnsibleLint,
    Compose,
    Promtool,
    Nginx,
}

impl Kind {
    /// The tool with this name in a verdict.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "bash -n" => Self::Bash,
            "shellcheck" => Self::Shellcheck,
            "terraform fmt" => Self::Format,
            "terraform validate" => Self::Validate,
            "ansible-playbook --syntax-check" => Self::AnsibleSyntax,
            "ansible-lint" => Self::AnsibleLint,
            "docker compose config" => Self::Compose,
            "promtool" => Self::Promtool,
            "nginx -t" => Self::Nginx,
            _ => return None,
        })
    }

    /// Whether it evaluates what it reads, or starts programs of the workspace: either can spell a file's content in a
    /// way that no mask recognizes, such as `strrev(file("notes.txt"))` in the name of a missing file.
    fn evaluates(self) -> bool {
        matches!(self, Self::Validate | Self::AnsibleSyntax | Self::AnsibleLint)
    }

    /// The program, or the program and its plugin, whose version is reported.
    fn program(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Shellcheck => "shellcheck",
            Self::Format | Self::Validate => "terraform",
            Self::AnsibleSyntax => "ansible-playbook",
            Self::AnsibleLint => "ansible-lint",
            Self::Compose => "docker compose",
            Self::Promtool => "promtool",
            Self::Nginx => "nginx",
        }
    }
}

/// A finding in a file, or in the script if there is no file.
fn finding(
    tool: &str,
    severity: Severity,
    file: Option<&str>,
    line: usize,
    message: &str,
) -> Finding {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    Finding::new(tool, severity, message).at(file, line)
}

/// Quotes any text as one word for bash.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The number behind `mark` in a text.
fn number_after(text: &str, mark: &str) -> Option<usize> {
    let rest = text.split_once(mark)?.1;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// The folder and the name of a place.
fn parts(place: &str) -> (&str, &str) {
    place.rsplit_once('/').unwrap_or(("", place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_and_line_numbers_are_found() {
        assert_eq!(quoted("a'b $c"), r"'a'\''b $c'");
        assert_eq!(number_after("yaml: line 12: x", "line "), Some(12));
        assert_eq!(number_after("yaml: line x", "line "), None);
    }
}
