//! Recognizes words and names that are spelled with digits and signs: "p4ssw0rd", "pa$$word", "@nch0r56".

/// The words, in plain letters.
const WORDS: [&str; 6] =
    ["password", "passwords", "passwort", "passphrase", "passphrases", "passcode"];
/// The length of the longest word, in bytes.
const LONGEST: usize = 11;

/// The word at the start of a text and its length, if signs stand for some of its letters.
pub fn spelled(text: &str) -> Option<(&'static str, usize)> {
    if !text.starts_with(['p', 'P']) {
        return None;
    }
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"@$".contains(b);
    let length = text.bytes().take(LONGEST + 1).take_while(part).count();
    let spelling = &text.as_bytes()[..length];
    let goes_on = |b: &u8| !b.is_ascii_whitespace() && !b":=,'\"`)*.?".contains(b);
    let ends = !text.as_bytes().get(length).is_some_and(goes_on);
    if !ends || spelling.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let reads = |word: &&str| {
        word.len() == length
            && word.bytes().zip(spelling).all(|(letter, sign)| stands_for(*sign, letter))
    };
    WORDS.into_iter().find(reads).map(|word| (word, length))
}

fn stands_for(sign: u8, letter: u8) -> bool {
    let read = match sign {
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'0' => b'o',
        b'3' => b'e',
        b'7' => b't',
        b'1' => b'i',
        other => other.to_ascii_lowercase(),
    };
    read == letter
}

/// Whether the text after a sign belongs to a password instead of naming something: `@nch0r56`, `$umm3rRain21`. It has
/// digits in at least two places.
pub fn is_leet_name(name: &str) -> bool {
    let mut groups = name.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    groups.nth(1).is_some()
        && !name.contains(['_', '@'])
        && name.bytes().any(|b| b.is_ascii_lowercase())
}

/// `@utumn582`, `@m0r3990`: a word whose first letter is a sign, and a number. Names after such a sign have other
/// numbers: `@kim77`, `@kim2024`.
pub fn is_leet_word(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 2..=4;
    const VARIABLES: [&str; 5] = ["pass", "pw", "user", "param", "var"];
    let Some(name) = value.strip_prefix('@') else { return false };
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let letters = word.bytes().filter(u8::is_ascii_lowercase).count();
    let number = name.len() - word.len();
    let spelled = word.bytes().any(|b| b.is_ascii_digit());
    (number == 3 || (spelled && DIGITS.contains(&number)))
        && word.len() >= 3
        && !VARIABLES.iter().any(|variable| word.starts_with(variable))
        && letters >= 2
        && word.bytes().all(|b| b.is_ascii_lowercase() || b"0345".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_may_stand_for_the_first_letter() {
        for word in ["@utumn582", "@m0r3990"] {
            assert!(is_leet_word(word), "{word}");
        }
        for name in ["@kim77", "@kim2024", "@pass123", "@kim", "utumn582", "@127"] {
            assert!(!is_leet_word(name), "{name}");
        }
    }

    #[test]
    fn a_word_is_recognized_despite_substituted_characters() {
        assert_eq!(spelled("p4ssw0rd is X"), Some(("password", 8)));
        assert_eq!(spelled("Pa$$word: X"), Some(("password", 8)));
        assert_eq!(spelled("p@55phr4se"), Some(("passphrase", 10)));
        for other in ["password is X", "p4ssw0rds3cret", "p2p", "pa$$", "", "P@ssw0rd!!7xk9"] {
            assert_eq!(spelled(other), None, "{other}");
        }
    }
}
