//! Files of the workspace: a browser's requests and the sandbox's answers.
//!
//! Requests and answers carry the request's id, so that one connection can have many requests in progress. A text or
//! listing that is larger than a frame comes in parts, which are numbered from 1 and may overtake each other; a
//! receiver is done when it has `parts` of them.

use serde::{Deserialize, Serialize};

/// The largest file that is read or written this way, in bytes.
pub const FILE_BYTES: usize = 64 * 1024;

/// How much of a file's end is read at most, in bytes.
pub const FILE_END_BYTES: usize = 16 * 1024;

/// The most parts in which a browser sends one file: four suffice, and control characters need more.
pub const FILE_PARTS: u32 = 16;

/// The most text of one part, in bytes as JSON writes it.
pub const FILE_PART_BYTES: usize = 16 * 1024;

/// The most entries of one listing.
pub const LISTED_ENTRIES: usize = 1000;

/// The longest path, in bytes.
pub const FILE_PATH_BYTES: usize = 1024;

/// The longest id of a request, in bytes.
pub const FILE_REQUEST_BYTES: usize = 64;

/// A browser's request. Paths are relative to the workspace and `/`-separated; the empty one is the workspace itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum FilesRequest {
    /// List the entries of a directory.
    #[serde(rename = "files.list")]
    List {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
    },
    /// Read a text file from byte `offset` on, or the last lines of one of any size.
    #[serde(rename = "files.read")]
    Read {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
        /// The first byte to read.
        #[serde(default)]
        offset: u64,
        /// Whether to read only the end: up to [`FILE_END_BYTES`], from the beginning of a line if there is one. A
        /// sandbox of an earlier version reads the file from `offset` on.
        #[serde(default)]
        end: bool,
    },
    /// Replace a file whose content was read before, or create one.
    #[serde(rename = "files.write")]
    Write {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
        /// Lower-case hex SHA-256 of the content to replace; without it, the path must be free.
        base_sha256: Option<String>,
        /// The text of this part.
        content: String,
        /// The number of this part, from 1.
        #[serde(default = "one")]
        part: u32,
        /// How many parts there are.
        #[serde(default = "one")]
        parts: u32,
    },
}

/// The answer of the sandbox, or of the gateway in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum FilesAnswer {
    /// The entries of a directory.
    #[serde(rename = "files.listed")]
    Listed {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
        /// The entries of this part.
        entries: Vec<FileEntry>,
        /// Whether the directory has more than [`LISTED_ENTRIES`] entries.
        truncated: bool,
        /// The number of this part, from 1.
        part: u32,
        /// How many parts there are.
        parts: u32,
    },
    /// The text of a file.
    #[serde(rename = "files.content")]
    Content {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
        /// The text of this part.
        content: String,
        /// Lower-case hex SHA-256 of the whole file, or of its end if that was asked for.
        sha256: String,
        /// Size of the whole file.
        bytes: u64,
        /// The number of this part, from 1.
        part: u32,
        /// How many parts there are.
        parts: u32,
    },
    /// The file is written.
    #[serde(rename = "files.written")]
    Written {
        /// The id that the answer repeats.
        request: String,
        /// The path, relative to the workspace.
        path: String,
        /// Lower-case hex SHA-256 of the file as it is now.
        sha256: String,
        /// Size in bytes.
        bytes: u64,
    },
    /// The request failed.
    #[serde(rename = "files.failed")]
    Failed {
        /// The id that the answer repeats.
        request: String,
        /// Reason for the refusal.
        code: FileFailure,
        /// A text for the user.
        detail: String,
    },
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileEntry {
    /// Its name, without the directory.
    pub name: String,
    /// Kind of file.
    pub kind: FileKind,
    /// Size in bytes.
    pub bytes: u64,
    /// When the file was last changed, as RFC 3339.
    pub modified: String,
    /// Whether the file can be opened here, judged without reading it: small enough and not a private key.
    pub editable: bool,
}

/// The kind of an entry; links are not followed to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, socket or pipe.
    Other,
}

/// Why a request about a file failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FileFailure {
    /// There is nothing at the path.
    NotFound,
    /// It is not a regular file.
    NotAFile,
    /// It is not a directory.
    NotADirectory,
    /// The file is larger than [`FILE_BYTES`].
    TooLarge,
    /// It is not UTF-8 text.
    Binary,
    /// The file's content does not match `base_sha256`.
    Conflict,
    /// The path leads out of the workspace.
    Outside,
    /// The sandbox's user lacks the permission, or the file is a private key.
    Denied,
    /// The disk is full.
    NoSpace,
    /// No sandbox answers now; the browser can repeat the request.
    Unavailable,
}

