//! Numbers in digits and in words, and spans of time.

use super::words::Words;

const WORDS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fourteen", 14),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("ninety", 90),
    ("hundred", 100),
];

/// A number such as “30” or “thirty”.
pub fn read(word: &str) -> Option<u32> {
    let named = WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named.or_else(|| word.parse().ok())
}

/// Words before a number of days that is no time for which something is kept: “within three days”, “every 2 days”.
const OTHER_SPANS: &[&str] =
    &["within", "in", "every", "all", "after", "last", "first", "alle", "innerhalb", "cada"];

/// For how many days something is to be kept: “thirty days”, “2 weeks”, “kept 14d”.
pub fn days(words: &Words) -> Option<u32> {
    let values: Vec<&str> = words.values().collect();
    (0..values.len()).find_map(|at| {
        let other = at.checked_sub(1).is_some_and(|before| OTHER_SPANS.contains(&values[before]));
        let number = read(values[at]).filter(|_| !other)?;
        match *values.get(at + 1)? {
            "day" | "days" => Some(number),
            "week" | "weeks" => number.checked_mul(7),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_in_words_too() {
        for (text, found) in [
            ("keep them thirty days", Some(30)),
            ("for 2 weeks", Some(14)),
            ("only 7 days", Some(7)),
            ("ready within 5 days", None),
            ("for 3 months", None),
        ] {
            assert_eq!(days(&Words::of(text)), found, "{text}");
        }
    }
}
