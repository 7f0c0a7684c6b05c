//! Finds what people announce in ways that a sentence's grammar does not show: a password alone on a line below, lists of
//! names with passwords, corrections, labels with a typing error, one-time codes, and variables whose name says enough.
//!
//! It reads what a person wrote, line by line, after the rules and the learned model.

mod abbreviated;
mod access;
mod answers;
mod bare_answers;
mod bare_labels;
mod beside;
mod bracketed;
mod brackets;
mod cards;
mod changes;
mod chosen;
pub(super) mod corrections;
mod fields;
mod forms;
mod groups;
mod handovers;
mod keys;
mod labels;
mod licenses;
mod lines_below;
mod lists;
mod login_commas;
mod mentions;
mod named_last;
mod onetime;
mod passphrases;
mod per_machine;
mod personal_tokens;
mod placed;
mod products;
mod proposals;
mod quoted;
mod quotes;
mod reserves;
mod said_keys;
mod second_persons;
mod settings;
mod shared;
mod shared_users;
mod sign_ins;
mod signs;
mod slash_pairs;
mod text_messages;
mod tried_words;
mod tuples;
pub(super) mod unlocks;
mod weak_arguments;
mod weak_logins;
mod weak_sentences;
mod weak_values;
pub(super) mod well_known;
mod wireless;

use super::Raw;
use super::places::lines;
use super::things::marks::CharSet;
use super::things::{is_stand_in, is_thing};
use super::weight::Kinds;
use forms::Forms;
use signs::{Sign, Signs};
use std::ops::Range;

/// Words for a password, in lower case; where one is part of a line, the line is about a password.
const NOUNS: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "passwörter",
    "kennwort",
    "kennwörter",
    "contraseña",
    "contrasena",
    "mot de passe",
    "mots de passe",
    "wachtwoord",
    "senha",
    "hasło",
    "haslo",
    "passcode",
    "parola d'ordine",
    "pass phrase",
    "passwords",
    "palavra-passe",
];

/// Parts of these words; each of them has one.
const STEMS: [&str; 8] =
    ["pass", "kennw", "contrase", "wachtw", "senha", "hasło", "haslo", "parola d'ordine"];

/// Short words for a password that have no other meaning before a value.
const SHORT: [&str; 7] = ["psw", "pswd", "passw", "pwd", "mdp", "contra", "passwrd"];

/// Short words for a password that count only where more says that one follows.
const SHORT_NOUNS: [&str; 6] = ["pw", "pwd", "mdp", "passe", "pass", "kw"];

/// The shortest value that is found without a word right before it, in bytes.
const ALONE_BYTES: usize = 8;
/// The longest line that may be a passphrase, in bytes, and its words.
const PHRASE: (usize, usize) = (48, 6);
/// The usual length of a short word and its space, in bytes.
const WORD_BYTES: usize = 4;
/// The longest sentence in which two texts are compared, in bytes.
const COMPARED_BYTES: usize = 240;

struct Line<'a> {
    start: usize,
    text: &'a str,
    lower: String,
    /// Its words, with the signs around them.
    words: Vec<&'a str>,
    /// Whether the line is about a password.
    speaks: bool,
    /// The same, perhaps by a short word for one.
    announces: bool,
    /// How many digits it has.
    digits: usize,
    /// Whether it has a quote of any kind, or a letter that is written like one.
    quotes: bool,
    /// Which ASCII characters it has.
    chars: CharSet,
    /// Whether a word is as long as a key: most lines have none.
    may_have_key: bool,
    /// What it has parts of words of.
    signs: Signs,
}

