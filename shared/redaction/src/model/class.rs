//! What a token may be: a word that the rules know, or something of a certain shape.

use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::weight::{Weight, is_hex};
use crate::words::{Role, Table, is_other_code, role, roles};
use std::sync::OnceLock;

/// The least length of the ending of a compound that is looked up, in bytes: "Kundenpin", "Wartungscode".
const ENDING_BYTES: usize = 3;
/// Endings of compounds that are words for a secret.
const ENDINGS: [(&str, Class); 16] = [
    ("passwort", Class::Password),
    ("password", Class::Password),
    ("kennwort", Class::Password),
    ("wachtwoord", Class::Password),
    ("losungswort", Class::Password),
    ("passphrase", Class::Password),
    ("schlussel", Class::Key),
    ("sleutel", Class::Key),
    ("token", Class::Token),
    ("secret", Class::Token),
    ("pin", Class::Password),
    ("code", Class::Code),
    ("codes", Class::Code),
    ("key", Class::Key),
    ("pw", Class::Password),
    ("zugang", Class::Login),
];

/// Folded words that often come with a secret although they do not announce one: programs and devices that ask for one,
/// and how its letters are described.
const HINTS: &str = "restic borg luks keystore truststore vault ansible-vault snmp community comunidad communaute comunita      comunidade idrac ilo ipmi bios mikrotik fritzbox bind sudo wifi wlan nas      phrase phrases satz frase zin prompt prompts ecran ecra scherm invite unlocks unlock opens locked      entsperrt entsperren aufgesperrt abre apre ouvre opent odblokowuje      lowercase uppercase lower case caps capital capitals minuscule minuscules minusculas minuscolo minuscole      kleingeschrieben grossgeschrieben geschrieben kleinbuchstaben klein gross letters lettere letras lettres spaces      leerzeichen espacios espaces spazi espaco espacos spaties spatie verlan accents      typed retype spelled spelling buchstabiert invalid rejected works post-it briefje zettel foglietto papel";

fn is_hint(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(HINTS)).get(folded).is_some()
}

/// What a token is to the sentence around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    // Words for secrets.
    Password,
    Token,
    Key,
    Login,
    Network,
    Code,
    /// A word that often comes with a secret although it does not announce one: "restic", "lowercase".
    Hint,
    // Other words that the rules know.
    Qualifier,
    Copula,
    May,
    Changed,
    Not,
    When,
    Of,
    With,
    As,
    Joins,
    It,
    Type,
    Asks,
    If,
    Who,
    Subject,
    Name,
    Value,
    Filler,
    Parts,
    Describes,
    About,
    Program,
    // Shapes.
    /// Letters in lower case.
    Lower,
    Title,
    Upper,
    Mixed,
    Number,
    /// Letters, then digits.
    WordDigits,
    Hex,
    Path,
    Url,
    Mail,
    Address,
    Option,
    Snake,
    Kebab,
    Dotted,
    Variable,
    /// Something that the rules never take for a secret.
    Thing,
    Fair,
    Strong,
    Sign,
    /// A reference to a secret that is sealed.
    Known,
}

impl Class {
    /// Whether a word of this class announces a secret.
    pub fn is_cue(self) -> bool {
        self <= Self::Code
    }

    /// Whether a plain word near a token of this class may be a secret.
    pub fn invites(self) -> bool {
        self <= Self::Hint || self == Self::Known
    }

    /// Whether a word of this class keeps a word for a secret and a value apart.
    pub fn parts(self) -> bool {
        matches!(
            self,
            Self::Parts | Self::Describes | Self::About | Self::Not | Self::Asks | Self::If
        )
    }

    fn of_role(role: Role) -> Self {
        match role {
            Role::Password | Role::MaybePassword => Self::Password,
            Role::Token => Self::Token,
            Role::Key => Self::Key,
            Role::Qualifier => Self::Qualifier,
            Role::Login => Self::Login,
            Role::Network => Self::Network,
            Role::Code => Self::Code,
            Role::Program => Self::Program,
            Role::Copula => Self::Copula,
            Role::With => Self::With,
            Role::As => Self::As,
            Role::Subject => Self::Subject,
            Role::Value => Self::Value,
            Role::Name => Self::Name,
            Role::Filler => Self::Filler,
        }
    }

