//! What a message postpones: “nginx later”, “Redis, but not yet”.
//!
//! A word for a later time at the beginning of a sentence postpones the sentence, up to a word for now. Within a clause
//! it postpones what is joined to it: of “PostgreSQL and Redis later”, only Redis. A clause that says nothing else, such as
//! “but not yet”, belongs to the one before it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::language::{Language, Weight};
use super::{BREAK, Words, is_negation};

/// Phrases for a later time; the translation knows those of other languages.
const LATER: &[&str] = &[
    "later on",
    "later",
    "not yet",
    "not now",
    "eventually",
    "at some point",
    "some day",
    "someday",
    "down the road",
    "down the line",
    "in the future",
    "in future",
    "next year",
    "next month",
    "next quarter",
];

/// Words right before such a phrase with which it does not postpone anything: “no later than Friday”, “until next year”.
const LIMITING: &[&str] =
    &["no", "or", "not", "until", "till", "by", "before", "since", "hasta", "bis", "jusqu'à"];

/// Words right after such a phrase that compare: “later than Friday”, “later versions”.
const COMPARING: &[&str] = &["than", "version", "versions", "release", "releases"];

/// Verbs of having and being there. A message that lacks a thing does not postpone it.
const LACKING: &[&str] = &["have", "has", "got", "haben", "own", "gibt", "gibt's", "exists", "hay"];

/// Words for nothing, and for a place on which nothing is: “nothing on it yet”.
const NOTHING: &[&str] = &["nothing", "nichts", "nix", "nada", "rien"];
const THEREON: &[&str] =
    &["on", "in", "there", "drauf", "darauf", "drin", "ahí", "allí", "dessus", "dedans"];

/// Verbs of being able, and what somebody is not able to do yet: “our shop can't do that yet”.
const ABLE: &[&str] =
    &["can", "can't", "cannot", "kann", "können", "puede", "pueden", "peut", "peuvent"];
const THAT: &[&str] = &["that", "it", "das", "es", "lo", "eso", "ça", "cela", "le"];

/// Verbs of planning, which are not what is planned later: “don't plan that yet”.
const PLANNING: &[&str] =
    &["plan", "plane", "planen", "einplanen", "planifiques", "planifier", "prévoyez"];

/// Verbs by which something of the user's ends at that time: “our provider closes next month”.
const ENDING: &str = "closes ends expires leaves retires endet schließt schliesst aufhört \
    kündigt gekündigt ausläuft cierra \
    termina vence caduca ferme expire résilié";

/// Words that begin what is joined to something else.
const JOINING: &[&str] = &["and", "or", "but", "plus", "while", "y", "pero", "et", "mais"];

/// Verbs of which everything before them is the subject.
const COMING: &[&str] =
    &["come", "follow", "are", "kommen", "folgen", "vienen", "vendrán", "viennent", "viendront"];

/// Words for the present, which end what is postponed.
const NOW: &[&str] =
    &["now", "today", "first", "immediately", "jetzt", "zuerst", "ahora", "primero", "maintenant"];

