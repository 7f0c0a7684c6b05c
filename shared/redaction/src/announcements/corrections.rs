//! Finds both spellings of a password that its author corrects.

use super::{ALONE_BYTES, COMPARED_BYTES, Line, fits, is_made_up, on_one_line, trim};
use crate::weight::{Weight, weigh};
use crate::{Raw, SecretKind};
use std::ops::Range;

/// `not Renard_bleu but Renard-bleu`, in a sentence about a password: both are secrets.
pub(super) fn corrected(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.speaks {
        return Vec::new();
    }
    let words: Vec<&str> =
        line.words().map(|word| trim(word.trim_end_matches([',', ';', '.', '!', '?']))).collect();
    let made = |word: &&&str| {
        word.len() >= 6
            && fits(word)
            && word.contains(|c: char| c.is_ascii_digit() || c.is_uppercase())
            && word.contains(|c: char| c.is_lowercase())
            && !["pass", "pwd", "secret", "wort", "hash"]
                .iter()
                .any(|part| word.to_lowercase().contains(part))
    };
    let words: Vec<&&str> = words.iter().filter(made).take(8).collect();
    let mut found = Vec::new();
    for (at, one) in words.iter().enumerate() {
        for other in &words[at + 1..] {
            if one != other && near(one, other) {
                found.extend([line.span(one), line.span(other)]);
            }
        }
    }
    found
}

/// Texts that are almost a secret that was found: its wrong spelling.
pub(super) fn alike(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let mut more = Vec::new();
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password).take(16) {
        let Some((line, value)) = on_one_line(lines, &raw.span) else { continue };
        if line.text.len() > COMPARED_BYTES || value.len() < 6 {
            continue;
        }
        for word in line.words().take(60) {
            let word = trim(word.trim_end_matches([',', ';', '.', '!', '?']));
            let close = || near(word, value) || (same(word, value) && is_taken_back(line, word));
            if word.len() >= 6 && word != value && fits(word) && close() {
                more.push(line.span(word));
            }
        }
    }
    more
}

/// Words before what a person takes back.
const NOT: [&str; 7] = ["not", "nicht", "no", "pas", "non", "kein", "never"];

/// Whether "not" or "it is not" comes right before a word.
fn is_taken_back(line: &Line, word: &str) -> bool {
    const WORDS: usize = 2;
    let before = line.lower.get(..line.span(word).start - line.start).unwrap_or_default();
    let mut words = before.rsplit(' ').filter(|word| !word.is_empty()).take(WORDS);
    words.any(|word| NOT.contains(&trim(word)))
}

/// Whether two texts have the same letters and digits, whatever their case and their signs.
fn same(one: &str, other: &str) -> bool {
    const SIGNS: usize = 3;
    fn plain(text: &str) -> impl Iterator<Item = char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    one.len().abs_diff(other.len()) <= SIGNS && plain(one).eq(plain(other))
}

/// `Not hafenfest but Hafenfest! is the password`: both, where only case or signs differ.
pub(super) fn denied(line: &Line) -> Vec<Range<usize>> {
    const BUT: [&str; 5] = ["but", "sondern", "sino", "mais", "it's"];
    const LEAST_BYTES: usize = 6;
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return Vec::new();
    }
    let words = &line.words;
    let found = words.windows(4).find_map(|of| {
        // Most words end here.
        let told = BUT.contains(&of[2]) && NOT.contains(&of[0].to_lowercase().as_str());
        let end = |c: char| matches!(c, ',' | ';' | '.');
        let (old, new) = (trim(of[1].trim_end_matches(end)), trim(of[3].trim_end_matches(end)));
        let own = old.len() >= LEAST_BYTES && old != new && same(old, new) && fits(old);
        (told && own).then(|| vec![line.span(old), line.span(new)])
    });
    found.unwrap_or_default()
}

/// What a person takes back beside a secret that was found: "Not X but ⟦…⟧", "Es muss X heißen und nicht ⟦…⟧".
pub(super) fn contrasted(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    const BUT: [&str; 6] = [" but ", " sondern ", " sino ", " mais ", ", but ", ", sondern "];
    const AND_NOT: [&str; 8] = [
        " and not ",
        " und nicht ",
        " y no ",
        " et pas ",
        " et non ",
        ", not ",
        ", nicht ",
        ", pas ",
    ];
    /// The most words between a value and what takes the other back.
    const WORDS: usize = 2;
    let mut more = Vec::new();
    for raw in found.iter().filter(|raw| raw.kind == SecretKind::Password).take(16) {
        let Some((line, _)) = on_one_line(lines, &raw.span) else { continue };
        if line.text.len() > COMPARED_BYTES {
            continue;
        }
        let before = line.text[..raw.span.start - line.start].trim_end_matches(['"', '\'', '`']);
        let end = |ends: &[&str]| ends.iter().find_map(|end| before.strip_suffix(end));
        // `miwNTzxXoS`
        let inner = |word: &str| word.chars().skip(1).filter(|c| c.is_uppercase()).count() > 2;
        let mixed = |word: &str| {
            let cased = inner(word) && word.contains(char::is_lowercase);
            is_made_up(word) || cased || weigh(word) >= Weight::Fair
        };
        let own = |word: &str| mixed(word) && word.len() >= ALONE_BYTES && fits(word);
        let taken = end(&BUT).and_then(|head| {
            let mut words = head.trim_end_matches(',').rsplit(' ').map(trim);
            let word = words.next().filter(|word| own(word))?;
            words.next().filter(|no| NOT.contains(&no.to_lowercase().as_str())).map(|_| word)
        });
        let kept = || {
            let mut words = end(&AND_NOT)?.rsplit(' ').map(trim).take(WORDS);
            words.find(|word| own(word))
        };
        more.extend(taken.or_else(kept).map(|word| line.span(word)));
    }
    more
}

/// Whether two texts differ in few signs.
fn near(one: &str, other: &str) -> bool {
    let longest = one.chars().count().max(other.chars().count());
    let differ = distance(one, other);
    differ > 0 && differ <= (longest / 5).max(1)
}

/// How many signs differ: added, left out or replaced.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 4 || one.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, left) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, right) in other.iter().enumerate() {
            let least = (row[j] + 1).min(row[j + 1] + 1).min(diagonal + usize::from(left != right));
            diagonal = std::mem::replace(&mut row[j + 1], least);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn both_sides_of_a_contrast_are_secrets() {
        seals(&[
            (
                "Typo! The password is not qk7Zv2mdHx but Fj7-walnut-Q.",
                &["qk7Zv2mdHx", "Fj7-walnut-Q"],
            ),
            (
                "Das Passwort muss Og7vigJ3Ai heißen und nicht Qm7-walnut-x.",
                &["Og7vigJ3Ai", "Qm7-walnut-x"],
            ),
        ]);
        seals(&[
            (
                "Nicht walnussbaum, sondern Walnussbaum! ist das Passwort.",
                &["walnussbaum", "Walnussbaum!"],
            ),
            ("No es castaño, la contraseña es Castaño! con mayúscula.", &["castaño"]),
            ("Ce n'est pas noisette mais Noisette! le mot de passe.", &["noisette"]),
        ]);
        for text in [
            "the server web-01 is not k8s-node7 but db-02",
            "the password is not the problem but the proxy",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
