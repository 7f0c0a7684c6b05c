//! The languages that the model understands: it detects a message's language and translates the message to English.
//!
//! A message is translated phrase by phrase before anything else reads it, so one set of readers serves all languages.
//! Names, numbers and quoted texts stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The language of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    #[default]
    English,
    German,
    Spanish,
    French,
    /// A language that the model does not speak.
    Other,
}

const KNOWN: [Language; 4] =
    [Language::English, Language::German, Language::Spanish, Language::French];

/// Longest phrase of a dictionary, in words.
const PHRASE_WORDS: usize = 5;

/// Words that show a language that the model does not speak.
const OTHERS: &str = "vorrei voglio grazie ciao della degli sono quero gostaria preciso obrigado olá uma não com \
                      ik wil graag een het voor alstublieft proszę chcę potrzebuję dziękuję jag skulle vilja tack \
                      jeg vil gerne tak minä haluan kiitos lütfen istiyorum merhaba";

static ENGLISH: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("../../words/english.txt").split_whitespace().collect());

static FOREIGN_STOPS: LazyLock<BTreeMap<Language, BTreeSet<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../../words/stop.txt").lines();
    let entries = lines.filter_map(|line| line.split_once(" | "));
    entries
        .filter_map(|(name, words)| Some((named(name)?, words.split_whitespace().collect())))
        .collect()
});

static DICTIONARIES: LazyLock<BTreeMap<Language, BTreeMap<&str, &str>>> = LazyLock::new(|| {
    BTreeMap::from([
        (Language::German, phrases(include_str!("../../words/german.txt"))),
        (Language::Spanish, phrases(include_str!("../../words/spanish.txt"))),
        (Language::French, phrases(include_str!("../../words/french.txt"))),
    ])
});

fn phrases(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    text.lines().filter_map(|line| line.split_once(" = ")).collect()
}

fn named(name: &str) -> Option<Language> {
    match name {
        "german" => Some(Language::German),
        "spanish" => Some(Language::Spanish),
        "french" => Some(Language::French),
        _ => None,
    }
}

impl Language {
    /// The language of a message; `None` if the message does not show it, as in “9090”.
    pub fn of(message: &str) -> Option<Language> {
        let lower = message.to_lowercase().replace('’', "'");
        let words: Vec<&str> = bare_words(&lower).collect();
        let others: BTreeSet<&str> = OTHERS.split_whitespace().collect();
        let score = |language: &Language| words.iter().filter(|word| language.knows(word)).count();
        // If two languages score equally, the first wins: names of software are the same everywhere.
        let best = KNOWN.iter().rev().max_by_key(|language| score(language)).copied()?;
        let foreign = words.iter().filter(|word| others.contains(*word)).count();
        let strange = lower.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
        match score(&best) {
            n if (foreign > 0 && foreign >= n) || strange * 2 > lower.chars().count() => {
                Some(Language::Other)
            }
            0 => None,
            _ => Some(best),
        }
    }

    /// Whether a lower-case word is common in any sentence of this language.
    fn knows(self, word: &str) -> bool {
        if self == Language::English {
            return ENGLISH.contains(word);
        }
        let stop = FOREIGN_STOPS.get(&self).is_some_and(|words| words.contains(word));
        stop || DICTIONARIES.get(&self).is_some_and(|phrases| phrases.contains_key(word))
    }

    /// Whether a lower-case word says nothing about what the user wants.
    pub fn is_filler(self, word: &str) -> bool {
        ENGLISH.contains(word) || FOREIGN_STOPS.get(&self).is_some_and(|words| words.contains(word))
    }

    /// The message with every known phrase translated to English.
    pub fn to_english(self, message: &str) -> String {
        let Some(phrases) = DICTIONARIES.get(&self) else { return message.to_string() };
        let mut english = String::with_capacity(message.len());
        let message = message.replace('’', "'");
        for (index, part) in message.split('"').enumerate() {
            if index % 2 == 1 {
                english.push_str(&format!("\"{part}\""));
            } else {
                translate(part, phrases, &mut english);
            }
        }
        english
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c)
}

fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || ",.;:!?¡¿()\"“”„«»".contains(c);
    text.split(ends).filter(|word| !word.is_empty())
}

/// Replaces known phrases, the longest first.
fn translate(text: &str, phrases: &BTreeMap<&str, &str>, english: &mut String) {
    let pieces: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let ends = |piece: &str| piece.trim_end().ends_with([',', '.', ';', ':', '!', '?']);
    let bare = |piece: &str| {
        let marks = |c: char| c.is_whitespace() || ",.;:!?¡¿()„“”«»".contains(c);
        piece.trim_matches(marks).to_lowercase()
    };
    let mut at = 0;
    while at < pieces.len() {
        let longest = (1..=PHRASE_WORDS.min(pieces.len() - at)).rev().find_map(|count| {
            let taken = &pieces[at..at + count];
            // A phrase must not reach across the end of a clause.
            let whole = !taken[..count - 1].iter().any(|piece| ends(piece));
            let phrase = taken.iter().map(|piece| bare(piece)).collect::<Vec<_>>().join(" ");
            whole.then(|| phrases.get(phrase.as_str())).flatten().map(|english| (count, *english))
        });
        match longest {
            Some((count, phrase)) => {
                let last = pieces[at + count - 1];
                english.push_str(phrase);
                let marks = last.trim_end().chars().rev().take_while(|c| ",.;:!?".contains(*c));
                english.extend(marks.collect::<Vec<_>>().into_iter().rev());
                english.push(' ');
                at += count;
            }
            // “Port 80 zu”: at the end of a clause, “zu” says that something is closed.
            None if bare(pieces[at]) == "zu" && (ends(pieces[at]) || at + 1 == pieces.len()) => {
                english.push_str(&pieces[at].to_lowercase().replace("zu", "closed"));
                at += 1;
            }
            None => {
                english.push_str(pieces[at]);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        for (text, language) in [
            ("I want a VPS with PostgreSQL", Some(Language::English)),
            ("Ich möchte einen VPS mit PostgreSQL", Some(Language::German)),
            ("Quiero un VPS con PostgreSQL", Some(Language::Spanish)),
            ("Je voudrais un VPS avec PostgreSQL", Some(Language::French)),
            ("Vorrei un server con PostgreSQL, grazie", Some(Language::Other)),
            ("日本語でお願いします", Some(Language::Other)),
            ("9090", None),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }

    #[test]
    fn phrases_become_english_and_names_stay() {
        let german =
            Language::German.to_english("Eine Datenbank namens Bestellungen, Standardwerte bitte");
        assert_eq!(german.trim(), "Eine database named Bestellungen, defaults bitte");
        let spanish = Language::Spanish.to_english("un servicio web que dice \"Hola con todos\"");
        assert_eq!(spanish.trim(), "un web service que dice \"Hola con todos\"");
        let french = Language::French.to_english("Oui, d'accord, les valeurs par défaut.");
        assert_eq!(french.trim(), "yes, agreed, defaults.");
    }
}