impl Words {
    /// The message without what it postpones, and each postponed thing in the user's words.
    pub fn without_postponed(self) -> (Words, Vec<String>) {
        let mut postponed: BTreeSet<usize> = BTreeSet::new();
        for at in 0..self.values.len() {
            let Some(phrase) = self.later_at(at) else { continue };
            let range = self.postponed_by(at..at + phrase);
            if range.clone().any(|at| self.says(at)) {
                postponed.extend(range);
            }
        }
        if postponed.is_empty() {
            return (self, Vec::new());
        }
        let mut texts: Vec<String> = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let start = at;
            while postponed.contains(&at) {
                at += 1;
            }
            let trimmed = self.trimmed(start..at);
            if !trimmed.is_empty() {
                texts.push(self.said_in(trimmed));
            }
            at += 1;
        }
        (self.without(&postponed), texts)
    }

    /// The number of values of the phrase for a later time at this position.
    fn later_at(&self, at: usize) -> Option<usize> {
        let value = |at: usize| self.values.get(at).map(String::as_str);
        let before = at.checked_sub(1).filter(|before| !self.ends_clause(*before)).and_then(value);
        // “don't build that yet”
        // “We have no Elastic yet”, “there is no server yet”
        let within =
            |list: &[&str]| self.clause(at).any(|at| list.contains(&self.values[at].as_str()));
        let told = within(NOTHING) && within(THEREON) || within(ABLE) && within(THAT);
        let lacks = |at: usize| told || LACKING.contains(&self.values[at].as_str());
        if value(at) == Some("yet") {
            let clause = self.clause(at);
            let negated = (clause.start..at).any(|at| is_negation(&self.values[at]));
            let negated = negated && !(clause.start..at).any(lacks);
            return (negated && before != Some("not")).then_some(1);
        }
        let count = LATER.iter().find_map(|phrase| {
            let words: Vec<&str> = phrase.split(' ').collect();
            let here = (0..words.len()).all(|n| value(at + n) == Some(words[n]));
            here.then_some(words.len())
        })?;
        if value(at) == Some("not") && self.clause(at).any(lacks) {
            return None;
        }
        let next = value(at) == Some("next");
        if next && self.any_in(self.clause(at), ENDING) {
            return None;
        }
        let limited = before.is_some_and(|word| LIMITING.contains(&word));
        let after = value(at + count).filter(|_| !self.ends_clause(at + count - 1));
        let compared = after.is_some_and(|word| COMPARING.contains(&word));
        (!limited && !compared).then_some(count)
    }

    /// Everything that a phrase for a later time postpones.
    fn postponed_by(&self, phrase: Range<usize>) -> Range<usize> {
        let segment = self.segment(phrase.start);
        let clause = self.clause(phrase.start);
        let joins = |at: &usize| JOINING.contains(&self.values[*at].as_str());
        let nothing = |range: Range<usize>| !range.into_iter().any(|at| self.says(at));
        if nothing(segment.start..phrase.start) && !nothing(phrase.end..segment.end) {
            let now = |at: &usize| NOW.contains(&self.values[*at].as_str());
            let end = (phrase.end..segment.end).find(now);
            let end = end.map_or(segment.end, |at| self.clause(at).start.max(phrase.end));
            return segment.start..end;
        }
        let end = (phrase.end..clause.end).find(joins).unwrap_or(clause.end);
        if !nothing(clause.start..phrase.start) || !nothing(phrase.end..end) {
            let start = (clause.start..phrase.start).rev().find(joins).unwrap_or(clause.start);
            // “The replica and the pooler come later”: the list is what comes.
            let all = (start..phrase.start).any(|at| COMING.contains(&self.values[at].as_str()));
            return if all { clause.start..end } else { start..end };
        }
        // “A VPS in Helsinki. The name will change later”
        let own_sentence = self.sentence(clause.start).start == clause.start;
        let light = |at: usize| self.weighs(at) == Weight::Light && !self.is_a_time(at);
        if own_sentence && clause.clone().any(light) {
            return clause;
        }
        // The clause says nothing but that something is for later.
        let Some(last) = clause.start.checked_sub(1) else { return clause };
        // “PostgreSQL and, at some point, Redis”
        if joins(&last) && end < segment.end {
            return last..self.clause(end).end;
        }
        let before = self.clause(last);
        let first = before.clone().rev().find(|at| joins(at) && *at > before.start);
        first.unwrap_or(before.start)..end
    }

    /// The part of a sentence around a value, between semicolons.
    fn segment(&self, at: usize) -> Range<usize> {
        let sentence = self.sentence(at);
        let pauses = |at: &usize| self.tokens.get(*at).is_some_and(|token| token.pauses);
        let first = (sentence.start..at).rev().find(pauses).map_or(sentence.start, |at| at + 1);
        let last = (at..sentence.end).find(pauses).map_or(sentence.end, |at| at + 1);
        first..last
    }

    /// Whether a value is a part of a phrase for a later time.
    fn is_a_time(&self, at: usize) -> bool {
        let word = self.values[at].as_str();
        LATER.iter().any(|phrase| phrase.split(' ').any(|part| part == word))
    }

    /// Whether a value is a wish or a part of one.
    fn says(&self, at: usize) -> bool {
        let word = self.values[at].as_str();
        !self.is_a_time(at)
            && !PLANNING.contains(&word)
            && self.language(at).weight(word) == Weight::Full
            && Language::English.weight(word) == Weight::Full
    }

    /// A range without the words around it that say nothing.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let first = range.clone().find(|at| self.says(*at));
        let last = range.clone().rev().find(|at| self.says(*at));
        first.zip(last).map_or(range.end..range.end, |(first, last)| first..last + 1)
    }

    /// The message without the values at these positions.
    pub fn without(self, gone: &BTreeSet<usize>) -> Words {
        let kept: Vec<usize> = (0..self.values.len()).filter(|at| !gone.contains(at)).collect();
        let Words { text, values, mut tokens, plain, origins } = self;
        // A clause that loses its end ends before that.
        for at in gone.iter().filter_map(|at| at.checked_sub(1)) {
            if let Some(token) = tokens.get_mut(at) {
                token.ends = true;
            }
        }
        let mut words = Words {
            text,
            values: kept.iter().map(|at| values[*at].clone()).collect(),
            tokens: kept.iter().map(|at| tokens[*at].clone()).collect(),
            plain: Vec::new(),
            origins: Vec::new(),
        };
        for (word, origin) in plain.into_iter().zip(origins) {
            match kept.binary_search(&origin) {
                Ok(at) => {
                    words.plain.push(word);
                    words.origins.push(at);
                }
                // What is left on both sides does not become one clause.
                Err(at) if words.plain.last().is_some_and(|last| last != BREAK) => {
                    words.plain.push(BREAK.to_string());
                    words.origins.push(at.saturating_sub(1));
                }
                Err(_) => {}
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, String) {
        let (words, later) = Words::of(text).without_postponed();
        (words.values.join(" "), later.join(" + "))
    }

    #[test]
    fn what_is_for_later_is_split_off() {
        for (text, now, later) in [
            ("a vps. Later nginx for a.de.", "a vps", "nginx for a.de"),
            ("Later, in March, we add nginx; a vps now", "a vps now", "march we add nginx"),
            ("a vps with postgresql and redis later", "a vps with postgresql", "redis"),
            ("a vps, redis comes later, port 80 open", "a vps port 80 open", "redis"),
            ("a vps with nginx and redis, but not yet", "a vps with nginx", "redis"),
            ("a vps; nginx would follow, don't build that yet", "a vps", "nginx would follow"),
            ("a vps, not now redis, port 80", "a vps port 80", "redis"),
            ("a vps with postgresql and, at some point, redis", "a vps with postgresql", "redis"),
            ("a vps, the replica and redis come later", "a vps", "replica and redis"),
            ("later nginx, first a vps", "first a vps", "nginx"),
        ] {
            assert_eq!(split(text), (now.to_string(), later.to_string()), "{text}");
        }
    }

    #[test]
    fn a_later_time_in_a_comparison_postpones_nothing() {
        for text in [
            "no later than friday",
            "debian 13 or later",
            "nginx until next year",
            "not yet",
            "later",
            "a vps with nginx",
            "redis 7 and later versions",
            "nginx our provider closes next month",
        ] {
            let (words, later) = Words::of(text).without_postponed();
            assert_eq!((words.values.join(" "), later.len()), (text.to_string(), 0), "{text}");
        }
    }

    #[test]
    fn what_is_left_stays_divided_into_clauses() {
        let (words, _) = Words::of("no redis and nginx later, postgresql").without_postponed();
        assert!(words.means("postgresql") && words.excludes("redis") && !words.has("nginx"));
    }
}
