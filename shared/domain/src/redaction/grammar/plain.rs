//! Plain words that a sentence makes a password: "use walnut as the password", "with the password walnut, port 22".
//!
//! No word looks like a password here, so the sentence must say that one follows or came before, and nothing may follow
//! that makes a longer noun of it: "with password protection" has none.

use super::context::{Context, Tie};
use super::said::is_role;
use super::{Reader, Role};
use crate::redaction::talk::{Says, says};
use crate::redaction::weight::{MIN_BYTES, Weight, is_default, weigh};
use crate::redaction::words::{fold, role};
use crate::redaction::{blocks, value::Candidate};
use std::ops::Range;

/// How much of a sentence is looked at, in bytes.
const SENTENCE_BYTES: usize = 96;
/// Most words between one that announces a password and the word for it.
const BETWEEN: usize = 4;
/// How many words a passphrase before "as the passphrase" has.
const PHRASE_WORDS: Range<usize> = 4..9;
/// Lengths of a user's name, in bytes.
const USER_BYTES: Range<usize> = 2..33;

/// Words behind which what is used as a password stands, beside those for "with".
const TAKES: [&str; 41] = [
    "used",
    "try",
    "tried",
    "take",
    "took",
    "set",
    "choose",
    "chose",
    "pick",
    "picked",
    "entered",
    "typed",
    "put",
    "nimm",
    "nehme",
    "nehmt",
    "nutze",
    "nutzt",
    "benutzt",
    "verwendet",
    "setze",
    "habe",
    "hab",
    "hat",
    "has",
    "puse",
    "pon",
    "usa",
    "usar",
    "usad",
    "elige",
    "tiene",
    "mets",
    "mis",
    "mettez",
    "utilise",
    "utilisez",
    "prends",
    "choisis",
    "metti",
    "coloca",
];
/// What people add to them.
const POLITE: [&str; 6] = ["please", "bitte", "favor", "por", "plait", "mal"];
/// Words that follow a value and its clause.
const GOES_ON: [&str; 12] = [
    "komme",
    "kommt",
    "klappt",
    "geht",
    "funktioniert",
    "works",
    "worked",
    "marche",
    "funciona",
    "gesetzt",
    "too",
    "instead",
];
/// What stands between a user and the password in a sentence: "log in with admin and walnut7".
const AND: [&str; 5] = [" and ", " und ", " y ", " e ", " et "];
/// Nouns that "password" describes, beside those of [`says`].
const COMPOUNDS: [&str; 18] = [
    "managers", "prompts", "strength", "history", "vaults", "sync", "storage", "logins",
    "fallback", "store", "backend", "expiries", "resets", "change", "lookup", "leaks", "schutz",
    "wechsel",
];
/// Endings of such nouns.
const ABSTRACT: [&str; 8] = ["ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence"];

/// The words before a place in its sentence, the nearest first, each with its place.
fn words_before(text: &str, from: usize) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut end = text.len();
    std::iter::from_fn(move || {
        let body = text[..end].trim_end_matches(' ');
        let start = body.rfind(' ').map_or(0, |blank| blank + 1);
        end = start;
        let word = &body[start..];
        (!word.is_empty()).then(|| (from + start..from + body.len(), word))
    })
}

/// Whether a word takes what stands behind it: "with", "use", "nimm".
fn takes(word: &str) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    role(&folded) == Some(Role::With) || TAKES.contains(&folded.as_str())
}

/// An article, or a word that says which password is meant.
fn is_article(word: &str) -> bool {
    const JOINS: [&str; 10] = ["and", "also", "und", "y", "et", "ou", "or", "e", "o", "i"];
    let mut folded = String::new();
    fold(word, &mut folded);
    (role(&folded) == Some(Role::Filler) && !JOINS.contains(&folded.as_str()))
        || matches!(folded.as_str(), "mot" | "one" | "un" | "una" | "une" | "ein")
}

/// One word that may be a password.
fn is_plain(word: &str) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    let known = role(&folded).is_some() || COMPOUNDS.contains(&folded.as_str());
    word.len() >= MIN_BYTES
        && !known
        && word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
        && !ABSTRACT.iter().any(|end| folded.ends_with(end))
        && says(word).is_none()
        && (weigh(word) >= Weight::Weak || is_default(word))
}

