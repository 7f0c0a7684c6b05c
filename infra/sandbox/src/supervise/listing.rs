//! Lists the files that a run left in the workspace.

use std::fs;
use std::path::Path;

use protocol::{LISTED_FILES, WorkspaceFile};

/// How many directory entries are read before the listing stops: provider caches can be huge.
const ENTRIES: usize = 20_000;

/// Folders with tools' own data, which a listing omits.
const PASSED_OVER: [&str; 3] = [".git", ".terraform", "node_modules"];

/// The first files of the workspace by path, shallow ones first.
pub fn list(workspace: &Path) -> Vec<WorkspaceFile> {
    let mut files = Vec::new();
    let mut folders = std::collections::VecDeque::from([workspace.to_owned()]);
    let mut seen = 0;
    while let Some(folder) = folders.pop_front()
        && files.len() < LISTED_FILES
    {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        let mut entries: Vec<_> = entries.flatten().take(ENTRIES - seen).collect();
        seen += entries.len();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(meta) = entry.metadata() else { continue };
            let path = entry.path();
            if meta.is_dir() {
                if !PASSED_OVER.iter().any(|name| entry.file_name() == *name) {
                    folders.push_back(path);
                }
            } else if meta.is_file()
                && files.len() < LISTED_FILES
                && let Ok(relative) = path.strip_prefix(workspace)
            {
                files.push(WorkspaceFile {
                    path: relative.to_string_lossy().into_owned(),
                    bytes: meta.len(),
                });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_by_path_and_the_caches_of_tools_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("b/x", "12"), ("a", "1"), (".git/HEAD", "ref")] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let listed: Vec<_> = list(folder.path()).into_iter().map(|f| (f.path, f.bytes)).collect();
        assert_eq!(listed, [("a".to_owned(), 1), ("b/x".to_owned(), 2)]);
    }

    #[test]
    fn a_listing_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..LISTED_FILES + 50 {
            fs::write(folder.path().join(i.to_string()), "").unwrap();
        }
        assert_eq!(list(folder.path()).len(), LISTED_FILES);
    }
}
