//! Whether a clause may rule out a thing that it names, in whatever order and with whatever verb: “Kubernetes surtout pas”, “bloß
//! kein k3s”, “no quiero ver Kubernetes ni en pintura”.
//!
//! [`Words::means`] knows how a negation governs a thing. Here a clause counts as refusing unless its negation clearly rules
//! out something else: “WordPress without comments”, “no plugins in WordPress”. So a phrase that no rule knows does not turn
//! a refusal into a wish.

use std::ops::Range;

use super::language::Weight;
use super::{BREAK, Words, denies, gives_up, is_negation};

/// Phrases that refuse without a negation, or with a noun after it.
const REFUSING: &[&str] = &[
    "out of the question",
    "no way",
    "under no circumstances",
    "in no case",
    "ruled out",
    "fed up",
    "in frage",
    "kommt nicht in",
    "auf keinen fall",
    "auf gar keinen fall",
    "bleib mir weg",
    "bleibt mir weg",
    "verzichte",
    "verzichten",
    "ausgeschlossen",
    "ni hablar",
    "ni de broma",
    "ni loco",
    "de ninguna manera",
    "en ningún caso",
    "descartado",
    "descartada",
    "excluido",
    "excluida",
    "exclu",
    "exclue",
    "scheidet aus",
    "fällt weg",
    "descartamos",
    "hors de question",
    "voted down",
    "turned down",
    "rejected",
    "abgelehnt",
    "verworfen",
    "rechazado",
    "rechazamos",
    "refusé",
    "écarté",
    "en aucun cas",
    "en aucune façon",
    "plus jamais",
];

/// Words between what a negation rules out and a thing that it does not: “no plugins in WordPress”.
const APART: &[&str] = &[
    "in", "on", "with", "for", "to", "of", "from", "at", "by", "and", "but", "via", "into", "und",
    "y", "e", "et", "mit", "auf", "bei", "für", "im", "con", "en", "para", "de", "del", "avec",
    "sur", "dans", "pour", "sondern", "sino", "pero", "mais", "aber", "prefer", "instead",
];

/// Words before or after a negation with which it denies nothing: “why not”, “not only”.
const WHY: &[&str] = &["why", "warum", "wieso", "qué", "pourquoi", "or", "oder"];
const ONLY: &[&str] = &["only", "just", "merely", "nur", "solo", "seulement"];

const AND: &[&str] = &["and", "but", "y", "et", "und"];

/// Negations that a verb follows, and pronouns for the thing between a negation and a verb.
const NEVER: &[&str] = &[
    "ni", "nunca", "jamás", "nie", "niemals", "never", "jamais", "wouldn't", "won't", "don't",
    "can't", "didn't",
];
const IT: &[&str] =
    &["lo", "la", "los", "las", "le", "les", "it", "that", "das", "es", "me", "nos", "mir", "uns"];

const BEING: &[&str] =
    &["is", "are", "was", "ist", "sind", "es", "son", "est", "sont", "ne", "n'est"];
const ARTICLES: &[&str] = &["a", "an", "the", "una", "un", "une", "eine", "ein"];

/// Nouns that name nothing that could be ruled out instead: “MySQL isn't part of this”.
const GENERIC: &[&str] = &[
    "option", "choice", "opción", "part", "scope", "topic", "subject", "question", "case", "place",
    "teil", "thema", "frage", "sache", "parte", "tema", "caso", "falta", "sujet", "partie", "cas",
    "projekt", "proyecto", "projet",
];

/// Words that say nothing more in an answer that denies: “nein danke”, “no way”.
const ANSWERING: &[&str] = &[
    "thanks",
    "thank",
    "you",
    "please",
    "way",
    "at",
    "all",
    "really",
    "ever",
    "again",
    "for",
    "us",
    "me",
    "nein",
    "danke",
    "bitte",
    "mehr",
    "wieder",
    "bloß",
    "bloss",
    "lieber",
    "sicher",
    "surtout",
    "certainly",
    "definitely",
    "absolutely",
    "rather",
    "gracias",
    "por",
    "favor",
    "más",
    "merci",
    "mais",
    "plus",
    "du",
    "tout",
    "pero",
    "aber",
    "but",
];

/// Words by which an answer agrees.
const AGREEING: &[&str] = &[
    "yes",
    "yeah",
    "sure",
    "please",
    "fine",
    "ok",
    "okay",
    "good",
    "gladly",
    "definitely",
    "absolutely",
    "ja",
    "jawohl",
    "gern",
    "gerne",
    "klar",
    "bitte",
    "natürlich",
    "unbedingt",
    "sí",
    "si",
    "claro",
    "vale",
    "bien",
    "oui",
    "volontiers",
    "d'accord",
    "parfait",
    "perfect",
    "great",
    "why",
];

