//! The words of one message, and simple questions about them.

pub mod conditions;
mod contradictions;
mod facts;
pub mod fallbacks;
mod farewells;
mod governing;
mod labels;
pub mod language;
mod listed;
mod mind;
mod named;
mod negation;
pub mod numbers;
mod partial;
mod past;
mod postponed;
mod qualifiers;
mod questions;
mod refusing;
mod splices;
mod ssh_port;
pub mod standing;
mod tokens;
pub mod withdrawals;

use std::collections::BTreeSet;

pub use facts::Shape;
pub use named::is_a_title;
pub use negation::{denies, gives_up, is_negation};
pub use qualifiers::{Kind as QualifierKind, Qualifier};
use tokens::Token;
pub use tokens::{Piece, is_a_file};

/// Ends a clause. A negation does not reach across it.
const BREAK: &str = ",";

/// Maximum number of other words between the words of a phrase that only have to be near each other.
const NEAR_REACH: usize = 5;

/// Maximum distance, in words, of a word that adds detail to a phrase.
const MORE_REACH: usize = 8;

/// Maximum distance, in words, of a word after a phrase that forbids it.
const FORBIDDING_REACH: usize = 3;

/// Words after a phrase that forbid it.
const FORBIDDING: &[&str] = &["disabled", "forbidden", "forbid", "denied", "refused", "off", "not"];

/// Words by which a clause says the same of its thing as the clause before it: “root login off, password login too”.
const TOO: &[&str] = &["too", "also", "likewise", "auch", "ebenso", "también", "tampoco", "aussi"];

/// Words that begin something else in the same clause.
const JOINING: &[&str] = &["and", "but", "y", "et", "und"];

/// Phrases for what happens if something does not.
const OTHERWISE: &[&str] = &["otherwise", "or else", "if not", "sonst", "ansonsten"];

/// A message split into words.
#[derive(Clone)]
pub struct Words {
    text: String,
    /// In lower case, with dashes and slashes: for values such as `eu-central-1`.
    values: Vec<String>,
    /// Further information about each value.
    tokens: Vec<Token>,
    /// In lower case, split at dashes and slashes, with clause breaks: for phrases.
    plain: Vec<String>,
    /// For each plain word, the position of the value that it comes from.
    origins: Vec<usize>,
}

impl Words {
    /// The message as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Single words with their inner punctuation, such as `t3.micro` and `10.0.0.0/8`.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Whether the phrase occurs without a negation: “not EC2” does not mean EC2.
    pub fn means(&self, phrase: &str) -> bool {
        let last = |first: usize| first + phrase.split_ascii_whitespace().count().saturating_sub(1);
        self.occurrences(phrase).any(|first| !self.negated(first, last(first)))
    }

    /// The occurrences of the phrase without a negation, as positions among the words of [`Words::phrase`].
    pub fn meant_at(&self, phrase: &str) -> Vec<std::ops::Range<usize>> {
        let places = self.places(phrase).into_iter();
        places.filter(|place| !self.negated(place.start, place.end - 1)).collect()
    }

    /// The occurrences of the phrase, negated or not, as positions among the words of [`Words::phrase`].
    pub fn places(&self, phrase: &str) -> Vec<std::ops::Range<usize>> {
        let end = |first: usize| first + phrase.split_ascii_whitespace().count();
        self.occurrences(phrase).map(|first| first..end(first)).collect()
    }

    /// Whether the value at this position occurs without a negation: “drop www.example.com” does not mean the host.
    pub fn means_value(&self, at: usize) -> bool {
        let of = |plain: usize| self.plain[plain] != BREAK && self.origins[plain] == at;
        let mut plain = (0..self.plain.len()).filter(|plain| of(*plain));
        let Some(first) = plain.next() else { return true };
        !self.negated(first, plain.next_back().unwrap_or(first))
    }

    /// The words at these positions.
    pub fn phrase(&self, place: std::ops::Range<usize>) -> String {
        let end = place.end.min(self.plain.len());
        self.plain.get(place.start..end).unwrap_or_default().join(" ")
    }

