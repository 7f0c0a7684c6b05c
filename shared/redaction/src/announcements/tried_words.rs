//! Finds plain words between the word for a password and what is said about it: `password walnut doesn't work`, `contraseña
//! nogal para el usuario kim`.
//!
//! In such a clause, the word may also make a longer noun: "password autofill doesn't work". So a word that names a thing, a
//! program or an activity is left, and so is a sentence that is only about how the password is: "the new one".

use super::{COMPARED_BYTES, Line, fits};
use crate::grammar::{is_article, is_plain, is_tool};
use crate::identifiers::{is_product, is_service, is_thing_noun};
use crate::names::is_opened;
use crate::weight::MIN_BYTES;
use crate::words::{AND, FIRST_USERS, FOR, Role, folded, lists, role};
use std::ops::Range;

/// Words between a password and the verb, folded: "doesn't", "ya no".
const HELPING: &str = "doesn't doesnt does not didn't didnt did isn't isnt is was wasn't wasnt no longer still stopped gets got keeps being \
     ya me nos lui ne n'est plus pas est non e stata stato nao foi ist wurde wird nicht mehr fue ha sido a ete";
/// How verbs begin that say whether a password was right, folded.
const VERDICTS: [&str; 27] = [
    "work",
    "geht",
    "ging",
    "funktionier",
    "klapp",
    "funcion",
    "funzion",
    "fonctionn",
    "march",
    "accept",
    "reject",
    "refus",
    "denied",
    "abgelehnt",
    "akzeptiert",
    "rechaz",
    "acept",
    "rifiut",
    "accett",
    "recus",
    "aceit",
    "fail",
    "falla",
    "fallo",
    "stimmt",
    "passt",
    "echou",
];
/// Words for a user, folded, with an article that is part of the word.
const USERS: &str = "user username login account usuario l'utilisateur utilisateur l'utente utente benutzer nutzer konto cuenta compte conta";
/// What forms, sites and rules have passwords for, besides the things of the other lists, and adverbs.
const OTHERS: &str = "autofill sso scan import export backup copy paste migration toggle button widget popup window script cron job email mail \
     link page site sms code icon label text filter input mask strategy limit rule lifetime length age expiry dump cache token tampoco tambien antiga antigo atual \
     ook auch aussi anche neither either also mapping encoder decoder parser digest salt pepper grant";
/// The most words between the password and the verb.
const BETWEEN: usize = 4;

/// The word, or two.
pub(super) fn value(line: &Line, noun: usize) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let words = &line.words;
    if let Some(value) = said(words, noun).or_else(|| meant(words, noun)) {
        return Some(line.span(value));
    }
    // "das Passwort zurücksetzen geht nicht": a German verb, because nouns are capitalized.
    let german = words[noun].to_lowercase().ends_with("wort");
    let verb = |word: &str| german && word.ends_with("en") && word.starts_with(char::is_lowercase);
    let own = |word: &&str| is_own(word) && !verb(word);
    let rest = &words[noun + 1..];
    let behind = |count: usize| rest.get(count..).unwrap_or_default();
    // Most lines end here, and to tell what a word may be takes longer.
    let begins = |word: &&str| word.len() >= MIN_BYTES && word.chars().all(char::is_alphabetic);
    rest.first().filter(|word| begins(word))?;
    let count = if is_judged(behind(1)) || is_of_user(behind(1)) {
        1
    } else if is_of_user(behind(2)) {
        2
    } else {
        return None;
    };
    let value = rest.get(..count).filter(|value| value.iter().all(own))?;
    let (first, last) = (line.span(value[0]), line.span(value[count - 1]));
    Some(first.start..last.end)
}

/// The word behind "it's" after the word for a password and a comma: `so the password, it's elephant`.
fn said<'a>(words: &[&'a str], noun: usize) -> Option<&'a str> {
    const IS: &str = "it's its it’s c'est c’est è é es das";
    words[noun].ends_with(',').then_some(())?;
    let (first, rest) = words.get(noun + 1..)?.split_first()?;
    let rest = if *first == "das" { rest.strip_prefix(&["ist"])? } else { rest };
    let shown = *rest.first()?;
    let value = shown.trim_end_matches([',', '.', ';', '!']);
    let next = rest.get(1);
    let ends = value.len() < shown.len()
        || next.is_none_or(|next| AND.contains(next) || matches!(role(next), Some(Role::With)));
    (lists(IS, first) && ends && is_own(value)).then_some(value)
}

