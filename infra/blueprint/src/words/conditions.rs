//! What a message says under a condition: “if two nodes give no high availability”, “unless three is overkill”, and “if that is
//! not possible, don't build anything”.
//!
//! A negation in a condition rules nothing out, and a condition asks for nothing. So a condition is split off before anything
//! else reads the message, and is repeated to the user.

use std::collections::BTreeSet;
use std::ops::Range;

use super::language::{Language, Weight};
use super::{Words, is_negation, lists, numbers};

/// Words that begin a condition; the translation keeps those of other languages.
const IF: &[&str] = &["if", "wenn", "falls", "si", "sofern", "sollte", "sollten"];

/// Words that begin what is to be if a condition is not met.
const OTHERWISE: &[&str] = &["otherwise", "else", "sonst", "ansonsten", "sinon"];

/// A word that begins the condition of an exception, even without a negation.
const UNLESS: &str = "unless";

/// Words before a condition that belong to it.
const JOINING: &[&str] = &["and", "or", "but", "y", "o", "et", "ou", "und", "oder", "pero", "mais"];

/// Words that end a condition without a comma: “if HIPAA isn't possible then say so”.
const THEN: &[&str] = &["then", "dann", "entonces", "alors"];

/// Words about money: the model cannot decide what to do at another price.
const MONEY: &str = "euro euros eur € dollar dollars dólares dolares usd $ pound pounds £ franken francs chf cost costs kostet kosten \
     cuesta cueste coûte coûtent price preis precio prix budget presupuesto";
const EXPENSIVE: &[&str] = &["expensive", "teuer", "caro", "cara", "cher", "chère"];

/// Words by which a user gives something up, if it has a price: “if it costs extra, leave it out”.
const LEAVING: &str = "leave skip drop forget omit remove without lass lasst lassen weglassen weg vergiss vergesst verzichten verzichte \
    deja dejad dejen dejadlo déjalo déjelo déjenlo quita quitad quítalo olvida olvídalo laisse laissez laisser tomber oublie oubliez \
    retire retirez enlevez enlève";

/// Verbs for building, in all languages and forms in which people forbid it.
const BUILDING: &str = "build builds building built create creating make making deploy deploying provision start starting begin do \
     set-up setup order anything-built baut baue bauen bauet gebaut anlegen aufsetzen aufbauen erstellen erstellt starten \
     construyas construya construyáis construyan construir montes monte montéis monten montar montarlo montarla crees cree \
     creéis creen crear hagas haga hagáis hagan empieces empecéis construis construise construisez construire construit montez \
     monter créez créer faites fais lancez lancer commencez";

/// Words for everything that could be built.
const ANYTHING: &[&str] = &["anything", "nothing", "nichts", "nix", "nada", "rien"];

/// Words that ask for an answer, and words for the time before it is built.
const TELLING: &str = "tell say ask inform warn sagt sagen fragt fragen meldet decídmelo decidme decídnoslo decirme dímelo dime dígame \
     dígamelo avisadme avísame avisa avísenme preguntad pregunta dites dis dites-le dites-moi dites-le-moi demandez prévenez";
const BEFORE: &[&str] = &["before", "bevor", "ehe", "antes", "avant"];

/// How many words after one of [`BEFORE`] a verb for building may be.
const BEFORE_REACH: usize = 4;

/// What a message says under a condition.
#[derive(Debug, Default, PartialEq)]
pub struct Conditions {
    /// The conditions that ask for nothing, in the user's words.
    pub stated: Vec<String>,
    /// What the user says by which nothing may be built for now.
    pub stop: Option<String>,
}

impl Words {
    /// Whether an earlier clause of the sentence is a condition of the value at this position: “if that is too expensive,
    /// 2 cores”.
    pub fn follows_a_condition(&self, at: usize) -> bool {
        const POSSIBLE: &[&str] = &["possible", "geht", "puede", "peut", "can", "könnt"];
        let sentence = self.sentence(at);
        let mut clauses = self.clauses().into_iter().filter(|clause| clause.end <= at);
        clauses.any(|clause| {
            let begins = IF.contains(&self.values[clause.start].as_str());
            let possible = clause.clone().any(|at| POSSIBLE.contains(&self.values[at].as_str()));
            sentence.contains(&clause.start) && begins && !possible
        })
    }