    /// Whether any of the phrases occurs without a negation.
    pub fn means_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.means(phrase))
    }

    /// Whether the phrase occurs, negated or not.
    pub fn has(&self, phrase: &str) -> bool {
        self.occurrences(phrase).next().is_some()
    }

    /// The value right after the word.
    pub fn value_after(&self, word: &str) -> Option<&str> {
        const FILLERS: &[&str] = &[
            "is", "to", "be", "should", "number", "on", "use", "at", "under", "the", "es", "est",
            "ist",
        ];
        let position = self.values.iter().position(|value| value == word)?;
        self.values[position + 1..]
            .iter()
            .map(String::as_str)
            .find(|value| !FILLERS.contains(value))
    }

    /// The last position between two positions whose value is one of these.
    pub fn value_before(
        &self,
        end: usize,
        start: usize,
        is: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        (start..end.min(self.values.len())).rev().find(|at| is(&self.values[*at]))
    }

    /// The first place where the words of a phrase are near each other in one clause, in any order.
    pub fn near(&self, phrase: &str) -> Option<Near> {
        self.all_near(phrase).into_iter().next()
    }

    /// All places where the words of a phrase are near each other in one clause, in any order.
    pub fn all_near(&self, phrase: &str) -> Vec<Near> {
        let wanted: Vec<&str> = phrase.split_ascii_whitespace().collect();
        let reach = wanted.len() + if wanted.len() > 1 { NEAR_REACH } else { 0 };
        let places = (0..self.plain.len()).filter_map(|start| {
            // The first of the words must be here, and mostly none is.
            wanted.iter().find(|word| same(word, &self.plain[start]))?;
            let clause = self.plain[start..].iter().take(reach).take_while(|word| *word != BREAK);
            let clause: Vec<&String> = clause.collect();
            let place = |word: &&str| clause.iter().position(|said| same(word, said));
            let found: Vec<usize> = wanted.iter().map(place).collect::<Option<_>>()?;
            // The phrase must begin at the start of the searched range, so that each occurrence counts once.
            let apart = found.iter().collect::<BTreeSet<_>>().len() == found.len();
            // “The firewall disabled and root access” does not disable the access.
            let switch = wanted.iter().position(|word| FORBIDDING.contains(word));
            let joined = switch.is_some_and(|switch| {
                let next = found.iter().filter(|at| **at > found[switch]).min();
                let between = next.map_or(&[][..], |next| &clause[found[switch]..*next]);
                between.iter().any(|word| JOINING.contains(&word.as_str()))
            });
            (apart && !joined && found.contains(&0)).then(|| Near {
                first: start,
                last: start + found.iter().max().copied().unwrap_or_default(),
                words: found.iter().map(|at| start + at).collect(),
            })
        });
        places.collect()
    }

    /// Whether the phrase occurs, and only with a negation: “but not on Hetzner”.
    pub fn excludes(&self, phrase: &str) -> bool {
        self.has(phrase) && !self.means(phrase)
    }

    /// The text in quotation marks after the word, at most two words later.
    pub fn quoted_after(&self, word: &str) -> Option<&str> {
        let lower = self.text.to_lowercase();
        let mut places = lower.match_indices(word).map(|(at, word)| at + word.len());
        // Lower-casing can change the length of text that is not ASCII. A position may then be wrong, and the quotation is
        // not found.
        places.find_map(|at| quotation_near(self.text.get(at..)?))
    }

    /// Where the phrase begins. Most phrases do not occur, which their first letters show.
    fn occurrences(&self, phrase: &str) -> impl Iterator<Item = usize> + use<> {
        let head = phrase.as_bytes().first();
        let mut found = Vec::new();
        for (start, word) in self.plain.iter().enumerate() {
            if head.is_none() || word.as_bytes().first() != head {
                continue;
            }
            let mut said = self.plain[start..].iter();
            let mut wanted = phrase.split_ascii_whitespace();
            if wanted.all(|word| said.next().is_some_and(|said| same(word, said))) {
                found.push(start);
            }
        }
        found.into_iter()
    }
}

/// Words of a phrase that are near each other.
pub struct Near {
    first: usize,
    last: usize,
    words: Vec<usize>,
}

impl Near {
    /// The position of its first value.
    pub fn begins_at(&self, words: &Words) -> usize {
        words.origin(self.first)
    }

    /// Whether the message rules it out.
    pub fn negated(&self, words: &Words) -> bool {
        let inside = &words.plain[self.first..self.last];
        // “the port must not be open”
        let denied = |(at, word): (usize, &String)| {
            is_negation(word) && inside.get(at + 1).is_none_or(|next| next != "only")
        };
        words.negated(self.first, self.last) || inside.iter().enumerate().any(denied)
    }

