//! Words with dots or hyphens between them: passwords, and the names of hosts, files and attributes, which look alike.

use crate::names::is_opened;
use crate::talk::says;
use crate::things::{is_named_thing, is_prose};
use crate::weight::is_wordy;
use crate::words::{Table, role};
use std::sync::OnceLock;

/// `P3rro.gato`: not how anyone writes a host name.
pub fn is_dotted_password(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_uppercase())
        && value.contains(|c: char| c.is_ascii_digit())
        && !value.contains(['@', ':', '/'])
        && match value.matches('.').count() {
            1 => true,
            // `wEasel.0n.Stilts`
            2 | 3 => value.split('.').any(|part| {
                let inner = part.trim_end_matches(|c: char| c.is_ascii_digit());
                inner.len() > 1 && inner.contains(|c: char| c.is_ascii_digit())
            }),
            _ => false,
        }
}

/// Last parts of names of hosts and files with more than two letters, of which no password consists.
const LAST_PARTS: &str = "com org net edu gov mil int info biz name dev app cloud online site shop store tech blog xyz \
     local internal lan home corp intern intra intranet test example invalid localhost svc cluster arpa pro box localdomain \
     domain host hosting zone space live world email media agency studio digital network systems services solutions software \
     company team group club academy school university berlin hamburg wien swiss paris london amsterdam prod staging \
     production stage default cache conf yml yaml json txt log env sql pem key crt cer csr html css php service timer socket mount \
     target tar zip deb rpm iso img toml xml csv pdf png jpg bak lock sqlite tfvars tfstate cfg ini exe dll jar war \
     properties config settings docx xlsx pptx kdbx backup dump old orig swp java cpp tpl hcl bash zsh rsa pub ppk ovpn \
     monitoring logging database redis postgres mysql mongo vault consul value password passwd pass secret token name user \
     username text data content body length size type id path files form fields args params env environ options";

/// `lantern.saddle.gravel`, `renard.nuage`: words with dots between them, and not the name of a host or a file.
pub fn is_dotted_phrase(value: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    const WORD: std::ops::RangeInclusive<usize> = 4..=12;
    let last = value.rsplit('.').next().unwrap_or_default();
    let word =
        |part: &str| WORD.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase());
    value.split('.').all(word)
        && is_wordy(value)
        && TABLE.get_or_init(|| Table::listed(LAST_PARTS)).get(last).is_none()
}

/// Words of attributes in programs, of which no password with three words has one.
const ATTRIBUTES: &str = "config configs database databases settings setting request requests response params param args data form \
     forms user users account accounts credential credentials option options state props values value secrets vars process \
     system client session body query input output model models view views controller service services application page pages \
     error errors message messages label labels common translation translations title customer customers address street order orders product products phone company shop module modules local locals event \
     events node nodes java javax django flask python input inputs element document window console result results object \
     objects item items context store stores handler handlers utils helper helpers core main index resource resources \
     provider providers server servers connection connections https http default defaults global globals field fields \
     role roles attr attrs attributes metadata spec status labels annotations build test tests lang util";

/// `lantern.saddle.gravel`: three or more such words, and not the name of an attribute. It is a password only where one must be.
pub fn is_dotted_secret(value: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    const LEAST_BYTES: usize = 14;
    const DOTS: std::ops::RangeInclusive<usize> = 2..=7;
    // Most values have no dot.
    value.len() >= LEAST_BYTES
        && value.as_bytes()[4..].contains(&b'.')
        && DOTS.contains(&value.matches('.').count())
        && is_dotted_phrase(value)
        && !value.split('.').any(|part| {
            is_prose(part) || TABLE.get_or_init(|| Table::listed(ATTRIBUTES)).get(part).is_some()
        })
}

/// `lantern-saddle-gravel`: three or more words, none of them technical, as one is in the name of an object. It is a
/// secret only where one must be.
pub fn is_hyphenated_secret(value: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    static ENDS: OnceLock<Table<()>> = OnceLock::new();
    const WORD: std::ops::RangeInclusive<usize> = 3..=12;
    const WORDS: std::ops::RangeInclusive<usize> = 3..=8;
    let technical = |part: &str| {
        TABLE.get_or_init(|| Table::listed(ATTRIBUTES)).get(part).is_some()
            || ENDS.get_or_init(|| Table::listed(LAST_PARTS)).get(part).is_some()
            || role(part).is_some()
            || says(part).is_some()
            || is_opened(part)
            || is_prose(part)
    };
    let word =
        |part: &str| WORD.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase());
    WORDS.contains(&(value.bytes().filter(|b| *b == b'-').count() + 1))
        && value.split('-').all(|part| word(part) && !technical(part))
}

