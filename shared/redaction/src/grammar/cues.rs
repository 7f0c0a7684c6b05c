//! Finds passwords that their message does not call passwords: "sorry, meant ⟦Marlowe!77⟧", "the account ops with
//! ⟦Salt+Tin44⟧".
//!
//! A message that corrects another one, or that names an account and what opens it, has no word for a password. The
//! value's form must then show that it is one: letters in both cases, digits, and mostly a sign that does not occur in
//! names.

use super::login::is_user;
use super::machines::is_long_name;
use super::plain::{is_article, takes, words_before};
use super::{Called, Reader};
use crate::lexicon::{Part, is_to, part};
use crate::things::is_named_thing;
use crate::value::Value;
use crate::weight::{Weight, is_hex, is_labeled, is_titled, is_varied, is_wordy};
use crate::words::{Role, folded, lists, role};
use crate::{Raw, SecretKind, bare, blocks};
use std::ops::Range;

/// The longest value that is read here, in bytes.
const CHUNK_BYTES: usize = 64;
/// Lengths of a value whose form alone says that it is a password, in bytes.
const MADE_BYTES: Range<usize> = 8..33;
/// The least length of another value, in bytes.
const LEAST_BYTES: usize = 7;
/// How many words of a sentence are searched for a cue.
const WORDS: usize = 14;
/// How many words may come between an account and "use".
const NEAR: usize = 6;
/// How much of the text after a value is searched for a cue, in bytes.
const AFTER_BYTES: usize = 40;

/// Words that say that the text before them was wrong.
const CORRECTS: &str = "sorry typo mistyped misspelled oops ups oups mist vertippt verschrieben verwechselt falsch wrong perdona \
         perdon disculpa error equivoque trompe erreur pardon scusa scusate sbagliato errore desculpe desculpa \
         errado erro engano excuses verkeerd foutje vergist tikfout przepraszam pomylka pomylilem literowka \
         correction correccion korrektur correzione correcao correctie korekta correggo wacht wait warte espera \
         attends aspetta czekaj hoofdletter capital capitals grossbuchstabe mayuscula mayusculas maiuscola \
         maiuscole majuscule majuscules maiuscula nein nee celui-la autocorrect autocorrecto corrigindo corrijo \
         corrige corrigeer korrigiere poprawka poprawiam correct correcta correcto richtige richtig giusto giusta \
         corretto corretta certo certa juiste wlasciwe poprawne prawidlowe bon bonne tamtego";
/// Words for users and what they sign in with.
const ACCOUNTS: &str = "user username account login admin benutzer nutzer konto zugang usuario cuenta utilisateur compte utente \
     conta gebruiker uzytkownik konta kontem as als como comme come jako";
/// Verbs that say what an account has.
const HAS: &str = "has have hat ha tiene tem heeft ma a";
/// Words that say whose a value is, or which of two values is meant.
const OWNERS: &str = "mine yours his hers ours theirs one meins seins ihres tuyo suyo mia tien sien mio tuo seu teu mijne";
/// Words that contrast two values.
const CONTRASTS: &str = "not but nicht sondern no sino pas mais non ma nao niet maar nie ale";
/// Words between a wrong value and the right one.
const RATHER: &str = "but rather sondern sino mais plutot ma bensi mas sim maar ale lecz tylko";
/// The most bytes between the two.
const BETWEEN_BYTES: usize = 24;
/// "try".
const TRIES: &str = "try tries probier probiere versuch versuche prueba probad essaie essayez prova provate tente tenta probeer \
     sprobuj use";
/// Words directly before what the author meant.
const MEANT: &str = "meant mean meinte meine decir dire intendevo intendo dizer bedoelde bedoel mysli byc korrekt richtig";

