//! Versions, counts, sizes and host names.

use std::ops::Range;

use super::amounts::{is_number, is_size, size_parts};
use super::context::Context;
use super::open::{Open, same};
use super::versioned::Versioned;
use super::{Asked, Fate};
use crate::catalogue::parameters::kinds::memory;
use crate::catalogue::sizes::{self, ARM, DEDICATED, Family, SHARED};
use crate::catalogue::{Blueprint, versions};
use crate::words::{Words, is_a_file, lists, numbers};

/// Finds versions, counts, sizes and host names that the deployment fixes or does not take.
pub(super) fn measures(
    blueprint: &Blueprint,
    context: &Context,
    words: &Words,
    open: &mut Open,
) -> Vec<Asked> {
    let mut asked = Vec::new();
    // The clauses with a size, in which “RAM” and “disk” are explained.
    let mut sized = Vec::new();
    // The dialogue lists the sizes that the server has.
    for size in context.sizes_of_the_server(words) {
        sized.push(words.clause(size.start));
        let taken = open.tokens.iter_mut().filter(|token| size.contains(&token.value));
        taken.for_each(|token| token.open = false);
    }
    // “Ciento veintiocho megas”
    let mut spelled: Vec<usize> = Vec::new();
    for (place, value) in memory::spelled(words) {
        if context.sets(&format!("{value}mb")) {
            spelled.extend(place.clone());
            sized.push(words.clause(place.start));
            let taken = open.tokens.iter_mut().filter(|token| place.contains(&token.value));
            taken.for_each(|token| token.open = false);
        }
    }
    let fits = |at: usize| context.sizes_of_the_server(words).iter().any(|size| size.contains(&at));
    asked.extend(family(context, words, open));
    let versioned = Versioned::of(blueprint);
    let tokens: Vec<String> = open.tokens.iter().map(|token| token.word.clone()).collect();
    let values: Vec<&str> = tokens.iter().map(String::as_str).collect();
    for (at, value) in values.iter().enumerate() {
        let before = at.checked_sub(1).filter(|at| !words.ends_clause(open.tokens[*at].value));
        let before = before.and_then(|at| values.get(at)).copied().unwrap_or_default();
        let next = values.get(at + 1).filter(|_| !words.ends_clause(open.tokens[at].value));
        let after = next.copied().unwrap_or_default();
        let set = || match size_parts(value, after) {
            Some((number, unit)) => context.sets_size(number, unit),
            None => context.sets(value),
        };
        if fits(open.tokens[at].value) || spelled.contains(&open.tokens[at].value) {
            continue;
        }
        // The size of another disk is in the row for the disk.
        if is_size(value, after) && open.is_ruled_out(open.tokens[at].value) {
            continue;
        }
        if is_size(value, after) && is_number(value) && set() {
            sized.push(words.clause(open.tokens[at].value));
            open.take_at(at);
            open.take_at(at + 1);
            continue;
        }
        // “Instead of 512 MB”
        if is_size(value, after) && is_replaced(&values, at) {
            open.take_at(at);
            open.tokens[at].ruled_out = true;
            if is_number(value) {
                open.take_at(at + 1);
            }
            continue;
        }
        // “Scrap the third node”
        if ["second", "third"].contains(value)
            && is_machine(after)
            && context.counted().is_some()
            && !words.means_value(open.tokens[at].value)
        {
            open.take_at(at);
            open.tokens[at].ruled_out = true;
            continue;
        }
        // “20 days rather than 10”
        if !context.changed.is_empty() && is_number(value) && is_second_of_two(&values, at) {
            open.take_at(at);
            open.tokens[at].ruled_out = true;
            continue;
        }
        // “Make it 3 instead of 2”
        if context.counted().is_some() && numbers::read(value).is_some() && is_replaced(&values, at)
        {
            open.take_at(at);
            open.tokens[at].ruled_out = true;
            continue;
        }
        // “Make it 17, not 16”
        if is_version(value) && words.means_value(open.tokens[at].value) && corrects(&values, at) {
            let series = PRODUCTS.iter().filter_map(|product| blueprint.version_of(product));
            if series.into_iter().any(|series| series == *value) {
                open.take_at(at);
                let near = values.iter().enumerate().take(at + 4).skip(at.saturating_sub(2));
                for (other, value) in near {
                    if is_version(value) && !words.means_value(open.tokens[other].value) {
                        open.take_at(other);
                        open.tokens[other].ruled_out = true;
                    }
                }
                continue;
            }
        }
        let spoken = versioned.spoken(words, &values, at, open.tokens[at].value);
        if let Some(spoken) = spoken {
            asked.extend(spoken.take(open, at));
            continue;
        }
        let (what, fate) = if let Some(fixed) = blueprint.version_of(before)
            && is_version(value)
        {
            if fixed == *value || fixed.starts_with(&format!("{value}.")) {
                open.take_at(at);
                continue;
            }
            (format!("{before} {value}"), Fate::Differently(format!("{before} {fixed}")))
        } else if before == "debian" && is_version(value) && blueprint.has_server() {
            let debian = versions::series("debian").unwrap_or_default();
            if *value == debian {
                open.take_at(at);
                continue;
            }
            (format!("debian {value}"), Fate::Differently(format!("debian {debian}")))
        } else if ["second", "third", "another", "separate", "different"].contains(value)
            && open.tokens[at].open
            && (is_thing(after) || blueprint.cues().any(|cue| cue == after))
            && !(is_machine(after) && context.counted().is_some())
        {
            (format!("{value} {after}"), Fate::Differently("one".to_string()))
        } else if ["version", "release"].contains(&before) && is_version(value) {
            open.take_at(at - 1);
            (format!("version {value}"), Fate::Not)
        } else if let (Some(_), true, Some(key)) =
            (count(value), is_machine(after), context.counted())
        {
            // A number in a quotation is in the row for the quotation.
            if !open.tokens[at].open || context.roles(words).contains(&open.tokens[at].value) {
                continue;
            }
            // “My colleague wrote: three nodes. I say one.”
            let quoted = words.is_quoted(open.tokens[at].value);
            let set = context.values.get(key).and_then(|set| set.parse::<u32>().ok());
            open.take_at(at);
            open.take_at(at + 1);
            // The dialogue reports a number that is too large when it takes the nearest one.
            if set.is_some() && quoted
                || set.is_some_and(|set| count(value).is_some_and(|n| n.clamp(1, 3) == set))
            {
                continue;
            }
            // “Make that two nodes … no, back to three”
            let possible = count(value).is_some_and(|n| (1..=3).contains(&n));
            if possible && context.changed.contains(&key) {
                open.tokens[at].ruled_out = true;
                continue;
            }
            let how = match set {
                Some(1) if count(value).is_some_and(|n| n <= 3) => "one".into(),
                Some(set) if count(value).is_some_and(|n| n <= 3) => format!("{set} servers"),
                _ => "one to three servers".into(),
            };
            (format!("{value} {after}"), Fate::Differently(how))
        } else if same(after, "database") && count(value) == Some(context.databases()) {
            // “Two databases: PostgreSQL and Redis”
            open.take_at(at);
            open.take_at(at + 1);
            continue;
        } else if count(value).is_some_and(|n| n > 1) && (is_machine(after) || is_a_type(after)) {
            open.take_at(at + 1);
            // Servers whose logs are collected exist already, so the plan does not build them.
            let of = values[at.saturating_sub(3)..at].iter().any(|word| OTHERS.contains(word));
            let clause = words.clause(open.tokens[at].value);
            let existing = words.values().take(clause.end).skip(clause.start);
            let existing = existing.into_iter().any(|word| EXISTING.contains(&word));
            let watches = ["elk", "monitoring-stack"].contains(&blueprint.id) && of || existing;
            let one = Fate::Differently("one".to_string());
            (format!("{value} {after}"), if watches { Fate::Not } else { one })
        } else if is_size(value, after)
            && !set()
            && let Some(contents) = contents(words, open.tokens[at].value)
        {
            // What a site has by now is not a wish.
            open.take_range(&contents);
            continue;
        } else if is_size(value, after) && !set() {
            sized.push(words.clause(open.tokens[at].value));
            let unit =
                if is_number(value) { format!("{value} {after}") } else { value.to_string() };
            let number = usize::from(is_number(value));
            open.take_at(at + number);
            // “5 euros a month”
            let span = (at + number + 1..at + number + 4)
                .find(|at| values.get(*at).is_some_and(|word| SPANS.contains(word)));
            span.into_iter().for_each(|at| open.take_at(at));
            let span = span.map(|at| format!(" a {}", values[at])).unwrap_or_default();
            // The server may have it anyway, or the message may only tell of it or give a limit.
            let at_value = open.tokens[at].value;
            let had = span.is_empty() && context.server_has(&unit)
                || sizes::is_of_the_past(words, at_value)
                || sizes::is_of_a_state(words, at_value);
            (unit + &span, if had { Fate::NotUnderstood } else { Fate::Not })
        } else if is_host_name(value) && words.text().contains(&format!("*.{value}")) {
            let one = ["domain", "site-domain"].iter().any(|key| context.asks(key));
            let fate = if one { Fate::Differently(value.to_string()) } else { Fate::Not };
            (format!("all hosts below {value}"), fate)
        } else if is_host_name(value) && !words.means_value(open.tokens[at].value) {
            // A host that the message drops is not missing.
            open.tokens[at].ruled_out = !context.keeps(value);
            open.tokens[at].open &= context.keeps(value);
            continue;
        } else if is_host_name(value) && !context.keeps(value) && !context.replaced(value) {
            (value.to_string(), Fate::Not)
        } else {
            continue;
        };
        open.take_at(at);
        asked.push(Asked { what, fate });
    }
    let is_set = |value: &str| {
        let digits = value.starts_with(|c: char| c.is_ascii_digit());
        digits && !value.contains('.') && context.sets(value)
    };
    let set = (0..values.len()).filter(|at| is_set(values[*at]));
    sized.extend(set.map(|at| words.clause(open.tokens[at].value)));
    let near = |at: usize| sized.iter().any(|clause| clause.contains(&at));
    for (at, value) in values.iter().enumerate() {
        if near(open.tokens[at].value) && SIZES.iter().any(|size| same(value, size)) {
            open.take_at(at);
        }
    }
    asked
}

