//! Recognizes the names of machines by the words around them: "the root password on cache1", "and build7 wants a new
//! one".

use super::Place;
use crate::lexicon::{Part, is_from, is_to, part};
use crate::weight::{Weight, weigh};
use crate::words::{AND, FOR};
use std::ops::Range;

/// The lengths of a machine's name, in bytes, and the most digits in a row in it.
const NAME_BYTES: Range<usize> = 3..25;
const DIGITS: usize = 4;
/// Words before a place.
const AT: [&str; 12] =
    ["on", "at", "bei", "beim", "op", "su", "sul", "sur", "over", "onto", "aan", "sobre"];
/// Words before a place or an owner, which may also come before a password that changes: "ändere es auf X".
const AT_OR_TO: [&str; 17] = [
    "auf", "en", "in", "em", "of", "from", "von", "vom", "de", "del", "du", "dei", "do", "da",
    "van", "na", "u",
];
/// What precedes such a word if no place follows: "X instead of Y".
const INSTEAD: [&str; 6] = ["instead", "anstatt", "lugar", "lieu", "invece", "vez"];
/// Verbs of a machine that asks for a password.
const WANTS: [&str; 18] = [
    "wants", "want", "needs", "asks", "prompts", "will", "braucht", "verlangt", "fragt", "pide",
    "pede", "chiede", "ne", "demande", "réclame", "vraagt", "chce", "wymaga",
];
/// Verbs of a password that went from one to another.
const PASSED: [&str; 6] = ["passé", "passée", "passata", "passato", "pasó", "passou"];
/// How far back a clause is read for a word that sets a password, in words.
const CLAUSE_WORDS: usize = 12;

/// Whether a value is one of several units of systemd made from one template: `systemctl restart postgresql@15-main`.
fn is_instance(value: &str, before: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.:".contains(&b);
    let unit = value.split_once('@').is_some_and(|(name, instance)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().chain(instance.bytes()).all(plain)
    });
    unit && ["systemctl ", "journalctl ", "pg_ctlcluster "].iter().any(|it| before.contains(it))
}

