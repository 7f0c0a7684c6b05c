//! Types a command into the user's own terminal.
//!
//! The terminal is the user's: the sandbox types only at the shell's prompt, on a line that holds nothing else. Otherwise
//! the page shows the command above the terminal, and its user inserts it. In a terminal, a line break is the user's
//! approval, so no command contains one. After a command that only reads, the sandbox presses Enter. Any other command
//! waits until its user presses Enter.

use crate::error::AgentError;
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::Scope;
use domain::unseen;
use read_only::{Place, Reading};
use serde_json::{Value, json};
use store::typed::TypedCommands;

/// The longest command that is typed, in characters.
const TYPED_CHARS: usize = 1_000;

pub(super) struct TypeInTerminal {
    pub(super) typed: TypedCommands,
    pub(super) scope: Scope,
}

#[derive(serde::Deserialize)]
struct Arguments {
    command: String,
}

#[async_trait::async_trait]
impl Tool for TypeInTerminal {
    fn name(&self) -> &'static str {
        "type_in_terminal"
    }

    fn description(&self) -> &'static str {
        "Types one line into the user's terminal. A command that only reads runs at once; any other \
         waits there until the user presses Enter. You do not see what it prints."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {"command": {"type": "string", "description": "One bash command, on one line"}},
            "required": ["command"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let command = one_line(&given.command)?;
        let reading = Reading::of(command, Place::Terminal);
        let runs = reading.is_some();
        let keys = reading.map_or_else(|| command.to_owned(), |reading| reading.typed());
        self.typed.add(self.scope, &keys, runs).await.map_err(AgentError::internal)?;
        let (how, follows) = if runs {
            (
                "typed",
                "It runs at once if the terminal is open and its prompt is empty; otherwise the user sees it above the terminal.",
            )
        } else {
            ("typed, not run", "It does not run until the user presses Enter: say so.")
        };
        Ok(Outcome {
            summary: format!("`{command}` {how} in the terminal"),
            answer: format!("Typed into the user's terminal. {follows} You do not see its output."),
        })
    }
}

/// A command without characters that a terminal would take for other keys.
fn one_line(command: &str) -> Result<&str, AgentError> {
    let command = command.trim();
    match command.chars().count() {
        0 => Err(try_again("`command` is empty.")),
        n if n > TYPED_CHARS => Err(try_again("This is too long to be typed. Shorten it.")),
        _ if command.contains(|c: char| c.is_control() || unseen::is_unseen(c)) => Err(try_again(
            "Only one line can be typed, without tabs and characters that are not seen.",
        )),
        _ => Ok(command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_not_one_printable_line_is_refused() {
        for command in
            ["rm x\nls", "rm x\rls", "ls\u{3}", "a\tb", "\u{1b}[200~ls", "ls \u{202e}x", "", " "]
        {
            assert!(one_line(command).is_err(), "{command:?}");
        }
        assert_eq!(one_line(" ls\n").unwrap(), "ls");
    }
}
