//! Reads the words before a word for a password: what they report, who they ask, whose the password is.

use super::plain::{is_article, takes, words_before};
use crate::lexicon::{Part, part};
use crate::words::{Role, folded, lists, role};
use std::cell::OnceCell;

/// How many words before the word for a password are read.
const BEFORE: usize = 9;

/// The words before the word for a password in its sentence, the nearest first.
pub(super) struct WordsBefore<'t> {
    pub sentence: &'t str,
    /// What these words say, on demand: most ties do not need it.
    told: OnceCell<Told>,
}

/// What the words before the word for a password say.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub asks: bool,
    pub types: bool,
    pub changes: bool,
    pub takes: bool,
}

impl<'t> WordsBefore<'t> {
    pub fn of(sentence: &'t str) -> Self {
        Self { sentence, told: OnceCell::new() }
    }

    pub fn words(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        words_before(self.sentence, 0).map(|(_, word)| word).take(BEFORE)
    }

    pub fn told(&self) -> Told {
        *self.told.get_or_init(|| {
            let mut told = Told::default();
            for word in self.words() {
                match part(word) {
                    Some(Part::Asks | Part::If) => told.asks = true,
                    Some(Part::Type) => told.types = true,
                    Some(Part::Changed) => told.changes = true,
                    _ => {}
                }
                told.takes |= takes(word);
            }
            told
        })
    }

    /// Whether "as" comes before the word, so that a verb and the value follow: "as the password we use X".
    pub fn is_role(&self) -> bool {
        let mut words = self.words().skip_while(|word| is_article(word));
        words.next().is_some_and(|word| role(&folded(word)) == Some(Role::As))
    }

    /// Whether a verb comes right before "as": "setze als Passwort X".
    pub fn takes_role(&self) -> bool {
        let mut words = self.words().skip_while(|word| is_article(word)).skip(1);
        words.next().is_some_and(|word| {
            takes(word) || matches!(part(word), Some(Part::Type | Part::Changed))
        })
    }

    /// Whether the words report a change: "ho cambiato la password in X", "j'ai changé le mot de passe en X".
    pub fn is_past(&self) -> bool {
        const PAST: [&str; 6] =
            ["cambiat", "modificat", "impostat", "changé", "modifié", "veranderd"];
        self.words().any(|word| PAST.iter().any(|past| word.starts_with(past)))
    }

    /// Whether the words say whose a short word is: "my pass", "tu clave".
    pub fn owns(&self) -> bool {
        const OWN: &str = "my our your root admin mi tu su nuestra nueva wifi db ma vpn sudo ssh minha server smtp mail \
             email ftp sftp router user mysql postgres redis nas wlan rdp pc laptop account prod staging mongo \
             linux windows bios zip";
        let mut words = self.words().peekable();
        let owned = words.peek().is_some_and(|word| {
            let word = word.to_lowercase();
            word.ends_with("'s") || lists(OWN, &word)
        });
        owned || self.sentence.trim().is_empty()
    }
}

/// Whether a text ends with a field of a list and its separator: `user: www, `.
pub(super) fn starts_field(before: &str) -> bool {
    const FIELD_BYTES: usize = 64;
    let from = before.floor_char_boundary(before.len().saturating_sub(FIELD_BYTES));
    let line = before[from..].rsplit('\n').next().unwrap_or_default();
    let field = [", ", "; ", " | ", " / "].iter().find_map(|end| line.strip_suffix(end));
    field.is_some_and(|field| {
        let field = field.rsplit([',', ';', '|']).next().unwrap_or_default().trim_start();
        field.split_once(": ").is_some_and(|(name, value)| {
            name.chars().all(char::is_alphabetic) && !value.is_empty() && !value.contains(' ')
        })
    })
}

/// The longest name of a list in a configuration, in bytes.
const LIST_BYTES: usize = 32;

/// Whether only marks come before a word on its line, or a list whose entry it names.
pub(super) fn starts_line(before: &str) -> bool {
    // `env[DB_PASS] = walnut`
    let list = before.strip_suffix('[').map(|list| {
        let from = list.floor_char_boundary(list.len().saturating_sub(LIST_BYTES));
        let name = |c: char| c.is_ascii_lowercase() || c == '_';
        list[..from].len() + list[from..].trim_end_matches(name).len()
    });
    let before = list.map_or(before, |end| &before[..end]);
    let before = before.trim_end_matches([' ', '\t', '"', '\'', '-', '*', '|', '>']);
    before.is_empty() || before.ends_with('\n')
}
