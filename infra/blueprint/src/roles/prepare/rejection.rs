//! What the user wants done differently when they reject a script.
//!
//! A value such as the port is in the scripts of several steps. Only this attempt sees the reason, so a script that
//! followed it would not fit the steps before and after it. The answer says where to change the value for all of them.

use crate::choice::Choice;
use crate::reading::dialogue::Dialogue;
use crate::roles::requirements_gatherer::changes;
use crate::words::language::Language;

/// How the product introduces the reason.
const REASON: &str = "What the user wants done differently: ";
/// The most characters of a reason that the answer repeats.
const REASON_CHARS: usize = 160;

/// What the answer says about the reason, if the user gave one.
pub fn answer(choice: &Choice, attempt: &str, called: &str) -> Option<String> {
    let (head, _) = attempt.split_once("\nScript:\n").unwrap_or((attempt, ""));
    let reason = head.lines().find_map(|line| line.strip_prefix(REASON))?.trim();
    let mut dialogue = Dialogue::continuing(choice);
    dialogue.read(reason);
    let changed = changes(&dialogue, Language::English);
    let said: String = reason.chars().take(REASON_CHARS).collect();
    Some(match changed.is_empty() {
        true => format!(
            "You rejected the script: “{said}”. I only know the scripts of my blueprints and cannot write that into one, so this is the same script. A model that writes scripts of its own can."
        ),
        false => format!(
            "You rejected the script: “{said}”. Other {called}s use that value too, so I do not change it in this script alone, and this is the same script. Write “{said}” in the chat and prepare every {called} again that uses it, or change it in the requirements."
        ),
    })
}
