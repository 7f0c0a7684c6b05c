//! Slips that a message corrects right away: “in Nuremberg, no, Helsinki”, “20 GB, sorry, 40”, “port 8080, I mean
//! 8443”.
//!
//! The later value takes the place of the nearest earlier one of the same kind before anything else reads the
//! message, so every reader sees one value. Only what surely corrects counts: words that correct, and right after
//! them a value of a kind that an earlier one of the same or the previous sentence has. “No wait, also 25” adds
//! something.

use std::ops::Range;

use crate::catalogue::{self, places};
use crate::reading::sentences;
use crate::words::language::Language;
use crate::words::{Shape, Words, lists};

/// Words that correct wherever a clause begins with them.
const CORRECTING: &str = "sorry pardon perdón perdon perdona perdone disculpa disculpe \
    entschuldigung verzeihung quatsch oops ups digo correction scratch mean meant meine meinte \
    rather lieber plutôt plutot mejor besser better eher make beziehungsweise bzw decir";

/// Words that correct a value, but may also add a product to another one: “with Docker, actually PostgreSQL”.
const TURNING: &str =
    "actually wait moment doch halt bueno enfin espera attends attendez finalement warte stop fait";

/// Words of refusal, which correct as a clause of their own or beside another word that corrects: “no, …”, “no wait”.
const REFUSING: &str = "no not nope nein nee nö non";

/// Words that may stand beside those.
const BESIDE: &str = "i that it this let's i'm ich ach oh hm hmm äh ähm euh eh ah en or oder o \
    ou quería quise je veux voulais dire dicho prefer please bitte then dann noch aber but \
    excusez-moi excuse me mal";

/// Words between what corrects and the value: prepositions, and nouns that repeat what the value is.
const LEADING: &str =
    "in at on to with mit en à a con avec auf im nach the der die das el la le port version domain";

/// Words by which a value takes the place of a whole list.
const ONLY: &str = "only just nur solo sólo uniquement seulement";

/// Verbs by which a clause says something of a value, and gives none.
const BEING: &str = "is was are were ist war sind es era son est était sont";

/// Words by which a clause adds something.
const ADDING: &str =
    "also too auch también aussi additionally zusätzlich además plus and und y et again noch";

/// Words after a number that count something with it.
const COUNTING: &str = "of times x de von davon mal veces fois";

/// The most words from the end of a clause to the value that corrects it.
const REACH: usize = 9;

/// The words of a message in English, after its slips are corrected.
pub fn heard(message: &str, language: Language) -> Words {
    let mut words = Words::translated(&sentences::to_english(message, language));
    while let Some(Slip { old, kept, new }) = next(&words) {
        words = words.spliced(&old, &kept, &new);
    }
    words.without_farewells()
}

/// A value that a later one corrects, as positions of values.
struct Slip {
    old: Range<usize>,
    /// What follows the old value and stays: the unit of “20 GB, sorry, 40”.
    kept: Range<usize>,
    new: Range<usize>,
}

/// What kind of value a passage is.
#[derive(PartialEq)]
enum Kind {
    Place,
    /// A program or a deployment.
    Product,
    Address,
    Host,
    Number,
}

struct Value {
    kind: Kind,
    /// The unit of a number; empty for all else.
    unit: String,
    values: Range<usize>,
}

/// The first slip of a message.
fn next(words: &Words) -> Option<Slip> {
    // Most messages correct nothing, and all that follows costs time.
    let any = |at: usize| corrects(words, at) || turns(words, at) || refuses(words, at);
    if !(0..words.count()).any(any) {
        return None;
    }
    let all = values(words);
    (1..words.count()).find_map(|start| slip_at(words, &all, start))
}

