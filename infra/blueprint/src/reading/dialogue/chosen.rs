//! Decides which deployment a message chooses, and when a later message chooses another one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Dialogue;
use super::phrases::NEAREST;
use super::replacing::{
    adds_to_the_current, is_a_part_of, is_clearer, is_given_up, is_only_spoken_of,
    takes_a_plain_server,
};
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::{self, Blueprint, DATABASES, STRONG, TOY, held};
use crate::reading::wishes::{Asked, EXISTING_SERVER, Fate, names_a_new_place};
use crate::words::{Words, numbers};

/// Words by which a later message takes something simpler than what cannot be built.
const SETTLING: &[&str] =
    &["just", "only", "nur", "bloß", "solo", "sólo", "juste", "seulement", "simplement"];

impl Dialogue {
    pub(super) fn read_deployment(&mut self, words: &Words) {
        let named = self.recognize(words);
        if let (None, Some(blueprint)) = (&named, self.latest.numbered) {
            return self.choose(blueprint);
        }
        let named = named.map(|named| self.with_the_domain(named, words));
        let named = named.filter(|(blueprint, _)| !self.wants_something_else(words, blueprint));
        let refused = catalogue::refused_site(words).filter(|_| self.blueprint.is_none());
        let other = |b: &Blueprint| refused.is_some_and(|site| b.place == site.place);
        let named = named.filter(|(blueprint, _)| !other(blueprint));
        if let (None, Some(site)) = (&named, refused) {
            self.nearest = Some(site);
            return;
        }
        let named = named.or_else(|| self.second_choice());
        let named = named.filter(|(blueprint, _)| !self.is_only_a_place(blueprint, words));
        // “a server at home” only hints at a deployment, and its place is not the deployment's.
        let elsewhere = Foreign::in_message(words).iter().any(|f| f.kind == Kind::Place);
        let named = named.filter(|(_, score)| *score >= STRONG || !elsewhere);
        let named = named
            .or_else(|| self.nearest.filter(|_| words.means_any(NEAREST)).map(|b| (b, STRONG)));
        // What an earlier message asks for in vain is not replaced by a hint: “the alerts go to a webhook”.
        let hints = |(blueprint, score): &(&Blueprint, usize)| {
            *score < STRONG && !catalogue::is_plain(blueprint)
        };
        // “Forget the game, just a web server” replaces it.
        let in_vain = self.blueprint.is_none() && self.nearest.is_some();
        let in_vain = in_vain && !words.means_any(SETTLING);
        let named = named.filter(|named| !(in_vain && hints(named)));
        // “Backups of my server”, and then “it's a VPS at Contabo”
        let told = catalogue::told_machines(words);
        let rest = words.clone().without(&told);
        let only_told = |(blueprint, _): &(&Blueprint, usize)| {
            !told.is_empty() && blueprint.clear_score(&rest) == 0
        };
        // “AWS because we have credits” is only the place of what an earlier message asks for in vain.
        let place = |(blueprint, _): &(&'static Blueprint, usize)| {
            in_vain && !catalogue::names_more_than_a_place(blueprint, words)
        };
        let named =
            named.filter(|named| !(self.nearest.is_some() && only_told(named) || place(named)));
        let named = named.filter(|(blueprint, _)| !names_only_held_machines(blueprint, words));
        let named = named.filter(|(blueprint, _)| !self.is_on_held_machines(blueprint, words));
        if self.is_done_on_held_machines(words) && named.is_none_or(|(b, _)| catalogue::is_plain(b))
        {
            return self.plan_nothing();
        }
        let given_up = if named.is_none() { self.without_its_part(words) } else { None };
        if let Some(blueprint) = given_up {
            return self.choose(blueprint);
        }
        let Some((blueprint, score)) = named else {
            return self.give_up_the_deployment(words);
        };
        match self.blueprint {
            Some(current) if current.id == blueprint.id => {}
            // “No Kubernetes, just a server”
            Some(current) if is_given_up(current, words) && catalogue::is_plain(blueprint) => {
                self.forget_deployment(current, 0);
                self.choose(blueprint);
            }
            // “My boss says we need Kubernetes”, and then “MySQL on one server”
            Some(current)
                if self.was_only_considered(current)
                    && (blueprint.clear_score(words) > 0
                        || catalogue::is_plain(blueprint)
                            && catalogue::asks_for_a_server(words)) =>
            {
                self.replace(current, blueprint, words)
            }
            Some(_)
                if catalogue::is_only_where(blueprint, words)
                    || is_only_spoken_of(words, blueprint) => {}
            // “A health check on /healthz”, and then “HAProxy at Hetzner”
            Some(current)
                if current.id == TOY
                    && blueprint.clear_score(words) > 0
                    && self.said.iter().all(|said| !current.is_asked_for_itself(said)) =>
            {
                self.replace(current, blueprint, words)
            }
            Some(current) if self.stays_within(current, words, blueprint) => {}
            // “Then at least a normal Debian server”
            Some(current)
                if catalogue::is_plain(blueprint)
                    && takes_a_plain_server(current, words, self.was_named(current)) =>
            {
                self.replace(current, blueprint, words)
            }
            // A message must name another deployment more clearly than the current one to replace it, because many
            // words fit several deployments.
            Some(current) if is_clearer(current, words, blueprint) => {}
            Some(current) if adds_to_the_current(words, blueprint, self.was_named(current)) => {}
            Some(current)
                if self.was_named(current)
                    && is_a_part_of(current, words, blueprint)
                    && !is_given_up(current, words) => {}
            // “Which services do you offer?” does not choose a deployment.
            None if score < STRONG
                && words.means_any(&["offer", "which", "what", "how"])
                && asks_a_question(words) => {}
            Some(current) => self.replace(current, blueprint, words),
            None => self.choose(blueprint),
        }
    }

