//! Divides the files of a commit into those with which a project may begin and those that are left out.
//!
//! The tree gives names, kinds and sizes. So most files that are left out are never read, and a repository with too
//! much content is refused before any of it is read.

use super::contents::Contents;
use crate::github::{GitHubError, Granted, Listed};
use domain::repository::{
    MAX_BYTES, MAX_FILE_BYTES, PushedFile, Stays, searched, stays_out_by_path,
};
use futures::{StreamExt, TryStreamExt};
use http_kit::{ApiError, ErrorCode};
use std::collections::BTreeMap;

/// The most files of an import. Each takes two calls, one to show it and one to import it. GitHub accepts 900 in a
/// minute.
const MAX_FILES: usize = 400;
/// How many files are read in parallel, because most of a call to GitHub is spent waiting.
const READS: usize = 8;
/// The most files and folders that the answer can name as left out.
const MAX_STAYING: usize = 1_000;

/// The entries of a tree, chosen only by their names and sizes.
#[derive(Debug, Default)]
struct Chosen {
    /// The files to read, by path.
    files: Vec<Listed>,
    /// The paths that are left out; if a whole folder is, the folder.
    stays: BTreeMap<String, Stays>,
}

/// The contents of a commit's tree.
pub(super) async fn read(
    granted: &Granted<'_>,
    full_name: &str,
    tree: &str,
) -> Result<Contents, ApiError> {
    let listed = granted.listed(full_name, tree).await?.ok_or_else(too_large)?;
    let Chosen { files, mut stays } = choose(listed).ok_or_else(too_large)?;
    let reads = files.into_iter().map(async |file| {
        let content = granted.blob(full_name, &file.sha).await?;
        let content = content.ok_or(Stays::NotText);
        let content = content.and_then(|content| searched(&content).map(drop).map(|()| content));
        Ok::<_, GitHubError>((file, content))
    });
    let read: Vec<_> = futures::stream::iter(reads).buffered(READS).try_collect().await?;
    let mut files = Vec::new();
    for (Listed { path, mode, .. }, content) in read {
        match content {
            Ok(content) => files.push(PushedFile { path, executable: mode == "100755", content }),
            Err(why) => drop(stays.insert(path, why)),
        }
    }
    Ok(Contents { files, stays })
}

/// Divides a tree; `None` if it has too many files.
fn choose(listed: Vec<Listed>) -> Option<Chosen> {
    let mut chosen = Chosen::default();
    let mut bytes = 0;
    for entry in listed {
        if entry.kind == "tree" {
            continue;
        }
        match stays(&entry) {
            Some((why, named)) => drop(chosen.stays.insert(named.to_owned(), why)),
            None => {
                bytes += entry.size;
                chosen.files.push(entry);
            }
        }
        let many = chosen.files.len() > MAX_FILES || chosen.stays.len() > MAX_STAYING;
        if many || bytes > MAX_BYTES {
            return None;
        }
    }
    chosen.files.sort_by(|one, other| one.path.cmp(&other.path));
    Some(chosen)
}

fn stays(entry: &Listed) -> Option<(Stays, &str)> {
    let path = entry.path.as_str();
    if let Some(stays) = stays_out_by_path(path) {
        return Some(stays);
    }
    let why = match entry.mode.as_str() {
        // A sandbox does not unpack such a name from a zip.
        _ if path.contains('\\') => Stays::Name,
        "100644" | "100755" if entry.size > MAX_FILE_BYTES => Stays::TooLarge,
        "100644" | "100755" => return None,
        // A link, or another repository.
        _ => Stays::Link,
    };
    Some((why, path))
}

fn too_large() -> ApiError {
    let detail = format!(
        "An import reads at most {MAX_FILES} files and {} MiB. This repository has more.",
        MAX_BYTES / (1024 * 1024)
    );
    ApiError::conflict(ErrorCode::RepositoryTooLarge, detail)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn entry(path: &str, mode: &str, size: u64) -> Listed {
        let kind = match mode {
            "040000" => "tree",
            "160000" => "commit",
            _ => "blob",
        };
        let (kind, mode) = (kind.to_owned(), mode.to_owned());
        Listed { path: path.to_owned(), kind, mode, sha: "0".repeat(40), size }
    }

    #[test]
    fn names_modes_and_sizes_are_checked_before_any_content_is_read() {
        let chosen = choose(vec![
            entry("terraform", "040000", 0),
            entry("terraform/main.tf", "100644", 10),
            entry("terraform/terraform.tfstate", "100644", 10),
            entry(".github/workflows/a.yml", "100644", 10),
            entry(".github/workflows/b.yml", "100644", 10),
            entry("run.sh", "100755", 10),
            entry("link", "120000", 10),
            entry("modules/other", "160000", 0),
            entry("dump.sql", "100644", MAX_FILE_BYTES + 1),
            entry("a\\b", "100644", 1),
            entry("ssh/config", "100644", 1),
            entry("ssh/known_hosts", "100644", 1),
            entry("SSH", "120000", 1),
        ])
        .unwrap();
        let files: Vec<_> = chosen.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["run.sh", "terraform/main.tf"]);
        let stays = [
            (".github", Stays::Tools),
            ("SSH", Stays::Servers),
            ("ssh", Stays::Servers),
            ("a\\b", Stays::Name),
            ("dump.sql", Stays::TooLarge),
            ("link", Stays::Link),
            ("modules/other", Stays::Link),
            ("terraform/terraform.tfstate", Stays::Private),
        ];
        let stays = stays.map(|(path, why)| (path.to_owned(), why));
        assert_eq!(chosen.stays, BTreeMap::from(stays));
    }

    #[test]
    fn a_repository_over_the_limits_is_refused_as_a_whole() {
        let files = |count: usize, name: &str, size| -> Vec<_> {
            (0..count).map(|n| entry(&format!("{n}{name}"), "100644", size)).collect()
        };
        assert_eq!(choose(files(MAX_FILES, ".txt", 1)).unwrap().files.len(), MAX_FILES);
        assert!(choose(files(MAX_FILES + 1, ".txt", 1)).is_none());
        assert!(choose(files(16, ".txt", MAX_FILE_BYTES)).is_some());
        assert!(choose(files(17, ".txt", MAX_FILE_BYTES)).is_none());
        assert!(choose(files(MAX_STAYING, ".pem", 1)).is_some());
        assert!(choose(files(MAX_STAYING + 1, ".pem", 1)).is_none());
    }
}