    /// The word soon after the phrase that forbids it: “root login disabled”.
    pub fn forbidden<'a>(&self, words: &'a Words) -> Option<&'a str> {
        let after = words.plain[self.last + 1..].iter().take(FORBIDDING_REACH);
        let mut after = after.take_while(|word| *word != BREAK).map(String::as_str);
        after.find(|word| FORBIDDING.contains(word)).or_else(|| self.forbidden_too(words))
    }

    /// The word that forbids something in the clause before, if the phrase's clause says the same of the phrase.
    fn forbidden_too<'a>(&self, words: &'a Words) -> Option<&'a str> {
        let mut rest = words.plain[self.last + 1..].iter().map(String::as_str);
        let too = rest.by_ref().take_while(|word| *word != BREAK).any(|word| TOO.contains(&word));
        let mut before = words.plain[..self.first].iter().rev().map(String::as_str);
        before.find(|word| *word == BREAK).filter(|_| too)?;
        before.take_while(|word| *word != BREAK).find(|word| FORBIDDING.contains(word))
    }

    /// Whether the words right after the phrase, and after words that add detail, switch it off: “persistence off”,
    /// “updates by themselves should be disabled”.
    pub fn switched_off(&self, words: &Words, adds: impl Fn(&str) -> bool) -> bool {
        let after = words.plain[self.last + 1..].iter().map(String::as_str);
        let mut after = after.skip_while(|word| {
            ["is", "are", "should", "be", "must", "to", "turned", "switched"].contains(word)
                || adds(word)
        });
        after.next().is_some_and(|word| ["off", "disabled", "deactivated", "aus"].contains(&word))
    }

    /// Adds the words nearby that add detail, even across a comma: “tables, whose owner is …”. What a clause before a denial
    /// asks for is not denied: “a database, no public access to it”.
    pub fn with(mut self, words: &Words, says_more: impl Fn(&str) -> bool) -> Near {
        let plain = &words.plain;
        let denied = self.negated(words);
        let before = (0..self.first).rev().take(MORE_REACH);
        let before = before.take_while(|at| !denied || plain[*at] != BREAK);
        let after = (self.last + 1..plain.len()).take(MORE_REACH);
        let more = before.chain(self.first..=self.last).chain(after);
        let more: Vec<usize> = more.filter(|at| says_more(bare(&plain[*at]))).collect();
        self.words.extend(more);
        self
    }

    /// The words near the phrase in its clause: “weekly” in “weekly updates and backups every night”.
    pub fn around<'a>(&self, words: &'a Words) -> impl Iterator<Item = &'a str> {
        let ends = |word: &&String| [BREAK, "and", "but"].contains(&word.as_str());
        let before = words.plain[..self.first].iter().rev().take_while(move |word| !ends(word));
        let after = words.plain[self.first..].iter().take_while(move |word| !ends(word));
        before.chain(after).map(String::as_str)
    }

    /// Its words, in the order of the message.
    pub fn text(&self, words: &Words) -> String {
        let places: BTreeSet<usize> = self.words.iter().copied().collect();
        places.into_iter().map(|at| words.plain[at].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The positions of its values.
    pub fn values<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = usize> + 'a {
        self.words.iter().map(|at| words.origin(*at))
    }

    /// Each of its words.
    pub fn words<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = &'a str> {
        self.words.iter().map(|at| words.plain[*at].as_str())
    }
}

/// The text in quotation marks at most two words after the start.
fn quotation_near(rest: &str) -> Option<&str> {
    let start = rest.find(['"', '“', '„', '«', '\''])?;
    let between = &rest[..start];
    // “Named hedgehogs, owner "vet"”: the name stands before the quotation.
    let other = between
        .split_once(',')
        .is_some_and(|(name, noun)| !name.trim().is_empty() && !noun.trim().is_empty());
    let far = between.split_whitespace().count() > 2;
    if other || far || between.ends_with(char::is_alphanumeric) {
        return None;
    }
    let rest = &rest[start..];
    let opening = rest.chars().next()?;
    let closing = match opening {
        '“' => '”',
        '„' => '“',
        '«' => '»',
        same => same,
    };
    let inside = &rest[opening.len_utf8()..];
    let end = inside.find(closing)?;
    Some(inside[..end].trim())
}

/// The word without a genitive ending: “the application's user”.
fn bare(said: &str) -> &str {
    said.strip_suffix("'s").unwrap_or(said)
}

/// Whether a list of words, separated by spaces, has a word.
pub fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Whether a word from a message is the given one, or its plural or genitive.
fn same(word: &str, said: &str) -> bool {
    // HTTPS is not several HTTPs.
    let plural = said != "https" && said.strip_suffix('s') == Some(word);
    said == word || plural || bare(said) == word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_applies_to_its_clause() {
        assert!(Words::of("Give me an EC2 server").means("ec2"));
        assert!(!Words::of("please not EC2").means("ec2"));
        assert!(!Words::of("the local one instead of EC2").means("ec2"));
        assert!(Words::of("No, EC2 please").means("ec2"));
    }

    #[test]
    fn phrases_match_hyphenated_words_and_plurals() {
        assert!(Words::of("with health-checks").means("health check"));
        assert!(Words::of("web services").means("web service"));
    }

    #[test]
    fn values_keep_their_punctuation() {
        let words = Words::of("Use t3.micro in eu-central-1, from 10.0.0.0/8, port:9090.");
        let values: Vec<&str> = words.values().collect();
        for value in ["t3.micro", "eu-central-1", "10.0.0.0/8", "9090"] {
            assert!(values.contains(&value), "{value} in {values:?}");
        }
        assert_eq!(words.value_after("port"), Some("9090"));
    }

    #[test]
    fn quotes_are_read_after_their_word() {
        assert_eq!(Words::of("it says \"Hello World\"").quoted_after("says"), Some("Hello World"));
        assert_eq!(Words::of("says “It's me”").quoted_after("says"), Some("It's me"));
        assert_eq!(Words::of("nothing").quoted_after("says"), None);
    }

    #[test]
    fn unusual_input_does_not_panic() {
        for text in
            ["", " ", "?", "“", "İİİ says \"x\"", "\u{0}", "日本語のサービス", ":::::", "- - -"]
        {
            let words = Words::of(text);
            let _ = (words.means("a b"), words.value_after("port"), words.quoted_after("says"));
            let _ = words.is_question();
        }
    }
}
