//! Which files of a workspace may leave for a repository on GitHub, and what was pushed.
//!
//! More people read a repository than a sandbox, and whatever is in its history stays there. So a file leaves only if
//! its place, its name, its size and its content all allow it ([`content`]). A file that cannot be searched for secrets
//! stays. Before anything is pushed, the owner sees the files that stay, each with the reason.

mod content;

use crate::actor::Actor;
use crate::secret_token::sha256_hex;
use crate::unseen::is_unseen;
use crate::{ProjectId, Timestamp};
use read_only::private_files::{is_shown, is_shut};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use content::{as_text, searched};

/// The most files of a push.
pub const MAX_FILES: usize = 1_000;
/// The largest file of a push, in bytes.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The most bytes of a push.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The most bytes of paths that a project's record keeps; an item of the table takes 400 KB.
const MAX_KEPT_PATH_BYTES: usize = 320_000;
/// What each element of a list adds to an item of the table, in bytes.
const ELEMENT_BYTES: usize = 1;
/// The longest path of a pushed file, in bytes.
pub const MAX_PATH_BYTES: usize = 200;
/// The most pushes that a project's record lists.
pub const MAX_PUSHES: usize = 30;

/// Hidden files that belong to a configuration; all others belong to tools.
const SHARED_HIDDEN: [&str; 8] = [
    ".ansible-lint",
    ".dockerignore",
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    ".terraform.lock.hcl",
    ".tflint.hcl",
    ".yamllint",
];
/// The folder of a workspace whose files say which servers its commands reach, and which host keys they trust.
const SERVERS_FOLDER: &str = "ssh";
/// Folders that tools fill again.
const MADE_FOLDERS: [&str; 3] = ["__pycache__", "node_modules", "venv"];

/// Why a file stays in the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stays {
    /// A tool's own folder or hidden file, such as `.terraform`.
    Tools,
    /// Its name or folder is one of keys, credentials, state or variables.
    Private,
    /// It contains a private key.
    PrivateKey,
    /// It contains a credential of the project.
    Credential,
    /// It contains something that looks like a secret.
    Secret,
    /// It is a link.
    Link,
    /// GitHub did not return its content.
    NotText,
    /// It is packed, compressed or encrypted, so it cannot be searched for secrets.
    Packed,
    /// It is over [`MAX_FILE_BYTES`].
    TooLarge,
    /// Git or GitHub would not accept its name.
    Name,
    /// It could say which servers the project's commands reach. Only an import leaves it out.
    Servers,
}

/// Why a file with this path does not come into a workspace from a repository, and the path to show: for the same
/// reasons for which it would stay there, and because of its folder.
///
/// Readings of a server need no approval, and they reach the host that `ssh/config` names and trust the keys in
/// `ssh/known_hosts`. So these files come from steps that the owner approved, and not from people who can write to the repository. The sandbox takes the folder from the top of the workspace; a name in other letters is left out as well, for
/// file systems to which they are the same.
pub fn stays_out_by_path(path: &str) -> Option<(Stays, &str)> {
    let top = path.split('/').next().unwrap_or_default();
    match top.eq_ignore_ascii_case(SERVERS_FOLDER) {
        true => Some((Stays::Servers, top)),
        false => stays_by_path(path),
    }
}

/// Why a file with this path stays, and the path to show: if a whole folder stays, the folder.
pub fn stays_by_path(path: &str) -> Option<(Stays, &str)> {
    let bad = |part: &str| part.is_empty() || part.chars().any(|c| c.is_control() || is_unseen(c));
    if path.len() > MAX_PATH_BYTES || path.split('/').any(bad) {
        return Some((Stays::Name, path));
    }
    let (mut shut, mut end) = (false, 0);
    let parts: Vec<&str> = path.split('/').collect();
    for (n, part) in parts.iter().enumerate() {
        end += part.len() + usize::from(n > 0);
        let folder = n + 1 < parts.len();
        let hidden = part.starts_with('.') && (folder || !SHARED_HIDDEN.contains(part));
        if hidden || (folder && MADE_FOLDERS.contains(part)) {
            return Some((Stays::Tools, &path[..end]));
        }
        shut |= folder && is_shut(part);
    }
    let name = parts.last().copied().unwrap_or_default();
    (!is_shown(name, shut)).then_some((Stays::Private, path))
}

/// A file that leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedFile {
    /// Its path in the workspace and in the repository.
    pub path: String,
    /// Whether it can be executed.
    pub executable: bool,
    /// Its content.
    pub content: Vec<u8>,
}