/// Whether a clause ends before this text.
fn ends_clause(rest: &str) -> bool {
    let after = rest.trim_start_matches([',', '.', ';', ':', '!', '?', ')']);
    if after.is_empty() || after.starts_with(['\n', '\r']) {
        return true;
    }
    let Some(next) = after.strip_prefix(' ') else { return false };
    if after.len() < rest.len() {
        return true;
    }
    let word = &next[..next.find(|c: char| !c.is_alphanumeric()).unwrap_or(next.len())];
    let mut folded = String::new();
    fold(word, &mut folded);
    GOES_ON.contains(&folded.as_str())
        || matches!(role(&folded), Some(Role::Filler | Role::With | Role::As))
        || matches!(says(word), Some(Says::Links | Says::Joins | Says::Parts))
}

impl Reader<'_> {
    /// The part of the sentence before a place that nothing else was found in.
    fn sentence_before(&self, at: usize) -> &str {
        let from = self.text.floor_char_boundary(at.saturating_sub(SENTENCE_BYTES));
        let from = self.found.last().map_or(from, |raw| from.max(raw.span.end));
        let from = if self.walled <= at { from.max(self.walled) } else { from }.min(at);
        self.text[from..at].rsplit('\n').next().unwrap_or_default()
    }

    /// The words before "as the password" and "is the password", whose word has this place.
    pub(super) fn plain_before(&self, word: &Range<usize>) -> Option<Range<usize>> {
        let tied = matches!(self.before, Some(Role::As | Role::Copula | Role::Filler));
        if !tied || !ends_clause(&self.open()[word.end..]) {
            return None;
        }
        let before = self.sentence_before(word.start);
        if !before.ends_with(' ') {
            return None;
        }
        let mut words = words_before(before, word.start - before.len());
        let (_, tie) =
            words.by_ref().take(BETWEEN).find(|(_, word)| !is_article(word) && *word != "de")?;
        let (value, shown) = words.next()?;
        match role(&tie.to_lowercase()) {
            Some(Role::As) => {}
            // "walnut is the password", at the start of a sentence
            _ if matches!(tie, "is" | "ist" | "es" | "est") => {
                let starts =
                    words.next().is_none_or(|(_, word)| word.ends_with([',', ':', ';', '.']));
                let starts =
                    starts && (value.start == 0 || self.text[..value.start].ends_with([' ', '\n']));
                return (starts && is_plain(shown)).then_some(value);
            }
            _ => return None,
        }
        let mut all = vec![(value, shown)];
        for (place, word) in words.take(PHRASE_WORDS.end) {
            if takes(word) {
                break_at(&mut all);
                return passed(&all);
            }
            all.push((place, word));
        }
        None
    }

    /// The word behind "with the password", or in a list of fields: "user kim, password walnut".
    pub(super) fn plain_after(&self, context: &Context) -> Option<Range<usize>> {
        let direct = context.tie == Tie::Direct
            && context.words + context.values == 0
            && matches!(context.role, Role::Password | Role::MaybePassword)
            && !(context.plural || context.code || context.implied || context.identifier);
        let word_at = self.before_span.clone();
        if !direct || self.text[word_at.end..self.at] != *" " {
            return None;
        }
        let rest = &self.open()[self.at..];
        let part = |c: char| !(c.is_alphanumeric() || "-_".contains(c));
        let word = &rest[..rest.find(part).unwrap_or(rest.len())];
        let after = &rest[word.len()..];
        if !is_plain(word) || !ends_clause(after) {
            return None;
        }
        let before = self.sentence_before(word_at.start);
        let announced = words_before(before, 0)
            .take(BETWEEN)
            .find(|(_, word)| !is_article(word) && *word != "de")
            .is_some_and(|(_, word)| takes(word));
        let listed = || {
            let field =
                after.strip_prefix(", ").map(|rest| rest.split(' ').next().unwrap_or_default());
            let next = field
                .is_some_and(|field| matches!(role(field), Some(Role::Subject | Role::Network)));
            let last = after.trim_end_matches(['.', '\r']).is_empty() || after.starts_with('\n');
            next || (last && self.line.has_options() && before.trim_end().ends_with([',', ';']))
        };
        let short = matches!(&self.text[word_at], "pwd" | "passwd" | "pw" | "pass" | "mdp" | "PW");
        let works = || {
            [" works", " worked", " geht", " marche", " funciona"]
                .iter()
                .any(|word| after.starts_with(word))
        };
        (announced || listed() || (short && works())).then(|| self.at..self.at + word.len())
    }

    /// The password of a pair that words for credentials announce: "the credentials are pi/walnut".
    pub(super) fn announced_pair(&mut self) -> Option<Range<usize>> {
        let context = self.context.as_ref()?;
        let named = context.pairs && matches!(context.tie, Tie::Copula | Tie::Sign | Tie::Direct);
        let with = context.tie == Tie::With && context.words <= 2;
        if context.role != Role::Login || context.values > 0 || !(named || with) {
            return None;
        }
        let text = self.open();
        let rest = &text[self.at..];
        let user = rest.bytes().take(USER_BYTES.end);
        let user = user.take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
        let name = &rest[..user];
        let known = super::login::is_user(name);
        let fits = USER_BYTES.contains(&user)
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && (known || (named && says(name).is_none() && role(name).is_none()));
        let signs = AND.into_iter().chain([" / ", " : ", "/", ":", " "]);
        let sign = signs.into_iter().find(|sign| rest[user..].starts_with(sign))?;
        let and = AND.contains(&sign);
        if !fits || (and && !known) || (with && !and && !sign.contains('/')) {
            return None;
        }
        let at = self.at + user + sign.len();
        let found: Candidate = self.values.candidate(text, at)?;
        let value = &self.text[found.span.clone()];
        let digit = value.contains(|c: char| c.is_ascii_digit());
        let ended = found.last || self.text[found.span.end..].starts_with([',', ';']);
        let weighs = found.weight >= Weight::Weak
            && (digit || !(and || sign == " "))
            && (!and || found.weight >= Weight::Name)
            && says(value).is_none()
            && !is_role(value)
            && blocks::is_password(value);
        (weighs && (ended || and)).then_some(found.span)
    }
}

