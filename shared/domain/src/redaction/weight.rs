//! How much a word by itself looks like a secret.

use super::words::Table;
use std::ops::Range;
use std::sync::OnceLock;

/// Most consonants in a row in a word: "angstschweiss".
const CONSONANTS: usize = 5;
/// What is looked at of a longer word, in bytes: its beginning says what it is.
const LOOKED_AT_BYTES: usize = 256;
/// Shortest value that is looked at, in bytes.
pub const MIN_BYTES: usize = 4;
/// Lengths of a random text without a mark of its own, in bytes.
const RANDOM_BYTES: Range<usize> = 20..513;

/// How much a word looks like a secret. What it must be depends on what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Something else: a reference, a path, an address, a version, a word that says how things are.
    None,
    /// Letters alone, digits alone, or words joined: a password only where one must stand.
    Weak,
    /// Letters with digits at their end, as names of things are written too.
    Name,
    /// Letters and digits that no name is made of.
    Fair,
    /// What only a password or a key looks like.
    Strong,
}

/// How many of them are letters alone; they come first.
const ALPHABETIC_STAND_INS: usize = 10;
/// Longest word of letters alone that may be one of a sentence, in bytes.
const PROSE_BYTES: usize = 40;

/// Words that stand where a secret will be put, or say where it is.
const STAND_INS: [&str; 34] = [
    "your",
    "example",
    "changeme",
    "placeholder",
    "redacted",
    "xxxx",
    "todo",
    "insert",
    "sample",
    "dummy",
    "change_me",
    "change-me",
    "****",
    "....",
    "var.",
    "local.",
    "env.",
    "environ",
    "secrets.",
    "module.",
    "getenv",
    "(sensitive",
    "{{",
    "${",
    "$(",
    "<%",
    "://",
    "lookup(",
    "vault_",
    "random_",
    "sensitive",
    "_here",
    "-here",
    "process.",
];

/// Words that follow a word for a secret and are none themselves.
const PROSE: [&str; 96] = [
    "none",
    "null",
    "true",
    "false",
    "string",
    "required",
    "optional",
    "password",
    "passwd",
    "passwort",
    "secret",
    "token",
    "unset",
    "empty",
    "hidden",
    "yes",
    "enabled",
    "disabled",
    "default",
    "unknown",
    "missing",
    "invalid",
    "wrong",
    "correct",
    "expired",
    "stored",
    "saved",
    "managed",
    "encrypted",
    "hashed",
    "rotated",
    "generated",
    "random",
    "needed",
    "given",
    "protected",
    "authentication",
    "authenticated",
    "login",
    "username",
    "user",
    "admin",
    "prompt",
    "manager",
    "policy",
    "reset",
    "change",
    "changed",
    "minimum",
    "maximum",
    "length",
    "strong",
    "weak",
    "safe",
    "secure",
    "security",
    "there",
    "here",
    "below",
    "above",
    "following",
    "follows",
    "same",
    "different",
    "unique",
    "shared",
    "private",
    "public",
    "undefined",
    "nil",
    "text",
    "varchar",
    "boolean",
    "integer",
    "number",
    "file",
    "stdin",
    "environment",
    "variable",
    "value",
    "field",
    "column",
    "bitwarden",
    "keepass",
    "vault",
    "1password",
    "lastpass",
    "keychain",
    "ansible",
    "terraform",
    "kubernetes",
    "bcrypt",
    "argon2",
    "scram",
    "plain",
    "basic",
];

/// Names of things that are written with digits in them or behind them.
const THINGS: [&str; 66] = [
    "ubuntu",
    "debian",
    "fedora",
    "centos",
    "rocky",
    "alma",
    "rhel",
    "windows",
    "macos",
    "node",
    "nodejs",
    "python",
    "php",
    "java",
    "jdk",
    "ruby",
    "go",
    "golang",
    "rust",
    "mysql",
    "mariadb",
    "postgres",
    "postgresql",
    "psql",
    "mongo",
    "mongodb",
    "redis",
    "sha",
    "md",
    "base",
    "oauth",
    "oidc",
    "saml",
    "ipv",
    "tls",
    "tlsv",
    "ssl",
    "sslv",
    "rsa",
    "aes",
    "ecdsa",
    "utf",
    "http",
    "web",
    "db",
    "app",
    "host",
    "vm",
    "server",
    "eu",
    "us",
    "version",
    "step",
    "stage",
    "port",
    "page",
    "chapter",
    "section",
    "option",
    "day",
    "week",
    "phase",
    "ntlmv",
    "pbkdf",
    "bcrypt",
    "user",
];

