//! The languages that the model understands: it detects a message's language and translates the message to English.
//!
//! A message is translated phrase by phrase before anything else reads it, so one set of readers serves all languages.
//! Names, numbers and quoted texts stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::{Piece, is_negation};

/// The language of a message.
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

/// The languages that the model speaks.
pub const KNOWN: [Language; 4] =
    [Language::English, Language::German, Language::Spanish, Language::French];

/// Longest phrase of a dictionary, in words.
const PHRASE_WORDS: usize = 7;

/// A quotation with at most this many words is a name, which no translation may change.
const NAME_WORDS: usize = 3;

/// Words that all of these languages have taken from English, so they do not identify a language.
const LOANS: &[&str] = &[
    "app", "apps", "server", "web", "blog", "website", "backup", "backups", "cloud", "update",
    "updates", "online", "software",
];

/// Words that identify a language that the model does not speak, unless the message's own language has them, too.
static OTHERS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("../../words/others.txt").split_whitespace().collect());

static ENGLISH: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("../../words/english.txt").split_whitespace().collect());

/// Lists of words by language: those that never carry a wish, and those that carry one only beside others.
static LISTS: LazyLock<BTreeMap<&str, BTreeSet<&str>>> = LazyLock::new(|| {
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let lines = include_str!("../../words/stop.txt").lines();
    for (name, words) in lines.filter_map(|line| line.split_once(" | ")) {
        lists.entry(name).or_default().extend(words.split_whitespace());
    }
    lists
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

impl Language {
    /// The language of a message, if it is not the previous one; `None` if the message does not show it, as in “9090”.
    ///
    /// A word that only one language has counts more than any number of shared words, such as “server” and “in”. If two
    /// languages are equally likely, the previous language wins, and otherwise English, because names of software are
    /// the same in every language.
    pub fn of(message: &str, before: Language) -> Option<Language> {
        let lower = message.to_lowercase().replace('’', "'");
        let words: Vec<&str> = bare_words(&lower).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !LOANS.contains(word)).collect();
        let only = |language: Language, word: &&&str| {
            KNOWN.iter().all(|known| known.knows(word) == (*known == language))
        };
        let score = |language: Language| {
            let own = words.iter().filter(|word| only(language, word)).count();
            (own, words.iter().filter(|word| language.knows(word)).count(), language == before)
        };
        let best = KNOWN.iter().rev().max_by_key(|language| score(**language)).copied()?;
        let foreign = words.iter().filter(|word| OTHERS.contains(*word) && !best.knows(word));
        let foreign = foreign.count();
        let strange = lower.chars().filter(|c| c.is_alphabetic() && !is_latin(*c)).count();
        // Portuguese and Italian share many words with Spanish, so few of their own words decide.
        let (own, all, _) = score(best);
        match all {
            _ if (foreign > 0 && 2 * foreign * foreign >= own)
                || strange * 2 > lower.chars().count() =>
            {
                Some(Language::Other)
            }
            0 => None,
            _ => Some(best),
        }
    }

    /// Whether a lower-case word is common in sentences of this language.
    fn knows(self, word: &str) -> bool {
        if self == Language::English {
            return ENGLISH.contains(word);
        }
        let stop = LISTS.get(self.name()).is_some_and(|words| words.contains(word));
        // A word that is the same in English does not identify the language.
        let translated = |phrases: &BTreeMap<&str, &str>| {
            phrases.get(word).is_some_and(|english| *english != word)
        };
        stop || DICTIONARIES.get(&self).is_some_and(translated)
    }

    /// How much a lower-case word says about what the user wants.
    pub fn weight(self, word: &str) -> Weight {
        let empty = |name: &str| LISTS.get(name).is_some_and(|words| words.contains(word));
        if is_negation(word) {
            Weight::Negation
        } else if empty("english") || empty(self.name()) {
            Weight::Empty
        } else if empty("light") {
            Weight::Light
        } else {
            Weight::Full
        }
    }

    /// The message with every known phrase translated to English, part by part.
    pub fn to_english(self, message: &str) -> Vec<Piece> {
        let message = message.replace('’', "'");
        let Some(phrases) = DICTIONARIES.get(&self) else {
            return vec![Piece { said: message.clone(), english: message, language: self }];
        };
        let mut english = Vec::new();
        for (index, part) in message.split('"').enumerate() {
            if index % 2 == 1 && part.split_whitespace().count() > NAME_WORDS {
                // Somebody else's sentence
                let mark = Piece { said: "\"".into(), english: "\"".into(), language: self };
                english.push(mark.clone());
                translate(part, self, phrases, &mut english);
                english.push(mark);
            } else if index % 2 == 1 {
                let quoted = format!("\"{part}\"");
                english.push(Piece { said: quoted.clone(), english: quoted, language: self });
            } else {
                translate(part, self, phrases, &mut english);
            }
        }
        english
    }

    fn name(self) -> &'static str {
        match self {
            Language::English | Language::Other => "english",
            Language::German => "german",
            Language::Spanish => "spanish",
            Language::French => "french",
        }
    }
}

