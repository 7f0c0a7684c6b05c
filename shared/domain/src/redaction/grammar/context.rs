//! The required form of a value, by its position.

use crate::redaction::SecretKind;
use crate::redaction::value::Candidate;
use crate::redaction::weight::{Weight, is_hex, is_random, is_wordy};
use crate::redaction::words::Role;

/// How many words after its opening a context lasts.
const WORDS: u8 = 14;
/// How many lines a value may stand below its word.
const LINES: u8 = 2;
/// Shortest token that its word alone identifies, in bytes.
const TOKEN_BYTES: usize = 12;
/// Shortest in a sentence.
const SAID_TOKEN_BYTES: usize = 16;
/// Shortest digest-like text that is a secret because its word says so, in bytes.
const HEX_BYTES: usize = 16;
/// Shortest key whose word does not say that it is a secret one, in bytes.
const KEY_BYTES: usize = 24;

/// The tie between a word for a secret and the text after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// `=`, `:`, a table's bar, an XML tag's end.
    Sign,
    /// A command's option: `--password `.
    Option,
    /// "is", or a dash.
    Copula,
    /// Nothing between them.
    Direct,
    /// "with".
    With,
    /// Another value comes before, with "and" or a comma between.
    And,
    /// The other half of `name / value`.
    Slash,
    /// The value stands on the next line.
    NextLine,
    /// Other words between them.
    Near,
    /// What follows is a user's name, a host or the like.
    Subject,
}

/// A word for a secret, and the text read since.
#[derive(Debug)]
pub struct Context {
    pub role: Role,
    pub name: String,
    pub tie: Tie,
    /// Words since.
    pub words: u8,
    /// Values since.
    pub values: u8,
    /// Line ends since.
    pub lines: u8,
    /// The word is a variable's name in capitals.
    pub is_variable: bool,
    /// The word is a name in a program's text and no word of a sentence.
    pub identifier: bool,
    /// Whether it is at the start of its line.
    pub line_starts: bool,
    /// "with" stands before it: "with password X".
    pub said: bool,
}

impl Context {
    /// The kind of secret that it describes.
    pub fn kind(&self) -> SecretKind {
        SecretKind::of(self.role)
    }

    /// Whether `user:password` may follow.
    pub fn takes_pairs(&self) -> bool {
        matches!(self.role, Role::Password | Role::Login | Role::Program | Role::MaybePassword)
    }

    /// Records a word; returns whether the context continues after it.
    pub fn goes_on(&mut self, role: Option<Role>) -> bool {
        self.words += 1;
        let distant = matches!(self.tie, Tie::Near | Tie::Subject | Tie::Sign);
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

    /// Records a line's end; returns whether the context continues after it.
    pub fn next_line(&mut self, blank: bool) -> bool {
        self.lines += 1;
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

/// Whether a value fits its place.
pub fn fits(context: &Context, found: &Candidate, value: &str) -> bool {
    match context.role {
        Role::Password => is_password(context, found, value),
        Role::MaybePassword => match context.tie {
            Tie::Sign | Tie::Option | Tie::NextLine => {
                found.weight >= Weight::Name && is_password(context, found, value)
            }
            Tie::Copula => {
                found.weight == Weight::Strong
                    || (found.weight == Weight::Fair && context.words <= 1)
            }
            Tie::Direct => found.weight >= Weight::Strong,
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
            _ => found.weight == Weight::Strong && !is_hex(value) && !is_long_name(value),
        },
        Role::Program => found.weight >= Weight::Name && !is_hex(value),
        _ => false,
    }
}

fn is_password(context: &Context, found: &Candidate, value: &str) -> bool {
    let close = context.words == 0;
    let least = match context.tie {
        Tie::Sign if close && found.quoted => Weight::Weak,
        // A line of a configuration file.
        Tie::Sign if close && context.line_starts && found.last => Weight::Weak,
        Tie::Sign if close && context.identifier && !value.contains(['.', '/', ':', '_']) => {
            Weight::Weak
        }
        Tie::Sign | Tie::Option | Tie::Slash => Weight::Name,
        Tie::Copula if found.quoted => Weight::Weak,
        Tie::Direct if found.quoted && context.said => Weight::Weak,
        Tie::Copula | Tie::And => Weight::Name,
        Tie::NextLine if found.last => Weight::Name,
        Tie::Direct if found.quoted || context.said => Weight::Name,
        Tie::Direct if close && value.len() >= 8 => Weight::Name,
        Tie::Direct | Tie::With => Weight::Fair,
        Tie::NextLine | Tie::Near => Weight::Strong,
        Tie::Subject => return false,
    };
    let digest = matches!(context.tie, Tie::Near | Tie::With | Tie::And) && is_hex(value);
    found.weight >= least && !digest && !(context.tie == Tie::Near && is_long_name(value))
}

fn is_token(context: &Context, found: &Candidate, value: &str) -> bool {
    let made = found.weight >= Weight::Fair && !value.contains(' ');
    let hex = is_hex(value);
    match context.tie {
        Tie::Sign | Tie::Option | Tie::NextLine => {
            (made && value.len() >= TOKEN_BYTES && (!hex || value.len() >= HEX_BYTES))
                || (found.weight >= Weight::Strong && value.len() >= 8)
        }
        Tie::Copula | Tie::Direct | Tie::Slash => {
            let strong = found.weight == Weight::Strong;
            (strong
                && value.len() >= TOKEN_BYTES
                && (!hex || value.len() >= 2 * HEX_BYTES)
                && !is_long_name(value))
                || (hex && value.len() >= HEX_BYTES)
        }
        Tie::With | Tie::And => {
            found.weight == Weight::Strong
                && value.len() >= SAID_TOKEN_BYTES
                && !hex
                && !is_long_name(value)
        }
        Tie::Near => is_random(value),
        Tie::Subject => false,
    }
}

/// Words joined, with a part of letters and digits: `web-7d4b9c6f5-x2k8z`, `db.t3.large`.
fn is_long_name(value: &str) -> bool {
    let symbols = value.contains(|c: char| !c.is_alphanumeric() && !"-_./:".contains(c));
    let mixed = |part: &str| {
        let capitals = part.chars().skip(1).filter(char::is_ascii_uppercase).count();
        part.len() >= 8
            && capitals > 1
            && part.contains(|c: char| c.is_lowercase())
            && !is_wordy(part)
    };
    let made = value.split(['-', '_', '.', '/', ':']).any(mixed);
    !symbols && !made && value.contains(['-', '_', '.', '/', ':']) && !is_random(value)
}
