//! Names in a message, whose words ask for nothing: the “Kafka” of a company that is called “Kafka & Sons”.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{BREAK, Words};

/// Words before a name; the translation keeps some of other languages.
const NAMING: &[&str] = &[
    "named",
    "called",
    "name",
    "names",
    "titled",
    "brand",
    "namens",
    "heißt",
    "heisst",
    "llama",
    "llamado",
    "llamada",
    "llame",
    "nombre",
    "s'appelle",
    "appelle",
    "appelé",
    "appelée",
    "nommé",
    "nommée",
    "nom",
    "marca",
    "marque",
    "firma",
];

/// Words between one of them and the name.
const FILLERS: &[&str] = &[
    "is", "be", "should", "the", "it", "ist", "sein", "soll", "es", "est", "sera", "será", "sea",
    "doit", "être", "of", "de",
];

/// Words before one of them with which the name is that of a product: “something called Kubernetes”.
const PRODUCTS: &[&str] = &[
    "something",
    "thing",
    "things",
    "tool",
    "software",
    "program",
    "package",
    "etwas",
    "was",
    "werkzeug",
    "programm",
    "algo",
    "herramienta",
    "programa",
    "cosa",
    "chose",
    "outil",
    "logiciel",
    "programme",
];
const PRODUCT_REACH: usize = 3;

/// A quotation with more words is a sentence.
const NAME_WORDS: usize = 4;

/// A longer quotation is not turned down by one word.
const TURNED_DOWN_WORDS: usize = 8;

/// Titles before a person's name. Except for [`SMALL_TITLES`], they begin with a capital as the name does.
const TITLES: &[&str] = &[
    "m", "mme", "mlle", "mr", "mrs", "ms", "dr", "hr", "fr", "herr", "herrn", "frau", "sr", "sra",
    "señor", "señora", "monsieur", "madame", "cllr",
];

const SMALL_TITLES: &[&str] = &["señor", "señora"];

/// The lower-case word without the punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'")
}

/// Whether a word, as typed, is the title before a person's name: “M”, “Frau”. “2 m Berlin” and “250 ms Redis” have none.
pub fn is_a_title(word: &str) -> bool {
    let title = bare(word);
    let capital = word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
    TITLES.contains(&title.as_str()) && (capital || SMALL_TITLES.contains(&title.as_str()))
}

/// Phrases by which people say who they are, before a first and a last name.
const INTRODUCING: &[&str] = &[
    "i am",
    "i'm",
    "name is",
    "ich bin",
    "name ist",
    "soy",
    "llamo",
    "nombre es",
    "je suis",
    "m'appelle",
];

/// Words at the end of a letter, before the same.
const CLOSING: &[&str] = &[
    "regards",
    "thanks",
    "cheers",
    "sincerely",
    "gruß",
    "grüße",
    "grüßen",
    "danke",
    "saludos",
    "gracias",
    "atentamente",
    "cordialement",
    "merci",
];

/// The names of people in a text, in lower case, each with the title or the first name before it.
pub(super) fn people(text: &str) -> BTreeSet<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| {
        let name = pair[1].chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
        let closed = pair[0].ends_with([',', ';', ':', '!', '?']);
        name && !closed && is_a_title(pair[0])
    });
    let pairs = pairs.map(|pair| (bare(pair[0]), bare(pair[1])));
    pairs.chain(full_names(&words)).collect()
}

/// The first and last names of people who say who they are: “I'm Anna Berlin”, “Regards, Anna Berlin”.
fn full_names(words: &[&str]) -> impl Iterator<Item = (String, String)> {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let introduced = move |at: usize| {
        let before = |n: usize| at.checked_sub(n).map_or(String::new(), |at| bare(words[at]));
        let closes = at + 2 == words.len() && CLOSING.contains(&before(1).as_str());
        let phrases = [before(1), format!("{} {}", before(2), before(1))];
        closes || phrases.iter().any(|phrase| INTRODUCING.contains(&phrase.as_str()))
    };
    let names = words.windows(2).enumerate();
    let names =
        names.filter(move |(at, pair)| pair.iter().all(|word| capital(word)) && introduced(*at));
    names.map(|(_, pair)| (bare(pair[0]), bare(pair[1])))
}

impl Words {
    /// Takes names out of the phrases, so that they ask for nothing. They stay among the values.
    pub(super) fn forget_names(&mut self, people: &BTreeSet<(String, String)>) {
        let mut names: BTreeSet<usize> = self.names().into_iter().flatten().collect();
        let person = |at: &usize| {
            let said = |at: usize| self.said(at).0.to_string();
            people.contains(&(said(at - 1), said(*at)))
        };
        names.extend((1..self.values.len()).filter(|at| !people.is_empty() && person(at)));
        if names.is_empty() {
            return;
        }
        let plain = std::mem::take(&mut self.plain).into_iter();
        let origins = std::mem::take(&mut self.origins);
        for (word, origin) in plain.zip(origins) {
            if word == BREAK || !names.contains(&origin) {
                self.plain.push(word);
                self.origins.push(origin);
            }
        }
    }

