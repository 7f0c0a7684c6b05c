//! Names in a message, and the kind of thing that each belongs to.
//!
//! A name belongs to the nearest noun: “a VPS named web with a database called orders” names two things. If the noun is
//! something else, such as a user, the deployment ignores the name, and the list of wishes reports it.

pub use super::nouns::Noun;

use super::kinds::domains::accept_domain;
use super::nouns::noun;
use crate::catalogue;
use crate::words::language::{Language, Weight};
use crate::words::{Words, lists};

/// A name, and what it belongs to.
#[derive(Debug, PartialEq)]
pub struct Named {
    pub noun: Noun,
    pub name: String,
}

/// Words that introduce a name.
const NAMING: &[&str] = &["called", "named", "call", "rename", "name", HOSTNAME];

/// The one that is always followed by the name of a server.
const HOSTNAME: &str = "hostname";

/// Words between the first and the last name of a row of them.
const RANGES: &[&str] = &["to", "bis", "through", "hasta", "a", "à", "until"];

/// Words for several things.
const SEVERAL: &[&str] =
    &["servers", "hosts", "machines", "nodes", "instances", "boxes", "backends"];

/// Words between a naming word and the name.
const FILLERS: &str = "it is to be should shall the as this that them of for its must will would ca ça cela eso seria sería \
    serait wäre sera será sea der die das den soll ist el la lo los es le les est public público \
    öffentliche öffentlicher";

/// Words before “name” that say whose it is: “he wants his name at the top”, “worthy of the name”.
const OWNERS: &str =
    "his her their my own son sa leur mon ce sein seinen mein meinen ihren su mi worthy";

/// Words that cannot be names.
const NOT_NAMES: &[&str] = &[
    "and",
    "or",
    "port",
    "please",
    "in",
    "on",
    "with",
    "you",
    "a",
    "an",
    "what",
    "whatever",
    "me",
    "default",
    "defaults",
    "does",
    "do",
    "same",
    // “The name will change”, “der Name ist noch offen”
    "change",
    "changes",
    "changing",
    "ändert",
    "ändern",
    "geändert",
    "cambia",
    "cambiar",
    "cambiará",
    "changer",
    "changera",
    "going",
    "open",
    "undecided",
    "unknown",
    "unclear",
    "tbd",
    "still",
    "noch",
    "offen",
    "unklar",
    "pending",
    "pendiente",
    "decidir",
    "later",
    "provisional",
    "temporary",
    "vorläufig",
    "provisoire",
];

/// A naming word needs no noun if it is at most this many words from the beginning of a sentence: “call it orders”.
const BEGINNING: usize = 2;

/// Whether a word is a noun for something that can have a name.
pub fn is_a_noun(word: &str) -> bool {
    noun(word).is_some()
}

/// Whether a word is a noun for somebody who logs in or owns something.
pub fn is_of_a_person(word: &str) -> bool {
    const PEOPLE: &[&str] = &["user", "users", "login", "account", "admin", "owner", "role"];
    PEOPLE.contains(&word)
}

/// Whether a word can be a name: it has a meaning in every language here and is not a noun for something with a name.
pub fn can_be_a_name(word: &str) -> bool {
    let languages = [Language::English, Language::German, Language::Spanish, Language::French];
    let empty =
        |language: &Language| matches!(language.weight(word), Weight::Empty | Weight::Negation);
    !NOT_NAMES.contains(&word) && noun(word).is_none() && !languages.iter().any(empty)
}

/// Whether a word has no meaning in some language.
pub fn is_blank(word: &str) -> bool {
    let languages = [Language::English, Language::German, Language::Spanish, Language::French];
    languages.iter().any(|language| language.weight(word) == Weight::Empty)
}

/// A quoted word right behind a noun for a server: “specification of box "heron"”.
pub fn quoted(words: &Words) -> Option<&str> {
    const MACHINES: &[&str] = &["server", "vps", "vm", "machine", "host", "box", "instance"];
    let values: Vec<&str> = words.values().collect();
    let single = |at: usize| words.quotation(at) != words.quotation(at + 1);
    let after = |at: &usize| MACHINES.contains(&values[*at - 1]) && !words.ends_clause(*at - 1);
    // “A server at Hetzner, "heron", SSH by key only”
    let alone = |at: &usize| {
        let clause = words.clause(*at);
        let before = clause.start.checked_sub(1).filter(|b| words.sentence(*at).contains(b));
        let machine = before.is_some_and(|before| {
            values[words.clause(before)].iter().any(|word| MACHINES.contains(word))
        });
        machine && clause.len() == 1
    };
    let mut places = (1..values.len()).filter(|at| after(at) || alone(at));
    let name =
        places.find(|at| words.is_quoted(*at) && !words.is_quoted(*at - 1) && single(*at))?;
    words.values().nth(name).filter(|name| can_be_a_name(name))
}