/// How much a word says about what the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Nothing: articles, pronouns, politeness, auxiliary verbs.
    Empty,
    /// Nothing alone, but it belongs to a wish beside it: “basic” in “basic auth”.
    Light,
    /// Rules out what follows.
    Negation,
    /// A wish even without other words.
    Full,
}

fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c)
}

fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || ",;:!?¡¿()\"“”„«»".contains(c);
    // The “com” in “example.com” is not a word.
    let words = text.split(ends).map(|word| word.trim_matches('.'));
    words.filter(|word| !word.is_empty() && !word.contains('.'))
}

/// Replaces known phrases, the longest first. Names stay as they are.
fn translate(
    text: &str,
    language: Language,
    phrases: &BTreeMap<&str, &str>,
    english: &mut Vec<Piece>,
) {
    let pieces: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let mut at = 0;
    while at < pieces.len() {
        let longest = (1..=PHRASE_WORDS.min(pieces.len() - at)).rev().find_map(|count| {
            let taken = &pieces[at..at + count];
            // A phrase must not extend past the end of a clause.
            let whole = !taken[..count - 1].iter().any(|piece| ends(piece));
            let phrase = taken.iter().map(|piece| bare(piece)).collect::<Vec<_>>().join(" ");
            let known = whole.then(|| phrases.get(phrase.as_str())).flatten();
            // “Namens und in Vollmacht”: “und” is not a name.
            let empty = |english: &&str| ["and", "or", "but"].contains(english);
            let named = known.filter(|_| is_a_name(&pieces, at));
            known
                .filter(|english| named.is_none() || empty(english))
                .map(|english| (count, *english))
        });
        // “Firewall aus”: at the end of a clause, “aus” says that something is switched off.
        let last = ends(pieces[at]) || at + 1 == pieces.len();
        // “Der Server liefert die Seite aus”: with its verb, it says nothing of its own.
        let off = if is_of_a_verb(&pieces[..at]) { "" } else { "off" };
        let off = Some((1, off)).filter(|_| last && bare(pieces[at]) == "aus");
        let longest = off.filter(|_| language == Language::German).or(longest);
        // “un Kibana à part”: at the end of a clause, it is not an exception.
        let longest = longest.filter(|(count, phrase)| {
            *phrase != "except"
                || *count < 2
                || !(ends(pieces[at + count - 1]) || at + count == pieces.len())
        });
        // “Port 80 und 443 auf”: after a port, “auf” says that it is open.
        let number = at.checked_sub(1).is_some_and(|at| bare(pieces[at]).parse::<u16>().is_ok());
        let opens = language == Language::German && last && number && bare(pieces[at]) == "auf";
        let longest = if opens { Some((1, "open")) } else { longest };
        let (count, translated) = match longest {
            Some((count, phrase)) => {
                let last = pieces[at + count - 1];
                let before = pieces[at].chars().take_while(|c| *c == '(');
                let marks = last.trim_end().chars().rev().take_while(|c| ",.;:!?)".contains(*c));
                let after: String = marks.collect::<Vec<_>>().into_iter().rev().collect();
                (count, format!("{}{phrase}{after} ", before.collect::<String>()))
            }
            // “Port 80 zu”: at the end of a clause, “zu” says that something is closed.
            None if bare(pieces[at]) == "zu" && (ends(pieces[at]) || at + 1 == pieces.len()) => {
                (1, pieces[at].to_lowercase().replace("zu", "closed"))
            }
            None if language == Language::French => (1, without_elision(pieces[at], phrases)),
            None => (1, compound(pieces[at], phrases)),
        };
        let said = pieces[at..at + count].concat();
        english.push(Piece { said, english: translated, language });
        at += count;
    }
}

/// Whether “aus” after these words of a sentence belongs to their verb: “liefert … aus”.
fn is_of_a_verb(before: &[&str]) -> bool {
    const VERBS: &[&str] = &[
        "liefert", "liefern", "gibt", "geben", "spielt", "spielen", "führt", "führen", "reicht",
        "sieht", "sehen",
    ];
    let clause = before.iter().rev().take_while(|piece| !ends(piece));
    clause.map(|piece| bare(piece)).any(|word| VERBS.contains(&word.as_str()))
}

/// “l'API”: the word without its French article, translated if it is known.
fn without_elision(piece: &str, phrases: &BTreeMap<&str, &str>) -> String {
    let whole = || piece.to_string();
    if Language::French.weight(&bare(piece)) == Weight::Empty {
        return whole();
    }
    let elided = ["l'", "d'", "L'", "D'"].iter().find_map(|article| piece.strip_prefix(article));
    let Some(rest) = elided else { return whole() };
    let word = rest.trim_end().trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
    let known = phrases.get(bare(word).as_str()).copied();
    known.map_or(rest.to_string(), |english| format!("{english}{}", &rest[word.len()..]))
}