/// The slip that the words from here on correct.
fn slip_at(words: &Words, all: &[Value], start: usize) -> Option<Slip> {
    let (after, sure) = correction(words, start)?;
    let new = all.iter().find(|value| value.values.start == after)?;
    let adds = |at: usize| says(words, at, ADDING);
    let counts = |at: usize| at < words.count() && says(words, at, COUNTING);
    let last = new.values.end - 1;
    if words.clause(last).any(adds)
        || new.kind == Kind::Number
            && new.unit.is_empty()
            && !words.ends_clause(last)
            && counts(last + 1)
        || new.kind == Kind::Product && !sure
    {
        return None;
    }
    let sentence = words.sentence(start - 1);
    let before =
        |value: &&Value| value.values.end <= start && sentence.contains(&value.values.start);
    let old = all.iter().rfind(|old| before(old) && old.is_like(new))?;
    // “Is Nuremberg possible? No, Helsinki”
    let asked = words.ends_in_question(old.values.start) && !sentence.contains(&last);
    if asked || !words.means_value(old.values.start) {
        return None;
    }
    // “Ports 80 and 443, no, only 443”
    let only = (start..after).any(|at| says(words, at, ONLY));
    let value = |value: &Value| words.values().nth(value.values.start);
    // “Two nodes, no, two is bad”
    let judged = !words.ends_clause(last) && says(words, last + 1, BEING);
    if judged || !only && value(old) == value(new) {
        return None;
    }
    let first = if only { first_of_list(words, all, old) } else { old.values.start };
    let bare = new.kind == Kind::Number && new.unit.is_empty() && !old.unit.is_empty();
    let joined = old.values.len() == 1;
    let tail = if bare && !joined { old.values.start + 1 } else { old.values.end };
    // “8 GB RAM, no, 16 GB RAM”
    let said: Vec<&str> = words.values().collect();
    let follows = |at: &usize| {
        said[new.values.end..words.clause(last).end.max(new.values.end)].contains(&said[*at])
    };
    let repeated = (tail..start).take_while(follows).count();
    Some(Slip { old: first..old.values.end, kept: tail + repeated..start, new: new.values.clone() })
}

/// Where the list begins that ends with this value: “80, 443 and 8443”.
fn first_of_list(words: &Words, all: &[Value], last: &Value) -> usize {
    let joins = |at: usize| says(words, at, "and or y o et ou und oder");
    let mut first = last.values.start;
    while let Some(before) =
        all.iter().rfind(|one| one.kind == last.kind && one.values.end <= first)
    {
        let same = words.sentence(first).contains(&before.values.start);
        if !same || !(before.values.end..first).all(joins) {
            break;
        }
        first = before.values.start;
    }
    first
}

/// Where the value begins that the words from here on put in the place of an earlier one, and whether they surely
/// correct and do not add.
fn correction(words: &Words, start: usize) -> Option<(usize, bool)> {
    let begins = words.ends_clause(start - 1);
    let (mut found, mut sure, mut at) = (false, false, start);
    while at < words.count().min(start + REACH) {
        let word = words.values().nth(at).unwrap_or_default();
        if corrects(words, at) {
            (found, sure) = (true, true);
        } else if turns(words, at) {
            found = true;
        } else if refuses(words, at) {
            let next = at + 1;
            let beside = next < words.count() && (corrects(words, next) || turns(words, next));
            if !(beside || begins && words.ends_clause(at) || found) {
                return None;
            }
            (found, sure) = (true, true);
        } else if !(says(words, at, BESIDE)
            || found && (lists(LEADING, word) || says(words, at, ONLY)))
        {
            break;
        }
        at += 1;
    }
    // Without a comma, two words have to say so: “8080 no wait 8443”.
    let said =
        (start..at).filter(|at| !lists(LEADING, words.values().nth(*at).unwrap_or_default()));
    let strong = refuses(words, start) && said.count() > 1;
    (found && (begins || strong)).then_some((at, sure))
}

fn says(words: &Words, at: usize, list: &str) -> bool {
    let both = [words.values().nth(at).unwrap_or_default(), words.said(at).0];
    both.iter().any(|said| said.split(' ').any(|word| lists(list, word)))
}

fn corrects(words: &Words, at: usize) -> bool {
    says(words, at, CORRECTING)
}

fn turns(words: &Words, at: usize) -> bool {
    says(words, at, TURNING)
}

