//! Tests frames that no honest party sends: each is read or refused, and nothing panics.
//!
//! `PROPTEST_CASES` sets the number of inputs for each test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use protocol::{
    FilesAnswer, FilesRequest, FromAgent, FromBrowser, Reorder, ToAgent, ToBrowser, WireRun,
    terminal_frames,
};

/// Frames as honest ends send them.
const HONEST: [&str; 8] = [
    r#"{"type":"input","input":"ls\r"}"#,
    r#"{"type":"resize","rows":24,"cols":80}"#,
    r#"{"type":"attach","terminal":"main","offset":0,"rows":24,"cols":80}"#,
    r#"{"type":"hello","seq":0,"version":1,"terminals":[],"unrecorded":[],"reader":true}"#,
    r#"{"type":"run_accepted","run_id":"e1-abc","seq":1}"#,
    r#"{"type":"run_progress","run_id":"e1-abc","seq":2,"head":"x","tail":"","bytes":1}"#,
    r#"{"type":"output","connection_id":"a=","terminal":"main","offset":0,"next":1,"data":"x"}"#,
    r#"{"type":"files","connection_id":"a=","id":"1","request":{"op":"list","path":"."}}"#,
];

/// One of them with other bytes or other numbers, or an invented one.
fn frame() -> impl Strategy<Value = String> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5);
    let damaged = (0..HONEST.len(), changes).prop_map(|(which, changes)| {
        let mut bytes = HONEST[which].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let numbered = (0..HONEST.len(), any::<i128>()).prop_map(|(which, number)| {
        let frame = HONEST[which].replace(":0", &format!(":{number}"));
        frame.replace(":1", &format!(":{number}"))
    });
    let made_up =
        r#"\{("(type|seq|run_id|data|offset|next|input)":[\[\]{}0-9"a-z_,:-]{0,20},?){0,6}\}"#;
    prop_oneof![damaged, numbered, made_up, "\\PC{0,60}"]
}

/// Reads a frame like an end that expects such a message.
fn read<Message: serde::de::DeserializeOwned>(frame: &str) -> bool {
    serde_json::from_str::<Message>(frame).is_ok()
}

#[test]
fn the_frames_are_valid_before_they_are_damaged() {
    let honest = HONEST.iter().filter(|frame| {
        read::<FromAgent>(frame) || read::<FromBrowser>(frame) || read::<ToBrowser>(frame)
    });
    assert!(honest.count() >= 5);
}

proptest! {
    #[test]
    fn a_damaged_frame_is_read_or_refused(frame in frame()) {
        read::<FromAgent>(&frame);
        read::<ToAgent>(&frame);
        read::<FromBrowser>(&frame);
        read::<ToBrowser>(&frame);
        read::<FilesRequest>(&frame);
        read::<FilesAnswer>(&frame);
    }

    #[test]
    fn any_text_parses_as_a_run_id_or_is_refused(name in "[a-z]{0,3}[0-9]{0,12}-?\\PC{0,20}") {
        if let Ok(run) = name.parse::<WireRun>() {
            prop_assert_eq!(run.to_string().parse::<WireRun>(), Ok(run));
        }
    }

    #[test]
    fn any_terminal_frame_parses_or_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        terminal_frames(&bytes, 7, false);
    }

    #[test]
    fn numbers_of_messages_are_put_in_order_or_refused(
        numbers in prop::collection::vec(prop_oneof![any::<u64>(), 0..2_000_u64], 0..50),
    ) {
        let mut reorder = Reorder::default();
        for number in numbers {
            reorder.push(number, ()).ok();
        }
    }
}
