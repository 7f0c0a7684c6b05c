//! Whether a text could be a secret at all.

/// Words that stand where a secret will be put.
const STAND_INS: [&str; 22] = [
    "your",
    "example",
    "changeme",
    "change_me",
    "change-me",
    "placeholder",
    "redacted",
    "xxxx",
    "****",
    "....",
    "todo",
    "insert",
    "sample",
    "dummy",
    "var.",
    "local.",
    "env.",
    "environ",
    "secrets.",
    "module.",
    "getenv",
    "(sensitive",
];

/// A text's characters, counted by kind.
#[derive(Clone, Copy)]
struct Kinds {
    lower: usize,
    upper: usize,
    digit: usize,
    /// Anything but letters, digits and the `-`, `_`, `.`, `/`, `:` that names are made with.
    symbol: usize,
}

impl Kinds {
    fn of(text: &str) -> Self {
        let count = |kind: fn(char) -> bool| text.chars().filter(|c| kind(*c)).count();
        Self {
            lower: count(char::is_lowercase),
            upper: count(char::is_uppercase),
            digit: count(|c| c.is_ascii_digit()),
            symbol: count(|c| !c.is_alphanumeric() && !"-_./: \t".contains(c)),
        }
    }

    fn variety(self) -> usize {
        [self.lower, self.upper, self.digit, self.symbol].iter().filter(|n| **n > 0).count()
    }
}

/// Whether an assigned value of at least `min_bytes` is a secret rather than a name or a reference.
pub fn is_secret(value: &str, min_bytes: usize) -> bool {
    let kinds = Kinds::of(value);
    let letters = kinds.lower + kinds.upper;
    value.len() >= min_bytes
        && !value.contains(char::is_whitespace)
        && letters > 0
        && kinds.variety() >= 2
        && (kinds.digit > 0 || kinds.symbol > 0 || is_mixed(value, kinds))
        && bits_per_char(value) >= 2.5
        && !is_stand_in(value)
        && !is_name(value)
}

/// Whether a word of a sentence is a secret: what is only likely elsewhere is not enough there.
pub fn is_surely_secret(value: &str, min_bytes: usize) -> bool {
    let kinds = Kinds::of(value);
    let joined = value.contains(['-', '_', '.', '/', ':']);
    let varied = kinds.variety() >= 3 || (kinds.variety() == 2 && value.len() >= 16 && !joined);
    is_secret(value, min_bytes) && kinds.digit > 0 && varied
}

/// Whether a run of letters and digits is random: mixed case and digits, and hardly a letter twice.
pub fn is_random(value: &str) -> bool {
    let kinds = Kinds::of(value);
    kinds.lower > 0 && kinds.upper > 0 && kinds.digit > 0 && bits_per_char(value) >= 3.9
}

/// Shannon's entropy of the characters as they are distributed in the text.
fn bits_per_char(text: &str) -> f64 {
    let mut counts = std::collections::HashMap::new();
    for c in text.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let total: f64 = counts.values().copied().map(f64::from).sum();
    counts.values().map(|n| f64::from(*n) / total).map(|p| -p * p.log2()).sum()
}

/// Letters alone, but with capitals where no word has them.
fn is_mixed(value: &str, kinds: Kinds) -> bool {
    let inner = value.chars().skip(1).filter(|c| c.is_uppercase()).count();
    value.len() >= 16 && kinds.lower > 2 && inner > 2 && !value.contains(['-', '_', '.', '/'])
}

fn is_stand_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    value.starts_with(['$', '<', '{', '%', '/', '~', '(', '['])
        || value.starts_with("./")
        || value.contains("://")
        || value.contains("${")
        || value.contains("{{")
        || STAND_INS.iter().any(|word| lower.contains(word))
}

/// `my-db-secret-v2`, `token.json`, `random_password.db.result`, `TLSv1.2`: words, joined.
fn is_name(value: &str) -> bool {
    let parts: Vec<_> = value.split(['-', '_', '.', '/', ':']).filter(|p| !p.is_empty()).collect();
    let is_word = |part: &&str| {
        let (letters, digits) =
            part.split_at(part.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        let cased = letters.chars().skip(1).all(char::is_lowercase)
            || letters.chars().all(char::is_uppercase)
            || letters.eq_ignore_ascii_case("tlsv");
        letters.chars().all(char::is_alphabetic)
            && cased
            && (letters.is_empty() || digits.len() <= 2)
    };
    let called = value.contains('(') && value.ends_with(')');
    called || (parts.len() > 1 && parts.iter().all(is_word))
}