fn refuses(words: &Words, at: usize) -> bool {
    says(words, at, REFUSING)
}

impl Value {
    /// Whether one may be corrected by the other.
    fn is_like(&self, new: &Value) -> bool {
        let size = |unit: &str| ["mb", "gb", "tb", "mib", "gib", "tib"].contains(&unit);
        let same =
            self.unit == new.unit || new.unit.is_empty() || size(&self.unit) && size(&new.unit);
        self.kind == new.kind && same
    }
}

/// The values of a message, in their order.
fn values(words: &Words) -> Vec<Value> {
    let value = |kind: Kind, values: Range<usize>| Value { kind, unit: String::new(), values };
    let places: Vec<Range<usize>> = places::named_anywhere(words);
    let is_a_place = |values: &Range<usize>| places.contains(values);
    let names = catalogue::names(words).into_iter();
    let names = names.filter(|name| !is_a_place(&name.values));
    let names = names.map(|name| value(Kind::Product, name.values));
    let facts = words.facts().into_iter().map(|fact| {
        let (kind, unit) = match fact.shape {
            Shape::Address => (Kind::Address, String::new()),
            Shape::Host => (Kind::Host, String::new()),
            Shape::Number(unit) => (Kind::Number, unit),
        };
        Value { kind, unit, values: fact.values }
    });
    let mut all: Vec<Value> = facts.chain(names).collect();
    all.extend(places.iter().map(|place| value(Kind::Place, place.clone())));
    all.sort_by_key(|value| value.values.start);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard_as(language: Language, text: &str) -> String {
        heard(text, language).values().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_value_that_a_message_corrects_is_the_only_one() {
        for (text, said) in [
            ("a VPS in Nuremberg, no, Helsinki", "a vps in helsinki"),
            ("in Nuremberg, no wait, Helsinki, with Redis", "in helsinki with redis"),
            ("20 GB, sorry, 40 GB of disk", "40 gb of disk"),
            ("20 GB of disk, sorry, 40", "40 gb of disk"),
            ("port 8080, I mean 8443, open", "port 8443 open"),
            ("port 8080 no wait 8443", "port 8443"),
            ("a.example.org, no, b.example.org", "b.example.org"),
            ("MySQL, or rather PostgreSQL", "postgresql"),
            ("4 GB RAM, no, 8 GB RAM", "8 gb ram"),
            ("20 GB, no, 30, sorry, 40", "40 gb"),
            ("ports 80 and 443, no, only 443", "ports 443"),
            ("can it be in Nuremberg, or rather Helsinki?", "can it be in helsinki"),
        ] {
            assert_eq!(heard_as(Language::English, text), said, "{text}");
        }
        let german = "Standort Nürnberg, nein, doch lieber Helsinki. Port 3307, Quatsch, 3308";
        let said = heard_as(Language::German, german);
        assert!(said.contains("helsinki") && !said.contains("nürnberg"), "{said}");
        assert!(said.contains("3308") && !said.contains("3307"), "{said}");
        let said = heard_as(Language::Spanish, "el disco de 50 GB, no, mejor 100 GB, en Helsinki");
        assert!(said.contains("disk of 100 gb in helsinki"), "{said}");
        let said = heard_as(Language::French, "à Nuremberg, pardon, plutôt à Helsinki");
        assert_eq!(said, "at helsinki");
    }

    #[test]
    fn what_adds_or_refuses_corrects_nothing() {
        for text in [
            "port 80, no wait, also 25",
            "postgresql, no redis",
            "a vps, not in nuremberg, rather helsinki",
            "2 cores, sorry, 8 gb",
            "is nuremberg possible? no, helsinki",
            "with docker, actually postgresql",
            "8 gb, sorry, i forgot redis",
            "two nodes, no, two is bad",
            "8 gb, no, 16 is too much",
        ] {
            let words = Words::of(text);
            let all: Vec<&str> = words.values().collect();
            assert_eq!(heard_as(Language::English, text), all.join(" "), "{text}");
        }
    }
}
