//! Things that users ask for and no blueprint builds, from `words/foreign.txt`.

mod theirs;

use std::ops::Range;
use std::sync::LazyLock;

pub use theirs::theirs;

use crate::catalogue::{self, Blueprint};
use crate::words::{Words, lists};

/// The part that it plays in a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The thing that the user asks for; the rest of the sentence only says where.
    Main,
    /// Something in addition to the main thing.
    Part,
    /// Like [`Kind::Main`], and a database beside it is a part of it.
    App,
    /// Like [`Kind::Main`], but the server that the message describes for it is built.
    Game,
    /// Like [`Kind::Main`], but on a server that the message asks for it is only a tool.
    Tool,
    /// Like [`Kind::Main`], but its nearest blueprint runs it.
    Program,
    /// Another provider.
    Place,
    /// Another operating system.
    System,
}

/// Id of the blueprint that is nearest to a program that the user writes.
const PROGRAMS: &str = "releases";

/// What stores the data of such a program.
const STORES: &[&str] = &["database", "db", "postgresql", "postgres", "mysql", "redis"];

/// Something that cannot be built.
#[derive(Debug)]
pub struct Foreign {
    pub name: &'static str,
    pub kind: Kind,
    /// Id of the nearest blueprint.
    nearest: &'static str,
    pub cues: Vec<&'static str>,
}

static ALL: LazyLock<Vec<Foreign>> = LazyLock::new(|| {
    let lines = include_str!("../../words/foreign.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(read).collect()
});

fn read(line: &'static str) -> Option<Foreign> {
    let mut fields = line.split(" | ");
    let (name, kind, nearest, cues) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let kind = match kind {
        "main" => Kind::Main,
        "app" => Kind::App,
        "tool" => Kind::Tool,
        "game" => Kind::Game,
        "program" => Kind::Program,
        "part" => Kind::Part,
        "place" => Kind::Place,
        _ => Kind::System,
    };
    Some(Foreign { name, kind, nearest, cues: cues.split(", ").map(str::trim).collect() })
}

impl Foreign {
    pub fn all() -> impl Iterator<Item = &'static Foreign> {
        ALL.iter()
    }

    /// Everything that the message asks for and no blueprint builds.
    pub fn in_message(words: &Words) -> Vec<&'static Foreign> {
        ALL.iter().filter(|foreign| foreign.cues.iter().any(|cue| words.means(cue))).collect()
    }

    /// Whether the words name anything foreign, wanted or not.
    pub fn is_named_in(words: &Words) -> bool {
        Self::all().any(|foreign| foreign.cues.iter().any(|cue| words.has(cue)))
    }

    /// Whether it is what the user wants, and not only something beside it.
    pub fn is_main(&self) -> bool {
        matches!(self.kind, Kind::Main | Kind::App | Kind::Game | Kind::Tool | Kind::Program)
    }

    /// Position of the first mention.
    pub fn first_named(&self, words: &Words) -> usize {
        let places = self.cues.iter().flat_map(|cue| words.meant_at(cue));
        places.map(|place| place.start).min().unwrap_or(usize::MAX)
    }

    /// Whether it is a program that the user writes.
    pub fn is_a_program(&self) -> bool {
        self.nearest == PROGRAMS
    }

    /// Whether the blueprint runs it.
    pub fn is_run_by(&self, blueprint: &Blueprint) -> bool {
        self.kind == Kind::Program && self.nearest == blueprint.id
    }

    /// Whether the mention only says what a database is for: “PostgreSQL for my app”.
    pub fn is_a_purpose(&self, place: &Range<usize>, words: &Words) -> bool {
        const FOR: &str = "for für para pour";
        const BEFORE: &str = "a an the our my el la le un una une eine einen die das meine unsere mi nuestra mon notre small little pequeña petite kleine";
        let at = words.origin(place.start);
        let start = words.sentence(at).start;
        let values: Vec<&str> = words.values().collect();
        let mut before = (start..at).rev().skip_while(|at| lists(BEFORE, values[*at]));
        let given = before.next().filter(|at| lists(FOR, values[*at]));
        let stored = |at: usize| STORES.iter().any(|store| Words::of(values[at]).has(store));
        self.is_a_program() && given.is_some_and(|given| (start..given).any(stored))
    }

    /// Whether it is an act and not a thing, so that “must not delete” leaves nothing out.
    pub fn is_an_act(&self) -> bool {
        self.name == REMOVAL
    }

    /// Whether the message names it only to compare or to doubt it, and a blueprint builds it: “is Kubernetes needed?”.
    pub fn is_only_compared(&self, words: &Words) -> bool {
        let built =
            |cue: &str| catalogue::ALL.iter().any(|own| own.own_cues().any(|own| own == cue));
        self.cues.iter().any(|cue| built(cue)) && !words.without_comparisons().means_any(&self.cues)
    }

    /// Whether it is a program of which the message says no kind: “my app”.
    fn is_generic(&self) -> bool {
        self.name == "an application of one's own"
    }

    /// The nearest blueprint.
    pub fn nearest(&self) -> Option<&'static Blueprint> {
        Blueprint::by_id(self.nearest)
    }
}

