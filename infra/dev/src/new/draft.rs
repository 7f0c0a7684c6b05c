//! Changes to the tree that are made together or not at all.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The planned contents of files.
pub struct Draft<'a> {
    root: &'a Path,
    files: BTreeMap<PathBuf, String>,
}

impl<'a> Draft<'a> {
    /// A draft without changes.
    pub fn new(root: &'a Path) -> Self {
        Self { root, files: BTreeMap::new() }
    }

    /// The planned text of a file.
    pub fn read(&self, path: &str) -> Result<String> {
        match self.files.get(Path::new(path)) {
            Some(text) => Ok(text.clone()),
            None => std::fs::read_to_string(self.root.join(path))
                .with_context(|| format!("cannot read {path}")),
        }
    }

    /// Adds a file that does not exist yet.
    pub fn create(&mut self, path: &str, text: String) -> Result<()> {
        ensure!(!self.root.join(path).exists(), "{path} exists already");
        self.files.insert(path.into(), text);
        Ok(())
    }

    /// Adds a line in the block that begins at `block`, after the block's last line that `like` recognizes. A block
    /// ends at its first empty line.
    pub fn add_after(
        &mut self,
        path: &str,
        block: impl Fn(&str) -> bool,
        like: impl Fn(&str) -> bool,
        addition: &str,
    ) -> Result<()> {
        let text = self.read(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let start =
            lines.iter().position(|line| block(line)).with_context(|| unlike(path, addition))?;
        let length = lines[start..].iter().take_while(|line| !line.is_empty()).count();
        let last = lines[start..start + length].iter().rposition(|line| like(line));
        let at = start + last.with_context(|| unlike(path, addition))? + 1;
        self.insert(path, &lines, at, addition);
        Ok(())
    }

    /// Adds a line to a sorted group of lines with the same prefix.
    pub fn add_sorted(&mut self, path: &str, prefix: &str, addition: &str) -> Result<()> {
        let text = self.read(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let alike = |line: &&str| line.starts_with(prefix);
        ensure!(!lines.contains(&addition), "{path} has `{addition}` already");
        let last = lines.iter().rposition(alike).with_context(|| unlike(path, addition))?;
        let at = lines.iter().position(|line| alike(line) && *line > addition).unwrap_or(last + 1);
        self.insert(path, &lines, at, addition);
        Ok(())
    }

    /// Adds a row to the table whose first line begins with `head`. Rows are sorted by the code in their first column.
    pub fn add_row(&mut self, path: &str, head: &str, row: &str) -> Result<()> {
        let text = self.read(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let table = lines.iter().position(|line| line.starts_with(head));
        let rows = table.with_context(|| unlike(path, row))? + 2;
        let end = rows + lines[rows..].iter().take_while(|line| line.starts_with('|')).count();
        let key = |line: &str| line.split('`').nth(1).unwrap_or_default().to_owned();
        let own = key(row);
        ensure!(
            !lines[rows..end].iter().any(|line| key(line) == own),
            "{path} has `{own}` already"
        );
        let at = (rows..end).find(|at| key(lines[*at]) > own).unwrap_or(end);
        self.insert(path, &lines, at, row);
        Ok(())
    }

    /// Adds lines before the first one that `mark` recognizes.
    pub fn add_before(
        &mut self,
        path: &str,
        mark: impl Fn(&str) -> bool,
        addition: &str,
    ) -> Result<()> {
        let text = self.read(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let at =
            lines.iter().position(|line| mark(line)).with_context(|| unlike(path, addition))?;
        self.insert(path, &lines, at, addition);
        Ok(())
    }

    /// Replaces each `old` text.
    pub fn replace(&mut self, path: &str, old: &str, new: &str) -> Result<()> {
        let text = self.read(path)?;
        ensure!(text.contains(old), "{path} has an unexpected form: it does not contain `{old}`");
        self.files.insert(path.into(), text.replace(old, new));
        Ok(())
    }

    fn insert(&mut self, path: &str, lines: &[&str], at: usize, addition: &str) {
        let (before, after) = lines.split_at(at);
        let all = before.iter().chain([&addition]).chain(after);
        let text = all.map(|line| format!("{line}\n")).collect();
        self.files.insert(path.into(), text);
    }

    /// The files that will change, sorted.
    #[cfg(test)]
    pub fn paths(&self) -> Vec<String> {
        self.files.keys().map(|path| path.display().to_string()).collect()
    }

    /// Writes all files and prints their names.
    pub fn write(self) -> Result<()> {
        for (path, text) in self.files {
            let whole = self.root.join(&path);
            if let Some(folder) = whole.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&whole, text).with_context(|| format!("cannot write {path:?}"))?;
            println!("  {}", path.display());
        }
        Ok(())
    }
}

fn unlike(path: &str, addition: &str) -> String {
    format!("{path} has an unexpected form: there is no place for `{}`", addition.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("lib.rs"), text).unwrap();
        root
    }

    #[test]
    fn a_line_goes_where_its_name_sorts() {
        let root = tree("//! Head.\n\nmod a;\nmod m;\n\nuse x;\n");
        let mut draft = Draft::new(root.path());
        for line in ["mod c;", "mod z;"] {
            draft.add_sorted("lib.rs", "mod ", line).unwrap();
        }
        let expected = "//! Head.\n\nmod a;\nmod c;\nmod m;\nmod z;\n\nuse x;\n";
        assert_eq!(draft.read("lib.rs").unwrap(), expected);
        assert!(draft.add_sorted("lib.rs", "mod ", "mod m;").is_err(), "it is there already");
    }

    #[test]
    fn a_line_goes_to_the_end_of_its_own_block() {
        let root = tree("one:\n  a\n\ntwo:\n  a\n  b\nend\n\nthree:\n  a\n");
        let mut draft = Draft::new(root.path());
        let in_two = |line: &str| line == "two:";
        draft.add_after("lib.rs", in_two, |line| line.starts_with("  "), "  c").unwrap();
        let expected = "one:\n  a\n\ntwo:\n  a\n  b\n  c\nend\n\nthree:\n  a\n";
        assert_eq!(draft.read("lib.rs").unwrap(), expected);
    }

    #[test]
    fn nothing_is_written_if_a_place_is_missing() {
        let root = tree("one:\n  a\n");
        let mut draft = Draft::new(root.path());
        draft.create("new.rs", "x".to_owned()).unwrap();
        let missing = draft.add_after("lib.rs", |line| line == "two:", |_| true, "  c");
        assert!(missing.unwrap_err().to_string().contains("lib.rs"));
        assert!(!root.path().join("new.rs").exists());
        assert!(draft.create("lib.rs", String::new()).is_err(), "no file is overwritten");
    }

    #[test]
    fn a_row_goes_where_its_code_sorts_in_its_own_table() {
        let text = "| call | x |\n|---|---|\n| `GET /a` | 1 |\n| `GET /a/c` | 1 |\n\n| call | why |\n|---|---|\n| `Z` | 1 |\n";
        let root = tree(text);
        let mut draft = Draft::new(root.path());
        for row in ["| `GET /a/b` | 2 |", "| `PUT /a` | 2 |"] {
            draft.add_row("lib.rs", "| call | x |", row).unwrap();
        }
        let rows = draft.read("lib.rs").unwrap();
        let rows: Vec<_> = rows.lines().filter_map(|line| line.split('`').nth(1)).collect();
        assert_eq!(rows, ["GET /a", "GET /a/b", "GET /a/c", "PUT /a", "Z"]);
        assert!(draft.add_row("lib.rs", "| call | x |", "| `GET /a` | 3 |").is_err());
    }

    #[test]
    fn a_block_goes_before_its_mark_and_a_number_changes_everywhere() {
        let root = tree("sum 7\n\n  # last\nof 7\n");
        let mut draft = Draft::new(root.path());
        draft.add_before("lib.rs", |line| line == "  # last", "  # new\n").unwrap();
        draft.replace("lib.rs", "7", "8").unwrap();
        assert_eq!(draft.read("lib.rs").unwrap(), "sum 8\n\n  # new\n\n  # last\nof 8\n");
        assert!(draft.replace("lib.rs", "7", "8").is_err(), "there is none left");
        assert!(draft.add_before("lib.rs", |line| line == "  # none", "x").is_err());
    }
}
