//! What a message tells of an earlier time: “last time you gave me two servers”. It asks for nothing.

use std::collections::BTreeSet;

use super::Words;

/// Phrases with which a sentence tells of an earlier time, in the user's words.
const LAST_TIME: &[&str] = &[
    "last time",
    "letztes mal",
    "letzten mal",
    "letzte mal",
    "voriges mal",
    "última vez",
    "ultima vez",
    "dernière fois",
];

/// Words before such a phrase with which it is an example of what the user wants.
const LIKE: &[&str] = &["like", "as", "wie", "como", "comme", "since"];

/// Phrases of a clause that is about this time.
const THIS_TIME: &[&str] = &["this time", "diesmal", "dieses mal", "esta vez", "cette fois"];

impl Words {
    /// The message without the sentences that tell of an earlier time, and these.
    pub fn without_past(self) -> (Words, Vec<String>) {
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        let mut texts = Vec::new();
        for sentence in self.sentences() {
            let said = self.said_in(sentence.clone());
            let told = LAST_TIME.iter().find_map(|phrase| said.find(phrase));
            let Some(at) = told else { continue };
            let mut before = said[..at].split_whitespace().rev();
            if before.by_ref().take(3).any(|word| LIKE.contains(&word)) {
                continue;
            }
            let about_now = |at: &usize| {
                THIS_TIME.iter().any(|now| self.said_in(self.clause(*at)).contains(now))
            };
            let end = sentence.clone().find(about_now).unwrap_or(sentence.end);
            // “Three servers, the season was bad last time”: only the clause tells of it.
            let first = self.clause(sentence.start);
            let tells = |range: std::ops::Range<usize>| {
                let said = self.said_in(range);
                LAST_TIME.iter().any(|phrase| said.contains(phrase))
            };
            let start = if tells(first.clone()) { first.start } else { first.end };
            if end > start {
                texts.push(self.said_in(start..end));
                gone.extend(start..end);
            }
        }
        if gone.is_empty() { (self, texts) } else { (self.without(&gone), texts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_about_an_earlier_time_asks_for_nothing() {
        let (words, told) = Words::of("One box. Last time I got two servers.").without_past();
        assert_eq!(told, ["last time i got two servers"]);
        assert!(words.has("box") && !words.has("servers"));
        let (words, _) = Words::of("Last time I got two, this time one server").without_past();
        assert!(words.has("one server") && !words.has("two"));
        let bad = Words::of("Three servers, the season was bad last time");
        assert_eq!(bad.without_past().1, ["the season was bad last time"]);
        assert!(Words::of("two servers, like last time").without_past().1.is_empty());
    }
}
