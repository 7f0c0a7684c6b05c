//! Finds passwords in quotes: a text in a sentence about signing in, a passphrase after its label, or one that a password
//! was set to.

use super::{ALONE_BYTES, COMPARED_BYTES, Line, NOUNS, PHRASE, fits, is_made_up};
use crate::lexicon::is_to;
use crate::words::lists;
use std::ops::Range;

/// Words that speak of signing in.
pub(super) const LOGINS: [&str; 12] = [
    "login",
    "log in",
    "anmeld",
    "einlogg",
    "sign in",
    "zugang",
    "acceder",
    "iniciar sesión",
    "connecter",
    "accesso",
    "inloggen",
    "entrar",
];

/// The first quoted text of a line, and what comes before and after it, without an apostrophe for a quote.
pub(super) fn first(text: &str) -> Option<(&str, &str, &str)> {
    let apostrophe = |at: usize| text[..at].ends_with(char::is_alphanumeric);
    let mut signs = text.match_indices(['"', '„', '“', '«', '\'']);
    let open = signs.find(|(at, sign)| *sign != "'" || !apostrophe(*at))?.0;
    let (before, rest) = text.split_at(open);
    let quote = rest.chars().next()?;
    let closes = match quote {
        '„' => ['“', '”'],
        '“' => ['”', '“'],
        '«' => ['»', '»'],
        other => [other, other],
    };
    let inner = &rest[quote.len_utf8()..];
    let (value, after) = inner.split_at(inner.find(closes)?);
    Some((before, value, after.trim_start_matches(closes)))
}

/// A made-up text in quotes in a sentence about signing in, and a passphrase in quotes right after its label.
pub(super) fn login(line: &Line) -> Option<Range<usize>> {
    let (before, value, _) = first(line.text)?;
    if !value.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let before = before.trim_end().to_lowercase();
    let spoken = || {
        let near =
            |noun: &&str| before.rfind(noun).is_some_and(|at| before.len() - at < noun.len() + 24);
        line.speaks && NOUNS.iter().any(near)
    };
    let verb = [" is", "'s", " ist", " es", " est", " è", ":", "=", " lautet", " é"];
    if value.contains(' ') {
        let told = verb.iter().any(|verb| before.ends_with(verb)) && spoken();
        let words = value.split(' ').count();
        let phrase = (2..=PHRASE.1 + 2).contains(&words) && value.len() <= PHRASE.0;
        return (told && phrase && !value.contains(['{', '$', '<'])).then(|| line.span(value));
    }
    // "sign in with", "el login con": what stands in quotes behind another word is a place or a user.
    let with = ["with", "mit", "con", "avec", "met", "com", "using", "per"];
    let last = before.rsplit(' ').next().unwrap_or_default();
    let login = with.contains(&last) && LOGINS.iter().any(|word| before.contains(word));
    let strong =
        value.len() >= ALONE_BYTES && is_made_up(value) && !value.contains(['/', '=', ',']);
    (login && strong && fits(value)).then(|| line.span(value))
}

/// Words between the word for a password and the quotes if something else is set.
const ABOUT: &str = "policy field rule rules hint page prompt length expiry manager hash placeholder label title richtlinie feld \
     regel hinweis seite campo regla champ veld";
/// Words of a text that says something about passwords, or to somebody who types one.
const TOLD: &str = "characters zeichen caracteres caractères caratteri tekens znaków least letters digits expires expired invalid \
     wrong incorrect try again please enter error falsch ungültig versuch erneut inválida incorrecta oublié read only never";
/// How far before the quotes the word for a password may be, in words.
const NOUN_WORDS: usize = 3;
/// The most words of a passphrase with a digit or a sign.
const SET_WORDS: std::ops::RangeInclusive<usize> = 3..=8;
/// Stems of verbs that set a password.
const SETS: [&str; 24] = [
    "set", "chang", "updat", "reset", "made", "geänder", "änder", "gesetz", "setz", "gestellt",
    "puest", "pongo", "cambi", "mis ", "chang", "défini", "impost", "mess", "alter", "mude",
    "coloq", "gezet", "wijzig", "zmieni",
];

/// `I set the password to "my umbrella rabbit 40!" but …`: words with a digit or an exclamation in it are a passphrase,
/// whatever they say.
pub(super) fn set(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let (before, value, _) = first(line.text)?;
    let value = value.trim();
    let before = before.to_lowercase();
    let mut words = before.split_whitespace().rev().peekable();
    let to = words.next_if(|word| is_to(word) || matches!(*word, "as" | "als" | "=" | ":"));
    let near: Vec<_> = words.take(NOUN_WORDS + usize::from(to.is_some())).collect();
    let is_noun = |word: &&str| {
        let word = word.trim_end_matches(':').rsplit('-').next().unwrap_or_default();
        NOUNS.contains(&word) || matches!(word, "pw" | "pwd" | "mdp" | "passe")
    };
    let at = near.iter().position(is_noun)?;
    let about = near[..at].iter().any(|word| lists(ABOUT, word));
    let direct = to.is_some() || at == 0;
    let sets = SETS.iter().any(|stem| line.lower.contains(stem));
    let words = value.split(' ').filter(|word| !word.is_empty());
    let told = words.clone().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        lists(TOLD, &word) || NOUNS.contains(&word.as_str())
    });
    let odd = value.ends_with('!') || value.contains(|c: char| c.is_ascii_digit());
    let phrase = SET_WORDS.contains(&words.count()) && value.len() <= PHRASE.0 && odd;
    let plain = !value.contains(['{', '$', '<', ',', '/', '=']);
    (direct && !about && sets && phrase && plain && !told).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn words_that_a_password_was_set_to_are_one() {
        seals(&[
            (
                "I set the password to \"my purple window 31!\" but it is refused",
                &["purple", "31!"],
            ),
            ("das Passwort habe ich auf „mein blauer Hut 31!“ gesetzt", &["blauer", "31!"]),
            ("he puesto la contraseña \"mi gato verde 31!\" pero no va", &["gato", "31!"]),
            ("we changed the root password to 'what a nice garden!'", &["nice garden"]),
        ]);
        for text in [
            "I set the password policy to \"at least 12 characters!\"",
            "I set the password and got \"please try again 2 times!\"",
            "I set the password to \"never expires\"",
            "set the password field to \"read only 2!\"",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
