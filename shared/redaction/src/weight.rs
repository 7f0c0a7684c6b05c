//! Weighs how much a word looks like a secret, without regard to its context.

use super::talk::is_description;
use super::things::{
    is_birthday, is_digits_and_word, is_named_thing, is_placeholder, is_prose, is_stand_in,
    is_thing,
};
use super::words::is_east_asian;
use std::ops::Range;

/// The most consonants in a row that a word can have: "angstschweiss".
const CONSONANTS: usize = 5;
/// How much of a long word is read, in bytes. The beginning is enough.
const LOOKED_AT_BYTES: usize = 256;
/// The shortest value that may be a secret, in bytes.
pub const MIN_BYTES: usize = 4;
/// Lengths of a random text without a mark, in bytes.
const RANDOM_BYTES: Range<usize> = 20..513;

/// How much a word looks like a secret. The context decides how much is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Not a secret: a reference, a path, an address, a version, a word that describes a state.
    None,
    /// Only letters, only digits, or joined words: a password only where one must be.
    Weak,
    /// Letters with digits at the end, like names of things.
    Name,
    /// Letters and digits unlike any name.
    Fair,
    /// A form that only passwords and keys have.
    Strong,
}

/// The longest word of only letters that may belong to a sentence, in bytes.
const PROSE_BYTES: usize = 40;

/// The kind of a character. Each is looked up only once, because Unicode's tables take longer than everything else
/// here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    /// A letter or a digit of a script without capitals.
    Other,
    Joint,
    Symbol,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            '-' | '_' | '.' | '/' | ':' => Self::Joint,
            c if c.is_ascii() => Self::Symbol,
            c if is_east_asian(c) => Self::Other,
            c if c.is_lowercase() => Self::Lower,
            c if c.is_uppercase() => Self::Upper,
            c if c.is_alphanumeric() => Self::Other,
            _ => Self::Symbol,
        }
    }

    fn is_alphanumeric(self) -> bool {
        !matches!(self, Self::Joint | Self::Symbol)
    }
}

/// A word's characters, counted by kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kinds {
    pub lower: usize,
    upper: usize,
    digit: usize,
    /// Characters that join the words of names: `-`, `_`, `.`, `/`, `:`.
    joint: usize,
    pub symbol: usize,
    /// How often a digit is next to a letter, or a lowercase letter comes before a capital.
    changes: usize,
}

impl Kinds {
    pub fn of(text: &str) -> Self {
        let mut kinds = Self::default();
        let mut before = Kind::Joint;
        for c in text.chars() {
            let kind = Kind::of(c);
            *match kind {
                Kind::Lower | Kind::Other => &mut kinds.lower,
                Kind::Upper => &mut kinds.upper,
                Kind::Digit => &mut kinds.digit,
                Kind::Joint => &mut kinds.joint,
                Kind::Symbol => &mut kinds.symbol,
            } += 1;
            let both = before.is_alphanumeric() && kind.is_alphanumeric();
            let turned = (before == Kind::Digit) != (kind == Kind::Digit)
                || (before == Kind::Lower && kind == Kind::Upper);
            kinds.changes += usize::from(both && turned);
            before = kind;
        }
        kinds
    }

    fn variety(self) -> usize {
        [self.lower, self.upper, self.digit, self.symbol].iter().filter(|n| **n > 0).count()
    }
}

/// How much a value looks like a secret.
pub fn weigh(value: &str) -> Weight {
    let value = &value[..value.floor_char_boundary(LOOKED_AT_BYTES)];
    let kinds = Kinds::of(value);
    let letters = kinds.lower + kinds.upper;
    if kinds.digit + kinds.joint + kinds.symbol == 0 && value.len() <= PROSE_BYTES {
        return weigh_letters(value, kinds);
    }
    if is_birthday(value) {
        return Weight::Weak;
    }
    if value.len() < MIN_BYTES || is_thing(value, kinds) || is_stand_in(value) || repeats(value) {
        return Weight::None;
    }
    if letters == 0 {
        return if kinds.symbol > 1 && kinds.digit > 3 {
            Weight::Fair
        } else {
            digits_alone(value, kinds)
        };
    }
    if kinds.symbol == 0 && is_about_secrets(value) {
        return Weight::None;
    }
    if kinds.digit == 0 && kinds.symbol == 0 {
        return match (is_capricious(value, kinds), is_passphrase(value)) {
            (true, _) => Weight::Strong,
            (false, true) => Weight::Name,
            (false, false) => Weight::Weak,
        };
    }
    if is_joined_words(value) {
        let named = is_passphrase(value) || is_titled(value) || is_varied(value);
        return if named { Weight::Name } else { Weight::Weak };
    }
    let plain = kinds.symbol + kinds.joint == 0;
    if plain && (is_word_and_digits(value) || is_digits_and_word(value)) {
        return Weight::Name;
    }
    let inner_digit = kinds.digit > 0 && kinds.changes >= 2;
    let unreadable = value.len() >= 8 && kinds.joint == 0;
    let strong = (kinds.variety() >= 3 && (kinds.symbol > 0 || inner_digit || unreadable))
        || (kinds.variety() == 2 && kinds.changes >= 4)
        || (kinds.symbol > 0 && kinds.digit > 0 && value.len() >= 6);
    if strong && value.len() >= 6 { Weight::Strong } else { Weight::Fair }
}

