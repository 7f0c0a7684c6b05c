//! The part of a conversation that a model sees.
//!
//! A kept conversation is a list of *exchanges*: a user's message and everything up to the next one. The window takes
//! whole exchanges, from the newest back, until its tokens are spent, so a tool call is never separated from its
//! result. Providers refuse what an interrupted turn left incomplete (a call without its result, a message without a
//! reply), so the window repairs it: roles alternate, the next message answers each call, and no text is empty.
//!
//! What no longer fits is condensed before it leaves the window (`rounds::condense`). If that cannot be done, it is
//! left out, and a note in its place tells the model.

use crate::exchange::{self, Call, CallResult, Part};
use crate::{fence, tokens};
use domain::chat::{Message, Role};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The most tokens of a request's input, estimated: prompt, context and conversation together.
pub(crate) const CONTEXT_TOKENS: u64 = 100_000;
/// Tokens that a message costs besides its text, roughly, in any provider's format.
const MESSAGE_OVERHEAD: u64 = 8;

const LEFT_OUT: &str = "[Earlier messages of this conversation are left out.]";
const BROKE_OFF: &str = "[This reply broke off.]";

/// The newest exchanges that fit `budget` tokens, with `context` before the last user message, and `earlier`, the
/// summary of everything before `history`, before the first one. The last exchange is always included, whatever it
/// costs.
pub(crate) fn window(
    history: &[Message],
    earlier: &str,
    context: &str,
    budget: u64,
) -> Vec<exchange::Message> {
    let exchanges = exchanges(history);
    let mut spent = 0;
    let fitting = exchanges.iter().rev().take_while(|exchange| {
        spent += exchange.iter().map(cost).sum::<u64>();
        spent <= budget
    });
    let kept = fitting.count().max(1).min(exchanges.len());
    let left_out = exchanges.len() - kept;

    let mut messages = Vec::new();
    let mut calls = 0;
    for (i, exchange) in exchanges.iter().enumerate().skip(left_out) {
        let last = i + 1 == exchanges.len();
        let earlier = Some(earlier).filter(|earlier| i == left_out && !earlier.is_empty());
        let note = (i == left_out && left_out > 0).then_some(LEFT_OUT);
        let context = Some(context).filter(|context| last && !context.is_empty());
        replay(exchange, [earlier, note, context], last, &mut calls, &mut messages);
    }
    messages
}

/// How many messages, from the first, must go so that the others take half of `budget`. Half of it, so that the next
/// message does not need room again right away. `None` if all fit, or only the last is left.
pub(crate) fn overflow(history: &[Message], budget: u64) -> Option<usize> {
    let exchanges = exchanges(history);
    let costs: Vec<u64> = exchanges.iter().map(|e| e.iter().map(cost).sum()).collect();
    if costs.iter().sum::<u64>() <= budget {
        return None;
    }
    let mut spent = 0;
    let fitting = costs.iter().rev().take_while(|&&cost| {
        spent += cost;
        spent <= budget / 2
    });
    let kept = fitting.count().max(1);
    let staying: usize = exchanges.iter().rev().take(kept).map(|exchange| exchange.len()).sum();
    (kept < exchanges.len()).then(|| history.len() - staying)
}

/// Splits at each message of a user. If users wrote twice without a reply, that counts as one message.
fn exchanges(history: &[Message]) -> Vec<&[Message]> {
    let is_start =
        |i: usize| history[i].role == Role::User && (i == 0 || history[i - 1].role != Role::User);
    let starts: Vec<usize> = (0..history.len()).filter(|&i| is_start(i)).collect();
    let ends = starts.iter().skip(1).copied().chain([history.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &history[start..end]).collect()
}

fn cost(message: &Message) -> u64 {
    let calls = message.tool_calls.iter().map(|call| call.name.len() + call.arguments.len());
    let results = message.tool_results.iter().map(|result| result.content.len());
    tokens::of_bytes(message.text.len() + calls.sum::<usize>() + results.sum::<usize>())
        + MESSAGE_OVERHEAD
}

/// One exchange in the form that a provider accepts: user, then pairs of calls and results, then the reply.
fn replay(
    exchange: &[Message],
    preface: [Option<&str>; 3],
    last: bool,
    calls: &mut usize,
    messages: &mut Vec<exchange::Message>,
) {
    let spoken = exchange.iter().take_while(|message| message.role == Role::User);
    // A pasted log must not look like a section of ours.
    let spoken = spoken.map(|message| fence::neutralise(&message.text));
    let texts = preface.into_iter().flatten().map(str::to_owned).chain(spoken);
    let text = texts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n\n");
    messages.push(exchange::Message::user(if text.is_empty() { "…".to_owned() } else { text }));

    let mut said = Vec::new();
    for (i, message) in exchange.iter().enumerate().filter(|(_, m)| m.role == Role::Assistant) {
        let answers = exchange.get(i + 1).filter(|next| next.role == Role::Tool);
        if let Some((asked, answered)) = answers.and_then(|next| pairs(message, next, calls)) {
            let text = spoken_so_far(&mut said, message);
            let parts = text.into_iter().map(Part::Text);
            let parts = parts.chain(asked.into_iter().map(Part::Call));
            messages.push(exchange::Message::reply(parts.collect()));
            messages.push(exchange::Message::results(answered));
        } else {
            said.extend(text_of(message));
        }
    }
    match said.is_empty() {
        // The turn is about to begin: the model speaks next.
        true if last => {}
        true => messages.push(exchange::Message::assistant(BROKE_OFF)),
        false => messages.push(exchange::Message::assistant(said.join("\n\n"))),
    }
}

/// Everything said up to a message with tool calls, as one text.
fn spoken_so_far(said: &mut Vec<String>, message: &Message) -> Option<String> {
    said.extend(text_of(message));
    let text = std::mem::take(said).join("\n\n");
    (!text.is_empty()).then_some(text)
}

fn text_of(message: &Message) -> Option<String> {
    let text = message.text.trim();
    match (text.is_empty(), message.partial) {
        (true, _) => None,
        (false, true) => Some(format!("{text}\n\n{BROKE_OFF}")),
        (false, false) => Some(text.to_owned()),
    }
}

/// The calls that have a result, with it. The calls get new ids: providers require ids to be unique within a request
/// and in their own alphabet, and a thread may have been through several providers.
fn pairs(
    asked: &Message,
    answered: &Message,
    calls: &mut usize,
) -> Option<(Vec<Call>, Vec<CallResult>)> {
    let mut seen = HashSet::new();
    let (mut kept, mut responses) = (Vec::new(), Vec::new());
    for call in &asked.tool_calls {
        let result = answered.tool_results.iter().find(|result| result.call_id == call.id);
        let Some(result) = result.filter(|_| seen.insert(&call.id)) else { continue };
        *calls += 1;
        let arguments = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
        let (id, name) = (format!("earlier_{calls}"), call.name.clone());
        responses.push(CallResult { id: id.clone(), content: result.content.clone() });
        let arguments = arguments.unwrap_or_else(|| json!({}));
        kept.push(Call { id, name, arguments });
    }
    (!kept.is_empty()).then_some((kept, responses))
}