/// The entry for the removal of something.
const REMOVAL: &str = "taking something down";

/// The entry for places of the user's own.
const OWN_PLACES: &str = "a place of one's own";

/// Whether a row names a place of the user's own, such as their server or their building.
pub fn is_a_place_of_ones_own(row: &str) -> bool {
    let mut own = ALL.iter().filter(|foreign| foreign.name == OWN_PLACES);
    own.any(|foreign| foreign.cues.contains(&row))
}

/// Whether the message is about a project in Docker Compose, which the user can run on a plain server.
pub fn names_compose(words: &Words) -> bool {
    const COMPOSE: &[&str] = &["an application in Docker Compose", "Docker Compose"];
    let mut named = ALL.iter().filter(|foreign| COMPOSE.contains(&foreign.name));
    named.any(|foreign| words.means_any(&foreign.cues))
}

/// Whether the user runs containers: a project in Docker Compose, or “I bring Caddy as a container”.
pub fn runs_containers(words: &Words) -> bool {
    const BRINGING: &[&str] =
        &["bring", "bringe", "bringen", "mitbringe", "traigo", "traemos", "apporte", "apportons"];
    names_compose(words) || words.means("container") && words.means_any(BRINGING)
}

/// Whether the words at these positions are a part of a longer phrase for something foreign: the “monitoring” of “file
/// integrity monitoring”.
pub fn has_longer(words: &Words, place: &Range<usize>) -> bool {
    let around = |other: &Range<usize>| {
        other.start <= place.start && place.end <= other.end && other.len() > place.len()
    };
    // Most places have a pause or nothing on both sides, and then no longer phrase has to be looked for.
    let joins = |at: usize| !["", ","].contains(&words.phrase(at..at + 1).as_str());
    if !(place.start.checked_sub(1).is_some_and(joins) || joins(place.end)) {
        return false;
    }
    let named = words.phrase(place.clone());
    let named = named.trim_end_matches('s');
    let cues = ALL.iter().flat_map(|foreign| &foreign.cues);
    let cues = cues.filter(|cue| cue.len() > named.len() && cue.contains(named));
    cues.flat_map(|cue| words.places(cue)).any(|other| around(&other))
}

/// A passage of a message that names something foreign.
pub struct Mention {
    pub foreign: &'static Foreign,
    pub what: String,
    /// Positions of its values.
    pub place: Range<usize>,
}

/// Whether a word asks for an exchange and not for the thing of that name: “swap PagerDuty for plain email”.
fn is_a_verb(words: &Words, place: &Range<usize>) -> bool {
    let values = words.values_of(place);
    if words.values().nth(values.start) != Some("swap") {
        return false;
    }
    let clause = words.clause(values.start);
    let mut rest = words.values().take(clause.end).skip(values.end);
    values.start == clause.start
        && rest.next().is_some_and(|next| next != "of")
        && rest.any(|word| word == "for")
}

