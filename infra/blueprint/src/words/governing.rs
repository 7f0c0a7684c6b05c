//! What a negation governs: the thing itself (“no bucket”), or only a statement about it (“nobody sees the bucket”,
//! “everything except the load balancer is private”, “don't expose the bucket”).

use std::ops::Range;

use super::language::Weight;
use super::negation::{BEFORE_REACH, EXCEPTING, is_not_needed};
use super::{BREAK, Words, gives_up, is_negation};

/// Negations that are the subject of a verb. They rule a thing out only if the verb is one of wanting it.
const PERSONS: &[&str] = &["nobody", "niemand", "nadie", "personne"];
const WANTING: &[&str] = &[
    "need", "needs", "want", "wants", "use", "uses", "needed", "wanted", "braucht", "will",
    "brauchen", "wollen", "nutzt", "quiere", "necesita", "usa", "veut", "besoin", "utilise",
];

/// Words for what an exception is made from.
const EVERYTHING: &[&str] =
    &["everything", "all", "alles", "alle", "todo", "todos", "tout", "tous"];

/// Verbs with which such a clause says how everything else is.
const PREDICATES: &[&str] = &[
    "stays", "stay", "is", "are", "be", "must", "should", "shall", "may", "can", "gets", "goes",
    "remains", "bleibt", "bleiben", "ist", "sind", "soll", "sollen", "darf", "muss", "bekommt",
    "queda", "quede", "quedan", "debe", "deben", "es", "está", "esté", "tiene", "reste", "restent",
    "doit", "doivent", "est", "sont", "soit",
];

/// Words for building and accepting, with which the clause rules out the exception.
const BUILDING: &[&str] = &[
    "built",
    "build",
    "installed",
    "install",
    "set",
    "included",
    "needed",
    "wanted",
    "fine",
    "ok",
    "okay",
    "good",
    "installiert",
    "gebaut",
    "eingerichtet",
    "instalar",
    "instalado",
    "installé",
];

/// Verbs of “X has nothing to do with Y”, before “with”.
const CONCERNING: &[&str] =
    &["do", "ver", "voir", "tun", "relation", "related", "verwandt", "lien"];
const CONCERNING_REACH: usize = 6;

/// How many clauses after a thing one may give it up by a pronoun, and the most words of those in between.
const CLAUSES: usize = 3;
const BRIEF: usize = 3;

/// How many words before “without” a negation makes a need of it.
const NEEDING_REACH: usize = 6;

/// Pronouns for what was named before.
const IT: &[&str] = &[
    "it", "that", "this", "them", "das", "es", "sie", "ihn", "lo", "la", "los", "las", "eso", "le",
    "les", "ça", "cela",
];

impl Words {
    /// Whether the negation at this position before a thing denies only a statement about the thing.
    pub(super) fn denies_a_statement(&self, negation: usize, thing: Range<usize>) -> bool {
        let word = |at: usize| self.plain[at].as_str();
        let between = || (negation + 1..thing.start).map(word);
        // “Nothing outside our server room”
        const OUTSIDE: &[&str] =
            &["outside", "beyond", "außerhalb", "ausserhalb", "fuera", "hors", "dehors"];
        if between().any(|word| OUTSIDE.contains(&word)) {
            return true;
        }
        // “Not reachable without a VPN” wants one.
        const WITHOUT: &[&str] = &["without", "ohne", "sin", "sans"];
        if WITHOUT.contains(&word(negation)) {
            // “Not in Germany, and without a password”
            const JOINING: &[&str] = &[
                BREAK, "and", "or", "but", "und", "oder", "aber", "y", "o", "pero", "et", "ou",
                "mais",
            ];
            let clause = (0..negation).rev().take_while(|at| !JOINING.contains(&word(*at)));
            let needed = clause
                .take(NEEDING_REACH)
                .any(|at| is_negation(word(at)) && !WITHOUT.contains(&word(at)));
            if needed {
                return true;
            }
        }
        let person = PERSONS.contains(&word(negation))
            || word(negation) == "no" && between().next() == Some("one");
        if person {
            return !between().any(|word| WANTING.contains(&word));
        }
        if !EXCEPTING.contains(&word(negation)) {
            return false;
        }
        let start = (0..negation).rev().find(|at| word(*at) == BREAK).map_or(0, |at| at + 1);
        let rest = self.plain[thing.end..].iter().map(String::as_str);
        let after: Vec<&str> = rest.take_while(|word| *word != BREAK).collect();
        let everything = (start..negation).map(word).chain(after.iter().copied());
        everything.into_iter().any(|word| EVERYTHING.contains(&word))
            && after.iter().any(|word| PREDICATES.contains(word))
            && !after.iter().any(|word| BUILDING.contains(word))
    }

