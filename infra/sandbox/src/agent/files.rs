//! Passes browsers' file requests to the supervisor, and its answers back.
//!
//! No request outlives the agent, and browsers repeat unanswered requests; every list here is bounded and every wait
//! ends. Answers wait here rather than in the connection's queue until the connection has room.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use protocol::{
    FILE_BYTES, FILE_PARTS, FILE_PATH_BYTES, FILE_REQUEST_BYTES, FileEntry, FileFailure,
    FilesAnswer, FilesRequest, FromAgent, LISTED_ENTRIES, entry_parts, file_parts,
};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::pipe::{FilesAsk, FilesDone, Order};

/// How many requests the supervisor works on at once.
const JOBS: usize = 32;

/// How many files that arrive in parts may be incomplete.
const INCOMPLETE: usize = 8;

/// How many answer frames may wait for room on the connection.
const WAITING_ANSWERS: usize = 256;

/// Time limit of a request, and of the wait for its remaining parts: shorter than the 15 seconds for which the page waits,
/// so that the page can show why there is no answer.
const PATIENCE: Duration = Duration::from_secs(12);

/// The longest name in a listing: file systems allow 255 bytes, which become three times as many as replacement
/// characters.
const NAME_BYTES: usize = 1024;

/// All unanswered requests.
#[derive(Default)]
pub struct Files {
    incomplete: HashMap<(String, String), Incomplete>,
    jobs: HashMap<u64, Job>,
    last: u64,
    answers: VecDeque<FromAgent>,
}

/// A file whose parts have not all arrived.
struct Incomplete {
    path: String,
    base_sha256: Option<String>,
    parts: Vec<Option<String>>,
    due: Instant,
}

/// A request at the supervisor.
struct Job {
    connection: String,
    request: String,
    path: String,
    due: Instant,
    kind: Kind,
}

enum Kind {
    List,
    Read { offset: u64 },
    Write { sha256: String, bytes: u64 },
}

impl Files {
    /// Accepts a request; returns the resulting order.
    pub fn ask(&mut self, connection: String, asked: FilesRequest) -> Option<(Order, Vec<u8>)> {
        if asked.id().len() > FILE_REQUEST_BYTES || self.answers.len() >= WAITING_ANSWERS {
            tracing::warn!("a request about a file is dropped");
            return None;
        }
        match asked {
            FilesRequest::List { request, path } => {
                let ask = FilesAsk::List { path: path.clone() };
                self.order(connection, request, path, Kind::List, ask, Vec::new())
            }
            FilesRequest::Read { request, path, offset, end } => {
                let offset = if end { 0 } else { offset };
                let ask = FilesAsk::Read { path: path.clone(), end };
                self.order(connection, request, path, Kind::Read { offset }, ask, Vec::new())
            }
            FilesRequest::Write { request, path, base_sha256, content, part, parts } => {
                let key = (connection, request);
                let (base_sha256, content) =
                    self.piece(&key, &path, base_sha256, content, part, parts)?;
                let (connection, request) = key;
                let kind = Kind::Write {
                    sha256: hex::encode(Sha256::digest(&content)),
                    bytes: content.len() as u64,
                };
                let ask = FilesAsk::Write { path: path.clone(), base_sha256 };
                self.order(connection, request, path, kind, ask, content.into_bytes())
            }
        }
    }

    /// Handles the supervisor's answer.
    pub fn done(&mut self, job: u64, done: FilesDone, data: Vec<u8>) {
        let Some(job) = self.jobs.remove(&job) else { return };
        let Job { connection, request, path, kind, .. } = job;
        let answers = match (kind, done) {
            (Kind::List, FilesDone::Listed { entries, truncated }) => {
                listed(&request, &path, entries, truncated)
            }
            (Kind::Read { offset }, FilesDone::Content { bytes }) => {
                content(&request, &path, offset, data, bytes)
            }
            (Kind::Write { sha256, bytes }, FilesDone::Written) => {
                vec![FilesAnswer::Written { request, path, sha256, bytes }]
            }
            (_, FilesDone::Failed { code }) => vec![code.answer(&request)],
            // The answer does not match the request: something has tampered with the supervisor.
            _ => vec![FileFailure::Unavailable.answer(&request)],
        };
        for answer in answers {
            self.answer(&connection, answer);
        }
    }

    /// Answers a request that cannot be served now.
    pub fn refuse(&mut self, connection: &str, request: &str, detail: &str) {
        let (request, code) = (request.to_owned(), FileFailure::Unavailable);
        if request.len() <= FILE_REQUEST_BYTES && self.answers.len() < WAITING_ANSWERS {
            self.answer(
                connection,
                FilesAnswer::Failed { request, code, detail: detail.to_owned() },
            );
        }
    }