impl FileFailure {
    /// The text for the user.
    pub fn detail(self) -> &'static str {
        match self {
            Self::NotFound => "There is no longer anything at this path.",
            Self::NotAFile => "This is not a regular file.",
            Self::NotADirectory => "This is not a folder.",
            Self::TooLarge => "This file is larger than 64 KiB. Use the terminal for it.",
            Self::Binary => "This is not a text file.",
            Self::Conflict => "This file has changed since you opened it.",
            Self::Outside => "This path leads out of the workspace.",
            Self::Denied => "This file may not be opened here.",
            Self::NoSpace => "The sandbox has no room left for this file.",
            Self::Unavailable => "The sandbox does not answer. Try again.",
        }
    }

    /// The answer to `request` with this error.
    pub fn answer(self, request: &str) -> FilesAnswer {
        let request = request.to_owned();
        FilesAnswer::Failed { request, code: self, detail: self.detail().to_owned() }
    }
}

impl FilesRequest {
    /// The id that the answer repeats.
    pub fn id(&self) -> &str {
        match self {
            Self::List { request, .. }
            | Self::Read { request, .. }
            | Self::Write { request, .. } => request,
        }
    }
}

/// Cuts a text into parts of [`FILE_PART_BYTES`] as they will be written; an empty text is one empty part.
pub fn file_parts(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut written) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        let size = crate::frames::written_bytes(&text[at..at + character.len_utf8()]);
        if written + size > FILE_PART_BYTES {
            parts.push(&text[begin..at]);
            (begin, written) = (at, 0);
        }
        written += size;
    }
    parts.push(&text[begin..]);
    parts
}

/// Cuts a listing into parts of [`FILE_PART_BYTES`] or a little more; an empty one is one empty part.
pub fn entry_parts(entries: Vec<FileEntry>) -> Vec<Vec<FileEntry>> {
    /// Field names, kind, size, time and punctuation of one entry.
    const AROUND_NAME: usize = 160;
    let (mut parts, mut part, mut written) = (Vec::new(), Vec::new(), 0);
    for entry in entries {
        let name: usize =
            entry.name.split_inclusive(|_| true).map(crate::frames::written_bytes).sum();
        if written + name + AROUND_NAME > FILE_PART_BYTES {
            parts.push(std::mem::take(&mut part));
            written = 0;
        }
        written += name + AROUND_NAME;
        part.push(entry);
    }
    parts.push(part);
    parts
}

fn one() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FRAME_BYTES, FromAgent, FromBrowser, ToBrowser};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn requests_and_answers_are_messages_of_the_browsers_socket() {
        let list: FromBrowser =
            serde_json::from_value(json!({"type":"files.list","request":"1","path":""})).unwrap();
        let asked = FilesRequest::List { request: "1".into(), path: String::new() };
        assert_eq!(list, FromBrowser::Files(asked));
        let failed = ToBrowser::Files(FileFailure::NotAFile.answer("1"));
        assert_eq!(
            serde_json::to_value(failed).unwrap(),
            json!({"type":"files.failed","request":"1","code":"not_a_file",
                   "detail":"This is not a regular file."})
        );
    }

    #[test]
    fn a_write_that_fits_a_frame_needs_no_parts() {
        let write =
            json!({"type":"files.write","request":"1","path":"a","base_sha256":null,"content":"x"});
        let FilesRequest::Write { part, parts, .. } = serde_json::from_value(write).unwrap() else {
            panic!("not a write");
        };
        assert_eq!((part, parts), (1, 1));
    }

    proptest! {
        #[test]
        fn the_parts_of_a_text_join_to_the_text(text in "(\\PC|[\u{1}-\u{1f}]){0,30000}") {
            let parts = file_parts(&text);
            prop_assert_eq!(parts.concat(), text);
        }
    }

    #[test]
    fn no_answer_is_larger_than_a_frame_whatever_is_in_it() {
        let request = "r".repeat(FILE_REQUEST_BYTES);
        let path = "\u{1}".repeat(FILE_PATH_BYTES);
        let fits = |answer: FilesAnswer| {
            let frame = FromAgent::Files { connection: "c".repeat(64), answer };
            assert!(serde_json::to_string(&frame).unwrap().len() <= FRAME_BYTES);
        };
        for content in file_parts(&"\u{1}".repeat(FILE_BYTES)) {
            fits(FilesAnswer::Content {
                request: request.clone(),
                path: path.clone(),
                content: content.to_owned(),
                sha256: "0".repeat(64),
                bytes: u64::MAX,
                part: u32::MAX,
                parts: u32::MAX,
            });
        }
        let entry = FileEntry {
            name: "\u{1}".repeat(255),
            kind: FileKind::Directory,
            bytes: u64::MAX,
            modified: "2026-11-20T08:00:00.123456789Z".into(),
            editable: false,
        };
        let parts = entry_parts(vec![entry; LISTED_ENTRIES]);
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), LISTED_ENTRIES);
        for entries in parts {
            let (request, path) = (request.clone(), path.clone());
            fits(FilesAnswer::Listed {
                request,
                path,
                entries,
                truncated: true,
                part: u32::MAX,
                parts: u32::MAX,
            });
        }
    }
}
