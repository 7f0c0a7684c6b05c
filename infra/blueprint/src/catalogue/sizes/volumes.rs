//! Disks beside the server's own: “a 100 GB volume attached”, “the data on a second disk, 200 GB, not on the root disk”.

use std::ops::Range;

use super::past::is;
use super::{DISK, is_unit_of_memory};
use crate::words::language::{Language, Weight};
use crate::words::{Words, is_negation};

/// Nouns for a disk that a provider rents out beside a server. On AWS, a volume may be the server's own.
const VOLUMES: &str = "volume volumes volumen volúmenes";
const DISKS: &str =
    "disco discos disque disques platte platten festplatte datenplatte drive drives";

/// Words before a volume that is another thing, and words after one that is an amount: “a large volume of requests”.
const OTHER_VOLUMES: &str = "root docker named log traffic data-volume encrypted gp2 gp3 ebs";
const OF: &str = "of von an de d'";

/// Words for a disk beside the server's own.
const BESIDE: &str = "extra additional second separate another attached mounted zusätzlich zusätzliche zusätzliches zusätzlichen \
    zusätzlicher weiteres weitere weiteren zweite zweiten zweites zweiter eigene eigenen separate separaten separates angehängt \
    eingehängt dazu adicional aparte segundo otro adjunto montado supplémentaire deuxième second autre séparé plus attaché monté";

/// How many words from the noun such a word and the size may be.
const REACH: usize = 3;

/// A disk beside the server's own.
pub struct Extra {
    /// The words that speak of it, as positions of values.
    pub said: Range<usize>,
    /// Whether the message says that it comes in addition, and not only that it is a volume.
    pub beside: bool,
}

/// The disks beside the server's own that a message asks for.
pub fn extra(words: &Words) -> Vec<Extra> {
    (0..words.count()).filter_map(|at| extra_at(words, at)).collect()
}

/// The disk that the noun at this position names.
fn extra_at(words: &Words, noun: usize) -> Option<Extra> {
    let clause = words.clause(noun);
    let volume = is(words, noun, VOLUMES);
    let disk =
        is(words, noun, DISKS) || words.values().nth(noun).is_some_and(|v| DISK.contains(&v));
    let near = clause.start.max(noun.saturating_sub(REACH))..clause.end.min(noun + 1 + REACH);
    let other = noun > clause.start && is(words, noun - 1, OTHER_VOLUMES);
    if !volume && !disk || !words.means_value(noun) {
        return None;
    }
    let sizes: Vec<Range<usize>> = sizes_in(words, clause.clone());
    let size = sizes.iter().min_by_key(|size| size.start.abs_diff(noun));
    let reach = |size: &&Range<usize>| size.start.abs_diff(noun) <= REACH;
    let size = size.filter(reach).cloned();
    // “En plus” is behind the size: “un volume de 100 Go en plus”.
    let end = size.as_ref().map_or(near.end, |size| near.end.max(clause.end.min(size.end + 2)));
    let start =
        size.as_ref().map_or(near.start, |size| near.start.min(size.start.saturating_sub(1)));
    // “A disk of 100 GB and a second server”: what follows a joining word is said of something else.
    let joins = |at: &usize| is(words, *at, "and und y et");
    let last = size.as_ref().map_or(noun, |size| noun.max(size.end - 1));
    let end = (last + 1..end).find(joins).unwrap_or(end);
    let beside =
        (start.max(clause.start)..end).filter(|at| is(words, *at, BESIDE)).collect::<Vec<_>>();
    // “A large volume of requests” is an amount.
    let amount = size.is_none() && noun + 1 < clause.end && is(words, noun + 1, OF);
    let next = next_size(words, clause.end).filter(|_| size.is_none());
    let sized = size.is_some() || next.is_some();
    let named = volume && !amount && (sized || !beside.is_empty()) && !(other && beside.is_empty());
    let another = disk && !beside.is_empty();
    if !named && !another {
        return None;
    }
    let places = beside.iter().copied().chain(size.iter().flat_map(Clone::clone)).chain([noun]);
    let (first, last) = (places.clone().min()?, places.max()?);
    let end = denied_root(words, next.map_or(last + 1, |next| next.end));
    Some(Extra { said: first..end, beside: !beside.is_empty() })
}

/// The numbers of gigabytes among these values.
fn sizes_in(words: &Words, range: Range<usize>) -> Vec<Range<usize>> {
    let values: Vec<&str> = words.values().collect();
    let measured = |at: usize| super::measured(words, &values, at);
    let size = |at: usize| {
        measured(at).filter(|(_, unit, _)| is_unit_of_memory(unit)).map(|(.., end)| at..end)
    };
    range.filter_map(size).collect()
}

/// The clause at this position, if it says a size and nothing else: “a second disk, 200 GB”.
fn next_size(words: &Words, start: usize) -> Option<Range<usize>> {
    let clause = words.clause(Some(start).filter(|start| *start < words.count())?);
    let size = sizes_in(words, clause.clone()).pop()?;
    let blank = |at: usize| {
        let value = words.values().nth(at).unwrap_or_default();
        size.contains(&at) || Language::English.weight(value) == Weight::Empty
    };
    clause.clone().all(blank).then_some(clause)
}

/// Where the words end that keep something off the server's own disk, if they follow: “not on the root disk”.
fn denied_root(words: &Words, end: usize) -> usize {
    const OWN: &str =
        "root system root-disk root-platte rootplatte systemplatte raíz racine sistema système";
    if end >= words.count() || words.clause(end).start != end {
        return end;
    }
    let clause = words.clause(end);
    let denied = clause.clone().any(|at| is_negation(words.values().nth(at).unwrap_or_default()));
    let own = clause.clone().any(|at| is(words, at, OWN));
    if denied && own { clause.end } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_beside_the_servers_own_is_found_with_its_size() {
        for (text, said) in [
            ("a vps with a 100 GB volume attached", "100 gb volume attached"),
            ("a vps. volume extra, 100 GB", "volume extra 100 gb"),
            (
                "the data on a second disk, 200 GB, not on the root disk",
                "second disk 200 gb not on the root disk",
            ),
            ("an additional disk of 50 GB", "additional disk of 50 gb"),
            ("a volume of 20 GB", "volume of 20 gb"),
        ] {
            let words = Words::of(text);
            let found: Vec<String> =
                extra(&words).into_iter().map(|extra| words.said_in(extra.said)).collect();
            assert_eq!(found, [said], "{text}");
        }
        for text in [
            "a disk of 50 GB",
            "a large volume of requests",
            "docker volumes",
            "an encrypted volume of 40 GB",
            "a root volume of 40 GB",
            "no additional volume",
            "a server with 100 GB of disk",
            "the data on a volume",
            "a second server with a disk of 80 GB",
            "a server with 100 GB disk and a second server",
        ] {
            assert!(extra(&Words::of(text)).is_empty(), "{text}");
        }
    }
}