/// The row for a kind of cores that the server does not have. The words for one that it has are explained.
fn family(context: &Context, words: &Words, open: &mut Open) -> Option<Asked> {
    let family = Family::in_message(words).filter(|_| context.asks("server-type"))?;
    let server = context.parameters.iter().find(|parameter| parameter.key == "server-type")?;
    let kind = context.values.get(server.key).map_or(server.default, String::as_str);
    let (names, what) = match family {
        Family::Arm => (ARM, "arm"),
        Family::Dedicated => (DEDICATED, "dedicated cores"),
        Family::Any => return None,
    };
    names.iter().for_each(|name| open.take(name));
    if family == Family::Dedicated {
        open.take("vcpu");
        SHARED.iter().filter(|word| words.excludes(word)).for_each(|word| open.rule_out(word));
    }
    let fate = Fate::Differently(format!("a {kind}"));
    (!family.has(kind)).then(|| Asked { what: what.into(), fate })
}

/// Whether a number is the one that another takes the place of: “instead of 10”.
fn is_second_of_two(values: &[&str], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |at| values[at]);
    [["instead", "of"], ["rather", "than"]].contains(&[before(2), before(1)])
}

/// Whether a message takes another size in place of this one: “instead of 512 MB”.
fn is_replaced(values: &[&str], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |at| values[at]);
    is_second_of_two(values, at) || before(1) == "not"
}

