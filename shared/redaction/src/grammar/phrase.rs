//! Finds where a password of plain words ends: "is ⟦winter is coming⟧, please", "to ⟦seven lazy otters⟧ yesterday".
//!
//! The walk reads the words of a clause up to its end, and decides for each whether it speaks about a password
//! ([`talk`](crate::talk)) or may be part of one. A password begins with a word that may be part of one. It
//! reaches over words that join ("of", "the") if others follow, and ends before a word that begins another part of the
//! sentence. After a sign, the whole line is more likely to be the password than after "is".

use super::plain::{ends_clause, is_port};
use crate::lexicon::{is_to, part};
use crate::talk::{Says, is_called_done, is_listed, says, says_in_polish};
use crate::things::is_hyphenated_secret;
use crate::weight::{MIN_BYTES, Weight, is_default, weigh};
use crate::words::{Role, folded, is_letter, lists, role};
use std::ops::Range;

/// The longest phrase that is read, in bytes.
const PHRASE_BYTES: usize = 160;
/// The most words of a phrase. A longer text is a sentence.
const WORDS: usize = 8;
/// The most words of a password that is called a phrase.
const PHRASE_WORDS: usize = 24;
/// The least words of a password that begins like a description: "correct horse battery staple".
const ODD_WORDS: usize = 4;
/// Signs between the words of a passphrase.
const SIGNS: [&str; 2] = [" & ", " + "];

/// How certain it is that a value is here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// A sign comes before it, and not "is".
    pub signed: bool,
    /// Its word announces several words: "passphrase".
    pub phrase: bool,
    /// "changed to" comes before it, so a participle may follow.
    pub moved: bool,
    /// Its word may announce other things as well, so only several words are surely a secret.
    pub doubtful: bool,
    /// Nothing ties it to its word, so it ends before a word that joins.
    pub strict: bool,
    /// Its word is Polish.
    pub polish: bool,
}

/// What an adjective of two words ends with: "company-wide", "client-specific".
const ADJECTIVES: &str = "wide based only specific free proof aware scoped facing term lived bound like driven level \
     safe friendly date";

/// Words that introduce what a password is for.
fn is_purpose(word: &str) -> bool {
    matches!(
        word,
        "for" | "on" | "für" | "auf" | "para" | "pour" | "per" | "voor" | "op" | "dla" | "na"
    )
}

/// Words that say where a passphrase is, rather than begin one: "is sous enveloppe", "is behind the monitor".
fn is_place(word: &str) -> bool {
    matches!(
        word,
        "in" | "under"
            | "behind"
            | "at"
            | "im"
            | "unter"
            | "hinter"
            | "bei"
            | "beim"
            | "en"
            | "bajo"
            | "tras"
            | "sous"
            | "dans"
            | "chez"
            | "derrière"
            | "nel"
            | "nella"
            | "sotto"
    )
}

/// Verbs that occur in phrases: "winter is coming".
fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "has"
            | "never"
            | "not"
            | "will"
            | "my"
            | "your"
            | "all"
            | "me"
            | "ist"
            | "es"
            | "est"
    )
}

/// The words of a clause, the nearest first, up to a sign that is not part of a word.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let part = |c: char| is_letter(c) || c == '-' || c == '\'';
        let length = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches(['\'', '-']);
        if word.is_empty() || !word.starts_with(is_letter) {
            return None;
        }
        let start = at;
        let blank = word.len() == length && rest[length..].starts_with(' ');
        at = if blank { at + length + 1 } else { text.len() };
        Some((start..start + word.len(), word))
    })
}

/// Whether an adjective says that a password will change: "temporária", "provisoire".
pub(super) fn is_temporary(word: &str) -> bool {
    let lower = word.to_lowercase();
    ["tempor", "provis", "pendent"].iter().any(|stem| lower.starts_with(stem))
}

/// Whether one word may be a password where a clause announces one.
fn is_own(word: &str) -> bool {
    let parts = word.split('-');
    let told = |part: &str| says(part).is_some();
    let joined = parts.clone().count() > 1;
    // "is company-wide"
    let adjective = joined && parts.clone().next_back().is_some_and(|last| lists(ADJECTIVES, last));
    let letters = |part: &str| !part.is_empty() && part.chars().all(is_letter);
    parts.clone().all(letters)
        && !adjective
        && !is_temporary(word)
        && (weigh(word) >= Weight::Weak || is_default(word))
        && !(joined && 2 * parts.clone().filter(|part| told(part)).count() >= parts.count())
}