impl<'a> Line<'a> {
    fn of(start: usize, text: &'a str) -> Self {
        let lower = text.to_lowercase();
        let signs = Signs::of(&lower);
        let speaks = signs.has(Sign::Password) && NOUNS.iter().any(|noun| lower.contains(noun));
        let short = || {
            let mut words = lower.split(|c: char| !c.is_alphanumeric());
            words.any(|word| {
                word.starts_with(['p', 'k', 'm', 'c'])
                    && (["pw", "pws", "pass", "kw"].contains(&word) || SHORT.contains(&word))
            })
        };
        let announces = speaks || (text.len() <= COMPARED_BYTES && short());
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let chars = CharSet::of(text);
        let quotes = chars.has_any(b"\"'") || text.bytes().any(|b| matches!(b, 0xc2 | 0xe2));
        // Most words are longer, so that all have room at once.
        let mut words = Vec::with_capacity(text.len() / WORD_BYTES + 1);
        words.extend(text.split_whitespace());
        let may_have_key = handovers::may_have_key(text);
        Self {
            start,
            text,
            lower,
            words,
            speaks,
            announces,
            digits,
            quotes,
            signs,
            chars,
            may_have_key,
        }
    }

    /// Its words, with the signs around them.
    fn words(&self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.words.iter().copied()
    }

    /// Its first words, at most so many.
    fn first_words(&self, most: usize) -> &[&'a str] {
        &self.words[..self.words.len().min(most)]
    }

    /// Which of its words is the first for a password.
    fn noun(&self) -> Option<usize> {
        self.words.iter().position(|word| is_noun(word))
    }

    /// The place of a part of this line in the whole text.
    fn span(&self, part: &str) -> Range<usize> {
        let from = part.as_ptr() as usize - self.text.as_ptr() as usize + self.start;
        from..from + part.len()
    }
}

/// Whether a word is one for a password, perhaps behind a hyphen: "root-pw".
fn is_noun(word: &str) -> bool {
    let word = word.strip_suffix(',').unwrap_or(word);
    let last = word.rsplit('-').next().unwrap_or_default();
    // Most words end here.
    let first = last.as_bytes().first().map(u8::to_ascii_lowercase);
    if !first.is_some_and(|first| b"pkcwshm".contains(&first)) {
        return false;
    }
    if last.is_ascii() {
        return NOUNS.iter().chain(&SHORT_NOUNS).any(|noun| last.eq_ignore_ascii_case(noun));
    }
    NOUNS.contains(&last.to_lowercase().as_str())
}

/// A word in lower case without the signs around it, except for hyphens: `zip-`.
fn hyphenated(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_lowercase()
}

/// A word in lower case without the signs around it, except for apostrophes.
fn apostrophed(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_lowercase()
}

/// The line of a match and its text, if it ends on the line on which it begins.
fn on_one_line<'a, 't>(
    lines: &'a [Line<'t>],
    span: &Range<usize>,
) -> Option<(&'a Line<'t>, &'t str)> {
    let at = lines.partition_point(|line| line.start <= span.start).checked_sub(1)?;
    let line = &lines[at];
    Some((line, line.text.get(span.start - line.start..span.end - line.start)?))
}

/// The lines of a text.
fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    lines(text)
        .map(|line| {
            let start = at;
            at += line.len() + 1;
            Line::of(start, line)
        })
        .collect()
}

/// Finds such secrets; `found` are those that are known already.
pub(super) fn find(text: &str, found: &[Raw]) -> Vec<Raw> {
    let lines = lines_of(text);
    let mut forms = Forms::default();
    for (number, line) in lines.iter().enumerate() {
        forms.of_any(&lines, number);
        forms.with_digits_or_quotes(line);
        forms.of_keys(line);
        forms.of_certain(&lines, number);
        forms.with_marks(line);
        forms.with_noun(line);
    }
    forms.of_several_lines(&lines, found);
    forms.into_secrets(found)
}

/// Whether a text can be a password at all.
fn fits(value: &str) -> bool {
    (4..=128).contains(&value.len())
        && value.contains(char::is_alphanumeric)
        && !value.contains("{{")
        && !value.contains("://")
        && !is_stand_in(value)
        && !is_thing(value, Kinds::of(value))
}

/// Whether a text without spaces looks made up: with two kinds of signs besides a first capital.
fn is_made_up(value: &str) -> bool {
    let rest = || value.chars().skip(1);
    let digit = value.chars().any(|c| c.is_ascii_digit());
    let letter = value.chars().any(char::is_alphabetic);
    let sign = value.chars().any(|c| "!#$%&*+@^~?=_".contains(c));
    let inner = rest().any(char::is_uppercase) && rest().any(char::is_lowercase);
    let signs = usize::from(digit) + usize::from(sign) + usize::from(inner);
    letter && (signs >= 2 || (digit && letter && !value.contains('.')))
}

