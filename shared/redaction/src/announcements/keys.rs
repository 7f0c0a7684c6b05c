//! Finds keys without a mark by the words around them: of a cipher, in hexadecimal digits, and of a wireless network, in
//! decimal ones.

use super::{COMPARED_BYTES, Line, NOUNS, Sign};
use crate::lexicon::{Part, part};
use crate::things::is_uuid;
use crate::weight::is_hex;
use crate::words::lists;
use std::ops::Range;

/// Words for a key.
pub(super) const KEYS: [&str; 12] = [
    "key",
    "schlüssel",
    "schluessel",
    "clave",
    "clé",
    "cle",
    "chiave",
    "chave",
    "sleutel",
    "klucz",
    "llave",
    "key's",
];
/// Parts of words that make any key one of a cipher.
const CIPHERS: [&str; 20] = [
    "aes",
    "hmac",
    "encrypt",
    "verschlüssel",
    "cifra",
    "chiffr",
    "crypt",
    "cipher",
    "sign",
    "symmetric",
    "symmetrisch",
    "master",
    "luks",
    "chacha",
    "des key",
    "data key",
    "secret",
    "geheim",
    "versleutel",
    "szyfr",
];
/// Words that make a key the name of something, or public: right before it, or anywhere in the sentence.
const NAMES: &str = "cache object partition sort primary foreign idempotency dedup deduplication routing s3 gpg pgp ssh host peer lookup \
     record row map cached layer program state message group shard context image document index storage tag translation config registry etag redis \
     natural composite surrogate unique business join hash event order license";
const ELSEWHERE: &str = "public pubkey hash hashed checksum digest fingerprint thumbprint sha sha1 sha256 sha512 md5 commit revision id ids kid \
     trust trusted verify verification validator öffentliche öffentlicher öffentlichen pública publica publique pubblica openbare publieke \
     publiczny prüfsumme huella empreinte fingerabdruck";
/// Lengths of a key in hexadecimal digits, and those that count only beside a cipher.
const HEX_DIGITS: [usize; 3] = [64, 96, 128];
const CIPHER_DIGITS: [usize; 3] = [32, 40, 48];
/// Lengths of the key of a wireless network in decimal digits.
const DIGITS: std::ops::RangeInclusive<usize> = 16..=26;
/// The fewest digits of a key of letters and digits.
const LEAST_DIGITS: usize = 3;
/// The length of a group of them.
const GROUP: usize = 4;
/// Words of a wireless network.
pub(super) const NETWORKS: [&str; 15] = [
    "wlan",
    "wifi",
    "wi-fi",
    "wpa",
    "wireless",
    "fritzbox",
    "fritz!box",
    "speedport",
    "router",
    "hotspot",
    "livebox",
    "freebox",
    "netzwerk",
    "la box",
    "draadlo",
];
/// Words of other long numbers.
const NUMBERS: [&str; 12] = [
    "serien", "serial", "kunden", "bestell", "order", "sendung", "tracking", "imei", "iccid",
    "numéro", "número", "primary",
];

/// The words of a text without the signs around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let sign = |c: char| !c.is_alphanumeric() && c != '-' && c != '\'' && c != '!';
    text.split_whitespace().map(move |word| word.trim_matches(sign)).filter(|word| !word.is_empty())
}

pub(super) fn is_key(word: &str) -> bool {
    KEYS.contains(&word)
        || KEYS.contains(&word.rsplit('-').next().unwrap_or_default())
        || word.ends_with("schlüssel")
}

/// Whether a value follows a text at once: behind a sign, or behind "is".
fn ties(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '`', '\'', '(']);
    let mut last = words(before).collect::<Vec<_>>().into_iter().rev();
    before.ends_with([':', '=', '>', '→', '-'])
        || last
            .find(|word| part(word) != Some(Part::When))
            .is_some_and(|word| part(word) == Some(Part::Is))
}