    /// Whether the clause after that of a thing gives it up by a pronoun: “k3s costs too much, drop it”.
    pub(super) fn dropped_next(&self, thing: usize, end: usize) -> bool {
        let placed = ["with", "on", "for", "in", "behind", "to", "and"];
        let before = thing.checked_sub(1).map(|before| self.plain[before].as_str());
        // “At a.example. Logs? Skip them” is about the logs.
        let sentence = self.sentence(self.origin(thing));
        let after =
            (end + 1..self.plain.len()).take_while(|at| sentence.contains(&self.origin(*at)));
        let rest = self.plain.get(end + 1..end + 1 + after.count()).unwrap_or_default();
        let mut clauses = rest.split(|word| word == BREAK).take(CLAUSES);
        let it = |word: &str| IT.contains(&word);
        let dropped = |clause: &[String]| {
            let said = clause.iter().map(String::as_str);
            let said: Vec<&str> =
                said.filter(|word| !["so", "please", "then", "just"].contains(word)).collect();
            match said.as_slice() {
                ["forget"] => true,
                [verb, pronoun] => gives_up(verb) && it(pronoun) || gives_up(pronoun) && it(verb),
                ["leave" | "take", pronoun, "out" | "away"] => it(pronoun),
                _ => false,
            }
        };
        // “K3s, after all, is too much, forget it”
        let dropped = loop {
            match clauses.next() {
                Some(clause) if dropped(clause) => break true,
                Some(clause) if clause.len() <= BRIEF => {}
                _ => break false,
            }
        };
        dropped && !before.is_some_and(|before| placed.contains(&before))
    }

    /// Whether the message says that something has nothing to do with it.
    pub(super) fn has_nothing_to_do_with(&self, first: usize) -> bool {
        let before = self.plain[..first].iter().rev().map(String::as_str);
        let before: Vec<&str> =
            before.take_while(|word| *word != BREAK).take(CONCERNING_REACH).collect();
        let articles = before
            .iter()
            .take_while(|word| {
                ["the", "los", "las", "les", "el", "la", "den", "dem", "der"].contains(word)
            })
            .count();
        let [with, rest @ ..] = &before[articles..] else { return false };
        // German puts the verb last: “mit AWS nichts zu tun”.
        let with = ["with", "to", "mit", "con", "avec"].contains(with);
        let after = self.plain[first + 1..].iter().map(String::as_str);
        let after: Vec<&str> =
            after.take_while(|word| *word != BREAK).take(CONCERNING_REACH).collect();
        let german = after.contains(&"tun")
            && (after.iter().any(|word| is_negation(word))
                || rest.iter().any(|word| is_negation(word)));
        let verb = rest.first().is_some_and(|verb| CONCERNING.contains(verb));
        with && (german || verb && rest.iter().any(|word| is_negation(word)))
    }

    /// Whether the message rules out the phrase itself: no word of its own is between the negation and the phrase, as the verb
    /// of “don't expose the bucket” is.
    pub fn excludes_itself(&self, phrase: &str) -> bool {
        let count = phrase.split_ascii_whitespace().count().max(1);
        let itself = |first: usize| {
            let clear = |words: &[String]| {
                let at = first - words.len();
                (at..first).all(|at| {
                    let weight = self.language(self.origins[at]).weight(&self.plain[at]);
                    matches!(weight, Weight::Empty | Weight::Negation)
                })
            };
            let before = &self.plain[first.saturating_sub(BEFORE_REACH)..first];
            let start = before.iter().rposition(|word| word == BREAK).map_or(0, |at| at + 1);
            let before = &before[start..];
            let negation = before.iter().rposition(|word| is_negation(word));
            let joined = before.last().is_some_and(|word| {
                ["or", "and", "y", "o", "et", "ou", "und", "oder", "noch"].contains(&word.as_str())
            });
            let governs = negation.is_none_or(|at| joined || clear(&before[at..]));
            // “No S3 website endpoint” is about the endpoint.
            let next = first + count;
            let ni = before.last().is_some_and(|word| word == "ni");
            let more = self.plain.get(next).is_some_and(|word| {
                let weight = self.language(self.origins[next]).weight(word);
                word != BREAK && weight == Weight::Full && !is_not_needed(word) && !ni
            });
            governs && !more && self.negated(first, next - 1)
        };
        self.excludes(phrase) && self.occurrences(phrase).any(itself)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_may_govern_only_a_statement_about_a_thing() {
        for text in [
            "nobody sees the bucket directly",
            "el bucket no lo vea nadie directo",
            "no one can read the bucket",
            "everything except the bucket stays off the public net",
            "except for the bucket all must be private",
            "personne on bucket ne connaît",
        ] {
            assert!(Words::of(text).means("bucket"), "{text}");
        }
        for text in [
            "nobody needs the bucket",
            "everything except the bucket",
            "everything except the bucket should be installed",
            "bucket no lo quiero",
            "it has nothing to do with the bucket",
            "the name hat mit dem bucket nichts zu tun",
            "not a bucket",
        ] {
            assert!(Words::of(text).excludes("bucket"), "{text}");
        }
    }

    #[test]
    fn a_thing_may_be_ruled_out_itself() {
        for text in
            ["no bucket", "without a bucket", "no redis or bucket", "the bucket is not needed"]
        {
            assert!(Words::of(text).excludes_itself("bucket"), "{text}");
        }
        for text in [
            "don't expose the bucket",
            "no public bucket",
            "no bucket endpoint",
            "never list the bucket",
        ] {
            assert!(!Words::of(text).excludes_itself("bucket"), "{text}");
        }
    }
}
