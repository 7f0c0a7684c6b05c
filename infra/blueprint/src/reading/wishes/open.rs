//! The words of a message that nothing has explained yet.

use std::collections::BTreeSet;

use super::context::Context;
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// A word of the message, or a part of one.
pub(super) struct Token {
    pub(super) word: String,
    pub(super) open: bool,
    /// Whether it names something that the message rules out, and the plan obeys that or reports it.
    pub(super) ruled_out: bool,
    /// The position of the value that it comes from.
    pub(super) value: usize,
}

/// The words of a message that nothing has explained yet.
pub(super) struct Open {
    pub(super) tokens: Vec<Token>,
    /// Whether a quotation looks like a command, so that no row repeats it.
    pub(super) hides_a_quotation: bool,
}

impl Open {
    pub(super) fn of(words: &Words, context: &Context) -> Open {
        // A quotation that is the value of a parameter, such as a greeting, asks for nothing else.
        let quoted: Vec<&str> = quotations(words.text()).collect();
        let is_a_value = |at: usize| {
            let text = words.quotation(at).and_then(|quotation| quoted.get(quotation));
            text.is_some_and(|text| context.holds(text) || looks_like_a_command(text))
        };
        let parts = words.values().enumerate().flat_map(|(value, word)| {
            let open = !is_a_value(value);
            let parts = context.parts(word.to_string()).into_iter();
            parts.map(move |word| Token { word, open, ruled_out: false, value })
        });
        let hides_a_quotation =
            quoted.iter().any(|text| !context.holds(text) && looks_like_a_command(text));
        Open { tokens: parts.collect(), hides_a_quotation }
    }

    pub(super) fn take_at(&mut self, at: usize) {
        if let Some(token) = self.tokens.get_mut(at) {
            token.open = false;
        }
    }

    /// Marks the values at these positions as explained.
    pub(super) fn take_range(&mut self, place: &std::ops::Range<usize>) {
        let taken = self.tokens.iter_mut().filter(|token| place.contains(&token.value));
        taken.for_each(|token| token.open = false);
    }

    /// Whether nothing has explained the value at this position.
    pub(super) fn is_open(&self, value: usize) -> bool {
        self.tokens.iter().any(|token| token.value == value && token.open)
    }

    /// Whether the value at this position is ruled out.
    pub(super) fn is_ruled_out(&self, value: usize) -> bool {
        self.tokens.iter().any(|token| token.value == value && token.ruled_out)
    }

    /// Marks the values at these positions as explained, and the negations among them as reported.
    pub(super) fn take_values_at(&mut self, places: &BTreeSet<usize>) {
        for token in self.tokens.iter_mut().filter(|token| places.contains(&token.value)) {
            token.open = false;
            token.ruled_out |= is_negation(&token.word);
        }
    }

    /// Marks the values at these positions as ruled out.
    pub(super) fn rule_out_range(&mut self, place: &std::ops::Range<usize>) {
        for token in self.tokens.iter_mut().filter(|token| place.contains(&token.value)) {
            token.open = false;
            token.ruled_out = true;
        }
    }

    /// Marks every occurrence of a phrase as explained, including plurals.
    pub(super) fn take(&mut self, phrase: &str) {
        self.places(phrase).into_iter().for_each(|at| self.take_at(at));
    }

    /// Marks every occurrence of a phrase that the message rules out as explained, and the negation beside it as well.
    pub(super) fn rule_out(&mut self, phrase: &str) {
        for at in self.places(phrase) {
            self.take_at(at);
            self.tokens[at].ruled_out = true;
        }
    }

    /// Marks the numbers that a message denies in the clause of the one that takes their place: “not 2022 but 2023”.
    pub(super) fn rule_out_numbers(&mut self, words: &Words, new: &str) {
        let values: Vec<&str> = words.values().collect();
        let Some(at) = values.iter().position(|value| *value == new) else { return };
        for token in
            self.tokens.iter_mut().filter(|token| words.sentence(at).contains(&token.value))
        {
            let number = token.word.bytes().all(|byte| byte.is_ascii_digit());
            if number && !words.means_value(token.value) {
                token.open = false;
                token.ruled_out = true;
            }
        }
    }

    /// Marks the word that switches off what is ruled out before it: “fail2ban disabled”.
    pub(super) fn rule_out_switches(&mut self) {
        const SWITCHES: &[&str] = &["disabled", "deactivated", "off", "weg", "raus", "fuera"];
        for at in 1..self.tokens.len() {
            if self.tokens[at - 1].ruled_out && SWITCHES.contains(&self.tokens[at].word.as_str()) {
                self.take_at(at);
                self.tokens[at].ruled_out = true;
            }
        }
    }