impl Reader<'_> {
    /// Notes a word with a digit, which may turn out to be a password. Returns it if its form or a cue says so now.
    pub(super) fn number_passed(&mut self, start: usize) -> Option<Raw> {
        let inner = self.digits.as_ref().is_some_and(|digits| digits.end > start);
        let from = if inner { None } else { self.chunk_start(start) }?;
        let chunk = self.values.ending(self.open(), from)?.span;
        if chunk.len() > CHUNK_BYTES {
            return None;
        }
        let has_digit = self.text.as_bytes()[chunk.clone()].iter().any(u8::is_ascii_digit);
        if has_digit {
            let used = matches!(self.before, Some(Role::With)) && chunk.len() >= 8;
            self.called = if used { Called::Used } else { Called::No };
        }
        let can_be_cued = chunk.len() >= LEAST_BYTES && is_apart(self.text, &chunk);
        let value = if can_be_cued { self.values.candidate(self.open(), from) } else { None };
        let found = value.is_some_and(|value| self.is_cued(&value));
        if has_digit {
            if found && let Some(span) = self.mistaken(&chunk) {
                self.found.push(Raw::likely(span, "PASSWORD", SecretKind::Password));
            }
            self.digits = Some(chunk.clone());
        }
        found.then(|| Raw::likely(chunk, "PASSWORD", SecretKind::Password))
    }

    /// Whether a value that stands apart is a password without a word for it.
    fn is_cued(&self, chunk: &Value) -> bool {
        let value = &self.text[chunk.span.clone()];
        if chunk.weight < Weight::Weak || is_hex(value) {
            return false;
        }
        let made = chunk.weight >= Weight::Name && is_made(value);
        let likely = made
            || (chunk.weight >= Weight::Fair && is_mixed(value) && !is_long_name(value))
            || is_titled(value);
        let labeled = is_long_label(value) || is_joined_title(value, '_');
        let chosen = likely
            || is_varied(value)
            || (chunk.weight >= Weight::Name && value.starts_with(char::is_uppercase));
        let at = chunk.span.start;
        (likely || labeled || chosen || chunk.weight >= Weight::Name)
            && blocks::is_password(value)
            && !bare::is_named(&self.text[..at])
            && (made
                || self.is_contrasted(at)
                || ((chosen || labeled)
                    && (self.is_corrected(&chunk.span) || self.is_for_account(at)))
                || (chosen && (self.is_of_account(at) || self.is_listed_after(at)))
                || (likely && self.is_of_someone(at))
                || (labeled && self.is_after_colon(at))
                || (chosen && self.is_of_system(at))
                || (likely && !is_titled(value) && self.is_had(at))
                || (chunk.weight >= Weight::Name
                    && (self.is_beside_address(at)
                        || self.is_another(at)
                        || self.is_after_colon(at))))
    }

    /// The words before a place in its sentence, the nearest first.
    fn lead(&self, at: usize) -> impl Iterator<Item = &str> {
        words_before(self.sentence_before(at), 0).map(|(_, word)| word)
    }

    /// Whether the sentence corrects an earlier one: "sorry, meant X", "Mist, vertippt: es ist X", "not X but Y,
    /// sorry".
    fn is_corrected(&self, span: &Range<usize>) -> bool {
        let mut words = self.lead(span.start);
        let last = words.next().unwrap_or_default();
        let bare = folded(last.trim_end_matches([':', ',']));
        let signed = last.ends_with([':', ',']);
        let is = role(&bare) == Some(Role::Copula)
            || matches!(last, "è" | "é" | "it's" | "been" | "to")
            || lists(CONTRASTS, &bare);
        let corrects =
            |word: &str| lists(CORRECTS, &folded(word.trim_matches(|c: char| !c.is_alphabetic())));
        let after = &self.open()[span.end..];
        let after = after[..after.floor_char_boundary(AFTER_BYTES)].split('\n').next();
        (lists(MEANT, &bare) || is || signed || last.is_empty())
            && (corrects(&bare)
                || words.take(WORDS).any(corrects)
                || after.is_some_and(|after| after.split(' ').any(corrects)))
    }

    /// Whether the value replaces one that was found directly before it: "nicht X sondern Y".
    fn is_contrasted(&self, at: usize) -> bool {
        let Some(last) = self.found.last().filter(|last| last.kind == SecretKind::Password) else {
            return false;
        };
        let between = self.text.get(last.span.end..at).unwrap_or_default();
        let between = &between[..between.floor_char_boundary(BETWEEN_BYTES)];
        let mut words =
            between.split([' ', ',', ';', '"', '\'', '`', '*']).filter(|word| !word.is_empty());
        last.span.end + BETWEEN_BYTES > at
            && !between.contains('\n')
            && words.next().is_some_and(|word| lists(RATHER, &folded(word)))
            && words.all(|word| {
                is_article(word) || matches!(part(word), Some(Part::Is | Part::When | Part::It))
            })
    }

    /// Whether an account and "with" come before the value: "the account ops with X".
    fn is_of_account(&self, at: usize) -> bool {
        let mut words = self.lead(at).map(folded);
        let with = words.next().is_some_and(|word| role(&word) == Some(Role::With) || word == ",");
        let Some(name) = words.next().filter(|word| role(word).is_none()) else { return false };
        let mut near = words.take(NEAR);
        with && (name.contains('@')
            || name.starts_with('`') && near.any(|word| lists(ACCOUNTS, &word))
            || near.next().is_some_and(|word| lists(ACCOUNTS, &word)))
    }

    /// Whether an account comes before the value in a list: "user ops, X".
    fn is_listed_after(&self, at: usize) -> bool {
        let mut words = self.lead(at);
        words.next().is_some_and(|name| {
            name.ends_with(',') && role(&folded(name.trim_end_matches(','))).is_none()
        }) && words
            .next()
            .is_some_and(|word| lists(ACCOUNTS, &folded(word)) && !matches!(word, "as" | "als"))
    }

    /// Whether a value is to be used for an account: "for the Grafana admin account please use X".
    fn is_for_account(&self, at: usize) -> bool {
        let mut words = self.lead(at);
        words.next().is_some_and(|word| takes(word) && !lists(HAS, &folded(word)))
            && words
                .take(NEAR)
                .any(|word| lists(ACCOUNTS, &folded(word)) && !matches!(word, "as" | "als"))
    }

    /// Whether the value belongs to someone, or replaces another: "hers is X", "the new one is X", "changed to X".
    fn is_of_someone(&self, at: usize) -> bool {
        let mut words = self.lead(at).map(folded);
        let Some(last) = words.next() else { return false };
        let Some(before) = words.next() else { return false };
        (role(&last) == Some(Role::Copula) && lists(OWNERS, &before))
            || (is_to(&last) && part(&before) == Some(Part::Changed))
    }

    /// Whether the value is next to the address of its user: `kim@example.org / X`, `ssh kim@web1 (X)`.
    fn is_beside_address(&self, at: usize) -> bool {
        let mut words = self.lead(at);
        words.next().is_some_and(|word| matches!(word, "/" | "|" | "(" | "//"))
            && words.next().is_some_and(|word| word.contains('@'))
    }

    /// Whether a user comes before the value, and a colon before the user: "the NAS: ops / X", "hers: wanda / X".
    fn is_after_colon(&self, at: usize) -> bool {
        let mut words = self.lead(at);
        words.next() == Some("/")
            && words
                .next()
                .is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)))
            && words.next().is_some_and(|word| word.ends_with(':'))
    }

    /// Whether the value is said to be a user's that every system has: "root is X".
    fn is_of_system(&self, at: usize) -> bool {
        let mut words = self.lead(at);
        words
            .next()
            .is_some_and(|is| matches!(is, "is" | "ist" | "es" | "est" | "è" | "é" | "jest" | "to"))
            && words.next().is_some_and(is_user)
    }

    /// Whether the value is said to be an account's: "the user admin has X".
    fn is_had(&self, at: usize) -> bool {
        let mut words = self.lead(at).map(folded);
        words.next().is_some_and(|has| lists(HAS, &has))
            && words.next().is_some_and(|name| role(&name).is_none() || is_user(&name))
            && words.next().is_some_and(|word| {
                lists(ACCOUNTS, word.strip_prefix("l'").unwrap_or(word.as_ref()))
            })
    }

    /// The wrong value that a correction repeats before the right one: "not walnut7 but Walnut7".
    fn mistaken(&self, right: &Range<usize>) -> Option<Range<usize>> {
        let sentence = self.sentence_before(right.start);
        let mut words = words_before(sentence, right.start - sentence.len());
        let signs = ['"', '\'', '`', ',', ';', '*'];
        words.next().filter(|(_, word)| lists(RATHER, &folded(word)))?;
        let (place, word) = words.next()?;
        let wrong = word.trim_matches(signs);
        let start = place.start + word.len() - word.trim_start_matches(signs).len();
        is_near(wrong, &self.text[right.clone()]).then(|| start..start + wrong.len())
    }

    /// Whether another value comes before this one, which is to be tried as well: "and if that fails, try X".
    fn is_another(&self, at: usize) -> bool {
        let tried = self.context.as_ref().is_some_and(|context| context.values > 0);
        tried && self.lead(at).next().is_some_and(|word| lists(TRIES, &folded(word)))
    }
}

