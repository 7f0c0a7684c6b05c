//! The role of the requirements gatherer.

mod differences;
mod offers;
mod placeholders;
mod questions;

use serde_json::json;

use super::{Attempt, ToolUse, change, fitted, removal};
use crate::catalogue;
use crate::catalogue::additions::ADDITIONS;
use crate::catalogue::translations::translated;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::quotes::{Line, Quotes};
use crate::reading::dialogue::{ASKED, Dialogue, NOTHING, STILL_OPEN, YOUR_AGREEMENT};
use crate::reading::wishes::{self, Fate, NEW_DOMAIN};
use crate::reply::Reply;
use crate::texts::{self, say};
use crate::words::language::Language;
use differences::{Said, differences, not_your_server};

pub const TOOL: &str = "update_requirements";

/// Reads the conversation, writes the requirements so far, and asks for what is missing.
pub fn answer(conversation: &Conversation) -> Reply {
    if let Some(before) = change::standing(conversation) {
        return match removal::wanted(conversation, &before) {
            Some(removal) => removal::gather(conversation, &removal),
            None => of_change(conversation, &before),
        };
    }
    let messages = conversation.user_words();
    let written = conversation.fence("requirements").filter(|_| conversation.begins_late());
    let written = written.map_or("", |fence| fence.content);
    let start = Dialogue::resuming(written);
    let dialogue = start.clone().replay(&messages);
    let last = messages.last().map_or("", String::as_str);
    let ready = dialogue.ready();
    let closing = closing(&dialogue, &Said::of(conversation), last);
    let tool_use = ToolUse { tool: TOOL, lead: lead(&dialogue), closing };
    tool_use.reply(conversation, |attempt| {
        let quotes = || Quotes::of(start.clone(), &messages, |_| {});
        let quotes = quoted(conversation, attempt, written, quotes);
        json!({
            "content": fitted(document(&dialogue), attempt),
            "asked": asked(&dialogue, &quotes),
            "ready_to_continue": ready,
        })
    })
}

/// The user's words for each line, with those of a list that was written before. There are none if the tool takes no
/// list or refused them.
fn quoted(
    conversation: &Conversation,
    attempt: Attempt,
    document: &str,
    quotes: impl Fn() -> Quotes,
) -> Quotes {
    let takes = conversation.parameters_of(TOOL).is_none_or(|names| names.contains_key("asked"));
    let refused = matches!(attempt, Attempt::Correction(error) if error.contains("`words`"));
    if refused || !takes {
        return Quotes::default();
    }
    let rows = wishes::rows(document, ASKED).into_iter();
    quotes().with(rows.map(|row| ((row.what.to_owned(), row.fate()), row.words)))
}

/// Answers about a change of an existing deployment, which can contain only values that can change in place.
fn of_change(conversation: &Conversation, before: &Choice) -> Reply {
    let dialogue = change::dialogue(conversation, before);
    let after = dialogue.choice().unwrap_or_else(|| before.clone());
    let changes = !dialogue.differing(before).is_empty();
    let ready = changes && dialogue.ready();
    let said = Said::of(conversation);
    let closing = match (changes, ready) {
        (false, _) => {
            let lacking = differences(&dialogue, &said);
            let parts = lacking.into_iter().chain([change::nothing(before)]);
            parts.collect::<Vec<_>>().join("\n\n")
        }
        (true, false) => {
            let parts = not_as_asked(&dialogue, &said).into_iter().chain(open(&dialogue));
            parts.collect::<Vec<_>>().join("\n\n")
        }
        (true, true) => [
            change::summary(before, &after),
            change::before_confirming(before, &after),
            "Confirm the requirements to continue, or tell me what else to change.".into(),
        ]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n"),
    };
    let section = if changes { change::section(before, &after) } else { String::new() };
    let tool_use = ToolUse { tool: TOOL, lead: lead(&dialogue), closing };
    tool_use.reply(conversation, |attempt| {
        let former = conversation.fence("previous_requirements").map_or("", |fence| fence.content);
        let quotes = || change::quotes(conversation, before);
        let quotes = quoted(conversation, attempt, former, quotes);
        json!({
            "content": fitted(document_with(&dialogue, &section), attempt),
            "asked": asked(&dialogue, &quotes),
            "ready_to_continue": ready,
        })
    })
}

