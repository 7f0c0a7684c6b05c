//! Finds both spellings of a password that its author corrects.

use super::{COMPARED_BYTES, Line, fits, on_one_line, trim};
use crate::redaction::{Raw, SecretKind};
use std::ops::Range;

/// `not Renard_bleu but Renard-bleu`, in a sentence about a password: both are secrets.
pub(super) fn corrected(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.speaks {
        return Vec::new();
    }
    let words: Vec<&str> = line
        .text
        .split_whitespace()
        .map(|word| trim(word.trim_end_matches([',', ';', '.', '!', '?'])))
        .collect();
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
        for word in line.text.split_whitespace().take(60) {
            let word = trim(word.trim_end_matches([',', ';', '.', '!', '?']));
            if word.len() >= 6 && word != value && fits(word) && near(word, value) {
                more.push(line.span(word));
            }
        }
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
pub(in crate::redaction) fn distance(one: &str, other: &str) -> usize {
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
