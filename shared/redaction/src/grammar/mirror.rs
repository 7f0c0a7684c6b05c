//! Finds passwords before the word for them: "use ⟦monkey island⟧ as the root password", "⟦walnut⟧ is the password for
//! it".
//!
//! Going back from the word for a password, the sentence must have a tie ("as", "is", "at", "when it asks for"), with
//! at most a few words in between that say which password is meant. Before the tie comes the value. Before the value
//! comes a verb that takes one ("use", "type", "set") or, if the tie is "is", the start of the sentence. The clause
//! must end after the word: "use X as the password manager" is about a manager.

use super::Reader;
use super::plain::{POLITE, ends_clause, is_article, is_plain, is_tool, takes, words_before};
use crate::blocks;
use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::things::{is_dotted_password, is_dotted_secret};
use crate::weight::{MIN_BYTES, Weight, weigh};
use crate::words::{Role, folded, lists, role};
use std::ops::Range;

/// How far back a quoted value may begin, in bytes.
const SAID_BYTES: usize = 128;
/// The most words between the tie and the word for a password.
const BETWEEN: usize = 5;
/// The most words of a password.
const WORDS: usize = 8;
/// The number of words of a longer one, which may contain "of" and "the".
const PHRASE_WORDS: Range<usize> = 4..9;
/// The most words between "when" and "the password".
const ASKED_WORDS: usize = 5;

/// What may follow the word for a password: where people type it, or what it is for.
const PROMPTS: [&str; 9] =
    [" prompt", " question", " field", " dialog", " box", " root", " admin", " wifi", " bios"];
/// Nouns that may come before "is the password" and are not one: "the problem is the password".
const HEADS: [&str; 20] = [
    "problem", "issue", "question", "thing", "reason", "trick", "hint", "culprit", "blocker",
    "fehler", "grund", "frage", "problema", "pregunta", "probleme", "question", "unknown", "catch",
    "topic", "thema",
];

/// Words after the word for a password that make it the name of something else: "password hash".
const ABOUT: &str = "hash hashes hashing manager service store vault policy field generator algorithm expiry rotation";

/// Where people type.
const KEYBOARDS: &str = "console konsole consola consolle konsoli terminal terminale keyboard tastatur teclado \
     clavier tastiera toetsenbord screen bildschirm prompt boot startup";
/// The most words that say where.
const PLACE_WORDS: usize = 4;

/// A word and its place.
type Placed<'t> = (Range<usize>, &'t str);

fn role_of(word: &str) -> Option<Role> {
    role(&folded(word))
}

fn is_at(word: &str) -> bool {
    matches!(
        word,
        "at" | "into"
            | "in"
            | "bei"
            | "beim"
            | "en"
            | "à"
            | "na"
            | "no"
            | "w"
            | "bij"
            | "for"
            | "für"
            | "para"
            | "pour"
            | "per"
            | "voor"
            | "dla"
    )
}

fn is_on(word: &str) -> bool {
    matches!(word, "on" | "an" | "am" | "auf" | "sur" | "sulla" | "alla" | "op" | "aan" | "przy")
}

/// Whether a word says that a password will do: "is walnut ok as a password?"
fn is_fit(word: &str) -> bool {
    matches!(word, "ok" | "okay" | "fine" | "good" | "work" | "do" | "enough")
}

/// Whether a word begins a question or a wish about a password.
fn asks_for(word: &str) -> bool {
    matches!(word, "is" | "would" | "could" | "does" | "can" | "like" | "want" | "prefer" | "wants")
}

/// Whether a word says what something gets as its password: "die Datenbank bekommt walnut als Passwort".
fn receives(word: &str) -> bool {
    matches!(
        word,
        "gets"
            | "bekommt"
            | "kriegt"
            | "erhält"
            | "recibe"
            | "recoit"
            | "reçoit"
            | "riceve"
            | "recebe"
            | "krijgt"
            | "dostaje"
    )
}

/// The number of bytes after the last quoted text, with its closing quote.
fn between_len(text: &str) -> usize {
    text.len() - text.rfind('"').unwrap_or_default()
}