    /// The website with a domain in place of a first try, if an earlier message names the domain: “then only the homepage”.
    fn with_the_domain(
        &self,
        named: (&'static Blueprint, usize),
        words: &Words,
    ) -> (&'static Blueprint, usize) {
        let first_try = named.0.id == TOY && !named.0.is_tried_out(words);
        let mut sites =
            self.said.iter().filter(|_| first_try).filter_map(|said| catalogue::site_for(said));
        sites.next().map_or(named, |site| (site, STRONG))
    }

    /// Replaces the deployment. If an earlier message chose the other one already, the user returns to it, and what they
    /// said of this one in between no longer counts.
    fn replace(&mut self, current: &Blueprint, blueprint: &'static Blueprint, words: &Words) {
        if is_given_up(current, words) {
            self.forget_deployment(current, 0);
            self.given_up.insert(current.id);
        }
        let chosen = self.said.iter().position(|words| blueprint.clear_score(words) > 0);
        let chosen = chosen.or(self.given_up.contains(blueprint.id).then_some(0));
        if let Some(at) = chosen {
            self.forget_deployment(current, at + 1);
        }
        self.choose(blueprint);
    }

    /// Whether a plain server is planned for work on machines of which this message says that the user has them: “harden
    /// ten servers”, and then “they are all in our cellar”.
    fn is_done_on_held_machines(&self, words: &Words) -> bool {
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

    /// Gives up the plan. Nothing of what was planned is built now.
    fn plan_nothing(&mut self) {
        let planned = self.covered.drain(..).map(str::to_lowercase);
        let planned: Vec<Asked> = planned.map(|what| Asked { what, fate: Fate::Not }).collect();
        self.lack(planned);
        for asked in &mut self.asked {
            if matches!(asked.fate, Fate::Differently(_)) {
                asked.fate = Fate::Not;
            }
        }
        self.forget_the_choice();
    }

    /// Forgets the deployment and everything that was read for it.
    fn forget_the_choice(&mut self) {
        self.blueprint = None;
        self.values.clear();
        self.named.clear();
        self.sizes.clear();
        self.limited.clear();
        self.confirmed = false;
    }

    /// The deployment that the message takes if what it asks for is not possible: “a mail server. If you don't do that, a
    /// plain server”.
    fn second_choice(&mut self) -> Option<(&'static Blueprint, usize)> {
        let spare = self.spare.take().filter(|_| self.blueprint.is_none())?;
        let named = catalogue::recognize(&spare)?;
        (!self.wants_something_else(&spare, named.0)).then_some(named)
    }

    fn choose(&mut self, blueprint: &'static Blueprint) {
        self.lift_the_stop();
        self.latest.chosen = true;
        self.replaced.extend(self.blueprint);
        self.replaced.retain(|replaced| replaced.id != blueprint.id);
        self.blueprint = Some(blueprint);
        self.nearest = None;
        self.confirmed = false;
    }

    /// What an earlier message asks for without the deployment's name, if this message gives that up: “a VPS with
    /// monitoring”, and then “no monitoring after all”.
    fn without_its_part(&mut self, words: &Words) -> Option<&'static Blueprint> {
        let current = self.blueprint.filter(|current| is_given_up(current, words))?;
        let named = |earlier: &Words| {
            let cues = current.own_cues().flat_map(|cue| earlier.places(cue));
            let gone: BTreeSet<usize> = cues.flatten().map(|at| earlier.origin(at)).collect();
            let rest = earlier.clone().without(&gone);
            let other = catalogue::recognize(&rest).filter(|(_, score)| *score >= STRONG);
            other.map(|(other, _)| other).filter(|other| other.id != current.id)
        };
        let kept = |earlier: &Words| {
            current.own_cues().all(|cue| !earlier.means(cue) || words.excludes(cue))
        };
        let mut found = self.said.iter().enumerate().filter(|(_, earlier)| kept(earlier));
        let (at, other) = found.find_map(|(at, earlier)| Some((at, named(earlier)?)))?;
        self.forget_deployment(current, at + 1);
        Some(other)
    }

    /// Chooses nothing if the message gives up the deployment: “copies by restic, and nginx for a.de”, and then “forget
    /// nginx”. What earlier messages ask for in vain is then the main part.
    fn give_up_the_deployment(&mut self, words: &Words) {
        let current = self.blueprint.filter(|current| is_given_up(current, words));
        let Some(current) = current else { return };
        let given_up = words.given_up();
        let itself = |cue: &str| {
            words.excludes_itself(cue) || given_up.iter().any(|gone| gone.english() == cue)
        };
        // “Django without Celery” stays Django.
        let wanted = |cue: &str| self.said.iter().any(|earlier| earlier.means(cue));
        let whole = || current.own_cues().all(|cue| !wanted(cue) || itself(cue));
        let gone = current.own_cues().any(itself);
        if !gone || !(current.is_refused_by_name(words) || whole()) {
            return;
        }
        let rest = |earlier: &Arc<Words>| {
            let cues = current.own_cues().flat_map(|cue| earlier.meant_at(cue));
            let clauses = cues.map(|place| earlier.clause(earlier.origin(place.start)));
            Arc::new(Words::clone(earlier).without(&clauses.flatten().collect()))
        };
        let rest: Vec<Arc<Words>> = self.said.iter().map(rest).collect();
        if rest.iter().any(|words| current.clear_score(words) > 0) {
            return;
        }
        let main = |words: &Words| {
            let foreign = Foreign::in_message(words).into_iter().filter(|f| f.is_main());
            nearest(foreign, words)
        };
        self.nearest = rest.iter().find_map(|words| main(words));
        self.said = rest;
        self.forget_the_choice();
        self.latest.chosen = true;
    }

    /// Forgets what messages say of a deployment that the user gave up: “with two boxes then”.
    fn forget_deployment(&mut self, given_up: &Blueprint, from: usize) {
        let messages = self.said.iter_mut().skip(from);
        messages.for_each(|earlier| *earlier = Arc::new(without_deployment(earlier, given_up)));
    }

    /// Whether an earlier message named the deployment, and did not only hint at it.
    fn was_named(&self, blueprint: &Blueprint) -> bool {
        self.said.iter().any(|earlier| blueprint.clear_score(earlier) > 0)
    }

    /// Whether the earlier messages only say that somebody thought of the deployment.
    pub(super) fn was_only_considered(&self, blueprint: &Blueprint) -> bool {
        let mut named = self.said.iter().filter(|said| blueprint.clear_score(said) > 0).peekable();
        named.peek().is_some() && named.all(|said| blueprint.is_only_considered(said))
    }

    /// Whether the message asks for something that cannot be built, and names the deployment only as its place or a part
    /// of it: “Kubernetes on a VPS” does not ask for a VPS, and “Ghost with MySQL” not for a database.
    fn wants_something_else(&mut self, words: &Words, blueprint: &Blueprint) -> bool {
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
        };
        if foreign.is_empty() || (clear && !toy && !foreign.iter().any(whole)) {
            return false;
        }
        self.nearest = nearest(foreign.into_iter(), words);
        true
    }
}