    /// Handles the supervisor's end, which ends all requests.
    pub fn all_failed(&mut self) {
        for job in std::mem::take(&mut self.jobs).into_values() {
            self.answer(&job.connection, FileFailure::Unavailable.answer(&job.request));
        }
    }

    /// Forgets the incomplete files of a closed connection.
    pub fn detach(&mut self, connection: &str) {
        self.incomplete.retain(|(of, _), _| of != connection);
    }

    /// Passes the waiting answers to `send` until it has no room.
    pub fn pump(&mut self, now: Instant, mut send: impl FnMut(&FromAgent) -> bool) {
        self.give_up(now);
        while let Some(answer) = self.answers.front()
            && send(answer)
        {
            self.answers.pop_front();
        }
    }

    /// When the next answer or timeout is due.
    pub fn next_turn(&self) -> Option<Instant> {
        let now = (!self.answers.is_empty()).then(Instant::now);
        let jobs = self.jobs.values().map(|job| job.due);
        let incomplete = self.incomplete.values().map(|file| file.due);
        now.into_iter().chain(jobs).chain(incomplete).min()
    }

    fn order(
        &mut self,
        connection: String,
        request: String,
        path: String,
        kind: Kind,
        ask: FilesAsk,
        data: Vec<u8>,
    ) -> Option<(Order, Vec<u8>)> {
        if path.len() > FILE_PATH_BYTES {
            self.answer(&connection, FileFailure::NotFound.answer(&request));
            return None;
        }
        if self.jobs.len() >= JOBS {
            self.answer(&connection, FileFailure::Unavailable.answer(&request));
            return None;
        }
        self.last += 1;
        let due = Instant::now() + PATIENCE;
        self.jobs.insert(self.last, Job { connection, request, path, due, kind });
        Some((Order::Files { job: self.last, ask }, data))
    }

    /// Takes a part of a file; returns the whole file once the last part has arrived.
    fn piece(
        &mut self,
        key: &(String, String),
        path: &str,
        base_sha256: Option<String>,
        content: String,
        part: u32,
        parts: u32,
    ) -> Option<(Option<String>, String)> {
        let fail = |files: &mut Self, code: FileFailure| {
            files.incomplete.remove(key);
            files.answer(&key.0, code.answer(&key.1));
            None
        };
        if part == 0 || part > parts || parts > FILE_PARTS || content.len() > FILE_BYTES {
            return fail(self, FileFailure::TooLarge);
        }
        if parts == 1 {
            return Some((base_sha256, content));
        }
        if !self.incomplete.contains_key(key) && self.incomplete.len() >= INCOMPLETE {
            return fail(self, FileFailure::Unavailable);
        }
        let file = self.incomplete.entry(key.clone()).or_insert_with(|| Incomplete {
            path: path.to_owned(),
            base_sha256,
            parts: vec![None; parts as usize],
            due: Instant::now() + PATIENCE,
        });
        let place = file.parts.get_mut(part as usize - 1).filter(|_| file.path == path);
        let Some(place) = place else { return fail(self, FileFailure::Unavailable) };
        place.get_or_insert(content);
        if file.parts.iter().flatten().map(String::len).sum::<usize>() > FILE_BYTES {
            return fail(self, FileFailure::TooLarge);
        }
        if file.parts.iter().any(Option::is_none) {
            return None;
        }
        let file = self.incomplete.remove(key)?;
        Some((file.base_sha256, file.parts.into_iter().flatten().collect()))
    }

    fn give_up(&mut self, now: Instant) {
        let late: Vec<_> =
            self.jobs.iter().filter(|(_, job)| job.due <= now).map(|(id, _)| *id).collect();
        for job in late.iter().filter_map(|id| self.jobs.remove(id)).collect::<Vec<_>>() {
            self.answer(&job.connection, FileFailure::Unavailable.answer(&job.request));
        }
        let late: Vec<_> = self
            .incomplete
            .iter()
            .filter(|(_, file)| file.due <= now)
            .map(|(key, _)| key.clone())
            .collect();
        for (connection, request) in late {
            self.answer(&connection, FileFailure::Unavailable.answer(&request));
            self.incomplete.remove(&(connection, request));
        }
    }

    fn answer(&mut self, connection: &str, answer: FilesAnswer) {
        self.answers.push_back(FromAgent::Files { connection: connection.to_owned(), answer });
    }
}