/// `Wolkenbruch_Juli`: words with a capital that no language joins in this way.
pub(super) fn is_joined_title(value: &str, joint: char) -> bool {
    let parts = value.split(joint);
    parts.clone().count() >= 2
        && value.starts_with(char::is_uppercase)
        && parts.clone().all(|part| !part.is_empty() && part.chars().all(char::is_alphanumeric))
        && parts.clone().any(|part| part.len() >= 5 && part.chars().skip(1).all(char::is_lowercase))
}

/// Whether two values differ in a few characters or in case.
fn is_near(wrong: &str, right: &str) -> bool {
    let same = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
    let first = wrong.bytes().zip(right.bytes()).take_while(same).count();
    let last = wrong.bytes().rev().zip(right.bytes().rev()).take_while(same).count();
    wrong.len() >= LEAST_BYTES
        && wrong.len().abs_diff(right.len()) <= 2
        && 3 * (first + last) >= 2 * right.len()
}

/// Whether spaces or the signs of a sentence surround a value.
fn is_apart(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].bytes().next_back();
    let after = text[span.end..].bytes().next();
    before.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`(*".contains(&b))
        && after.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`),.;!?*".contains(&b))
}

/// `tulpenfeld-88`: a label whose number and first word are longer than those of most machines.
fn is_long_label(value: &str) -> bool {
    let digits = value.len() - value.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let first = value.split('-').next().unwrap_or_default();
    is_labeled(value) && digits >= 2 && (first.len() >= 8 || digits >= 4)
}

