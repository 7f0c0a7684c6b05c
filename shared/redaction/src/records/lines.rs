//! Lines that contain a secret by their form alone, and settings whose whole value is one.

use super::{USER_BYTES, is_random};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::things::{is_placeholder, is_stand_in};
use crate::weight::{MIN_BYTES, is_default};
use crate::words::lists;
use std::ops::Range;

/// Settings of a wireless network whose value is its password, as wpa_supplicant, hostapd and iwd name them.
const WIRELESS: [&str; 6] =
    ["psk", "wpa_psk", "wpa_passphrase", "sae_password", "wifi-psk", "passphrase"];
/// Lengths of such a password, in bytes: 64 digits are the key that programs make of it.
const WIRELESS_BYTES: std::ops::RangeInclusive<usize> = 8..=64;
/// The number of digits that people type on a keypad.
const KEYPAD_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
/// The longest line that starts the settings of an alarm or a lock, in bytes.
const KEYPAD_LINE_BYTES: usize = 80;

/// The longest hash of a password, in bytes.
const HASH_BYTES: usize = 256;

/// `db.example.com:5432:shop:app:X`, where a backslash keeps a colon or a backslash inside a field.
pub fn pgpass(line: &str) -> Option<Range<usize>> {
    let lead = line.len() - line.trim_start().len();
    let mut at = lead;
    for field in 0..4 {
        let length = colon(&line[at..])?;
        let value = &line[at..at + length];
        let fits = match field {
            1 => {
                value == "*"
                    || (!value.is_empty()
                        && value.len() <= 5
                        && value.bytes().all(|b| b.is_ascii_digit()))
            }
            // A time has numbers only.
            0 if value.bytes().all(|b| b.is_ascii_digit()) => false,
            _ => !value.is_empty() && !value.contains([' ', '\t', '/', '"', '=']),
        };
        if !fits {
            return None;
        }
        at += length + 1;
    }
    // In a line of `/etc/passwd`, a system path comes later.
    let rest = &line[at..];
    let value = rest.trim_end();
    let own = value.len() >= MIN_BYTES
        && !value.starts_with(['$', '<', '{', ' '])
        && !value.bytes().all(|b| b"-*._=? ".contains(&b))
        && value.split(' ').next().is_some_and(|word| says(word).is_none())
        && !is_placeholder(value);
    (own && !value.contains('/') && colon(value).is_none()).then(|| at..at + value.len())
}

/// `echo 'db.example.com:5432:shop:app:X' >> ~/.pgpass`
pub fn written_pgpass(line: &str) -> Option<Range<usize>> {
    // Most lines end here.
    line.contains('>').then_some(())?;
    let (command, _) = line.rsplit_once(".pgpass")?;
    let at = ["echo ", "printf "].iter().find_map(|name| Some(command.find(name)? + name.len()))?;
    let argument = line[at..].trim_start_matches(' ');
    let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''));
    let start = line.len() - argument.len() + usize::from(quote.is_some());
    let entry = &line[start..];
    let length = entry.find(quote.unwrap_or(' '))?;
    let entry = entry[..length].split("\\n").next()?;
    pgpass(entry).map(|span| start + span.start..start + span.end)
}

/// A word without the quotes around it.
pub fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// Where the first colon is that no backslash precedes.
fn colon(text: &str) -> Option<usize> {
    let mut kept = false;
    text.bytes().position(|byte| {
        let found = byte == b':' && !kept;
        kept = byte == b'\\' && !kept;
        found
    })
}

/// `psk="gooseberry fool 2 go"`, `wpa_passphrase=my house is blue`: the whole value is the password, whatever its words
/// say.
pub fn wireless(line: &str) -> Option<Range<usize>> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_start_matches([' ', '\t', '-']);
    let known = WIRELESS.iter().any(|known| name.eq_ignore_ascii_case(known));
    if !known || value.starts_with([' ', '\t']) {
        return None;
    }
    let start = line.len() - value.len();
    let value = value.trim_end();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let span = match quote {
        Some(quote) => {
            let end = value[1..].rfind(quote)? + 1;
            let rest = value[end + 1..].trim_start();
            (rest.is_empty() || rest.starts_with(['#', ',', ';'])).then_some(())?;
            start + 1..start + end
        }
        None => start..start + value.len(),
    };
    let value = &line[span.clone()];
    // "psk=walnut77 is what I have": without quotes, a sentence may go on.
    let tells = |word: &str| matches!(part(word), Some(Part::Is | Part::May | Part::Who));
    let goes_on =
        quote.is_none() && value.split(' ').skip(1).filter(|word| tells(word)).count() > 1;
    let stand_in = is_stand_in(value) || is_default(value) || value.contains(['(', '$', '<', '{']);
    (WIRELESS_BYTES.contains(&value.len()) && !goes_on && !stand_in).then_some(span)
}

