//! The words of one message, and simple questions about them.

use std::collections::BTreeSet;

/// Ends of clauses: a negation does not reach across one.
const BREAK: &str = ",";

/// Words before a cue that turn it into its opposite; also of the other languages, which users mix.
const NEGATIONS: &[&str] = &[
    "not", "no", "without", "don't", "dont", "never", "isn't", "neither", "nor", "ohne", "kein",
    "keine", "keinen", "sin", "sans", "pas",
];

/// How far before a cue a negation stands: “not on an EC2 …”.
const NEGATION_REACH: usize = 4;

/// How many other words may stand between those of a phrase that are near each other.
const NEAR_REACH: usize = 5;

/// How far from a phrase a word stands that says more of it.
const MORE_REACH: usize = 8;

/// How far after a phrase a word stands that forbids it.
const FORBIDDING_REACH: usize = 3;

/// Words after a phrase that forbid it.
const FORBIDDING: &[&str] = &["disabled", "forbidden", "denied", "refused", "off", "not"];

/// What is asked for by being turned down; it turns nothing else down: “no root login and a firewall”.
const TURNED_DOWN: &[&str] = &["root", "password", "superuser"];

/// A message taken apart.
pub struct Words {
    text: String,
    /// Lower case, dashes and slashes kept: for values such as `eu-central-1`.
    values: Vec<String>,
    /// Lower case, split at dashes and slashes, with clause breaks: for phrases.
    plain: Vec<String>,
}

impl Words {
    pub fn of(text: &str) -> Words {
        let lower = text.to_lowercase().replace('’', "'");
        let mut values = Vec::new();
        let mut plain = Vec::new();
        for word in lower.split(|c: char| c.is_whitespace() || "\"“”()[]{}=`".contains(c)) {
            for part in word.split(':') {
                let ends = part.ends_with([',', '.', ';', '!', '?']) || part.len() < word.len();
                for value in part.split([',', ';']) {
                    let value = value.trim_matches(['.', '!', '?', '\'', '*', '<', '>']);
                    if value.is_empty() {
                        continue;
                    }
                    values.push(value.to_string());
                    let words = value.split(['-', '/', '_']).filter(|word| !word.is_empty());
                    plain.extend(words.map(str::to_string));
                }
                if ends {
                    plain.push(BREAK.to_string());
                }
            }
        }
        Words { text: text.to_string(), values, plain }
    }

    /// The message as it was typed.
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

    /// Whether the phrase occurs and is meant: “not EC2” does not mean EC2.
    pub fn means(&self, phrase: &str) -> bool {
        self.occurrences(phrase).any(|position| !self.negated(position))
    }

