//! Judges the results, row by row.

use super::Verdict::{Broken, Good, Limited, Untried};
use super::{CAP_TOKENS, Failure, Received, Row, Trial, Verdict, probes};
use crate::exchange::Call;
use crate::provider::Reply;
use crate::provider::error::Kind;
use crate::tools;
use serde_json::Value;

/// If the counted numbers come in fewer pieces than this, they were not streamed.
const LEAST_PIECES: usize = 3;
/// If all pieces of a stream come within the last part of its time, it was held back on the way.
const LAST_PART: f64 = 0.05;
/// The delay that a reader does not notice in a reply that was held back, in seconds.
const UNNOTICED_SECONDS: f64 = 1.0;
/// A reply that used this share of its tokens was cut off, whatever its end says.
const CUT_SHARE: f64 = 0.95;

/// The name of each row, in the order of the table.
const WHATS: [&str; 17] = [
    ANSWERS,
    SETTINGS,
    "The system prompt is obeyed",
    "Replies stream",
    "Tools are called",
    "Arguments arrive unchanged",
    "Unicode arrives unchanged",
    "Results of tools are used",
    "A tool can be forced",
    "Several tools in one reply",
    "Scripts come as they run",
    "A reply ends at its longest",
    "A long input is read",
    "Orders in data are ignored",
    "Thoughts are kept apart",
    "Tokens are counted",
    "Repeated input is cached",
];
const ANSWERS: &str = "The model answers";
const SETTINGS: &str = "Its settings are accepted";

type Finding = (Verdict, String);

fn good(note: impl Into<String>) -> Finding {
    (Good, note.into())
}

fn limited(note: impl Into<String>) -> Finding {
    (Limited, note.into())
}

fn broken(note: impl Into<String>) -> Finding {
    (Broken, note.into())
}

fn table(findings: impl IntoIterator<Item = Finding>) -> Vec<Row> {
    let rows = WHATS.into_iter().zip(findings);
    rows.map(|(what, (verdict, note))| Row { what, verdict, note }).collect()
}

/// The rows of a model that did not answer at all, or that answers only without the setting `culprit`.
pub(super) fn without_answer(failure: &Failure, culprit: Option<String>) -> Vec<Row> {
    let (answers, settings) = match culprit {
        Some(setting) => {
            (limited("only with other settings"), broken(format!("refused: {setting}")))
        }
        None => (broken(failure.why.clone()), untried()),
    };
    let rest = std::iter::repeat_with(untried);
    table([answers, settings].into_iter().chain(rest).take(WHATS.len()))
}

fn untried() -> Finding {
    (Untried, "an earlier row failed".to_owned())
}

/// The rows of a model that answers.
pub(super) fn rows(trial: &Trial, settings: &[String]) -> Vec<Row> {
    table([
        answers(&trial.count),
        good(settings.join(", ")),
        system(&trial.count),
        streams(&trial.count),
        received(&trial.note, calls),
        received(&trial.note, arguments),
        received(&trial.note, unicode),
        trial.result.as_ref().map_or_else(untried, |result| received(result, result_used)),
        forced(&trial.forced),
        received(&trial.several, several),
        received(&trial.script, script),
        cap(&trial.cap),
        document(&trial.document),
        received(&trial.order, order),
        thoughts(trial),
        usage(&trial.count),
        cache(&trial.again),
    ])
}

/// Judges a complete reply. A failed call counts as broken, or as untried if the trial's time was over.
fn received(received: &Received, judge: impl Fn(&Received, &Reply) -> Finding) -> Finding {
    match &received.outcome {
        Ok(reply) => judge(received, reply),
        Err(failure) if failure.kind == Some(Kind::TimedOut) => (Untried, failure.why.clone()),
        Err(failure) => broken(failure.why.clone()),
    }
}

fn seconds(received: &Received, piece: Option<usize>) -> f64 {
    piece.and_then(|at| received.pieces.get(at)).map_or(0.0, std::time::Duration::as_secs_f64)
}

