//! A bare repository, accessed through `git`'s plumbing commands.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The branch of a new repository.
pub const DEFAULT_BRANCH: &str = "main";
/// The author of commits.
const AUTHOR: [&str; 2] = ["groundcrew-local[bot]", "bot@users.noreply.github.example"];
/// The date of a first commit whose digest must be known in advance: the first second of 2026.
const FIRST_COMMIT_SECONDS: u64 = 1_767_225_600;
const NO_OBJECT: &str = "0000000000000000000000000000000000000000";

/// A bare repository.
#[derive(Clone, Debug)]
pub struct Bare(PathBuf);

/// A change to a path in a new tree.
pub enum Entry {
    /// A file: its mode, path and content.
    File(String, String, String),
    /// A file: its mode, path and blob.
    Blob(String, String, String),
    /// A file to remove.
    Gone(String),
}

/// An entry of a tree.
pub struct Listed {
    /// Its mode.
    pub mode: String,
    /// `blob`, `tree` or `commit`.
    pub kind: String,
    /// Its object id.
    pub sha: String,
    /// The size of a blob, in bytes.
    pub size: Option<u64>,
    /// Its path.
    pub path: String,
}

/// A commit.
pub struct Commit {
    /// Its tree.
    pub tree: String,
    /// Its message.
    pub message: String,
}

/// `git` without any of the machine's settings.
pub fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    let path = std::env::var_os("PATH").unwrap_or_default();
    git.env_clear().env("PATH", path).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    for role in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{role}_NAME"), AUTHOR[0]);
        git.env(format!("GIT_{role}_EMAIL"), AUTHOR[1]);
    }
    git
}

impl Bare {
    /// The repository in this folder.
    pub fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Creates the repository.
    pub fn init(&self) -> Result<()> {
        std::fs::create_dir_all(&self.0)?;
        let branch = format!("--initial-branch={DEFAULT_BRANCH}");
        self.run(&["init", "--quiet", "--bare", &branch, "."], "", None).map(drop)
    }

