//! What a password that a person chose looks like, where only its form tells it from the name of a thing.

use super::{COMPARED_BYTES, Line, fits, trim};
use crate::things::{is_dotted_password, is_of_product};
use crate::weight::{Weight, is_hex, is_titled, weigh};
use crate::words::Table;
use std::sync::OnceLock;

/// Lengths of such a password, in bytes.
const BYTES: std::ops::RangeInclusive<usize> = 6..=64;
/// Parts of such names besides [products](is_of_product): machines, models, plans and rooms.
const OTHERS: &str = "web db nodes hosts vm site ios ruby redis mongo office fritzbox model modell plan tarif ticket issue case phase sprint \
     step schritt etape paso team gruppe group raum room etage standort rack switch router firewall printer drucker gast \
     guest test stage staging prod production level stufe nivel niveau area zone region tls wpa usb intel core iphone \
     yubikey nitrokey galaxy pixel latitude poweredge sonnet claude opus gpt llama";

/// Whether a word is `Phare-Ouest-9`, `Miche!82kd`, `Peanut_Butter_9` or `Quai.9nEY3g`.
pub(super) fn is_chosen(value: &str) -> bool {
    // Most words end here.
    if !BYTES.contains(&value.len()) || !value.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let lower = value.contains(char::is_lowercase);
    let mixed = lower && value.contains(char::is_uppercase);
    let signed = value.trim_end_matches('?').contains(|c| "!#$%&*+_?".contains(c));
    let made = || signed || is_dotted_password(value) || weigh(value) >= Weight::Fair;
    let address = || value.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    mixed
        && !value.contains(|c: char| c.is_whitespace() || "/\\(){}<>[]\"'`:=|,;".contains(c))
        && !value.starts_with(['-', '#', '@', '+'])
        && !is_single(value)
        && (is_titled(value) || made())
        && !is_hex(value)
        && !address()
        && !is_named(value)
        && fits(value)
}

/// The words of a line, and those that are such passwords, each with its number.
pub(super) struct Chosen<'t> {
    pub words: Vec<&'t str>,
    pub values: Vec<(usize, &'t str)>,
}

/// Such words of a line, if it has any: most lines have none.
pub(super) fn of_line<'t>(line: &Line<'t>) -> Option<Chosen<'t>> {
    const WORDS: usize = 60;
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let has = |word: &str, f: fn(&u8) -> bool| word.as_bytes().iter().any(f);
    let may_be = |word: &str| {
        word.len() >= *BYTES.start()
            && has(word, u8::is_ascii_digit)
            && has(word, u8::is_ascii_uppercase)
            && has(word, u8::is_ascii_lowercase)
    };
    line.text.split_ascii_whitespace().any(may_be).then_some(())?;
    let words = line.first_words(WORDS);
    let value = |word: &'t str| trim(word.trim_end_matches([',', ';', '.', ':', '?', ')', '…']));
    let values = words.iter().enumerate().filter(|(_, word)| may_be(word));
    let values = values.map(|(at, word)| (at, value(word)));
    let values: Vec<_> = values.filter(|(_, value)| is_chosen(value)).collect();
    (!values.is_empty()).then(|| Chosen { words: words.to_vec(), values })
}

/// `Falkenstein-14`: one word and a number, like the name of a machine.
fn is_single(value: &str) -> bool {
    let words = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = words.trim_end_matches('-');
    word.len() < words.len() && word.chars().all(char::is_alphabetic)
}

/// Whether a part of a text belongs to the name of a thing: `Web-Server-2`, `Rocky-Linux-9`.
pub(super) fn is_named(value: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let table = TABLE.get_or_init(|| Table::listed(OTHERS));
    value.split(['-', '_', '.', '#', '!']).any(|part| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        is_of_product(&word) || table.get(&word).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_number_is_none() {
        for value in
            ["Phare-Ouest-9", "Miche!82kd", "Peanut_Butter_9", "Quai.9nEY3g", "Barge4Kiln8x"]
        {
            assert!(is_chosen(value), "{value}");
        }
        for value in [
            "Web-Server-2",
            "Rocky-Linux-9",
            "OPS-1234",
            "eu-west-3",
            "Frankfurt-2",
            "Kim@example2.org",
        ] {
            assert!(!is_chosen(value), "{value}");
        }
    }
}
