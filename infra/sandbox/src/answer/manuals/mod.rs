//! Looks up the documentation that is installed here, for a model that would otherwise write from memory.
//!
//! The question is a kind and a name of a strict form (`domain::manual`), so the command is written here. It runs as a
//! reader whose working folder, home and configuration are empty folders made for this one question, and which **does not
//! see the workspace at all**: Ansible would take a module path, and with it code, from an `ansible.cfg` next to it, Git an
//! alias from a repository's settings, Docker a plugin from the home. Programs come from the system's folders alone. No
//! pager is started: `groff` formats a manual page, so `MANPAGER` and similar variables have no effect.
//!
//! # Terraform's providers are code
//!
//! Only a provider itself can report the schema of its resources: `terraform providers schema` starts it. The provider
//! lies in the workspace, where any earlier command may have put another program in its place. The lock file does not
//! help, because it lies next to the provider, and a command that replaces the one can replace the other. So a started
//! program must not be able to reach anything that matters:
//!
//! - No workspace, and so no file that could hold a credential, not even a masked one: the program sees the system's files,
//!   its own package and the folder of this question. A program that may print whatever it likes could spell a secret so
//!   that no mask recognizes it, so it must not see one. (A check with `terraform validate` shows a configuration that
//!   contains nothing like a secret.)
//! - No environment beyond the reader's fixed one and no home, and so neither `~/.terraformrc` with its `dev_overrides` nor
//!   a plugin cache. A package that is a link, as a cache makes it, is not followed.
//! - No network, no other process, and the reader's limits of time and memory; the folder that it may write to is removed.
//! - No configuration except the one provider's line, written here, and the lock file, whose checksums Terraform compares:
//!   a program that was merely exchanged does not start.
//!
//! Its output is as untrusted as any: the agent masks it, and it is fenced and redacted before a model reads it. Only a
//! process that already has the workspace's rights can exchange a folder for a link between the check and the start.

mod ansible;
mod pages;
mod programs;
mod schema;
mod terraform;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use protocol::{Answer, ManualKind, PAGE_BYTES, Topic};

use super::exec::{self, Ran};
use crate::reader::{self, Plan};

/// Time limit of one program; the largest providers need most of it.
const LOOKING_UP: Duration = Duration::from_secs(25);

/// How much of a program's text is read, in bytes; `git` and Ansible's longest modules stay far below.
const TEXT_BYTES: usize = 1024 * 1024;

/// How much of a program's error message is passed on, in characters.
const COMPLAINT_CHARS: usize = 1_000;

/// What was found on a topic.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Text(String),
    Nothing(String),
}

impl Found {
    fn nothing(reason: impl Into<String>) -> Self {
        Self::Nothing(reason.into())
    }
}

/// Answers with a page on `topic` from line `from` on; `folder` belongs to this question alone.
pub async fn look_up(
    folder: &Path,
    workspace: &Path,
    topic: &Topic,
    from: usize,
) -> io::Result<Answer> {
    let shelf = Shelf::new(folder)?;
    let found = match topic.kind() {
        ManualKind::AnsibleModule => ansible::module(&shelf, topic.name()).await?,
        ManualKind::AnsibleModules => ansible::modules(&shelf, topic.name()).await?,
        ManualKind::Program => programs::help(&shelf, topic).await?,
        ManualKind::Manual => pages::manual(&shelf, topic).await?,
        ManualKind::TerraformResource | ManualKind::TerraformDataSource => {
            terraform::describe(&shelf, workspace, topic).await?
        }
    };
    Ok(match found {
        Found::Text(text) => page(&text, from),
        Found::Nothing(reason) => Answer::NoPage { reason },
    })
}

/// The folders of one question.
struct Shelf {
    folder: PathBuf,
    /// Where programs start: empty except for what is written here.
    desk: PathBuf,
    home: PathBuf,
}

impl Shelf {
    fn new(folder: &Path) -> io::Result<Self> {
        let made = ["desk", "home", "tmp"].map(|name| folder.join(name));
        made.iter().try_for_each(fs::create_dir)?;
        let [desk, home, _] = made;
        Ok(Self { folder: folder.to_owned(), desk, home })
    }

