//! Divides the files of a backup into those that may leave and those that stay.

use crate::App;
use aws::{Fingerprints, Known, backup_key};
use domain::Scope;
use domain::backup::BackupId;
use domain::repository::{
    MAX_BYTES, MAX_FILE_BYTES, MAX_FILES, PushedFile, Stays, digest, searched, stays_by_path,
};
use http_kit::{ApiError, ErrorCode};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use tokio::io::AsyncSeekExt;
use zip::ZipArchive;
use zip::result::ZipError;

/// The largest backup that is read, in bytes: it goes to the function's disk, which has 512 MB.
const MAX_ZIP_BYTES: u64 = 400_000_000;

/// The part of a backup that concerns a repository.
pub(super) struct Contents {
    /// The files that leave, by path.
    pub files: Vec<PushedFile>,
    /// The files that stay, with the reason; if a whole folder stays, the folder.
    pub stays: BTreeMap<String, Stays>,
}

impl Contents {
    pub fn sha256(&self) -> String {
        digest(&self.files)
    }

    /// The paths of the files that leave.
    pub fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }
}

/// Finds what must not leave in a file's content.
struct Search {
    fingerprints: Fingerprints,
    known: Known,
}

/// Why a backup's files are not pushed.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error("too many files or too much content")]
    TooMuch,
    #[error("the backup's zip")]
    Zip(#[from] ZipError),
    #[error("the backup's zip")]
    Io(#[from] io::Error),
}

impl App {
    /// The contents of a backup; `None` if it is gone.
    pub(super) async fn contents(
        &self,
        scope: Scope,
        backup: &BackupId,
    ) -> Result<Option<Contents>, ApiError> {
        let found =
            self.objects.get(&backup_key(scope, backup)).await.map_err(ApiError::internal)?;
        let Some(zip) = found else { return Ok(None) };
        if zip.length.is_none_or(|bytes| bytes > MAX_ZIP_BYTES) {
            return Err(zip_too_large());
        }
        let sets = self.credentials.list(scope).await?;
        let known = Known::of(scope, &sets);
        let search = Search { fingerprints: self.fingerprints.clone(), known };
        let mut file = tokio::fs::File::from_std(tempfile::tempfile().map_err(ApiError::internal)?);
        let copied = tokio::io::copy(&mut zip.body.into_async_read(), &mut file).await;
        copied.map_err(ApiError::internal)?;
        file.rewind().await.map_err(ApiError::internal)?;
        let file = file.into_std().await;
        let read = tokio::task::spawn_blocking(move || read(file, &search)).await;
        match read.map_err(ApiError::internal)? {
            Ok(contents) => Ok(Some(contents)),
            Err(Unread::TooMuch) => Err(too_large()),
            Err(error) => Err(ApiError::internal(error)),
        }
    }
}

fn too_large() -> ApiError {
    let detail = format!(
        "A push takes {MAX_FILES} files and {} MiB at most, without those that stay. The workspace has more. Delete what \
         can be made again, or move it into a folder whose name begins with a dot: such folders stay.",
        MAX_BYTES / (1024 * 1024)
    );
    ApiError::conflict(ErrorCode::WorkspaceTooLarge, detail)
}

fn zip_too_large() -> ApiError {
    let detail = format!(
        "The backup of this workspace is larger than {} MB, with the files that stay. Delete what can be made again, such \
         as .terraform folders.",
        MAX_ZIP_BYTES / 1_000_000
    );
    ApiError::conflict(ErrorCode::WorkspaceTooLarge, detail)
}

fn read(zip: impl Read + Seek, search: &Search) -> Result<Contents, Unread> {
    let mut zip = ZipArchive::new(zip)?;
    let mut contents = Contents { files: Vec::new(), stays: BTreeMap::new() };
    let mut bytes = 0;
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index)?;
        if entry.is_dir() {
            continue;
        }
        let path = entry.name()?.into_owned();
        if let Some((why, named)) = stays_by_path(&path) {
            contents.stays.insert(named.to_owned(), why);
            continue;
        }
        let executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
        let content = match entry.is_symlink() {
            true => Err(Stays::Link),
            false => {
                let mut content = Vec::new();
                entry.by_ref().take(MAX_FILE_BYTES + 1).read_to_end(&mut content)?;
                search.passes(content)
            }
        };
        match content {
            Ok(content) => {
                bytes += content.len() as u64;
                contents.files.push(PushedFile { path, executable, content });
            }
            Err(why) => drop(contents.stays.insert(path, why)),
        }
        if contents.files.len() > MAX_FILES || bytes > MAX_BYTES {
            return Err(Unread::TooMuch);
        }
    }
    contents.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(contents)
}

