//! Names of programs and towns with one wrong letter: “wordpess”, “prometeus”, “Falkenstien”.
//!
//! Only proper names of some length count, and only if their first letter is right, because a shorter or a common
//! word with one other letter is often another word. What stands in quotation marks, in a host or in a path is as the
//! user wants it.

/// The names of what is built, and of where.
const NAMES: &[&str] = &[
    "wordpress",
    "django",
    "celery",
    "haproxy",
    "kubernetes",
    "prometheus",
    "grafana",
    "alertmanager",
    "elasticsearch",
    "logstash",
    "kibana",
    "postgresql",
    "postgres",
    "mariadb",
    "cloudfront",
    "hetzner",
    "falkenstein",
    "nuremberg",
    "helsinki",
    "ashburn",
    "hillsboro",
    "singapore",
    "frankfurt",
];

/// Words with one other letter than a name that are not slips.
const WORDS: &[&str] = &["celeri", "postgrest"];

/// The shortest word that may be a misspelled name.
const SHORTEST: usize = 6;

/// The message with these names as they are spelled.
pub(super) fn corrected(message: &str) -> String {
    let mut quoted = false;
    let correct = |piece: &str| {
        let opens = piece.starts_with(['"', '“', '„', '«', '\'', '‘']);
        let inside = quoted || opens;
        let closes = piece.trim_end_matches([',', '.', ' ', '\n', ')']);
        quoted = inside && !closes.ends_with(['"', '”', '“', '»', '\'', '’']);
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = word.to_lowercase();
        let letters = lower.len() >= SHORTEST && lower.chars().all(char::is_alphabetic);
        let known = inside || !letters || WORDS.contains(&lower.as_str());
        match NAMES.iter().find(|name| !known && is_a_slip(&lower, name)) {
            Some(name) if !NAMES.contains(&lower.as_str()) => piece.replacen(word, name, 1),
            _ => piece.to_string(),
        }
    };
    message.split_inclusive(char::is_whitespace).map(correct).collect()
}

/// Whether a word is a name with one letter missing, added, exchanged or in another place, and not its plural or
/// genitive.
fn is_a_slip(word: &str, name: &str) -> bool {
    if word.as_bytes().first() != name.as_bytes().first() || word.len().abs_diff(name.len()) > 1 {
        return false;
    }
    let (word, name) = (word.as_bytes(), name.as_bytes());
    let same = word.iter().zip(name).take_while(|(one, other)| one == other).count();
    let (left, right) = (&word[same..], &name[same..]);
    match (left, right) {
        ([], [_]) => true,
        ([last], []) => *last != b's' && *last != b'n',
        ([_, rest @ ..], right) if rest == right => true,
        (left, [_, rest @ ..]) if left == rest => true,
        ([_, left @ ..], [_, right @ ..]) if left == right => true,
        ([a, b, left @ ..], [c, d, right @ ..]) => a == d && b == c && left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_one_wrong_letter_are_corrected() {
        for (text, meant) in [
            ("need wordpess for a.de", "need wordpress for a.de"),
            ("Prometeus and graffana, please", "prometheus and grafana, please"),
            ("postgers in Falkenstien.", "postgres in falkenstein."),
            ("kuberntes", "kubernetes"),
        ] {
            assert_eq!(corrected(text), meant);
        }
        for text in [
            "two Grafanas and Hetzners prices",
            "an app called \"wordpess\"",
            "wordpess.com and /srv/grafanna",
            "celeri",
            "WordPress",
        ] {
            assert_eq!(corrected(text), text);
        }
    }
}
