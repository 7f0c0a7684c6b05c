//! Truncates texts that other people choose to the length that a record allows.

/// Takes the place of the text that was cut off.
pub(crate) const CUT: char = '…';

/// The beginning of a text, at most this many characters; the last one shows that the text was cut.
pub fn cut(text: &str, most_chars: usize) -> String {
    if text.chars().nth(most_chars).is_none() {
        return text.to_owned();
    }
    text.chars().take(most_chars.saturating_sub(1)).chain([CUT]).collect()
}

/// The end of a text, at most this many characters; the end of a path names the file.
pub fn cut_start(text: &str, most_chars: usize) -> String {
    let chars = text.chars().count();
    if chars <= most_chars {
        return text.to_owned();
    }
    let left_out = chars - most_chars.saturating_sub(1);
    [CUT].into_iter().chain(text.chars().skip(left_out)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_has_its_length_and_says_that_it_was_cut() {
        assert_eq!((cut("𝄞𝄞𝄞", 3).as_str(), cut("abcd", 3).as_str()), ("𝄞𝄞𝄞", "ab…"));
        assert_eq!((cut_start("𝄞𝄞𝄞", 3).as_str(), cut_start("abcd", 3).as_str()), ("𝄞𝄞𝄞", "…cd"));
    }
}