    /// The message without its conditions, and the conditions.
    pub fn without_conditions(self) -> (Words, Conditions) {
        let mut found = Conditions::default();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        for clause in self.clauses() {
            let Some(stop) = self.stop_in(&clause) else { continue };
            let from = self.condition_before(&clause).unwrap_or(stop.start);
            found.stop.get_or_insert(self.said_in(from..stop.end));
            gone.extend(from..stop.end);
        }
        let marker = self.fallback().map(|fallback| fallback.marker).unwrap_or_default();
        for clause in self.clauses() {
            let condition = self.left_out_in(&clause).or_else(|| self.condition_in(&clause));
            let Some(condition) = condition else { continue };
            let priced = OTHERWISE.contains(&self.values[condition.start].as_str());
            let marked = |at: usize| marker.contains(&at) && !priced;
            if condition.clone().any(|at| gone.contains(&at) || marked(at)) {
                continue;
            }
            found.stated.push(self.said_in(condition.clone()));
            gone.extend(condition);
        }
        if gone.is_empty() { (self, found) } else { (self.without(&gone), found) }
    }

    /// The part of a clause that says that nothing may be built: “don't build anything yet”.
    fn stop_in(&self, clause: &Range<usize>) -> Option<Range<usize>> {
        let word = |at: usize| self.values[at].as_str();
        let builds = |at: &usize| lists(BUILDING, word(*at));
        let told = || {
            let telling = clause.clone().find(|at| lists(TELLING, word(*at)))?;
            let before = clause.clone().find(|at| BEFORE.contains(&word(*at)))?;
            let near = before + 1..(before + 1 + BEFORE_REACH).min(clause.end);
            near.into_iter().any(|at| builds(&at)).then_some(telling.min(before)..clause.end)
        };
        let forbidden = || {
            let thing = clause.clone().find(|at| ANYTHING.contains(&word(*at)))?;
            let verb = clause.clone().find(builds)?;
            let denied = clause.clone().any(|at| is_negation(word(at)));
            let first = (clause.start..thing.min(verb)).rev().find(|at| is_negation(word(*at)));
            let first = first.unwrap_or(thing.min(verb));
            let country =
                |at: usize| word(at) == "us" && at > clause.start && word(at - 1) == "the";
            let full = |at: usize| (self.is_full(at) || country(at)) && !builds(&at) && at != thing;
            let more = (first..clause.end).any(full);
            // “Nothing is built without a backup” restricts something else.
            let excepted = (thing.max(verb) + 1..clause.end).any(|at| is_negation(word(at)));
            (denied && !more && !excepted).then_some(first..clause.end)
        };
        told().or_else(forbidden)
    }

    /// Where the condition of a stop begins: in its clause, or in the one before.
    fn condition_before(&self, clause: &Range<usize>) -> Option<usize> {
        let begins = |range: Range<usize>| {
            range.into_iter().find(|at| {
                let word = self.values[*at].as_str();
                IF.contains(&word) || word == UNLESS
            })
        };
        begins(clause.clone()).or_else(|| begins(self.clause(clause.start.checked_sub(1)?)))
    }

    /// The condition about money in a clause under which something is left out, with the words that say so: “if it costs extra,
    /// leave it out”, “leave it out if it costs extra”.
    fn left_out_in(&self, clause: &Range<usize>) -> Option<Range<usize>> {
        let word = |at: usize| self.values[at].as_str();
        let leaves = |at: &usize| {
            lists(LEAVING, word(*at)) || lists(LEAVING, &self.said(*at).0.to_lowercase())
        };
        let money = |at: usize| lists(MONEY, word(at)) || EXPENSIVE.contains(&word(at));
        let condition = clause.clone().find(|at| IF.contains(&word(*at)))?;
        if !(condition..clause.end).any(money) {
            return None;
        }
        if let Some(leaving) = (clause.start..condition).find(leaves) {
            return Some(leaving..clause.end);
        }
        let next = Some(clause.end).filter(|next| self.sentence(condition).contains(next));
        let end = next.map_or(clause.end, |next| self.clause(next).end);
        (condition + 1..end).any(|at| leaves(&at)).then_some(condition..end)
    }

