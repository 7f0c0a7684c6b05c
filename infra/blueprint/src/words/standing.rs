//! Whether a mention asks for anything: a message also names what it tells of an earlier time, what runs elsewhere and
//! stays there, and what it leaves.
//!
//! “We had Kubernetes at OVH, now a single server with Django” asks for Django, and “the rest (Kubernetes, Grafana) stays
//! at our provider” for neither of both.

mod lists;
mod past;

use std::ops::Range;

use lists::{
    ALONE, ARTICLES, ASKED, BEING, BRIEF, BY_NOW, CONSIDERED, ELSEWHERE, HERE, LEAVING,
    LEAVING_REACH, LIKE, NOW, OPERATING, OWN, STAYING, SUMMING, THERE, TOO, TURNING, WAS, WISHES,
    WITH, YOU,
};
use past::{EARLIER, HAD, NOT_EARLIER, UNTIL_NOW};

use super::language::Weight;
use super::{OTHERWISE, Words, is_negation};

/// How a mention is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It asks for the thing.
    Asked,
    /// The user thought of it, or others talked about it. With nothing else, it may be the wish.
    Considered,
    /// It tells of a thing that the user had or has. With nothing else, the message may be about moving it.
    Told,
    /// The thing is not to be built: the user leaves it, or it stays elsewhere.
    Gone,
}

/// How the mention at this place is meant.
pub fn of(cue: &str, place: &Range<usize>, words: &Words) -> Standing {
    let at = words.origin(place.start);
    if is_left(at, words) || is_refused_later(cue, place, words) {
        return Standing::Gone;
    }
    // “Please leave SSH on 22, our monitoring cannot cope otherwise”
    let reason = says(words.clause(at), OTHERWISE, words) && is_definite(at, words);
    if reason && words.clause(at).any(|at| is_negation(words.values().nth(at).unwrap_or_default()))
    {
        return Standing::Gone;
    }
    let thought = says(words.clause(at).start..at, CONSIDERED, words);
    let told = match is_past(at, words) {
        true => Standing::Told,
        false if thought => Standing::Considered,
        false => Standing::Asked,
    };
    told.max(elsewhere(at, words))
}

/// The user's words and the English ones of some values.
fn both(range: Range<usize>, words: &Words) -> [String; 2] {
    let values = words.values().skip(range.start).take(range.len());
    [words.said_in(range.clone()), values.collect::<Vec<_>>().join(" ")]
}

/// Whether one of the phrases is among these values, in the user's words or in English.
fn says(range: Range<usize>, phrases: &[&str], words: &Words) -> bool {
    both(range, words).iter().any(|text| {
        let text = apart(text);
        let starts: Vec<&str> = starts(&text).collect();
        phrases.iter().any(|phrase| match phrase.contains(['\'', '’']) {
            true => has_phrase(&starts, &apart(phrase)),
            false => has_phrase(&starts, phrase),
        })
    })
}

/// A text with the words that an apostrophe joins as words of their own: “On m'avait vendu” has “avait”.
fn apart(text: &str) -> String {
    text.replace(['\'', '’'], "' ")
}

/// A text from each of its words on.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    std::iter::once(text).chain(text.match_indices(' ').map(|(space, _)| &text[space + 1..]))
}