    fn of_part(part: Part) -> Self {
        match part {
            Part::Is => Self::Copula,
            Part::May => Self::May,
            Part::Changed => Self::Changed,
            Part::Not | Part::Gone => Self::Not,
            Part::When => Self::When,
            Part::Of => Self::Of,
            Part::Who => Self::Who,
            Part::Type => Self::Type,
            Part::Asks => Self::Asks,
            Part::If => Self::If,
            Part::Joins => Self::Joins,
            Part::It => Self::It,
        }
    }

    fn of_says(says: Says) -> Self {
        match says {
            Says::Links => Self::Of,
            Says::Joins => Self::Filler,
            Says::Parts => Self::Parts,
            Says::Describes => Self::Describes,
            Says::About => Self::About,
        }
    }

    /// The class of a word: what it says, or else its shape.
    pub fn of(word: &str, folded: &str, weight: Weight) -> Self {
        if word.chars().all(char::is_alphabetic) || folded.contains('\'') {
            if is_hint(folded) {
                return Self::Hint;
            }
            if let Some(role) = role(folded) {
                return Self::of_role(role);
            }
            if let Some(part) = part(word) {
                return Self::of_part(part);
            }
            if let Some(says) = says(word) {
                return Self::of_says(says);
            }
        }
        Self::of_compound(folded).unwrap_or_else(|| Self::of_shape(word, weight))
    }

    /// Whether a folded word may be one of those that invite.
    pub fn may_invite(folded: &str) -> bool {
        static TABLE: OnceLock<Table<bool>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            let hints = HINTS.split_whitespace().map(|hint| (hint, true));
            Table::of(hints.chain(roles().map(|(word, role)| (word, Self::of_role(role).is_cue()))))
        });
        table.get(folded).unwrap_or_else(|| Self::of_compound(folded).is_some())
    }

    /// `db_password`, "WLAN-Schlüssel", "Kundenpin".
    fn of_compound(folded: &str) -> Option<Self> {
        if folded.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let last = folded.rsplit(['-', '_', '.']).next()?;
        if last.len() < folded.len()
            && let Some(role) = role(last)
            && Self::of_role(role) <= Self::Qualifier
        {
            return Some(Self::of_role(role));
        }
        // Two bytes are compared first, because few words are compounds.
        let tail = last.as_bytes().last_chunk::<2>().filter(|_| last.len() >= ENDING_BYTES)?;
        let fits = |ending: &str| ending.as_bytes().last_chunk() == Some(tail);
        let found = ENDINGS.iter().find(|(ending, _)| fits(ending) && last.ends_with(ending));
        let found = found.map(|(_, class)| *class);
        found.filter(|class| *class != Self::Code || !is_other_code(last))
    }

    fn of_shape(word: &str, weight: Weight) -> Self {
        let any = |f: fn(char) -> bool| word.chars().any(f);
        let all = |f: fn(char) -> bool| word.chars().all(f);
        if !any(char::is_alphanumeric) {
            return Self::Sign;
        }
        if word.starts_with('-') && word[1..].starts_with(|c: char| c == '-' || c.is_alphabetic()) {
            return Self::Option;
        }
        if word.starts_with('$') || word.starts_with('%') && word.ends_with('%') {
            return Self::Variable;
        }
        if word.contains("://") || word.starts_with("jdbc:") {
            return Self::Url;
        }
        if word.starts_with(['/', '~', '\\']) || word.starts_with("./") {
            return Self::Path;
        }
        if all(char::is_alphabetic) {
            let rest = word.chars().skip(1).all(char::is_lowercase);
            return match word.starts_with(char::is_uppercase) {
                false if rest => Self::Lower,
                true if rest => Self::Title,
                true if all(char::is_uppercase) => Self::Upper,
                _ => Self::Mixed,
            };
        }
        if all(|c| c.is_ascii_digit()) {
            return Self::Number;
        }
        if is_hex(word) {
            return Self::Hex;
        }
        let identifier = |joint: char| {
            word.contains(joint)
                && word.split(joint).all(|part| {
                    let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
                    part.chars().all(char::is_lowercase) || part.chars().all(char::is_uppercase)
                })
        };
        match weight {
            Weight::None if word.contains('@') => Self::Mail,
            Weight::None if word.contains('/') => Self::Path,
            Weight::None if word.starts_with(|c: char| c.is_ascii_digit()) => Self::Address,
            Weight::None => Self::Thing,
            _ if identifier('_') => Self::Snake,
            _ if identifier('-') => Self::Kebab,
            _ if identifier('.') => Self::Dotted,
            Weight::Name => Self::WordDigits,
            Weight::Strong => Self::Strong,
            Weight::Weak if word.contains('/') => Self::Path,
            _ => Self::Fair,
        }
    }
}