/// The word before "for the password", if the user comes before it: `hunter for the user and gatherer for the password`.
fn meant<'a>(words: &[&'a str], noun: usize) -> Option<&'a str> {
    let mut back = words[..noun].iter().enumerate().rev();
    let (at, _) = back.find(|(_, word)| !is_article(word) && !matches!(**word, "mot" | "de"))?;
    let value = *words.get(at.checked_sub(1)?)?;
    let before = &words[..at - 1];
    let joined = before.last().is_some_and(|word| AND.contains(word) || word.ends_with(','));
    let user = before.iter().any(|word| lists(USERS, &folded(word.trim_end_matches(','))));
    (FOR.contains(&words[at]) && joined && user && is_own(value)).then_some(value)
}

/// Whether a word may be a password, and does not make a longer noun of the word before it.
fn is_own(word: &str) -> bool {
    let known = folded(word);
    let thing = is_thing_noun(&known)
        || is_service(&known)
        || is_product(&known)
        || is_opened(&known)
        || lists(FIRST_USERS, &known)
        || lists(OTHERS, &known);
    is_plain(word) && !is_tool(word) && !thing && !is_verdict(&known) && fits(word)
}

/// Whether a clause begins that says whether the password was right: "doesn't work", "geht nicht".
fn is_judged(words: &[&str]) -> bool {
    let sign = ['.', ',', '!', '?', ';'];
    for word in words.iter().take(BETWEEN) {
        let word = folded(word.trim_end_matches(sign));
        if is_verdict(&word) {
            return true;
        }
        if !lists(HELPING, &word) {
            return false;
        }
    }
    false
}

fn is_verdict(word: &str) -> bool {
    VERDICTS.iter().any(|verb| word.starts_with(verb))
}

/// Whether a clause begins that says whose the password is: "for user kim", "para el usuario kim", "for root".
fn is_of_user(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let mut rest = rest.iter().skip_while(|word| is_article(word) && !lists(FIRST_USERS, word));
    let owner = rest.next().map(|word| folded(word.trim_end_matches(['.', ',', '!', ';'])));
    (FOR.contains(first) || *first == "fuer")
        && owner.is_some_and(|word| {
            lists(USERS, &word) || lists(FIRST_USERS, &word) || role(&word) == Some(Role::Subject)
        })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_word_that_did_or_did_not_work_is_the_password() {
        seals(&[
            ("the password iLoveLinux doesn't work on the new host", &["iLoveLinux"]),
            ("password gardenhose was rejected", &["gardenhose"]),
            ("the root password gardenhose no longer works", &["gardenhose"]),
            ("Passwort Walnuss funktioniert nicht", &["Walnuss"]),
            ("la contraseña nogal no funciona", &["nogal"]),
            ("le mot de passe noisette ne marche pas", &["noisette"]),
            ("la password nocciola non funziona", &["nocciola"]),
            ("a senha goiabada não funciona", &["goiabada"]),
        ]);
        for text in [
            "the password autofill doesn't work",
            "the password reset doesn't work",
            "the password sync doesn't work",
            "la autenticación password falló para el usuario odoo",
            "das Passwort zurücksetzen geht nicht",
            "la contraseña nueva no funciona",
            "la contraseña tampoco funciona",
            "le mot de passe admin ne marche pas",
            "a senha antiga não funciona",
            "the password still doesn't work",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn a_word_that_somebody_dictates_is_the_password() {
        seals(&[
            ("so the password, it's elephant with a capital E", &["elephant"]),
            ("le mot de passe, c'est parapluie", &["parapluie"]),
            ("use hunter for the user and gatherer for the password", &["gatherer"]),
            ("usa cazador para el usuario y girasol para la contraseña", &["girasol"]),
        ]);
        for text in [
            "about the password, it's wrong",
            "the password, it's expired and we need another one",
            "use a field for the user and a field for the password",
            "the user and the rules for the password",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn words_before_whose_they_are_are_the_password() {
        seals(&[
            ("password green tractor for user kim", &["green tractor"]),
            ("add password walnut for user kim", &["walnut"]),
            ("pw walnut for root", &["walnut"]),
            ("Passwort Walnuss für Benutzer kim", &["Walnuss"]),
            ("contraseña nogal para el usuario kim", &["nogal"]),
            ("mot de passe tracteur vert pour l'utilisateur kim", &["tracteur vert"]),
            ("password trattore verde per l'utente kim", &["trattore verde"]),
        ]);
        for text in [
            "password reset for user kim",
            "password expired for user kim",
            "password mismatch for user kim",
            "password login disabled for user root",
            "Passwort vergessen für Benutzer kim",
            "contraseña nueva para el usuario kim",
            "mot de passe oublié pour l'utilisateur kim",
            "password scaduta per l'utente kim",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
