//! What the page says: the text in quotation marks, or the words after “greeting” and the like up to the clause's end.

use crate::catalogue::parameters::Found;
use crate::words::{Words, is_negation};

/// Maximum length of the greeting, in characters.
const CHARS: usize = 120;

/// Accepts words and plain punctuation, because the greeting goes into JSON, Markdown and a shell script.
pub fn accept(text: &str) -> Option<String> {
    let text = text.trim();
    let good = |character: char| character.is_alphanumeric() || " .,!?'-()/+:".contains(character);
    let fits = !text.is_empty() && text.chars().count() <= CHARS;
    (fits && text.chars().all(good)).then(|| text.to_string())
}

/// Words next to a quotation that is what the page says.
const CUES: &[&str] = &[
    "saying",
    "says",
    "say",
    "greeting",
    "greets",
    "message",
    "shows",
    "show",
    "displays",
    "reads",
    "sagt",
    "zeigt",
    "anzeigt",
    "begrüßung",
    "gruß",
    "begrüßt",
    "dit",
    "dise",
    "disant",
    "affiche",
    "accueil",
    "saludo",
    "diga",
    "dice",
    "muestra",
    "muestre",
    "mensaje",
];

/// Those after which the text may also come without quotation marks.
const NAMES: &[&str] = &["greeting", "begrüßung", "gruß", "accueil", "saludo", "bienvenida"];
const SAYING: &[&str] = &["saying", "says", "say", "sagt", "dit", "dise", "disant", "diga", "dice"];

/// What says it: other people and documents say things, too.
const SPEAKERS: &[&str] = &[
    "page", "site", "website", "service", "it", "that", "which", "should", "must", "seite",
    "dienst", "die", "der", "das", "qui", "service", "doit", "que", "página", "pagina", "servicio",
    "just", "only",
];

/// Words between a name and the text.
const BETWEEN: &[&str] = &[
    "text",
    "message",
    "line",
    "is",
    "be",
    "should",
    "of",
    "as",
    "to",
    "ist",
    "soll",
    "lautet",
    "lauten",
    "sein",
    "est",
    "doit",
    "être",
    "sera",
    "es",
    "sea",
    "será",
    "debe",
    "ser",
    "de",
    "d'accueil",
    "the",
    "page",
    "page's",
    "with",
    "=",
];

/// Words that may be part of the text or begin another wish.
const JOINTS: &[&str] = &[
    "and", "with", "on", "at", "in", "inside", "but", "und", "mit", "auf", "aber", "et", "avec",
    "sur", "mais", "y", "con", "en", "pero", "for", "für", "pour", "para",
];

const QUOTES: &[(char, char)] =
    &[('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’'), ('`', '`')];

pub fn find(words: &Words) -> Found {
    let text = words.text();
    match CUES.iter().find_map(|cue| words.quoted_after(cue)).or_else(|| quoted_near_cue(text)) {
        Some(quoted) => accept(quoted).map_or_else(
            || {
                Found::Refused(
                    "The greeting may hold letters, digits and plain punctuation.".into(),
                )
            },
            Found::Value,
        ),
        None => unquoted(text),
    }
}

/// The quotation at most two words after a cue, or right before one: “eine Seite, die „Hallo“ sagt”.
fn quoted_near_cue(text: &str) -> Option<&str> {
    quotations(text).find_map(|(start, inside, end)| {
        let before = text[..start].split_whitespace().rev().take(3);
        let after = text[end..].split_whitespace().take(1);
        before.chain(after).any(|word| CUES.contains(&plain(word).as_str())).then_some(inside)
    })
}

/// Each quotation: where it begins, what it says, and where it ends.
fn quotations(text: &str) -> impl Iterator<Item = (usize, &str, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let (start, opening) =
            rest.char_indices().find(|(_, c)| QUOTES.iter().any(|(o, _)| o == c))?;
        let closing = QUOTES.iter().find(|(o, _)| *o == opening)?.1;
        let inside = at + start + opening.len_utf8();
        let length = text[inside..].find(closing)?;
        let found =
            (at + start, &text[inside..inside + length], inside + length + closing.len_utf8());
        at = found.2;
        Some(found)
    })
}