impl Reader<'_> {
    /// The quoted words before "as the password" and "is the password".
    pub(super) fn said_before(&self, at: usize) -> Option<Range<usize>> {
        let from = self.text.floor_char_boundary(at.saturating_sub(SAID_BYTES));
        let from = self.found.last().map_or(from, |raw| from.max(raw.span.end));
        let from = if self.walled <= at { from.max(self.walled) } else { from };
        let before = self.text[from.min(at)..at].rsplit('\n').next().unwrap_or_default();
        let (quoted, between) = before.rsplit_once('"')?;
        let (_, value) = quoted.rsplit_once('"')?;
        let mut between = between.split_whitespace();
        let as_ =
            between.next().is_some_and(|word| matches!(role(word), Some(Role::As | Role::Copula)));
        let tied = as_ && between.all(|word| says(word).is_some() || role(word).is_some());
        let words = value.split(' ').filter(|word| says(word).is_none()).count();
        // "X is what we use as the password hash"
        let next = self.text[self.at..].strip_prefix(' ').unwrap_or_default();
        let next = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let fits = tied
            && !lists(ABOUT, next)
            && value.len() >= MIN_BYTES
            && words * 2 > value.split(' ').count()
            && !value.contains('$');
        let end = at - between_len(before);
        fits.then(|| end - value.len()..end)
    }

    /// The value before the word for a password, which is at `noun`.
    pub(super) fn mirrored(&self, noun: &Range<usize>) -> Option<Range<usize>> {
        let behind = &self.open()[noun.end..];
        let behind = PROMPTS.iter().find_map(|word| behind.strip_prefix(word)).unwrap_or(behind);
        if !ends_clause(behind) {
            return None;
        }
        let before = self.sentence_before(noun.start);
        if !before.ends_with([' ', '\'']) {
            return None;
        }
        let is_polish = self.text[noun.clone()].starts_with(['h', 'H']);
        // Most sentences have no tie before the word.
        let tied = |word: &str| {
            let word = word.trim_start_matches('(');
            let known = role_of(word);
            known == Some(Role::As)
                || part(word) == Some(Part::Is)
                || is_at(word)
                || (*word == *"de" && self.text[noun.clone()].starts_with("contras"))
                || (word == "to" && is_polish)
        };
        let ends = |word: &str| takes(word) || word.ends_with([',', '.', ';', ':', '!', '?', ')']);
        let near = words_before(before, 0).map(|(_, word)| word).take(BETWEEN);
        let tie = near
            .enumerate()
            .find(|(_, word)| tied(word) || ends(word) || *word == "make")
            .filter(|(_, word)| tied(word) || *word == "make");
        let (tie, tie_word) = tie?;
        let words: Vec<Placed<'_>> = words_before(before, noun.start - before.len())
            .take(BETWEEN + ASKED_WORDS + WORDS + 2)
            .collect();
        if tie_word == "make" {
            return self.made(&words[..=tie]);
        }
        let (place, word) = &words[tie];
        let behind = &words[tie + 1..];
        let asked = |word: &str| matches!(part(word), Some(Part::Asks));
        if role_of(word) == Some(Role::As) {
            // "is walnut ok as a password?"
            let fit = behind.first().is_some_and(|(_, word)| is_fit(word));
            // "walnut as the password"
            if let [(value, word)] = behind
                && is_plain(word)
                && !is_tool(word)
                && !takes(word)
                && part(word).is_none()
            {
                return Some(value.clone());
            }
            return self.taken(&behind[usize::from(fit)..], true);
        }
        // "I want walnut to be the password"
        if *word == "be" && behind.first().is_some_and(|(_, word)| *word == "to") {
            return self.taken(&behind[1..], true);
        }
        // "ponle X de contraseña"
        if *word == "de" {
            return self.taken(behind, true).filter(|_| tie == 0);
        }
        if part(word) == Some(Part::Is) || *word == "to" {
            let phrase = self.text[noun.clone()].contains("phrase");
            return self.subject(behind, place, phrase);
        }
        if is_at(word) {
            // "type X when it asks for the password"
            let when =
                behind.iter().take(ASKED_WORDS).position(|(_, word)| part(word) == Some(Part::If));
            if behind.first().is_some_and(|(_, word)| asked(word)) {
                return self.taken(&behind[when? + 1..], false);
            }
            return self.taken(behind, false);
        }
        None
    }

    /// The value after a verb that takes one.
    fn taken(&self, words: &[Placed<'_>], as_: bool) -> Option<Range<usize>> {
        // "c'est toujours X comme mot de passe"
        let still = |at: usize| {
            part(words[at].1) == Some(Part::Is)
                && at.checked_sub(1).is_some_and(|next| part(words[next].1) == Some(Part::When))
        };
        let mut near = words.iter().take(WORDS + 2).enumerate();
        let verb = near.position(|(at, (_, word))| match as_ {
            true => {
                takes(word)
                    || part(word) == Some(Part::Type)
                    || asks_for(word)
                    || still(at)
                    || receives(word)
            }
            false => part(word) == Some(Part::Type) || *word == "about",
        })?;
        let mut all = &words[..verb];
        // "types walnut on the console as the passphrase"
        let place = all.iter().take(PLACE_WORDS).position(|(_, word)| is_at(word) || is_on(word));
        let typed = |at: &usize| all[..*at].iter().any(|(_, word)| lists(KEYBOARDS, &folded(word)));
        if let Some(at) = place.filter(typed) {
            all = &all[at + 1..];
        }
        while all.len() > 1
            && all.last().is_some_and(|(_, word)| {
                POLITE.contains(&word.trim_end_matches(',')) || part(word) == Some(Part::When)
            })
        {
            all = &all[..all.len() - 1];
        }
        self.value_of(all, if as_ { PHRASE_WORDS } else { 0..0 })
    }

    /// The value at the start of a sentence, before "is": "walnut is the password", "walnut, that's the password".
    fn subject(
        &self,
        words: &[Placed<'_>],
        is: &Range<usize>,
        phrase: bool,
    ) -> Option<Range<usize>> {
        let mut words = words;
        // "walnut, that should be the password"
        if words.first().is_some_and(|(_, word)| part(word) == Some(Part::May)) {
            words = &words[1..];
        }
        let bracketed = self.text[is.clone()].starts_with('(');
        let stands = |word: &str| {
            matches!(word, "that" | "this" | "das" | "esa" | "esta" | "questa" | "essa" | "dat")
        };
        let apart = self.text[is.clone()].contains('\'')
            || words.first().is_some_and(|(_, word)| stands(word));
        if apart && !self.text[is.clone()].contains('\'') {
            words = &words[1..];
        }
        let ended = |word: &str| word.ends_with([',', ':', ';', '.', '!', '-', '–']);
        let length =
            words.iter().skip(1).position(|(_, word)| ended(word)).map_or(words.len(), |at| at + 1);
        let mut all = &words[..length];
        // "try walnut, that's the password"
        while all.len() > 1 && apart && all.last().is_some_and(|(_, word)| takes(word)) {
            all = &all[..all.len() - 1];
        }
        let (first, _) = all.last()?;
        let starts = first.start == 0 || self.text[..first.start].ends_with([' ', '\n', '\t']);
        let (last, word) = all.first()?;
        let cut = word.trim_end_matches([',', ':', ';', '-', '–', ' ']);
        if (apart && !bracketed) != (cut.len() < word.len())
            || HEADS.contains(&cut.to_lowercase().as_str())
        {
            return None;
        }
        let mut all = all.to_vec();
        all[0] = (last.start..last.start + cut.len(), cut);
        (starts && all.iter().all(|(_, word)| is_plain(word)))
            .then(|| self.value_of(&all, if phrase { PHRASE_WORDS } else { 0..0 }))
            .flatten()
    }

    /// The value between "make" and "the password": "make walnut the admin password".
    fn made(&self, words: &[Placed<'_>]) -> Option<Range<usize>> {
        let which = words.iter().position(|(_, word)| is_article(word))?;
        let value = &words[which + 1..words.len() - 1];
        (!value.is_empty() && value.iter().all(|(_, word)| is_plain(word)))
            .then(|| self.value_of(value, 0..0))
            .flatten()
    }

    /// The words, last one first, as one password.
    fn value_of(&self, all: &[Placed<'_>], phrases: Range<usize>) -> Option<Range<usize>> {
        let ((first, start), (last, word)) = (all.last()?, all.first()?);
        let span = first.start..last.end;
        if all.len() == 1 {
            let bare = word.trim_matches(['"', '\'', '`']);
            let made = weigh(bare) >= Weight::Name
                && blocks::is_password(bare)
                && bare.len() >= MIN_BYTES
                && bare.len() < word.len();
            let at = span.start + word.len() - word.trim_start_matches(['"', '\'', '`']).len();
            return ((is_plain(word) && !is_tool(word))
                || is_dotted_password(word)
                || is_dotted_secret(bare)
                || (made || bare.len() < word.len() && is_plain(bare)))
            .then_some(at..at + bare.len());
        }
        let own = all.iter().filter(|(_, word)| is_plain(word)).count();
        let told = |(_, word): &Placed<'_>| {
            matches!(says(word), Some(Says::Parts | Says::About))
                || !word.chars().all(char::is_alphabetic)
        };
        let short = all.len() < PHRASE_WORDS.start.max(phrases.start)
            && own == all.len()
            && !all.iter().any(|(_, word)| is_tool(word));
        let phrase = phrases.contains(&all.len())
            && own >= 2
            && !all.iter().any(told)
            && (is_plain(start) || (is_article(start) && start.len() < 3));
        (short || phrase).then_some(span)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_password_may_come_before_the_word_for_it() {
        for (text, secret) in [
            ("please use walnut as the password", "walnut"),
            ("use walnut grove as the new db password", "walnut grove"),
            ("nimm bitte Walnuss als Passwort", "Walnuss"),
            ("põe nogueira-azul como senha", "nogueira-azul"),
            ("pour la base c'est toujours noisette comme mot de passe", "noisette"),
            ("j'ai mis Artichaut.9 comme mot de passe root", "Artichaut.9"),
            ("per il db è sempre nocciola come password", "nocciola"),
            ("ubuntu, walnut is the password", "walnut"),
            ("walnut grove is the password for the box", "walnut grove"),
            ("type walnut at the password prompt", "walnut"),
            ("enter walnut when it asks for the password", "walnut"),
            ("we used `lantern.saddle.gravel` as the master password", "lantern.saddle.gravel"),
            ("it opens with a house full of bread as passphrase", "a house full of bread"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_sentence_about_passwords_has_none_before_the_word_for_it() {
        for text in [
            "use it as the password",
            "use the token as password",
            "use walnut as the password manager",
            "quel est le mot de passe ?",
            "try this one as the password instead",
            "ihr könnt es als Kennwort nehmen",
            "the only problem is the password",
            "use pwgen for the password",
            "enter it at the password prompt",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
