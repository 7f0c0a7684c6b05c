//! Recognizes sentences in which a word for a secret has another meaning, and adverbs where a value could stand.

use super::{Place, announces};
use crate::identifiers::is_service;
use crate::names::is_opened;
use crate::talk::{Says, says};
use crate::words::{Role, folded, lists, role};

/// Whether a value is part of such a sentence.
pub(super) fn is_speech(place: &Place<'_>) -> bool {
    is_adverb(place) || is_passed_on(place) || is_recipe(place) || is_task(place) || is_event(place)
}

/// "use an app password instead of your own", "MySQL-Passwörter zurücksetzen": what to do with passwords.
fn is_task(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let replaced = value == "instead" && after.starts_with(" of ");
    let plural = || {
        let noun = place.last().to_lowercase();
        noun.ends_with("passwörter") || noun.ends_with("kennwörter")
    };
    let verb = value.chars().all(char::is_lowercase) && value.ends_with("en");
    replaced || (verb && before.ends_with(' ') && plural())
}

/// "alarm code 5031 was raised by the ups": a number that a device reported.
fn is_event(place: &Place<'_>) -> bool {
    const EVENTS: [&str; 8] = [
        "was raised",
        "was triggered",
        "was reported",
        "was returned",
        "was logged",
        "was cleared",
        "occurred",
        "means",
    ];
    let rest = place.after.strip_prefix(' ').unwrap_or_default();
    place.value.bytes().all(|b| b.is_ascii_digit())
        && place.last().eq_ignore_ascii_case("code")
        && EVENTS.iter().any(|event| rest.starts_with(event))
}

/// Whether a text has only letters, and spaces between them.
fn is_words(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || c == ' ')
}

/// "the password is finally working": an adverb, and right behind it how the password is.
fn is_adverb(place: &Place<'_>) -> bool {
    /// What is left of an adjective before "ly", which "butterfly" and "lily" lack, and the Romance ending.
    const ENDS: [&str; 14] = [
        "ally", "ously", "ately", "ably", "ibly", "ently", "antly", "fully", "ively", "edly",
        "ingly", "htly", "itely", "mente",
    ];
    const LEAST_BYTES: usize = 7;
    /// "la contraseña tampoco funciona"
    const ALSO: &str = "tampoco también tambem também aussi neither either";
    let Place { value, after, .. } = *place;
    let (adverb, state) = match value.split_once(' ') {
        Some((adverb, state)) => (adverb, state),
        None => (value, after.strip_prefix(' ').unwrap_or_default()),
    };
    let state = state.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let state_of = || {
        matches!(says(state), Some(Says::Describes | Says::Parts))
            || ["ing", "ed"].iter().any(|end| state.ends_with(end))
            || matches!(state, "ok" | "okay" | "giusta" | "esatta" | "certa")
    };
    if adverb.starts_with(['t', 'a', 'n', 'e']) && lists(ALSO, adverb) && !state.is_empty() {
        return true;
    }
    adverb.len() >= LEAST_BYTES
        && adverb.chars().all(char::is_lowercase)
        && ENDS.iter().any(|end| adverb.ends_with(end))
        && state_of()
}

/// "please pass it on to Bernd!!": "pass" with an object is a verb.
fn is_passed_on(place: &Place<'_>) -> bool {
    const OBJECTS: &str = "it this that these those them him her me us on along over";
    let Place { value, before, .. } = *place;
    let name = value.trim_end_matches('!');
    // Most finds end here.
    if !before.contains("ass ") || before.ends_with([':', '=', '"', '\'']) || !is_words(name) {
        return false;
    }
    let lower = before.to_lowercase();
    let mut words = lower.split_whitespace();
    let verb = words.by_ref().any(|word| word == "pass");
    verb && words.next().is_some_and(|word| lists(OBJECTS, word)) && !announces(&lower)
}

/// "the secret to fast builds is layer caching": what leads to something, and not what opens a thing.
fn is_recipe(place: &Place<'_>) -> bool {
    const NOUNS: &str = "secret key";
    const OWNERS: &str = "the this that my our your his her their its";
    /// The most words of an aim.
    const WORDS: usize = 6;
    let Place { value, before, .. } = *place;
    let Some(clause) = before.trim_end().strip_suffix(" is").filter(|_| is_words(value)) else {
        return false;
    };
    let Some((before, aim)) = clause.rsplit_once(" to ") else { return false };
    let thing = |word: &str| {
        let word = folded(word);
        let known = role(&word);
        is_service(&word)
            || is_opened(&word)
            || matches!(known, Some(Role::Subject | Role::Network | Role::Qualifier | Role::Login))
    };
    let noun = before.rsplit(' ').next().unwrap_or_default();
    lists(NOUNS, &noun.to_lowercase())
        && aim.split(' ').count() <= WORDS
        && is_words(aim)
        && !aim.split(' ').next().is_some_and(|first| lists(OWNERS, first))
        && !aim.split(' ').any(thing)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn tasks_and_events_stay() {
        for text in [
            "you have to use an app password instead of your regular password",
            "## MySQL-Passwörter zurücksetzen\n\nStoppen Sie den Stack",
            "alarm code 5031 was raised by the ups",
            "error code 4471 occurred on the panel",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the alarm code 5031 was changed to 7714", &["5031", "7714"]),
            ("die Passwörter: walnussen", &["walnussen"]),
            ("the password: instead", &["instead"]),
        ]);
    }

    #[test]
    fn adverbs_and_other_meanings_of_words_for_secrets_stay() {
        for text in [
            "the password is finally working!!",
            "the password is slightly different",
            "the password is finally ok",
            "la password è finalmente giusta",
            "please pass it on to Bernd!!",
            "the secret to fast builds is layer caching",
            "the key to happy customers is fast pages",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password is butterfly", &["butterfly"]),
            ("the password is dragonfly, working again", &["dragonfly"]),
            ("the pass is Bernd!!", &["Bernd"]),
            ("the key to the database is blue elephant", &["elephant"]),
            ("the secret to grafana is blue elephant", &["elephant"]),
        ]);
    }
}
