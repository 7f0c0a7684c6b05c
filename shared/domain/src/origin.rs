//! Where the first files of a project came from.
//!
//! A project can begin with the files of a repository. The rules of a push ([`crate::repository`]) decide which files
//! it takes, so nothing enters a workspace that could not leave it again. The project remembers the commit and the
//! paths, for its agents and for a push back to the repository.

use crate::Timestamp;
use crate::actor::Actor;
use crate::backup::BackupId;
use crate::repository::PushedFile;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use utoipa::ToSchema;

/// The longest name of a branch, in bytes.
const MAX_BRANCH_BYTES: usize = 200;
/// How many paths agents see: a large repository must leave room for everything else.
const TOLD_PATHS: usize = 150;

/// Folders that have a meaning in Ansible.
const ANSIBLE_FOLDERS: [&str; 6] =
    ["ansible", "group_vars", "host_vars", "inventories", "playbooks", "roles"];

/// The kind of a file, by its name and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Terraform's configuration.
    Terraform,
    /// A playbook, a role, an inventory or a setting of Ansible.
    Ansible,
    /// A file of Docker Compose.
    Compose,
    /// Anything else.
    Other,
}

impl FileKind {
    /// The kind of a file, from its path and text.
    pub fn of(path: &str, text: &str) -> Self {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let yaml = ends(&[".yml", ".yaml"]);
        let composes = ["compose.", "docker-compose.", "compose-", "docker-compose-"];
        if ends(&[".tf", ".tf.json"]) || name == ".terraform.lock.hcl" {
            return Self::Terraform;
        }
        if yaml && composes.iter().any(|begin| name.starts_with(begin)) {
            return Self::Compose;
        }
        let among = folders.split('/').any(|folder| ANSIBLE_FOLDERS.contains(&folder));
        let setting = ["ansible.cfg", ".ansible-lint"].contains(&name);
        let written = yaml || ends(&[".j2", ".ini", ".cfg"]) || name == "hosts";
        // A playbook is a list of plays, and each names its hosts at the top level; other files have that key deeper
        // down.
        let plays = |line: &str| line.starts_with("- hosts:") || line.starts_with("  hosts:");
        let lists = yaml && text.lines().any(|line| line.starts_with("- "));
        if setting || (among && written) || (lists && text.lines().any(plays)) {
            return Self::Ansible;
        }
        Self::Other
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Terraform => "Terraform",
            Self::Ansible => "Ansible",
            Self::Compose => "Compose",
            Self::Other => "other",
        }
    }
}

/// A file with which a project began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OriginFile {
    /// Its path in the repository and in the workspace.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
}

impl OriginFile {
    /// The note that is kept of a file.
    pub fn of(file: &PushedFile) -> Self {
        Self {
            path: file.path.clone(),
            kind: FileKind::of(&file.path, file.text().unwrap_or_default()),
        }
    }
}

/// Where the first files of a project came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Origin {
    /// The repository, `owner/name`.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The commit that was its head.
    pub commit: String,
    /// The files, by path.
    pub files: Vec<OriginFile>,
    /// SHA-256 of the files, as the person who imported them saw it.
    pub files_sha256: String,
    /// The backup that holds them.
    pub backup_id: BackupId,
    /// The person who imported them.
    pub by: Actor,
    /// When they imported them.
    pub at: Timestamp,
}

impl Origin {
    /// Whether the origin is this commit of this repository, with the files of this digest.
    pub fn is(&self, repository: &str, commit: &str, files_sha256: &str) -> bool {
        let same = self.repository == repository && self.commit == commit;
        same && self.files_sha256 == files_sha256
    }

    /// Its description for agents. The names come from a repository, so callers show it as data.
    pub fn told(&self) -> String {
        let Self { repository, branch, commit, files, .. } = self;
        let mut told = format!(
            "The workspace began with {} files of the repository {repository}, branch {branch}, commit {commit}:\n",
            files.len()
        );
        // Recognized files come first: they matter most if the list is cut.
        let mut named: Vec<_> = files.iter().collect();
        named.sort_by_key(|file| file.kind);
        for OriginFile { path, kind } in named.iter().take(TOLD_PATHS) {
            let _ = writeln!(told, "- {path} ({})", kind.as_str());
        }
        if files.len() > TOLD_PATHS {
            let _ = writeln!(told, "- and {} more", files.len() - TOLD_PATHS);
        }
        told
    }
}

