//! Finds the number of a payment card, and the digits that prove it, beside a word for a card.

use super::{COMPARED_BYTES, Line};
use crate::words::lists;
use std::ops::Range;

/// Words for such a card.
const CARDS: &str = "card cards kreditkarte kreditkarten kreditkartennummer karte firmenkarte firmenkreditkarte kartennummer tarjeta tarjetas \
     carte cartes cb visa mastercard amex carta cartao cartão creditcard kaart karta karty";
/// Words before the digits that prove it.
const PROOFS: &str =
    "cvv cvc cvv2 cvc2 csc cid prüfziffer prüfnummer kartenprüfnummer cryptogramme";
/// The digits of a card's number, and of the number that proves it.
const DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
const PROOF_DIGITS: std::ops::RangeInclusive<usize> = 3..=4;
/// The groups in which the digits are printed.
const GROUPS: [&[usize]; 2] = [&[4, 4, 4, 4], &[4, 6, 5]];
/// Words before other numbers, and before or after "card" in the names of parts of machines.
const OTHERS: [&str; 32] = [
    "reader", "leser", "antrag", "office", "konsulat", "embassy", "visum", "usb", "rechnung",
    "invoice", "factura", "facture", "fattura", "order ", "bestell", "konto", "kunden", "ticket",
    "tracking", "sendung", "serial", "serien", "network", "netzwerk", "graphic", "grafik", "sim",
    "sound", "memory", "réseau", "de red", "video",
];
/// The first two digits of such numbers.
const ISSUERS: [std::ops::RangeInclusive<u8>; 4] = [22..=27, 34..=38, 40..=49, 50..=69];
/// How many words of a line are read.
const WORDS: usize = 48;

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// `card for the AWS bill: 4790 7894 8592 3935, CVV 834`
pub(super) fn values(line: &Line) -> Vec<Range<usize>> {
    if line.digits < *DIGITS.start() || line.text.len() > COMPARED_BYTES {
        return Vec::new();
    }
    // Most lines end here.
    let Some(number) = number(line.text) else { return Vec::new() };
    let sign = |c: char| !c.is_alphanumeric();
    let words = || line.words().take(WORDS);
    let bare = |word: &str| word.trim_matches(sign).to_lowercase();
    // Documentations have cards for tests.
    let test = line.lower.contains("test") || line.lower.contains("4242");
    let other = OTHERS.iter().any(|other| line.lower.contains(other));
    let named = words().any(|word| {
        let word = bare(word);
        lists(CARDS, &word) || word.rsplit('-').next().is_some_and(|last| lists(CARDS, last))
    });
    if test || other || !named {
        return Vec::new();
    }
    let mut found = vec![line.span(number)];
    let mut after = words().skip_while(|word| !lists(PROOFS, &bare(word)));
    // Three digits are too few to recognize elsewhere, so the word before them goes with them.
    let noun = after.next().map(|noun| line.span(noun));
    let proof = after.take(2).map(|word| word.trim_matches(sign));
    let proof = proof.filter(|word| is_number(word)).find(|w| PROOF_DIGITS.contains(&w.len()));
    let proof = proof.map(|proof| line.span(proof));
    found.extend(noun.zip(proof).map(|(noun, proof)| noun.start..proof.end));
    found
}

/// The number of a card in a text: in its groups, or with digits that add up.
fn number(text: &str) -> Option<&str> {
    let issued = |at: usize| {
        let first = text.get(at..at + 2).and_then(|first| first.parse::<u8>().ok());
        first.is_some_and(|first| ISSUERS.iter().any(|known| known.contains(&first)))
    };
    let starts = text.char_indices().filter(|(at, c)| {
        let before = text[..*at].chars().next_back();
        c.is_ascii_digit() && before.is_none_or(|c| !c.is_alphanumeric()) && issued(*at)
    });
    starts.map(|(at, _)| &text[at..]).find_map(|rest| {
        let all = rest.bytes().take_while(u8::is_ascii_digit).count();
        if DIGITS.contains(&all) && adds_up(&rest[..all]) {
            return Some(&rest[..all]);
        }
        // The groups of an account's number begin with letters: `DE12 4703 1072 9625 8916 23`.
        let before = &text[..text.len() - rest.len()];
        let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
        let account = before.ends_with(' ')
            && last.contains(|c: char| c.is_ascii_digit())
            && last.bytes().all(|b| b.is_ascii_alphanumeric());
        GROUPS.iter().filter(|_| !account).find_map(|groups| grouped(rest, groups))
    })
}

/// The digits at the start of a text, in these groups and no more.
fn grouped<'t>(text: &'t str, groups: &[usize]) -> Option<&'t str> {
    let joint = text.chars().nth(groups[0]).filter(|c| matches!(c, ' ' | '-'))?;
    let length = groups.iter().sum::<usize>() + groups.len() - 1;
    let value = text.get(..length)?;
    let whole = value
        .split(joint)
        .map(|group| if is_number(group) { group.len() } else { 0 })
        .eq(groups.iter().copied());
    let mut next = text[length..].chars();
    let ends = match next.next() {
        Some(c) if c == joint => !next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_alphanumeric(),
        None => true,
    };
    (whole && ends).then_some(value)
}

/// Whether the last digit is the one that the others require.
fn adds_up(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| {
            let digit = u32::from(byte - b'0') * if at % 2 == 1 { 2 } else { 1 };
            digit / 10 + digit % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_number_of_a_card_is_found_beside_a_word_for_it() {
        seals(&[
            ("Kreditkarte fürs Hosting: 4703 1072 9625 8916", &["4703", "8916"]),
            ("our card is 5105-1051-0510-5100, CVC 834, exp 09/27", &["5105", "834"]),
            ("tarjeta de empresa 4539578763621486 cvv: 120", &["4539578763621486", "120"]),
        ]);
        for text in [
            "IBAN of the card account: DE12 4703 1072 9625 8916 23",
            "use the test card 4242 4242 4242 4242 for Stripe",
            "the card shows 4703 1072 packets",
            "network card 4703107296258917 dropped frames",
            "paid with the card, invoice 4024 1187 0042 5519",
            "Visa: Antrag 4703-1072-9625-8916 beim Konsulat",
            "paid by card, reference 2024 1187 0042 5519",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
