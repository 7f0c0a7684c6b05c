//! Whether a mention asks for a thing: a message also tells of things, compares them, and says what something is for.

use std::ops::Range;

use crate::catalogue::ALL;
use crate::catalogue::foreign::{Foreign, has_longer, theirs};
use crate::words::Words;
use crate::words::standing::{self, Standing};

/// Whether a mention asks for the thing, and does not only tell of it.
pub fn is_asked_at(cue: &str, place: &Range<usize>, words: &Words) -> bool {
    standing::of(cue, place, words) == Standing::Asked
}

/// Whether something that cannot be built is asked for, and does not only run elsewhere or belong to an earlier time.
pub fn is_asked_for(foreign: &Foreign, words: &Words) -> bool {
    // Whether the user had one that is built, the choice knows.
    let built = |cue: &str| ALL.iter().any(|own| own.own_cues().any(|own| own == cue));
    let built = foreign.cues.iter().any(|cue| built(cue));
    // “Is Kubernetes really needed?”
    let compared = foreign.is_only_compared(words);
    let asked = |cue: &str, place: &Range<usize>| match standing::of(cue, place, words) {
        Standing::Asked => !compared,
        Standing::Considered | Standing::Told => !built,
        Standing::Gone => false,
    };
    // The “web application” of “web application firewall” is something else, and “for my app” says what a database is for.
    let other = |place: &Range<usize>| {
        has_longer(words, place)
            || foreign.is_a_purpose(place, words)
            || theirs(place, words).is_some()
    };
    let asked = |cue: &str, place: &Range<usize>| !other(place) && asked(cue, place);
    let mut cues = foreign.cues.iter();
    cues.any(|cue| words.meant_at(cue).iter().any(|place| asked(cue, place)))
}
