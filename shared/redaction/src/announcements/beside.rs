//! Finds passwords that need no word of their own: beside another one in a list of labels, after a user and a slash, before and
//! after a change, above a line that points at them, and dictated in parts.

use super::bracketed::THAT;
use super::chosen::{is_chosen, is_named};
use super::{COMPARED_BYTES, Line, NOUNS, fits, trim};
use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::weight::{is_random, is_titled};
use crate::words::{AND, Role, folded, role};
use crate::{Raw, SecretKind};
use std::ops::Range;

/// Lengths of such a password, in bytes.
const BYTES: Range<usize> = 6..65;
/// The shortest of them where nothing but its form speaks for it, in bytes.
const ALONE_BYTES: usize = 8;
/// The most words of a label.
const LABEL_WORDS: usize = 3;
/// The longest name of a user, in bytes.
const USER_BYTES: usize = 32;

/// Whether a text has letters, digits and a sign that no name has.
fn is_hard(value: &str) -> bool {
    let has = |signs: &str| value.contains(|c| signs.contains(c));
    let joined = value.contains('_') && value.contains(char::is_uppercase);
    BYTES.contains(&value.len())
        && value.contains(|c: char| c.is_ascii_digit())
        && value.contains(char::is_alphabetic)
        && (has("!#$%&*+@^~?=") || joined)
        && !has("/\\(){}<>[]\"'`:")
        && fits(value)
}

/// The same with capitals and small letters, so that its form is enough.
fn is_harder(value: &str) -> bool {
    value.len() >= ALONE_BYTES
        && value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
        && value.contains(|c| "!#$%&*+@^~?".contains(c))
        && !value.chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c))
        && is_hard(value)
}

fn bare(word: &str) -> &str {
    trim(word.trim_end_matches([',', ';', '.', ':']))
}

/// `Root: X, backup: Y, …` and `Redis: Z` on the next line, of which one is known; and the rows `- web1: Crow-Lake-10` of a
/// list with it.
pub(super) fn labeled(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let mut more = Vec::new();
    let (mut read, mut listed) = (0, 0);
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password) {
        let at = lines.partition_point(|line| line.start <= raw.span.start).saturating_sub(1);
        if at >= listed && lines.get(at).and_then(row).is_some() {
            let rows = |line: &&Line| row(line).is_some();
            let above = lines[listed..at].iter().rev().take_while(rows);
            let below: Vec<_> = lines[at..].iter().take_while(rows).collect();
            listed = at + below.len();
            more.extend(above.chain(below).filter_map(row));
        }
        let first = at.saturating_sub(1).max(read);
        read = (at + 2).min(lines.len());
        for line in lines.get(first..read).unwrap_or_default() {
            more.extend(labels(line));
        }
    }
    more.extend(named_below(lines));
    more
}

/// Rows below which a line says what they are: "these are the root passwords".
fn named_below(lines: &[Line]) -> Vec<Range<usize>> {
    const THESE: [&str; 9] =
        ["these", "those", "das sind", "dies sind", "ce sont", "son ", "estas ", "estos", "sono "];
    let mut more = Vec::new();
    let short = |line: &Line| line.speaks && line.text.len() <= COMPARED_BYTES;
    for (at, line) in lines.iter().enumerate().skip(2).filter(|(_, line)| short(line)) {
        if THESE.iter().any(|these| line.lower.trim_start().starts_with(these)) {
            more.extend(lines[..at].iter().rev().map_while(row));
        }
    }
    more
}

/// The titled words of a row of a list: `- web-01: Crow-Lake-10`.
fn row(line: &Line) -> Option<Range<usize>> {
    let text = line.text.trim();
    let (label, value) = text.strip_prefix(['-', '*', '•'])?.split_once(": ")?;
    let value = trim(value);
    let short = label.split_whitespace().count() <= LABEL_WORDS && text.len() <= COMPARED_BYTES;
    (short && is_titled(value) && fits(value)).then(|| line.span(value))
}