    /// The commit at the head of a branch.
    pub fn head(&self, branch: &str) -> Option<String> {
        let reference = format!("refs/heads/{branch}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", &reference], "", None).ok()?;
        Some(found.trim().to_owned())
    }

    /// The branches.
    pub fn branches(&self) -> Result<Vec<String>> {
        Ok(self.heads()?.into_iter().map(|(name, _)| name).collect())
    }

    /// The branches, each with the commit at its head.
    pub fn heads(&self) -> Result<Vec<(String, String)>> {
        let format = "--format=%(refname:lstrip=2) %(objectname)";
        let all = self.run(&["for-each-ref", format, "refs/heads"], "", None)?;
        let head = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
        Ok(all.lines().filter_map(head).collect())
    }

    /// A commit; `None` if it does not exist.
    pub fn commit(&self, sha: &str) -> Option<Commit> {
        let tree =
            self.run(&["rev-parse", "--verify", "--quiet", &format!("{sha}^{{tree}}")], "", None);
        let message = self.run(&["log", "-1", "--format=%B", sha], "", None);
        Some(Commit { tree: tree.ok()?.trim().to_owned(), message: message.ok()? })
    }

    /// All entries in a tree and below it; `None` if the tree does not exist.
    pub fn tree(&self, sha: &str) -> Option<Vec<Listed>> {
        let listed = self.run(&["ls-tree", "-r", "-t", "-l", "-z", sha], "", None).ok()?;
        let entry = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            let mut about = about.split_whitespace().map(str::to_owned);
            Some(Listed {
                mode: about.next()?,
                kind: about.next()?,
                sha: about.next()?,
                size: about.next()?.parse().ok(),
                path: path.to_owned(),
            })
        };
        Some(listed.split_terminator('\0').filter_map(entry).collect())
    }

    /// Whether a blob of this name exists.
    pub fn has_blob(&self, sha: &str) -> bool {
        self.run(&["cat-file", "-e", &format!("{sha}^{{blob}}")], "", None).is_ok()
    }

    /// The content of a file; `None` if the blob does not exist.
    pub fn blob(&self, sha: &str) -> Option<Vec<u8>> {
        self.bytes(&["cat-file", "blob", sha], b"", None).ok()
    }

    /// Writes a blob.
    pub fn new_blob(&self, content: &[u8]) -> Result<String> {
        let sha = self.bytes(&["hash-object", "-w", "--stdin"], content, None)?;
        Ok(String::from_utf8(sha)?.trim().to_owned())
    }

    /// Writes the files of a tree as blobs with one call of `git`; returns their names in the same order.
    fn new_blobs(&self, entries: &[Entry]) -> Result<Vec<String>> {
        let folder = format!("blobs-{}", crate::ids::token());
        std::fs::create_dir(self.0.join(&folder))?;
        let made = self.blobs_from(&folder, entries);
        std::fs::remove_dir_all(self.0.join(&folder))?;
        made
    }

    fn blobs_from(&self, folder: &str, entries: &[Entry]) -> Result<Vec<String>> {
        let mut paths = String::new();
        for (n, entry) in entries.iter().enumerate() {
            if let Entry::File(_, _, content) = entry {
                std::fs::write(self.0.join(folder).join(n.to_string()), content)?;
                paths += &format!("{folder}/{n}\n");
            }
        }
        let args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
        Ok(self.run(&args, &paths, None)?.lines().map(str::to_owned).collect())
    }

    /// Creates a tree from another one; `None` if a file to remove or a blob does not exist.
    pub fn new_tree(&self, base: Option<&str>, entries: &[Entry]) -> Result<Option<String>> {
        let index = tempfile_in(&self.0);
        let index = Some(index.as_path());
        match base {
            Some(base) => self.run(&["read-tree", base], "", index)?,
            None => self.run(&["read-tree", "--empty"], "", index)?,
        };
        let there = self.run(&["ls-files", "-z"], "", index)?;
        let there: BTreeSet<&str> = there.split('\0').collect();
        let mut blobs = self.new_blobs(entries)?.into_iter();
        let mut lines = String::new();
        for entry in entries {
            match entry {
                Entry::Gone(path) if !there.contains(path.as_str()) => return Ok(None),
                Entry::Gone(path) => lines += &format!("0 {NO_OBJECT}\t{path}\0"),
                Entry::File(mode, path, _) => {
                    let blob = blobs.next().context("a blob")?;
                    lines += &format!("{mode} {blob}\t{path}\0");
                }
                Entry::Blob(_, _, sha) if !self.has_blob(sha) => return Ok(None),
                Entry::Blob(mode, path, sha) => lines += &format!("{mode} {sha}\t{path}\0"),
            }
        }
        self.run(&["update-index", "-z", "--index-info"], &lines, index)?;
        let tree = self.run(&["write-tree"], "", index)?;
        if let Some(index) = index {
            std::fs::remove_file(index).ok();
        }
        Ok(Some(tree.trim().to_owned()))
    }

    /// Creates a commit of a tree.
    pub fn new_commit(&self, tree: &str, parents: &[String], message: &str) -> Result<String> {
        let mut args = vec!["commit-tree", tree];
        for parent in parents {
            args.extend(["-p", parent]);
        }
        Ok(self.run(&args, message, None)?.trim().to_owned())
    }

    /// Creates the first commit of a branch, with these files by path. Its date is always the same, and so is its
    /// digest.
    pub fn first_commit(
        &self,
        branch: &str,
        files: &BTreeMap<String, String>,
        message: &str,
    ) -> Result<String> {
        let entry = |(path, text): (&String, &String)| {
            Entry::File("100644".to_owned(), path.clone(), text.clone())
        };
        let entries: Vec<Entry> = files.iter().map(entry).collect();
        let tree = self.new_tree(None, &entries)?.context("a tree")?;
        let [name, email] = AUTHOR;
        let by = format!("{name} <{email}> {FIRST_COMMIT_SECONDS} +0000");
        let object = format!("tree {tree}\nauthor {by}\ncommitter {by}\n\n{message}\n");
        let commit = self.run(&["hash-object", "-t", "commit", "-w", "--stdin"], &object, None)?;
        self.set_branch(branch, commit.trim(), None)?;
        Ok(commit.trim().to_owned())
    }

    /// Moves a branch from one commit to another; fails if it is no longer at the first.
    pub fn set_branch(&self, branch: &str, to: &str, from: Option<&str>) -> Result<()> {
        let reference = format!("refs/heads/{branch}");
        self.run(&["update-ref", &reference, to, from.unwrap_or(NO_OBJECT)], "", None).map(drop)
    }

    /// Whether a commit is an ancestor of another, or the same.
    pub fn is_behind(&self, old: &str, new: &str) -> bool {
        self.run(&["merge-base", "--is-ancestor", old, new], "", None).is_ok()
    }

    /// Writes one file on a branch; returns the commit.
    pub fn put_file(&self, branch: &str, path: &str, text: &str, message: &str) -> Result<String> {
        let head = self.head(branch);
        let file = Entry::File("100644".to_owned(), path.to_owned(), text.to_owned());
        let tree = self.new_tree(head.as_deref(), &[file])?.context("a tree")?;
        let parents: Vec<String> = head.iter().cloned().collect();
        let commit = self.new_commit(&tree, &parents, message)?;
        self.set_branch(branch, &commit, head.as_deref())?;
        Ok(commit)
    }

    /// The changes that a branch makes, file by file.
    pub fn changes(&self, base: &str, head: &str) -> Result<String> {
        self.run(&["diff", "--stat=100", &format!("{base}...{head}")], "", None)
    }

    /// Merges a branch into another, with a merge commit or squashed into one commit; fails on a conflict.
    pub fn merge(&self, base: &str, head: &str, message: &str, squash: bool) -> Result<()> {
        let (from, to) =
            (self.head(base).context("the base")?, self.head(head).context("the head")?);
        let tree = self.run(&["merge-tree", "--write-tree", &from, &to], "", None)?;
        let tree = tree.lines().next().context("a tree")?;
        let parents = if squash { vec![from.clone()] } else { vec![from.clone(), to] };
        let commit = self.new_commit(tree, &parents, message)?;
        self.set_branch(base, &commit, Some(&from))
    }

    fn run(&self, args: &[&str], input: &str, index: Option<&Path>) -> Result<String> {
        let output = self.bytes(args, input.as_bytes(), index)?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    fn bytes(&self, args: &[&str], input: &[u8], index: Option<&Path>) -> Result<Vec<u8>> {
        let mut command = git(&self.0);
        command.arg("--git-dir=.").args(args).current_dir(&self.0);
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start git; install it")?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that does not read its input closes its end.
            stdin.write_all(input).ok();
        }
        let output = child.wait_with_output()?;
        if !output.status.success() {
            bail!("git {}: {}", args[0], String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(output.stdout)
    }
}

/// A name for the index file of one call.
fn tempfile_in(folder: &Path) -> PathBuf {
    folder.join(format!("index-{}", crate::ids::token()))
}