    /// The tokens of every occurrence of a phrase.
    fn places(&self, phrase: &str) -> BTreeSet<usize> {
        // Most phrases do not occur, which their first words show.
        let first = phrase.find([' ', '-']).map_or(phrase, |end| &phrase[..end]);
        if !self.tokens.iter().any(|token| token.word.starts_with(first)) {
            return BTreeSet::new();
        }
        let phrase: Vec<&str> = phrase.split([' ', '-']).collect();
        let mut places = BTreeSet::new();
        for start in 0..self.tokens.len() {
            let end = (start + phrase.len()).min(self.tokens.len());
            let here: Vec<&str> =
                self.tokens[start..end].iter().map(|token| token.word.as_str()).collect();
            let joined = here.first().is_some_and(|word| same(word, &phrase.join("-")));
            let apart = here.len() == phrase.len()
                && here.iter().zip(&phrase).all(|(word, part)| same(word, part));
            places.extend(joined.then_some(start));
            places.extend((start..end).filter(|_| apart));
        }
        places
    }

    /// Marks the words at these positions as unexplained, because they belong to something that is not built.
    pub(super) fn reopen(&mut self, values: &BTreeSet<usize>) {
        for token in self.tokens.iter_mut().filter(|token| values.contains(&token.value)) {
            token.open = true;
        }
    }

    /// Marks the values of parameters, and the words by which their readers find them, as explained.
    pub(super) fn take_values(&mut self, context: &Context, words: &Words) {
        let known = context.known(words);
        let exact = [context.spans(words), context.place(words), context.roles(words)].concat();
        for at in 0..self.tokens.len() {
            let Token { word, value, .. } = &self.tokens[at];
            if known.iter().any(|known| known.explains(word, *value))
                || context.keeps(word)
                || context.replaced(word)
                || exact.contains(value)
            {
                self.take_at(at);
            }
        }
    }

    /// Marks the open ports that a message names as the place of something: “nginx on 443”.
    pub(super) fn take_open_ports(&mut self, context: &Context, words: &Words) {
        const AT: &[&str] = &["on", "at", "over", "via", "en", "auf", "über", "sur", "par", "por"];
        const ARTICLES: &[&str] = &["el", "le", "port", "puerto"];
        let values: Vec<&str> = words.values().collect();
        let placed = |at: usize| {
            let before = values[words.clause(at).start..at].iter().rev();
            let mut before = before.skip_while(|word| ARTICLES.contains(word));
            before.next().is_some_and(|word| AT.contains(word)) && words.means_value(at)
        };
        let named = |at: &usize| context.open_ports().any(|port| port == values[*at]);
        // “Ports 22, 80 and 443”: SSH is open anyway.
        let listed = |at: usize| {
            let number = values[at].bytes().all(|byte| byte.is_ascii_digit());
            number
                || ["ports", "port", "and"].contains(&values[at])
                || words.weighs(at) == Weight::Empty
        };
        let ssh = |at: &usize| {
            values[*at] == "22"
                && values[words.sentence(*at)].contains(&"ports")
                && words.clause(*at).all(listed)
        };
        // “443/tcp”
        let tcp = |at: &usize| {
            let port = values[*at].strip_suffix("/tcp");
            port.is_some_and(|port| context.open_ports().any(|open| open == port))
        };
        let taken = |at: &usize| named(at) && placed(*at) || ssh(at) || tcp(at);
        for at in (0..values.len()).filter(taken) {
            self.take_range(&(at..at + 1));
        }
    }

    /// Marks the words for a machine of its own.
    pub(super) fn take_own_machine(&mut self) {
        const OWN: &[&str] =
            &["own", "separate", "eigene", "eigenen", "eigenem", "eigener", "propio", "propre"];
        const MACHINES: &[&str] = &["server", "machine", "box", "host", "vps", "vm"];
        for at in 1..self.tokens.len() {
            let word = |at: usize| self.tokens[at].word.as_str();
            let pair = [(word(at - 1), word(at)), (word(at), word(at - 1))];
            if pair.iter().any(|(own, machine)| OWN.contains(own) && MACHINES.contains(machine)) {
                self.take_at(at - 1);
                self.take_at(at);
            }
        }
    }

    /// Marks the text between backticks as explained: a question about a log does not ask for what the log says.
    pub(super) fn take_code(&mut self, words: &Words) {
        let code: Vec<&str> = words.text().split('`').skip(1).step_by(2).collect();
        let code: Vec<String> = code.iter().flat_map(|text| values(&Words::of(text))).collect();
        for token in &mut self.tokens {
            let value = words.values().nth(token.value).unwrap_or_default();
            token.open &= !code.iter().any(|word| word == value);
        }
    }

    /// Marks sentences that only ask a question as explained.
    pub(super) fn take_questions(&mut self, words: &Words) {
        for token in &mut self.tokens {
            token.open &= !words.only_asks(token.value);
        }
    }
}

fn values(words: &Words) -> Vec<String> {
    words.values().map(str::to_string).collect()
}

/// Whether a quotation has signs of a shell.
fn looks_like_a_command(text: &str) -> bool {
    text.contains("$(")
        || text.contains("${")
        || text.contains(['`', '|', '<', '>', '{', '}', '\\', '~'])
}

/// The texts in double quotation marks, straight or curly.
fn quotations(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '“', '”', '„', '«', '»']).skip(1).step_by(2)
}

/// Whether a word is the given one, or its plural or genitive.
pub(super) fn same(word: &str, known: &str) -> bool {
    let plural = word.strip_suffix('s').filter(|_| word != "https");
    [Some(word), plural, word.strip_suffix("'s")].contains(&Some(known))
}
