//! A wish for a server, and nothing that runs on it: “a cheap server in Helsinki”, “just the server with Docker, then”.
//!
//! “Server” is in many wishes: a mail server, our servers, logs from the web servers, a wiki on a server. Only a server that
//! is the thing itself asks for one.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalogue::Blueprint;
use crate::catalogue::additions;
use crate::catalogue::foreign::{self, Foreign, Kind};
use crate::catalogue::parameters::Found;
use crate::catalogue::recognition::{OWNING, OWNING_REACH};
use crate::catalogue::sizes;
use crate::words::language::Weight;
use crate::words::standing::{self, Standing};
use crate::words::{Words, lists, numbers};

/// The deployment that is a server and nothing else.
pub(super) const PLAIN: &str = "basic-vps";

/// Nouns for a server.
const SERVERS: &[&str] =
    &["server", "sever", "virtual machine", "vm", "box", "machine", "root server"];

/// The beginnings of Hetzner's types of servers.
const TYPES: &[&str] = &["cx", "cpx", "cax", "ccx"];

/// Words before a server on which or from which something else is.
const PLACING: &[&str] = &[
    "on", "onto", "in", "into", "at", "to", "from", "of", "by", "behind", "per", "same", "auf",
    "in", "im", "am", "vom", "zum", "sur", "dans", "au", "aux", "du", "des", "en", "al", "del",
    "our", "these", "those",
];

/// Words between one of them and the server.
const ARTICLES: &[&str] = &[
    "a", "an", "the", "one", "ein", "eine", "einem", "einen", "einer", "der", "dem", "den", "un",
    "une", "le", "les", "el", "los", "las", "la", "each", "every", "same", "all", "both", "two",
    "three",
];

/// Articles with which a message speaks of a server that it named before.
const DEFINITE: &[&str] = &[
    "the", "this", "that", "der", "den", "dem", "die", "le", "les", "el", "los", "ce", "cette",
    "este",
];

/// Words with which it asks for it all the same: “just the server”.
const JUST: &[&str] = &[
    "just",
    "only",
    "nur",
    "solo",
    "juste",
    "seulement",
    "sólo",
    "bloß",
    "quand",
    "anyway",
    "trotzdem",
    "least",
    "wenigstens",
    "zumindest",
];

/// Words of a kind of servers, before or after the noun.
const KINDS: &[&str] =
    &["web", "app", "application", "database", "db", "dedicated", "proxy", "learning"];

/// Words after a server by which it exists.
pub(super) const EXISTING: &[&str] = &[
    "existing",
    "bestehenden",
    "vorhandenen",
    "existentes",
    "existente",
    "existants",
    "existant",
    "vorhanden",
    "vorhandene",
    "already",
    "bestehende",
    "actuales",
    "actuels",
];
const EXISTING_REACH: usize = 3;

/// Words before a server by which it exists.
const THERE_IS: &[&str] = &["there's", "theres", "there", "gibt", "gibt's"];

/// Words between a noun and what makes it a kind: “servidor de archivos”.
const OF: &[&str] = &["de", "d'", "des", "du", "del"];

/// Words that make several of an addition.
const CLUSTER: &[&str] = &[
    "cluster",
    "clustered",
    "sentinel",
    "replica",
    "replicas",
    "replicated",
    "nodes",
    "failover",
    "ha",
];

/// Words before an addition that ask for one of it.
const ONE: &[&str] = &[
    "a",
    "an",
    "one",
    "single",
    "simple",
    "ein",
    "eine",
    "einen",
    "einzelnen",
    "einziges",
    "einzelnes",
    "einfaches",
    "un",
    "una",
    "une",
    "seul",
    "solo",
    "único",
];
const ONE_REACH: usize = 2;

/// Whether the deployment is a server and nothing else.
pub fn is_plain(blueprint: &Blueprint) -> bool {
    blueprint.id == PLAIN
}

/// Whether a deployment is a server with nothing on it, at any provider.
pub fn is_a_bare_server(blueprint: &Blueprint) -> bool {
    super::PLAIN_SERVERS.contains(&blueprint.id)
}