fn listed(
    request: &str,
    path: &str,
    mut entries: Vec<FileEntry>,
    truncated: bool,
) -> Vec<FilesAnswer> {
    // Checked again because the supervisor runs among untrusted processes.
    entries.retain(|entry| entry.name.len() <= NAME_BYTES && entry.modified.len() <= NAME_BYTES);
    entries.truncate(LISTED_ENTRIES);
    let pieces = entry_parts(entries);
    let parts = count(pieces.len());
    let answer = |(part, entries)| FilesAnswer::Listed {
        request: request.to_owned(),
        path: path.to_owned(),
        entries,
        truncated,
        part,
        parts,
    };
    (1..).zip(pieces).map(answer).collect()
}

fn content(request: &str, path: &str, offset: u64, data: Vec<u8>, bytes: u64) -> Vec<FilesAnswer> {
    let (sha256, read) = (hex::encode(Sha256::digest(&data)), data.len());
    let bytes = bytes.max(read as u64);
    let text = match String::from_utf8(data) {
        Ok(text) if read <= FILE_BYTES => text,
        _ => return vec![FileFailure::Binary.answer(request)],
    };
    let offset = text.floor_char_boundary(usize::try_from(offset).unwrap_or(usize::MAX));
    let pieces = file_parts(&text[offset..]);
    let parts = count(pieces.len());
    let answer = |(part, content): (u32, &str)| FilesAnswer::Content {
        request: request.to_owned(),
        path: path.to_owned(),
        content: content.to_owned(),
        sha256: sha256.clone(),
        bytes,
        part,
        parts,
    };
    (1..).zip(pieces).map(answer).collect()
}

fn count(parts: usize) -> u32 {
    u32::try_from(parts).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: u32, parts: u32, content: &str) -> FilesRequest {
        FilesRequest::Write {
            request: "w".into(),
            path: "f".into(),
            base_sha256: None,
            content: content.into(),
            part,
            parts,
        }
    }

    fn failures(files: &mut Files, now: Instant) -> Vec<FileFailure> {
        let mut failures = Vec::new();
        files.pump(now, |message| {
            if let FromAgent::Files { answer: FilesAnswer::Failed { code, .. }, .. } = message {
                failures.push(*code);
            }
            true
        });
        failures
    }

    #[test]
    fn parts_in_any_order_and_repeated_make_the_file_once() {
        let mut files = Files::default();
        let mut ask = |request| files.ask("b".into(), request);
        assert!(ask(part(3, 3, "c")).is_none());
        assert!(ask(part(1, 3, "a")).is_none());
        assert!(ask(part(1, 3, "a")).is_none());
        let (_, content) = ask(part(2, 3, "b")).unwrap();
        assert_eq!(content, b"abc");
    }

    #[test]
    fn parts_that_are_too_many_or_contradictory_are_refused() {
        let mut files = Files::default();
        let large = "x".repeat(FILE_BYTES / 2 + 1);
        assert!(files.ask("b".into(), part(1, 2, &large)).is_none());
        for (n, of) in [(0, 1), (2, 1), (1, FILE_PARTS + 1)] {
            assert!(files.ask("b".into(), part(n, of, "")).is_none());
        }
        assert!(files.ask("b".into(), part(1, 2, &large)).is_none());
        assert!(files.ask("b".into(), part(2, 2, &large)).is_none());
        assert_eq!(failures(&mut files, Instant::now()), [FileFailure::TooLarge; 4]);
    }

    #[test]
    fn incomplete_files_are_limited_and_time_out() {
        let mut files = Files::default();
        for n in 0..=INCOMPLETE {
            assert!(files.ask(format!("b{n}"), part(1, 2, "")).is_none());
        }
        let now = Instant::now();
        assert_eq!(failures(&mut files, now), [FileFailure::Unavailable], "one too many");
        files.detach("b0");
        let late = failures(&mut files, now + PATIENCE + PATIENCE);
        assert_eq!(late.len(), INCOMPLETE - 1);
        assert!(files.incomplete.is_empty());
    }

    #[test]
    fn a_request_to_a_silent_supervisor_times_out() {
        let mut files = Files::default();
        let (request, path) = ("l".to_owned(), String::new());
        assert!(files.ask("b".into(), FilesRequest::List { request, path }).is_some());
        let due = files.next_turn().unwrap();
        assert_eq!(failures(&mut files, due), [FileFailure::Unavailable]);
        files.done(1, FilesDone::Content { bytes: 0 }, Vec::new());
        assert!(files.next_turn().is_none(), "a late answer reaches no connection");
    }
}