/// Words with digits inside that are no secrets.
const TECHNICAL: [&str; 30] = [
    "argon2id",
    "argon2i",
    "argon2d",
    "ed25519",
    "ed448",
    "x25519",
    "x86_64",
    "k8s",
    "k3s",
    "s3cmd",
    "ec2",
    "i18n",
    "l10n",
    "a11y",
    "b2b",
    "p2p",
    "h2o",
    "oauth2",
    "log4j",
    "neo4j",
    "f5",
    "x509",
    "tls1.3",
    "tls1.2",
    "c++17",
    "c++20",
    "mp3",
    "h264",
    "aes256gcm",
    "chacha20poly1305",
];

/// A word's characters, counted by kind.
#[derive(Debug, Clone, Copy, Default)]
struct Kinds {
    lower: usize,
    upper: usize,
    digit: usize,
    /// What joins the words of names: `-`, `_`, `.`, `/`, `:`.
    joint: usize,
    symbol: usize,
    /// How often a digit stands beside a letter, or a small letter before a capital.
    changes: usize,
}

impl Kinds {
    fn of(text: &str) -> Self {
        let mut kinds = Self::default();
        let mut before = ' ';
        for c in text.chars() {
            match c {
                'a'..='z' => kinds.lower += 1,
                'A'..='Z' => kinds.upper += 1,
                '0'..='9' => kinds.digit += 1,
                '-' | '_' | '.' | '/' | ':' => kinds.joint += 1,
                c if c.is_lowercase() => kinds.lower += 1,
                c if c.is_uppercase() => kinds.upper += 1,
                c if c.is_alphanumeric() => kinds.lower += 1,
                _ => kinds.symbol += 1,
            }
            let both = before.is_alphanumeric() && c.is_alphanumeric();
            let turned = before.is_ascii_digit() != c.is_ascii_digit()
                || (before.is_lowercase() && c.is_uppercase());
            kinds.changes += usize::from(both && turned);
            before = c;
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
    if letters == value.len() && letters <= PROSE_BYTES {
        return weigh_letters(value, kinds);
    }
    if value.len() < MIN_BYTES || is_stand_in(value) || is_thing(value, kinds) || repeats(value) {
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
        return if is_capricious(value, kinds) { Weight::Strong } else { Weight::Weak };
    }
    if is_joined_words(value) {
        return Weight::Weak;
    }
    if kinds.symbol == 0 && kinds.joint == 0 && is_word_and_digits(value) {
        return Weight::Name;
    }
    let inner_digit = kinds.digit > 0 && kinds.changes >= 2;
    let unreadable = value.len() >= 8 && kinds.joint == 0;
    let strong = (kinds.variety() >= 3 && (kinds.symbol > 0 || inner_digit || unreadable))
        || (kinds.variety() == 2 && kinds.changes >= 4)
        || (kinds.symbol > 0 && kinds.digit > 0 && value.len() >= 6);
    if strong && value.len() >= 6 { Weight::Strong } else { Weight::Fair }
}

/// Letters alone, as most words are.
fn weigh_letters(value: &str, kinds: Kinds) -> Weight {
    let lower = value.to_ascii_lowercase();
    let stand_in = STAND_INS.iter().take(ALPHABETIC_STAND_INS).any(|word| lower.contains(word));
    if value.len() < MIN_BYTES
        || is_prose(&lower)
        || stand_in
        || is_about_secrets(value)
        || repeats(value)
    {
        return Weight::None;
    }
    if is_capricious(value, kinds) { Weight::Strong } else { Weight::Weak }
}

fn is_prose(lower: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::of(PROSE.into_iter().map(|word| (word, ())))).get(lower).is_some()
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

/// Whether a text is hexadecimal digits alone, of both kinds and in one case.
pub fn is_hex(value: &str) -> bool {
    let lower = value.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let upper = value.bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b));
    value.len() >= 7 && (lower || upper)
}

/// Shannon's entropy of the bytes as they are distributed in the text.
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
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let words = [
        "password",
        "passwd",
        "passwort",
        "secret",
        "token",
        "credential",
        "apikey",
        "api_key",
        "api-key",
    ];
    words.iter().any(|name| word.ends_with(name) || word.starts_with(name)) && is_wordy(value)
}

/// One character over and over, as in `xxxxxxxx` and `--------`.
fn repeats(value: &str) -> bool {
    let mut chars = value.chars();
    let first = chars.next();
    chars.filter(|c| Some(*c) != first).count() < 2
}

