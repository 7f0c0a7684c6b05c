//! Finds the password of a second person or thing, where a sentence tells both in the same way: "alice has the password
//! walnut and bob has plum".

use super::{COMPARED_BYTES, Line, NOUNS, fits, trim};
use crate::grammar::{is_plain, is_tool};
use crate::weight::{Weight, weigh};
use std::ops::Range;

/// Verbs between somebody and the password.
const HAS: [&str; 10] =
    ["has", "uses", "hat", "nutzt", "tiene", "usa", "tem", "ha", "utilise", "gets"];
/// Words between the two.
const AND: [&str; 9] = ["and", "und", "y", "e", "et", "while", "but", "aber", "pero"];
/// How many words may come between such a verb and the word for a password: "has the password", "a le mot de passe".
const BETWEEN: usize = 4;
/// The most words of a line that are read.
const WORDS: usize = 48;

fn bare(word: &str) -> &str {
    trim(word.trim_end_matches([',', ';', '.', '!', ':']))
}

/// `alice has password X and bob has Y`: Y.
pub(super) fn second(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return Vec::new();
    }
    let words = line.first_words(WORDS);
    let is_noun = |word: &&str| {
        let lower = bare(word).to_lowercase();
        NOUNS.contains(&lower.as_str())
            || matches!(lower.as_str(), "pw" | "mdp" | "passe" | "clave")
    };
    let Some(noun) = words.iter().position(is_noun) else { return Vec::new() };
    let Some(verb) =
        words[noun.saturating_sub(BETWEEN)..noun].iter().rev().find(|word| HAS.contains(word))
    else {
        return Vec::new();
    };
    // The first password ends its part of the sentence, so the second part may leave the noun out.
    let rest = words.get(noun + 2..).unwrap_or_default();
    let told = |at: usize| {
        let (name, value) = (rest.get(at - 1)?, rest.get(at + 1)?);
        let before = at.checked_sub(2).map_or_else(|| words[noun + 1], |at| rest[at]);
        let joined = before.ends_with([',', ';']) || AND.contains(&before);
        let named = name.chars().all(|c| c.is_alphanumeric() || "-_@.".contains(c));
        let last = rest.get(at + 2).is_none_or(|next| AND.contains(next));
        let ends = value.ends_with([',', ';', '.', '!']) || last;
        let value = bare(value);
        let own = (is_plain(value) && !is_tool(value)) || weigh(value) >= Weight::Name;
        (rest[at] == *verb && joined && named && ends && own && fits(value))
            .then(|| line.span(value))
    };
    (1..rest.len()).filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_second_of_two_passwords_needs_no_noun() {
        seals(&[
            ("two accounts: alice has password bluebird and bob has redbird", &["redbird"]),
            ("alice has the password bluebird, bob has redbird", &["redbird"]),
            ("alice hat das Passwort Blaumeise und bob hat Rotkehlchen", &["Rotkehlchen"]),
            ("ana tiene la contraseña pajaro9 y luis tiene gorrion", &["gorrion"]),
        ]);
        for text in [
            "alice has password access and bob has none",
            "alice has a password and bob has SSO",
            "alice has the password manager and bob has access",
            "web has password login and api has tokens only",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
