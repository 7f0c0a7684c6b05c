//! Places of other things than the deployment: of a replica, of the visitors, or of what the user has today.

use std::ops::Range;

use super::{ARTICLES, Mention, PREPOSITIONS, WIDE, refused};
use crate::words::{Words, lists, numbers};

/// Things that may have a different place, as users name them in all languages.
pub(super) const OTHERS: &str = "failover takeover outage disaster switchover replica replicas standby secondary backup backups copy copies snapshot snapshots dump dumps archive \
                      visitor visitors customer customers client clients user users reader readers audience member \
                      members employee employees staff colleague colleagues team office company branch friends family \
                      currently today now existing old former previous moved rds block \
                      blocked ban banned deny geo price class traffic latency latencia latence latenz timezone law visits visible viewable seen see sees shown show shows \
                      sichtbar abrufbar sehen gesehen vea vean verse visto vista vu vue vus visible visibles \
                      sell sells selling sold ship ships shipping deliver delivers delivery vende vendemos vender envíos vendons vendre livrons \
                      besucher kunden kundschaft nutzer mitarbeiter firma verein heute bisher derzeit aktuell momentan \
                      verkaufen verkauft liefern liefert liegt liegen leser publikum sperren sperre \
                      visitantes clientes empleados equipo hoy actualmente ahora está están usuarios lectores bloquear \
                      visiteurs équipe aujourd'hui actuel actuelle actuellement lecteurs bloquer situé";

/// Words before “in” that say where people are: “we are in Singapore”.
const BEING: &[&str] =
    &["are", "we're", "i'm", "am", "sit", "live", "based", "sitzen", "somos", "estamos", "sommes"];

/// Words before the country for whose people something is: “only for France”.
const FOR: &[&str] = &["for", "für", "para", "pour"];

/// Verbs after a place from which no one may connect.
const BLOCKING: &[&str] =
    &["sperren", "gesperrt", "aussperren", "block", "blocked", "banned", "blocken", "bloquear"];

/// Words that count one of several things before its place.
const ONE_OF_THEM: &[&str] = &[
    "second",
    "third",
    "segunda",
    "segundo",
    "tercera",
    "zweite",
    "zweites",
    "deuxième",
    "one",
    "of",
    "them",
    "which",
    "another",
    "other",
    "eins",
    "eine",
    "einer",
    "davon",
    "una",
    "uno",
    "un",
    "une",
    "de",
    "ellas",
    "ellos",
    "d'elles",
    "d'eux",
    "dont",
    "l'une",
    "l'un",
    "and",
    "the",
];

/// Words by which somebody asks for a place: “the client wants Helsinki”.
const SAYING: &[&str] = &[
    "says",
    "say",
    "wants",
    "want",
    "prefers",
    "tells",
    "thinks",
    "insists",
    "will",
    "sagt",
    "möchte",
    "dice",
    "quiere",
    "prefiere",
    "veut",
    "préfère",
    "dit",
];

/// Whether a place is that of something else.
pub(super) fn is_of_another(words: &Words, mention: &Mention) -> bool {
    let place = Placed::of(words, mention);
    refused::is_of_another(words, mention)
        || place.is_for_the_people_of_a_country()
        || place.is_weighed()
        || place.is_of_a_part()
        || place.is_of_an_added_copy()
        || place.is_kept_out()
        || refused::is_only_served(words, mention)
        || place.belongs_to_another()
}

/// A place and the words around it.
struct Placed<'a> {
    words: &'a Words,
    mention: &'a Mention,
    values: Vec<&'a str>,
    clause: Range<usize>,
    /// The words before the place in its clause.
    said: Range<usize>,
}