/// Whether the message describes the server by several of its values, so that it is planned for what cannot be built on it:
/// for a project that the user runs (“the Compose project, on a cx33 in Falkenstein”), or with a row for each thing that is
/// missing (“Debian, hardened, in fsn1, 2 cores, port 443 open; WireGuard; restic to S3”).
pub fn is_described(blueprint: &Blueprint, words: &Words) -> bool {
    const HARDENED: &[&str] = &["hardened", "debian"];
    let given = values_of(blueprint, words);
    given >= SEVERAL && foreign::runs_containers(words)
        || given > SEVERAL && words.means_any(HARDENED)
}

/// The number of values that describe a server well enough to plan it for something else.
const SEVERAL: usize = 2;

/// Whether the message gives several values of the deployment.
pub fn gives_several_values(blueprint: &Blueprint, words: &Words) -> bool {
    values_of(blueprint, words) >= SEVERAL
}

/// How many values of the deployment the message gives.
fn values_of(blueprint: &Blueprint, words: &Words) -> usize {
    let given = blueprint.parameters.iter().filter(|one| one.found_in(words) != Found::Nothing);
    given.count() + usize::from(!sizes::asked(words).is_empty())
}

/// Whether the message asks for a server of its own.
pub fn asks_for_a_server(words: &Words) -> bool {
    // “The database is at OVH” asks for none.
    let asked = |cue: &&str| {
        let mut places = words.meant_at(cue).into_iter();
        places.any(|place| super::is_asked_at(cue, &place, words))
    };
    if Foreign::in_message(words).iter().any(|foreign| foreign.is_an_act())
        || ["database", "db"].iter().any(asked)
    {
        return false;
    }
    let places = |noun: &&str| words.meant_at(noun);
    // “We once had a server with 8 GB for that”
    let told = |place: &Range<usize>| {
        standing::of(&words.phrase(place.clone()), place, words) >= Standing::Told
    };
    let mut servers = SERVERS.iter().chain(&["vps"]).flat_map(places);
    let named = servers.any(|place| is_the_thing(&place, words) && !told(&place));
    named || names_a_type(words)
}

/// Whether the message asks for a server with nothing on it: “a plain Debian server”, “just a VPS”.
pub fn asks_for_only_a_server(words: &Words) -> bool {
    const BARE: &str = "plain simple normal bare ordinary basic empty blank vanilla einfach einfache einfachen einfacher \
        einfaches normale normalen normaler normales nackten nackter leeren leerer schlichten schlichter gewöhnlichen \
        sencillo básico vacío pelado simples normaux basique vide nu";
    const AN: &[&str] = &["a", "an", "ein", "eine", "einen", "un", "une"];
    const REACH: usize = 3;
    let is_bare = |word: &str| lists(BARE, word);
    let alone = |place: &Range<usize>| {
        let before = words.phrase(place.start.saturating_sub(REACH)..place.start);
        let before: Vec<&str> = before.split_whitespace().collect();
        let just = before.windows(2).any(|pair| JUST.contains(&pair[0]) && AN.contains(&pair[1]));
        let after = words.phrase(place.end..place.end + 1);
        let mut described = before.iter().rev().copied();
        // “On a plain server” is where something else is.
        let first = described.find(|word| !is_bare(word) && !ARTICLES.contains(word));
        let placed = first.is_some_and(|word| PLACING.contains(&word));
        !placed && (just || is_bare(&after) || before.iter().any(|word| is_bare(word)))
    };
    let places = SERVERS.iter().chain(&["vps"]).flat_map(|noun| words.meant_at(noun));
    places.into_iter().any(|place| alone(&place) && is_the_thing(&place, words))
}

/// Whether the message names a server, and not only the provider: “a Debian at Hetzner”. All other deployments have names
/// of their own.
pub fn names_more_than_a_place(blueprint: &Blueprint, words: &Words) -> bool {
    const PROVIDERS: &[&str] = &["hetzner", "aws", "amazon", "cloud"];
    let mut cues = blueprint.cues().filter(|cue| !PROVIDERS.contains(cue));
    !super::PLAIN_SERVERS.contains(&blueprint.id)
        || cues.any(|cue| words.means(cue))
        || asks_for_a_server(words)
        || !types_of_aws(words).is_empty()
        || asks_for_an_addition(words)
}