impl PushedFile {
    /// Its content, if that is text.
    pub fn text(&self) -> Option<&str> {
        as_text(&self.content)
    }
}

/// SHA-256 of all files with their paths, by which a push identifies what its owner saw.
pub fn digest(files: &[PushedFile]) -> String {
    let mut all = Vec::new();
    for file in files {
        for part in [file.path.as_bytes(), &file.content] {
            // The length before each content keeps two lists of files from having the same bytes.
            all.extend_from_slice(&part.len().to_be_bytes());
            all.extend_from_slice(part);
        }
        all.push(u8::from(file.executable));
    }
    sha256_hex(&all)
}

/// The branch of a change.
pub fn branch(change: u32) -> String {
    format!("groundcrew/change-{change}")
}

/// The branch of a change if another project or a person has the usual one.
pub fn branch_of_project(project: ProjectId, change: u32) -> String {
    format!("groundcrew/project-{project}/change-{change}")
}

/// The last line of our commits, by which a later push recognizes that we wrote the branch's last commit.
pub fn trailer(project: ProjectId) -> String {
    format!("Groundcrew-Project: {project}")
}

/// Whether a commit's message has our last line.
pub fn is_ours(message: &str, project: ProjectId) -> bool {
    message.lines().any(|line| line == trailer(project))
}

/// An `owner/name`, split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FullName<'a> {
    /// The account.
    pub owner: &'a str,
    /// The repository.
    pub name: &'a str,
}

impl<'a> FullName<'a> {
    /// Reads a full name; it becomes part of addresses, so it must not contain characters with a meaning there.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (owner, name) = text.split_once('/')?;
        let plain = |part: &str, more: &[char]| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || more.contains(&c);
            (1..=100).contains(&part.len()) && part.chars().all(allowed)
        };
        let dots = name == "." || name == "..";
        (plain(owner, &['-', '_']) && plain(name, &['-', '_', '.']) && !dots)
            .then_some(Self { owner, name })
    }
}

/// A pull request on GitHub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PullRequest {
    /// Its number in its repository.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub number: u64,
    /// Its page.
    pub url: String,
}

/// A push of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Push {
    /// The change, from 1.
    pub change: u32,
    /// The repository, `owner/name`.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The commit.
    pub commit: String,
    /// The change's pull request; null if the default branch has all of it already, or if GitHub did not open it.
    #[schema(required)]
    pub pull_request: Option<PullRequest>,
    /// The number of files.
    pub files: u32,
    /// SHA-256 of the files, as the person who pushed saw it.
    pub files_sha256: String,
    /// The person who pushed.
    pub by: Actor,
    /// When they pushed.
    pub at: Timestamp,
}

/// What a project has pushed, and to which repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pushed {
    /// The repository of the last push.
    pub repository: String,
    /// The paths that our pushes created, so that a push removes a file from the repository once it is gone from the
    /// workspace.
    pub paths: Vec<String>,
    /// The last [`MAX_PUSHES`] pushes, the newest first.
    pub pushes: Vec<Push>,
    /// Whether a push began after the last one that ended: GitHub may have parts of it.
    #[serde(default)]
    pub unfinished: bool,
}

impl Pushed {
    /// The paths that our pushes created in this repository.
    pub fn paths_in(&self, repository: &str) -> &[String] {
        if self.repository == repository { &self.paths } else { &[] }
    }

    /// Adds the paths that a push is about to write.
    pub fn begin(&mut self, repository: &str, paths: impl IntoIterator<Item = String>) {
        if self.repository != repository {
            self.paths.clear();
            repository.clone_into(&mut self.repository);
        }
        self.paths.extend(paths);
        self.paths.sort();
        self.paths.dedup();
        // If a path does not fit, its file stays in the repository after it is gone from the workspace, but the item
        // does not grow without limit.
        let mut bytes = 0;
        self.paths.retain(|path| {
            bytes += path.len() + ELEMENT_BYTES;
            bytes <= MAX_KEPT_PATH_BYTES
        });
        self.unfinished = true;
    }

    /// The branch to which a change was pushed in this repository.
    pub fn branch_in(&self, repository: &str, change: u32) -> Option<&str> {
        let is_there = |push: &&Push| push.repository == repository && push.change == change;
        self.pushes.iter().find(is_there).map(|push| push.branch.as_str())
    }

    /// Whether a push to this repository broke off.
    pub fn broke_off(&self, repository: &str) -> bool {
        self.unfinished && self.repository == repository
    }

