//! Decides which values are passwords: secrets that a person chose, or may have chosen.

use super::context::{Context, PLACE_WORDS, Tie};
use super::cues::{is_joined_title, is_odd};
use super::machines::{is_long_name, is_target};
use crate::things::{is_birthday, is_dotted_secret, is_dotted_title};
use crate::value::Value;
use crate::weight::{Weight, is_hex, is_labeled, is_titled};

/// The shortest password of letters and digits directly after its word, in bytes.
const SAID_BYTES: usize = 7;
/// The shortest number that is the whole key of a wireless network, in bytes. A shorter one may be a date.
const NUMBER_BYTES: usize = 9;

/// Whether a value after a word for a password is one.
pub(super) fn is_password(context: &Context, found: &Value, value: &str) -> bool {
    let Some(least) = least_weight(context, found, value) else { return false };
    let fits = found.weight >= least
        || is_with_label(context, value)
        || is_number(context, value)
        || is_title(context, found, value)
        || is_date(context, found, value)
        || is_phrase(context, value);
    fits && !is_other_thing(context, found, value)
}

/// How much a value must look like a password in its position; nothing if it cannot be one.
fn least_weight(context: &Context, found: &Value, value: &str) -> Option<Weight> {
    let close = context.words == 0;
    Some(match context.tie {
        Tie::Sign if close && found.quoted => Weight::Weak,
        // A line of a configuration file.
        Tie::Sign if close && context.line_starts && found.last => Weight::Weak,
        Tie::Sign if close && context.identifier && !value.contains(['.', '/', ':', '_']) => {
            Weight::Weak
        }
        Tie::Option if close && context.command => Weight::Weak,
        Tie::Sign | Tie::Option | Tie::Slash => Weight::Name,
        Tie::Copula if found.quoted => Weight::Weak,
        // `ALTER ROLE app PASSWORD 'gingerbread man';`
        Tie::Direct
            if found.quoted && (context.said || (close && (found.last || is_titled(value)))) =>
        {
            Weight::Weak
        }
        Tie::Copula | Tie::And => Weight::Name,
        Tie::NextLine if found.last => Weight::Name,
        // "deve avere la password "nocciola_blu89" e …"
        Tie::Direct if found.quoted && close && is_odd(value) => Weight::Weak,
        Tie::Direct if found.quoted || context.said => Weight::Name,
        Tie::Direct if close && value.len() >= SAID_BYTES => Weight::Name,
        Tie::Direct | Tie::With => Weight::Fair,
        Tie::Asked if found.last => Weight::Name,
        // "hasło admina X"
        Tie::Near if context.placed && context.words == 1 && context.values == 0 => Weight::Fair,
        Tie::NextLine | Tie::Asked | Tie::Near => Weight::Strong,
        // "mdp wifi salle serveur : X"
        Tie::Subject if context.placed && context.values == 0 && context.words <= 4 => Weight::Fair,
        Tie::Subject => return None,
    })
}

/// Whether a value is a name with a number, where a password is tied closely to its word.
fn is_with_label(context: &Context, value: &str) -> bool {
    let tied = match context.tie {
        Tie::Option => true,
        Tie::Sign | Tie::Slash => context.values == 0 || context.tie == Tie::Slash,
        Tie::Copula => context.words <= 1,
        Tie::Direct => context.words == 0 && value.matches('-').count() >= 2,
        _ => false,
    };
    tied && is_labeled(value)
}

/// Whether a value is a number that is long enough to be a key.
fn is_number(context: &Context, value: &str) -> bool {
    context.words == 0
        && matches!(context.tie, Tie::Direct | Tie::Sign | Tie::Copula)
        && value.len() >= NUMBER_BYTES
        && value.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a value is capitalized words with signs between them: "het wachtwoord? Walnoot.Gouda".
fn is_title(context: &Context, found: &Value, value: &str) -> bool {
    let close = context.words == 0;
    let told = context.tie == Tie::Copula && context.words <= PLACE_WORDS;
    let set = matches!(context.tie, Tie::Sign | Tie::Option) && close;
    if set && is_dotted_title(value) && (found.quoted || (found.last && !context.identifier)) {
        return true;
    }
    (told || (close && context.tie == Tie::Asked))
        && (is_joined_title(value, '.') || is_joined_title(value, '_'))
}

/// Whether a value is a date as people use it for a password.
fn is_date(context: &Context, found: &Value, value: &str) -> bool {
    let told = matches!(context.tie, Tie::Copula)
        || (found.quoted && matches!(context.tie, Tie::Direct | Tie::Sign));
    told && context.words <= PLACE_WORDS && is_birthday(value)
}

/// Whether a value is words with signs between them: "senha: lanterna.sela.vento", but not
/// `db_password: lantern.saddle.gravel`, which may be an attribute.
fn is_phrase(context: &Context, value: &str) -> bool {
    let told = match context.tie {
        Tie::Copula => context.words <= PLACE_WORDS,
        Tie::Sign | Tie::Slash => context.words <= PLACE_WORDS && !context.identifier,
        Tie::Direct => context.words == 0 && context.said,
        _ => false,
    };
    let joined = || {
        let part = |part: &str| part.len() >= 4 && part.bytes().all(|b| b.is_ascii_lowercase());
        context.phrase
            && matches!(context.tie, Tie::Sign | Tie::Copula)
            && ['_', '-'].iter().any(|joint| value.matches(*joint).count() >= 3)
            && value.split(['_', '-']).all(part)
    };
    told && context.values == 0 && (is_dotted_secret(value) || joined())
}

/// Whether a value that looks like a password is more likely a digest, the name of a machine, or that of a person.
fn is_other_thing(context: &Context, found: &Value, value: &str) -> bool {
    let digest =
        matches!(context.tie, Tie::Near | Tie::Asked | Tie::With | Tie::And) && is_hex(value);
    digest
        || (matches!(context.tie, Tie::Near | Tie::Asked)
            && !is_title(context, found, value)
            && (is_long_name(value) || is_target(value)))
        // "is still the same as before the migration to web3"
        || (context.tie == Tie::Copula
            && context.words >= PLACE_WORDS
            && !value.contains(char::is_uppercase)
            && is_long_name(value))
        // "never write passwords into the chat, Jonas!"
        || (context.words > 1 && is_called(value))
}

/// `Jonas!`: the name of the person who is addressed.
fn is_called(value: &str) -> bool {
    let name = value.strip_suffix('!').unwrap_or_default();
    name.starts_with(char::is_uppercase) && name.chars().skip(1).all(char::is_lowercase)
}