/// Leaves out what people say between "use" and what they use.
fn break_at(all: &mut Vec<(Range<usize>, &str)>) {
    while all.len() > 1
        && all.last().is_some_and(|(_, word)| POLITE.contains(&word.trim_end_matches(',')))
    {
        all.pop();
    }
}

/// The words as one password: one plain word, or a phrase; the last comes first.
fn passed(all: &[(Range<usize>, &str)]) -> Option<Range<usize>> {
    let ((first, start), (last, word)) = (all.last()?, all.first()?);
    let own = all.iter().filter(|(_, word)| is_plain(word)).count();
    let told = |(_, word): &(Range<usize>, &str)| {
        matches!(says(word), Some(Says::Parts | Says::About))
            || !word.chars().all(char::is_alphabetic)
    };
    let phrase = PHRASE_WORDS.contains(&all.len())
        && own >= 2
        && !all.iter().any(told)
        && (is_plain(start) || matches!(*start, "a" | "an"));
    ((all.len() == 1 && is_plain(word)) || phrase).then_some(first.start..last.end)
}

#[cfg(test)]
mod tests {
    use crate::redaction::redact;

    fn found(text: &str) -> Vec<String> {
        redact(text).secrets.into_iter().map(|secret| secret.value).collect()
    }

    #[test]
    fn a_sentence_says_that_a_plain_word_is_a_password() {
        for (text, secret) in [
            ("please use walnut as the password", "walnut"),
            ("nimm bitte Walnuss als Passwort", "Walnuss"),
            ("ubuntu, walnut is the password", "walnut"),
            ("usa la contraseña nogal para el usuario", "nogal"),
            ("it opens with a house full of bread as passphrase", "a house full of bread"),
            ("user kim, password walnut, port 22", "walnut"),
            ("the credentials are pi/walnut", "walnut"),
            ("log in with admin and walnut7 and look at the disk", "walnut7"),
            ("entra con root y nogal77", "nogal77"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_sentence_about_passwords_has_none() {
        for text in [
            "log in with password protection",
            "use it as the password",
            "use the token as password",
            "use walnut as the password manager",
            "quel est le mot de passe ?",
            "try this one as the password instead",
            "ihr könnt es als Kennwort nehmen",
            "the credentials are read / write",
            "log in with admin and look at the disk",
            "log in with admin and ubuntu22",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