/// `the AES key we use for the backups is 919e9c91…`
pub(super) fn hex(line: &Line) -> Option<Range<usize>> {
    if !line.may_have_key {
        return None;
    }
    let sign = |c: char| !c.is_ascii_alphanumeric();
    let value = line.words().map(|word| word.trim_matches(sign)).find(|word| {
        let known = HEX_DIGITS.contains(&word.len()) || CIPHER_DIGITS.contains(&word.len());
        known && is_hex(word)
    })?;
    let at = line.span(value).start - line.start;
    let before = line.text[..at].to_lowercase();
    let sentence = before.rsplit(". ").next()?;
    let all: Vec<_> = words(sentence).collect();
    let key = all.iter().rposition(|word| is_key(word))?;
    let named = key.checked_sub(1).is_some_and(|of| lists(NAMES, all[of]));
    let compound = all[key].split('-').any(|part| lists(NAMES, part));
    let about = all.iter().any(|word| word.split('-').any(|part| lists(ELSEWHERE, part)));
    // Without a cipher, any other thing in the sentence may have the key.
    let other = all.iter().any(|word| lists(NAMES, word));
    // "the weather API key for the dashboard, …, has a limit"
    let rest = &line.text[at + value.len()..];
    let apart = sentence.trim_end().ends_with(',') && rest.starts_with(',');
    let api = key.checked_sub(1).is_some_and(|of| all[of] == "api")
        || all.get(key + 2).is_some_and(|of| *of == "api");
    if apart && api && !named && !compound && !about {
        return Some(line.span(value));
    }
    let cipher = CIPHERS.iter().any(|cipher| sentence.contains(cipher));
    let long = cipher || (HEX_DIGITS.contains(&value.len()) && !other);
    (long && !named && !compound && !about && ties(sentence)).then(|| line.span(value))
}

/// `heroku key is 0f8fad5b-d9cb-469f-a165-70867728950e`
pub(super) fn of_vendor(line: &Line) -> Option<Range<usize>> {
    /// Vendors whose keys have the form of an identifier.
    const VENDORS: &str = "heroku postmark snyk pinecone hubspot scaleway mailersend launchdarkly";
    /// The most words between the vendor and the key.
    const BETWEEN: usize = 4;
    const UUID_BYTES: usize = 36;
    if line.text.len() > COMPARED_BYTES || line.digits == 0 {
        return None;
    }
    let bare =
        |word: &'_ str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_lowercase();
    let (at, word) = line.words.iter().enumerate().find(|(_, word)| word.len() >= UUID_BYTES)?;
    let value = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    is_uuid(&value.to_lowercase()).then_some(())?;
    let before = &line.words[at.saturating_sub(BETWEEN)..at];
    let key = before.iter().any(|word| is_key(&bare(word)));
    let vendor = before.iter().any(|word| lists(VENDORS, &bare(word)));
    let last = before.last()?;
    let tied = last.ends_with([':', '=']) || is_key(&bare(last)) || part(last) == Some(Part::Is);
    (key && vendor && tied).then(|| line.span(value))
}

/// `WLAN-Schlüssel der Fritzbox: 35436879327540238061`
pub(super) fn wireless(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.digits < LEAST_DIGITS {
        return None;
    }
    let told = |parts: &[&str]| parts.iter().any(|part| line.lower.contains(part));
    if told(&NUMBERS) {
        return None;
    }
    // Nothing else has this form beside a network: `wifi of the office: Stock / 0623-3636-0597-7460`
    if let Some(value) = grouped(line.text, '-') {
        return Some(line.span(value));
    }
    if !(line.signs.has(Sign::Key) || line.speaks) {
        return None;
    }
    let number = if line.digits < *DIGITS.start() { None } else { digits(line.text) };
    let value = number.or_else(|| in_groups(line.text))?;
    let before = line.text[..line.span(value).start - line.start].to_lowercase();
    let mut last = words(&before).collect::<Vec<_>>().into_iter().rev();
    let direct = last.next().is_some_and(|word| is_key(word) || NETWORKS.contains(&word));
    let noun = |word: &str| is_key(word) || NOUNS.contains(&word);
    (words(&before).any(noun) && (ties(&before) || direct)).then(|| line.span(value))
}

/// A long number of a line, perhaps in groups of four digits.
fn digits(text: &str) -> Option<&str> {
    let number = |word: &&str| {
        let bare = word.trim_end_matches(['.', ',', ';']);
        DIGITS.contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit())
    };
    if let Some(word) = text.split_whitespace().find(number) {
        return Some(word.trim_end_matches(['.', ',', ';']));
    }
    grouped(text, ' ')
}

/// `zmf4-kf31-qfh8`: three or more groups of four letters and digits, as they stand below a router.
fn in_groups(text: &str) -> Option<&str> {
    const GROUPS: usize = 3;
    let mixed = |word: &str, of: fn(&u8) -> bool| word.bytes().filter(of).count() > 1;
    let group = |part: &str| part.len() == GROUP && part.bytes().all(|b| b.is_ascii_alphanumeric());
    words(text).find(|word| {
        word.split('-').count() >= GROUPS
            && word.split('-').all(group)
            && mixed(word, u8::is_ascii_digit)
            && mixed(word, u8::is_ascii_alphabetic)
    })
}