    /// Records a finished push of these paths.
    pub fn finish(&mut self, push: Push, paths: Vec<String>) {
        push.repository.clone_into(&mut self.repository);
        self.paths = paths;
        self.pushes.insert(0, push);
        self.pushes.truncate(MAX_PUSHES);
        self.unfinished = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_state_credentials_and_tools_folders_are_not_pushed() {
        for (path, why, named) in [
            ("terraform/terraform.tfstate", Stays::Private, "terraform/terraform.tfstate"),
            ("terraform/terraform.tfstate.backup", Stays::Private, ""),
            ("terraform/prod.auto.tfvars", Stays::Private, ""),
            ("ssh/id_ed25519", Stays::Private, ""),
            ("ssh/deploy", Stays::Private, ""),
            ("app/release.jks", Stays::Private, ""),
            ("team.kdbx", Stays::Private, ""),
            ("tls/site.p12", Stays::Private, ""),
            (".git-credentials", Stays::Tools, ".git-credentials"),
            ("app/.env", Stays::Tools, "app/.env"),
            ("app/prod.env", Stays::Private, ""),
            ("terraform/.terraform/providers/x/y", Stays::Tools, "terraform/.terraform"),
            (".git/config", Stays::Tools, ".git"),
            (".github/workflows/ci.yml", Stays::Tools, ".github"),
            ("web/node_modules/a/b.js", Stays::Tools, "web/node_modules"),
            ("../outside", Stays::Tools, ".."),
            ("/etc/passwd", Stays::Name, "/etc/passwd"),
            ("a//b", Stays::Name, "a//b"),
            ("a\nb", Stays::Name, "a\nb"),
            ("gnp\u{202e}sh.sh", Stays::Name, ""),
            ("a\u{200b}.tf", Stays::Name, ""),
        ] {
            let named = if named.is_empty() { path } else { named };
            assert_eq!(stays_by_path(path), Some((why, named)), "{path}");
        }
        for path in [
            "terraform/main.tf",
            "terraform/.terraform.lock.hcl",
            ".gitignore",
            "ansible/inventory.ini",
            "ssh/id_ed25519.pub",
            "docker-compose.yml",
            "README.md",
        ] {
            assert_eq!(stays_by_path(path), None, "{path}");
        }
    }

    #[test]
    fn an_import_brings_no_file_that_names_a_server() {
        for path in ["ssh/config", "ssh/known_hosts", "SSH/config", "Ssh/keys/a.pub", "ssh"] {
            let named = path.split('/').next().unwrap();
            assert_eq!(stays_out_by_path(path), Some((Stays::Servers, named)), "{path}");
        }
        let elsewhere = ["roles/ssh/config", "ssh.md", "sshd/config", "ansible/ssh/tasks.yml"];
        for path in elsewhere {
            assert_eq!(stays_out_by_path(path), stays_by_path(path), "{path}");
        }
        assert_eq!(stays_out_by_path("./ssh/config"), Some((Stays::Tools, ".")));
    }

    #[test]
    fn a_full_name_is_two_plain_parts() {
        let name = FullName::parse("octo-org/infra.tf").unwrap();
        assert_eq!((name.owner, name.name), ("octo-org", "infra.tf"));
        for bad in ["", "a", "a/", "/b", "a/b/c", "a/..", "a/.", "a/b?c", "a b/c", "a/b%2f"] {
            assert_eq!(FullName::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_digest_covers_paths_texts_and_modes() {
        let file = |path: &str, text: &str, executable| PushedFile {
            path: path.to_owned(),
            content: text.into(),
            executable,
        };
        let all = [
            digest(&[file("a", "bc", false)]),
            digest(&[file("ab", "c", false)]),
            digest(&[file("a", "bc", true)]),
            digest(&[]),
        ];
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn the_next_push_knows_the_paths_of_one_that_broke_off() {
        let mut pushed = Pushed::default();
        pushed.begin("a/b", ["x".to_owned()]);
        pushed.begin("a/b", ["y".to_owned(), "x".to_owned()]);
        assert_eq!(pushed.paths_in("a/b"), ["x", "y"]);
        assert!(pushed.paths_in("a/c").is_empty());
        assert!(pushed.broke_off("a/b") && !pushed.broke_off("a/c"));
        pushed.begin("a/c", ["z".to_owned()]);
        assert_eq!(pushed.paths_in("a/c"), ["z"]);
        let long = |n: usize| format!("{n:0200}");
        pushed.begin("a/d", (0..2 * MAX_FILES).map(long));
        assert_eq!(pushed.paths_in("a/d").len(), MAX_KEPT_PATH_BYTES / (200 + ELEMENT_BYTES));
    }
}