/// Whether a text has letters in both cases and digits.
pub(super) fn is_mixed(value: &str) -> bool {
    value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
        && value.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text of eight or more letters, digits and signs has several digits or inner capitals.
pub(super) fn is_odd(value: &str) -> bool {
    const LEAST_BYTES: usize = 8;
    let count = |f: fn(&u8) -> bool| value.bytes().skip(1).filter(f).count();
    value.len() >= LEAST_BYTES
        && !value.contains([' ', '.', '/', ':'])
        && count(u8::is_ascii_lowercase) > 2
        && (count(u8::is_ascii_digit) > 1 || count(u8::is_ascii_uppercase) > 1)
}

/// Whether four letters in a row could be part of a word. A random text seldom has them.
fn has_word(value: &str) -> bool {
    let words = value.split(|c: char| !c.is_lowercase());
    words.into_iter().any(|word| word.len() >= 4 && is_wordy(word))
}

/// `Marlowe!77`: a form that only passwords have.
fn is_made(value: &str) -> bool {
    let sign = |c: char| "!@^*?&+%#$".contains(c);
    let code = |c: char| "/\\:;,()[]{}<>\"'`|=~".contains(c);
    let Some((word, rest)) = value.split_once(sign) else { return false };
    let lower = rest.to_ascii_lowercase();
    let joined = value.contains(['+', '&', '#', '$', '*', '%', '?']);
    MADE_BYTES.contains(&value.len())
        && is_mixed(value)
        && value.starts_with(char::is_alphanumeric)
        && !word.is_empty()
        && !value.contains(code)
        && has_word(value)
        && !(value.contains('@') && value.contains('.'))
        && !is_named_thing(&lower)
        && !is_named_thing(&word.to_ascii_lowercase())
        // `Outer$Inner2`, `Issue#12`, `Node+Redis7`
        && (!joined
            || (rest.starts_with(char::is_uppercase)
                && rest.ends_with(|c: char| c.is_ascii_digit())
                && value.contains(['+', '&', '*'])))
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_correction_or_an_account_says_that_a_value_is_a_password() {
        for (text, secret) in [
            ("sorry, meant Walnut-Grove7, typo on my side", "Walnut-Grove7"),
            ("Mist, vertippt: es ist walnuss2024Ulm", "walnuss2024Ulm"),
            ("Scusa, intendevo Vespa.Rossa125", "Vespa.Rossa125"),
            (
                "use the vSphere account migr8 with Oat-Barrel-Tin6, it is read only",
                "Oat-Barrel-Tin6",
            ),
            ("the note says Ginger!Tabby2", "Ginger!Tabby2"),
            ("nein, nicht das alte, das neue: Nussbaum_Juli", "Nussbaum_Juli"),
            ("the NAS: ops / walnut1991", "walnut1991"),
            ("for the Grafana admin account please use walnutgrove-88", "walnutgrove-88"),
            ("root is Walnut_Grove7 on both", "Walnut_Grove7"),
            ("l'utente admin ha nasRimini.85, il resto no", "nasRimini.85"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_correction_may_repeat_the_wrong_password() {
        let text = "perdona, no era luna.llena88 sino Luna.llena88 con mayúscula";
        assert_eq!(found(text), ["luna.llena88", "Luna.llena88"]);
        assert_eq!(found("sorry, not web-03 but web-04"), [""; 0]);
    }

    #[test]
    fn a_correction_of_something_else_has_no_password() {
        for text in [
            "sorry, meant web-04 not web-03",
            "sorry, I meant eu-west-1",
            "typo: it is Ubuntu-24, not Ubuntu-22",
            "sorry, meant PostgreSQL16",
            "the user kim with uid1000",
            "see Outer$Inner2 and Issue#12",
            "we run Nginx+PHP8 here",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
