//! Decides from a file's content whether the file may leave.
//!
//! Text is searched as it is. In other files, the strings are searched, in one byte per letter or in two: a program or
//! a picture that contains a password stays, like a text that does. Packed and encrypted files show no strings, so they
//! stay completely.

use super::{MAX_FILE_BYTES, Stays};
use read_only::private_files::{holds_private_key, is_packed};
use redaction::find;
use std::borrow::Cow;

/// The shortest string that is read in a file that is not text, in letters.
const LEAST_STRING: usize = 6;

/// A file's content as text; `None` if it is not text.
pub fn as_text(content: &[u8]) -> Option<&str> {
    std::str::from_utf8(content).ok().filter(|text| !text.contains('\0'))
}

/// The text in which secrets were searched, so that the caller can search it too; or why the file stays.
pub fn searched(content: &[u8]) -> Result<Cow<'_, str>, Stays> {
    if content.len() as u64 > MAX_FILE_BYTES {
        return Err(Stays::TooLarge);
    }
    if holds_private_key(content) {
        return Err(Stays::PrivateKey);
    }
    let text = match as_text(content) {
        Some(text) => Cow::Borrowed(text),
        None if is_packed(content) => return Err(Stays::Packed),
        None => Cow::Owned(strings(content)),
    };
    if find(&text).is_empty() { Ok(text) } else { Err(Stays::Secret) }
}

/// The strings in a content, one per line.
fn strings(content: &[u8]) -> String {
    let mut found = String::new();
    runs(content.iter().copied(), &mut found);
    // Strings of two bytes per letter may begin at an even or an odd place.
    for from in [0, 1] {
        let pairs = content.get(from..).unwrap_or_default().chunks_exact(2);
        runs(pairs.map(|pair| if pair[1] == 0 { pair[0] } else { 0 }), &mut found);
    }
    found
}

fn runs(letters: impl Iterator<Item = u8>, found: &mut String) {
    let mut begin = found.len();
    for letter in letters.chain([0]) {
        if letter == b'\t' || letter == b' ' || letter.is_ascii_graphic() {
            found.push(char::from(letter));
        } else if found.len() - begin >= LEAST_STRING {
            found.push('\n');
            begin = found.len();
        } else {
            found.truncate(begin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    /// Bytes without a pattern, from a generator that always produces the same ones.
    fn noise(seed: u64, bytes: usize) -> Vec<u8> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        };
        std::iter::repeat_with(next).take(bytes).collect()
    }

    #[test]
    fn a_file_that_holds_a_secret_or_cannot_be_searched_is_not_pushed() {
        let aws = format!("key = \"AKIA{}\"", "IOSFODNN7ABCDEFG");
        let in_program = [b"\x7fELF\0\xff".as_slice(), aws.as_bytes(), b"\0\xfe"].concat();
        let in_wide = [b"\xff\xfe\r".as_slice(), &wide(&aws)].concat();
        for (content, why) in [
            (b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3".to_vec(), Stays::PrivateKey),
            (b"\x7fELF\0-----BEGIN PRIVATE KEY-----".to_vec(), Stays::PrivateKey),
            (aws.into_bytes(), Stays::Secret),
            (in_program, Stays::Secret),
            (in_wide, Stays::Secret),
            (b"PK\x03\x04\xff\xff".to_vec(), Stays::Packed),
            (vec![b'a'; 1024 * 1024 + 1], Stays::TooLarge),
        ] {
            assert_eq!(searched(&content), Err(why), "{why:?}");
        }
        let text = "resource \"x\" \"y\" {\n  password = var.db_password\n}\n";
        assert_eq!(searched(text.as_bytes()).as_deref(), Ok(text));
        assert_eq!(searched(b"a\0b").as_deref(), Ok(""));
        let binary = [b"\xff\xfe\0plain words\0ab\0\xff".as_slice(), &wide("wider words")].concat();
        assert_eq!(searched(&binary).as_deref(), Ok("plain words\nwider words\n"));
    }

    #[test]
    fn bytes_without_a_pattern_are_not_taken_for_a_secret() {
        let stays: Vec<_> =
            (1..=40).filter(|seed| searched(&noise(*seed, 16 * 1024)).is_err()).collect();
        assert_eq!(stays, Vec::<u64>::new());
    }
}
