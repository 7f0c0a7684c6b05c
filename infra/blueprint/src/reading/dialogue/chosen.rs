//! Decides which deployment a message chooses, and when a later message chooses another one.

mod named;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Dialogue;
use super::replacing::{
    adds_to_the_current, is_a_part_of, is_clearer, is_given_up, is_only_spoken_of,
    takes_a_plain_server,
};
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::{self, Blueprint, STRONG, TOY};
use crate::reading::wishes::{Asked, Fate};
use crate::words::{Words, numbers};

impl Dialogue {
    /// Chooses the deployment that the message asks for, or gives up the present one if the message does.
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
        let named = self.wanted_deployment(named, words);
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
            Some(current) => self.reconsider(current, blueprint, words),
            // “Which services do you offer?” does not choose a deployment.
            None if score < STRONG
                && words.means_any(&["offer", "which", "what", "how"])
                && asks_a_question(words) => {}
            None => self.choose(blueprint),
        }
    }

    /// Chooses the other deployment that a later message names, unless the current one stays.
    fn reconsider(&mut self, current: &Blueprint, other: &'static Blueprint, words: &Words) {
        if current.id == other.id {
            return;
        }
        // “No Kubernetes, just a server”
        if is_given_up(current, words) && catalogue::is_plain(other) {
            self.forget_deployment(current, 0);
            self.choose(other);
        } else if self.makes_way(current, other, words) || !self.stays(current, other, words) {
            self.replace(current, other, words);
        }
    }

    /// Whether the current deployment was not really asked for, so that any other takes its place.
    fn makes_way(&self, current: &Blueprint, other: &Blueprint, words: &Words) -> bool {
        let named = other.clear_score(words) > 0;
        // “My boss says we need Kubernetes”, and then “MySQL on one server”
        let server = || catalogue::is_plain(other) && catalogue::asks_for_a_server(words);
        if self.was_only_considered(current) && (named || server()) {
            return true;
        }
        // “A health check on /healthz”, and then “HAProxy at Hetzner”
        let hinted = || self.said.iter().all(|said| !current.is_asked_for_itself(said));
        current.id == TOY && named && hinted() && !is_only_mentioned(other, words)
    }

    /// Whether the current deployment stays, although the message names the other one.
    fn stays(&self, current: &Blueprint, other: &Blueprint, words: &Words) -> bool {
        if is_only_mentioned(other, words) || self.stays_within(current, words, other) {
            return true;
        }
        let named = self.was_named(current);
        // “Then at least a normal Debian server”
        if catalogue::is_plain(other) && takes_a_plain_server(current, words, named) {
            return false;
        }
        // A message must name another deployment more clearly than the current one to replace it, because many words fit
        // several deployments.
        is_clearer(current, words, other)
            || adds_to_the_current(words, other, named)
            || named && is_a_part_of(current, words, other) && !is_given_up(current, words)
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

/// Whether the message only says where the deployment is, or speaks of it without asking for it.
fn is_only_mentioned(other: &Blueprint, words: &Words) -> bool {
    catalogue::is_only_where(other, words) || is_only_spoken_of(words, other)
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
