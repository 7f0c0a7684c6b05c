//! The documentation in a sandbox that agents may look up.
//!
//! A topic is a kind and a name, never a command: the sandbox writes the command itself. A name has the strict form of
//! its kind, without any character that a shell, a path or an option parser reads. It is checked twice: where the agent
//! asks, and again where the sandbox reads the question, because the only way to read a topic from JSON checks it.
//!
//! For `--help`, the sandbox starts only the programs of the table below. Each of them answers such a call with a text
//! and does nothing else, even if the words before `--help` are invalid. `bash` therefore takes no such words (it would
//! run a file of that name), and `aws` is missing: its help needs `groff`, which the image does not have.

use serde::{Deserialize, Serialize};

/// The most bytes of a page: an agent reads all of them.
pub const PAGE_BYTES: usize = 8 * 1024;

/// The longest name, in bytes.
const NAME_BYTES: usize = 120;

/// The most words of a program's name and its commands: `docker compose up` has three.
const PROGRAM_WORDS: usize = 4;

/// The most parts of a module's full name, `ansible.builtin.copy`, and of a folder's path.
const PARTS: usize = 6;

/// The folder of the root module if a question names none.
const USUAL_FOLDER: &str = "terraform";

/// The kinds of documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A module of Ansible with its options.
    AnsibleModule,
    /// The modules of Ansible whose names contain a text.
    AnsibleModules,
    /// A program's own help, or that of one of its commands.
    Program,
    /// A manual page.
    Manual,
    /// A resource of Terraform with its arguments.
    TerraformResource,
    /// A data source of Terraform with its arguments.
    TerraformDataSource,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::AnsibleModule,
        Self::AnsibleModules,
        Self::Program,
        Self::Manual,
        Self::TerraformResource,
        Self::TerraformDataSource,
    ];

    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AnsibleModule => "ansible_module",
            Self::AnsibleModules => "ansible_modules",
            Self::Program => "program",
            Self::Manual => "manual",
            Self::TerraformResource => "terraform_resource",
            Self::TerraformDataSource => "terraform_data_source",
        }
    }

    /// The words before the name in texts for the owner.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::AnsibleModule => "the Ansible module",
            Self::AnsibleModules => "Ansible modules like",
            Self::Program => "the help of",
            Self::Manual => "the manual page",
            Self::TerraformResource => "the Terraform resource",
            Self::TerraformDataSource => "the Terraform data source",
        }
    }
}

/// A topic whose name has the form of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TopicRequest", into = "TopicRequest")]
pub struct Topic {
    kind: Kind,
    name: String,
    folder: String,
}

/// A topic as an agent writes it, not yet checked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TopicRequest {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// For Terraform, the folder of the root module from the workspace on; without one, `terraform`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// An error for a name that does not have the form of its kind; a sentence for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotATopic(&'static str);

impl TryFrom<TopicRequest> for Topic {
    type Error = NotATopic;

    fn try_from(TopicRequest { kind, name, folder }: TopicRequest) -> Result<Self, NotATopic> {
        let name = name.trim().to_owned();
        let (has_form, form) = match kind {
            Kind::AnsibleModule => (
                is_dotted(&name),
                "A module's name has lower-case letters, digits, _ and dots, as in ansible.builtin.copy.",
            ),
            Kind::AnsibleModules => (
                all(&name, "_."),
                "Modules are found by a part of their names: lower-case letters, digits, _ and dots.",
            ),
            Kind::Program => (
                words_of(&name).is_some(),
                "A program is one that is known here, with the names of its commands, as in `docker compose up`: no \
                 options, paths or files. Its help is asked for by the sandbox.",
            ),
            Kind::Manual => (
                manual_of(&name).is_some(),
                "A manual page has a name and perhaps a section, as in sshd_config or crontab(5).",
            ),
            Kind::TerraformResource | Kind::TerraformDataSource => (
                starts_plain(&name) && all(&name, "_-"),
                "A Terraform type has lowercase letters, digits, _ and -, as in aws_instance.",
            ),
        };
        if name.len() > NAME_BYTES || !has_form {
            return Err(NotATopic(form));
        }
        let folder = folder.unwrap_or_else(|| USUAL_FOLDER.to_owned());
        let folder = folder.trim().trim_start_matches("./").trim_matches('/').to_owned();
        let folder = if folder == "." { String::new() } else { folder };
        if !is_folder(&folder) {
            return Err(NotATopic("A folder must be a plain path relative to the workspace."));
        }
        Ok(Self { kind, name, folder })
    }
}

impl From<Topic> for TopicRequest {
    fn from(Topic { kind, name, folder }: Topic) -> Self {
        let is_terraform = matches!(kind, Kind::TerraformResource | Kind::TerraformDataSource);
        let folder = if folder.is_empty() { ".".to_owned() } else { folder };
        Self { kind, name, folder: is_terraform.then_some(folder) }
    }
}

