//! Recognizes texts that a program shows: the words for a password in a translation, and how long one has to be.

use super::Place;
use crate::words::{Role, folded, lists, role};

/// The most words of such a text.
const WORDS: usize = 16;
/// Words beside the word for a password: of a label, a button, or a message.
const BESIDE: &str = "new old current your the a repeat confirm enter forgot change show hide choose neues neue altes aktuelles ihr das dein ein wiederholen \
     bestätigen eingeben vergessen ändern anzeigen wählen nueva nuevo antigua actual su la tu una repita repetir confirmar confirme introduzca \
     introduce olvidó cambiar mostrar nouveau ancien actuel votre le un mot de passe répétez répéter confirmer confirmez entrez saisissez \
     oublié changer afficher nuova password";
/// Words of a sentence about the length of a password.
const AMOUNTS: &str = "characters character letters digits zeichen buchstaben ziffern stellen caracteres letras dígitos caractères lettres chiffres \
     caratteri tekens znaków";
const LEAST: &str = "at least minimum min most maximum max between mindestens höchstens wenigstens maximal zwischen mínimo máximo al menos como entre au \
     moins maximum plus minimo almeno minstens minimaal";

/// Whether a value is such a text, alone in its field.
pub(super) fn is_label(place: &Place<'_>) -> bool {
    if is_serial(place) || is_selector(place) {
        return true;
    }
    let (before, after) = (place.before, place.after.trim_start());
    let quoted = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
    let field = before.trim_end_matches(['"', '\'', ' ']);
    let alone = after.is_empty() && field.ends_with(['=', ':']);
    if !(quoted && field.ends_with([':', '=', '>', ',', '(']) || alone) {
        return is_part(place);
    }
    is_noun(place.value) || is_requirement(place.value)
}

/// `n° de série 2N26ETQ0N2`, `S/N: …`: what a device bears.
fn is_serial(place: &Place<'_>) -> bool {
    const NAMES: &str =
        "série serie serial seriennummer serienummer s/n sn seriale seriennr serial-no";
    const BETWEEN: [&str; 10] = ["number", "no", "nr", "n°", "nº", "is", "ist", "es", "est", "num"];
    let Place { value, before, .. } = *place;
    let plain = value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let sign = |c: char| ":.,#()\"'".contains(c);
    let words = before.split_whitespace().rev().map(|word| word.trim_matches(sign).to_lowercase());
    let mut named = words.skip_while(|word| word.is_empty() || BETWEEN.contains(&word.as_str()));
    plain && named.next().is_some_and(|word| lists(NAMES, &word))
}

/// "DKIM-Selector ist velomax2038": the name of a record.
fn is_selector(place: &Place<'_>) -> bool {
    let sign = |c: char| ":=\"'`".contains(c);
    let mut words = place.before.split_whitespace().rev().map(|word| word.trim_matches(sign));
    let last = words.find(|word| !word.is_empty() && !super::IS.contains(word));
    let last = last.unwrap_or_default().to_lowercase();
    ["selector", "selektor", "sélecteur", "selettore"].iter().any(|name| last.ends_with(name))
}

/// A word of such a text, if only a part of it was found.
fn is_part(place: &Place<'_>) -> bool {
    const SIGNS: [char; 4] = ['"', '\'', '=', ':'];
    let Place { value, before, after, .. } = *place;
    if !value.chars().all(char::is_alphabetic) {
        return false;
    }
    let start = before.rfind(SIGNS).map_or(0, |at| at + 1);
    let end = after.find(['"', '\'']).unwrap_or(after.len());
    let whole = [&before[start..], value, &after[..end]].concat();
    let whole = whole.trim();
    whole.len() > value.len()
        && before[..start].trim_end_matches([' ', '"', '\'']).ends_with(['=', ':', '>'])
        && (is_noun(whole) || is_requirement(whole))
}

/// "Kennwort", "Nueva contraseña", "Mot de passe": a label begins with a capital.
fn is_noun(text: &str) -> bool {
    let noun = |word: &str| role(&folded(word)) == Some(Role::Password);
    let words = text.trim_end_matches(['.', ':', '?', '!', '*']).split(' ');
    let mut named = false;
    text.starts_with(char::is_uppercase)
        && words.take(WORDS).all(|word| {
            named |= noun(word);
            (noun(word) && !word.contains(|c: char| c.is_ascii_digit()))
                || lists(BESIDE, &word.to_lowercase())
        })
        && named
}

/// "Au moins 12 caractères", "Das Kennwort braucht mindestens 8 Zeichen".
fn is_requirement(text: &str) -> bool {
    let words =
        || text.split([' ', ',', '.', '(', ')']).take(WORDS).filter(|word| !word.is_empty());
    let number = |word: &str| word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let plain =
        |word: &str| number(word) || word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c));
    text.contains(' ')
        && words().all(plain)
        && words().any(number)
        && words().any(|word| lists(AMOUNTS, &word.to_lowercase()))
        && words().any(|word| lists(LEAST, &word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn words_of_a_translation_stay() {
        for text in [
            "password: \"Contraseña\"\nnew_password: \"Nueva contraseña\"\nmin: \"Mínimo 16 caracteres\"",
            "password: \"Kennwort\"\nnew_password: \"Neues Kennwort\"\npassword_hint: \"Mindestens 12 Zeichen\"",
            "password_label: \"Mot de passe\"\npassword_hint: \"Au moins 6 caractères\"",
            "password_hint: \"At least 14 characters\"",
            "password_too_short: \"Das Kennwort braucht mindestens 10 Zeichen\"",
            "password=Kennwort\npassword.new=Neues Kennwort",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn numbers_of_devices_and_names_of_records_stay() {
        for text in [
            "Le serveur a le n° de série 2N26ETQ0N2, MAC 73:44:19:28:56:00",
            "Mails landen im Spam, SPF passt, DKIM-Selector ist velomax2038",
            "Mein öffentlicher WireGuard-Schlüssel ist \
             boKeWZG3MGlMNQKzFokNRbFEnJpj6aftLf75rOzYSJI=, gewünschte IP 192.168.9.58",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[("le mot de passe est 2N26ETQ0N2", &["2N26ETQ0N2"])]);
    }

    #[test]
    fn passwords_with_such_words_are_found() {
        seals(&[
            ("password: \"Contraseña2024!\"", &["Contraseña2024!"]),
            ("password: \"Mindestens-8-Zeichen\"", &["Mindestens-8-Zeichen"]),
            ("password: \"contraseña\"", &["contraseña"]),
        ]);
    }
}