/// Whether this can be the name of a branch. The name becomes part of addresses, so names with characters that have a
/// meaning there are refused although Git accepts them.
pub fn is_branch(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+@=,".contains(c);
    let good =
        |part: &str| !part.is_empty() && !part.starts_with(['.', '-']) && part.chars().all(plain);
    name.len() <= MAX_BRANCH_BYTES && !name.contains("..") && name.split('/').all(good)
}

/// Whether this is the full name of a commit.
pub fn is_commit(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognized_by_name_place_and_text() {
        for (path, text, kind) in [
            ("main.tf", "", FileKind::Terraform),
            ("infra/.terraform.lock.hcl", "", FileKind::Terraform),
            ("infra/vars.tf.json", "{}", FileKind::Terraform),
            ("compose.yaml", "services: {}", FileKind::Compose),
            ("app/docker-compose.prod.yml", "services: {}", FileKind::Compose),
            ("ansible.cfg", "", FileKind::Ansible),
            ("roles/web/tasks/main.yml", "- debug: {}", FileKind::Ansible),
            ("roles/web/files/logo.svg", "<svg/>", FileKind::Other),
            ("site.yml", "---\n- hosts: all\n", FileKind::Ansible),
            ("site.yml", "---\n- name: Web\n  hosts: all\n", FileKind::Ansible),
            ("k8s/web.yml", "kind: Service\n", FileKind::Other),
            ("k8s/in.yml", "kind: Ingress\nspec:\n  tls:\n  - hosts:\n    - a\n", FileKind::Other),
            ("README.md", "hosts: all", FileKind::Other),
        ] {
            assert_eq!(FileKind::of(path, text), kind, "{path}: {text}");
        }
    }

    #[test]
    fn the_names_of_a_branch_and_a_commit_need_no_escaping_in_a_url() {
        for name in ["main", "feature/a-b", "release-1.2", "user@x"] {
            assert!(is_branch(name), "{name}");
        }
        let long = "a".repeat(201);
        for name in [
            "", "/a", "a/", "a//b", "a/../b", "..", "a/.b", "-a", "a?b", "a#b", "a%2fb", "a b",
            &long,
        ] {
            assert!(!is_branch(name), "{name}");
        }
        assert!(is_commit(&"0af".repeat(14)[..40]));
        for name in ["", "main", &"0".repeat(39), &"g".repeat(40)] {
            assert!(!is_commit(name), "{name}");
        }
    }

    fn origin(files: Vec<OriginFile>) -> Origin {
        Origin {
            repository: "octo/infra".into(),
            branch: "main".into(),
            commit: "c".repeat(40),
            files,
            files_sha256: "d".repeat(64),
            backup_id: BackupId::random(),
            by: Actor { user_id: 1, login: "mona".into() },
            at: Timestamp::now(),
        }
    }

    #[test]
    fn agents_see_recognized_files_first_and_a_limited_number() {
        let other = |n: usize| OriginFile { path: format!("{n:03}.txt"), kind: FileKind::Other };
        let mut files: Vec<_> = (0..300).map(other).collect();
        files.push(OriginFile { path: "z/main.tf".into(), kind: FileKind::Terraform });
        let told = origin(files).told();
        assert!(told.starts_with(
            "The workspace began with 301 files of the repository octo/infra, branch main"
        ));
        assert!(told.contains(":\n- z/main.tf (Terraform)\n- 000.txt (other)"), "{told}");
        assert!(told.ends_with("- and 151 more\n"), "{told}");
    }

    #[test]
    fn an_origin_is_one_commit_and_one_digest() {
        let (origin, commit, digest) = (origin(Vec::new()), "c".repeat(40), "d".repeat(64));
        assert!(origin.is("octo/infra", &commit, &digest));
        assert!(!origin.is("octo/other", &commit, &digest));
        assert!(!origin.is("octo/infra", &digest[..40], &digest));
        assert!(!origin.is("octo/infra", &commit, &commit));
    }
}