impl Topic {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For Terraform, the folder of the root module from the workspace on; empty for the workspace itself.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The program to start and its arguments; none if this topic is not a program.
    pub fn call(&self) -> Option<Vec<&str>> {
        let (program, commands) = words_of(&self.name).filter(|_| self.kind == Kind::Program)?;
        let mut call = vec![program.name];
        call.extend(commands);
        call.extend(program.help);
        Some(call)
    }

    /// The name of a manual page and its section; none if this topic is not a manual page.
    pub fn manual(&self) -> Option<(&str, Option<char>)> {
        manual_of(&self.name).filter(|_| self.kind == Kind::Manual)
    }
}

/// A program, and how to ask it for help.
#[derive(Debug)]
struct Program {
    name: &'static str,
    /// The words after everything else.
    help: &'static [&'static str],
    /// Whether it has commands with their own help.
    commands: bool,
}

const fn parted(name: &'static str, help: &'static [&'static str]) -> Program {
    Program { name, help, commands: true }
}

const fn whole(name: &'static str, help: &'static [&'static str]) -> Program {
    Program { name, help, commands: false }
}

const HELP: &[&str] = &["--help"];

const PROGRAMS: &[Program] = &[
    parted("ansible-galaxy", HELP),
    parted("ansible-vault", HELP),
    parted("docker", HELP),
    parted("git", &["-h"]),
    parted("ip", &["help"]),
    parted("openssl", &["-help"]),
    parted("pip", HELP),
    parted("promtool", HELP),
    parted("terraform", &["-help"]),
    whole("ansible", HELP),
    whole("ansible-doc", HELP),
    whole("ansible-inventory", HELP),
    whole("ansible-lint", HELP),
    whole("ansible-playbook", HELP),
    whole("bash", HELP),
    whole("chmod", HELP),
    whole("chown", HELP),
    whole("cp", HELP),
    whole("curl", &["--help", "all"]),
    whole("cut", HELP),
    whole("date", HELP),
    whole("df", HELP),
    whole("diff", HELP),
    whole("dig", &["-h"]),
    whole("du", HELP),
    whole("find", HELP),
    whole("grep", HELP),
    whole("head", HELP),
    whole("install", HELP),
    whole("journalctl", HELP),
    whole("jq", HELP),
    whole("ln", HELP),
    whole("ls", HELP),
    whole("mktemp", HELP),
    whole("nginx", &["-h"]),
    whole("ping", &["-h"]),
    whole("psql", HELP),
    whole("python3", HELP),
    whole("rsync", HELP),
    whole("sed", HELP),
    whole("shellcheck", HELP),
    whole("sort", HELP),
    whole("ss", HELP),
    whole("ssh", &["-h"]),
    whole("stat", HELP),
    whole("systemctl", HELP),
    whole("tail", HELP),
    whole("tar", HELP),
    whole("timeout", HELP),
    whole("tr", HELP),
    whole("unzip", &["-h"]),
    whole("xargs", HELP),
    whole("zip", &["-h"]),
];

/// The program and the commands that a name consists of.
fn words_of(name: &str) -> Option<(&'static Program, impl Iterator<Item = &str>)> {
    let mut words = name.split(' ');
    let first = words.next()?;
    let program = PROGRAMS.iter().find(|program| program.name == first)?;
    let count = words.clone().count();
    let most = if program.commands { PROGRAM_WORDS - 1 } else { 0 };
    let plain = |word: &str| starts_plain(word) && all(word, "-");
    (count <= most && words.clone().all(plain)).then_some((program, words))
}

/// Reads `crontab(5)` or `crontab`.
fn manual_of(name: &str) -> Option<(&str, Option<char>)> {
    let (page, section) = match name.strip_suffix(')') {
        Some(rest) => {
            let (page, section) = rest.rsplit_once('(')?;
            let mut digits = section.chars();
            let digit = digits.next().filter(|digit| ('1'..='9').contains(digit))?;
            (page, digits.next().is_none().then_some(Some(digit))?)
        }
        None => (name, None),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._@+:-".contains(c);
    let named = page.starts_with(|c: char| c.is_ascii_alphanumeric())
        && page.chars().all(plain)
        && !page.contains("..");
    named.then_some((page, section))
}

/// Whether the text is not empty and consists only of lower-case letters, digits and the characters of `more`.
fn all(text: &str, more: &str) -> bool {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(c);
    !text.is_empty() && text.chars().all(known)
}

fn starts_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
}

fn is_dotted(name: &str) -> bool {
    let parts = || name.split('.');
    let part = |part: &str| part.starts_with(|c: char| !c.is_ascii_digit()) && all(part, "_");
    parts().count() <= PARTS && parts().all(part)
}

/// Whether this is a folder below the workspace; the empty text is the workspace itself.
fn is_folder(folder: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    folder.is_empty()
        || folder.len() <= NAME_BYTES
            && folder.split('/').count() <= PARTS
            && folder.split('/').all(part)
}

#[cfg(test)]
mod tests;