/// Whether a text has these words, and not only as parts of others; the text from each of its words on.
fn has_phrase(starts: &[&str], phrase: &str) -> bool {
    starts.iter().any(|text| {
        let rest = text.strip_prefix(phrase);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Whether the message leaves the thing: “away from WordPress”, “we are leaving the cluster”.
fn is_left(at: usize, words: &Words) -> bool {
    let before = at.saturating_sub(LEAVING_REACH).max(words.clause(at).start)..at;
    both(before, words).iter().any(|text| {
        let article = text.rsplit_once(' ').filter(|(_, last)| ARTICLES.contains(last));
        let text = article.map_or(text.as_str(), |(text, _)| text);
        LEAVING.iter().any(|phrase| {
            let rest = text.strip_suffix(phrase);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
        })
    })
}

/// Whether the same message refuses the thing as a whole after this mention: “a friend said WordPress, I want no WordPress”.
fn is_refused_later(cue: &str, place: &Range<usize>, words: &Words) -> bool {
    let Some(last) = words.places(cue).pop().filter(|last| last.start > place.start) else {
        return false;
    };
    let next = words.phrase(last.end..last.end + 1);
    let whole = next.is_empty() || next == ",";
    whole && !words.meant_at(cue).contains(&last)
}

/// How the thing is meant by what the message says of its place: it may stay there, or only be there by now.
pub fn elsewhere(at: usize, words: &Words) -> Standing {
    let (clause, sentence) = (words.clause(at), words.sentence(at));
    let alone = |at: usize| at < words.count() && says(words.clause(at), ALONE, words);
    // “The WordPress is run by an agency, leave it”
    if alone(clause.end) {
        return Standing::Gone;
    }
    let own = place_of(at + 1..clause.end, at, words).max(operated(clause.clone(), words));
    if own > Standing::Asked {
        return own;
    }
    // “Our data center runs Grafana, Elasticsearch too”, “the database is at OVH, the site at Wix”
    let too = clause.len() <= BRIEF && says(clause.clone(), TOO, words);
    let elliptic = || says(at..clause.end, WITH, words) && !says(clause.clone(), HERE, words);
    if clause.start > sentence.start && (too || elliptic()) {
        let before = words.clause(clause.start - 1);
        let own = place_of(before.clone(), before.end - 1, words).max(operated(before, words));
        if too || own > Standing::Asked {
            return own;
        }
    }
    // “Kubernetes, Grafana, ELK stay at our provider”, “a site at an agency, they keep it, leave it”
    let mut next = clause.end;
    while sentence.contains(&next) {
        let end = words.clause(next).end.min(sentence.end);
        if is_predicate(next, words) {
            let after = sentence.contains(&end) && alone(end);
            let after = if after { Standing::Gone } else { Standing::Asked };
            return after.max(place_of(next..end, at, words)).max(operated(next..end, words));
        }
        // “Django, Redis and all that is elsewhere”
        let all = says(next..end, SUMMING, words);
        let all = if all { place_of(next..end, next, words) } else { Standing::Asked };
        if all > Standing::Asked || end - next > BRIEF {
            return all;
        }
        next = end;
    }
    Standing::Asked
}

/// Whether a clause goes on about what precedes it: “stays there”, “which runs at our provider”, but not “and the mail stays
/// at our provider”.
fn is_predicate(start: usize, words: &Words) -> bool {
    const PRONOUNS: &[&str] =
        &["that", "which", "it", "they", "es", "qui", "il", "elle", "ils", "elles"];
    const OPENING: &[&str] =
        &["and", "die", "der", "das", "und", "que", "lo", "y", "et", "se", "all", "alles"];
    let is = |at: usize, list: &[&str]| {
        both(at..at + 1, words).iter().any(|word| list.contains(&word.as_str()))
    };
    let verb = |at: usize| is(at, STAYING) || is(at, BEING);
    let clause = start..words.clause(start).end;
    let full = |at: &usize| words.weighs(*at) == Weight::Full && !verb(*at);
    let own = || {
        let verb = clause.clone().find(|at| verb(*at));
        verb.is_some_and(|verb| verb + 1 == clause.end || !(start + 1..verb).any(|at| full(&at)))
    };
    verb(start) || is(start, PRONOUNS) || is(start, OPENING) && own()
}

/// Whether these words say of what precedes them that it stays elsewhere, or is there by now.
fn place_of(range: Range<usize>, thing: usize, words: &Words) -> Standing {
    let is = |at: usize, list: &[&str]| {
        both(at..at + 1, words).iter().any(|word| list.contains(&word.as_str()))
    };
    let clause = words.clause(thing);
    let asks = says(clause.clone(), WISHES, words) || says(range.clone(), WISHES, words);
    if asks || says(range.clone(), HERE, words) {
        return Standing::Asked;
    }
    // “WordPress and the mail stays at Strato” is about the mail.
    let own = |verb: usize| {
        let joined = (range.start..verb).rev().find(|at| is(*at, &["and", "und", "y", "et"]));
        joined.is_none_or(|joined| !(joined + 1..verb).any(|at| words.weighs(at) == Weight::Full))
    };
    let place = |verb: usize| {
        let after = (verb + 1..range.end).any(|at| is(at, THERE));
        // “chez eux, et y reste”
        // “A program on Windows, which we keep”
        let kept = is(verb, &["keep"]) && verb + 1 == range.end;
        let kept = kept && says(range.clone(), &["which", "that", "it", "them"], words);
        after
            || kept
            || verb.checked_sub(1).is_some_and(|before| is(before, &["y", "ahí", "allí", "se"]))
    };
    let mut verbs = range.clone().filter(|at| own(*at));
    let stays = verbs.clone().any(|at| is(at, STAYING) && place(at));
    // “A copy to somewhere else” is about the copy.
    let is_there = verbs.clone().any(|at| is(at, BEING));
    let elsewhere = is_there && says(range.clone(), ELSEWHERE, words);
    let runs = verbs.any(|verb| is(verb, BEING) && (verb + 1..range.end).any(|at| is(at, WITH)));
    let by_now = says(clause, BY_NOW, words) && range.clone().any(|at| is(at, &["se", "depuis"]));
    match stays {
        true => Standing::Gone,
        false if elsewhere || runs && is_definite(thing, words) || by_now => Standing::Told,
        false => Standing::Asked,
    }
}

/// Whether these words say that somebody else runs the thing.
fn operated(range: Range<usize>, words: &Words) -> Standing {
    let others = says(range.clone(), OPERATING, words)
        && ![WISHES, OWN, YOU].iter().any(|list| says(range.clone(), list, words));
    if others { Standing::Told } else { Standing::Asked }
}

/// Whether the thing is a particular one: “our cluster”, “the rest (Kubernetes)”.
fn is_definite(at: usize, words: &Words) -> bool {
    const DEFINITE: &[&str] = &[
        "old", "former", "alte", "antiguo", "antigua", "ancien", "ancienne", "our", "the", "my",
        "unser", "unsere", "der", "die", "das", "nuestro", "nuestra", "el", "la", "los", "notre",
        "nos", "le", "les", "mi", "mon", "rest",
    ];
    says(words.sentence(at).start..at, DEFINITE, words)
}

/// Whether the clause of the thing tells of an earlier time: “we had Kubernetes at OVH”.
fn is_past(at: usize, words: &Words) -> bool {
    let (mut clause, sentence) = (words.clause(at), words.sentence(at));
    let like = at.saturating_sub(4).max(clause.start)..at;
    if says(like, LIKE, words) {
        return false;
    }
    // “WordPress was suggested at the meeting”
    let next = at + 1..clause.end.min(at + 2);
    let passive = !next.is_empty() && says(next, WAS, words);
    if passive && ![WISHES, ASKED].iter().any(|list| says(clause.clone(), list, words)) {
        return true;
    }
    loop {
        // “Hasta ahora” is not “ahora”.
        let now = says(clause.clone(), NOW, words) && !says(clause.clone(), UNTIL_NOW, words);
        if now || [WISHES, ASKED].iter().any(|list| says(clause.clone(), list, words)) {
            return false;
        }
        let told = says(clause.clone(), EARLIER, words)
            && !says(clause.clone(), NOT_EARLIER, words)
            || says(clause.start..at, HAD, words) && !says(clause.clone(), NOT_EARLIER, words);
        if told {
            return true;
        }
        // A list goes on: “we had Docker, Kubernetes, Nomad”.
        let turns = says(clause.clone(), TURNING, words);
        if turns || clause.len() > BRIEF || clause.start <= sentence.start {
            return false;
        }
        clause = words.clause(clause.start - 1);
    }
}