/// Letters alone, but with capitals where no word has them.
fn is_capricious(value: &str, kinds: Kinds) -> bool {
    let runs = value.split(|c: char| c.is_ascii_uppercase() || !c.is_alphanumeric());
    let words = runs.filter(|run| run.len() >= 3).count();
    value.len() >= 12
        && kinds.joint == 0
        && kinds.upper >= 3
        && kinds.lower >= 3
        && 8 * words < value.len()
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
    // `VBhxiw`: no word and no abbreviation begins so.
    let odd = first.next().is_some_and(char::is_uppercase)
        && first.next().is_some_and(char::is_uppercase)
        && first.next().is_some_and(char::is_lowercase);
    word.chars().all(char::is_alphabetic) && inner_capitals <= 2 && !odd && is_wordy(word)
}

/// Whether letters could be read aloud: no word of the languages here has six consonants in a row, and few words of
/// four letters have no vowel.
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
    let mut count = 0;
    parts.inspect(|_| count += 1).all(is_word) && count > 1
}

fn is_stand_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    let bare = lower.trim_matches(['.', '!', '?', '*']);
    let variable = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let referred =
        value.strip_prefix('$').or_else(|| value.strip_prefix('@')).is_some_and(variable)
            || value.strip_prefix('%').and_then(|v| v.strip_suffix('%')).is_some_and(variable);
    referred
        || value.starts_with(['<', '{', '~', '[', '/'])
        || value.starts_with("./")
        || value.starts_with("$2")
        || (value.contains('(') && value.ends_with(')'))
        || value.contains("(\"")
        || value.contains("('")
        || is_prose(bare)
        || STAND_INS.iter().any(|word| lower.contains(word))
}

/// Addresses, dates, sizes, versions, files, ids of resources.
fn is_thing(value: &str, kinds: Kinds) -> bool {
    let lower = value.to_ascii_lowercase();
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || ".-_".contains(c));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if TECHNICAL.contains(&lower.as_str())
        || (word.len() < lower.len() && THINGS.contains(&word))
        || is_size(value)
        || is_date_or_version(&lower)
        || is_address(&lower)
        || is_uuid(&lower)
    {
        return true;
    }
    let Some((kind, id)) = lower.rsplit_once('-') else { return false };
    // `i-0abc…`, `vpc-0abc…`, `OPS-1234`, `e2-standard-4`
    let resource = kind.len() <= 8 && (8..=17).contains(&id.len()) && is_hex(id);
    let ticket = digits(id) && kind.bytes().all(|b| b.is_ascii_lowercase()) && kinds.lower == 0;
    kinds.symbol == 0 && (resource || ticket)
}

/// `4gb`, `90days`, `1st`, `12-character`
fn is_size(value: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || ".,-x".contains(c));
    let capitals = unit.bytes().filter(u8::is_ascii_uppercase).count();
    let letters = unit.bytes().all(|b| b.is_ascii_alphabetic() || b == b'/');
    unit.len() < value.len()
        && value.starts_with(|c: char| c.is_ascii_digit())
        && (unit == "%" || (letters && unit.len() <= 10 && capitals <= 2 && is_wordy(unit)))
        && value.len() - unit.len() <= 5
}

/// Digits with what stands between those of dates, times, versions, addresses and sums.
fn is_date_or_version(value: &str) -> bool {
    let body = value.strip_prefix(['v', '~', '^', '=']).unwrap_or(value);
    let joints = body.bytes().filter(|b| b".:-/,+".contains(b)).count();
    let rest = |b: u8| b.is_ascii_digit() || b".:-/,+xtz*%".contains(&b);
    joints > 0 && body.starts_with(|c: char| c.is_ascii_digit()) && body.bytes().all(rest)
}

/// `me@example.org`, `git@10.0.0.1`, `db.example.org:5432`, `2001:db8::1`
fn is_address(value: &str) -> bool {
    let host = |host: &str| {
        let name = host.split(['/', ':']).next().unwrap_or_default();
        let last = name.rsplit('.').next().unwrap_or_default();
        let labels = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let ip = name.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        name.contains('.')
            && name.chars().all(labels)
            && (ip
                || ((2..=12).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_lowercase())))
    };
    let ipv6 = value.matches(':').count() > 2
        && value.bytes().all(|b| b.is_ascii_hexdigit() || b":./".contains(&b));
    match value.rsplit_once('@') {
        Some((user, at)) => !user.contains(':') && (host(at) || at == "localhost"),
        None => ipv6 || host(value),
    }
}

fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
