//! The DevOps helper turns a question into one of the deployment's commands, and reads its output.

use serde_json::json;

use super::executor::choice;
use super::first_line;
use super::progress::code;
use crate::catalogue::operations::{Command, Target};
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reply::Reply;
use crate::texts::{self, say};
use crate::words::Words;
use crate::words::language::Language;
use asking::Message;

mod asking;
mod result;

pub const TOOL: &str = "run_command";

/// Runs the command that fits the last message, or reports the result of the previous command.
pub fn answer(conversation: &Conversation) -> Reply {
    let choice = choice(conversation);
    let commands: Vec<&'static Command> = choice.iter().flat_map(Choice::commands).collect();
    // One command per message: the user sees its result and decides how to continue.
    if let Some((arguments, result)) = conversation.last_call(TOOL) {
        let ran = arguments["command"].as_str().unwrap_or_default();
        let fill =
            |text: &str| choice.as_ref().map_or(text.to_string(), |choice| choice.fill(text));
        let known = commands.iter().copied().find(|command| fill(command.command) == ran);
        return Reply::text(result::read(known, result, fill));
    }
    let messages = conversation.user_words();
    let message = messages.last().map_or("", String::as_str);
    let asked = Message::of(message);
    let (language, words) = (asked.language, &asked.words);
    if let Some(command) = given(message) {
        return run(target(words, &commands), command, "You asked for this command.");
    }
    let Some(choice) = choice else {
        return Reply::text(
            "I do not know what is deployed here: the plans name none of the deployments I know. Put a command between backticks and I run that.",
        );
    };
    let former = messages.iter().rev().nth(1).filter(|_| agrees(words));
    if let Some(command) = former.and_then(|former| described(&commands, former)) {
        return run(command.target, &choice.fill(command.command), &choice.fill(command.reason));
    }
    let deletes = words.means_any(DELETE) && (!words.is_question() || asked.is_order());
    let best = best(&commands, &asked).filter(|command| command.changes || !deletes);
    let answer = choice.answer(words);
    match (best, answer) {
        (None, _) if deletes => Reply::text(
            "I have no command that deletes this. Put the command between backticks, and I show it to you before it runs. To remove everything that was built, begin a tear-down under “Changes”.",
        ),
        (Some(command), _) if command.changes && asked.asks_how() => Reply::text(format!(
            "With this, in the {}:\n\n{}\n\nSay so and I propose it.",
            command.target.name(),
            code(&choice.fill(command.command))
        )),
        (Some(command), _) => {
            run(command.target, &choice.fill(command.command), &choice.fill(command.reason))
        }
        (None, Some(answer)) => Reply::text(answer),
        (None, None) => Reply::text(offer(&choice, &commands, language)),
    }
}

fn run(target: Target, command: &str, reason: &str) -> Reply {
    let arguments = json!({"target": target.name(), "command": command, "reason": reason});
    Reply::call(reason, TOOL, arguments)
}

/// Words that ask to delete something. A command that only reads does not answer them.
const DELETE: &[&str] = &["delete", "remove", "erase", "wipe"];
/// Words that accept what was offered.
const YES: &[&str] =
    &["yes", "say so", "do it", "do so", "go ahead", "please do", "ok", "okay", "sure"];
/// The most words of a message that does nothing else.
const YES_WORDS: usize = 4;

fn agrees(words: &Words) -> bool {
    words.values().count() <= YES_WORDS && words.means_any(YES)
}

/// The command that the answer to an earlier message described: “How do I restart it?”
fn described(commands: &[&'static Command], message: &str) -> Option<&'static Command> {
    let asked = Message::of(message);
    best(commands, &asked).filter(|command| command.changes && asked.asks_how())
}

/// The command with the most cues in the message. A command that changes something runs only if the user asks for it:
/// “is it stopped?” does not stop anything.
fn best(commands: &[&'static Command], asked: &Message) -> Option<&'static Command> {
    let words = &asked.words;
    let score = |command: &Command| command.cues.iter().filter(|cue| words.means(cue)).count();
    let may = |command: &&Command| {
        !command.changes || !words.is_question() || asked.is_order() || asked.asks_how()
    };
    commands.iter().copied().filter(|command| may(command)).fold(
        None,
        |best: Option<&'static Command>, command| {
            let to_beat = best.map_or(0, score);
            if score(command) > to_beat { Some(command) } else { best }
        },
    )
}

/// The command between backticks, unchanged.
pub fn given(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('`')?;
    let (command, _) = rest.split_once('`')?;
    let command = command.trim();
    (!command.is_empty()).then_some(command)
}

fn target(words: &Words, commands: &[&Command]) -> Target {
    let there_is_one = commands.iter().any(|command| command.target == Target::Server);
    match there_is_one && words.means_any(&["server", "vps", "machine", "host", "remote"]) {
        true => Target::Server,
        false => Target::Sandbox,
    }
}

fn offer(choice: &Choice, commands: &[&Command], language: Language) -> String {
    let language = say(language, &texts::ENGLISH_HERE);
    let lead = if language.is_empty() { String::new() } else { format!("{language}\n\n") };
    let lines: Vec<String> =
        commands.iter().map(|command| format!("- {}", choice.fill(command.reason))).collect();
    format!(
        "{lead}I can run these for you, each shown to you first where it changes something:\n\n{}\n\nOr put a command of your own between backticks.",
        lines.join("\n")
    )
}
