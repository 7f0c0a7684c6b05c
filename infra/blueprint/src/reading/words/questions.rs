//! Questions, and which of them ask for something to be built.

use super::Words;

/// Words that begin a question.
const STARTS: &[&str] = &[
    "what", "how", "why", "which", "where", "who", "when", "can", "could", "does", "is", "are",
    "will", "would", "should", "explain", "tell",
];

/// Words in a question by which it asks for an explanation and not for something to be built.
const ASKING: &[&str] = &[
    "what", "what's", "how", "why", "which", "where", "who", "when", "explain", "tell", "does",
    "do", "did", "is", "are", "was", "wie", "warum", "wieso", "welche", "welcher", "welches", "wo",
    "wer", "wann", "wieviel", "ist", "sind", "qué", "cómo", "cuánto", "cuál", "cuándo", "dónde",
    "quién", "quoi", "comment", "combien", "pourquoi", "où", "quand", "quel", "quelle", "est-ce",
];

/// Phrases by which a question asks for something: “is it possible to have …?”.
const REQUESTING: &[&str] = &[
    "what about",
    "how about",
    "possible",
    "add",
    "also",
    "need",
    "want",
    "give me",
    "wie wäre",
    "qué tal",
    "instead",
];

/// Phrases by which a question may ask for something: “can you …?”, but not “what can you …?”.
const ABLE: &[&str] = &[
    "can you",
    "could you",
    "can we",
    "could we",
    "can i",
    "could i",
    "can it",
    "could it",
    "will you",
    "would you",
];

impl Words {
    /// Whether the message asks a question.
    pub fn is_question(&self) -> bool {
        self.text.contains('?')
            || self.plain.first().is_some_and(|word| STARTS.contains(&word.as_str()))
    }

    /// Whether some sentence only asks for an explanation.
    pub fn only_asks_somewhere(&self) -> bool {
        (0..self.count()).any(|at| self.only_asks(at))
    }

    /// Whether the sentence around a value only asks for an explanation: “what does it cost?”.
    pub fn only_asks(&self, at: usize) -> bool {
        let sentence = self.values[self.sentence(at)].join(" ");
        let sentence = Words::of(&sentence);
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| sentence.has(phrase));
        let offered = has(ASKING) && !has(&["is", "are", "does", "do", "did", "was"]);
        has(ASKING)
            && (has(&["explain", "tell me", "how much"])
                || !(has(REQUESTING) || (has(ABLE) && !offered)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_questions_ask_for_something() {
        for text in [
            "can you also add pgbouncer?",
            "is it possible to have a theme?",
            "what about pgbouncer?",
            "could we get a second login?",
        ] {
            assert!(!Words::of(text).only_asks(1), "{text}");
        }
        for text in [
            "what can you build?",
            "what does it cost?",
            "how do I stop it?",
            "can you tell me what a dump is?",
        ] {
            assert!(Words::of(text).only_asks(1), "{text}");
        }
    }
}
