//! Stamps: record the sources of a product, so that it is rebuilt only when they change.

use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The record of one product.
pub struct Stamp {
    file: PathBuf,
    digest: String,
}

impl Stamp {
    /// Compares sources (files or folders) with their state when the product was last built.
    ///
    /// Ignores folders named in `skip` at any depth.
    pub fn of(root: &Path, name: &str, sources: &[PathBuf], skip: &[&str]) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        for source in sources {
            add(source, skip, &mut hasher)?;
        }
        let file = root.join("target/dev").join(format!("{name}.stamp"));
        Ok(Self { file, digest: format!("{:016x}", hasher.finish()) })
    }

    /// Whether the product was built from exactly these sources.
    pub fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.digest)
    }

    /// Records that the product is built.
    pub fn keep(&self) -> Result<()> {
        let folder = self.file.parent().context("a stamp has a folder")?;
        fs::create_dir_all(folder)?;
        Ok(fs::write(&self.file, &self.digest)?)
    }
}

fn add(path: &Path, skip: &[&str], hasher: &mut DefaultHasher) -> Result<()> {
    if path.file_name().is_some_and(|name| skip.iter().any(|skipped| name == *skipped)) {
        return Ok(());
    }
    path.hash(hasher);
    if path.is_dir() {
        let mut entries =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| add(entry, skip, hasher));
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    bytes.hash(hasher);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_current_until_a_source_changes() {
        let root = std::env::temp_dir().join(format!("groundcrew-stamp-{}", std::process::id()));
        fs::create_dir_all(root.join("src/node_modules")).unwrap();
        fs::write(root.join("src/a"), "1").unwrap();
        let stamp = || Stamp::of(&root, "web", &[root.join("src")], &["node_modules"]).unwrap();
        assert!(!stamp().is_current());
        stamp().keep().unwrap();
        fs::write(root.join("src/node_modules/x"), "1").unwrap();
        assert!(stamp().is_current());
        fs::write(root.join("src/a"), "2").unwrap();
        assert!(!stamp().is_current());
        fs::remove_dir_all(&root).unwrap();
    }
}
