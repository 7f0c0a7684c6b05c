//! Characters that a person does not see, or that change the order in which they read the others.
//!
//! People approve a script by reading it, and distinguish projects by their names. With such characters, a person reads
//! something other than the text: U+202E shows `sh; rm x` as `x mr ;sh`, and a terminal's control characters erase the
//! text before them. Other characters have no width at all; variation selectors can even spell hidden bytes, which only a
//! model reads.

/// Whether a person does not see this character, or reads the others in another order because of it.
///
/// White space counts as seen, but not the separators of Unicode that end a line. The joiners U+200C and U+200D belong
/// to letters and emoji, and U+FE0E and U+FE0F choose between the two forms of a sign, so they count as seen, too.
pub fn is_unseen(c: char) -> bool {
    let ends_line = matches!(c, '\u{2028}' | '\u{2029}');
    let controls = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let belongs = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    controls || ends_line || (is_ignorable(c) && !belongs)
}

/// Whether a character has no shape of its own: Unicode's `Default_Ignorable_Code_Point` in version 16, beside its
/// annotations (U+FFF9 to U+FFFB) and the blank Braille pattern.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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
            "ready \u{2714}\u{fe0f}, or in text \u{2714}\u{fe0e}",
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

    #[test]
    fn no_character_without_a_shape_is_hidden_in_a_text() {
        let hidden = "\u{34f}\u{115f}\u{1160}\u{17b4}\u{180b}\u{180e}\u{2061}\u{2065}\u{206a}\u{2800}\u{3164}\
            \u{fe00}\u{fe0d}\u{ffa0}\u{fff9}\u{fffb}\u{1bca0}\u{1d173}\u{e0001}\u{e0100}\u{e01ef}\u{e0fff}";
        for c in hidden.chars() {
            assert_eq!(first(&format!("rm a{c}b")), Some((1, c)), "{c:?}");
        }
    }
}