/// “Postgres-Datenbank”: translates a German noun after a hyphen, and keeps the name before it.
fn compound(piece: &str, phrases: &BTreeMap<&str, &str>) -> String {
    let whole = || piece.to_string();
    let Some((first, last)) = piece.rsplit_once('-') else { return whole() };
    // Nouns are often typed in lower case; the ending of the dative is German.
    let dative = first.chars().all(char::is_alphabetic) && bare(last).ends_with("rn");
    let noun = (last.starts_with(char::is_uppercase) || dative) && !first.contains('.');
    let known = phrases.get(bare(last).as_str()).filter(|_| noun);
    known.map_or_else(whole, |english| {
        let word = last.trim_end().trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
        format!("{first} {english}{}", &last[word.len()..])
    })
}

fn ends(piece: &str) -> bool {
    piece.trim_end().ends_with([',', '.', ';', ':', '!', '?'])
}

fn bare(piece: &str) -> String {
    let marks = |c: char| c.is_whitespace() || ",.;:!?¡¿()„“”«»".contains(c);
    piece.trim_matches(marks).to_lowercase()
}

/// Words in front of a name.
const NAMING: &[&str] = &[
    "namens",
    "genannt",
    "heißt",
    "heisst",
    "nenne",
    "nennt",
    "named",
    "called",
    "llamado",
    "llamada",
    "llamados",
    "llama",
    "llame",
    "llámalo",
    "llámala",
    "llámelo",
    "nommé",
    "nommée",
    "appelé",
    "appelée",
    "s'appelle",
    "appelle",
    "appelle-le",
    "s'appelle-t-il",
    "nommez-le",
];

/// Words after a name at the end of a clause: “soll hallo heißen”.
const NAMED: &[&str] = &["heißen", "heissen", "nennen", "genannt"];

/// Whether a word is a name, which no translation may change.
fn is_a_name(pieces: &[&str], at: usize) -> bool {
    let is = |piece: Option<&&str>, words: &[&str]| {
        piece.is_some_and(|piece| words.contains(&bare(piece).as_str()))
    };
    let before = at.checked_sub(1).and_then(|before| pieces.get(before));
    let after = pieces.get(at + 1);
    let closing = at + 2 >= pieces.len() || after.is_some_and(|piece| ends(piece));
    (is(before, NAMING) && !before.is_some_and(|piece| piece.trim_end().ends_with([',', '.'])))
        || (is(after, NAMED) && closing && !ends(pieces[at]) && !is(before, &["zu"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_is_recognized() {
        for (text, language) in [
            ("I want a VPS with PostgreSQL", Some(Language::English)),
            ("Ich möchte einen VPS mit PostgreSQL", Some(Language::German)),
            ("Je voudrais un VPS avec PostgreSQL", Some(Language::French)),
            ("Vorrei un sito WordPress con backup giornalieri", Some(Language::Other)),
            ("Preciso de um servidor com MySQL, por favor", Some(Language::Other)),
            ("Preciso un servidor con MySQL, por favor", Some(Language::Spanish)),
            ("日本語でお願いします", Some(Language::Other)),
            ("9090", None),
            ("Django-App unter app.example.com", Some(Language::German)),
            ("app django en reservas.example.com", Some(Language::Spanish)),
        ] {
            assert_eq!(Language::of(text, Language::English), language, "{text}");
        }
    }

    #[test]
    fn phrases_become_english_and_names_stay() {
        let english = |language: Language, text: &str| {
            let pieces = language.to_english(text);
            pieces.iter().map(|piece| piece.english.as_str()).collect::<String>().trim().to_string()
        };
        for (language, text, expected) in [
            (
                Language::German,
                "Eine Datenbank namens Bestellungen, Standardwerte bitte",
                "Eine database named Bestellungen, defaults bitte",
            ),
            (
                Language::Spanish,
                "un servicio web que dice \"Hola con todos\"",
                "un web service que dice \"Hola con todos\"",
            ),
            (Language::French, "Oui, d'accord, les valeurs par défaut.", "yes, agreed, defaults."),
            (Language::German, "Firewall aus, Daten aus Köln", "Firewall off, data from Köln"),
            (Language::German, "Ein Dienst namens hallo", "Ein service named hallo"),
            (Language::German, "die Datenbank soll daten heißen", "die database soll daten named"),
            (Language::Spanish, "un servidor llamado correo", "un server named correo"),
            (Language::French, "un serveur nommé disque", "un server named disque"),
        ] {
            assert_eq!(english(language, text), expected);
        }
    }

    #[test]
    fn the_language_stays_the_same_until_another_is_clear() {
        for (text, before, language) in [
            ("mysql, port 3307", Language::English, Some(Language::English)),
            ("s3+cloudfront static site", Language::English, Some(Language::English)),
            ("nein, ein Server in Helsinki", Language::German, Some(Language::German)),
            ("server cx33", Language::Spanish, None),
            ("no, I want two servers", Language::Spanish, Some(Language::English)),
        ] {
            assert_eq!(Language::of(text, before), language, "{text}");
        }
    }
}
