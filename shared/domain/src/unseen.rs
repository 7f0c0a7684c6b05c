//! Characters that a person does not see, or that change the order in which they read the others.
//!
//! People approve a script by reading it, and distinguish projects by their names. With such characters, a person reads
//! something other than the text: U+202E shows `sh; rm x` as `x mr ;sh`, and a terminal's control characters erase the
//! text before them.

/// Whether a person does not see this character, or reads the others in another order because of it.
///
/// White space counts as seen, but not the separators of Unicode that end a line. The joiners U+200C and U+200D belong
/// to letters and emoji, so they count as seen, too.
pub fn is_unseen(c: char) -> bool {
    let reverses = matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // Tag characters can spell words that only a model reads.
    let is_invisible = matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    let ends_line = matches!(c, '\u{2028}' | '\u{2029}');
    let controls = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    controls || reverses || is_invisible || ends_line
}

/// The first such character of a text, and its line, from 1. A carriage return counts, because the text before it is
/// overwritten where it is printed.
pub fn first(text: &str) -> Option<(usize, char)> {
    let mut lines = (1..).zip(text.split('\n'));
    lines.find_map(|(number, line)| {
        Some((number, line.chars().find(|&c| c == '\r' || is_unseen(c))?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_script_and_their_joiners_are_seen() {
        for text in [
            "echo 'שלום'\n\tls",
            "👩\u{200d}💻 می\u{200c}خواهم",
            "prix\u{a0}: 5 €",
            "日本\u{3000}語",
            "",
        ] {
            assert_eq!(first(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_first_unseen_character_is_named_with_its_line() {
        assert_eq!(first("ls\necho a\u{202e}; rm x #\u{2066}"), Some((2, '\u{202e}')));
        for c in
            "\0\r\u{1b}\u{7f}\u{9b}\u{85}\u{ad}\u{200b}\u{200e}\u{2028}\u{2069}\u{feff}\u{e0041}"
                .chars()
        {
            assert_eq!(first(&format!("a{c}b")), Some((1, c)), "{c:?}");
        }
    }
}