    /// Runs a line of bash as a reader, which may also start the programs in `programs`.
    async fn run(&self, line: &str, programs: Vec<PathBuf>, most_bytes: usize) -> io::Result<Ran> {
        let plan = Plan {
            workspace: self.desk.clone(),
            scratch: Some(self.folder.clone()),
            home: self.home.clone(),
            processes: false,
            loopback: false,
            programs,
            parts: None,
            reports: false,
        };
        let settings = self.home.join("ansible.cfg");
        if !settings.exists() {
            fs::write(&settings, "")?;
        }
        let tmp = self.folder.join("tmp");
        let mut command = plan.command(line)?;
        command
            .current_dir(&self.desk)
            .envs([("NO_COLOR", "1"), ("COLUMNS", "100"), ("GROFF_NO_SGR", "1")])
            .envs([("ANSIBLE_NOCOLOR", "1"), ("ANSIBLE_DEPRECATION_WARNINGS", "0")])
            .envs([("TF_CLI_CONFIG_FILE", "/dev/null"), ("TF_IN_AUTOMATION", "1")])
            .env("ANSIBLE_CONFIG", settings)
            .env("ANSIBLE_HOME", self.home.join(".ansible"))
            .env("ANSIBLE_LOCAL_TEMP", &tmp)
            .env("TMPDIR", tmp);
        exec::run(&mut command, most_bytes, LOOKING_UP).await
    }
}

/// Whether a program is installed where a reader looks for it.
fn is_installed(program: &str) -> bool {
    reader::folders().any(|folder| Path::new(folder).join(program).is_file())
}

/// A program's error message, as one line.
fn complaint(stderr: &str) -> String {
    let words = stderr.lines().map(plain).collect::<Vec<_>>().join(" ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(COMPLAINT_CHARS).collect()
}

/// The lines of a text from `from` on that fit a page.
fn page(text: &str, from: usize) -> Answer {
    let lines = lines(text);
    if from >= lines.len() {
        return Answer::NoPage { reason: format!("This has {} lines.", lines.len()) };
    }
    let mut shown = String::new();
    let mut next = from;
    for line in &lines[from..] {
        if shown.len() + line.len() >= PAGE_BYTES && next > from {
            break;
        }
        // The rest of a line that is longer than a page does not get a second page.
        shown.push_str(&line[..line.floor_char_boundary(PAGE_BYTES - 1)]);
        shown.push('\n');
        next += 1;
    }
    Answer::Page { text: shown, next: (next < lines.len()).then_some(next) }
}

/// The text's lines without colors and control characters; consecutive empty lines become one.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = plain(line);
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next_if_eq(&'[').is_some() {
                    chars.find(char::is_ascii_alphabetic);
                }
            }
            '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_whole_lines_and_says_where_the_next_one_begins() {
        let text: String = (0..2_000).map(|n| format!("line {n}\n")).collect();
        let (mut from, mut read, mut pages) = (0, String::new(), 0);
        loop {
            let Answer::Page { text, next } = page(&text, from) else {
                panic!("no page at {from}")
            };
            assert!(text.len() <= PAGE_BYTES && text.ends_with('\n'));
            read.push_str(&text);
            pages += 1;
            let Some(next) = next else { break };
            from = next;
        }
        assert_eq!((read, pages), (text.clone(), 3));
        assert!(matches!(page(&text, 2_000), Answer::NoPage { .. }));
        let long = format!("{}\nend\n", "ü".repeat(PAGE_BYTES));
        let Answer::Page { text, next: Some(1) } = page(&long, 0) else { panic!() };
        assert!(text.len() <= PAGE_BYTES);
    }

    #[test]
    fn colors_and_empty_lines_are_left_out() {
        let text = "\n\na\u{1b}[4mb\u{1b}[0m  \n\n\n\nc\u{7}\td\r\n\n";
        assert_eq!(lines(text), ["ab", "", "c\td"]);
    }
}
