//! Tests that for any history, however broken, the window sends only what every provider accepts.

use super::window::{overflow, window};
use crate::exchange::{self, Part};
use domain::chat::{Message, Role, ToolCall, ToolResult};
use proptest::prelude::*;

fn any_message() -> impl Strategy<Value = Message> {
    let ids = || prop::collection::vec(0..4u8, 0..4);
    (0..3u8, "[a-z ]{0,40}", ids(), ids(), any::<bool>()).prop_map(
        |(role, text, calls, results, partial)| {
            let role = [Role::User, Role::Assistant, Role::Tool][usize::from(role)];
            let mut message = Message::user(text);
            message.partial = partial;
            message.role = role;
            if role == Role::Assistant {
                let call = |id: u8| ToolCall {
                    id: id.to_string(),
                    name: "t".into(),
                    arguments: "not json".into(),
                };
                message.tool_calls = calls.into_iter().map(call).collect();
            }
            if role == Role::Tool {
                let result =
                    |id: u8| ToolResult { call_id: id.to_string(), content: "done".into() };
                message.tool_results = results.into_iter().map(result).collect();
            }
            message
        },
    )
}

/// The ids of the calls in a message, or of the calls that it answers.
fn ids(message: &exchange::Message) -> Vec<String> {
    let ids = message.parts.iter().filter_map(|part| match part {
        Part::Call(call) => Some(call.id.clone()),
        Part::Result(result) => Some(result.id.clone()),
        _ => None,
    });
    ids.collect()
}

fn asks(message: &exchange::Message) -> bool {
    message.parts.iter().any(|part| matches!(part, Part::Call(_)))
}

/// The texts of a message.
fn texts(message: &exchange::Message) -> Vec<&str> {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

proptest! {
    #[test]
    fn the_window_never_orphans_a_tool_result_and_roles_alternate(
        history in prop::collection::vec(any_message(), 0..24),
        budget in 0..400u64,
        earlier in prop::sample::select(vec!["", "<earlier>"]),
    ) {
        let mut history = history;
        history.push(Message::user("now"));
        let sent = window(&history, earlier, "<context>", budget);

        prop_assert_eq!(&sent[0].role, &exchange::Role::User);
        prop_assert_eq!(&sent[sent.len() - 1].role, &exchange::Role::User);
        for pair in sent.windows(2) {
            prop_assert!(pair[0].role != pair[1].role);
            let (asks, answers) = (self::asks(&pair[0]), pair[1].role == exchange::Role::Tool);
            prop_assert_eq!(asks, answers, "each call is followed by its result");
            if asks {
                prop_assert_eq!(ids(&pair[0]), ids(&pair[1]));
            }
            prop_assert!(!(pair[0].role == exchange::Role::Tool && pair[1].role == exchange::Role::User));
        }
        let mut all: Vec<_> = sent.iter().filter(|m| m.role == exchange::Role::Assistant).flat_map(ids).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len(), count, "each call has a unique id");
        let empty = sent.iter().any(|m| texts(m).iter().any(|text| text.trim().is_empty()));
        prop_assert!(!empty);
        let first = texts(&sent[0]).join("\n\n");
        prop_assert!(first.starts_with(earlier));
        if let Some(cut) = overflow(&history, budget) {
            prop_assert!(cut > 0 && cut < history.len() && history[cut].role == Role::User);
            prop_assert!(overflow(&history[cut..], budget).is_none() || !window(&history[cut..], "", "", budget).is_empty());
        }
        let last = texts(&sent[sent.len() - 1]).join("\n\n");
        prop_assert!(last.contains("<context>") && last.ends_with("now"));
    }
}

#[test]
fn older_exchanges_are_left_out_and_a_note_says_so() {
    let history = [
        Message::user("first ".repeat(200)),
        Message::assistant("reply ".repeat(200)),
        Message::user("second"),
        Message::assistant("ok"),
        Message::user("third"),
    ];
    let sent = window(&history, "", "", 100);
    let texts: Vec<_> = sent.iter().flat_map(texts).collect();
    assert_eq!(
        texts,
        ["[Earlier messages of this conversation are left out.]\n\nsecond", "ok", "third"]
    );
    assert_eq!(window(&history, "", "", 10_000).len(), 5);
}

#[test]
fn a_message_larger_than_the_whole_window_is_still_sent() {
    let sent = window(&[Message::user("word ".repeat(1_000))], "", "", 10);
    assert_eq!(sent.len(), 1);
}

#[test]
fn condensing_leaves_room_for_the_next_messages() {
    let exchange =
        |n: u32| [Message::user(format!("{n} {}", "word ".repeat(72))), Message::assistant("ok")];
    let mut history: Vec<Message> = (0..10).flat_map(exchange).collect();
    history.push(Message::user("now"));
    assert_eq!(overflow(&history, 10_000), None);
    let cut = overflow(&history, 1_000).unwrap();
    assert!((10..=14).contains(&cut), "{cut}");
    assert_eq!(overflow(&history[cut..], 1_000), None);
    assert_eq!(
        overflow(&[Message::user("word ".repeat(1_000))], 10),
        None,
        "the last message always stays"
    );
}
