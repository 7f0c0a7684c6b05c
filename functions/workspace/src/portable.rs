//! Makes the zip of a backup into one that every system unpacks without loss.
//!
//! A backup keeps every name that Linux keeps, and is restored byte for byte. A person may unpack a download elsewhere:
//! Windows would skip or overwrite files with some of these names. If a zip has any, their entries get other names, and
//! a note at its top lists them. All other zips are served as they are.

use crate::names::renamed;
use aws::ObjectStream;
use domain::report::Chain;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use tokio::io::AsyncSeekExt;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The largest zip whose names are read, in bytes: it and its copy go to the function's disk, which has 512 MB.
const MAX_ZIP_BYTES: u64 = 200_000_000;

/// The name of the note; a file of the workspace with this name keeps it.
const NOTE: &str = "RENAMED-FILES";

/// A download.
pub(crate) enum Portable {
    /// The object itself.
    Object(ObjectStream),
    /// A copy on the function's disk, and its length in bytes.
    Copy(tokio::fs::File, u64),
}

/// The zip with names that work everywhere. A zip that is too large, or that cannot be read, is served as it is.
pub(crate) async fn portable(zip: ObjectStream) -> io::Result<Portable> {
    if zip.length.is_none_or(|bytes| bytes > MAX_ZIP_BYTES) {
        return Ok(Portable::Object(zip));
    }
    let mut file = tokio::fs::File::from_std(tempfile::tempfile()?);
    tokio::io::copy(&mut zip.body.into_async_read(), &mut file).await?;
    file.rewind().await?;
    let original = file.into_std().await;
    let copied = tokio::task::spawn_blocking(move || {
        let copied = tempfile::tempfile().map_err(ZipError::from);
        let copied = copied.and_then(|to| with_portable_names(&original, to));
        (original, copied)
    });
    let (original, copied) = copied.await.map_err(io::Error::other)?;
    let copied = copied.unwrap_or_else(|error| {
        tracing::warn!(error = %Chain(&error), "a zip's names could not be read");
        None
    });
    let mut file = copied.unwrap_or(original);
    let bytes = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    Ok(Portable::Copy(tokio::fs::File::from_std(file), bytes))
}

/// A copy with other names; `None` if all names work everywhere.
fn with_portable_names<W: Write + Seek>(
    from: impl Read + Seek,
    to: W,
) -> Result<Option<W>, ZipError> {
    let mut zip = ZipArchive::new(from)?;
    let names = zip.file_names().map(|name| name.map(Cow::into_owned));
    let names = names.collect::<Result<Vec<_>, _>>()?;
    let renamed = renamed(names.iter().map(String::as_str));
    if renamed.is_empty() {
        return Ok(None);
    }
    let mut copy = ZipWriter::new(to);
    copy.start_file(note_name(&names), SimpleFileOptions::default())?;
    copy.write_all(note(&renamed).as_bytes())?;
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index)?;
        let name = entry.name()?.into_owned();
        match renamed.get(&name) {
            Some(new) => copy.raw_copy_file_rename(entry, new)?,
            None => copy.raw_copy_file(entry)?,
        }
    }
    copy.finish().map(Some)
}

fn note_name(names: &[String]) -> String {
    let taken = |name: &String| names.iter().any(|other| other.eq_ignore_ascii_case(name));
    let mut numbered = (2_usize..).map(|n| format!("{NOTE}-{n}.txt"));
    let first = format!("{NOTE}.txt");
    match taken(&first) {
        true => numbered.find(|name| !taken(name)).unwrap_or(first),
        false => first,
    }
}

fn note(renamed: &BTreeMap<String, String>) -> String {
    let mut note = "Not every system can unpack the names of these files, so they have other names here. In the \
        sandbox and in its backups they keep their own.\r\n\r\n"
        .to_owned();
    for (old, new) in renamed {
        note.push_str(&format!("{new}    was    {old:?}\r\n"));
    }
    note
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn zip(files: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            zip.start_file(*name, SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.add_symlink("link", "a:b", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap().into_inner()
    }

    fn copied(zip: Vec<u8>) -> Option<ZipArchive<Cursor<Vec<u8>>>> {
        let copy = with_portable_names(Cursor::new(zip), Cursor::new(Vec::new())).unwrap();
        copy.map(|copy| ZipArchive::new(copy).unwrap())
    }

    #[test]
    fn a_zip_whose_names_work_everywhere_is_not_copied() {
        assert!(copied(zip(&[("a.txt", "a"), ("terraform/main.tf", "b")])).is_none());
    }

    #[test]
    fn renamed_files_keep_content_and_mode_and_the_note_names_them() {
        let files = [
            ("a:b", "colon"),
            ("run.sh", "same"),
            ("README", "one"),
            ("readme", "two"),
            ("renamed-files.txt", "mine"),
        ];
        let mut copy = copied(zip(&files)).unwrap();
        let mut content = |name: &str| {
            let mut entry = copy.by_name(name).unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            (content, entry.unix_mode().map(|mode| mode & 0o777))
        };
        for (name, expected) in [
            ("a_b", "colon"),
            ("run.sh", "same"),
            ("README", "one"),
            ("readme_2", "two"),
            ("renamed-files.txt", "mine"),
        ] {
            assert_eq!(content(name), (expected.to_owned(), Some(0o755)), "{name}");
        }
        let (note, _) = content("RENAMED-FILES-2.txt");
        assert!(note.contains("a_b    was    \"a:b\"\r\n"), "{note}");
        assert!(note.contains("readme_2    was    \"readme\"\r\n"), "{note}");
        assert!(copy.by_name("link").unwrap().is_symlink());
        assert_eq!(copy.len(), files.len() + 2);
    }

    #[test]
    fn what_is_no_zip_is_an_error_and_not_a_panic() {
        assert!(with_portable_names(Cursor::new(vec![0; 100]), Cursor::new(Vec::new())).is_err());
    }
}