impl Search {
    /// A content that may leave, or the reason why it stays.
    fn passes(&self, content: Vec<u8>) -> Result<Vec<u8>, Stays> {
        match self.fingerprints.occur(&self.known, &searched(&content)?) {
            true => Err(Stays::Credential),
            false => Ok(content),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use domain::{InstallationId, ProjectId};
    use std::fs;
    use std::io::{Cursor, Write};
    use std::path::{Path, PathBuf};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn search() -> Search {
        let scope = Scope { installation: InstallationId(1), project: ProjectId(1) };
        Search { fingerprints: Fingerprints::from_env(), known: Known::of(scope, &[]) }
    }

    fn zip(files: &[(String, Vec<u8>)]) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in files {
            zip.start_file(path.as_str(), SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap()
    }

    #[test]
    fn links_are_left_out_modes_are_kept_and_files_are_sorted() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let with = |mode| SimpleFileOptions::default().unix_permissions(mode);
        zip.start_file("run.sh", with(0o755)).unwrap();
        zip.write_all(b"echo hi\n").unwrap();
        zip.add_directory("empty", with(0o755)).unwrap();
        zip.start_file("a.txt", with(0o644)).unwrap();
        zip.write_all(b"a\n").unwrap();
        zip.add_symlink("link", "a.txt", with(0o777)).unwrap();
        let contents = read(zip.finish().unwrap(), &search()).unwrap();
        let found = contents.files.iter().map(|file| (file.path.as_str(), file.executable));
        assert_eq!(found.collect::<Vec<_>>(), [("a.txt", false), ("run.sh", true)]);
        assert_eq!(contents.stays, BTreeMap::from([("link".to_owned(), Stays::Link)]));
    }

    #[test]
    fn content_over_the_limits_of_a_push_is_refused_as_a_whole() {
        let file = |n: usize| (format!("{n}.txt"), b"x\n".to_vec());
        let many: Vec<_> = (0..=MAX_FILES).map(file).collect();
        assert!(matches!(read(zip(&many), &search()), Err(Unread::TooMuch)));
        assert_eq!(read(zip(&many[1..]), &search()).unwrap().files.len(), MAX_FILES);
    }

    /// The files that the catalogue's deployments write contain nothing that looks like a secret, with their blanks
    /// filled in.
    #[test]
    fn a_push_accepts_all_files_of_the_catalogue() {
        let catalogue =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/blueprint/catalogue");
        let mut folders = vec![catalogue.clone()];
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            for path in entries.collect::<Vec<PathBuf>>() {
                if path.is_dir() {
                    folders.push(path);
                } else if ["tf", "yml", "yaml"]
                    .iter()
                    .any(|end| path.extension().is_some_and(|e| e == *end))
                {
                    let template = fs::read_to_string(&path).unwrap();
                    let content = template.replace("@name@", "web").into_bytes();
                    let name = path.strip_prefix(&catalogue).unwrap().to_str().unwrap();
                    files.push((name.to_owned(), content));
                }
            }
        }
        assert!(files.len() > 20, "{} files", files.len());
        let named = |(path, _): &&(String, Vec<u8>)| stays_by_path(path).is_none();
        let lost: Vec<_> = files
            .iter()
            .filter(named)
            .filter_map(|(path, content)| Some((path, search().passes(content.clone()).err()?)))
            .collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
