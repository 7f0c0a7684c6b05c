//! Finds what a server asked for in a dialogue, and the passwords of PgBouncer's list of users.

use super::lines::unquoted;
use crate::bare::{decode, is_base64};
use crate::things::is_stand_in;
use crate::weight::{MIN_BYTES, Weight, weigh};

/// "Password:" in base64, as servers ask for it.
const PROMPTS: [&str; 4] = ["UGFzc3dvcmQ6", "cGFzc3dvcmQ6", "UGFzc3dvcmQA", "cGFzc3dvcmQA"];
/// The shortest password in such a list, in bytes.
const LISTED_BYTES: usize = 8;

/// `C: V2FsbnV0Nzc=` below `S: 334 UGFzc3dvcmQ6`
pub fn answer<'a>(line: &'a str, above: &str) -> Option<&'a str> {
    PROMPTS.iter().any(|prompt| above.contains(prompt)).then_some(())?;
    let value = line.trim_end().rsplit([' ', '\t', '<', '>', ']']).next()?;
    let base64 = value.bytes().all(is_base64);
    let said = decode(value).is_some_and(|text| text.iter().all(|b| (b' '..=b'~').contains(b)));
    let first = line.split(' ').next().unwrap_or_default();
    let replied = first.bytes().all(|b| b.is_ascii_digit());
    (value.len() >= MIN_BYTES && base64 && said && !replied).then_some(value)
}

/// `"stats" "Walnut77"`: a line of `userlist.txt`
pub fn listed(line: &str) -> Option<&str> {
    let (user, value) = line.trim().strip_prefix('"')?.split_once("\" \"")?;
    let value = value.strip_suffix('"')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.@".contains(&b);
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let letter = value.bytes().any(|b| b.is_ascii_alphabetic());
    let own = value.len() >= LISTED_BYTES
        && digit
        && letter
        && !value.contains([' ', '"', '/', '{', ':'])
        && weigh(value) >= Weight::Weak
        && !is_stand_in(value);
    (!user.is_empty() && user.bytes().all(plain) && own).then(|| unquoted(value))
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn dialogues_and_lists_of_users() {
        for (text, secret) in [
            ("S: 334 UGFzc3dvcmQ6\nC: V2FsbnV0JDc3\nS: 235 ok", "V2FsbnV0JDc3"),
            ("\"stats\" \"Walnut.tree77\"\n\"app\" \"Hazel-nut78\"", "Walnut.tree77"),
        ] {
            let found = redact(text).text;
            assert!(!found.contains(secret), "{found}");
        }
        for text in [
            "S: 334 UGFzc3dvcmQ6\nS: 535 failed",
            "\"name\" \"description of it\"",
            "\"level\" \"password\"",
        ] {
            assert_eq!(redact(text).text, text);
        }
    }
}
