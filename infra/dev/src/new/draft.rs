//! Changes to the tree that are made together or not at all.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What files are going to hold.
pub struct Draft<'a> {
    root: &'a Path,
    files: BTreeMap<PathBuf, String>,
}

impl<'a> Draft<'a> {
    /// A draft without changes.
    pub fn new(root: &'a Path) -> Self {
        Self { root, files: BTreeMap::new() }
    }

    /// A file as it is going to be.
    pub fn read(&self, path: &str) -> Result<String> {
        match self.files.get(Path::new(path)) {
            Some(text) => Ok(text.clone()),
            None => std::fs::read_to_string(self.root.join(path))
                .with_context(|| format!("cannot read {path}")),
        }
    }

    /// A file that is not there yet.
    pub fn create(&mut self, path: &str, text: String) -> Result<()> {
        ensure!(!self.root.join(path).exists(), "{path} exists already");
        self.files.insert(path.into(), text);
        Ok(())
    }

    /// A line in a file, after the last of those that the block which begins at `block` holds and `like` recognizes.
    /// A block ends at its first empty line.
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

    /// A line among those that begin alike, which are sorted.
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

    fn insert(&mut self, path: &str, lines: &[&str], at: usize, addition: &str) {
        let (before, after) = lines.split_at(at);
        let all = before.iter().chain([&addition]).chain(after);
        let text = all.map(|line| format!("{line}\n")).collect();
        self.files.insert(path.into(), text);
    }

    /// Writes all files and names them.
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
    format!("{path} looks unlike what is expected: there is no place for `{}`", addition.trim())
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
    fn nothing_is_written_when_a_place_is_missing() {
        let root = tree("one:\n  a\n");
        let mut draft = Draft::new(root.path());
        draft.create("new.rs", "x".to_owned()).unwrap();
        let missing = draft.add_after("lib.rs", |line| line == "two:", |_| true, "  c");
        assert!(missing.unwrap_err().to_string().contains("lib.rs"));
        assert!(!root.path().join("new.rs").exists());
        assert!(draft.create("lib.rs", String::new()).is_err(), "no file is overwritten");
    }
}