/// Products whose version a message may correct without naming them again.
pub(super) const PRODUCTS: &[&str] = &["postgresql", "mysql", "debian", "k3s", "elasticsearch"];

/// Whether a number beside “not” or “instead of” corrects another number: “17 not 16”.
fn corrects(values: &[&str], at: usize) -> bool {
    let number = |at: usize| values.get(at).is_some_and(|value| is_version(value));
    let word = |at: usize| values.get(at).copied().unwrap_or_default();
    let after = word(at + 1) == "not" && number(at + 2);
    let instead = word(at + 1) == "instead" && word(at + 2) == "of" && number(at + 3);
    let before = at > 1 && ["but", "rather"].contains(&word(at - 1)) && number(at - 2);
    after || instead || before
}

/// Words before servers that exist already: “logs of our three servers”.
const OTHERS: &[&str] = &[
    "of", "from", "for", "our", "my", "existing", "von", "de", "nos", "nuestros", "unsere",
    "unseren", "mes", "mis", "meine", "meinen", "meiner", "unserer", "nuestras",
];

/// Words by which the servers of a clause exist already: “my twelve existing servers”.
const EXISTING: &[&str] = &[
    "existing",
    "existants",
    "existantes",
    "existentes",
    "bestehende",
    "bestehenden",
    "bestehender",
    "vorhandene",
    "vorhandenen",
];