/// Whether a line begins the settings of an alarm, a lock or a keypad, as home automation writes them.
pub fn is_keypad(line: &str) -> bool {
    const KEYPADS: [&str; 6] = ["alarm_", "alarmo", "keypad", "usercode", "lock.", "envisalink"];
    line.len() <= KEYPAD_LINE_BYTES
        && line.contains(':')
        && KEYPADS.iter().any(|mark| line.contains(mark))
}

/// `code: "4482"`, below such a line.
pub fn keypad_code(line: &str) -> Option<Range<usize>> {
    const NAMES: [&str; 8] = [
        "code",
        "pin",
        "usercode",
        "user_code",
        "master_code",
        "alarm_code",
        "disarm_code",
        "arm_code",
    ];
    let (name, value) = line.split_once(':')?;
    let name = name.trim_matches([' ', '\t', '-', '"']);
    let quoted = value.trim_start();
    let value = quoted.trim_start_matches(['"', '\'']);
    let start = line.len() - value.len();
    let length = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let rest = value[length..].trim_start_matches(['"', '\'', ',']).trim_start();
    (NAMES.contains(&name)
        && KEYPAD_DIGITS.contains(&length)
        && (rest.is_empty() || rest.starts_with('#')))
    .then_some(start..start + length)
}

/// Marks of hashed passwords in the files of LDAP servers, Dovecot and web servers.
const SCHEMES: &str = "SHA SSHA SHA256 SSHA256 SHA512 SSHA512 CRYPT MD5 SMD5 MD5-CRYPT SHA256-CRYPT SHA512-CRYPT BLF-CRYPT \
     DES-CRYPT ARGON2I ARGON2ID PBKDF2 SCRAM-SHA-256 CRAM-MD5";
/// Marks of passwords that are not hashed.
const PLAIN_SCHEMES: &str = "PLAIN plain CLEAR CLEARTEXT noop";

/// `name:$2y$05$…`, `name:{SHA}…`, `name:rqXexS6ZhobKA`
pub fn hashed(line: &str) -> Option<Range<usize>> {
    let lead = line.len() - line.trim_start().len();
    let (name, hash) = line[lead..].split_once(':')?;
    let named = !name.is_empty()
        && name.len() <= USER_BYTES
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-@".contains(&b));
    // `admin: $2y$05$…` in YAML, where the name is the user's.
    let lower = name.to_ascii_lowercase();
    let user = !["hash", "pass", "digest", "crypt"].iter().any(|part| lower.contains(part));
    let blanks = hash.len() - hash.trim_start().len();
    let blanks = if user && hash[blanks..].starts_with('$') { blanks } else { 0 };
    let hash = &hash[blanks..];
    let hash = &hash[..hash.find(':').unwrap_or(hash.len())];
    let hash = hash.trim_end();
    let kept = |c: char| c.is_ascii_alphanumeric() || "./$=,+-".contains(c);
    let marked = hash.starts_with('$')
        && hash.len() > 12
        && hash[1..].contains('$')
        && hash.chars().all(kept);
    let scheme = hash.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let framed = hash.len() > 12 && scheme.is_some_and(|(scheme, _)| lists(SCHEMES, scheme));
    let start = lead + name.len() + 1 + blanks;
    if let Some((scheme, password)) = scheme.filter(|_| named)
        && lists(PLAIN_SCHEMES, scheme)
        && password.len() >= MIN_BYTES
    {
        let start = start + hash.len() - password.len();
        return Some(start..start + password.len());
    }
    (named && (marked || framed || is_crypt(hash))).then_some(start..start + hash.len())
}