/// The most words of an answer that only denies: “nein danke”.
const BRIEF: usize = 4;

impl Words {
    /// Whether the clause of the phrase at this place may rule it out.
    pub fn may_refuse(&self, place: &Range<usize>) -> bool {
        let clause = self.plain_clause(place.start);
        self.refuses_in(&clause, place)
            || self.has_a_refusing_phrase(&clause)
            || self.is_denied_next(&clause, place)
            || self.is_in_a_list_of_refusals(place)
    }

    /// Whether each mention of a phrase is in a clause that rules it out by a fixed phrase: “Postgres kommt nicht in Frage”, but
    /// not “plugins in WordPress are out of the question”.
    pub fn is_out_of_the_question(&self, phrase: &str) -> bool {
        let places = self.places(phrase);
        let out = |place: &Range<usize>| {
            let clause = self.plain_clause(place.start);
            let said = self.said_in(self.origin(clause.start)..self.origin(place.start));
            let refusing = REFUSING.iter().fold(said, |said, phrase| said.replace(phrase, ""));
            let within = |word: &str| APART.contains(&word) && !["of", "de", "del"].contains(&word);
            !refusing.split(' ').any(within) && self.has_a_refusing_phrase(&clause)
        };
        !places.is_empty() && places.iter().all(out)
    }

    /// Whether the message rules out a part of what is planned: the thing itself, and not only at times.
    pub fn rules_out_a_part(&self, phrase: &str) -> bool {
        self.excludes_itself(phrase) && !self.excludes_at_times(phrase)
            || self.is_out_of_the_question(phrase)
    }

    /// Whether the message rules out a thing, and not only at times or for one of several.
    pub fn rules_out_as_a_whole(&self, phrase: &str) -> bool {
        let partly = || self.excludes_at_times(phrase) || self.excludes_for_one(phrase);
        self.excludes(phrase) && !partly() || self.is_out_of_the_question(phrase)
    }

    /// Positions of the values in the clause around a phrase.
    pub fn clause_of(&self, place: &Range<usize>) -> Range<usize> {
        self.clause(self.origin(place.start))
    }

    fn plain_clause(&self, at: usize) -> Range<usize> {
        let breaks = |at: &usize| self.plain[*at] == BREAK;
        let start = (0..at).rev().find(breaks).map_or(0, |at| at + 1);
        start..(at..self.plain.len()).find(breaks).unwrap_or(self.plain.len())
    }

    fn weight_of(&self, plain: usize) -> Weight {
        self.language(self.origin(plain)).weight(&self.plain[plain])
    }

    fn says_something(&self, plain: usize) -> bool {
        let word = self.plain[plain].as_str();
        self.weight_of(plain) == Weight::Full && !denies(word) && !GENERIC.contains(&word)
    }

    /// Whether a negation at this position denies something.
    fn denies_at(&self, at: usize) -> bool {
        let word = |at: usize| self.plain.get(at).map_or("", String::as_str);
        let before = at.checked_sub(1).map_or("", word);
        let undone = is_negation(word(at))
            && (ONLY.contains(&word(at + 1)) || gives_up(word(at + 1)))
            || gives_up(word(at)) && is_negation(before);
        denies(word(at)) && !undone && !WHY.contains(&before)
    }

    fn refuses_in(&self, clause: &Range<usize>, place: &Range<usize>) -> bool {
        clause.clone().filter(|at| !place.contains(at) && self.denies_at(*at)).any(|negation| {
            if negation > place.start {
                let rest = negation + 1..clause.end;
                let more = rest.clone().filter(|at| self.says_something(*at)).count();
                // “Kubernetes ni verlo”, “Kubernetes no lo tocamos”
                let word = |at: usize| self.plain.get(at).map_or("", String::as_str);
                let verb = NEVER.contains(&word(negation)) || IT.contains(&word(negation + 1));
                let apart = rest.clone().any(|at| APART.contains(&word(at)));
                // “Kubernetes is not an option”, but not “Kubernetes is not public”
                let is = place.end + 1 == negation && BEING.contains(&word(place.end));
                let noun =
                    word(negation).starts_with("kein") || ARTICLES.contains(&word(negation + 1));
                return more == 0 || more == 1 && !apart && (verb || is && noun);
            }
            // What says of the thing before it that it is gone denies nothing after it: “closed outside, and nginx”.
            let between = negation + 1..place.start;
            let joined =
                between.clone().next().is_some_and(|at| AND.contains(&self.plain[at].as_str()));
            if !is_negation(&self.plain[negation]) || joined {
                return false;
            }
            let other = between.clone().rfind(|at| self.says_something(*at));
            other.is_none_or(|other| {
                !(other + 1..place.start).any(|at| APART.contains(&self.plain[at].as_str()))
            })
        })
    }

