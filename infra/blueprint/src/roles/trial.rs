//! The role for a model check: it carries out plain instructions, as any model would.

use serde_json::{Value, json};

use crate::conversation::{Conversation, Speaker};
use crate::reply::Reply;

pub const TOOL: &str = "keep_note";
const SCRIPT: &str = "hand_in_script";

/// Start of the instruction to end each reply in words with a certain line.
const LAST_LINE: &str = "End every reply in words with the line ";
const CODE_WORD: &str = "code word";

/// Maximum count, so that no instruction can make a reply endless.
const LONGEST_COUNT: u32 = 100_000;

const NUMBERS: &str =
    "#!/usr/bin/env bash\nfor number in 1 2 3 4 5; do\n  echo \"$number\"\ndone\necho \"done\"\n";

/// Carries out the instruction in the last message.
pub fn answer(conversation: &Conversation) -> Reply {
    let mut reply = carried_out(conversation);
    if reply.call.is_none()
        && let Some(line) = last_line(conversation)
    {
        reply.text = format!("{}\n{line}", reply.text);
    }
    reply
}

fn carried_out(conversation: &Conversation) -> Reply {
    if let Some((_, result)) = conversation.last_call(TOOL) {
        return Reply::text(code_word(result).unwrap_or("It is kept."));
    }
    let words = conversation.user_words().pop().unwrap_or_default();
    if conversation.is_forced(TOOL) {
        return Reply::call("", TOOL, json!({"text": words}));
    }
    if words.contains("Call no tool") {
        return count(&words).unwrap_or_else(|| Reply::text("Twelve, as the output begins."));
    }
    if words.contains(SCRIPT) {
        return Reply::call("", SCRIPT, json!({"script": NUMBERS}));
    }
    if words.contains(TOOL) {
        let note = || json!({"text": "first", "number": 1});
        return Reply::call("", TOOL, given(&words).unwrap_or_else(note));
    }
    let document = conversation.fence("documentation");
    let word = document.as_ref().and_then(|document| code_word(document.content));
    Reply::text(word.unwrap_or("I read no code word."))
}

/// The JSON in a message.
fn given(words: &str) -> Option<Value> {
    let rest = &words[words.find('{')?..];
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}

/// Carries out `Count from 1 to 60`.
fn count(words: &str) -> Option<Reply> {
    let (_, rest) = words.split_once("Count from 1 to ")?;
    let last: u32 = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let numbers: Vec<String> = (1..=last.min(LONGEST_COUNT)).map(|n| n.to_string()).collect();
    Some(Reply::text(numbers.join("\n")))
}

/// The word after “code word … is”.
fn code_word(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(CODE_WORD)?;
    let (_, word) = rest.split_once(" is ")?;
    word.split(|c: char| c.is_whitespace() || c == '.').next()
}

fn last_line(conversation: &Conversation) -> Option<&str> {
    let mut system = conversation.messages.iter().filter(|one| one.speaker == Speaker::System);
    let (_, line) = system.find_map(|message| message.text.split_once(LAST_LINE))?;
    line.split(['.', '\n']).next()
}