/// Whether the message asks for one of Hetzner's types of servers: “cpx31”.
pub fn names_a_type(words: &Words) -> bool {
    let typed = |word: &str| {
        let kind = TYPES.iter().find_map(|kind| word.strip_prefix(kind));
        kind.is_some_and(|number| number.len() == 2 && number.parse::<u8>().is_ok())
    };
    words.values().enumerate().any(|(at, value)| typed(value) && words.means_value(at))
}

/// AWS's types of servers that the message asks for, each once: “m6i.large”.
pub fn types_of_aws(words: &Words) -> BTreeSet<&str> {
    const SIZES: &[&str] =
        &["nano", "micro", "small", "medium", "large", "xlarge", "2xlarge", "4xlarge"];
    // “db.t3.small” is a database.
    let typed = |word: &str| {
        word.split_once('.').is_some_and(|(family, size)| {
            let number = family.trim_start_matches(|c: char| c.is_ascii_lowercase());
            SIZES.contains(&size)
                && number.len() < family.len()
                && number.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let meant = words.values().enumerate();
    meant
        .filter(|(at, value)| typed(value) && words.means_value(*at))
        .map(|(_, value)| value)
        .collect()
}

/// Whether a server is what the message asks for, and no place, no kind of software and none that exists.
fn is_the_thing(place: &Range<usize>, words: &Words) -> bool {
    let before = words.phrase(place.start.saturating_sub(OWNING_REACH)..place.start);
    let before: Vec<&str> =
        before.rsplit(',').next().unwrap_or_default().split_whitespace().collect();
    let after = words.phrase(place.end..place.end + EXISTING_REACH);
    let after: Vec<&str> = after.split(',').next().unwrap_or_default().split_whitespace().collect();
    let owned = before.iter().any(|word| OWNING.contains(word) || EXISTING.contains(word))
        || after.iter().any(|word| EXISTING.contains(word));
    // “There's a third machine”
    let exists = before.iter().any(|word| THERE_IS.contains(word));
    let last = before.last().copied().unwrap_or_default();
    let bare: Vec<&str> =
        before.iter().rev().copied().skip_while(|word| ARTICLES.contains(word)).collect();
    let placed = bare.first().is_some_and(|word| PLACING.contains(word));
    let just = before.iter().any(|word| JUST.contains(word));
    // “The original box”, but not “for the office a small box”
    let article = before
        .iter()
        .rev()
        .find(|word| ONE.contains(word) && **word != "single" || DEFINITE.contains(word));
    let definite = article.is_some_and(|word| DEFINITE.contains(word)) && !just;
    let next = after.first().copied().unwrap_or_default();
    let kind = is_a_kind(last, place.start.checked_sub(1), words)
        || KINDS.contains(&next)
        || (OF.contains(&next)
            && after.get(1).is_some_and(|word| is_full(word, place.end + 1, words)));
    let asks = words.only_asks(words.origin(place.start));
    !(foreign::has_longer(words, place) || owned || exists || placed || definite || kind || asks)
}

/// Whether a word before “server” says what kind of software it is: “a Factorio server”, but not “a Debian server”.
fn is_a_kind(word: &str, at: Option<usize>, words: &Words) -> bool {
    let Some(at) = at else { return false };
    if KINDS.contains(&word) {
        return true;
    }
    let plain = Blueprint::by_id(PLAIN);
    let own = plain.is_some_and(|plain| plain.cues().any(|cue| cue == word));
    let system =
        Foreign::all().filter(|foreign| [Kind::System, Kind::Place].contains(&foreign.kind));
    let mut system = system.flat_map(|foreign| foreign.cues.iter());
    is_full(word, at, words) && !own && !system.any(|cue| *cue == word)
}

/// Whether the word before a noun for a server says what runs on it: “a HANA instance”.
pub(super) fn is_of_a_kind(place: &Range<usize>, words: &Words) -> bool {
    let before = place.start.checked_sub(1);
    before.is_some_and(|at| is_a_kind(&words.phrase(at..place.start), before, words))
}

/// Whether a word is a noun of its own, and no number, size or type.
fn is_full(word: &str, at: usize, words: &Words) -> bool {
    !word.is_empty()
        && word.chars().all(char::is_alphabetic)
        && numbers::read(word).is_none()
        && !["gb", "gib", "go", "mb", "tb", "ram", "arm", "x86", "cores", "core", "cpu", "vcpu"]
            .contains(&word)
        && words.language(words.origin(at)).weight(word) == Weight::Full
}

/// Whether the message asks for one piece of software that can be added to a server: “a single Redis with a password”.
pub fn asks_for_an_addition(words: &Words) -> bool {
    let one = |place: &Range<usize>| {
        let at = words.origin(place.start);
        let sentence = words.sentence(at);
        let several = || {
            let values = words.values().enumerate();
            let inside = values.filter(|(at, _)| sentence.contains(at) && words.means_value(*at));
            let mut inside = inside.map(|(_, value)| value);
            inside.any(|value| value.split(['-', '/']).any(|part| CLUSTER.contains(&part)))
        };
        let before = words.phrase(place.start.saturating_sub(ONE_REACH)..place.start);
        let before = before.rsplit(',').next().unwrap_or_default();
        let counted = before.split_whitespace().any(|word| ONE.contains(&word));
        let clause = words.clause(at);
        (counted
            || begins_its_clause(at, words) && !is_beside_something(place, 0..clause.end, words))
            && !is_beside_something(place, clause, words)
            && !several()
            && !words.only_asks(at)
    };
    let cues = additions::all().flat_map(|addition| addition.cues.iter());
    cues.flat_map(|cue| words.meant_at(cue)).any(|place| one(&place))
}

/// Whether a word is the first of its clause that says something: “Redis, 4 GB, only internal”.
fn begins_its_clause(at: usize, words: &Words) -> bool {
    let values: Vec<&str> = words.values().collect();
    let says = |at: &usize| {
        words.language(*at).weight(values[*at]) == Weight::Full
            && values[*at].contains(char::is_alphanumeric)
    };
    let placed = at.checked_sub(1).is_some_and(|before| {
        PLACING.contains(&values[before])
            || ["with", "for", "using", "or"].contains(&values[before])
    });
    let owned = || values[words.clause(at).start..at].iter().any(|word| OWNING.contains(word));
    let first = words.clause(at).find(says);
    // “Redis runs already”
    let exists = || values[at..words.clause(at).end].iter().any(|word| EXISTING.contains(word));
    first == Some(at) && !placed && !owned() && !exists()
}

/// Whether software is named in one part of the message with something that cannot be built: “Nextcloud with Redis”.
fn is_beside_something(place: &Range<usize>, part: Range<usize>, words: &Words) -> bool {
    let mut others = Foreign::all()
        .filter(|foreign| foreign.is_main())
        .flat_map(|foreign| foreign.cues.iter().flat_map(|cue| words.meant_at(cue)));
    others.any(|other| other != *place && part.contains(&words.origin(other.start)))
}

/// The deployment for websites of which the message refuses the main part, with nothing else that fits: “a static site at
/// AWS without CloudFront”.
pub fn refused_site(words: &Words) -> Option<&'static Blueprint> {
    const SITE: &str = "static-site";
    const MAIN: &str = "cloudfront";
    const SITES: &[&str] = &["static site", "static website", "website", "web site", "html", "s3"];
    const AWS: &[&str] = &["aws", "amazon", "s3"];
    let wanted = words.means_any(SITES) && words.means_any(AWS);
    Blueprint::by_id(SITE).filter(|_| words.excludes(MAIN) && wanted)
}

/// Whether the message names the software only as a tool on a server: “a server with Docker Compose”.
pub fn is_a_tool_on_a_server(foreign: &Foreign, words: &Words) -> bool {
    let servers = || SERVERS.iter().chain(&["vps"]).flat_map(|noun| words.meant_at(noun));
    let on = |place: &Range<usize>| {
        servers().any(|server| {
            let same =
                words.clause(words.origin(server.start)).contains(&words.origin(place.start));
            // “A VM at Hetzner. WireGuard on UDP 51820”
            server.end <= place.start && (same || is_the_thing(&server, words))
        })
    };
    let mut places = foreign.cues.iter().flat_map(|cue| words.meant_at(cue));
    foreign.kind == Kind::Tool && places.any(|place| on(&place))
}
