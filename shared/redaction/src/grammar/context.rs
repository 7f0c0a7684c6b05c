//! Decides which form a value must have in its position.

use super::codes::{is_code, is_identifier};
use super::machines::{is_long_name, is_target};
use super::passwords::is_password;
use super::tokens::is_token;
use crate::SecretKind;
use crate::things::is_dotted_pair;
use crate::value::Value;
use crate::weight::{Weight, is_hex, is_labeled, is_random};
use crate::words::Role;

/// How many words a context lasts.
const WORDS: u8 = 14;
/// How many lines below its word a value may be.
const LINES: u8 = 2;
/// The shortest password of letters and digits after "clave" and "is", in bytes.
const LONG_BYTES: usize = 8;
/// The count of words of a context before the next code of a list: the count after a value, and "and".
const LIST_WORDS: u8 = 2;
/// The shortest key whose word does not say that it is secret, in bytes.
const KEY_BYTES: usize = 24;

/// The most words between a password's word and its name with a dot, "is" included.
pub(super) const PLACE_WORDS: u8 = 4;

/// The length of the part of a value that decides whether it fits, in bytes; at least as long as a random text may be.
const LOOKED_AT_BYTES: usize = 600;

/// The tie between a word for a secret and the text after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// `=`, `:`, the bar of a table, the end of an XML tag.
    Sign,
    /// A command's option: `--password `.
    Option,
    /// "is", or a dash.
    Copula,
    /// Nothing between them.
    Direct,
    /// "with".
    With,
    /// Another value comes before it, with "and" or a comma between them.
    And,
    /// The other half of `name / value`.
    Slash,
    /// The value is on the next line.
    NextLine,
    /// A question mark: "The root password? X".
    Asked,
    /// Other words between them.
    Near,
    /// A user's name, a host or the like follows.
    Subject,
}

/// A word for a secret, and what was read since.
#[derive(Debug)]
pub struct Context {
    pub role: Role,
    pub name: String,
    pub tie: Tie,
    /// Words read since.
    pub words: u8,
    /// Values read since.
    pub values: u8,
    /// Line ends read since.
    pub lines: u8,
    /// The word is a variable's name in capitals.
    pub is_variable: bool,
    /// The word is an identifier in a program and not a word of a sentence.
    pub identifier: bool,
    /// The word is one of several options on a line, and not a word of a sentence.
    pub command: bool,
    /// The word is at the start of its line.
    pub line_starts: bool,
    /// "with" comes before the word: "with password X".
    pub said: bool,
    /// A preposition follows the word, so the value comes after a name: "password of the database: X".
    pub governed: bool,
    /// The word is a variable's name as a shell takes it before a command: `SSHPASS=X sshpass`.
    pub is_capitals: bool,
    /// The word begins the name of something else: "password manager".
    pub compound: bool,
    /// The text says what the password opens: "clave del servidor".
    pub placed: bool,
    /// The word announces several values: "passwords", "credentials".
    pub plural: bool,
    /// The word announces a value of several words: "passphrase".
    pub phrase: bool,
    /// A value of a list of codes was read, so another may follow below it.
    pub listed: bool,
    /// The word announces one-time passwords, their seed, or a number to type, such as a PIN.
    pub code: bool,
    /// The word announces a user's name with its password: "credentials".
    pub pairs: bool,
    /// Only the reference to a password opened the context: "It was {{secret:PASSWORD}}, now it is X".
    pub implied: bool,
}

impl Context {
    /// The context after a reference to a password.
    pub fn implied() -> Self {
        Self {
            role: Role::Password,
            name: "PASSWORD".to_owned(),
            tie: Tie::Near,
            words: 0,
            values: 1,
            lines: 0,
            is_variable: false,
            identifier: true,
            command: false,
            line_starts: false,
            said: false,
            governed: false,
            compound: false,
            is_capitals: false,
            placed: false,
            plural: false,
            phrase: false,
            code: false,
            listed: false,
            pairs: false,
            implied: true,
        }
    }

    /// Whether a value fits here.
    pub fn accepts(&self, found: &Value, value: &str) -> bool {
        fits(self, found, &value[..value.floor_char_boundary(LOOKED_AT_BYTES)])
    }

    /// The kind of secret that it describes.
    pub fn kind(&self) -> SecretKind {
        SecretKind::of(self.role)
    }

    /// Whether `user:password` may follow.
    pub fn takes_pairs(&self) -> bool {
        let role =
            matches!(self.role, Role::Password | Role::Login | Role::Program | Role::MaybePassword);
        role && !self.implied
    }

    /// Records a value, or its reference.
    pub fn value_passed(&mut self) {
        self.values = self.values.saturating_add(1);
        if self.plural {
            // Each line of a list has a value.
            (self.lines, self.words) = (0, 1);
        }
        self.listed = self.plural && self.code;
        // Blanks may separate the codes of a list.
        self.tie = if self.listed { Tie::And } else { Tie::Near };
    }

