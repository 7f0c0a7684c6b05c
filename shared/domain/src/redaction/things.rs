//! Texts that are never secrets, however they look: addresses, dates, sizes, versions, and placeholders.

use super::weight::{Kinds, is_hex, is_wordy};
use super::words::Table;
use std::sync::OnceLock;

/// Parts of words that hold a secret's place, or refer to it.
const STAND_INS: &str = "your example changeme placeholder redacted xxxx todo insert sample dummy environ getenv sensitive";
/// The same for forms beyond letters.
const REFERENCES: &str = ":: (& ). )? &mut &[ &str change_me change-me **** .... var. local. env. secrets. module. (sensitive {{ ${ $( <% :// lookup( \
     vault_ random_ _here -here process.";

/// Words that follow a word for a secret and are not secrets.
const PROSE: &str = "none null true false string required optional password passwd passwort secret token unset empty \
     hidden yes enabled disabled default unknown missing invalid wrong correct expired stored saved \
     managed encrypted hashed rotated generated random needed given protected authentication \
     authenticated login username user admin prompt manager policy reset change changed minimum maximum \
     length strong weak safe secure security there here below above following follows same different \
     unique shared private public undefined nil text varchar boolean integer number file stdin \
     environment variable value field column bitwarden keepass vault 1password lastpass keychain ansible \
     terraform kubernetes bcrypt argon2 scram plain basic";

/// Names of things that are written with digits behind them.
const THINGS: &str = "ubuntu debian fedora centos rocky alma rhel windows macos node nodejs python php java jdk ruby go \
     golang rust mysql mariadb postgres postgresql psql mongo mongodb redis sha md base oauth oidc saml \
     ipv tls tlsv ssl sslv rsa aes ecdsa utf http web db app host vm server eu us version step stage port \
     page chapter section option day week phase ntlmv pbkdf bcrypt user";

/// Words with digits inside that are no secrets.
const TECHNICAL: &str = "argon2id argon2i argon2d ed25519 ed448 x25519 x86_64 k8s k3s s3cmd ec2 i18n l10n a11y b2b p2p h2o \
     oauth2 log4j neo4j f5 x509 tls1.3 tls1.2 c++17 c++20 mp3 h264 aes256gcm chacha20poly1305";

/// Whether a lower-case word describes a secret without being one.
pub fn is_prose(lower: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(PROSE)).get(lower).is_some()
}

/// Whether a lower-case word of letters holds a secret's place.
pub fn is_placeholder(lower: &str) -> bool {
    STAND_INS.split(' ').any(|word| lower.contains(word))
}

/// References, paths, hashes, and the words of [`is_placeholder`].
pub fn is_stand_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    let bare = lower.trim_matches(['.', '!', '?', '*']);
    let variable = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let referred =
        value.strip_prefix('$').or_else(|| value.strip_prefix('@')).is_some_and(variable)
            || value.strip_prefix('%').and_then(|v| v.strip_suffix('%')).is_some_and(variable);
    // Without a digit, a text that is not a word is far more often `Stripe's`, `a?b=c` or `if(x)` than a password.
    let hard = |c: char| "!#$%^*+@~|&".contains(c);
    let plain = !value.contains(|c: char| c.is_ascii_digit() || hard(c));
    let marks = value.contains(|c: char| !c.is_alphanumeric() && !"-_./: ".contains(c));
    referred
        || (plain && marks)
        || value.contains("\\\"")
        || value.contains("\":")
        || value.starts_with(['<', '{', '~', '[', '/'])
        || value.starts_with("./")
        || value.starts_with("--")
        || value.starts_with("$2")
        || (value.contains('(') && value.ends_with(')'))
        || value.contains("(\"")
        || value.contains("('")
        || is_prose(bare)
        || is_placeholder(&lower)
        || REFERENCES.split(' ').any(|mark| lower.contains(mark))
}

/// Addresses, dates, sizes, versions, files, ids of resources.
pub fn is_thing(value: &str, kinds: Kinds) -> bool {
    let lower = value.to_ascii_lowercase();
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || ".-_".contains(c));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if TECHNICAL.split(' ').any(|word| word == lower)
        || (word.len() < lower.len() && THINGS.split(' ').any(|thing| thing == word))
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

/// Digits with the separators of dates, times, versions, addresses and sums.
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