/// The user's wishes one by one, as the tool takes them.
fn asked(dialogue: &Dialogue, quotes: &Quotes) -> Vec<serde_json::Value> {
    let lines = dialogue.lines().into_iter().map(|(what, fate)| {
        let words = quotes.for_line(&what, fate.is_none());
        let (name, how) = match &fate {
            None => ("built", ""),
            Some(Fate::Differently(how)) => ("differently", how.as_str()),
            Some(Fate::Not) => ("not", ""),
            Some(Fate::Later) => ("not", wishes::LATER),
            Some(Fate::NotUnderstood) => ("not", "not understood"),
        };
        let wish = if fate.is_none() { what.clone() } else { plain(&what) };
        json!({"wish": wish, "fate": name, "how": how, "words": words})
    });
    let ruled_out = dialogue.left_out.iter().map(|thing| {
        let words = quotes.for_line(thing, false);
        json!({"wish": plain(thing), "fate": "not", "how": wishes::RULED_OUT, "words": words})
    });
    lines.chain(ruled_out).collect()
}

/// The requirements so far.
fn document(dialogue: &Dialogue) -> String {
    document_with(dialogue, "")
}

/// The requirements so far, with an extra section before the list of wishes.
fn document_with(dialogue: &Dialogue, section: &str) -> String {
    let asked = list(dialogue);
    let Some(choice) = dialogue.choice() else {
        return format!(
            "# Requirements\n\nNothing is decided yet.\n{asked}\n{STILL_OPEN}\n\n- Which deployment is wanted. There is a choice of:\n\n{}\n",
            catalogue::list(Language::English)
        );
    };
    let mut template = choice.with_additions(choice.blueprint.requirements, "requirements.md");
    if !section.is_empty() {
        template.push_str(&format!("\n\n{section}\n"));
    }
    if !asked.is_empty() {
        template.push_str(&format!("\n{}", asked.trim_end()));
    }
    if !dialogue.ready() {
        template.push_str(&format!("\n\n{STILL_OPEN}\n"));
        for parameter in dialogue.open() {
            let (label, default) = (parameter.label, parameter.default);
            template.push_str(&format!("\n- {label}: `{default}` unless you say otherwise"));
        }
        if dialogue.unagreed {
            template.push_str(&format!("\n{YOUR_AGREEMENT}"));
        } else if dialogue.open().is_empty() {
            template.push_str("\n- Your confirmation");
        }
    }
    choice.document(&template)
}

/// A section that lists the user's wishes and how the plan treats each; empty if there are none.
fn list(dialogue: &Dialogue) -> String {
    let row = |(what, fate): Line| match fate {
        None => format!("| {what} | {} |\n", wishes::BUILT),
        Some(fate) => format!("| {} | {} |\n", plain(&what), fate.in_document()),
    };
    let rows: String = dialogue.lines().into_iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    let left_out =
        left_out(dialogue, Language::English, &Said::default()).map(|text| format!("\n{text}\n"));
    let left_out = left_out.unwrap_or_default();
    format!("\n{ASKED}\n\n| asked | outcome |\n|---|---|\n{rows}{left_out}")
}

/// The sentence about what the user does not want and the deployment does not have.
fn left_out(dialogue: &Dialogue, language: Language, said: &Said) -> Option<String> {
    // The user said that the domain is theirs, and not that they want no new one.
    let name = |thing: &String| match thing == NEW_DOMAIN {
        true => translated(language, thing),
        false => said.words(thing),
    };
    let things: Vec<String> = dialogue.left_out.iter().map(name).collect();
    let things = things.join(", ");
    (!things.is_empty()).then(|| texts::fill(language, &texts::LEFT_OUT, &things))
}

/// The user's words for a document, without characters of markup or placeholders.
fn plain(text: &str) -> String {
    // A single `@` may be part of an address, but two could enclose a placeholder.
    let address = text.matches('@').count() == 1;
    let keeps =
        |c: &char| c.is_alphanumeric() || " .,:/+-'_#%€".contains(*c) || (*c == '@' && address);
    text.chars().filter(keeps).collect()
}

