//! Finds plain words directly after the word for a password: "with the password walnut", "user kim, password walnut".
//!
//! Such words do not look like passwords, so the sentence must say that one follows, and the next word must not make a
//! longer noun of it: "with password protection" has no password.

use super::context::{Context, Tie};
use super::fields::is_role;
use super::login::is_user;
use super::owned::{is_named, leads_to_another};
use super::phrase::{Manner, phrase};
use super::plain::{POLITE, ends_clause, is_article, is_plain, is_tool, takes, words_before};
use super::{Reader, Role};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::things::{dotted, is_hyphenated_secret};
use crate::words::{folded, is_letter, lists, role};
use std::ops::Range;

/// The most words between a word that announces a password and the word for it.
const BETWEEN: usize = 4;
/// How many earlier words are searched for a user, and how long a line with only the name of a password may be, in
/// words.
const NEAR: usize = 8;

/// Words between a user and the word for the password: "the user kim and the password walnut".
const AND: [&str; 9] = ["and", "und", "y", "e", "et", "en", "i", "con", "mit"];
/// Words that present a password, and prepositions before what keeps others out: "here's the password walnut".
const PRESENTS: &str =
    "by durch par por through here's heres here hier voici ecco aqui toma segue tieni";
/// Verbs that give a user a password.
const GIVES: [&str; 12] = [
    "give", "gave", "assign", "create", "add", "gib", "dale", "donne", "dai", "geef", "daj", "let",
];

/// A word directly after the word for a password.
struct DirectWord<'r, 't> {
    reader: &'r Reader<'t>,
    context: &'r Context,
    /// The word for a password.
    noun: &'r str,
    /// The sentence before that word.
    before: &'r str,
    word: &'r str,
    /// The text from the word on.
    rest: &'r str,
    /// The text after the word.
    after: &'r str,
}

impl Reader<'_> {
    /// Whether the word for a password is a word of a sentence that names its owner: "root-pw", but not `--root-pw`.
    fn is_compound(&self) -> bool {
        let word = &self.text[self.before_span.clone()];
        let before = self.byte_before(self.before_span.start);
        word.contains('-')
            && !word.contains(['_', '.'])
            && before.is_none_or(|b| b.is_ascii_whitespace())
    }

    /// The word after "with the password", or in a list of fields: "user kim, password walnut".
    pub(super) fn plain_after(&self, context: &Context) -> Option<Range<usize>> {
        let direct = context.tie == Tie::Direct
            && context.words + context.values == 0
            && !(context.plural || context.implied)
            && (!context.code || self.is_passcode())
            && (!context.identifier || context.is_variable || self.is_compound());
        let noun_at = self.before_span.clone();
        if !direct || self.text[noun_at.end..self.at] != *" " {
            return None;
        }
        let rest = &self.open()[self.at..];
        let inner = |c: char| is_letter(c) || "-_".contains(c);
        let (word, after) = rest.split_at(rest.find(|c: char| !inner(c)).unwrap_or(rest.len()));
        // "log in with the secret lantern-saddle-gravel", "the webhook secret lantern-saddle-gravel"
        let joined = is_hyphenated_secret(word);
        match context.role {
            Role::Password if joined => return Some(self.at..self.at + word.len()),
            Role::Password | Role::MaybePassword => {}
            Role::Token | Role::Key if joined => {}
            _ => return None,
        }
        let before = self.sentence_before(noun_at.start);
        let noun = &self.text[noun_at];
        let direct = DirectWord { reader: self, context, noun, before, word, rest, after };
        direct.length().map(|length| self.at..self.at + length)
    }
}

impl DirectWord<'_, '_> {
    /// The length of the password that begins with the word.
    fn length(&self) -> Option<usize> {
        let joined = self.joined_length();
        if joined.is_some_and(|_| self.is_announced() || self.is_beside()) {
            return joined;
        }
        let ends = || ends_clause(self.after) || leads_to_another(self.after);
        if !is_plain(self.word) || is_role(self.word) || !ends() {
            return self.phrase_length();
        }
        let sure = if self.context.is_variable { self.is_announced() } else { self.is_sure() };
        sure.then_some(self.word.len())
    }

