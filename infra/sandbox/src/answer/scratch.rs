//! A copy of the workspace as it will be after a script has written its files.
//!
//! It contains only what a reader may see, up to the size of a reasonable configuration. A tool may complain about a file
//! that exists but was left out: such complaints are recognized and are not findings ([`Copied::left_out`]).
//!
//! A tool that evaluates what it reads, or starts programs of the workspace (Terraform with its functions and providers,
//! Ansible with its templates), gets a separate copy without any file that holds a credential of the project or anything
//! like a secret: it could spell what it sees in a way that no mask recognizes. If one of Terraform's configurations is
//! missing because of that, Terraform does not run ([`Copied::withheld`]).
//!
//! A script's own changes to Terraform's records are left out as well ([`vouches`]).

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use protocol::BenchFile;
use protocol::private_files::is_shut;
use rustix::fs::{Dir, FileType, Mode, OFlags, fstat, open, openat};

use crate::reader::{Marks, has_secret, is_open};

/// How many files are copied at most.
const FILES: usize = 2_000;

/// The largest file that is copied, in bytes; configurations are smaller.
const FILE_BYTES: u64 = 256 * 1024;

/// How much is copied at most, in bytes.
const ALL_BYTES: u64 = 16 * 1024 * 1024;

/// How many levels of folders are entered at most.
const DEPTH: usize = 12;

/// The folder in which `terraform init` puts providers and modules.
const INITIALIZED: &str = ".terraform";

/// The hidden file that records the providers' versions of a configuration.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Extensions of the files that Terraform reads as configuration.
const CONFIGURATIONS: [&str; 3] = [".tf", ".tf.json", LOCK_FILE];

/// Result of a copy.
#[derive(Debug, Default)]
pub struct Copied {
    /// Whether anything was left out because a reader may not see it or because there was too much.
    pub left_out: bool,
    /// Whether a Terraform configuration was left out because of a secret in it.
    pub withheld: bool,
    files: usize,
    bytes: u64,
}

