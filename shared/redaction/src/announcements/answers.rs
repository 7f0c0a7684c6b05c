//! Finds the answer to a question about a password in the next line of a copied conversation.

use super::{COMPARED_BYTES, Line, fits, is_made_up, trim};
use crate::grammar::is_tool;
use crate::lexicon::part;
use crate::talk::says;
use crate::words::{folded, role};
use std::ops::Range;

/// Words that begin a question about the password itself.
const ASKS: [&str; 26] = [
    "what", "what's", "whats", "which", "welches", "welche", "was", "wie", "quel", "quelle",
    "c'est", "cuál", "cual", "qué", "que", "qual", "quale", "qual'è", "qual'e", "wat", "welk",
    "jakie", "jaka", "do", "can", "could",
];
/// What else a question may be about.
const ABOUT: [&str; 22] = [
    "manager",
    "policy",
    "file",
    "hash",
    "algorithm",
    "length",
    "long",
    "where",
    "stored",
    "field",
    "format",
    "called",
    "variable",
    "named",
    "datei",
    "fichier",
    "archivo",
    "bestand",
    "algorit",
    "richtlinie",
    "tool",
    "vault",
];
/// Parts of names of variables.
const NAMES: [&str; 6] = ["pass", "pwd", "secret", "wort", "token", "file"];
/// The shortest answer of one word that looks like any other, in bytes.
const WORD_BYTES: usize = 8;
/// The shortest answer, in bytes.
const ANSWER_BYTES: usize = 6;

/// `Agent: which password do you use?`, and below it `Customer: X`.
pub(super) fn value(lines: &[Line], number: usize) -> Option<Range<usize>> {
    let question = &lines[number];
    let text = question.lower.trim_end();
    let is_asked = text.starts_with("q:") || text.starts_with("q.");
    if !(text.ends_with('?') || is_asked) || text.len() > COMPARED_BYTES || !question.announces {
        return None;
    }
    let sentence = text.trim_end_matches('?').rsplit(['.', '!', '?', ':']).next()?;
    let first =
        sentence.split_whitespace().find(|word| !["and", "und", "so", "ok"].contains(word))?;
    let first = first.trim_matches(',');
    if !(ASKS.contains(&first) || is_asked) || ABOUT.iter().any(|word| sentence.contains(word)) {
        return None;
    }
    let answer = lines[number + 1..].iter().take(2).find(|line| !line.text.trim().is_empty())?;
    let said = answer.text.split_once(": ").filter(|(who, _)| who.split(' ').count() <= 3);
    let value = trim(said.map_or(answer.text, |(_, said)| said).trim_end_matches(['.', '!']));
    let lower = value.to_lowercase();
    // Not "self-service".
    let joined = value.contains(['_', '#', '!']) || value.matches('-').count() > 1;
    let joined = joined && value.contains(char::is_alphabetic);
    let own = value.len() >= ANSWER_BYTES
        && !value.contains([' ', '\t', '/', '='])
        && (is_made_up(value) || joined || (said.is_some() && is_word(&lower)))
        && !NAMES.iter().any(|name| lower.contains(name));
    (own && fits(value)).then(|| answer.span(value))
}

/// Whether a word alone may be an answer: not "sending", "nobody", "Bitwarden".
fn is_word(lower: &str) -> bool {
    lower.len() >= WORD_BYTES
        && lower.chars().all(char::is_alphabetic)
        && says(lower).is_none()
        && part(lower).is_none()
        && role(&folded(lower)).is_none()
        && !is_tool(lower)
        && !["ing", "ung", "ly", "ment", "lich"].iter().any(|end| lower.ends_with(end))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_next_line_answers() {
        seals(&[
            ("Agent: welches Passwort nehmen Sie?\nKunde: Mäusefalle3", &["Mäusefalle3"]),
            ("Support: what's the root pw?\nMe: broom_closet", &["broom_closet"]),
            ("Q: admin pw for the printer\nA: papierstau", &["papierstau"]),
        ]);
        for text in [
            "which password manager?\nKeePassXC-2.7",
            "what is the name of the password variable?\nDB_ADMIN_PW",
            "Q: password reset for admins?\nA: Self-service",
            "is there a password?\nYes.",
            "what's the password?\nMe: sending",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