fn trim(value: &str) -> &str {
    value.trim_matches(|c: char| c.is_whitespace() || "\"'`„“”‚‘’«»".contains(c))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::redact_with;

    pub fn redacted(text: &str) -> String {
        redact_with(text, &crate::Choices::default(), &crate::Taken::default()).text
    }

    /// Fails if one of the secrets of a text is shown.
    pub fn seals(texts: &[(&str, &[&str])]) {
        for (text, secrets) in texts {
            let found = redacted(text);
            for secret in *secrets {
                assert!(!found.contains(secret), "{text}: {found}");
            }
        }
    }

    #[test]
    fn being_against_something_announces_nothing() {
        let line = super::Line::of(0, "estoy en contra de usar es Kubernetes2");
        assert_eq!(super::labels::short(&line), None);
    }

    #[test]
    fn each_noun_has_a_stem() {
        let has = |noun: &&str| super::STEMS.iter().any(|stem| noun.contains(stem));
        assert!(super::NOUNS.iter().all(has));
    }

    #[test]
    fn what_people_announce_is_found() {
        seals(&[
            ("kennword: Igel-im-Wald7", &["Igel-im-Wald7"]),
            ("passowrd = tulip99!x", &["tulip99!x"]),
            ("RABBITMQ_DEFAULT_PASS=kaninchen", &["kaninchen"]),
            ("A=1 PGPASSWORD=elephant_trunk psql -h pg", &["elephant_trunk"]),
            ("export RESTIC_PASSWORD=\"three blind mice\"", &["three blind mice"]),
            ("secret_access_key = My-Minio-Key", &["My-Minio-Key"]),
            ("I send you the root password below.\n\nzT8!kkwQ21", &["zT8!kkwQ21"]),
            ("Das Kennwort folgt unten.\nServer: web1\n\nApfel#Baum7", &["Apfel#Baum7"]),
            ("quiero esta contraseña:\nEl perro verde 1987", &["El perro verde 1987"]),
            ("le mot de passe n'est pas Soleil_77 mais Soleil-77", &["Soleil_77", "Soleil-77"]),
            ("la contra de la base es gatito22", &["gatito22"]),
            ("user root, pwd blauwbeer, host db1", &["blauwbeer"]),
            (
                "Accounts and passwords:\n- ann / Flower99!\n- ben / treehouse",
                &["Flower99!", "treehouse"],
            ),
            ("chpasswd:\n  list: |\n    root:toor1234\n    ops:letmein", &["toor1234", "letmein"]),
            ("Kann mich nicht anmelden mit \"Birne2024x\"", &["Birne2024x"]),
            ("the passphrase is 'two green 9 birds'", &["two green 9 birds"]),
            ("it's locked, the passphrase is \"a boat 4 two\"", &["a boat 4 two"]),
        ]);
    }

    #[test]
    fn what_only_sounds_like_it_stays() {
        for text in [
            "please sign in to \"grafana-prod01\" first",
            "login with user \"deploy01\" on host \"web-01\"",
            "mot de passe oublié ? cliquez sur \"Réinitialiser2FA\"",
            "iniciar sesión en \"servidor-web2\" no funciona",
            "passport: AB1234567",
            "password field names: user_pass or user-pass",
            "rename password_hash to password_hash2",
            "Servers and passwords are in the vault:\n- web: web-01\n- db: db-02",
            "I will post the password reset steps below.\n\nresetSteps",
            "export DB_PASSWORD=$(pass show db)",
            "PASSWORD_FILE=/run/secrets/db1",
            "if [ \"$PASSWORD\" == \"x1y2\" ]; then",
            "la clave del éxito es tener buenos backups",
            "MYSQL_PASSWORD=TU_CONTRASEÑA_AQUI",
            "DATABASE_URL=postgres://user:<password>@db:5432/app",
            "kms key is arn:aws:kms:us-east-1:123456789012:key/6b71cb5b-065c-462e-9ed2-f65251789e6a",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