/// Whether a value is the port and the path of an address: `postgresql://USER:PASSWORD@HOST:⟦5432/BASE?sslmode=require⟧`.
fn is_behind_host(place: &Place<'_>) -> bool {
    let host = place.begun().strip_suffix(':').and_then(|address| address.rsplit_once('@'));
    let port = place.value.split(['/', '?']).next().unwrap_or_default();
    host.is_some_and(|(login, host)| {
        login.contains("://") && !host.is_empty() && !host.contains(['/', ':'])
    }) && !port.is_empty()
        && port.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a find is the name of a machine.
pub(super) fn is_machine(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let asked = value.ends_with('?') || after.starts_with('?');
    if is_host(value) || is_instance(value, before) || is_behind_host(place) {
        return true;
    }
    if !is_name(value.trim_end_matches('?')) {
        return false;
    }
    let Some(words) = before.strip_suffix(' ') else { return false };
    let bare = |word: &str| word.trim_matches(['(', '"', ',', ':']).to_lowercase();
    let mut all = words.rsplit(' ').map(bare);
    let last = all.next().unwrap_or_default();
    let instead = all.clone().next().is_some_and(|word| INSTEAD.contains(&word.as_str()));
    // "setze das Passwort auf falcon877", "auf falcon877 geändert": few machines have three digits.
    let numbered = value.trim_end_matches(|c: char| c.is_ascii_digit()).len() + 3 <= value.len();
    let next = after.trim_start().split(' ').next().unwrap_or_default();
    let changes = |word: &str| part(word.trim_matches(['.', ',', '!'])) == Some(Part::Changed);
    // "das Kennwort steht auf regal4711"
    let stands = || words.rsplit(' ').skip(1).take(2).any(|word| word == "steht");
    let moved = (numbered && (!value.contains('-') || is_phrase(value)) && changes(next))
        || (numbered && stands())
        || is_half(words, after);
    let set = || {
        all.take(CLAUSE_WORDS).any(|word| {
            part(&word) == Some(Part::Changed)
                || PASSED.contains(&word.as_str())
                || ["set", "setz", "änder", "stell", "cambi", "chang", "mud", "troc", "wijzig"]
                    .iter()
                    .any(|verb| word.starts_with(verb))
        })
    };
    // "salasana on X": in Finnish and Estonian, "on" is "is"
    let is = last == "on"
        && words.strip_suffix(" on").is_some_and(|noun| {
            ["salasana", "parool"].iter().any(|word| noun.to_lowercase().ends_with(word))
        });
    let at = AT.contains(&last.as_str()) && !is;
    // "setze das Passwort auf web1 zurück" resets it.
    let reset = next.starts_with("zurück");
    let placed =
        AT_OR_TO.contains(&last.as_str()) && !instead && !moved && (reset || asked || !set());
    // "a passphrase on the key for web1?"
    let owned = asked && FOR.contains(&last.as_str());
    // "I cannot log in to web1"
    let entered = ["to", "into", "auf", "en", "à", "a"].contains(&last.as_str())
        && words.rsplit(' ').nth(1).is_some_and(|verb| {
            [
                "in",
                "login",
                "ssh",
                "connect",
                "connected",
                "access",
                "einloggen",
                "anmelden",
                "connecter",
                "entrar",
            ]
            .contains(&bare(verb).as_str())
        });
    let asks = AND.contains(&last.as_str()) && WANTS.contains(&next);
    // A comment of a shell
    let comment = last == "#" && words.contains(" && ");
    at || placed || owned || entered || asks || comment
}

/// Whether a value has several long words and four digits, as few machines have: `falcon-kettle-6215`.
fn is_phrase(value: &str) -> bool {
    const OF_MACHINES: [&str; 14] = [
        "prod", "node", "host", "server", "cluster", "worker", "stage", "staging", "test", "live",
        "client", "proxy", "cloud", "runner",
    ];
    let Some((words, number)) = value.rsplit_once('-') else { return false };
    let long = |word: &str| {
        word.len() >= 4
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && !OF_MACHINES.contains(&word)
    };
    words.contains('-')
        && number.len() == 4
        && number.bytes().all(|b| b.is_ascii_digit())
        && words.split('-').all(long)
}

/// Whether the other half of a change from one password to another is made up: "von Hq7!x-Mt auf … geändert", "van … naar
/// Hq7!x-Mt gewijzigd".
fn is_half(before: &str, after: &str) -> bool {
    const VERB_WORDS: usize = 2;
    let made = |word: &str| word.starts_with("{{secret:") || weigh(word) >= Weight::Fair;
    let changed = |word: &str| part(word.trim_matches(['.', ',', '!', '?'])) == Some(Part::Changed);
    let mut back = before.rsplit(' ');
    let mut next = after.split_whitespace();
    match back.next().unwrap_or_default() {
        from if is_from(from) => {
            next.next().is_some_and(is_to)
                && next.next().is_some_and(|word| made(word.trim_end_matches(',')))
                && next.take(VERB_WORDS).any(changed)
        }
        to if is_to(to) => {
            back.next().is_some_and(made)
                && back.next().is_some_and(is_from)
                && next.take(VERB_WORDS).any(changed)
        }
        _ => false,
    }
}

/// `build19.lan`: a name in a private network.
fn is_host(value: &str) -> bool {
    [".lan", ".local", ".internal", ".intern", ".home", ".corp"].iter().any(|end| {
        value.strip_suffix(end).is_some_and(|name| {
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
            !name.is_empty() && name.bytes().all(plain)
        })
    })
}

/// `cache1`, `db-prod-2`, `k8s-cp1`: not `Mango77`, and not `hunter19920`.
fn is_name(value: &str) -> bool {
    let part = |part: &str| {
        let mut run = 0;
        let short = part.bytes().all(|byte| {
            run = if byte.is_ascii_digit() { run + 1 } else { 0 };
            run <= DIGITS
        });
        !part.is_empty() && short
    };
    NAME_BYTES.contains(&value.len())
        && value.starts_with(|c: char| c.is_ascii_lowercase())
        && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && value.contains(|c: char| c.is_ascii_digit())
        && value.split('-').all(part)
}