/// Weighs a word of only letters, which most words are.
fn weigh_letters(value: &str, kinds: Kinds) -> Weight {
    let told = || is_description(value) || is_placeholder(value) || is_about_secrets(value);
    if value.len() < MIN_BYTES || told() || repeats(value) {
        return Weight::None;
    }
    if is_capricious(value, kinds) { Weight::Strong } else { Weight::Weak }
}

/// Whether a run of letters and digits is random: mixed case and digits, without the words of a name.
pub fn is_random(value: &str) -> bool {
    if !RANDOM_BYTES.contains(&value.len()) {
        return false;
    }
    let kinds = Kinds::of(value);
    let pairs = value.len().saturating_sub(1 + 2 * (kinds.joint + kinds.symbol)).max(1);
    let least_bits = if value.len() < 28 { 3.5 } else { 3.8 };
    kinds.lower > 2
        && kinds.upper > 2
        && kinds.digit > 1
        && 100 * kinds.changes >= 26 * pairs
        && bits_per_byte(value) >= least_bits
}

/// Whether a text is seven or more hexadecimal digits, with letters in one case only.
pub fn is_hex(value: &str) -> bool {
    let lower = value.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let upper = value.bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b));
    value.len() >= 7 && (lower || upper)
}

/// Shannon entropy of the text's bytes, in bits per byte.
fn bits_per_byte(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes().take(LOOKED_AT_BYTES) {
        counts[usize::from(byte)] += 1;
    }
    let total = f64::from(u32::try_from(text.len().min(LOOKED_AT_BYTES)).unwrap_or(1));
    let share = |n: &u32| f64::from(*n) / total;
    counts.iter().filter(|n| **n > 0).map(share).map(|p| -p * p.log2()).sum()
}

/// `app_password`, `tokenSecret2`: the name of a secret.
fn is_about_secrets(value: &str) -> bool {
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit()).as_bytes();
    #[rustfmt::skip]
    let words = ["password", "passwd", "passwort", "secret", "token", "credential", "apikey", "api_key", "api-key"];
    let is_at_an_end = |name: &str| {
        let (first, last) = (word.get(..name.len()), word.len().checked_sub(name.len()));
        let last = last.and_then(|at| word.get(at..));
        [first, last].iter().flatten().any(|part| part.eq_ignore_ascii_case(name.as_bytes()))
    };
    words.into_iter().any(is_at_an_end) && is_wordy(value) && !value.split(['-', '_']).any(is_leet)
}

/// `n0t`, `d0g`: a word with a digit in place of one letter.
fn is_leet(part: &str) -> bool {
    let bytes = part.as_bytes();
    let inner =
        bytes.len() == 3 && bytes[0].is_ascii_alphabetic() && bytes[2].is_ascii_alphabetic();
    inner && matches!(bytes[1], b'0' | b'1' | b'4')
}