/// `lantern.saddle9`: two words with a dot between them and a number, and not the name of a host. It is a password only
/// where one must be.
pub fn is_dotted_pair(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 1..=4;
    let Some((first, last)) = value.split_once('.') else { return false };
    let second = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = |part: &str| part.len() >= 3 && part.bytes().all(|b| b.is_ascii_lowercase());
    DIGITS.contains(&(last.len() - second.len()))
        && [first, second].into_iter().all(word)
        && !is_opened(first)
        && !is_opened(second)
        && !is_named_thing(last)
        && !is_prose(first)
        && role(first).is_none()
}

/// `luna.de.queso`, `Walnuss.im.Regen`: any three or more words, and not the name of a host, a file or an attribute. It is a
/// password only where a sentence says so.
pub fn is_dotted_words(value: &str) -> bool {
    const LAST_CHARS: std::ops::RangeInclusive<usize> = 4..=14;
    const WORD_CHARS: std::ops::RangeInclusive<usize> = 1..=14;
    static ENDS: OnceLock<Table<()>> = OnceLock::new();
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    // Most values have no dot.
    if !(2..=7).contains(&value.bytes().filter(|b| *b == b'.').count()) {
        return false;
    }
    let word = |part: &str| {
        WORD_CHARS.contains(&part.chars().count())
            && part.chars().all(char::is_alphabetic)
            && part.chars().skip(1).all(char::is_lowercase)
    };
    let lower = value.to_lowercase();
    let last = lower.rsplit('.').next().unwrap_or_default();
    let attributes = TABLE.get_or_init(|| Table::listed(ATTRIBUTES));
    value.split('.').all(word)
        && LAST_CHARS.contains(&last.chars().count())
        && !lower.starts_with("www.")
        && ENDS.get_or_init(|| Table::listed(LAST_PARTS)).get(last).is_none()
        && !lower.split('.').any(|part| attributes.get(part).is_some())
}

/// `Nuez.Moscada`, `PanTostado.y.Miel`: words with capitals and dots between them, and not the name of a class, an attribute or
/// a file. It is a password only where one is set.
pub fn is_dotted_title(value: &str) -> bool {
    static ENDS: OnceLock<Table<()>> = OnceLock::new();
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    // Most values have no dot.
    if !(1..=7).contains(&value.bytes().filter(|b| *b == b'.').count()) {
        return false;
    }
    let lower = value.to_lowercase();
    let last = lower.rsplit('.').next().unwrap_or_default();
    let attributes = TABLE.get_or_init(|| Table::listed(ATTRIBUTES));
    let word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    value.starts_with(char::is_uppercase)
        && value.split('.').all(word)
        && value
            .split('.')
            .any(|part| part.chars().skip(1).filter(|c| c.is_lowercase()).count() >= 3)
        && ENDS.get_or_init(|| Table::listed(LAST_PARTS)).get(last).is_none()
        && !lower.split('.').any(|part| is_prose(part) || attributes.get(part).is_some())
}

/// The length of a password of words with dots at the start of a text: "lantern.saddle.gravel".
pub fn dotted(text: &str) -> Option<usize> {
    const DOTTED_BYTES: usize = 64;
    text.starts_with(|c: char| c.is_ascii_lowercase()).then_some(())?;
    let part = |b: &u8| b.is_ascii_lowercase() || *b == b'.';
    let run = &text[..text.bytes().take(DOTTED_BYTES).take_while(part).count()];
    let value = run.trim_end_matches('.');
    let rest = &text[value.len()..];
    let ends = rest.is_empty()
        || rest.starts_with([' ', '.', ',', ';', '!', '?', ')', '\n', '\r', '"', '\'', '`', '*']);
    (ends && is_dotted_secret(value)).then_some(value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_dots_are_a_password_or_a_name() {
        for value in ["chocolat.letmein.soleil", "lantern.saddle.gravel.winter"] {
            assert!(is_dotted_secret(value), "{value}");
        }
        for value in [
            "config.database.main",
            "request.form.letter",
            "shop.example.berlin",
            "lantern.saddle",
            "backup.nightly.json",
            "a.b.c",
            "errors.login.unknown",
            "customer.address.street",
        ] {
            assert!(!is_dotted_secret(value), "{value}");
        }
    }

    #[test]
    fn words_with_hyphens_are_a_secret_or_name_an_object() {
        for value in ["lantern-saddle-gravel", "mesa-silla-puerta"] {
            assert!(is_hyphenated_secret(value), "{value}");
        }
        for value in [
            "lantern-saddle",
            "my-app-secret",
            "db-creds-prod",
            "shop-mail-relay",
            "stripe-webhook-live",
            "end-to-end",
            "lantern-saddle-2",
        ] {
            assert!(!is_hyphenated_secret(value), "{value}");
        }
    }
}