    /// The length of words that signs join: "the password walnut_grove57", "the password lantern.saddle.gravel".
    fn joined_length(&self) -> Option<usize> {
        let digits = self.after.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = self.word.contains(['_', '-'])
            && (1..=3).contains(&digits)
            && ends_clause(&self.after[digits..]);
        if numbered { Some(self.word.len() + digits) } else { dotted(self.rest) }
    }

    /// The length of several words that are the password.
    fn phrase_length(&self) -> Option<usize> {
        let plain = |word: &str| is_plain(word) && !is_tool(word);
        plain(self.word).then_some(())?;
        let end = phrase(self.rest, Manner { strict: true, ..Manner::default() })
            .filter(|_| self.is_announced() || self.is_beside())?;
        let all = self.rest[..end].split(' ');
        let own = match all.clone().count() {
            0 | 1 => false,
            2 => all.clone().all(plain),
            _ => {
                let told = all.filter(|word| says(word).is_some()).count();
                told <= usize::from(self.context.phrase)
            }
        };
        own.then_some(end)
    }

    /// Whether the sentence says that the word is the password.
    fn is_sure(&self) -> bool {
        let last = self.after.trim_end_matches(['.', '!', '\r']).is_empty()
            || self.after.starts_with(['\n', '\r']);
        let ends = || last || self.after.starts_with(", ") || leads_to_another(self.after);
        self.is_announced()
            || self.is_apart(last)
            || self.is_listed(last)
            || (!is_tool(self.word) && self.is_beside())
            || self.works()
            || (ends()
                && self.context.role == Role::Password
                && !is_tool(self.word)
                && (is_named(self.before) || self.reader.is_compound()))
    }

    /// Whether a word before the word for a password takes or presents it: "use the password walnut".
    fn is_announced(&self) -> bool {
        let lead = words_before(self.before, 0).take(BETWEEN);
        let mut lead = lead.skip_while(|(_, word)| is_which(word) || POLITE.contains(word));
        lead.next().is_some_and(|(_, word)| takes(word) || lists(PRESENTS, &folded(word)))
    }

    /// Whether a user comes before it: "the user kim and the password walnut", "as ubuntu, password walnut".
    fn is_beside(&self) -> bool {
        let mut lead = words_before(self.before, 0)
            .skip_while(|(_, word)| !AND.contains(word) && is_which(word));
        let joined = lead
            .next()
            .is_some_and(|(_, word)| AND.contains(&word) || word.ends_with([',', ';', '/']));
        // "give the user kim the password walnut", "login kim password walnut"
        let given = words_before(self.before, 0)
            .take(NEAR)
            .any(|(_, word)| GIVES.contains(&word.to_lowercase().as_str()));
        let mut near = words_before(self.before, 0).map(|(_, word)| word);
        let user = near
            .next()
            .is_some_and(|word| is_user(word) || (!is_which(word) && !word.ends_with(',')));
        let named = user && near.next().is_some_and(names_user);
        named
            || (joined || given)
                && words_before(self.before, 0).take(NEAR).any(|(_, word)| names_user(word))
    }

    /// Whether the two are all of a line or of a bracket; `last` if the word ends its line.
    fn is_apart(&self, last: bool) -> bool {
        let lead = self.before.strip_suffix("mot de ").unwrap_or(self.before);
        let lead = lead.trim_end_matches([' ', '-', '*', '#', '\t']);
        let first = lead.is_empty() || lead.ends_with([',', ';']) || self.before.ends_with("# ");
        let bracketed = self.before.ends_with('(') && self.after.starts_with(')');
        let alone = first
            && last
            && self.context.role == Role::Password
            && is_latin(self.word)
            && (!self.noun.ends_with("wort") || self.word.starts_with(char::is_uppercase));
        (alone || bracketed) && !is_tool(self.word)
    }

