//! Finds the answer to a question about a password in the next line of a copied conversation.

use super::{COMPARED_BYTES, Line, NOUNS, fits, is_made_up, trim};
use crate::grammar::is_tool;
use crate::lexicon::{Part, part};
use crate::talk::{is_called_done, says};
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
/// Verbs before an answer.
const IS: [&str; 7] = ["es", "é", "è", "e'", "it's", "its", "c'est"];
/// The shortest answer of one word that looks like any other, in bytes.
const WORD_BYTES: usize = 8;
/// The shortest answer, in bytes.
const ANSWER_BYTES: usize = 6;

/// `Agent: which password do you use?`, and below it `Customer: X`.
pub(super) fn value(lines: &[Line], number: usize) -> Option<Range<usize>> {
    let question = &lines[number];
    // Most lines end here.
    question.announces.then_some(())?;
    let text = question.lower.trim_end();
    // "[10:02] kim: whats the pw for the staging box": in a chat, few type the sign.
    let in_chat = spoken(question.text).is_some();
    // "> What's the password for the staging admin?": the next line answers what a mail quotes.
    let is_quoted = text.starts_with('>');
    let is_asked = text.starts_with("q:") || text.starts_with("q.");
    if !(text.ends_with('?') || is_asked || in_chat) || text.len() > COMPARED_BYTES {
        return None;
    }
    let sentence = spoken(text)
        .unwrap_or(text.trim_start_matches(['>', ' ']))
        .trim_end_matches(['?', ' '])
        .rsplit(['.', '!', '?', ':'])
        .next()?;
    let first =
        sentence.split_whitespace().find(|word| !["and", "und", "so", "ok"].contains(word))?;
    let first = first.trim_matches([',', '¿']);
    let asks = ASKS.contains(&first) || is_asked || (is_quoted && is_named(sentence));
    if !asks || ABOUT.iter().any(|word| sentence.contains(word)) {
        return None;
    }
    let answer = lines[number + 1..].iter().take(2).find(|line| !line.text.trim().is_empty())?;
    let said = answer.text.split_once(": ").filter(|(who, _)| who.split(' ').count() <= 3);
    let said = spoken(answer.text).or(said.map(|(_, said)| said));
    let said = said.or((is_quoted && !answer.text.starts_with('>')).then_some(answer.text));
    // Without the sign, a question is one only if somebody answers in the same way.
    if !text.ends_with('?') && !is_asked && spoken(answer.text).is_none() {
        return None;
    }
    let value = trim(said.unwrap_or(answer.text).trim_end_matches(['.', '!']));
    // "es limonada": only the password can come after a verb and end the line.
    let (value, is) = match value.split_once(' ') {
        Some((is, value)) if IS.contains(&is.to_lowercase().as_str()) => (value, true),
        _ => (value, false),
    };
    let lower = value.to_lowercase();
    // Not "self-service".
    let joined = value.contains(['_', '#', '!']) || value.matches('-').count() > 1;
    let joined = joined && value.contains(char::is_alphabetic);
    let own = value.len() >= ANSWER_BYTES
        && !value.contains([' ', '\t', '/', '='])
        && (is_made_up(value)
            || joined
            || ((said.is_some() || is) && (is_word(&lower) || is_pair(&lower))))
        && !NAMES.iter().any(|name| lower.contains(name));
    (own && fits(value)).then(|| answer.span(value))
}

/// Whether a question only names a password: "and the root password".
fn is_named(sentence: &str) -> bool {
    const WORDS: usize = 6;
    let mut words = sentence.split(' ').filter(|word| !word.is_empty());
    let noun = words.clone().next_back().is_some_and(|last| NOUNS.contains(&last));
    noun && words.clone().count() <= WORDS && !words.any(|word| part(word) == Some(Part::Is))
}

/// What somebody says in a copied chat: the text after `kim: `, `[10:02] kim: ` or `<kim> `.
fn spoken(line: &str) -> Option<&str> {
    const NAME_BYTES: usize = 24;
    let line = line.trim_start_matches(['>', ' ']);
    let stamped = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let rest = stamped.map_or(line, |(_, rest)| rest);
    let (name, said) = match rest.strip_prefix('<') {
        Some(rest) => rest.split_once("> ")?,
        None => rest.split_once(": ")?,
    };
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let known = role(&folded(name)).is_some() || says(name).is_some();
    (!name.is_empty() && name.len() <= NAME_BYTES && name.chars().all(plain) && !known)
        .then_some(said)
}

/// Whether two joined words may be an answer: `cobalt-teapot`, not "self-service".
fn is_pair(lower: &str) -> bool {
    const PART_BYTES: usize = 4;
    let word = |part: &str| {
        part.len() >= PART_BYTES
            && part != "self"
            && part.chars().all(char::is_alphabetic)
            && says(part).is_none()
            && role(&folded(part)).is_none()
            && !is_tool(part)
    };
    lower.split_once('-').is_some_and(|(first, second)| word(first) && word(second))
}

/// Whether a word alone may be an answer: not "sending", "nobody", "Bitwarden".
fn is_word(lower: &str) -> bool {
    lower.len() >= WORD_BYTES
        && lower.chars().all(char::is_alphabetic)
        && (says(lower).is_none() || is_called_done(lower))
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
            ("[10:02] kim: whats the pw for the test box\n[10:04] ann: cobalt-teapot", &["cobalt"]),
            ("<kim> wie war das Passwort vom NAS\n<ann> kupfer_kanne", &["kupfer_kanne"]),
            ("> What's the password for the staging admin?\nwalnut-gravy", &["walnut-gravy"]),
            ("Kim wrote:\n> and the root password?\nwalnutgravy", &["walnutgravy"]),
            ("¿cuál es la contraseña?\nes limonada", &["limonada"]),
            ("Q: admin pw for the printer\nA: papierstau", &["papierstau"]),
        ]);
        for text in [
            "which password manager?\nKeePassXC-2.7",
            "what is the name of the password variable?\nDB_ADMIN_PW",
            "Q: password reset for admins?\nA: Self-service",
            "is there a password?\nYes.",
            "> What's the password policy?\ntwelve-letters",
            "> What's the password?\n> walnut-gravy is what I would use for the name",
            "> and the root password?\nunfortunately it expired",
            "¿cuál es la contraseña?\nes confidencial",
            "¿cuál es la contraseña?\nes desconocida",
            "what's the password?\nMe: sending",
            "[10:02] kim: what's the password policy\n[10:04] ann: twelve-letters",
            "kim: which password should I use\nann: self-service",
            "kim: was ist mit dem Passwort\nkommt gleich, Firewall-Regeln zuerst",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