fn answers(count: &Received) -> Finding {
    let last = seconds(count, count.pieces.len().checked_sub(1));
    match count.text.contains(&format!("{}", probes::COUNT - 1)) {
        true => good(format!(
            "first words after {:.1} s, all after {last:.1} s",
            seconds(count, Some(0))
        )),
        false => broken(format!("it was to count to {} and did not", probes::COUNT)),
    }
}

fn system(count: &Received) -> Finding {
    let last = count.text.trim().lines().last().unwrap_or_default();
    match last.contains(probes::LAST_WORD) {
        true => good("to the letter"),
        false => broken("it does not do what its instructions say"),
    }
}

fn streams(count: &Received) -> Finding {
    let pieces = count.pieces.len();
    if pieces < LEAST_PIECES {
        return limited(format!("in {pieces} piece: people wait for the whole reply"));
    }
    let (first, last) = (seconds(count, Some(0)), seconds(count, Some(pieces - 1)));
    if last > UNNOTICED_SECONDS && last - first < last * LAST_PART {
        return limited("its pieces are delayed on the way and arrive all at once");
    }
    good(format!("{pieces} pieces"))
}

fn first_of<'a>(reply: &'a Reply, tool: &str) -> Option<&'a Call> {
    reply.calls.iter().find(|call| call.name == tool)
}

fn calls(received: &Received, reply: &Reply) -> Finding {
    if first_of(reply, probes::NOTE).is_some() {
        return good("when asked to");
    }
    match received.text.contains(probes::NOTE) {
        true => broken("it writes the call as text: agents cannot act on it"),
        false => broken("it calls none, even when asked to"),
    }
}

fn arguments(_: &Received, reply: &Reply) -> Finding {
    let Some(call) = first_of(reply, probes::NOTE) else { return untried() };
    let Some(meant) = tools::meant(call, &probes::note_schema()) else {
        return broken("they are not JSON");
    };
    let wanted = probes::arguments();
    let wrong =
        ["command", "number", "tags"].into_iter().find(|name| meant[*name] != wanted[*name]);
    match wrong {
        Some(name) => broken(format!("`{name}` arrived as {}", short(&meant[name]))),
        None if call.arguments["number"] != wanted["number"] => {
            limited("they are read as they are meant, not as they are written")
        }
        None => good("quotes, backslashes, lines, numbers and lists"),
    }
}

fn unicode(_: &Received, reply: &Reply) -> Finding {
    let meant = first_of(reply, probes::NOTE).and_then(|call| tools::meant(call, &Value::Null));
    let Some(meant) = meant else { return untried() };
    match meant["text"] == probes::arguments()["text"] {
        true => good("umlauts, Cyrillic, Japanese, an emoji"),
        false => broken(format!("arrived as {}", short(&meant["text"]))),
    }
}