/// `kim l2tpd X *`, `kim * X 10.0.4.7`: a user, a server, a secret and an address, as programs for PPP read them.
pub fn chap(line: &str) -> Option<Range<usize>> {
    const SERVERS: [&str; 6] = ["*", "pppd", "l2tpd", "xl2tpd", "pptpd", "\"*\""];
    // Nearly all lines end here.
    let last = line.as_bytes().last();
    if !last.is_some_and(|b| b.is_ascii_digit() || b"*\"".contains(b)) || !line.contains('*') {
        return None;
    }
    let mut words = line.split_ascii_whitespace();
    let (user, server) = (words.next()?, words.next()?);
    if !SERVERS.contains(&server) {
        return None;
    }
    let (secret, address) = (words.next()?, words.next()?);
    let placed = address == "*"
        || address == "\"*\""
        || (address.contains('.') && address.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    let named = user != "*" && user.bytes().any(|b| b.is_ascii_alphanumeric());
    let value = secret.trim_matches('"');
    let own = value.len() >= MIN_BYTES && says(value).is_none() && !is_stand_in(value);
    let start = value.as_ptr() as usize - line.as_ptr() as usize;
    (words.next().is_none() && placed && named && own).then(|| start..start + value.len())
}

/// Marks of hashed passwords, and the least length of such a hash, in bytes.
const HASHES: [(&str, usize); 16] = [
    ("$$2y$$", 63),
    ("$$apr1$$", 39),
    ("$apr1$", 36),
    ("$2a$", 60),
    ("$2b$", 60),
    ("$2y$", 60),
    ("$1$", 26),
    ("$5$", 46),
    ("$6$", 90),
    ("$y$", 60),
    ("$P$", 34),
    ("$argon2", 60),
    ("$pbkdf2", 50),
    ("$scrypt$", 50),
    ("pbkdf2_sha", 60),
    ("scrypt:", 60),
];

/// Hashed passwords in the cells of a dump, after a user's name, or in a setting: `'$2y$10$…'`, `users=kim:$apr1$…`,
/// `password_hash: $argon2id$…`. One of bcrypt stays readable in the setting of one user.
pub fn hashes(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let scrypt = || line.as_bytes().contains(&b':') && line.contains("scrypt:");
    if !line.as_bytes().contains(&b'$') && !scrypt() {
        return found;
    }
    for (at, sign) in line.match_indices(['\'', '"', '\t', ',', '|', ';', ':', '=', '>', ' ']) {
        let start = at + sign.len();
        let rest = &line[start..];
        // In a setting that is called a hash, bcrypt's stays readable.
        if matches!(sign, ":" | "=" | " ") && rest.starts_with("$2") && !is_user(&line[..at]) {
            continue;
        }
        let Some((mark, least)) = HASHES.iter().find(|(mark, _)| rest.starts_with(mark)) else {
            continue;
        };
        // The parameters of Argon2 have commas.
        let comma = mark.starts_with("$argon2");
        let kept =
            |b: &u8| b.is_ascii_alphanumeric() || b"./$=+-_:".contains(b) || (*b == b',' && comma);
        let length = rest.bytes().take(HASH_BYTES).take_while(|b| kept(b)).count();
        let free = found.last().is_none_or(|last| last.end <= start);
        if length >= *least && free {
            found.push(start..start + length);
        }
    }
    found
}

/// Whether a text ends with a name that says nothing about a hash.
fn is_user(before: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    let before = before.trim_end_matches([':', '=', ' ']);
    let name = &before[before.trim_end_matches(plain).len()..];
    let name = name.to_ascii_lowercase();
    !name.is_empty() && !["hash", "pass", "digest", "crypt"].iter().any(|part| name.contains(part))
}

/// Two characters of salt and eleven of the oldest kind of hash.
fn is_crypt(hash: &str) -> bool {
    let count = |kind: fn(&char) -> bool| hash.chars().filter(kind).count();
    hash.len() == 13
        && hash.bytes().all(|b| b.is_ascii_alphanumeric() || b"./".contains(&b))
        && count(char::is_ascii_uppercase) >= 3
        && count(char::is_ascii_lowercase) >= 3
        && count(char::is_ascii_digit) >= 1
        && !is_random(hash)
}

/// `jdbc:oracle:thin:scott/X@//db:1521/XE`
pub fn oracle(line: &str) -> Option<Range<usize>> {
    // Most lines end here.
    line.as_bytes().contains(&b'@').then_some(())?;
    let at = line.find(":thin:")? + ":thin:".len();
    let (user, rest) = line[at..].split_once('/')?;
    let start = at + user.len() + 1;
    let plain = |text: &str| !text.contains([' ', '\t', '"', '@']);
    (plain(user) && !user.is_empty()).then_some(start..start + rest.find('@')?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &'static str, form: fn(&str) -> Option<Range<usize>>) -> Option<&'static str> {
        form(line).map(|span| &line[span])
    }

    #[test]
    fn a_backslash_keeps_a_colon_inside_a_field() {
        assert_eq!(read(r"db:5432:shop:app:gravy\:Boat", pgpass), Some(r"gravy\:Boat"));
        assert_eq!(read(r"db\:a:5432:shop:app:Boat", pgpass), Some("Boat"));
        assert_eq!(read("root:0:0:root:/root:/bin/sh", pgpass), None);
    }

    #[test]
    fn four_words_of_ppp_and_a_hash_behind_a_name_are_read() {
        assert_eq!(read("kim l2tpd Tiger744 *", chap), Some("Tiger744"));
        assert_eq!(read("kim * \"walnut\" 10.0.4.7", chap), Some("walnut"));
        for line in ["select * from *", "a * b *", "# client server secret IP", "17 * * * *"] {
            assert_eq!(read(line, chap), None, "{line}");
        }
        let hash = "$2y$05$dGyqgCgCEN5awKZ4tlfJs8GSysynJ7H3pbAZ4Qql97gAifu6gxNo1";
        let line = format!("basicauth.users=kim:{hash}");
        assert_eq!(hashes(&line).first(), Some(&(line.len() - hash.len()..line.len())));
        assert!(hashes(&format!("password_hash:{hash}")).is_empty());
    }

    #[test]
    fn the_password_of_a_wireless_network_is_the_whole_value() {
        for (line, secret) in [
            ("  psk=\"wir sind hier zuhause\"", "wir sind hier zuhause"),
            ("wpa_passphrase=gooseberry fool", "gooseberry fool"),
            ("psk=\"walnut tree\"  # old", "walnut tree"),
            ("Passphrase=walnut77", "walnut77"),
        ] {
            assert_eq!(read(line, wireless), Some(secret), "{line}");
        }
        for line in [
            "psk=$WIFI_PSK",
            "psk=\"<your-psk>\"",
            "psk = input()",
            "psk=ext:home_psk",
            "psk=getpass('PSK')",
            "key_mgmt=WPA-PSK",
            "psk=walnut77 is what we have, but it does not work",
        ] {
            assert_eq!(read(line, wireless), None, "{line}");
        }
    }

    #[test]
    fn a_hash_in_a_dump_is_found() {
        let bcrypt = "$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
        let argon2 =
            "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21l$RdescudvJCsgt3ub+b27o9kZQ8kZQ8kZ";
        for hash in [bcrypt, argon2] {
            let line = format!("INSERT INTO users VALUES (1,'kim','{hash}','2024-01-01');");
            assert_eq!(hashes(&line).into_iter().map(|at| &line[at]).collect::<Vec<_>>(), [hash]);
            let bcrypt = hash.starts_with("$2");
            let setting = format!("password_hash: {hash}");
            assert_eq!(hashes(&setting).len(), usize::from(!bcrypt), "{hash}");
        }
        assert!(hashes("'$2y$10$short', '$6$', '$1$abc'").is_empty());
    }

    #[test]
    fn a_code_counts_as_a_number_to_type() {
        assert_eq!(read("    code: \"4482\"", keypad_code), Some("4482"));
        assert_eq!(read("- disarm_code: 99310", keypad_code), Some("99310"));
        for line in ["code: 404", "status_code: 4041", "code: 4041 was returned", "code: !secret x"]
        {
            assert_eq!(read(line, keypad_code), None, "{line}");
        }
        assert!(is_keypad("alarm_control_panel:"));
        assert!(!is_keypad("the alarm rang at 12:30"));
    }
}
