//! Identifiers as programs and offices make them: no two versions of a lesson have the same.

use super::Chance;

const HEX: &str = "0123456789abcdef";
const CAPITALS: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
const SMALL: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const ALL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// Lengths of hashes and numbers in hexadecimal digits.
const DIGITS: [usize; 8] = [7, 8, 12, 16, 24, 32, 40, 64];

fn text(of: &str, length: usize, chance: &mut Chance) -> String {
    (0..length).map(|_| char::from(of.as_bytes()[chance.below(of.len())])).collect()
}

/// A hexadecimal number.
pub fn hex(chance: &mut Chance) -> String {
    let length = DIGITS[chance.below(DIGITS.len())];
    text(HEX, length, chance)
}

/// An identifier of any form.
pub fn any(chance: &mut Chance) -> String {
    match chance.below(8) {
        0 | 1 => hex(chance),
        2 => {
            let parts = [8, 4, 4, 4, 12].map(|length| text(HEX, length, chance));
            parts.join("-")
        }
        3 => {
            let length = 8 + chance.below(8);
            text(CAPITALS, length, chance)
        }
        4 => {
            let length = 18 + chance.below(8);
            text(ALL, length, chance)
        }
        5 => {
            let length = 16 + chance.below(10);
            text(SMALL, length, chance)
        }
        6 => {
            let length = 8 + chance.below(10);
            text("0123456789", length, chance)
        }
        _ => {
            let (prefix, rest) = (text("ABCDEFGHKMNPRSTW", 3, chance), 5 + chance.below(5));
            format!("{prefix}-{}", text(CAPITALS, rest, chance))
        }
    }
}