/// Passwords that installers set and tell users to change. They count only after a word for a password.
pub fn is_default(value: &str) -> bool {
    ["changeme", "changeit", "secreto"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// One character over and over, as in `xxxxxxxx` and `--------`.
fn repeats(value: &str) -> bool {
    let mut chars = value.chars();
    let first = chars.next();
    chars.filter(|c| Some(*c) != first).count() < 2
}

/// Only letters, but with capitals where no word has them.
fn is_capricious(value: &str, kinds: Kinds) -> bool {
    let words = || {
        let runs = value.split(|c: char| c.is_ascii_uppercase() || !c.is_alphanumeric());
        runs.filter(|run| run.len() >= 3).count()
    };
    value.len() >= 12
        && kinds.joint == 0
        && kinds.upper >= 3
        && kinds.lower >= 3
        && 8 * words() < value.len()
}

fn digits_alone(value: &str, kinds: Kinds) -> Weight {
    let plain = kinds.joint == 0 && kinds.symbol == 0 && value.len() >= 6;
    if plain { Weight::Weak } else { Weight::None }
}

/// `Sommer2024`: one word, then digits.
fn is_word_and_digits(value: &str) -> bool {
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let inner_capitals = word.chars().skip(1).filter(|c| c.is_uppercase()).count();
    let mut first = word.chars();
    // `VBhxiw`: no word or abbreviation begins this way.
    let odd = first.next().is_some_and(char::is_uppercase)
        && first.next().is_some_and(char::is_uppercase)
        && first.next().is_some_and(char::is_lowercase);
    word.chars().all(char::is_alphabetic) && inner_capitals <= 2 && !odd && is_wordy(word)
}

/// Whether letters could be read aloud. No word of the supported languages has six consonants in a row, and few words
/// of four letters have no vowel.
pub fn is_wordy(text: &str) -> bool {
    let (mut run, mut vowels, mut letters) = (0, 0, 0);
    for c in text.chars() {
        let vowel = !c.is_ascii() || b"aeiouyAEIOUY".contains(&u8::try_from(c).unwrap_or_default());
        run = if vowel || !c.is_alphabetic() { 0 } else { run + 1 };
        vowels += usize::from(vowel);
        letters += usize::from(c.is_alphabetic());
        if run > CONSONANTS {
            return false;
        }
    }
    vowels > 0 || letters < 5
}

/// `tulip-walnut-harbor71`, `xkh2-UCV5-swew`: words or groups joined by one sign, as password generators write them.
fn is_passphrase(value: &str) -> bool {
    let Some(joint) = value.chars().find(|c| "-_.".contains(*c)) else { return false };
    let parts: Vec<_> = value.split(joint).collect();
    let body = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let long = |least: usize| {
        let word = |part: &&str| {
            let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
            word.len() >= least && word.bytes().all(|b| b.is_ascii_lowercase())
        };
        parts.iter().all(word)
    };
    let numbered = value.len() - body.len() == 2 && parts.len() >= 3 && long(4);
    let many = body.len() == value.len() && parts.len() >= 4 && long(4);
    let grouped = parts.len() >= 3
        && (4..=6).contains(&parts[0].len())
        && parts.iter().all(|part| part.len() == parts[0].len())
        && parts.iter().any(|part| part.contains(|c: char| c.is_ascii_uppercase()))
        && parts.iter().any(|part| part.contains(|c: char| c.is_ascii_lowercase()));
    // `password-reset-policy12` is about passwords.
    let about = parts.iter().filter(|part| is_prose(part)).count();
    match joint {
        '-' => about < 2 && (numbered || many || grouped),
        // `trumpet_magnet_ladder_glacier`: names in programs have shorter parts, or fewer.
        _ => {
            let titled = |part: &&str| {
                let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
                let mut letters = word.chars();
                word.len() >= 5
                    && letters.next().is_some_and(|c| c.is_ascii_alphabetic())
                    && letters.all(|c| c.is_ascii_lowercase())
            };
            let capitals = value.contains(|c: char| c.is_ascii_uppercase());
            about == 0 && parts.len() >= if capitals { 3 } else { 4 } && parts.iter().all(titled)
        }
    }
}

/// `Ocker-Waage-17`, `Lluvia.2023`: words with capitals and a number at the end, unlike the name of a product.
pub fn is_titled(value: &str) -> bool {
    let words = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = value.len() - words.len();
    let mut parts = words.split(['-', '_', '.']).filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return false };
    let title = |part: &str| {
        let mut all = part.chars();
        all.next().is_some_and(char::is_alphabetic)
            && part.len() >= 3
            && all.all(char::is_lowercase)
    };
    let joints = words.matches(['-', '_', '.']).count();
    (1..=4).contains(&digits)
        && (1..=4).contains(&joints)
        && first.starts_with(char::is_uppercase)
        && title(first)
        && parts.all(title)
        && (joints > 1 || digits > 1 || !words.ends_with(['-', '_', '.']))
        && !is_about_secrets(value)
}

/// `loft-ladder-22-Oak`: three or more parts, with letters in both cases and digits.
pub fn is_varied(value: &str) -> bool {
    let parts = value.split(['-', '_', '.']);
    value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
        && value.contains(|c: char| c.is_ascii_digit())
        && parts.clone().count() >= 3
        && parts.clone().all(|part| !part.is_empty() && part.chars().all(char::is_alphanumeric))
        && !parts.clone().any(is_technical)
}

/// Whether a part belongs to the name of a product: "x86", "amd64", "v2".
fn is_technical(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    is_named_thing(&lower)
        || matches!(lower.as_str(), "amd64" | "arm64" | "x86" | "x64" | "v1" | "v2" | "v3")
}

/// `oak-table-19`: lower-case words and a number at the end, like chosen passwords and the names of machines.
pub fn is_labeled(value: &str) -> bool {
    let Some((words, number)) = value.rsplit_once('-') else { return false };
    let is_word =
        |part: &str| part.len() >= 2 && part.chars().all(char::is_lowercase) && !is_prose(part);
    (1..=4).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && words.split('-').all(is_word)
        && !is_about_secrets(value)
        && !is_named_thing(value)
}

/// `my-db-secret-v2`, `token.json`, `random_password.db.result`: words, joined.
fn is_joined_words(value: &str) -> bool {
    let parts = value.split(['-', '_', '.', '/', ':']).filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let cased = word.chars().skip(1).all(char::is_lowercase)
            || word.chars().all(char::is_uppercase)
            || word.eq_ignore_ascii_case("tlsv");
        word.chars().all(char::is_alphabetic)
            && cased
            && (part.len() - word.len() <= 2 || word.is_empty())
    };
    // `pebble.Dash4`
    let dotted = value.split_once('.').is_some_and(|(_, word)| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.ends_with(|c: char| c.is_ascii_digit())
            && word.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    let mut count = 0;
    !dotted && parts.inspect(|_| count += 1).all(is_word) && count > 1
}