/// The words after a cue up to the end of the clause, if it is clear that they are the text and where it ends.
fn unquoted(text: &str) -> Found {
    let spoken: Vec<&str> = text.split_whitespace().collect();
    for at in 0..spoken.len() {
        let cue = plain(spoken[at]);
        let before = at.checked_sub(1).map(|before| plain(spoken[before])).unwrap_or_default();
        let named = NAMES.contains(&cue.as_str()) && !is_negation(&before);
        let said = SAYING.contains(&cue.as_str()) && SPEAKERS.contains(&before.as_str());
        // “greeting, please”
        if !(named || said) || spoken[at].ends_with([',', '.', ';', '?', '!']) {
            continue;
        }
        let skipped = spoken[at + 1..].iter().take_while(|word| is_between(word));
        let rest = &spoken[at + 1 + if named { skipped.count() } else { 0 }..];
        let clause = clause(rest);
        let Some(first) = clause.first() else { continue };
        let joined = JOINTS.contains(&plain(first).as_str());
        // A sentence goes on in lower case: “a greeting for our customers”, “it says that …”.
        if !first.starts_with(char::is_uppercase) && (joined || said) && !spoken[at].ends_with(':')
        {
            continue;
        }
        let unclear = clause.iter().any(|word| JOINTS.contains(&plain(word).as_str()));
        let whole = clause.join(" ");
        let greeting = accept(whole.trim_end_matches(['.', ',', ';', ':']));
        return match greeting {
            Some(greeting) if !unclear && first.starts_with(char::is_uppercase) => {
                Found::Value(greeting)
            }
            _ => Found::Refused(
                "Put what the page says into quotation marks: I cannot tell where it ends.".into(),
            ),
        };
    }
    Found::Nothing
}

/// Whether a word only leads to the text: “is”, or a separate colon, as in French.
fn is_between(word: &str) -> bool {
    let word = plain(word);
    word.is_empty() || BETWEEN.contains(&word.as_str())
}

/// The words up to the first one that ends a clause.
fn clause<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let end = words.iter().position(|word| word.ends_with([',', '.', ';', '!', '?', ')']));
    &words[..end.map_or(words.len(), |end| end + 1)]
}

/// A word in lower case, without the punctuation around it and without an elided article: “d'accueil”.
fn plain(word: &str) -> String {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '=').to_lowercase();
    match word.split_once(['\'', '’']) {
        Some(("d" | "l" | "qu", rest)) => rest.to_string(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(message: &str) -> Found {
        find(&Words::of(message))
    }

    #[test]
    fn a_quotation_near_a_cue_is_what_the_page_says() {
        for message in [
            "a page that says \"Welcome, all!\"",
            "eine Seite, die „Welcome, all!“ sagt",
            "une page qui affiche « Welcome, all! »",
            "una página que diga “Welcome, all!”",
            "the greeting should be “Welcome, all!” and the port 9000",
        ] {
            assert_eq!(said(message), Found::Value("Welcome, all!".into()), "{message}");
        }
        assert_eq!(said("call it \"shop\" on port 9000"), Found::Nothing);
        assert!(matches!(said("it says \"$(id)\""), Found::Refused(_)));
    }

    #[test]
    fn words_after_a_cue_are_what_the_page_says_up_to_the_clauses_end() {
        for message in [
            "a service called shop, greeting Hello customers, inside the sandbox",
            "port 9000, greeting: Hello customers",
            "The greeting should be Hello customers.",
            "a page that says Hello customers",
            "Begrüßung: Hello customers, Port 9000",
            "el saludo es Hello customers, puerto 9000",
            "message d'accueil : Hello customers, port 9000",
        ] {
            assert_eq!(said(message), Found::Value("Hello customers".into()), "{message}");
        }
    }

    #[test]
    fn a_text_of_unclear_length_needs_quotation_marks() {
        for message in [
            "greeting Hello from the shop and port 9000",
            "a page that says Welcome on port 9000",
            "greeting hello there",
            "greeting: Hi & bye",
        ] {
            assert!(matches!(said(message), Found::Refused(_)), "{message}");
        }
        assert_eq!(
            said("greeting Hello from the shop"),
            Found::Value("Hello from the shop".into())
        );
    }

    #[test]
    fn other_talk_of_saying_and_greeting_sets_nothing() {
        for message in [
            "my boss says It must be cheap",
            "a friendly greeting",
            "no greeting Please",
            "a greeting for our customers",
            "the page says that it is up",
            "Greetings from Berlin",
            "show me the plan",
        ] {
            assert_eq!(said(message), Found::Nothing, "{message}");
        }
    }
}