/// The text before the call that writes the document.
fn lead(dialogue: &Dialogue) -> String {
    let (latest, language) = (&dialogue.latest, dialogue.language);
    let mut lead: Vec<String> = Vec::new();
    if language == Language::Other {
        lead.push(texts::ONLY_ENGLISH.into());
    }
    if latest.greeting {
        lead.push(say(language, &texts::HELLO).into());
    }
    if latest.secret {
        lead.push(say(language, &texts::SECRET).into());
    }
    if let (true, Some(blueprint)) = (latest.chosen, dialogue.blueprint) {
        lead.push(match language {
            Language::English | Language::Other => blueprint.welcome.into(),
            _ => texts::fill(language, &texts::CHOSEN, blueprint.title_in(language)),
        });
    }
    if !latest.changed.is_empty() {
        lead.push(texts::fill(language, &texts::NOTED, &changes(dialogue, language)));
    }
    if latest.confirmed && latest.changed.is_empty() && !latest.chosen {
        lead.push(say(language, &texts::VERY_WELL).into());
    }
    if latest.withdrawn {
        lead.push(say(language, &texts::NO_HURRY).into());
    }
    lead.extend(latest.refused.iter().map(|reason| translated(language, reason)));
    lead.join(" ")
}

/// The values that the latest message changed: “port 9090, service name `orders`”.
pub fn changes(dialogue: &Dialogue, language: Language) -> String {
    let changes = dialogue.latest.changed.iter().map(|(parameter, value)| {
        let mut label = texts::label(language, parameter);
        // Inside a sentence, a label begins with a small letter, except for “SSH …” and in German.
        if language != Language::German
            && !label.starts_with("SSH")
            && let Some(first) = label.get_mut(..1)
        {
            first.make_ascii_lowercase();
        }
        if parameter.key == ADDITIONS.key && value == NOTHING {
            return texts::fill(language, &texts::NOTHING_OF, &label);
        }
        format!("{label} `{value}`")
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// The text after the document is written: what would be built, the answers to questions, what is not built as asked,
/// and what is open.
fn closing(dialogue: &Dialogue, said: &Said, last: &str) -> String {
    let Some(choice) = dialogue.choice() else { return offers::offer(dialogue, said, last) };
    let mut parts = questions::answers(dialogue, last);
    parts.extend(offers::everything(dialogue));
    parts.extend(not_your_server(dialogue));
    parts.push(offers::planned(dialogue, &choice));
    parts.extend(not_as_asked(dialogue, said));
    parts.extend(placeholders::remark(dialogue));
    parts.extend(if dialogue.ready() { Some(summary(dialogue, &choice)) } else { open(dialogue) });
    parts.join("\n\n")
}

/// What is not built as the user asked, and what is left out because the user asked for that.
fn not_as_asked(dialogue: &Dialogue, said: &Said) -> Vec<String> {
    let language = dialogue.language;
    let stop = dialogue.stopped.as_ref();
    let stop = stop.map(|stop| texts::fill(language, &texts::STOPPED, &plain(stop)));
    let parts = [differences(dialogue, said), stop, left_out(dialogue, language, said)];
    parts.into_iter().flatten().collect()
}

/// The questions that are open; nothing if the user has accepted the defaults and only has to agree to the list.
fn open(dialogue: &Dialogue) -> Option<String> {
    let language = dialogue.language;
    let open = dialogue.open();
    if open.is_empty() {
        return (!dialogue.unagreed).then(|| say(language, &texts::SAY_WHEN).into());
    }
    let start = if open.len() == 1 { &texts::ONE_OPEN } else { &texts::SOME_OPEN };
    let lines = open.iter().map(|parameter| {
        format!(
            "- **{}**: {} ({} `{}`)",
            texts::label(language, parameter),
            texts::question(language, parameter),
            say(language, &texts::DEFAULT),
            parameter.default
        )
    });
    let lines: Vec<String> = lines.collect();
    let [start, end] = [start, &texts::TELL_ME].map(|text| say(language, text));
    Some(format!("{start}\n\n{}\n\n{end}", lines.join("\n")))
}

fn summary(dialogue: &Dialogue, choice: &Choice) -> String {
    let language = dialogue.language;
    let values = choice.parameters().filter(|parameter| parameter.asked);
    let values = values.map(|parameter| {
        format!("- {}: `{}`", texts::label(language, parameter), choice.value(parameter.key))
    });
    let covered = dialogue.covered.iter().map(|wish| format!("- {}", translated(language, wish)));
    let values: Vec<String> = values.chain(covered).collect();
    let mut parts = vec![format!("{}\n\n{}", say(language, &texts::ALL_I_NEED), values.join("\n"))];
    let before = choice.before_confirming(language);
    if !before.is_empty() {
        parts.push(before);
    }
    parts.push(say(language, &texts::CONFIRM).into());
    parts.join("\n\n")
}
