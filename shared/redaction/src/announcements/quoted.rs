//! Finds passwords of several words between quotes: the value of a field, and what stands right behind the word for a
//! password: `"password": "spring rain"`, `use password "green tractor" for the user deploy`.
//!
//! The words are a password if they would be one without quotes.

use super::{Line, NOUNS, PHRASE};
use crate::grammar::{is_tool, is_worded};
use crate::names;
use crate::talk::{Says, says};
use crate::words::{FOR, Role, fold, folded, lists, role};
use std::ops::Range;

/// Signs between the name of a field and its value.
const TIES: [&str; 3] = [":", "=", "=>"];
/// The most quotes of a line that are read.
const QUOTES: usize = 256;
/// Words that announce text for people: what comes after "password" in quotes is a label then.
const LABELS: &str = "error message label title hint placeholder field button page link menu text tab fehler meldung feld seite titel \
     campo error mensaje erreur champ errore messaggio erro mensagem";

/// The values of several words in a line's fields: `{"user": "kim", "password": "spring rain"}`.
pub(super) fn fields(line: &Line) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !line.announces && !line.text.contains("ass") {
        return found;
    }
    for quote in ['"', '\''].into_iter().filter(|quote| line.text.contains(*quote)) {
        let mut name = "";
        let mut parts = line.text.split(quote).take(QUOTES);
        let mut before = parts.next().unwrap_or_default();
        while let (Some(value), Some(after)) = (parts.next(), parts.next()) {
            // Most values end here.
            if !value.contains(' ') {
                (name, before) = (value, after);
                continue;
            }
            let tie = before.trim();
            let own = TIES.iter().find_map(|sign| tie.strip_suffix(sign)).map(str::trim_end);
            let named = own.map(|own| if own.is_empty() { name } else { last(own) });
            let closed = after.trim_start().starts_with([',', '}', ')', ';', ']', '#'])
                || after.trim().is_empty();
            if named.is_some_and(is_noun) && closed && (is_several(value) || is_own(value)) {
                found.push(line.span(value));
            }
            (name, before) = (value, after);
        }
    }
    found
}

/// `use password "green tractor" for the user deploy`
pub(super) fn beside(line: &Line) -> Option<Range<usize>> {
    const OPEN: [char; 5] = ['"', '\'', '„', '“', '«'];
    line.quotes.then_some(())?;
    let (before, rest) = line.text.split_once(OPEN)?;
    let (value, after) = rest.split_once(['"', '\'', '“', '”', '»'])?;
    let value = value.trim();
    let mut words = before.split_whitespace().rev();
    let noun = words.next()?;
    let spoken = before.ends_with(' ')
        && (NOUNS.contains(&noun.to_lowercase().as_str()) || is_noun(noun) || noun == "passe");
    let label = words.next().is_some_and(|word| lists(LABELS, &folded(word)));
    let next = after.split_whitespace().next().unwrap_or_default();
    let ends = after.trim_start().is_empty()
        || after.starts_with([',', '.', ';', ')'])
        || FOR.contains(&next);
    let named = after.split_whitespace().any(|word| lists(LABELS, &folded(word)));
    (spoken && !label && ends && !named && is_several(value)).then(|| line.span(value))
}

/// The last word of a text: the name of a field in YAML or an assignment.
fn last(text: &str) -> &str {
    text.rsplit([' ', ',', '{', '(']).next().unwrap_or_default()
}

/// `password`, `db_password`, `adminPass`
fn is_noun(name: &str) -> bool {
    let mut lower = String::new();
    fold(&name[names::last_part(name)..], &mut lower);
    role(&lower) == Some(Role::Password) || lower == "pass"
}

/// Whether a field's value of two or three words is more than a text about passwords: "spring time", "my dear dog". The
/// quotes already say where it ends, so only its words count.
fn is_own(value: &str) -> bool {
    const OWNERS: &str = "my our mein meine mi mon ma mio mia meu minha";
    let lower = value.to_lowercase();
    let rest = lower.split_once(' ').filter(|(first, _)| lists(OWNERS, first));
    let words: Vec<_> = rest.map_or(lower.as_str(), |(_, rest)| rest).split(' ').collect();
    let own = |word: &&str| says(word).is_none() && !is_tool(word);
    let plain = |word: &&str| {
        word.chars().all(char::is_alphabetic)
            && role(&folded(word)).is_none()
            && matches!(says(word), None | Some(Says::About | Says::Describes))
    };
    let told = words.iter().filter(|word| !own(word)).count();
    (2..=3).contains(&lower.split(' ').count())
        && words.iter().all(plain)
        && words.first().is_some_and(own)
        && told <= usize::from(rest.is_none())
}

/// Whether a text has several words that can be a password.
fn is_several(value: &str) -> bool {
    value.len() <= PHRASE.0 && value.contains(' ') && is_worded(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn several_words_in_quotes_are_the_value_of_a_field() {
        seals(&[
            ("{\"user\":\"admin\",\"password\":\"spring rain\"}", &["spring rain"]),
            ("{\"db_password\": \"my dear dog\", \"port\": 5432}", &["my dear dog"]),
            ("  adminPass: \"winter sun\"", &["winter sun"]),
            ("'password' => 'purple cow',", &["purple cow"]),
            ("{\"password\": \"spring time\"}", &["spring time"]),
        ]);
        for text in [
            "{\"password\": \"Enter your password\"}",
            "{\"password\": \"too short\", \"user\": \"not found\"}",
            "{\"passwordHint\": \"spring rain\"}",
            "{\"password\": \"Login name\", \"title\": \"Sign in\"}",
            "{\"password\": \"Passwort vergessen\"}",
            "password: \"my account\"",
            "password: \"{{ vault password }}\"",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn several_words_in_quotes_follow_the_word_for_a_password() {
        seals(&[
            ("use password \"green tractor\" for user deploy", &["green tractor"]),
            ("Passwort „grüner Traktor“ für Benutzer deploy", &["grüner Traktor"]),
            ("mot de passe « lune rousse » pour deploy", &["lune rousse"]),
            ("contraseña \"luna llena\" para el usuario deploy", &["luna llena"]),
            ("create user deploy with password 'green tractor'", &["green tractor"]),
        ]);
        for text in [
            "rename the field password \"secret word\" for the form",
            "it says password \"not set\" for user deploy",
            "the label password \"magic word\" for the login page",
            "the password 'expires soon' for user deploy",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