/// The made-up words of a line right after a label.
fn labels<'l>(line: &'l Line<'_>) -> impl Iterator<Item = Range<usize>> + 'l {
    let text = if line.text.len() > COMPARED_BYTES { "" } else { line.text };
    text.match_indices(": ").filter_map(|(at, _)| {
        let label = text[..at].rsplit([',', ';']).next().unwrap_or_default();
        let value = trim(text[at + 2..].split(' ').next()?.trim_end_matches([',', ';', '.']));
        let short = label.split_whitespace().count() <= LABEL_WORDS + 1;
        (short && is_harder(value)).then(|| line.span(value))
    })
}

/// `for the firewall kim/X`
pub(super) fn pairs(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.digits == 0 {
        return Vec::new();
    }
    let pair = |word: &str| {
        let (user, _) = word.split_once('/')?;
        let value = bare(&word[user.len() + 1..]);
        // `docs/Setup&Install2024.md`, "use modules/Network-v2!"
        let file = value.rsplit_once('.').is_some_and(|(_, kind)| {
            (2..=4).contains(&kind.len()) && kind.bytes().all(|b| b.is_ascii_lowercase())
        });
        let user = user.trim_start_matches('(');
        let named = user.starts_with(|c: char| c.is_ascii_lowercase())
            && user.len() <= USER_BYTES
            && user.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        // `gc/TestAgeOutput.java#id0`, `msys2/MINGW-packages#9319`, `application/vnd.3gpp.GMOP+xml`
        let part = value.split_once('#').is_some_and(|(head, number)| {
            head.contains('.') || number.bytes().all(|b| b.is_ascii_digit())
        });
        let inner = value.trim_end_matches(['!', '?']);
        let signed = inner.contains(|c| "!#$%*@^~?".contains(c));
        (named && !part && !file && signed && is_harder(value)).then(|| line.span(value))
    };
    let words = || line.words();
    let told = words().zip(words().skip(1)).filter_map(|(with, word)| login(line, with, word));
    words().filter_map(pair).chain(told).collect()
}

/// "you can get into the panel with n.brandt/Walnut236": a user and a password behind "with".
fn login(line: &Line, with: &str, word: &str) -> Option<Range<usize>> {
    const WITH: [&str; 6] = ["with", "mit", "con", "avec", "as", "als"];
    const ENTERS: [&str; 14] = [
        "log in",
        "login",
        "sign in",
        "get into",
        "get in",
        "panel",
        "anmelden",
        "einloggen",
        "zugang",
        "access",
        "entra",
        "acced",
        "connect",
        "connexion",
    ];
    if !WITH.contains(&with) || !ENTERS.iter().any(|enters| line.lower.contains(enters)) {
        return None;
    }
    let (user, value) = bare(word).split_once('/')?;
    let named = user.len() > 1
        && user.len() <= USER_BYTES
        && user
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b));
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let own = value.len() >= super::ALONE_BYTES
        && digits > 1
        && value.contains(|c: char| c.is_ascii_uppercase() || "!_#$%&*+?".contains(c))
        && !value.contains(['/', '.']);
    (named && own).then(|| line.span(value))
}

/// `Was X until last week, the new one is Y`, `Avant c'était X, maintenant c'est Y`: X and Y.
pub(super) fn replaced(line: &Line) -> Vec<Range<usize>> {
    const BEFORE: [&str; 10] =
        ["was", "war", "era", "était", "c'était", "früher", "vorher", "before", "formerly", "erat"];
    const NOW: [&str; 18] = [
        "now",
        "new",
        "jetzt",
        "neue",
        "neu",
        "nun",
        "ahora",
        "nueva",
        "nuevo",
        "maintenant",
        "nouveau",
        "nouvelle",
        "adesso",
        "nuova",
        "agora",
        "nova",
        "nu",
        "teraz",
    ];
    const FIRST_WORDS: usize = 5;
    if line.text.len() > COMPARED_BYTES || line.digits < 2 || !line.text.contains([',', ';']) {
        return Vec::new();
    }
    let words = &line.words;
    let told = |list: &[&str], word: &str| list.contains(&bare(word).to_lowercase().as_str());
    let Some(was) = words.iter().take(FIRST_WORDS).position(|word| told(&BEFORE, word)) else {
        return Vec::new();
    };
    // "before it was X", "before, it was X"
    let leads = |word: &&&str| told(&BEFORE, word) || told(&["it", "es", "it's"], word);
    let mut rest = words[was + 1..].iter().skip_while(leads);
    let old = rest.next().map(|word| bare(word));
    let own = |word: &&str| is_hard(word) || is_chosen(word);
    let new = rest.skip_while(|word| !told(&NOW, word)).map(|word| bare(word)).find(own);
    // "avant c'était chamois12, maintenant c'est Chamois-Blanc-340"
    let old = old.filter(|word| is_hard(word) || (new.is_some_and(is_chosen) && is_older(word)));
    match (old, new) {
        (Some(old), Some(new)) => vec![line.span(old), line.span(new)],
        _ => Vec::new(),
    }
}