/// The deployment nearest to what cannot be built: the one that the message's other words fit best, or the first.
pub(super) fn nearest(
    foreign: impl Iterator<Item = &'static Foreign>,
    words: &Words,
) -> Option<&'static Blueprint> {
    let foreign: Vec<&Foreign> = foreign.collect();
    // The rest of the message is about the user's program.
    let whole = |foreign: &&&Foreign| matches!(foreign.kind, Kind::App | Kind::Game);
    let program = foreign.iter().find(|foreign| foreign.is_a_program());
    if let Some(program) = program.filter(|_| !foreign.iter().any(|one| whole(&one))) {
        return program.nearest();
    }
    let all: Vec<&'static Blueprint> = foreign.into_iter().filter_map(Foreign::nearest).collect();
    let best = all.iter().rev().max_by_key(|blueprint| blueprint.score(words)).copied();
    best.or_else(|| all.first().copied())
}

/// Whether the words of a message that name a plain server only speak of machines that the user has.
fn names_only_held_machines(blueprint: &Blueprint, words: &Words) -> bool {
    let chosen =
        |rest: &Words| catalogue::recognize(rest).is_some_and(|(b, _)| b.id == blueprint.id);
    catalogue::is_plain(blueprint)
        && !catalogue::asks_for_an_addition(words)
        && held::without_them(words).is_some_and(|rest| !chosen(&rest))
}

/// Whether the message is a question, or has a sentence that is one.
fn asks_a_question(words: &Words) -> bool {
    words.is_question() || words.sentences().iter().any(|sentence| words.only_asks(sentence.start))
}

/// The message without the words that ask for the deployment or count its machines.
fn without_deployment(words: &Words, current: &Blueprint) -> Words {
    const MACHINES: &[&str] = &["boxes", "servers", "machines", "nodes", "hosts"];
    // Only these names have rows of their own beside another deployment.
    let known =
        |cue: &&str| Foreign::all().any(|foreign| foreign.cues.iter().any(|own| cue.contains(own)));
    let cues = current.own_cues().filter(known).flat_map(|cue| words.meant_at(cue)).flatten();
    let named = cues.map(|at| words.origin(at));
    let values: Vec<&str> = words.values().collect();
    let counted = values
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| numbers::read(pair[0]).is_some() && MACHINES.contains(&pair[1]));
    words.clone().without(&named.chain(counted.flat_map(|(at, _)| [at, at + 1])).collect())
}