impl<'a> Placed<'a> {
    fn of(words: &'a Words, mention: &'a Mention) -> Placed<'a> {
        let first = mention.values.start;
        let clause = words.clause(first);
        let said = clause.start..first;
        Placed { words, mention, values: words.values().collect(), clause, said }
    }

    /// Whether a position is in the place, or has a preposition before it.
    fn is_bare(&self, at: usize) -> bool {
        self.mention.values.contains(&at) || PREPOSITIONS.contains(&self.values[at])
    }

    /// “A site only for France”
    fn is_for_the_people_of_a_country(&self) -> bool {
        let mut before = self.values[self.said.clone()].iter().rev();
        let to = before.find(|word| !ARTICLES.contains(word));
        WIDE.contains(&self.mention.name) && to.is_some_and(|word| FOR.contains(word))
    }

    /// “With hel1 the latency is too high”
    fn is_weighed(&self) -> bool {
        let before = self.values[self.said.clone()].last();
        before.is_some_and(|word| ["with", "con", "mit", "avec"].contains(word))
    }

    /// Whether only a part of the servers is there: “so only one in hel1”.
    fn is_of_a_part(&self) -> bool {
        const ONLY: &[&str] = &["only", "just", "nur", "solo", "sólo", "seulement"];
        let [.., only, number, preposition] = &self.values[self.said.clone()] else { return false };
        PREPOSITIONS.contains(preposition) && numbers::read(number).is_some() && ONLY.contains(only)
    }

    /// “Add a streaming replica, db-prod-03, in fsn1”
    fn is_of_an_added_copy(&self) -> bool {
        self.clause.clone().all(|at| self.is_bare(at))
            && follows_an_added_copy(self.words, self.clause.start)
    }

    /// Whether those who are there may not connect: “block China”, “China sperren”.
    fn is_kept_out(&self) -> bool {
        let rest = &self.values[self.mention.values.end..self.clause.end];
        rest.iter().any(|word| BLOCKING.contains(word))
    }

    /// Whether the words before the place name another thing to which it belongs.
    fn belongs_to_another(&self) -> bool {
        let before = &self.values[self.start()..self.mention.values.start];
        is_a_source(before)
            || says_where_people_are(before)
            || is_one_of_them(before)
            || names_another(before)
    }

    /// Where the words begin to which the place belongs.
    fn start(&self) -> usize {
        let first = self.mention.values.start;
        let sentence = self.words.sentence(first).start;
        let mut start = self.clause.start;
        // “(us-east-1)” belongs to the words before it.
        if start > sentence
            && self.clause.clone().all(|at| self.is_bare(at))
            && self.words.opens_parentheses(first)
        {
            start = self.words.clause(start - 1).start;
        }
        // “two replicas, one of them in Helsinki”
        let counting = |at: usize| {
            self.is_bare(at)
                || numbers::read(self.values[at]).is_some()
                || ONE_OF_THEM.contains(&self.values[at])
                || ARTICLES.contains(&self.values[at])
        };
        let counted = (start..first).all(counting) && !(start..first).all(|at| self.is_bare(at));
        if start > sentence && counted { self.words.clause(start - 1).start } else { start }
    }
}

/// “Reachable only from Germany”
fn is_a_source(before: &[&str]) -> bool {
    let last = before.iter().rev().find(|word| !ARTICLES.contains(word));
    // “Stay away from Germany”
    let away = before.contains(&"away");
    !away && last.is_some_and(|word| ["from", "desde", "depuis", "aus"].contains(word))
}

/// “We are in Singapore”, “our bucket is in Paris”
fn says_where_people_are(before: &[&str]) -> bool {
    let ours = before.iter().any(|word| ["our", "my", "their"].contains(word));
    // “It must live in Germany”
    const THING: &[&str] =
        &["it", "that", "this", "must", "should", "server", "servers", "site", "everything"];
    let thing = || before.iter().any(|word| THING.contains(word));
    let verb = before.iter().rev().find(|word| !PREPOSITIONS.contains(word));
    verb.is_some_and(|word| {
        BEING.contains(word) && !(*word == "live" && thing())
            || (ours && ["is", "está", "est"].contains(word))
    })
}

/// “Two replicas, one of them in Helsinki”
fn is_one_of_them(before: &[&str]) -> bool {
    const THEM: &[&str] = &["them", "which", "ellas", "ellos"];
    before.iter().any(|word| ["davon", "dont", "d'elles", "d'eux"].contains(word))
        || before.windows(2).any(|pair| ["of", "de"].contains(&pair[0]) && THEM.contains(&pair[1]))
}

/// Whether words name something that may have a place of its own.
fn names_another(before: &[&str]) -> bool {
    // “a database named customers” does not mention customers.
    let named = |at: usize| at > 0 && ["named", "called", "name"].contains(&before[at - 1]);
    // “He now says”, “the client wants Helsinki”
    let says = |at: usize| before.get(at + 1).is_some_and(|next| SAYING.contains(next));
    // A “replica set” is one database.
    let set = |at: usize| before[at] == "replica" && before.get(at + 1) == Some(&"set");
    let listed = |at: usize| lists(OTHERS, before[at]);
    (0..before.len()).any(|at| listed(at) && !set(at) && !says(at) && !named(at))
}

/// Whether the sentence adds a copy of the database right before a clause, with only its name in between.
fn follows_an_added_copy(words: &Words, mut start: usize) -> bool {
    const COPIES: &[&str] = &["replica", "replicas", "standby", "secondary"];
    const ADDING: &[&str] = &["add", "adding", "plus", "another", "additionally", "also"];
    /// The most words of a name between both.
    const NAME: usize = 3;
    let values: Vec<&str> = words.values().collect();
    while start > words.sentence(start).start {
        let before = words.clause(start - 1);
        let has = |list: &[&str]| values[before.clone()].iter().any(|word| list.contains(word));
        if has(COPIES) {
            return has(ADDING);
        }
        if before.len() > NAME {
            return false;
        }
        start = before.start;
    }
    false
}