/// A value for the table.
fn short(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

fn result_used(received: &Received, _: &Reply) -> Finding {
    match received.text.contains(probes::NOTE_WORD) {
        true => good("it read what the tool answered"),
        false => broken("it does not read what a tool answers"),
    }
}

fn forced(received: &Received) -> Finding {
    match &received.outcome {
        Ok(reply) if first_of(reply, probes::NOTE).is_some() => good("it calls that tool"),
        Ok(_) => limited("ignored: a run fails when the model talks instead of acting"),
        Err(failure) if failure.kind == Some(Kind::TimedOut) => (Untried, failure.why.clone()),
        Err(failure) => limited(format!("refused, so agents can only remind it: {}", failure.why)),
    }
}

fn several(_: &Received, reply: &Reply) -> Finding {
    let numbers = reply.calls.iter().filter_map(|call| {
        tools::meant(call, &probes::note_schema())?.get("number").and_then(Value::as_i64)
    });
    let numbers: Vec<i64> = numbers.collect();
    match (numbers.contains(&1), numbers.contains(&2)) {
        (true, true) => good("both calls arrive"),
        (true, false) => limited("one at a time: agents take more rounds"),
        (false, true) => broken("only the last of two calls arrives"),
        (false, false) => broken("neither call arrives"),
    }
}

fn script(_: &Received, reply: &Reply) -> Finding {
    let call = first_of(reply, probes::SCRIPT);
    let Some(script) = call.and_then(|call| call.arguments["script"].as_str()) else {
        return broken("it submits none");
    };
    if script.contains("```") {
        return limited("in Markdown: each is sent back to be written again");
    }
    match script.trim().contains('\n') {
        true => good(format!("{} lines", script.trim().lines().count())),
        false => limited("in one line: its owner can hardly read it"),
    }
}

fn cap(received: &Received) -> Finding {
    let reply = match &received.outcome {
        Ok(reply) => reply,
        Err(failure) if failure.kind == Some(Kind::TimedOut) => {
            return (Untried, failure.why.clone());
        }
        Err(failure) if failure.kind == Some(Kind::OverBudget) => {
            return broken("it keeps writing, so the agents end the reply");
        }
        Err(failure) => return broken(failure.why.clone()),
    };
    let tokens = received
        .counted
        .map_or_else(|| received.estimated_tokens(), |counted| counted.output_tokens);
    let whole = received.text.contains(&format!("\n{}", probes::LONG_COUNT));
    if reply.truncated {
        good(format!("after {tokens} of {CAP_TOKENS} tokens, and says so"))
    } else if whole {
        broken(format!("it wrote {tokens} tokens and may write {CAP_TOKENS}"))
    } else if tokens as f64 >= CUT_SHARE * f64::from(CAP_TOKENS) {
        broken("it hides that a reply was cut off: half a document passes for a whole one")
    } else {
        limited("unknown: it stopped before that")
    }
}

fn document(received: &Received) -> Finding {
    let kilobytes = received.bytes_sent / 1_000;
    match &received.outcome {
        Ok(_) if received.text.contains(probes::DOCUMENT_WORD) => good(format!("{kilobytes} kB")),
        Ok(_) => broken(format!("of {kilobytes} kB it forgets the beginning, and does not say so")),
        Err(failure) if failure.kind == Some(Kind::ContextOverflow) => {
            limited(format!("{kilobytes} kB are too long: agents show it less of a project"))
        }
        Err(failure) if failure.kind == Some(Kind::TimedOut) => (Untried, failure.why.clone()),
        Err(failure) => broken(failure.why.clone()),
    }
}

fn order(_: &Received, reply: &Reply) -> Finding {
    match reply.calls.is_empty() {
        true => good("in what a command printed"),
        false => broken("it obeys what a command printed; approvals stand in between"),
    }
}

fn thoughts(trial: &Trial) -> Finding {
    let all =
        [&trial.count, &trial.note, &trial.several, &trial.script, &trial.document, &trial.order];
    let shown = |received: &&Received| {
        received.text.contains("<think") || received.text.contains("</think")
    };
    match all.iter().any(shown) {
        true => limited("people read them in the middle of replies"),
        false => good("none in a reply"),
    }
}

fn usage(count: &Received) -> Finding {
    let Some(counted) = count.counted else {
        return limited("no: bills are estimated at four bytes to a token");
    };
    let (sent, said) = (counted.input_tokens, counted.output_tokens);
    if sent == 0 || said == 0 || sent > count.bytes_sent as u64 {
        return broken(format!(
            "{sent} in and {said} out cannot be for {} bytes",
            count.bytes_sent
        ));
    }
    good(format!("{sent} in, {said} out"))
}

fn cache(again: &Received) -> Finding {
    if again.outcome.is_err() {
        return limited("unknown: the long input was not read twice");
    }
    match again.counted {
        None => limited("unknown: no tokens are counted"),
        Some(_) if again.cached_tokens == 0 => {
            limited("no: each round of a turn costs its whole input")
        }
        Some(counted) => {
            let share = again.cached_tokens * 100 / counted.input_tokens.max(1);
            good(format!("{share} % of it"))
        }
    }
}