    fn has_a_refusing_phrase(&self, clause: &Range<usize>) -> bool {
        let said = format!(" {} ", self.said_in(self.values_of(clause)));
        let english = format!(" {} ", self.plain[clause.clone()].join(" "));
        let says = |phrase: &&str| {
            let phrase = format!(" {phrase} ");
            said.contains(&phrase) || english.contains(&phrase)
        };
        REFUSING.iter().any(says)
    }

    /// Whether the clause only names the thing, and the next one only denies: “Kubernetes, nein danke”.
    fn is_denied_next(&self, clause: &Range<usize>, place: &Range<usize>) -> bool {
        let alone = !clause.clone().any(|at| !place.contains(&at) && self.says_something(at));
        let next = clause.end + 1;
        if !alone || next >= self.plain.len() {
            return false;
        }
        let next = self.plain_clause(next);
        if next.len() > BRIEF {
            return false;
        }
        let denied = next.clone().any(|at| self.denies_at(at));
        let answers = |at: usize| {
            let word = self.plain[at].as_str();
            denies(word) || word.split_whitespace().all(|word| ANSWERING.contains(&word))
        };
        let bare = next.clone().all(answers);
        // “Docker? Over my dead body.”
        let asked = self.ends_in_question(self.origin(clause.start));
        let agrees = next.clone().any(|at| AGREEING.contains(&self.plain[at].as_str()));
        let answered = asked && !agrees && !self.ends_in_question(self.origin(next.start));
        denied && bare || answered || self.has_a_refusing_phrase(&next)
    }

    /// Whether a label before the thing in its sentence denies: “not wanted: Kubernetes, Plesk”.
    fn is_in_a_list_of_refusals(&self, place: &Range<usize>) -> bool {
        let at = self.origin(place.start);
        let sentence = self.sentence(at);
        let text = self.text().to_lowercase();
        let mut before = self.clause(at).start;
        // “What is struck out no longer counts: “a platform with ELK …””
        if self.is_quoted(at) {
            return false;
        }
        while before > sentence.start {
            let clause = self.clause(before - 1);
            let last = self.values().nth(clause.end - 1).unwrap_or_default();
            if text.contains(&format!("{last}:")) || text.contains(&format!("{last} :")) {
                let values: Vec<&str> = self.values().collect();
                let full = |at: &usize| self.weighs(*at) == Weight::Full && !denies(values[*at]);
                return clause.clone().any(|at| denies(values[at]))
                    && clause.filter(full).count() <= 1;
            }
            before = clause.start;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(text: &str) -> bool {
        let words = Words::of(text);
        words.places("wordpress").iter().all(|place| words.may_refuse(place))
    }

    #[test]
    fn a_clause_with_a_negation_refuses_what_it_names() {
        for text in [
            "docker yes, wordpress surtout pas",
            "wordpress really not",
            "bloß kein wordpress",
            "no quiero ni ver wordpress",
            "wordpress is out of the question",
            "wordpress, no thanks",
            "not wanted: plesk, wordpress",
            "wordpress? bloß nicht",
            "wordpress? over my dead body",
            "wordpress isn't part of this",
            "wordpress ni verlo",
            "wordpress is not an option here",
            "wordpress was suggested and voted down",
        ] {
            assert!(refuses(text), "{text}");
        }
    }

    #[test]
    fn a_fixed_phrase_rules_out_what_its_clause_is_about() {
        let out = |text: &str| Words::of(text).is_out_of_the_question("postgres");
        assert!(out("mysql 8, postgres kommt nicht in frage"));
        assert!(out("hors de question d'avoir postgres"));
        assert!(!out("plugins in postgres are out of the question"));
        assert!(!out("postgres, and a replica is out of the question"));
        assert!(!out("postgres, please"));
    }

    #[test]
    fn a_negation_of_something_else_refuses_nothing() {
        for text in [
            "wordpress without comments",
            "no plugins in wordpress",
            "why not wordpress",
            "not only wordpress",
            "a wordpress, no monitoring",
            "wordpress is not public",
            "wordpress, don't create anything new",
            "wordpress? yes please",
            "wordpress?",
            "no blog but wordpress",
            "wordpress, please don't forget the padlock",
        ] {
            assert!(!refuses(text), "{text}");
        }
    }
}