/// All names in a message.
pub fn of(words: &Words) -> Vec<Named> {
    let values: Vec<&str> = words.values().collect();
    let places = (0..values.len()).filter(|at| NAMING.contains(&values[*at]));
    places.filter_map(|at| named(words, &values, at)).collect()
}

/// The position of the new name after the old one: “billing to invoices”.
fn renamed(values: &[&str], old: usize) -> Option<usize> {
    let to = values.get(old + 1).filter(|word| ["to", "in", "into", "as"].contains(word));
    to.map(|_| old + 2).filter(|new| *new < values.len())
}

/// Whether the word right before a naming word is a noun that no list has: “a Go binary called tollgate”, “the tenant is called
/// nordwind”, but not “a server at Hetzner called web”.
fn is_of_an_unknown_thing(words: &Words, values: &[&str], at: usize) -> bool {
    const BEING: &[&str] = &["is", "be", "should", "shall", "will", "must", "are", "s"];
    const ARTICLES: &[&str] = &["a", "an", "the", "our", "my"];
    const PLACING: &[&str] =
        &["in", "at", "on", "with", "for", "from", "of", "by", "to", "via", "behind", "and", "bei"];
    // German: the name itself is before the verb in “der Server soll waldkauz heißen”.
    if !["called", "named"].contains(&values[at]) || words.ends_clause(at) {
        return false;
    }
    let clause = words.clause(at);
    let Some(thing) = (clause.start..at).rev().find(|at| !BEING.contains(&values[*at])) else {
        return false;
    };
    let before = (clause.start..thing).rev().find(|at| !ARTICLES.contains(&values[*at]));
    let placed = before.is_some_and(|before| PLACING.contains(&values[before]));
    let word = Words::of(values[thing]);
    let own = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
    let bare = values[thing].chars().all(char::is_alphabetic);
    let full = words.weighs(thing) == Weight::Full && !is_blank(values[thing]);
    bare && full && !placed && noun(values[thing]).is_none() && !own().any(|cue| word.has(cue))
}

/// Whether a naming word is in brackets behind a thing that no list has: “a Go binary (it is called tollgate)”.
fn is_in_brackets(words: &Words, values: &[&str], at: usize) -> bool {
    const REACH: usize = 4;
    let text = words.text().to_lowercase();
    let opened = text
        .split('(')
        .skip(1)
        .any(|inside| inside.split_whitespace().take(REACH).any(|word| word == values[at]));
    let clause = words.clause(at);
    let Some(last) = clause.start.checked_sub(1).filter(|_| opened) else { return false };
    let before = Words::of(&values[words.clause(last)].join(" "));
    let mut own = catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
    !own.any(|cue| before.has(cue))
}

/// The noun that follows a name in its clause: “the name ledger for the database”.
fn noun_after(words: &Words, values: &[&str], name: usize) -> Option<Noun> {
    const OF: &[&str] = &["for", "of", "für", "para", "pour", "de", "del", "du"];
    const ARTICLES: &[&str] = &["the", "our", "die", "la", "el", "le", "l", "my", "der", "den"];
    let mut rest = values[name + 1..words.clause(name).end].iter().copied();
    let of = rest.next().filter(|word| OF.contains(word));
    let next = of.and_then(|_| rest.find(|word| !ARTICLES.contains(word)));
    next.and_then(noun).filter(|noun| *noun != Noun::Unclear)
}

/// Whether a naming word names another database than the one that the sentence names before: “a database and a second
/// one called stats”.
fn is_of_a_second_database(before: &[&str]) -> bool {
    const SECOND: &str = "second third another other further zweite zweiten weitere weiteren andere anderen segunda otra \
        deuxième seconde autre";
    const REACH: usize = 3;
    let from = before.len().saturating_sub(REACH);
    let second = (from..before.len()).find(|at| lists(SECOND, before[*at]));
    let database = |word: &&str| matches!(noun(word), Some(Noun::Database | Noun::Unclear));
    let one = |word: &&str| database(word) || ["one", "otra", "autre"].contains(word);
    second.is_some_and(|second| {
        before[second..].iter().any(one) && before[..second].iter().any(database)
    })
}

