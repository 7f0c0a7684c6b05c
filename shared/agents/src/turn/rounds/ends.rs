//! Replies that end a turn without the work: questions, words alone, calls in the wrong form, mistakes without end.

use crate::error::{AgentError, EarlyEnd};
use crate::tools::Tool;

/// The most characters of a model's words that an error shows its user.
const SHOWN_CHARS: usize = 600;

/// The beginning of a question to the user; their page recognizes the question by it.
const ASKS: &str = "The agent asks: ";

/// Whether a run ended with this error because its model asked its user something.
pub(crate) fn is_question(error: &str) -> bool {
    error.starts_with(ASKS)
}

/// What we tell a model that wrote a call into its text.
pub(super) const CALL_AGAIN: &str =
    "You wrote the call as text, so nothing was done. Call the tool itself now.";

/// The question at the end of a reply: its last paragraph, if that asks something.
pub(super) fn question(text: &str) -> Option<&str> {
    let last = text.trim().rsplit("\n\n").next()?.trim();
    last.ends_with(['?', '？', '؟']).then_some(last)
}

/// The end of a run whose model asked its user instead of working. No user reads along, so the question is its result.
pub(super) fn asked(text: &str) -> AgentError {
    let question = shown(question(text).unwrap_or(text));
    AgentError::caller(
        EarlyEnd::AgentQuestion,
        format!("{ASKS}{question} Answer in the chat, then start this again."),
    )
}

/// The end of a turn whose model never called its tool. A run's user has not seen the words, which may say why.
pub(super) fn only_talked(text: &str, is_run: bool) -> AgentError {
    let text = match (text.trim(), is_run) {
        ("", _) => "The AI model's reply was empty. Please try again.".to_owned(),
        (text, true) => {
            let said = shown(text);
            format!(
                "The AI model did not do the work, but answered: “{said}” Answer in the chat, or try again."
            )
        }
        (_, false) => {
            "The AI model answered in words and did not do the work. Please try again.".to_owned()
        }
    };
    AgentError::caller(EarlyEnd::ModelOnlyTalked, text)
}

/// The end of a turn in which each call was refused until the last one.
pub(super) fn mistaken(refusal: &str) -> AgentError {
    let refusal = shown(refusal.trim_start_matches("Error: "));
    AgentError::caller(
        EarlyEnd::ModelMistakes,
        format!(
            "The AI model used up its tries with mistakes. The last one: {refusal} Please try again."
        ),
    )
}

/// The end of a run whose model used everything it had to look around.
pub(super) fn not_handed_in() -> AgentError {
    AgentError::caller(
        EarlyEnd::TurnOverBudget,
        "The AI model used up its calls before it handed in its work. Please try again.",
    )
}

fn shown(text: &str) -> String {
    text.trim().chars().take(SHOWN_CHARS).collect()
}

/// The signs with which models begin a call that they write as text.
const MARKS: [&str; 7] = [
    "<tool_call",
    "<function=",
    "<function_call",
    "[TOOL_CALLS]",
    "<|tool_call",
    "<|channel|>commentary",
    "<invoke",
];

/// Whether a text contains a call of one of the tools.
pub(super) fn has_call(text: &str, tools: &[Box<dyn Tool>]) -> bool {
    let marked = MARKS.iter().any(|mark| text.contains(mark));
    tools.iter().map(|tool| tool.name()).any(|name| {
        let quoted = text.contains(&format!("\"{name}\""));
        let given = ["\"arguments\"", "\"parameters\"", "\"input\""];
        let called = [format!("{name}({{"), format!("{name} {{"), format!("{name}(\n{{")];
        let is_json = quoted && given.iter().any(|key| text.contains(key));
        is_json || called.iter().any(|call| text.contains(call)) || (marked && text.contains(name))
    })
}

/// Beginnings of a claim, in the languages in which agents answer.
const CLAIMS: [&str; 7] = ["i", "i've", "i have", "he", "j'ai", "has been", "have been"];

/// Words between the beginning and the verb.
const BETWEEN: [&str; 8] = ["just", "now", "already", "successfully", "also", "then", "ya", "déjà"];

/// Verbs of work that only a tool can do.
const DONE: [&str; 40] = [
    "actualizado",
    "added",
    "ajouté",
    "añadido",
    "changed",
    "checked",
    "comprobado",
    "configured",
    "created",
    "creado",
    "créé",
    "deleted",
    "deployed",
    "ejecutado",
    "escrito",
    "executed",
    "exécuté",
    "fixed",
    "installed",
    "instalado",
    "installé",
    "mis",
    "modifié",
    "modified",
    "ran",
    "redémarré",
    "reiniciado",
    "removed",
    "restarted",
    "run",
    "saved",
    "started",
    "stopped",
    "tested",
    "updated",
    "verified",
    "vérifié",
    "written",
    "wrote",
    "écrit",
];

/// German puts the verb at the sentence's end.
const GERMAN: [&str; 12] = [
    "aktualisiert",
    "angelegt",
    "ausgeführt",
    "ergänzt",
    "erstellt",
    "geändert",
    "gelöscht",
    "geprüft",
    "geschrieben",
    "gestartet",
    "hinzugefügt",
    "installiert",
];

/// Whether a text says that its author did work.
pub(super) fn claims_work(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    text.split(['.', '!', '?', '\n', ':']).any(|sentence| {
        let plain = |c: char| !c.is_alphanumeric() && c != '\'';
        let words: Vec<&str> =
            sentence.split_whitespace().map(|word| word.trim_matches(plain)).collect();
        let german = words.windows(2).any(|two| two == ["ich", "habe"] || two == ["habe", "ich"])
            && words.iter().any(|word| GERMAN.contains(word));
        german || (0..words.len()).any(|at| begins(&words[at..]))
    })
}

/// Whether words begin with a claim and its verb.
fn begins(words: &[&str]) -> bool {
    CLAIMS.iter().any(|claim| {
        let claim: Vec<&str> = claim.split(' ').collect();
        let rest = words.strip_prefix(claim.as_slice()).unwrap_or_default();
        let verb = rest.iter().find(|word| !BETWEEN.contains(word));
        verb.is_some_and(|verb| DONE.contains(verb))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_of_work_is_recognized_in_four_languages() {
        for text in [
            "I ran `df -h`.",
            "I've just updated the plan.",
            "The plan has been written",
            "Done! I have added TLS.",
            "Ich habe den Befehl ausgeführt.",
            "He ejecutado el comando",
            "J’ai exécuté la commande.",
        ] {
            assert!(claims_work(text), "{text}");
        }
        for text in [
            "I can run it.",
            "You ran out of space.",
            "Shall I update the plan?",
            "I have not run it.",
            "I haven't checked.",
            "It was written in Rust.",
            "Ich habe eine Frage.",
            "The server runs.",
        ] {
            assert!(!claims_work(text), "{text}");
        }
    }
}