/// Whether a host follows the word for a domain: “domain: example.org”.
fn names_a_host(words: &Words, place: &Range<usize>) -> bool {
    const BETWEEN: &str =
        "is ist est es sera será name named the our my unsere meine el la nuestro mi le notre mon";
    let mut after = words.values().skip(words.values_of(place).end);
    let next = after.find(|word| !lists(BETWEEN, word));
    next.is_some_and(|next| next.contains('.') && !next.ends_with('.') && !next.contains('@'))
}

/// Each mention of something foreign, except for cues that are built. Adjacent cues of one kind are one mention: “S3
/// bucket”. A cue inside a longer one is not a separate mention: “mail” in “mail server”.
pub fn mentions(words: &Words, is_built: impl Fn(&str) -> bool) -> Vec<Mention> {
    let meant = |foreign: &'static Foreign| {
        let places = |cue: &&'static str| {
            words.meant_at(cue).into_iter().map(move |place| (foreign, place)).collect::<Vec<_>>()
        };
        let built = |cue: &&&'static str| !is_built(cue);
        let named = |(_, place): &(&Foreign, Range<usize>)| !is_a_verb(words, place);
        foreign.cues.iter().filter(built).flat_map(places).filter(named).collect::<Vec<_>>()
    };
    let all: Vec<_> = ALL.iter().flat_map(meant).collect();
    let inside = |place: &Range<usize>| {
        all.iter().any(|(_, other)| {
            other.start <= place.start && place.end <= other.end && other.len() > place.len()
        })
    };
    // “Domain example.org” has a row of its own.
    let named = |(foreign, place): &(&'static Foreign, Range<usize>)| {
        foreign.cues.contains(&"domain") && names_a_host(words, place)
    };
    // The “mail” of “leave the mail server out” is ruled out with the server.
    let alone = |place: &Range<usize>| !inside(place) && !has_longer(words, place);
    let mut outer: Vec<_> =
        all.iter().filter(|one| alone(&one.1) && !named(one)).cloned().collect();
    let of = |foreign: &Foreign| ALL.iter().position(|other| other.name == foreign.name);
    outer.sort_by_key(|(foreign, place)| (of(foreign), place.start));
    let mut joined: Vec<(&'static Foreign, Range<usize>)> = Vec::new();
    for (foreign, place) in outer {
        match joined.last_mut() {
            Some((last, before)) if last.name == foreign.name && before.end >= place.start => {
                before.end = before.end.max(place.end);
            }
            _ => joined.push((foreign, place)),
        }
    }
    let mention = |(foreign, place): (_, Range<usize>)| Mention {
        foreign,
        what: words.phrase(place.clone()),
        place,
    };
    let mut all: Vec<Mention> = joined.into_iter().map(mention).collect();
    let closer = all.iter().any(|one| one.foreign.is_a_program() && !one.foreign.is_generic());
    all.retain(|one| !(closer && one.foreign.is_generic()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_every_main_entry_has_a_nearest_blueprint() {
        let lines = include_str!("../../words/foreign.txt").lines();
        assert_eq!(ALL.len(), lines.filter(|line| !line.starts_with('#')).count());
        for foreign in ALL.iter() {
            assert_eq!(foreign.nearest().is_some(), foreign.is_main(), "{}", foreign.name);
            assert!(foreign.cues.iter().all(|cue| !cue.is_empty()), "{}", foreign.name);
        }
    }

    #[test]
    fn each_mention_is_reported_once() {
        let named = |text: &str| {
            let all = mentions(&Words::of(text), |cue| cue == "nginx");
            all.into_iter().map(|mention| mention.what).collect::<Vec<_>>()
        };
        assert_eq!(named("postgis, timescale and pgvector"), ["postgis", "timescale", "pgvector"]);
        assert_eq!(named("an S3 bucket"), ["s3 bucket"]);
        assert_eq!(named("a mail server with Postfix"), ["mail server", "postfix"]);
        assert_eq!(named("nginx and apache"), ["apache"]);
    }
}