    /// Whether any of the phrases is meant.
    pub fn means_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.means(phrase))
    }

    /// Whether the phrase occurs at all.
    pub fn has(&self, phrase: &str) -> bool {
        self.occurrences(phrase).next().is_some()
    }

    /// The single word that follows the word in the list of values.
    pub fn value_after(&self, word: &str) -> Option<&str> {
        const FILLERS: &[&str] =
            &["is", "to", "be", "should", "number", "on", "use", "at", "under", "the"];
        let position = self.values.iter().position(|value| value == word)?;
        self.values[position + 1..]
            .iter()
            .map(String::as_str)
            .find(|value| !FILLERS.contains(value))
    }

    /// The port that SSH is to listen on: “SSH on port 2222”.
    pub fn ssh_port(&self) -> Option<&str> {
        const REACH: usize = 4;
        let values: Vec<&str> = self.values().collect();
        let start = values.iter().position(|value| ["ssh", "sshd"].contains(value))?;
        let near = &values[start..values.len().min(start + REACH)];
        let named = near.iter().position(|value| *value == "port")?;
        let port = values.get(start + named + 1)?;
        port.parse::<u16>().is_ok_and(|port| port != 22).then_some(*port)
    }

    /// Where the words of a phrase stand near each other in one clause, in any order and with others between.
    pub fn near(&self, phrase: &str) -> Option<Near> {
        let wanted: Vec<&str> = phrase.split_whitespace().collect();
        let reach = wanted.len() + if wanted.len() > 1 { NEAR_REACH } else { 0 };
        (0..self.plain.len()).find_map(|start| {
            let clause = self.plain[start..].iter().take(reach).take_while(|word| *word != BREAK);
            let clause: Vec<&String> = clause.collect();
            let place = |word: &&str| clause.iter().position(|heard| same(word, heard));
            let found: Vec<usize> = wanted.iter().map(place).collect::<Option<_>>()?;
            // It begins where the clause is looked at from, so that each place counts once.
            let apart = found.iter().collect::<BTreeSet<_>>().len() == found.len();
            (apart && found.contains(&0)).then(|| Near {
                first: start,
                last: start + found.iter().max().copied().unwrap_or_default(),
                words: found.iter().map(|at| start + at).collect(),
            })
        })
    }

    /// Whether the phrase occurs, and only negated: “but not on Hetzner”.
    pub fn excludes(&self, phrase: &str) -> bool {
        self.has(phrase) && !self.means(phrase)
    }

    /// The text in quotation marks after the word, at most two words later.
    pub fn quoted_after(&self, word: &str) -> Option<&str> {
        let position = self.text.to_lowercase().find(word)? + word.len();
        // Lower-casing keeps lengths for ASCII; elsewhere the slice may miss, and then nothing was quoted.
        let rest = self.text.get(position..)?;
        let start = rest.find(['"', '“', '\''])?;
        let between = &rest[..start];
        if between.split_whitespace().count() > 2 || between.ends_with(char::is_alphanumeric) {
            return None;
        }
        let rest = &rest[start..];
        let opening = rest.chars().next()?;
        let closing = if opening == '“' { '”' } else { opening };
        let inside = &rest[opening.len_utf8()..];
        let end = inside.find(closing)?;
        Some(&inside[..end])
    }

    /// Whether this asks something.
    pub fn is_question(&self) -> bool {
        const STARTS: &[&str] = &[
            "what", "how", "why", "which", "where", "who", "when", "can", "could", "does", "is",
            "are", "will", "would", "should", "explain", "tell",
        ];
        self.text.contains('?')
            || self.plain.first().is_some_and(|word| STARTS.contains(&word.as_str()))
    }

    fn occurrences<'a>(&'a self, phrase: &str) -> impl Iterator<Item = usize> + 'a {
        let phrase: Vec<String> = phrase.split_whitespace().map(str::to_string).collect();
        let last = (self.plain.len() + 1).saturating_sub(phrase.len().max(1));
        (0..last).filter(move |start| {
            !phrase.is_empty()
                && phrase.iter().zip(&self.plain[*start..]).all(|(word, heard)| same(word, heard))
        })
    }

    fn negated(&self, position: usize) -> bool {
        let clause: Vec<&str> = self.plain[..position]
            .iter()
            .rev()
            .take(NEGATION_REACH)
            .map(String::as_str)
            .take_while(|word| *word != BREAK && *word != "but")
            .collect();
        let pair = |first, second| clause.windows(2).any(|words| words == [second, first]);
        // What stands between is what the negation is about.
        let mut between = clause.iter().take_while(|word| !NEGATIONS.contains(word));
        let spent = between.any(|word| TURNED_DOWN.iter().any(|down| same(down, word)));
        (!spent && clause.iter().any(|word| NEGATIONS.contains(word)))
            || pair("instead", "of")
            || pair("rather", "than")
    }
}

/// Where the words of a phrase stand.
pub struct Near {
    first: usize,
    last: usize,
    words: Vec<usize>,
}

impl Near {
    /// Whether it is turned down.
    pub fn negated(&self, words: &Words) -> bool {
        words.negated(self.first)
    }

    /// Whether a word soon after it forbids it: “root login disabled”.
    pub fn forbidden(&self, words: &Words) -> bool {
        let after = words.plain[self.last + 1..].iter().take(FORBIDDING_REACH);
        after.take_while(|word| *word != BREAK).any(|word| FORBIDDING.contains(&word.as_str()))
    }

    /// The same with the words around it that say more, across a comma as well: “tables, whose owner is …”.
    pub fn with(mut self, words: &Words, says_more: impl Fn(&str) -> bool) -> Near {
        let plain = &words.plain;
        let before = (0..self.first).rev().take(MORE_REACH);
        let after = (self.last + 1..plain.len()).take(MORE_REACH);
        let more = before.chain(self.first..=self.last).chain(after);
        let more: Vec<usize> = more.filter(|at| says_more(bare(&plain[*at]))).collect();
        self.words.extend(more);
        self
    }

    /// Its words, in the message's order.
    pub fn text(&self, words: &Words) -> String {
        let places: BTreeSet<usize> = self.words.iter().copied().collect();
        places.into_iter().map(|at| words.plain[at].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Its words alone.
    pub fn words<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = &'a str> {
        self.words.iter().map(|at| words.plain[*at].as_str())
    }
}

/// Without the ending of a genitive: “the application's user”.
fn bare(heard: &str) -> &str {
    heard.strip_suffix("'s").unwrap_or(heard)
}

/// Equal, or a plural or a genitive of it.
fn same(word: &str, heard: &str) -> bool {
    heard == word || heard.strip_suffix('s') == Some(word) || bare(heard) == word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_holds_for_its_clause() {
        assert!(Words::of("Give me an EC2 server").means("ec2"));
        assert!(!Words::of("please not EC2").means("ec2"));
        assert!(!Words::of("the local one instead of EC2").means("ec2"));
        assert!(Words::of("No, EC2 please").means("ec2"));
    }

    #[test]
    fn phrases_cross_dashes_and_plurals() {
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
    fn odd_input_is_survived() {
        for text in
            ["", " ", "?", "“", "İİİ says \"x\"", "\u{0}", "日本語のサービス", ":::::", "- - -"]
        {
            let words = Words::of(text);
            let _ = (words.means("a b"), words.value_after("port"), words.quoted_after("says"));
            let _ = words.is_question();
        }
    }
}
