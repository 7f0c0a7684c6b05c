//! Finds a password that its sentence names last: `"baseball" is what we use as the admin password`.
//!
//! The password may be any word in quotes, or a number: the sentence leaves no doubt.

use super::{COMPARED_BYTES, Line, NOUNS, quotes};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::words::{Role, folded, lists, role};
use std::ops::Range;

/// Verbs that may follow the value at once.
const USES: &str = "nehmen verwenden benutzen nutzen nimmt nehme usamos utilizamos utilisons usiamo utilizziamo gebruiken uzywamy usem";
/// Short words for a password.
const SHORT: &str = "pin pw pwd mdp passe clave parola passcode";
/// Words between "is" and the word for a password: whose it is, and since when.
const OWNERS: &str = "the our my your their still now currently always unser unsere mein meine das die der noch immer nuestra mi la \
     notre mon le nostra mia nossa minha ons mijn het nasze moje old new default alte neue same only admin root";
/// The most words between "as" or "is" and the word for a password.
const BETWEEN: usize = 5;
/// Lengths of such a password, in bytes.
const VALUE_BYTES: std::ops::RangeInclusive<usize> = 4..=64;
/// Words that are names or states where a password could stand.
const NAMES: &str = "admin root user none nothing null empty optional required yes unknown bcrypt argon2 argon2id scrypt sha256 sha512 md5 \
     keepass bitwarden lastpass 1password vault never always";

fn is_noun(word: &str) -> bool {
    let last = word.rsplit('-').next().unwrap_or_default();
    NOUNS.contains(&last) || lists(SHORT, last)
}

/// The password at the start of such a sentence.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    let told = || line.announces || line.lower.contains("pin") || line.lower.contains("clave");
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let (value, after) = match quotes::first(line.text) {
        Some((before, value, after)) if starts(before) => (value, after),
        _ => line.text.trim_start().split_once(' ').filter(|(word, _)| is_number(word))?,
    };
    told().then_some(())?;
    let clause = after.split(['.', ',', ';', '?', '!', ':', '(']).next()?.to_lowercase();
    let words: Vec<_> = clause.split_whitespace().collect();
    let noun = words.iter().position(|word| is_noun(word))?;
    let first = *words.first()?;
    (part(first) == Some(Part::Is)
        || matches!(first, "was" | "became")
        || lists(USES, &folded(first)))
    .then_some(())?;
    let ends = words.get(noun + 1).is_none_or(|next| {
        matches!(part(next), Some(Part::Of | Part::When | Part::Joins | Part::Who | Part::If))
            || says(next).is_some_and(|says| says != crate::talk::Says::About)
    });
    // "mot de passe", "parola d'ordine"
    let joined =
        words[..noun].ends_with(&["mot", "de"]) || words[..noun].ends_with(&["mots", "de"]);
    let start = if joined { noun - 2 } else { noun };
    let is_as = |word: &&str| role(&folded(word)) == Some(Role::As);
    let led = match words[..start].iter().rposition(is_as) {
        Some(at) => &words[at + 1..start],
        None if part(first) == Some(Part::Is) => {
            let own = words.get(1..start)?.iter().all(|word| {
                let known = role(&folded(word));
                lists(OWNERS, word) || matches!(known, Some(Role::Network | Role::Subject))
            });
            own.then_some(words.get(1..start)?)?
        }
        None => return None,
    };
    let placed = led.iter().any(|word| part(word) == Some(Part::Of));
    (ends && !placed && led.len() <= BETWEEN && is_own(value)).then(|| line.span(value))
}

/// `Set it to "X" please, it's the db password`: a made-up text in quotes, and behind it what it is.
pub(super) fn pointed(line: &Line) -> Option<Range<usize>> {
    const THAT: [&str; 12] = [
        "it's ", "its ", "it is ", "that's ", "that is ", "das ist ", "es ist ", "c'est ",
        "es la ", "esa es ", "è la ", "dat is ",
    ];
    const LEAST_BYTES: usize = 8;
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let quote = |c: char| "\"`'„“«".contains(c);
    let (_, rest) = line.text.split_once(quote)?;
    let (value, after) = rest.split_once(|c: char| "\"`'“”»".contains(c))?;
    let after = after.to_lowercase();
    let said = THAT.iter().filter_map(|that| Some(after.split_once(that)?.1)).next()?;
    let noun = said.split([',', '.', ';', '?', '!']).next()?;
    let last = noun.split_whitespace().take(BETWEEN).find(|word| is_noun(word) || *word == "mot");
    let made = value.contains(char::is_uppercase) && value.contains(char::is_lowercase);
    (last.is_some() && made && value.len() >= LEAST_BYTES && !value.contains(' ') && is_own(value))
        .then(|| line.span(value))
}

/// Whether a text before a quote lets a sentence begin.
fn starts(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', ',', ':', ';', '!', '?', '-', '–'])
}

fn is_number(word: &str) -> bool {
    VALUE_BYTES.contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text may be a password, and is neither the name of a thing nor a word about passwords.
fn is_own(value: &str) -> bool {
    let lower = value.to_lowercase();
    let variable = value.contains('_') && !value.contains(char::is_lowercase);
    VALUE_BYTES.contains(&value.len())
        && !value.contains([' ', '{', '$', '<', '/', '=', '('])
        && !variable
        && says(value).is_none()
        && role(&folded(value)).is_none()
        && !is_noun(&lower)
        && !lists(NAMES, &lower)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_word_may_be_called_a_password_behind_it() {
        seals(&[
            ("\"butterfly\" is what we use as the camera admin password", &["butterfly"]),
            ("'77777777' is still the password of the old camera", &["77777777"]),
            ("„michaela“ nehmen wir als Passwort für die Kamera", &["michaela"]),
            ("\"mariposa\" es lo que usamos como contraseña del router", &["mariposa"]),
            ("\"soleil\" est ce que nous utilisons comme mot de passe du NAS", &["soleil"]),
            ("Set it to `DuxJBEqrK9Tbjih` please, its the db password", &["DuxJBEqrK9Tbjih"]),
            ("554433 is what we use as the PIN for the door", &["554433"]),
        ]);
        for text in [
            "\"admin\" is what we use as the user, the password is in the vault",
            "\"Bitwarden\" is what we use as the password manager",
            "\"Login\" is what the button under the password says",
            "\"DB_PASSWORD\" is what we use as the name of the password",
            "\"postgres\" is what we use as the database for the password service",
            "\"required\" is what we see next to the password field",
        ] {
            assert_eq!(redacted(text), text);
        }
        // Fewer words come before the noun than "mot de passe" has.
        assert!(!redacted("\"soleil\" est le passe").is_empty());
    }
}