/// Words for what a size measures.
const SIZES: &[&str] = &["ram", "memory", "mem", "cpu", "vcpu", "core", "disk", "ssd", "storage"];

/// Spans of time for which a price is given.
const SPANS: &[&str] = &["month", "year", "monthly", "hour"];

/// Whether this is a version, and not a port beside the name of a product: “Filebeat 5044”.
pub(super) fn is_version(value: &str) -> bool {
    const DIGITS: usize = 4;
    let value = value.strip_prefix('v').unwrap_or(value);
    value.starts_with(|c: char| c.is_ascii_digit())
        && (value.len() < DIGITS || value.contains('.'))
        && value.matches('.').count() < 3
        && value.chars().all(|c| c.is_ascii_digit() || ".x".contains(c))
}

fn count(value: &str) -> Option<u32> {
    numbers::read(value).filter(|_| value != "one")
}

/// Whether this is something of which a deployment has exactly one.
fn is_thing(word: &str) -> bool {
    const THINGS: [&str; 7] = ["bucket", "site", "domain", "disk", "volume", "cluster", "website"];
    is_machine(word) || THINGS.iter().any(|thing| same(word, thing))
}

/// Whether a word is one of Hetzner's types of servers: “two CPX31”.
fn is_a_type(word: &str) -> bool {
    let number = word.trim_start_matches(char::is_alphabetic);
    let family = &word[..word.len() - number.len()];
    ["cx", "cpx", "cax", "ccx"].contains(&family) && number.parse::<u8>().is_ok()
}

/// The words for contents that are there, beginning with their size: “2 GB of images”, “2 GB mit Bildern”.
pub fn contents(words: &Words, at: usize) -> Option<Range<usize>> {
    const OF: &str = "of with mit an de d' con avec en";
    const CONTENTS: &str = "image images picture pictures photo photos video videos file files data content contents pdfs music \
        bilder bildern fotos dateien daten inhalte imágenes fotos vídeos archivos datos contenido donnée données image photos \
        vidéos fichiers contenu";
    const REACH: usize = 3;
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let mut near = at + 1..clause.end.min(at + 2 + REACH);
    let both = |at: usize, list: &str| lists(list, values[at]) || lists(list, words.said(at).0);
    let of = near.find(|at| both(*at, OF))?;
    let last = (of..near.end).find(|at| both(*at, CONTENTS))?;
    Some(at..last + 1)
}

fn is_machine(word: &str) -> bool {
    const MACHINES: [&str; 9] =
        ["server", "vps", "machine", "instance", "node", "vm", "database", "service", "region"];
    MACHINES.iter().any(|machine| same(word, machine))
}

/// Whether this is a host name such as “example.org”, and not a file, a version or an address.
fn is_host_name(value: &str) -> bool {
    if is_a_file(value) {
        return false;
    }
    let value = value.trim_start_matches("https://").trim_start_matches("http://");
    let Some((name, end)) = value.rsplit_once('.') else { return false };
    !name.is_empty()
        && (2..=12).contains(&end.len())
        && end.chars().all(|c| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
        && name.chars().any(|c| c.is_ascii_alphabetic())
}
