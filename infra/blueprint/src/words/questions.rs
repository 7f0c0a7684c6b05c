//! Questions, and which of them ask to build something.

use super::Words;

/// Words that begin a question.
const STARTS: &[&str] = &[
    "what", "how", "why", "which", "where", "who", "when", "can", "could", "does", "is", "are",
    "will", "would", "should", "explain", "tell",
];

/// Words that make a question ask for an explanation and not for something to be built.
const ASKING: &[&str] = &[
    "what", "what's", "how", "why", "which", "where", "who", "when", "explain", "tell", "does",
    "do", "did", "is", "are", "was", "wie", "warum", "wieso", "welche", "welcher", "welches", "wo",
    "wer", "wann", "wieviel", "ist", "sind", "qué", "cómo", "cuánto", "cuál", "cuándo", "dónde",
    "quién", "quoi", "comment", "combien", "pourquoi", "où", "quand", "quel", "quelle", "est-ce",
];

/// Words that begin a question even without a question mark at its end.
const EXPLAINING: &[&str] = &[
    "what", "what's", "how", "why", "which", "where", "who", "when", "explain", "tell", "wie",
    "warum", "wieso", "welche", "welcher", "welches", "wo", "wer", "wann", "wieviel", "qué",
    "cómo", "cuánto", "cuál", "cuándo", "dónde", "quién", "quoi", "comment", "combien", "pourquoi",
    "où", "quand", "quel", "quelle", "can",
];

/// Words before the word that begins a question: “and what does it cost?”.
const BEFORE_QUESTIONS: &[&str] = &[
    "and", "so", "but", "ok", "okay", "well", "hm", "hmm", "oh", "then", "please", "hi", "hello",
    "y", "et", "und", "mais", "pero", "aber", "from", "for", "in", "to", "at", "with", "on", "of",
];

/// Phrases that make a question a request: “is it possible to have …?”.
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

/// Phrases that may make a question a request: “can you …?”, but not “what can you …?”.
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

    /// The message without the sentences that only compare or doubt: “is Kubernetes really needed?”.
    pub fn without_comparisons(&self) -> Words {
        const COMPARING: &[&str] = &[
            "difference",
            "compare",
            "compared",
            "versus",
            "vs",
            "better",
            "cheaper",
            "cheapest",
            "really need",
            "really needed",
            "needed",
            "necessary",
            "should i",
            "should we",
            "unterschied",
            "vergleich",
            "besser",
            "günstiger",
            "billiger",
            "nötig",
            "notwendig",
            "wirklich",
            "soll ich",
            "sollen wir",
            "sollte ich",
            "sollten wir",
            "diferencia",
            "mejor",
            "barato",
            "falta",
            "necesario",
            "necesitamos de verdad",
            "debería",
            "deberíamos",
            "différence",
            "mieux",
            "moins cher",
            "nécessaire",
            "vraiment",
            "devrais-je",
            "devrait-on",
        ];
        let compares = |sentence: &std::ops::Range<usize>| {
            let both = [self.said_in(sentence.clone()), self.values[sentence.clone()].join(" ")];
            let says = |text: &String| {
                let text = format!(" {text} ");
                COMPARING.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
            };
            self.ends_in_question(sentence.start) && both.iter().any(says)
        };
        let gone = self.sentences().into_iter().filter(compares).flatten().collect();
        self.clone().without(&gone)
    }

    /// The sentences that are questions, or the whole message if none is.
    pub fn asking(&self) -> Words {
        let asks = |range: &std::ops::Range<usize>| {
            self.ends_in_question(range.start) || self.only_asks(range.start)
        };
        let sentences = self.sentences().into_iter().filter(asks);
        let text: Vec<String> = sentences.map(|range| self.values[range].join(" ")).collect();
        if text.is_empty() { self.clone() } else { Words::of(&text.join(". ")) }
    }

    /// The sentences that are more than questions.
    pub fn requests(&self) -> Words {
        let sentences = self.sentences().into_iter().filter(|range| !self.only_asks(range.start));
        let text: Vec<String> = sentences.map(|range| self.clauses_in(range)).collect();
        Words::of(&text.join(". "))
    }

    /// The words of a sentence, with commas between its clauses.
    pub fn clauses_in(&self, range: std::ops::Range<usize>) -> String {
        let mark = |at: usize| if self.ends_clause(at) { ", " } else { " " };
        range.map(|at| format!("{}{}", self.values[at], mark(at))).collect()
    }

    /// Whether all words between two positions are words that may precede a question.
    fn begins_with(&self, start: usize, at: usize) -> bool {
        self.values[start..at].iter().all(|word| BEFORE_QUESTIONS.contains(&word.as_str()))
    }

    /// Whether the sentence around a value is only a question for an explanation: “what does it cost?”.
    pub fn only_asks(&self, at: usize) -> bool {
        let range = self.sentence(at);
        let opens = |words: &[&str]| {
            range.clone().any(|at| {
                let begins = at == range.start
                    || self.ends_clause(at - 1)
                    || self.begins_with(range.start, at);
                begins && words.contains(&self.values[at].as_str())
            })
        };
        // “Our shop is on Shopify.” is not a question, and “explain it” is one without a question mark.
        if !(opens(EXPLAINING) || (self.ends_in_question(at) && opens(ASKING))) {
            return false;
        }
        let sentence = Words::of(&self.values[range].join(" "));
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
    fn some_questions_ask_to_build_something() {
        for text in [
            "can you also add pgbouncer?",
            "is it possible to have a theme?",
            "what about pgbouncer?",
            "could we get a second login?",
        ] {
            assert!(!Words::of(text).only_asks(1), "{text}");
        }
        for text in ["Our shop is on Shopify.", "The data is 2 TB, and users are in LDAP"] {
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
