//! The deployment that a message names, unless it only mentions it, hints at it, or names it for something else.

use super::super::Dialogue;
use super::super::phrases::NEAREST;
use super::nearest;
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::{self, Blueprint, DATABASES, STRONG, TOY, held};
use crate::reading::wishes::{Asked, EXISTING_SERVER, Fate, names_a_new_place};
use crate::words::Words;

/// A deployment that a message names, and how clearly.
pub(super) type Named = (&'static Blueprint, usize);

/// Words by which a later message takes something simpler than what cannot be built.
const SETTLING: &[&str] =
    &["just", "only", "nur", "bloß", "solo", "sólo", "juste", "seulement", "simplement"];

impl Dialogue {
    /// The deployment that the message asks for, or takes if what it asks for is not possible.
    pub(super) fn wanted_deployment(
        &mut self,
        named: Option<Named>,
        words: &Words,
    ) -> Option<Named> {
        let named = named.or_else(|| self.second_choice());
        let named = named.filter(|(blueprint, _)| !self.is_only_a_place(blueprint, words));
        // “a server at home” only hints at a deployment, and its place is not the deployment's.
        let elsewhere = Foreign::in_message(words).iter().any(|f| f.kind == Kind::Place);
        let named = named.filter(|(_, score)| *score >= STRONG || !elsewhere);
        let named = named
            .or_else(|| self.nearest.filter(|_| words.means_any(NEAREST)).map(|b| (b, STRONG)));
        let in_vain = |named: &Named| self.is_asked_in_vain(named, words);
        let held = |blueprint| {
            names_only_held_machines(blueprint, words) || self.is_on_held_machines(blueprint, words)
        };
        named.filter(|named| !in_vain(named) && !held(named.0))
    }

    /// Whether a message only adds to what an earlier one asks for in vain, so that it chooses nothing in its place.
    fn is_asked_in_vain(&self, (blueprint, score): &Named, words: &Words) -> bool {
        if self.nearest.is_none() {
            return false;
        }
        // “Forget the game, just a web server” replaces it.
        let in_vain = self.blueprint.is_none() && !words.means_any(SETTLING);
        // It is not replaced by a hint: “the alerts go to a webhook”.
        let hint = *score < STRONG && !catalogue::is_plain(blueprint);
        // “AWS because we have credits” is only its place.
        let place = || !catalogue::names_more_than_a_place(blueprint, words);
        // “Backups of my server”, and then “it's a VPS at Contabo”
        let only_told = || {
            let told = catalogue::told_machines(words);
            !told.is_empty() && blueprint.clear_score(&words.clone().without(&told)) == 0
        };
        in_vain && (hint || place()) || only_told()
    }

    /// The website with a domain in place of a first try, if an earlier message names the domain: “then only the homepage”.
    pub(super) fn with_the_domain(&self, named: Named, words: &Words) -> Named {
        let first_try = named.0.id == TOY && !named.0.is_tried_out(words);
        let mut sites =
            self.said.iter().filter(|_| first_try).filter_map(|said| catalogue::site_for(said));
        sites.next().map_or(named, |site| (site, STRONG))
    }

    /// Whether a plain server is planned for work on machines of which this message says that the user has them: “harden
    /// ten servers”, and then “they are all in our cellar”.
    pub(super) fn is_done_on_held_machines(&self, words: &Words) -> bool {
        let all = || self.said.iter().map(|said| said.as_ref()).chain([words]);
        self.blueprint.is_some_and(catalogue::is_plain)
            && held::machines(words).iter().any(|held| held.kind == held::Kind::Place)
            && !all().any(|said| names_a_new_place(said) || catalogue::asks_for_an_addition(said))
    }

    /// Whether a message only says more of the user's machines, for which nothing is planned: “back up our servers”, and then
    /// “and the PostgreSQL of the first one”.
    fn is_on_held_machines(&self, blueprint: &Blueprint, words: &Words) -> bool {
        const WISHES: &[&str] = &[
            "please",
            "need",
            "want",
            "would like",
            "i'd like",
            "give me",
            "then",
            "instead",
            "nearest",
            "closest",
        ];
        let found_there = [DATABASES.as_slice(), &["nginx-site"]].concat().contains(&blueprint.id);
        let held = |row: &Asked| row.what == EXISTING_SERVER && row.fate == Fate::Not;
        self.asked.iter().any(held)
            && (found_there || catalogue::is_plain(blueprint))
            && !names_a_new_place(words)
            && !words.means_any(WISHES)
            && !words.means_any(SETTLING)
    }

    /// The deployment that the message takes if what it asks for is not possible: “a mail server. If you don't do that, a
    /// plain server”.
    fn second_choice(&mut self) -> Option<Named> {
        let spare = self.spare.take().filter(|_| self.blueprint.is_none())?;
        let named = catalogue::recognize(&spare)?;
        (!self.wants_something_else(&spare, named.0)).then_some(named)
    }

    /// Whether the message asks for something that cannot be built, and names the deployment only as its place or a part
    /// of it: “Kubernetes on a VPS” does not ask for a VPS, and “Ghost with MySQL” not for a database.
    pub(super) fn wants_something_else(&mut self, words: &Words, blueprint: &Blueprint) -> bool {
        let mut foreign = Foreign::in_message(words);
        foreign.retain(|foreign| {
            !blueprint.adds(&foreign.cues, words)
                && !foreign.is_run_by(blueprint)
                && catalogue::is_asked_for(foreign, words)
                && !catalogue::is_a_tool_on_a_server(foreign, words)
        });
        let toy = blueprint.id == TOY && !blueprint.is_tried_out(words);
        let added = catalogue::is_plain(blueprint) && catalogue::asks_for_an_addition(words);
        let meant = added || catalogue::is_meant(blueprint, words);
        let clear = blueprint.clear_score(words) > 0 || meant;
        // “A web app, and to see if it's down” asks for the web app.
        let beside = |foreign: &&Foreign| {
            foreign.is_a_program() && foreign.first_named(words) < blueprint.first_named(words)
        };
        let clear = clear && !(blueprint.is_named_generally(words) && foreign.iter().any(beside));
        // The service for a first try is nothing that anything foreign could be a part of.
        if toy && !clear && !foreign.is_empty() {
            self.nearest = nearest(foreign.into_iter().filter(|foreign| foreign.is_main()), words);
            return true;
        }
        if catalogue::is_plain(blueprint) && catalogue::is_described(blueprint, words) {
            return false;
        }
        // “A Valheim server, cpx21 at Hetzner, SSH only from …” describes the server.
        let described = catalogue::is_plain(blueprint) && catalogue::names_a_type(words);
        let placed =
            catalogue::is_plain(blueprint) && catalogue::gives_several_values(blueprint, words);
        foreign.retain(|foreign| {
            let game = foreign.kind == Kind::Game && (described || placed);
            foreign.is_main() && !game && !(described && foreign.kind == Kind::Tool)
        });
        let named = blueprint.first_named(words);
        let whole = |foreign: &&Foreign| {
            foreign.kind == Kind::App
                && DATABASES.contains(&blueprint.id)
                && foreign.first_named(words) < named
                && !is_all_that_is_wanted(blueprint, words)
        };
        if foreign.is_empty() || (clear && !toy && !foreign.iter().any(whole)) {
            return false;
        }
        self.nearest = nearest(foreign.into_iter(), words);
        true
    }
}

/// Whether the words of a message that name a plain server only speak of machines that the user has.
fn names_only_held_machines(blueprint: &Blueprint, words: &Words) -> bool {
    let chosen =
        |rest: &Words| catalogue::recognize(rest).is_some_and(|(b, _)| b.id == blueprint.id);
    catalogue::is_plain(blueprint)
        && !catalogue::asks_for_an_addition(words)
        && held::without_them(words).is_some_and(|rest| !chosen(&rest))
}

/// Whether a message wants only the deployment, whatever else it tells of: “I just want a MySQL server”.
fn is_all_that_is_wanted(blueprint: &Blueprint, words: &Words) -> bool {
    const ONLY: &str =
        "just only nur bloß solo sólo solamente únicamente seulement uniquement juste simplement";
    const WANTING: &str = "want need require brauche brauchen möchte möchten will wollen quiero \
        queremos necesito \
        necesitamos veux voulons voudrais voudrions besoin";
    let places = blueprint.own_cues().flat_map(|cue| words.meant_at(cue));
    let mut places = places.map(|place| words.origin(place.start));
    places.any(|at| {
        let before = words.clause(at).start..at;
        words.any_in(before.clone(), ONLY) && words.any_in(before, WANTING)
    })
}
