//! Recognizes the names under which people sign in: "my github name is kim-moreau87", "New users: kim, ben_19, priya303".

use super::{IS, Place, announces};
use crate::grammar::is_article;
use crate::words::{FOR, OF, folded, lists};

/// What a name may be called, folded: of one person, and of several.
const ONE: &str = "user username login account handle name nickname benutzer benutzername nutzer konto usuario cuenta utilisateur compte \
     identifiant pseudo utente";
const SEVERAL: &str = "users usernames accounts logins names benutzer benutzernamen nutzer konten usuarios cuentas utilisateurs comptes utenti";
/// What else ties a name to its noun.
const CALLED: [&str; 5] = ["called", "named", "c'est", "c’est", "namens"];
/// What a sentence calls the way in, before "is" and a name.
const LOGINS: &str = "connexion acceso anmeldung signin";
/// Words before a name that is not right.
const NOT: [&str; 5] = ["not", "nicht", "no", "pas", "non"];
/// The most digits at the end of a name, and the most names of a list that are read.
const DIGITS: usize = 3;
const LIST: usize = 12;

/// Whether a value is such a name.
pub(super) fn is_account(place: &Place<'_>) -> bool {
    let value = place.value.trim_end_matches([',', '.', ';', '?', '!']);
    is_introduced(place)
        || is_name(value)
            && !opens_account(place)
            && (is_called(place)
                || is_labeled(place)
                || is_of_list(place)
                || is_whose(place)
                || place.after.starts_with(" ALL=("))
}

/// `kim-moreau87`, `priya303`: small letters with a number at the end.
fn is_name(value: &str) -> bool {
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit());
    value.len() - name.len() <= DIGITS
        && name.len() > DIGITS
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b"._-".contains(&b))
}

/// "the password of the hosting account is ⟦…⟧": the clause begins with the word for a password, so its value follows,
/// and not the account's name.
fn opens_account(place: &Place<'_>) -> bool {
    let clause = place.before.rsplit([',', ';', '.', '(', '!', '?']).next().unwrap_or_default();
    let mut words = clause.split_whitespace().skip_while(|word| is_article(word));
    let noun = words.next().is_some_and(announces);
    let of = words.next().is_some_and(|word| OF.contains(&word) || FOR.contains(&word));
    // "password for user: kim52" names the user.
    noun && of && words.count() > 1
}

fn is_noun(word: &str, nouns: &str) -> bool {
    let word = folded(word.trim_matches(|c: char| !c.is_alphanumeric())).into_owned();
    lists(nouns, word.rsplit(['-', '\'', '’']).next().unwrap_or_default())
}

/// "my github name is …", "le compte c'est …"
fn is_called(place: &Place<'_>) -> bool {
    let mut words = place.before.split_whitespace().rev();
    let tie = words.next().map(str::to_lowercase).unwrap_or_default();
    let ties = |word: &str| IS.contains(&word) || CALLED.contains(&word);
    // "the login is kim@example.org, not kim99"
    if NOT.contains(&tie.as_str()) {
        let mut two = place.before.split_whitespace().zip(place.before.split_whitespace().skip(1));
        return !announces(place.before)
            && two.any(|(noun, tie)| {
                (is_noun(noun, ONE) || is_noun(noun, LOGINS)) && ties(&tie.to_lowercase())
            });
    }
    ties(&tie) && words.next().is_some_and(|noun| is_noun(noun, ONE))
}

/// "el usuario se llama …", "der Benutzer heißt …": whatever the name looks like.
fn is_introduced(place: &Place<'_>) -> bool {
    const NAMED: &str = "llama heisst appelle chiama chama called named heet nazywa";
    /// What may come between the noun and the verb: "se", "is".
    const BETWEEN: usize = 2;
    // Most finds end here.
    let letter = |b: u8| b.is_ascii_alphabetic();
    if !place.before.ends_with(' ') || !place.value.bytes().any(letter) {
        return false;
    }
    let mut words = place.before.split_whitespace().rev();
    let verb = folded(words.next().unwrap_or_default());
    let verb = verb.rsplit(['\'', '’']).next().unwrap_or_default();
    lists(NAMED, verb) && words.take(BETWEEN).any(|noun| is_noun(noun, ONE))
}

/// `Login: kim52`
fn is_labeled(place: &Place<'_>) -> bool {
    let label = place.before.trim_end().strip_suffix([':', '=']);
    let noun = label.and_then(|label| label.split_whitespace().next_back());
    noun.is_some_and(|noun| is_noun(noun, ONE))
}

/// "the password for kim52", "ein neues Kennwort für kim52", "quita a kim52": whose it is, and of whom a sentence speaks.
fn is_whose(place: &Place<'_>) -> bool {
    let last = place.last().to_lowercase();
    // Not the Portuguese "mude a senha para …"
    let whose = FOR.contains(&last.as_str()) && !place.before.to_lowercase().contains("senha");
    place.value.contains(|c: char| c.is_ascii_digit())
        && (whose || (["a", "à"].contains(&last.as_str()) && !announces(place.before)))
}

/// "New users: kim, ben_19, …"
fn is_of_list(place: &Place<'_>) -> bool {
    let Some((label, list)) = place.before.rsplit_once(": ") else { return false };
    let mut names = list.split(", ").map(str::trim).filter(|name| !name.is_empty());
    let noun = label.split_whitespace().next_back();
    noun.is_some_and(|noun| is_noun(noun, SEVERAL))
        && names.clone().count() <= LIST
        && names.all(|name| is_name(name.trim_start_matches("and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_known_by_their_noun() {
        let place = |before, value| Place { value, before, after: "", above: "" };
        for (before, value) in [
            ("my github name is ", "ben-haddad67"),
            ("ok le compte c'est ", "javier22,"),
            ("New users: paulo.silva, tomasz_61, ", "chloeweber856"),
            ("Neue Benutzer: ", "jonas.weber12"),
            ("the mail account is ", "kim-moreau87"),
            ("el usuario se llama ", "Winter2023"),
            ("l'utilisateur s'appelle ", "Winter2023"),
            ("der Benutzer heißt ", "Winter2023"),
            ("the account is called ", "Winter2023"),
            ("Passwort ist korrekt, Login: ", "skraus52,"),
            ("[sudo] contraseña para ", "aortega93"),
            ("reset the password of the wiki user: ", "skraus52"),
            ("password for user: ", "skraus52"),
            ("Da de alta a Miriam y quita a ", "sbecker89."),
            ("l'identifiant de connexion c'est kim.ruiz@example.es, pas ", "birgit99"),
        ] {
            assert!(is_account(&place(before, value)), "{before}{value}");
        }
        for (before, value) in [
            ("the password is ", "walnut91"),
            ("password for the hosting account is ", "walnut91"),
            ("the password of the wiki user: ", "walnut91"),
            ("user: kim, ", "walnut91"),
            ("my account password is ", "walnut91"),
            ("der Benutzer ist kim und das Passwort heißt ", "Winter2023"),
            ("el usuario es kim y la clave se llama ", "Winter2023"),
            ("New users: kim / walnut17, ", "walnut91"),
            ("the account is ", "Walnut_91x"),
            ("cambia la contraseña a ", "walnut91"),
            ("mude a senha do banco para ", "trovoada7"),
            ("the password for the login is kim98, not ", "birgit99"),
        ] {
            assert!(!is_account(&place(before, value)), "{before}{value}");
        }
    }
}