/// The length of the words at the start of a text, if they are a password.
pub fn phrase(text: &str, manner: Manner) -> Option<usize> {
    let line = &text[..text.floor_char_boundary(PHRASE_BYTES)];
    let most = if manner.phrase { PHRASE_WORDS } else { WORDS };
    let (mut own, mut told) = (0, false);
    // Where the password ends so far, where its words before a joining word end, and how many words it has.
    let (mut end, mut first, mut count) = (0, None, 0);
    let (mut odd, mut joins, mut described, mut article) = (false, 0, 0, false);
    let mut all = words(line).peekable();
    while let Some((span, word)) = all.next() {
        if count + joins >= most {
            return None;
        }
        let ends = || ends_clause(&text[span.end..]);
        let start = count + joins == 0;
        // "noisette port 22", "walnut redis pw …", "gato-perro-raton porfa": a port, another password, or more
        // after words that hyphens join
        let next = all.peek().map_or("", |(_, next)| *next);
        let named = || role(&folded(next)) == Some(Role::Password);
        if !start
            && (is_port(word, next)
                || named()
                || (count == 1 && is_hyphenated_secret(&text[..end])))
        {
            (joins == 0).then_some(())?;
            break;
        }
        let said = if manner.polish { says_in_polish(word) } else { says(word) };
        // "es limonada"
        let said = said.filter(|_| !is_called_done(word));
        let said = said.or_else(|| {
            // "is leaking into the log"
            (start && word.ends_with("ing") && !manner.signed && all.peek().is_some())
                .then_some(Says::Describes)
        });
        match said {
            Some(_) if start && is_default(word) => own += 1,
            // "mude a senha para trovoada": a change is never to a participle.
            Some(Says::Describes) if start && manner.moved && !is_listed(word) => own += 1,
            None => own += 1,
            Some(Says::About) if start => return None,
            Some(Says::About)
                if matches!(role(&word.to_lowercase()), Some(Role::Subject)) || own == 0 =>
            {
                (joins > 0 || own > 1).then_some(())?;
                break;
            }
            Some(Says::About) if own < 2 && !manner.signed && joins == 0 => return None,
            Some(Says::About) if joins > 0 || !manner.signed => break,
            Some(Says::About) => described += 1,
            // "every good boy deserves fudge"
            Some(Says::Parts) if start && manner.signed && manner.phrase => told = true,
            Some(Says::Parts) if start => return None,
            // "le chat dort sur le toit": a word about passwords in one language may mean something else in another.
            Some(Says::Parts) if manner.phrase && part(word).is_none() && own > 0 => described += 1,
            Some(Says::Parts) => {
                let next =
                    all.peek().is_some_and(|(_, next)| says(next).is_none() && next.len() > 2);
                let last = all.peek().is_some_and(|(next, _)| ends_clause(&text[next.end..]));
                if is_verb(word) && !article && joins == 0 && next && last {
                    joins += 1;
                    continue;
                }
                if own < 2 || !(manner.signed || ends()) {
                    break;
                }
                described += 1;
            }
            // "was walnut or plum"
            Some(Says::Links | Says::Joins)
                if count == 1
                    && !manner.phrase
                    && matches!(word, "or" | "oder" | "ou" | "oppure") =>
            {
                break;
            }
            Some(Says::Links | Says::Joins) => {
                article |= start;
                if start && !manner.signed && (!manner.phrase || is_place(word)) {
                    return None;
                }
                // "is dragon for the staging host", but "is rain in the north wind"
                let mut last = || {
                    let next = all.peek().filter(|(_, next)| says(next).is_none());
                    // "is rain in spain 12"
                    let digit = |c: char| c.is_ascii_digit();
                    let rest = |at: usize| match text[at..].strip_prefix(' ') {
                        Some(number) if number.starts_with(digit) => {
                            number.trim_start_matches(digit)
                        }
                        _ => &text[at..],
                    };
                    next.is_some_and(|(next, _)| ends_clause(rest(next.end)))
                };
                // "is rain in spain"
                let near = own < 2 && said == Some(Says::Joins) && !(count == 1 && last());
                if manner.strict
                    || (manner.moved && is_to(word))
                    || (!manner.signed && !manner.phrase && (near || is_purpose(word)))
                {
                    break;
                }
                first = first.or((count > 0).then_some((end, count)));
                joins += 1;
                continue;
            }
            Some(Says::Describes) if manner.moved && !start => break,
            Some(Says::Describes) => {
                odd |= start;
                described += 1;
            }
        }
        (end, count) = (span.end, count + joins + 1);
        joins = 0;
    }
    while manner.phrase
        && let Some((length, words)) = joined(&text[end..])
    {
        (end, count, first) = (end + length, count + 1 + words, None);
        own += words;
    }
    let rest = &text[end..];
    // A joining word may also begin what the password is for.
    if let Some((before, words)) = first
        && !ends_line(rest)
        && !rest.starts_with(" (")
        && (words == 1 || !ends_clause(rest))
        && !manner.phrase
    {
        (end, count) = (before, words);
    }
    let (value, rest) = (&text[..end], &text[end..]);
    let shape = match count {
        0 => false,
        1 if manner.doubtful && !(manner.signed && value.matches('-').count() > 1) => false,
        1 => is_own(value) && !odd && (!manner.signed || ends_clause(rest)),
        _ if manner.doubtful && (article || own < count.min(3)) => false,
        2 => described == 0 && !odd && !article,
        _ => {
            (!article || (own > 1 && (described == 0 || manner.phrase)))
                && (!odd || own + 1 >= ODD_WORDS || (manner.signed && manner.phrase && own > 1))
        }
    };
    let letters = value.starts_with(|c| is_letter(c) && !c.is_ascii_digit());
    let closed = !rest.trim_start_matches(' ').starts_with(['=', ':', '/', '|', '<', '{', '"'])
        && !rest.starts_with('(')
        && rest
            .trim_start_matches(['.', ',', ';', '!', '?', ')', '"', '\'', '`', '*'])
            .chars()
            .next()
            .is_none_or(char::is_whitespace);
    (shape && own > if told { 2 } else { 0 } && letters && closed && value.len() >= MIN_BYTES)
        .then_some(end)
}