/// Whether a word has letters and digits and names no thing: a password beside the one that replaced it.
fn is_older(word: &str) -> bool {
    BYTES.contains(&word.len())
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
        && word.chars().all(|c| c.is_alphanumeric() || "-_.!".contains(c))
        && !is_named(word)
        && fits(word)
}

/// A value alone on its line, and below it `^ the new password of the database`.
pub(super) fn pointed(lines: &[Line], number: usize) -> Option<Range<usize>> {
    const LINES: [&str; 8] = [
        "second line",
        "last line",
        "line above",
        "zweite zeile",
        "letzte zeile",
        "segunda línea",
        "deuxième ligne",
        "dernière ligne",
    ];
    let below = lines.get(number + 1)?;
    // Most lines end here.
    let near = lines.get(number + 2);
    (below.announces || near.is_some_and(|line| line.speaks)).then_some(())?;
    let value = trim(lines[number].text);
    let next = lines[number + 1..].iter().take(2).find(|line| !line.text.trim().is_empty());
    if next.is_some_and(explains) && is_joined(value) {
        return Some(lines[number].span(value));
    }
    let sign = below.text.trim_start().starts_with(['^', '↑']);
    let points = below.announces
        && (sign
            || ((is_harder(value) || is_random(value))
                && LINES.iter().any(|said| below.lower.contains(said))));
    (points && !value.contains(' ') && value.len() >= BYTES.start && fits(value))
        .then(|| lines[number].span(value))
}

/// Whether a line says that the one above is a password: "that's the root password", "ed è la passphrase della chiave".
fn explains(line: &Line) -> bool {
    const NOUN_WITHIN: usize = 4;
    if line.text.len() > COMPARED_BYTES || !line.speaks {
        return false;
    }
    let text = line.lower.trim_start();
    let text =
        text.split_once(' ').filter(|(and, _)| AND.contains(and)).map_or(text, |(_, rest)| rest);
    let said = THAT.iter().find_map(|that| text.strip_prefix(that));
    // "that's where the password is explained"
    let goes_on =
        |rest: &str| rest.split(' ').next().is_some_and(|word| says(word) == Some(Says::Parts));
    said.filter(|rest| !goes_on(rest)).is_some_and(|rest| {
        let mut words = rest.split(' ').take(NOUN_WITHIN);
        words.any(|word| {
            let word = word.trim_matches(['.', ',', '!']);
            NOUNS.contains(&word.rsplit('-').next().unwrap_or_default())
        })
    })
}

/// Whether a text alone on its line may be a password of words: `Ocker_Waage`, `Nussbaum_7`.
fn is_joined(value: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    BYTES.contains(&value.len())
        && value.contains(['_', '-'])
        && value.contains(char::is_alphabetic)
        && value.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && value.split(['_', '-']).all(part)
        && !is_named(value)
        && fits(value)
}