    /// The condition in a clause, if it has a negation or is an exception.
    fn condition_in(&self, clause: &Range<usize>) -> Option<Range<usize>> {
        let word = |at: usize| self.values[at].as_str();
        let joins = |at: &usize| !JOINING.contains(&word(*at));
        let first = clause.clone().find(joins)?;
        let first = clause.clone().find(|at| word(*at) == UNLESS).unwrap_or(first);
        // “Not at night unless it's critical” stays one wish.
        if word(first) == UNLESS && (clause.start..first).any(|at| is_negation(word(at))) {
            return None;
        }
        if word(first) == UNLESS {
            // “Unless, that is, two are enough”
            let alone = first + 1 == clause.end && clause.end < self.values.len();
            let end = if alone { self.clause(clause.end).end } else { clause.end };
            return Some(first..self.then(first..end));
        }
        // “As long as it stays below 45 euros, otherwise back to two”
        let priced = |at: usize| lists(MONEY, word(at)) || word(at).contains(['€', '$', '£']);
        let before = first.checked_sub(1).filter(|before| self.sentence(first).contains(before));
        if OTHERWISE.contains(&word(first)) && before.is_some_and(|at| self.clause(at).any(priced))
        {
            return Some(first..clause.end);
        }
        let end = self.then(first..clause.end);
        let denied = (first + 1..end).any(|at| is_negation(word(at)));
        let says = (first + 1..end).any(|at| self.is_full(at));
        // “If three cost more than 40 euros, one will do”, but not the sentence with the wish itself
        let money = |at: usize| lists(MONEY, word(at)) || word(at).starts_with(['€', '$', '£']);
        let number = |at: usize| {
            word(at).contains(|c: char| c.is_ascii_digit()) || numbers::read(word(at)).is_some()
        };
        let mut condition = first + 1..end;
        let priced = condition.clone().any(money) && condition.clone().any(number)
            || condition.any(|at| EXPENSIVE.contains(&word(at)));
        if IF.contains(&word(first)) && priced && self.sentence(first).start > 0 {
            let next =
                (end..self.values.len()).find(|at| *at >= clause.end).map(|at| self.clause(at));
            let next =
                next.filter(|next| end == clause.end && self.sentence(first).contains(&next.start));
            return Some(first..next.map_or(clause.end, |next| next.end));
        }
        (IF.contains(&word(first)) && denied && says).then_some(first..end)
    }

    /// Where a condition ends.
    fn then(&self, range: Range<usize>) -> usize {
        range.clone().find(|at| THEN.contains(&self.values[*at].as_str())).unwrap_or(range.end)
    }

    /// Whether a value is a wish even alone.
    fn is_full(&self, at: usize) -> bool {
        let word = self.values[at].as_str();
        self.language(at).weight(word) == Weight::Full
            && Language::English.weight(word) == Weight::Full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>, Option<String>) {
        let (words, found) = Words::of(text).without_conditions();
        (words.values().collect::<Vec<_>>().join(" "), found.stated, found.stop)
    }

    #[test]
    fn a_condition_with_a_negation_is_split_off() {
        for (text, rest, stated) in [
            (
                "k3s, if two nodes give no failover, three",
                "k3s three",
                "if two nodes give no failover",
            ),
            ("k3s. Unless three is overkill, three", "k3s three", "unless three is overkill"),
            ("one server, unless, that breaks updates", "one server", "unless that breaks updates"),
            (
                "k3s, three. If three cost more than 40 euros, one will do",
                "k3s three",
                "if three cost more than 40 euros one will do",
            ),
        ] {
            assert_eq!(read(text), (rest.into(), vec![stated.into()], None), "{text}");
        }
        for text in [
            "restart it if it crashes",
            "if it costs less than 5 euros, a vps",
            "http/3 if you can",
            "mongodb, if not possible mysql",
            "if not, prometheus",
        ] {
            assert_eq!(read(text).1, [""; 0], "{text}");
        }
    }

    #[test]
    fn a_stop_is_found_with_its_condition() {
        for (text, stop) in [
            (
                "mysql. If HIPAA isn't possible then please say so and don't build anything yet",
                "if hipaa isn't possible then please say so and don't build anything yet",
            ),
            ("a vps, but don't create anything yet", "don't create anything yet"),
            ("if no windows, baut nichts", "if no windows baut nichts"),
            (
                "if it has no failover, tell me before building it",
                "if it has no failover tell me before building it",
            ),
        ] {
            assert_eq!(read(text).2.as_deref(), Some(stop), "{text}");
        }
        for text in [
            "don't build anything in the us",
            "nothing but a vps",
            "do nothing about the old database",
            "a backup before deploying",
            "start nothing without a backup",
        ] {
            assert_eq!(read(text).2, None, "{text}");
        }
    }
}