    /// Whether a value is the first one in parentheses.
    pub fn opens_parentheses(&self, at: usize) -> bool {
        let value = self.values.get(at).map_or("", String::as_str);
        self.text.to_lowercase().contains(&format!("({value}"))
    }

    /// The message without the quotations that it turns down, and these: “He says, ‘take Veeam’, but no.”
    pub fn without_turned_down(self) -> (Words, Vec<String>) {
        const JOINING: &[&str] = &["but", "pero", "aber", "mais"];
        const NO: &[&str] = &["no", "nope", "nein", "nö", "non", "never", "nunca", "jamais"];
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        let mut texts = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let quotation = self.quotation(at);
            let end = self.end_of_quotation(at);
            if quotation.is_some()
                && (2..=TURNED_DOWN_WORDS).contains(&(end - at))
                && !self.is_named(at)
            {
                let answer = if end < self.values.len() { self.clause(end) } else { end..end };
                let said: Vec<&str> =
                    self.values[end..answer.end].iter().map(String::as_str).collect();
                let no = match said.as_slice() {
                    [no] => NO.contains(no),
                    [but, no] => JOINING.contains(but) && NO.contains(no),
                    _ => false,
                };
                if no {
                    texts.push(self.said_in(at..end));
                    gone.extend(at..answer.end);
                }
            }
            at = end;
        }
        if gone.is_empty() { (self, texts) } else { (self.without(&gone), texts) }
    }

    /// Where the quotation at this position ends, or the word if none does.
    fn end_of_quotation(&self, at: usize) -> usize {
        let quotation = self.quotation(at);
        let same = |next: &usize| quotation.is_some() && self.quotation(*next) == quotation;
        (at + 1..self.values.len()).take_while(same).last().map_or(at + 1, |at| at + 1)
    }

    /// The names, as positions of values: short quotations and words with hyphens after a naming word.
    fn names(&self) -> Vec<Range<usize>> {
        let mut names = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let quotation = self.quotation(at);
            let end = self.end_of_quotation(at);
            let whole = match quotation {
                Some(_) => end - at <= NAME_WORDS,
                None => self.values[at].contains('-') && !self.values[at].contains(['.', '/']),
            };
            if whole && self.is_named(at) {
                names.push(at..end);
            }
            at = end;
        }
        names
    }

    /// Whether a naming word is right before the value, and not that of a product.
    fn is_named(&self, at: usize) -> bool {
        let value = |at: usize| self.values[at].as_str();
        let named = (0..at).rev().find(|before| !FILLERS.contains(&value(*before)));
        let Some(named) = named.filter(|named| NAMING.contains(&value(*named))) else {
            return false;
        };
        let before = named.saturating_sub(PRODUCT_REACH)..named;
        !before.into_iter().any(|at| PRODUCTS.contains(&value(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_may_be_turned_down() {
        let (words, gone) =
            Words::of("he says \"take veeam\", but no. a vps").without_turned_down();
        assert_eq!(gone, ["take veeam"]);
        assert!(words.means("vps") && !words.has("veeam"));
        for text in ["he says \"take veeam\", but no swap", "a db \"veeam\". no"] {
            assert_eq!(Words::of(text).without_turned_down().1, [""; 0], "{text}");
        }
    }

    #[test]
    fn people_say_who_they_are() {
        let names = |text: &str| people(text).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        for text in [
            "for Mr. Berlin",
            "I'm Anna Berlin, hello",
            "soy Ana Berlin.",
            "A server.\nRegards,\nAnna Berlin",
            "je suis Anne Berlin",
        ] {
            assert_eq!(names(text), ["berlin"], "{text}");
        }
        for text in ["a server in Berlin", "Thanks, Berlin is fine", "I am in Berlin", "2 m Berlin"]
        {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_name_asks_for_nothing() {
        for text in [
            "an app called \"Redis Cola\"",
            "a startup (name: \"Kafka & Redis\")",
            "the app is called redis-cola",
            "for shop-redis.example.com",
            "es se llama «Redis verde»",
        ] {
            assert!(!Words::of(text).has("redis"), "{text}");
        }
        for text in [
            "something called \"Redis\"",
            "the boss says \"take redis\"",
            "a tool called redis",
            "a server named web with redis",
        ] {
            assert!(Words::of(text).has("redis"), "{text}");
        }
    }
}