/// The name that the naming word at this position introduces.
fn named(words: &Words, values: &[&str], at: usize) -> Option<Named> {
    if values[at] == "name" && at > 0 && lists(OWNERS, words.said(at - 1).0) {
        return None;
    }
    let sentence = words.sentence(at);
    let nouns = || values[sentence.start..at].iter().rev().filter_map(|word| noun(word));
    let before = nouns().find(|noun| *noun != Noun::Unclear).or_else(|| nouns().next());
    let mut after = (at + 1..sentence.end).filter(|next| !lists(FILLERS, values[*next]));
    let mut next = after.next();
    let mut own = before;
    if let Some(noun) = next.and_then(|next| noun(values[next])) {
        (own, next) = (Some(noun), after.next());
    } else if let Some(new) =
        next.filter(|_| values[at] == "rename").and_then(|old| renamed(values, old))
    {
        // “rename billing to invoices”: the thing that has that name now.
        (own, next) = (Some(Noun::Other), Some(new));
    }
    let own =
        if own.is_none() && is_in_brackets(words, values, at) { Some(Noun::Other) } else { own };
    let own = if values[at] == HOSTNAME { Some(Noun::Server) } else { own };
    let unknown = own == before && is_of_an_unknown_thing(words, values, at);
    let second = is_of_a_second_database(&values[sentence.start..at]);
    let own = if unknown || second { Some(Noun::Other) } else { own };
    let noun = own.unwrap_or(Noun::Unsaid);
    let far = at - sentence.start > BEGINNING;
    let noun = if noun == Noun::Unsaid && far { Noun::Unclear } else { noun };
    if let Some(quoted) = words.quoted_after(values[at]) {
        return Some(Named { noun, name: quoted.into() });
    }
    // “Name: billing”
    let text = || words.text().to_lowercase();
    let labeled =
        || values[at] == "name" && ["name:", "name :"].iter().any(|label| text().contains(label));
    let labels = !words.ends_clause(at) || labeled();
    let follows = next.filter(|next| can_be_a_name(values[*next]) && labels);
    // German: “die Datenbank soll orders heißen”.
    let german = words.language(at) == Language::German && words.said(at).1.is_some();
    let last = || at.checked_sub(1).filter(|_| words.ends_clause(at) && german);
    let last = || last().filter(|last| can_be_a_name(values[*last]) && !words.ends_clause(*last));
    let place = follows.or_else(last)?;
    // “A server, please, with the name ledger for the database”
    let own_clause =
        || values[words.clause(at).start..at].iter().any(|word| self::noun(word).is_some());
    let noun = match noun_after(words, values, place) {
        Some(after) if !own_clause() => after,
        _ => noun,
    };
    // “two servers, named web and db”: a list names several things.
    let listed = values.get(place + 1) == Some(&"and")
        && values.get(place + 2).is_some_and(|name| can_be_a_name(name))
        && values[sentence.start..at].iter().any(|word| SEVERAL.contains(word));
    let noun = if listed { Noun::Other } else { noun };
    // “web-01 to web-05 are to be their names”
    let ranged = place.checked_sub(2).is_some_and(|first| {
        let stem = |name: &'_ str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (one, last) = (values[first], values[place]);
        RANGES.contains(&values[place - 1])
            && stem(last) < last.len()
            && one.get(..stem(one)) == last.get(..stem(last))
    });
    let noun = if ranged { Noun::Other } else { noun };
    let name = values[place].to_string();
    // “it is called www.example.com” gives a site's domain and not a name.
    accept_domain(&name).is_none().then_some(Named { noun, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(Noun, String)> {
        let words = Words::of(text);
        of(&words).into_iter().map(|named| (named.noun, named.name)).collect()
    }

    #[test]
    fn a_name_belongs_to_the_nearest_noun() {
        for (text, noun, name) in [
            ("a VPS named web", Noun::Server, "web"),
            ("a postgres db in Helsinki called crm, please", Noun::Database, "crm"),
            ("db name inventory", Noun::Database, "inventory"),
            ("the name of the database should be shop", Noun::Database, "shop"),
            ("rename the server to shop", Noun::Server, "shop"),
            ("rename billing to invoices", Noun::Other, "invoices"),
            ("call it orders", Noun::Unsaid, "orders"),
            ("hostname newbarn", Noun::Server, "newbarn"),
            ("better in Helsinki and it is called shop", Noun::Unclear, "shop"),
            ("a user called bob", Noun::Other, "bob"),
            ("schema's called stockroom", Noun::Database, "stockroom"),
            ("a go binary called tollgate", Noun::Other, "tollgate"),
            ("a go binary (it is called tollgate), please", Noun::Other, "tollgate"),
            ("the tenant is called nordwind", Noun::Other, "nordwind"),
            ("an app called girouette", Noun::Program, "girouette"),
            ("a server at hetzner called web", Noun::Server, "web"),
            ("the domain name example", Noun::Other, "example"),
            ("database orders and a second database named customers", Noun::Other, "customers"),
            ("postgres for the app and another one called stats", Noun::Other, "stats"),
            ("another database called stats", Noun::Database, "stats"),
        ] {
            assert_eq!(names(text), [(noun, name.to_string())], "{text}");
        }
        assert_eq!(names("which name and port do you need?"), []);
        assert_eq!(names("the same name"), []);
        assert_eq!(names("a server, and the mayor wants his name on top"), []);
        assert_eq!(names("it is called www.example.com"), []);
        assert_eq!(names("the name ca serait www.example.com"), []);
    }

    #[test]
    fn a_german_name_may_precede_its_naming_word() {
        let english = Language::German.to_english("die Datenbank soll doch lieber stamm heißen");
        let named = of(&Words::translated(&english));
        assert_eq!(named, [Named { noun: Noun::Database, name: "stamm".into() }]);
    }
}