/// `the password it's um walnut and then 7488 right after`
pub(super) fn dictated(line: &Line) -> Vec<Range<usize>> {
    const FILLERS: [&str; 12] =
        ["um", "uh", "er", "erm", "hm", "ähm", "äh", "eh", "euh", "like", "well", "so"];
    const THEN: [&str; 8] =
        ["and then", "then", "und dann", "dann", "y luego", "luego", "et puis", "puis"];
    if line.text.len() > COMPARED_BYTES || line.digits == 0 || !line.announces {
        return Vec::new();
    }
    let words = &line.words;
    let noun = words.iter().position(|word| role(&folded(bare(word))) == Some(Role::Password));
    let Some(noun) = noun else { return Vec::new() };
    let mut rest = words[noun + 1..].iter().map(|word| bare(word)).peekable();
    let mut tied = false;
    while let Some(word) = rest.peek() {
        let lower = word.to_lowercase();
        let is = part(&lower) == Some(Part::Is) || matches!(lower.as_str(), "it's" | "c'est");
        if !is && !FILLERS.contains(&lower.as_str()) {
            break;
        }
        tied |= is;
        rest.next();
    }
    let mut next = || rest.next().unwrap_or_default();
    let (value, first, second) = (next(), next(), next());
    let both = [first, second].join(" ").to_lowercase();
    let number = match (THEN.contains(&both.as_str()), THEN.contains(&first)) {
        (true, _) => next(),
        (false, true) => second,
        _ => return Vec::new(),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let word = value.len() >= 4 && value.chars().all(char::is_alphabetic) && says(value).is_none();
    if tied && digits && word && fits(value) {
        return vec![line.span(value), line.span(number)];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn passwords_beside_others_are_found() {
        seals(&[
            (
                "Root: aK7!mqLo9x, Backup-Nutzer: b$9Lmq+xY2, Snapshot-Passwort: Walnut77",
                &["b$9Lmq"],
            ),
            ("DB: kim / aK7!mqLo9x\nRedis: b$9Lmq+xY2\nS3 secret: 9f8a", &["b$9Lmq+xY2"]),
            (
                "Für die Firewall kim/aK7!mqLo9x und für den Switch ann/b$9Lmq+xY2.",
                &["aK7", "b$9L"],
            ),
            ("Was aK7!mqLo9x until Monday, the new one is b$9Lmq+xY2 (router).", &["aK7", "b$9L"]),
            ("Sorry, het was aK7!mqLo9x, nu is het b$9Lmq+xY2 (van de router)", &["aK7", "b$9L"]),
            ("Antes era Walnut#10tree, ahora es b$9Lmq+xY2.", &["Walnut#10tree", "b$9L"]),
            (
                "- web-01: Crow-Lake-10\n- web-02: Crow-Lake-20\n- db-01: Stork-Lake-30\nthese are the root passwords",
                &["Crow-Lake-10", "Crow-Lake-20", "Stork-Lake-30"],
            ),
            (
                "avant c'était loutre12, maintenant c'est Loutre-Noire-340",
                &["loutre12", "Loutre-Noire"],
            ),
            ("aK7!mqLo9x\n^ new db password", &["aK7!mqLo9x"]),
            (
                "in the file is only\n\nOcker_Waage\n\nand that's the passphrase of the key",
                &["Ocker_Waage"],
            ),
            ("Nussbaum_7\ndas ist das Root-Passwort", &["Nussbaum_7"]),
            ("kim\naK7!mqLo9x\nis the second line the password?", &["aK7!mqLo9x"]),
            ("You can get into the panel with k.brandt/WalnutTree236", &["WalnutTree236"]),
            ("ok so the password it's um walnut and then 7488 right after", &["walnut", "7488"]),
        ]);
        for text in [
            "Before it was Debian_11, now it's Debian_12",
            "Image was app_web2, the new one is app_web3",
            "Version: 1.2, commit: 9f8a7b6c",
            "either/or, read/write, s/foo/bar/",
            "gc/TestAgeOutput.java#id0 passed, see msys2/MINGW-packages#9319",
            "application/vnd.3gpp.GMOP+xml",
            "read docs/Setup#Install2024.md and use modules/Network-v2!",
            "db-prod-01\nthat's the password server",
            "README_v2\nthat's where the password is explained",
            "web-01\n^ the server that needs a new password",
            "log in with your account, then read the panel's docs/Setup2024 page",
            "the panel opens with modules/Network2024.md",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
