//! Cuts a project's audit into pages that fit into an answer.

use crate::AuditEntry;
use crate::answer_size::{ANSWER_BYTES, Room};
use domain::Timestamp;
use http_kit::{ApiError, ErrorCode};
use std::fmt;
use std::str::FromStr;

/// The most that one page takes on its way, in bytes; an entry takes 0.5 MB at most.
const PAGE_BYTES: usize = 4_000_000;
const _: () = assert!(PAGE_BYTES < ANSWER_BYTES);

/// The place in an audit where a page ends. Entries are only added before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The time of the last entry, in milliseconds since 1970.
    at_ms: i64,
    /// How many entries of that time are on this page and those before it.
    shown: usize,
}

/// A part of an audit.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub entries: &'a [AuditEntry],
    /// Where the next page begins; `None` on the last one.
    pub next: Option<Cursor>,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The same form as the history's cursors.
        write!(f, "{:016x}{:016x}", self.at_ms, self.shown)
    }
}

impl FromStr for Cursor {
    type Err = ApiError;

    fn from_str(text: &str) -> Result<Self, ApiError> {
        let invalid = || ApiError::bad_request(ErrorCode::InvalidCursor, "The cursor is invalid.");
        let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let halves = text.split_at_checked(16).filter(|(_, shown)| digits && shown.len() == 16);
        let (at_ms, shown) = halves.ok_or_else(invalid)?;
        let half = |digits| u64::from_str_radix(digits, 16).map_err(|_| invalid());
        let shown = usize::try_from(half(shown)?).map_err(|_| invalid())?;
        Ok(Self { at_ms: half(at_ms)?.cast_signed(), shown })
    }
}

/// The entries after a cursor, as many as fit. `take` takes the room of an entry.
pub(crate) fn page<'a>(
    entries: &'a [AuditEntry],
    after: Option<Cursor>,
    take: impl Fn(&mut Room, &AuditEntry) -> bool,
) -> Page<'a> {
    page_of(entries, after, Room::of(PAGE_BYTES), take)
}

fn page_of<'a>(
    entries: &'a [AuditEntry],
    after: Option<Cursor>,
    mut room: Room,
    take: impl Fn(&mut Room, &AuditEntry) -> bool,
) -> Page<'a> {
    let ms = |entry: &AuditEntry| Timestamp::epoch_milliseconds(entry.at);
    let start = after.map_or(0, |cursor| {
        let later = entries.iter().take_while(|entry| ms(entry) > cursor.at_ms).count();
        later.saturating_add(cursor.shown).min(entries.len())
    });
    let rest = &entries[start..];
    let fitting = rest.iter().take_while(|entry| take(&mut room, entry)).count();
    // Without an entry, a page would have no end from which the next one could begin.
    let end = start + fitting.max(1).min(rest.len());
    let next = entries[..end].last().filter(|_| end < entries.len()).map(|last| Cursor {
        at_ms: ms(last),
        shown: entries[..end].iter().rev().take_while(|entry| ms(entry) == ms(last)).count(),
    });
    Page { entries: &entries[start..end], next }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use domain::PlanId;
    use domain::step::Track;
    use proptest::prelude::*;

    /// The longest command.
    const COMMAND_BYTES: usize = 24_000;

    fn entry(seconds: i64, command: &str) -> AuditEntry {
        AuditEntry {
            at: Timestamp::now().plus_seconds(seconds - 1_000_000),
            track: Track::Execution,
            plan_id: PlanId::from("plan"),
            step_number: 1,
            description: String::new(),
            attempt: 1,
            verdict: None,
            by: None,
            command_sha256: None,
            command_sha256_before: None,
            rollback_sha256: None,
            command: Some(command.to_owned()),
            credentials: Vec::new(),
            run: None,
        }
    }

    fn by_json(room: &mut Room, entry: &AuditEntry) -> bool {
        room.take(entry)
    }

    #[test]
    fn every_page_of_the_largest_entries_fits_into_lambdas_answer() {
        for command in ["x", "\"", "\n", "🚀"] {
            let command = command.repeat(COMMAND_BYTES / command.len());
            let entries: Vec<_> = (0..300).rev().map(|n| entry(n, &command)).collect();
            let (mut after, mut seen) = (None, 0);
            loop {
                let page = page(&entries, after, by_json);
                let body = serde_json::to_string(page.entries).unwrap();
                let on_its_way = serde_json::to_string(&body).unwrap().len();
                assert!(on_its_way <= PAGE_BYTES + 4, "{on_its_way}");
                assert!(page.next.is_none() || on_its_way > PAGE_BYTES - 200_000, "{on_its_way}");
                seen += page.entries.len();
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(seen, entries.len());
        }
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_others_are_refused() {
        let cursor = Cursor { at_ms: 1_764_000_000_000, shown: 3 };
        assert_eq!(cursor.to_string().parse::<Cursor>().unwrap(), cursor);
        for text in ["", "1", &"0".repeat(31), &"0".repeat(33), &"g".repeat(32), &"é".repeat(16)] {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
        let far = Cursor { at_ms: i64::MIN, shown: usize::MAX };
        assert_eq!(page(&[entry(0, "")], Some(far), by_json).entries.len(), 0);
    }

    proptest! {
        #[test]
        fn the_pages_together_have_each_entry_once_even_if_others_are_added_meanwhile(
            times in prop::collection::vec(0..4_i64, 0..30),
            room in 0..2_000_usize,
        ) {
            let mut entries: Vec<_> = times.iter().map(|n| entry(*n, &n.to_string())).collect();
            let base = Timestamp::now();
            for (entry, n) in entries.iter_mut().zip(&times) {
                entry.at = base.plus_seconds(*n);
            }
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
            for (n, entry) in entries.iter_mut().enumerate() {
                entry.attempt = u32::try_from(n).unwrap();
            }
            let (mut seen, mut after, mut added) = (Vec::new(), None, 0);
            loop {
                let page = page_of(&entries, after, Room::of(room), by_json);
                let (next, shown) = (page.next, page.entries.iter().map(|entry| entry.attempt));
                seen.extend(shown.filter(|attempt| *attempt < 1_000));
                if next.is_none() {
                    break;
                }
                after = next;
                added += 1;
                let mut newer = entry(0, "");
                newer.at = base.plus_seconds(100 + i64::from(added));
                newer.attempt = 1_000;
                entries.insert(0, newer);
            }
            let all: Vec<_> = (0..u32::try_from(times.len()).unwrap()).collect();
            prop_assert_eq!(seen, all);
        }
    }
}