/// The length of a sign that joins words of a passphrase and of those after it, and their number: " & juniper 36".
fn joined(text: &str) -> Option<(usize, usize)> {
    let sign =
        |text: &str| SIGNS.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len());
    let start = sign(text)?;
    let words: Vec<_> = words(&text[start..]).take(WORDS).collect();
    let ((_, first), (last, _)) = words.first().zip(words.last())?;
    let rest = &text[start + last.end..];
    let ends = says(first).is_none() && (ends_clause(rest) || sign(rest).is_some());
    ends.then_some((text.len() - rest.len(), words.len()))
}

/// Whether a line ends here.
fn ends_line(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '.', ',', ';', '!', '\r']);
    rest.is_empty() || rest.starts_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: Manner = Manner {
        signed: false,
        phrase: false,
        moved: false,
        doubtful: false,
        strict: false,
        polish: false,
    };
    const SIGNED: Manner = Manner { signed: true, ..SAID };

    fn read(text: &str, manner: Manner) -> Option<&str> {
        phrase(text, manner).map(|end| &text[..end])
    }

    #[test]
    fn a_password_of_words_ends_with_its_clause() {
        for (text, secret) in [
            ("walnut for the staging host", "walnut"),
            ("winter is coming, please keep it", "winter is coming"),
            ("correct horse battery staple", "correct horse battery staple"),
            ("seven lazy otters.", "seven lazy otters"),
            ("walnut and it works", "walnut"),
            ("walnut or plum", "walnut"),
            ("banana-split on both", "banana-split"),
            ("walnut port 22", "walnut"),
            ("gato-perro-raton porfa", "gato-perro-raton"),
        ] {
            assert_eq!(read(text, SAID), Some(secret), "{text}");
        }
        assert_eq!(read("one ring to rule them all", SIGNED), None);
        assert_eq!(
            read("the cat sleeps on the roof", Manner { phrase: true, ..SAID }),
            Some("the cat sleeps on the roof")
        );
        assert_eq!(read("walnut geändert", Manner { moved: true, ..SAID }), Some("walnut"));
    }

    #[test]
    fn signs_join_the_words_of_a_phrase() {
        let called = Manner { phrase: true, ..SIGNED };
        for text in ["ginger & pebble", "marble & thyme 36", "ostrich + velvet + plum"] {
            assert_eq!(read(text, called), Some(text));
            assert_eq!(read(&format!("{text}, please keep it"), called), Some(text));
        }
        for (text, known) in [
            ("walnut spoon & ask Tom about it", Some("walnut spoon")),
            ("walnut spoon & (later) more", Some("walnut spoon")),
        ] {
            assert_eq!(read(text, called), known, "{text}");
        }
        assert_eq!(read("key & certificate", called), None);
    }

    #[test]
    fn talk_about_a_password_is_not_a_password() {
        for text in [
            "too short",
            "in the vault",
            "expired since monday",
            "case-sensitive",
            "company-wide",
            "up-to-date",
            "temporária",
            "the same",
            "leaking into the log",
            "Keycloak admin",
        ] {
            assert_eq!(read(text, SAID), None, "{text}");
        }
        assert_eq!(read("ask the team lead", SIGNED), None);
    }
}