    /// Records a word; returns whether the context continues after it.
    pub fn goes_on(&mut self, role: Option<Role>) -> bool {
        // `- name: DB_PASSWORD` with `value: …` below it
        let value = role == Some(Role::Value);
        self.words = self.words.saturating_add(u8::from(!value));
        let distant = matches!(self.tie, Tie::Near | Tie::Asked | Tie::Subject | Tie::Sign);
        self.tie = match role {
            Some(Role::Copula | Role::As) => Tie::Copula,
            Some(Role::With) => Tie::With,
            Some(Role::Filler) if self.values > 0 => Tie::And,
            Some(Role::Filler) if !distant => self.tie,
            Some(Role::Qualifier) if self.role == Role::Key => {
                // "clé API", "chave de acesso"
                self.role = Role::Token;
                "API_KEY".clone_into(&mut self.name);
                Tie::Direct
            }
            _ => Tie::Near,
        };
        self.words <= WORDS
    }

    /// Records the end of a line; returns whether the context continues after it.
    pub fn next_line(&mut self, blank: bool) -> bool {
        self.lines = self.lines.saturating_add(1);
        if self.listed && !blank {
            self.tie = Tie::NextLine;
            return true;
        }
        let below = matches!(self.tie, Tie::Sign | Tie::Direct | Tie::Copula | Tie::NextLine)
            && self.values == 0
            && (self.words == 0 || self.tie != Tie::Direct);
        if below {
            self.tie = Tie::NextLine;
            return self.lines <= LINES;
        }
        match self.role {
            Role::Login => self.lines <= LINES,
            Role::Program => false,
            _ => !blank && !self.identifier && self.lines <= 1,
        }
    }
}

/// Whether a value fits its position.
fn fits(context: &Context, found: &Value, value: &str) -> bool {
    if context.implied {
        let tied = matches!(context.tie, Tie::Sign | Tie::Copula);
        return tied && found.weight == Weight::Strong && !is_hex(value) && !is_long_name(value);
    }
    let in_list = context.listed && context.tie == Tie::And;
    if in_list || (context.code && is_code(context, found, value)) {
        // "X for web01a and host7b" goes on with other things.
        return !in_list || (context.words <= LIST_WORDS && is_code(context, found, value));
    }
    if is_identifier(context, value) {
        return true;
    }
    match context.role {
        Role::Password => is_password(context, found, value),
        Role::MaybePassword => match context.tie {
            Tie::Sign | Tie::Option | Tie::NextLine => {
                // "clave ssh: monte.alto2"
                let pair = || context.line_starts && found.last && is_dotted_pair(value);
                ((found.weight >= Weight::Name || is_labeled(value))
                    && is_password(context, found, value))
                    || pair()
            }
            Tie::Copula => {
                found.weight == Weight::Strong
                    || (found.weight == Weight::Fair && context.words <= 1)
                    || (found.weight == Weight::Name
                        && (context.words <= 1 || (context.placed && context.words <= 3))
                        && value.len() >= LONG_BYTES)
            }
            Tie::Direct => found.weight >= Weight::Strong,
            Tie::Asked => is_password(context, found, value),
            _ => false,
        },
        Role::Token => is_token(context, found, value),
        Role::Key => {
            let tied = matches!(context.tie, Tie::Sign | Tie::Copula | Tie::NextLine | Tie::Direct);
            let strong =
                found.weight == Weight::Strong && value.len() >= KEY_BYTES && !is_hex(value);
            tied && (is_random(value) || strong)
        }
        Role::Login => match context.tie {
            Tie::Slash => found.weight >= Weight::Name && !is_hex(value),
            Tie::Subject => false,
            // `sftp:backup@nas1:/data2`
            _ => {
                found.weight == Weight::Strong
                    && !is_hex(value)
                    && !is_long_name(value)
                    && !is_target(value.split([':', '/']).next().unwrap_or_default())
            }
        },
        Role::Network => {
            let digit = value.contains(|c: char| c.is_ascii_digit());
            context.tie == Tie::Slash && found.weight >= Weight::Weak && digit
        }
        Role::Program => {
            found.weight >= Weight::Name
                && !is_hex(value)
                && !is_target(value.split(':').next().unwrap_or_default())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn the_place_of_a_value_says_which_form_is_enough() {
        for (text, secret) in [
            ("hasło admina zebra1zebra", "zebra1zebra"),
            ("und als WLAN-Schlüssel 58204713960277184639", "58204713960277184639"),
            ("la password del pannello è Gelato.Limone", "Gelato.Limone"),
            ("senha: lanterna.vela.vento", "lanterna.vela.vento"),
            ("clave ssh: monte.alto2", "monte.alto2"),
            ("env[DB_PASS] = walnut_B", "walnut_B"),
            ("php_admin_value[mysqli.default_pw] = walnut_tree3", "walnut_tree3"),
            ("elastic password xK3pQ9z=8v!Lm", "xK3pQ9z=8v!Lm"),
            ("deve avere la password \"noce_verde89\" e l'utente app", "noce_verde89"),
            ("het wachtwoord? Walnoot.Gouda  en verder niets", "Walnoot.Gouda"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        assert_eq!(
            found("le wifi c'est Office2024, the wifi is WPA3, the password? Nope."),
            [""; 0]
        );
    }
}