/// Copies `workspace` to the new folder `to`, and writes `files` over it; with marks, omits files with secrets.
pub fn fill(
    to: &Path,
    workspace: &Path,
    files: &[BenchFile],
    marks: Option<&Marks>,
) -> io::Result<Copied> {
    let mut copied = Copied::default();
    fs::create_dir(to)?;
    copied.add(workspace, to, marks)?;
    for file in files {
        let Some(path) = below(to, &file.path) else { continue };
        if vouches(&file.path) {
            copied.left_out = true;
            continue;
        }
        if marks.is_some_and(|marks| has_secret(marks, file.text.as_bytes())) {
            copied.withhold(&file.path);
            // The current file will be replaced.
            if path.exists() {
                fs::remove_file(path)?;
            }
            continue;
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create(path)?.write_all(file.text.as_bytes())?;
    }
    Ok(copied)
}

/// Whether Terraform takes this file as its own record of what it has installed. A script under check has not been
/// approved, so such a file from it proves nothing: only the workspace's lock file counts.
fn vouches(path: &str) -> bool {
    path.split('/').any(|part| part == INITIALIZED || part == LOCK_FILE)
}

/// The place in the copy of a path relative to the workspace; `None` if it leads outside. The copy has no links.
pub fn below(copy: &Path, path: &str) -> Option<PathBuf> {
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (inside && !path.is_empty()).then(|| copy.join(path))
}

impl Copied {
    /// Adds the content of a folder.
    pub fn add(&mut self, from: &Path, to: &Path, marks: Option<&Marks>) -> io::Result<()> {
        let root = open(from, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        self.folder(&root, to, (marks, false), 0)
    }

    fn withhold(&mut self, name: &str) {
        self.left_out = true;
        self.withheld |= CONFIGURATIONS.iter().any(|end| name.ends_with(end));
    }

    /// The last of `rules` is whether the folder holds keys.
    fn folder(
        &mut self,
        from: &OwnedFd,
        to: &Path,
        rules: (Option<&Marks>, bool),
        depth: usize,
    ) -> io::Result<()> {
        let (marks, shut) = rules;
        for entry in Dir::read_from(from)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == "." || name == ".." {
                continue;
            }
            if name.starts_with('.') && name != LOCK_FILE {
                self.left_out |= !name.starts_with(".terraform") && name != ".git";
                continue;
            }
            let how = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let Ok(opened) = openat(from.as_fd(), entry.file_name(), how, Mode::empty()) else {
                self.left_out = true;
                continue;
            };
            match FileType::from_raw_mode(fstat(&opened)?.st_mode) {
                FileType::Directory if depth < DEPTH => {
                    let inner = to.join(&name);
                    fs::create_dir(&inner)?;
                    self.folder(&opened, &inner, (marks, shut || is_shut(&name)), depth + 1)?;
                }
                FileType::RegularFile => self.file(&to.join(&name), File::from(opened), rules)?,
                _ => self.left_out = true,
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        to: &Path,
        mut file: File,
        (marks, shut): (Option<&Marks>, bool),
    ) -> io::Result<()> {
        let bytes = file.metadata()?.len();
        let room = self.files < FILES && bytes <= FILE_BYTES && self.bytes + bytes <= ALL_BYTES;
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        if !room || !is_open(&name, shut, &mut file)? {
            self.left_out = true;
            return Ok(());
        }
        // The file was searched for keys.
        file.rewind()?;
        let mut text = Vec::new();
        file.take(FILE_BYTES).read_to_end(&mut text)?;
        if marks.is_some_and(|marks| has_secret(marks, &text)) {
            self.withhold(&name);
            return Ok(());
        }
        self.files += 1;
        self.bytes += bytes;
        File::create(to)?.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_scripts_files_and_neither_secrets_nor_links() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for made in ["terraform/.terraform/providers", "ssh", "ansible"] {
            fs::create_dir_all(from.join(made)).unwrap();
        }
        for (path, text) in [
            ("terraform/main.tf", "old"),
            ("terraform/.terraform.lock.hcl", "lock"),
            ("terraform/.terraform/providers/x", "binary"),
            ("terraform/terraform.tfstate", "secret"),
            ("ssh/deploy", "secret"),
            ("ansible/key.txt", "-----BEGIN OPENSSH PRIVATE KEY-----\nsecret"),
            ("ansible/site.yml", "- hosts: all"),
            (".env", "secret"),
        ] {
            fs::write(from.join(path), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", from.join("ansible/users")).unwrap();
        let file = |path: &str, text: &str| BenchFile { path: path.into(), text: text.into() };
        let written =
            [file("terraform/main.tf", "new"), file("new/a.sh", "true"), file("../out", "no")];
        let copied = fill(&to, &from, &written, None).unwrap();
        assert!(copied.left_out);
        let mut all = Vec::new();
        let mut folders = vec![to.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => all.push(path.strip_prefix(&to).unwrap().display().to_string()),
                }
            }
        }
        all.sort();
        let expected =
            ["ansible/site.yml", "new/a.sh", "terraform/.terraform.lock.hcl", "terraform/main.tf"];
        assert_eq!(all, expected);
        assert_eq!(fs::read_to_string(to.join("terraform/main.tf")).unwrap(), "new");
        assert!(!folder.path().join("out").exists());
    }

    #[test]
    fn a_script_can_write_neither_a_provider_nor_a_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("terraform")).unwrap();
        fs::write(from.join("terraform").join(LOCK_FILE), "of the workspace").unwrap();
        let file = |path: &str| BenchFile { path: path.into(), text: "of the script".into() };
        let written = [
            "terraform/.terraform.lock.hcl",
            "terraform/.terraform/providers/a/terraform-provider-a",
            "terraform/.terraform/modules/modules.json",
            "other/.terraform.lock.hcl",
        ];
        let copied = fill(&to, &from, &written.map(file), None).unwrap();
        let lock = fs::read_to_string(to.join("terraform").join(LOCK_FILE)).unwrap();
        assert_eq!((lock.as_str(), copied.left_out), ("of the workspace", true));
        assert!(!to.join("terraform/.terraform").exists() && !to.join("other").exists());
    }

    #[test]
    fn a_copy_for_tools_that_evaluate_has_no_file_with_a_secret_or_a_credential() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(&from).unwrap();
        for (path, text) in [
            ("notes.txt", "the canary-of-a-project is here"),
            ("old.tf", "password = \"hunter22-moss\""),
            ("main.tf", "output \"a\" {}"),
        ] {
            fs::write(from.join(path), text).unwrap();
        }
        let marks = Marks::of([b"canary-of-a-project".to_vec()]);
        let file = |path: &str, text: &str| BenchFile { path: path.into(), text: text.into() };
        let left = |files: &[BenchFile], to: &Path| {
            let copied = fill(to, &from, files, Some(&marks)).unwrap();
            let names = fs::read_dir(to).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            (copied.withheld, names)
        };
        assert_eq!(left(&[], &to), (true, vec!["main.tf".to_owned()]));
        fs::remove_file(from.join("old.tf")).unwrap();
        assert_eq!(left(&[], &folder.path().join("a")), (false, vec!["main.tf".to_owned()]));
        let written = [file("main.tf", "a = \"canary-of-a-project\"")];
        assert_eq!(left(&written, &folder.path().join("b")), (true, vec![]));
    }
}
