//! Messages in more than one language: each sentence is translated from its own language.

use super::{misspelled, spelled};
use crate::words::language::Language;
use crate::words::{Piece, is_a_title};

/// A sentence with at most this many words is not English in a message in another language.
const FEW_WORDS: usize = 2;

/// The message in English, part by part. A sentence is in the message's language unless it is clearly in another one.
pub fn to_english(message: &str, language: Language) -> Vec<Piece> {
    let message = &spelled::in_full(&misspelled::corrected(&without_markers(message)));
    let message = &with_decimal_points(&without_abbreviations(message));
    let all = sentences(message).into_iter();
    let english = |sentence: &str| match of(sentence, language) {
        Language::French => Language::French.to_english(sentence),
        other => other.to_english(&with_english_units(sentence)),
    };
    all.flat_map(english).collect()
}

/// The message without the signs and the numbers before the lines of a list: “-”, “1)”, “2.”, “3.1”, “§4”.
fn without_markers(message: &str) -> String {
    const BULLETS: &[&str] = &["- ", "* ", "• ", "– "];
    let bare = |line: &str| {
        let start = line.trim_start();
        BULLETS.iter().find_map(|bullet| start.strip_prefix(bullet)).map(str::to_string)
    };
    let numbered = |line: &str| {
        let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line, ""));
        let number = word.trim_start_matches('§').trim_end_matches([')', '.']);
        let short = number.len() <= 4 && number.split('.').all(|part| part.parse::<u8>().is_ok());
        let sign = number.len() < word.len()
            || number.contains('.') && rest.starts_with(char::is_uppercase);
        (short && sign && !rest.is_empty()).then(|| rest.to_string())
    };
    // A single number may be an answer, or a value.
    let several = message.lines().filter(|line| numbered(line).is_some()).count() > 1;
    let lines = message.split_inclusive('\n').enumerate().map(|(at, line)| {
        let item = numbered(line).filter(|_| several).or_else(|| bare(line));
        // What a marker divides stays divided.
        let comma = if at == 0 { "" } else { ", " };
        item.map_or(line.to_string(), |item| format!("{comma}{item}"))
    });
    lines.collect()
}

/// A sentence in another language with French units: “make it 1 Go”.
fn with_english_units(sentence: &str) -> String {
    let mut text = String::new();
    for word in sentence.split_inclusive(char::is_whitespace) {
        let digits = |text: &str| text.trim_end().ends_with(|c: char| c.is_ascii_digit());
        let start = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = start.len() < word.len() || digits(&text);
        let unit = [("Go", "GB"), ("Mo", "MB")].into_iter().find(|(unit, _)| {
            start.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        });
        match unit.filter(|_| numbered) {
            Some((french, english)) => text.push_str(&word.replacen(french, english, 1)),
            None => text.push_str(word),
        }
    }
    text
}

/// Abbreviations whose periods would end sentences, and what they say.
const SHORT: &[(&str, &str)] = &[
    (" ca. ", " circa "),
    ("z. B.", "zum Beispiel"),
    ("z.B.", "zum Beispiel"),
    ("z. b.", "zum Beispiel"),
    ("d. h.", "das heißt"),
    ("u. a.", "unter anderem"),
    ("p. ej.", "por ejemplo"),
    ("p. ex.", "par exemple"),
    ("e.g.", "eg"),
    ("i.e.", "ie"),
];

/// The message without the periods of abbreviations and of titles: “M. Nuremberg”.
fn without_abbreviations(message: &str) -> String {
    let text =
        SHORT.iter().fold(message.to_string(), |text, (short, long)| text.replace(short, long));
    let mut words: Vec<String> = text.split(' ').map(str::to_string).collect();
    for at in 1..words.len() {
        let name = words[at].starts_with(char::is_uppercase);
        let title = words[at - 1].strip_suffix('.').is_some_and(is_a_title);
        if name && title {
            words[at - 1].pop();
        }
    }
    words.join(" ")
}

/// The message with points for decimal commas: “4,50 €” is one number, but “80,443” is two.
fn with_decimal_points(message: &str) -> String {
    const UNITS: &[&str] =
        &["€", "$", "%", "eur", "euro", "gb", "go", "tb", "to", "usd", "dol", "dól"];
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let mut parts = message.split(',').peekable();
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let count = digits(part);
        let rest = part[count..].trim_start().to_lowercase();
        let unit = UNITS.iter().any(|unit| rest.starts_with(unit));
        let decimal =
            text.ends_with(|c: char| c.is_ascii_digit()) && (1..=2).contains(&count) && unit;
        text.push(if decimal { '.' } else { ',' });
        text.push_str(part);
    }
    text
}

/// The language of a message in a conversation that is in the given language until then. A message in two languages
/// does not change it.
pub fn language(message: &str, before: Language) -> Option<Language> {
    let whole = Language::of(message, before)?;
    let keeps = sentences(message).into_iter().any(|sentence| {
        let long = sentence.split_whitespace().count() > FEW_WORDS;
        (long || before != Language::English) && Language::of(sentence, whole) == Some(before)
    });
    Some(if keeps { before } else { whole })
}

fn of(sentence: &str, message: Language) -> Language {
    let few = sentence.split_whitespace().count() <= FEW_WORDS;
    match Language::of(sentence, message) {
        // Names of software are the same in every language, so a few English words show nothing.
        Some(Language::English | Language::Other) if few => message,
        shown => shown.unwrap_or(message),
    }
}

/// The sentences of a message, each with the space after it. A quotation is not divided.
fn sentences(message: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut quoted, mut ended) = (0, false, false);
    for (at, c) in message.char_indices() {
        if c == '"' {
            quoted = !quoted;
        }
        if ended && !c.is_whitespace() {
            sentences.push(&message[start..at]);
            (start, ended) = (at, false);
        }
        let space = message[at + c.len_utf8()..].starts_with(char::is_whitespace);
        ended |= !quoted && (c == '\n' || (".!?".contains(c) && space));
    }
    sentences.push(&message[start..]);
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_divided_into_sentences_outside_quotations() {
        let text = "It says \"Hi. There\". In eu.example.com!  Yes\nNo";
        assert_eq!(
            sentences(text),
            ["It says \"Hi. There\". ", "In eu.example.com!  ", "Yes\n", "No"]
        );
        assert_eq!(sentences("").concat(), "");
        assert_eq!(without_markers("1) a\n2) b\n- 3 nodes"), "a\n, b\n, 3 nodes");
        assert_eq!(without_markers("3.1 Load\n3.2 Stats"), "Load\n, Stats");
        assert_eq!(without_markers("3. please\n8.4 is fine"), "3. please\n8.4 is fine");
        assert_eq!(with_decimal_points("4,50 € a month, 80,443"), "4.50 € a month, 80,443");
    }

    #[test]
    fn each_sentence_is_translated_from_its_language() {
        let text = "Bitte ohne Redis. Please also open port 9443. Mit Sicherungen.";
        let english: String =
            to_english(text, Language::German).iter().map(|piece| piece.english.as_str()).collect();
        assert!(english.contains("without Redis. Please also open port 9443."), "{english}");
    }

    #[test]
    fn a_message_in_two_languages_does_not_change_the_language() {
        let german = Language::German;
        for (text, language) in [
            ("Bitte ohne das Redis. Please also open port 9443.", Some(german)),
            ("Please also open port 9443, and answer in English.", Some(Language::English)),
            ("9443", None),
        ] {
            assert_eq!(super::language(text, german), language, "{text}");
        }
    }
}
