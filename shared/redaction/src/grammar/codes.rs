//! Decides which values are codes: one-time passwords, seeds, and numbers to type.

use super::context::{Context, PLACE_WORDS, Tie};
use super::several_words::is_base32;
use crate::things::is_uuid;
use crate::value::Value;
use crate::weight::Weight;
use crate::words::Role;
use std::ops::Range;

/// The shortest one-time code, in bytes.
const CODE_BYTES: usize = 6;
/// The shortest seed of one-time passwords, in bytes.
const SEED_BYTES: usize = 16;
/// The number of digits in a number that people type, such as a PIN.
const PIN_DIGITS: Range<usize> = 4..13;
/// How many words may come between "PIN" and its number.
const PIN_WORDS: u8 = 6;

/// Whether a value is a key or a token in the form of an identifier, as some vendors make them: "the API key for Mapbox is …".
pub(super) fn is_identifier(context: &Context, value: &str) -> bool {
    if !is_uuid(value)
        || context.values > 0
        || !matches!(context.role, Role::Password | Role::Token)
    {
        return false;
    }
    let (key, most_words) = match context.name.as_str() {
        "API_KEY" => (true, PLACE_WORDS),
        "CLIENT_SECRET" => (true, PLACE_WORDS),
        "SECRET_KEY" => (true, 1),
        "API_TOKEN" | "ACCESS_TOKEN" => (false, 1),
        _ => return context.words == 0 && matches!(context.tie, Tie::Sign | Tie::Option),
    };
    match context.tie {
        Tie::Sign | Tie::Copula => context.words <= most_words,
        Tie::Option => context.words == 0,
        Tie::Direct => key && context.words == 0,
        _ => false,
    }
}

/// Whether a value is a one-time password, the seed of one-time passwords, or a number to type.
pub(super) fn is_code(context: &Context, found: &Value, value: &str) -> bool {
    let tied = matches!(context.tie, Tie::Sign | Tie::Copula | Tie::And)
        || (context.tie == Tie::NextLine && found.last);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let number = digits == value.len() && PIN_DIGITS.contains(&digits);
    let made = digits > 0 && value.len() >= CODE_BYTES && found.weight >= Weight::Weak;
    let seed = value.len() >= SEED_BYTES && is_base32(value) && is_capitals(value);
    tied && match context.role {
        Role::MaybePassword => number && context.words <= PIN_WORDS,
        _ => made || seed || is_grouped(value) || (number && value.len() >= CODE_BYTES),
    }
}

/// `12345-67890`
fn is_grouped(value: &str) -> bool {
    let group = value.find('-').unwrap_or_default();
    group >= 4
        && value.contains('-')
        && value.split('-').all(|g| g.len() == group && g.bytes().all(|b| b.is_ascii_digit()))
}

fn is_capitals(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn blanks_may_separate_the_codes_of_a_list() {
        for (text, secrets) in [
            ("recovery codes: 7c2e9-f04bd a81d3-6e5f7", ["7c2e9-f04bd", "a81d3-6e5f7"]),
            ("Wiederherstellungscodes: 8841-2096 3370-9158", ["8841-2096", "3370-9158"]),
            ("backup codes: 4821 9930, 1175 3308", ["4821 9930", "1175 3308"]),
        ] {
            assert_eq!(found(text), secrets, "{text}");
        }
        assert_eq!(found("recovery codes: 8841-2096 for web01a and host7b"), ["8841-2096"]);
    }

    #[test]
    fn a_compound_may_end_in_pin() {
        assert_eq!(found("Kundenpin: 50826"), ["50826"]);
        assert_eq!(found("die Telefonpin ist 9920"), ["9920"]);
        assert_eq!(found("pin serwisowy 260518, panel 2"), ["260518"]);
        for text in ["the spin: 50826", "pin build 4521", "pin node 1822 in the lock file"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
