//! How a message mentions a feature: it asks for it, or turns it down.

use crate::catalogue;
use crate::catalogue::covers::Feature;
use crate::catalogue::foreign::{self, Foreign};
use crate::words::language::Weight;
use crate::words::{Near, Words, lists, numbers};

/// The feature that is about all that runs, and not about a part of it.
const RETURN: &str = "a return after a reboot";

/// How a message mentions a feature.
pub(super) enum Said {
    Meant(&'static str, Near),
    TurnedDown(&'static str),
}

/// How the message mentions the feature: by its longest matching phrase, with the words nearby that add detail.
pub(super) fn said(feature: &'static Feature, words: &Words) -> Option<Said> {
    // The “firewall” of “web application firewall” is something else.
    let own = |cue: &&str| {
        let places = words.places(cue);
        places.is_empty() || !places.iter().all(|place| foreign::has_longer(words, place))
    };
    let other = |cue: &str| {
        let beside =
            |word| words.has(&format!("{cue} {word}")) || words.has(&format!("{word} {cue}"));
        feature.other_beside().any(beside)
    };
    // “Without a firewall. No, with a firewall” asks for one.
    let more = |word: &str| feature.has_word(word);
    let asks = |near: &Near| {
        !near.negated(words) && !near.switched_off(words, more) && !near.is_a_moment(words)
    };
    // “The cart must survive a restart” is about the cart's data.
    let whole =
        |near: &Near| feature.name() != RETURN || !has_another_subject(feature, near, words);
    // “25 users without root rights” says nothing of root's login.
    let elsewhere = |near: &Near| {
        near.around(words).any(|word| feature.is_about(word)) || is_given(near, words)
    };
    let asked = |cue: &&str| !other(cue) && !words.is_out_of_the_question(cue);
    let wanted = feature.cues().filter(own).filter(asked);
    let asks = |near: &Near| asks(near) && whole(near);
    let wanted = wanted
        .filter_map(|cue| Some((cue, words.all_near(cue).into_iter().find(|near| asks(near))?)));
    let refused = feature.without().filter_map(|cue| Some((cue, words.near(cue)?)));
    let refused = refused.filter(|(cue, near)| cue.contains(' ') || !elsewhere(near));
    let refused =
        refused.filter(|(_, near)| near.negated(words) || near.forbidden(words).is_some());
    let meant = wanted.chain(refused).max_by_key(|(cue, _)| cue.len());
    let meant = meant.map(|(cue, near)| Said::Meant(cue, near.with(words, more)));
    let off = |cue: &&str| words.near(cue).is_some_and(|near| near.switched_off(words, more));
    meant.or_else(|| {
        let out = |cue: &&str| words.rules_out_as_a_whole(cue);
        feature.cues().filter(own).find(|cue| out(cue) || off(cue)).map(Said::TurnedDown)
    })
}

/// The word that asks for a feature of the deployment, and is not a part of an address: “with https”.
pub(super) fn said_plainly(feature: &Feature, words: &Words) -> Option<Said> {
    let cue = feature.if_built()?;
    let of_an_address =
        |near: &Near| words.values().nth(near.begins_at(words)).is_some_and(|value| value != cue);
    let near = words.all_near(cue).into_iter().find(|near| {
        !near.negated(words) && near.forbidden(words).is_none() && !of_an_address(near)
    });
    near.map(|near| Said::Meant(cue, near))
}

/// Whether the user says what they can give: “I can't give you root on it”.
fn is_given(near: &Near, words: &Words) -> bool {
    const GIVING: &str = "give giving grant gebe geben dar daros darle darles doy donner donne";
    const YOU: &str = "you ihnen euch dir os le les te daros darle darles vous";
    let said = |list: &str| near.around(words).any(|word| lists(list, word));
    said(GIVING) && said(YOU)
}

/// Whether the words before a phrase name something that is not a part of any deployment and that the phrase is about.
fn has_another_subject(feature: &Feature, near: &Near, words: &Words) -> bool {
    const PARTS: &str = "data database service services site website app application container containers machine vps box \
        todo alles tout system";
    let at = near.begins_at(words);
    let values: Vec<&str> = words.values().collect();
    let known = |word: &str| {
        let bare = word.trim_end_matches('s');
        let own = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
        lists(PARTS, word)
            || feature.has_word(word)
            || own().any(|cue| cue == word || cue == bare)
            || Foreign::all().any(|foreign| foreign.cues.contains(&word))
    };
    (words.clause(at).start..at).any(|at| {
        words.weighs(at) == Weight::Full
            && !known(values[at])
            && numbers::read(values[at]).is_none()
    })
}