    /// Whether the two are a field of a list; `last` if the word ends its line.
    fn is_listed(&self, last: bool) -> bool {
        let field = self.after.strip_prefix(", ");
        let field = field.map(|rest| rest.split(' ').next().unwrap_or_default());
        let next =
            field.is_some_and(|field| matches!(role(field), Some(Role::Subject | Role::Network)));
        next || (last
            && self.reader.line.has_options()
            && self.before.trim_end().ends_with([',', ';']))
    }

    /// Whether the text says that a password with a short name works: "pw walnut works".
    fn works(&self) -> bool {
        matches!(self.noun, "pwd" | "passwd" | "pw" | "pass" | "mdp" | "PW")
            && [" works", " worked", " geht", " marche", " funciona"]
                .iter()
                .any(|word| self.after.starts_with(word))
    }
}

/// Whether a word is in a script whose verbs and adverbs the tables list, and does not end like an adverb.
fn is_latin(word: &str) -> bool {
    !word.ends_with("ly") && word.chars().all(|c| c < '\u{250}')
}

/// Whether a word only says which password is meant: "the", "master", "new".
fn is_which(word: &str) -> bool {
    let folded = folded(word);
    let place = matches!(role(&folded), Some(Role::Qualifier | Role::Subject | Role::Network));
    is_article(word)
        || folded == "de"
        || (place && !word.ends_with(','))
        || part(word) == Some(Part::It)
}

/// Whether a word announces a user's name: "user", "as", "login".
fn names_user(word: &str) -> bool {
    let folded = folded(word.trim_end_matches([',', ';', ':']));
    let inner = folded.strip_prefix("l'").unwrap_or(&folded);
    inner.contains('@')
        || lists("compte cuenta conto conta konto kontem", inner)
        || matches!(role(inner), Some(Role::Subject | Role::As | Role::Login))
        || ["user", "login", "usuari", "utili", "utente", "benutzer"]
            .iter()
            .any(|name| inner.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_sentence_says_that_a_plain_word_is_a_password() {
        for (text, secret) in [
            ("usa la contraseña nogal para el usuario", "nogal"),
            ("coloca a senha feijoada no postgres", "feijoada"),
            ("la contraseña es limonada", "limonada"),
            ("le mot de passe est fusée", "fusée"),
            ("the password is vegetable", "vegetable"),
            ("das Passwort ist Gespenst", "Gespenst"),
            ("user kim, password walnut, port 22", "walnut"),
            ("usuario root y contraseña nogal", "nogal"),
            ("the box is protected by the password walnut", "walnut"),
            ("my wifi password walnut", "walnut"),
            ("le compte est kim@example.org, mdp noisette rouge 2, merci", "noisette rouge 2"),
            ("ssh into web as ubuntu, password walnut", "walnut"),
            ("log in as kim with the password walnut_grove57 please", "walnut_grove57"),
            ("usuario root y contraseña nogal.verde.monte, puerto 22", "nogal.verde.monte"),
            ("log in as kim with secret walnut-river-lamp", "walnut-river-lamp"),
            ("connecte toi avec le secret noix-chaise-porte", "noix-chaise-porte"),
            ("the webhook secret walnut-river-lamp", "walnut-river-lamp"),
            ("ok heres the secret walnut-river-lamp", "walnut-river-lamp"),
            ("here's the password walnut", "walnut"),
            ("hier das Passwort Walnuss", "Walnuss"),
            ("voici le mot de passe noix", "noix"),
            ("user deploy senha nogueira porta 22", "nogueira"),
            ("use walnut-river-lamp as the secret for the hook", "walnut-river-lamp"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_sentence_about_passwords_has_none() {
        for text in [
            "log in with password protection",
            "root password rotation",
            "enable secret scanning!",
            "la contraseña es olvidada",
            "wifi password issue",
            "user and password fields",
            "log in with a user and a password manager",
            "log in with secret my-app-token",
            "use the secret lantern-saddle in namespace web",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