/// Four or more groups of four digits with this sign between them.
fn grouped(text: &str, joint: char) -> Option<&str> {
    let begins = |c: char| !c.is_alphanumeric() && c != '-';
    let starts = text.match_indices(begins).map(|(at, sign)| at + sign.len());
    std::iter::once(0).chain(starts).take(COMPARED_BYTES).find_map(|at| {
        let group = |word: &&str| word.len() == GROUP && word.bytes().all(|b| b.is_ascii_digit());
        let end = text[at..].find(|c: char| !c.is_ascii_digit() && c != joint);
        let run = &text[at..end.map_or(text.len(), |end| at + end)];
        let groups = run.split(joint).take_while(group).count();
        (groups >= GROUP).then(|| &text[at..at + groups * (GROUP + 1) - 1])
    })
}

/// `WLAN: Stock, Passwort velvetharborpebblemango`: words written as one, longer than a word of a sentence.
pub(super) fn worded(line: &Line) -> Option<Range<usize>> {
    const BYTES: std::ops::RangeInclusive<usize> = 18..=40;
    /// The ends of long words: "wiederhergestellt", "unterschiedlich".
    const ENDS: [&str; 16] = [
        "ung", "ungen", "lich", "keit", "ment", "tion", "tions", "iert", "stellt", "setzt",
        "mente", "aciones", "ando", "ieren", "werden", "issement",
    ];
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let long = |word: &&str| {
        BYTES.contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && !ENDS.iter().any(|end| word.ends_with(end))
    };
    let value = words(line.text).find(long)?;
    let before = line.text[..line.span(value).start - line.start].to_lowercase();
    let last = words(&before).last().unwrap_or_default();
    let noun = |word: &str| is_key(word) || NOUNS.contains(&word);
    let tied = || ties(&before) || NETWORKS.contains(&last);
    (noun(last) || (words(&before).any(noun) && tied())).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    const HEX: &str = "919e9c91b72871d419ef6da10ed07a07e83fb21aa0e7ec68e238c73a4e729d29";

    #[test]
    fn the_key_of_a_cipher_is_found() {
        for said in [
            "the AES key we use for the volume is",
            "the HMAC key that we share with the shop is",
            "our symmetric key is currently",
            "the key we use to sign cookies is",
            "der AES-Schlüssel für die Sicherung lautet",
            "la clave AES de las copias es",
            "la clé de chiffrement :",
        ] {
            seals(&[(&format!("{said} {HEX}"), &[HEX])]);
        }
        seals(&[(&format!("the AES-128 key is {}", &HEX[..32]), &[&HEX[..32]])]);
        for said in [
            "the cache key we use for the image is",
            "the public key we use for the backups is",
            "the hash of the AES key is",
            "the key id is",
            "the checksum of the key file is",
            "the key of the cached layer is",
        ] {
            let text = format!("{said} {HEX}");
            assert_eq!(redacted(&text), text);
        }
    }

    #[test]
    fn some_vendors_make_keys_that_look_like_identifiers() {
        const UUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";
        for said in ["heroku key is", "my Heroku key:", "the postmark api key"] {
            seals(&[(&format!("{said} {UUID}"), &[UUID])]);
        }
        for said in ["the primary key is", "the heroku app with the key in run", "heroku dyno"] {
            let text = format!("{said} {UUID}");
            assert_eq!(redacted(&text), text);
        }
    }

    #[test]
    fn the_key_of_a_wireless_network_may_be_a_number() {
        seals(&[
            ("WLAN-Schlüssel der Fritzbox: 58204713960277184639", &["58204713960277184639"]),
            ("la clave del wifi es 58204713960277184639", &["58204713960277184639"]),
            ("contraseña wifi 58204713960277184639", &["58204713960277184639"]),
            ("clé de la box : 58204713960277184639", &["58204713960277184639"]),
            ("La clé WPA de « Stock » est zmf4-kf31-qfh8, ajoute-la.", &["zmf4-kf31-qfh8"]),
            ("Guest Wi-Fi: Stock, key 0810-0039-4437-6236", &["0810", "6236"]),
            ("const char* wifi_pass = \"0502-9858-8696-3757\";", &["0502", "3757"]),
            ("wifi de la oficina: Stock / 0623-3636-0597-7460", &["0623", "7460"]),
            ("WLAN: Stock, Passwort velvetharborpebblemango", &["velvetharbor"]),
            ("Auf der Fritzbox steht als Netzwerkschlüssel velvetharborpebblemango", &["velvet"]),
            ("WLAN-Schlüssel (WPA2): 5820 4713 9602 7718 4639", &["5820", "4639"]),
        ]);
        for text in [
            "Seriennummer der Fritzbox: 58204713960277184639",
            "the primary key of the router is 58204713960277184639",
            "WLAN-Schlüssel hat 20 Ziffern",
            "der Netzwerkschlüssel wurde wiederhergestellt",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
