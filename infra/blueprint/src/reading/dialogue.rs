//! What the user wants, from everything the user said.
//!
//! For each answer, the model reads the whole conversation again, message by message. A later message overrides an
//! earlier one. The model stores nothing between requests. The dialogue lists what cannot be built as requested beside
//! the choice. The requirements are not ready until the user has seen this list and agreed to it.

mod agreement;
mod amends;
mod amounts;
pub mod changing;
mod chosen;
mod conditions;
mod corrections;
mod evidence;
mod exchanging;
mod facts;
mod fitting;
mod for_some;
mod frequencies;
mod hints;
mod inquiries;
mod kept;
mod languages;
mod limits;
mod lines;
mod logins;
mod nets;
mod offline;
mod only_port;
mod ordinals;
mod phrases;
pub mod quotes;
mod recount;
mod replacing;
mod replay;
mod resuming;
mod retention;
mod rotation;
mod second_best;
mod sizing;
mod suggestions;
mod system;
mod undecided;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::slips;
use super::wishes::{self, Asked, Fate};
use crate::catalogue::foreign::Foreign;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::questions::Question;
use crate::catalogue::sizes::{Family, Kind};
use crate::catalogue::{self, Blueprint, networks};
use crate::choice::Choice;
use crate::words::language::Language;
use crate::words::{Words, lists, numbers};
use chosen::nearest;
use phrases::{GREETINGS, looks_like_a_secret, without_placeholders};
use replay::Replay;

/// The user's wishes so far.
#[derive(Clone, Default)]
pub struct Dialogue {
    pub blueprint: Option<&'static Blueprint>,
    values: BTreeMap<&'static str, String>,
    /// Keys of the values that the user mentioned.
    named: BTreeSet<&'static str>,
    /// The sizes of the server that the user asked for.
    sizes: BTreeMap<Kind, u32>,
    /// The kind of cores that the user asked for.
    family: Family,
    /// The values that differ from what the user mentioned, by key.
    limited: BTreeMap<&'static str, limits::Limited>,
    confirmed: bool,
    /// Everything said so far, in English. It is read again when the user chooses a deployment.
    said: Vec<Arc<Words>>,
    /// Whether the user asked to wait and has not yet asked to go on.
    held: bool,
    /// Everything that is not built as requested.
    pub asked: Vec<Asked>,
    /// Requested features that are built beside the deployment, as separate requirements.
    pub covered: Vec<&'static str>,
    /// Things that the user ruled out and the deployment does not have.
    pub left_out: Vec<String>,
    /// The quotations that the user turned down.
    turned_down: Vec<String>,
    /// The rows for what is not built because a second best is.
    second_best: Vec<Asked>,
    /// The rows for conditions that no rule understands.
    stated: Vec<Asked>,
    /// The deployments that the chosen one replaced.
    replaced: Vec<&'static Blueprint>,
    /// What the latest message takes if what it asks for is not possible.
    spare: Option<Words>,
    /// Ids of the deployments that the user gave up for another one, and may return to.
    given_up: BTreeSet<&'static str>,
    /// The user's words by which nothing may be built for now.
    pub stopped: Option<String>,
    /// The rows of features that are built in another way, each with the feature's wish.
    otherwise: BTreeMap<String, &'static str>,
    /// The rows that the latest withdrawal removed.
    gone: Vec<Asked>,
    /// Wishes that the user withdrew in the latest message.
    withdrawn: Vec<String>,
    /// Whether the user wishes the system that the servers have.
    system: bool,
    /// Whether the user still has to agree to what is not built as requested.
    pub unagreed: bool,
    /// The deployment nearest to a wish that cannot be built, while no deployment is chosen.
    pub nearest: Option<&'static Blueprint>,
    pub language: Language,
    /// Whether the answer to the latest message lists everything that can be built.
    listed: bool,
    pub latest: Latest,
}

/// Content of one message.
#[derive(Clone, Default)]
pub struct Latest {
    /// Whether it chose a deployment or replaced the chosen one.
    pub chosen: bool,
    pub changed: Vec<(&'static Parameter, String)>,
    /// The values that it replaced.
    former: Vec<String>,
    /// Whether it wants another product in the place of a component, so that the deployment stays.
    exchanged: bool,
    /// The feature that it wants at another time than that at which it is built.
    rescheduled: Option<&'static str>,
    /// Positions of the words that a row has as a whole: those by which it lets only some connect to a port.
    reported: BTreeSet<usize>,
    /// Positions of the words by which it gives an amount: “cut the memory in half”.
    spent: BTreeSet<usize>,
    /// Requests in it that are not built as stated.
    pub asked: Vec<Asked>,
    /// Reasons why some of its requests are impossible.
    pub refused: Vec<String>,
    pub confirmed: bool,
    /// Whether it accepts a proposal although no deployment is chosen.
    pub in_vain: bool,
    pub withdrawn: bool,
    /// Whether it says that nothing may be built for now.
    pub stopped: bool,
    /// Whether a part of it counts only under a condition.
    conditional: bool,
    pub question: bool,
    /// Its questions that have an answer of their own.
    pub questions: Vec<&'static Question>,
    /// What it leaves to the model.
    undecided: undecided::Undecided,
    /// The deployment that it chooses by a number.
    numbered: Option<&'static Blueprint>,
    /// Whether it asks for everything that can be built.
    pub lists: bool,
    /// Whether it asks for that right after the answer that listed it.
    pub listed: bool,
    pub greeting: bool,
    /// Whether it contains something that looks like a credential.
    pub secret: bool,
}

/// The value for an empty list, in lists that may be empty.
pub const NOTHING: &str = "none";

/// Key of the parameter that lists the open ports.
const OPEN_PORTS: &str = "open-ports";

/// Heading of the open questions in a requirements document.
pub const STILL_OPEN: &str = "## Still open";

/// Heading of the list of everything the user asked for. The product repeats the list under this heading, with ids.
pub const ASKED: &str = "## What you asked for";

/// A line under [`STILL_OPEN`].
pub const YOUR_AGREEMENT: &str = "- Your word on what is not built as asked";

impl Dialogue {
    /// Reads every message in order.
    pub fn replay(self, messages: &[String]) -> Dialogue {
        Replay::of(self, messages, &|_| {}).dialogue
    }

    /// Reads one more message.
    pub fn read(&mut self, message: &str) {
        self.read_language(message);
        let words = slips::heard(&without_placeholders(message), self.language);
        self.latest = Latest { secret: looks_like_a_secret(message), ..Latest::default() };
        let words = self.read_questions(words);
        let (words, turned_down) = words.without_turned_down();
        self.turned_down.extend(turned_down);
        let (words, unwanted) = words.without_labeled();
        self.turned_down.extend(unwanted);
        let (words, later) = words.without_postponed();
        let words = self.read_conditions(words);
        self.spare = None;
        let spare = words.spare();
        let (words, second_best) = self.settle(words);
        self.second_best.extend(second_best);
        self.spare = spare;
        self.take(&words, later);
        let new = self.turned_down.iter().filter(|text| !self.left_out.contains(text));
        self.left_out.extend(new.cloned().collect::<Vec<_>>());
        self.listed = self.latest.lists || self.latest.listed;
    }

    /// Reads the words of one more message.
    fn take(&mut self, words: &Words, later: Vec<String>) {
        let known_before = self.blueprint.is_some();
        let before = self.before();
        self.latest.question = words.is_question() || self.is_answered();
        self.latest.greeting = words.means_any(GREETINGS);
        self.read_deployment(words);
        if self.latest.chosen {
            self.reread_earlier(known_before, words);
        }
        self.read_values(words);
        self.read_sizes(words);
        self.fit_the_server();
        self.check_values(words, &before);
        self.keep_its_ports();
        self.report_silent_ports();
        self.drop_removed();
        let covered = self.covered.len();
        self.read_wishes(words);
        self.lack([self.second_best.clone(), self.stated.clone()].concat());
        self.take_up_postponed();
        self.postpone(later);
        self.update_own_disk();
        self.ask_about_the_deployment(words, &before);
        self.read_agreement(words, known_before);
        if known_before && self.covered.len() == covered {
            self.report_ineffective(words);
        }
        self.said.push(Arc::new(words.clone()));
    }

    /// Notes what the message rules out, and forgets what it asks for after all. A wish that the message takes back
    /// needs no note.
    fn leave_out(&mut self, left_out: Vec<String>, words: &Words) {
        self.left_out.retain(|cue| !words.means(cue));
        let wanted = |cue: &&String| self.said.iter().any(|earlier| earlier.means(cue));
        let known = |cue: &&String| self.left_out.iter().any(|known| known.contains(*cue));
        let new = left_out.iter().filter(|cue| !known(cue) && !wanted(cue));
        let mut new: Vec<_> = new.filter(|cue| !self.says_nothing(cue)).cloned().collect();
        new.dedup();
        self.left_out.extend(new);
    }

    /// Whether something that a message rules out says nothing on its own: “two” of “make it three instead of two”,
    /// “three nodes” if the plan has two, and “the other way round” after “no”.
    fn says_nothing(&self, ruled_out: &str) -> bool {
        let mut words = ruled_out.split(' ').map(str::to_lowercase).peekable();
        let number = |word: &String| numbers::read(word).is_some() || lists(NUMBERS, word);
        let counts = words.next_if(number).is_some();
        let counted = self.parameters().any(|one| ["servers", "app-servers"].contains(&one.key));
        let noun = |word: &String| number(word) || counted && lists(MACHINES, word);
        counts && words.all(|word| noun(&word)) || Words::of(ruled_out).reversal().is_some()
    }

    fn account(&self, words: &Words, answers: bool) -> wishes::Account {
        wishes::account(words, &self.context(Vec::new(), answers))
    }

    fn context(&self, replaced: Vec<&'static Blueprint>, answers: bool) -> wishes::Context<'_> {
        wishes::Context {
            blueprint: self.blueprint,
            covers: self.choice().map(|choice| choice.covers()).unwrap_or_default(),
            parameters: self.parameters().collect(),
            values: &self.values,
            wanted: self.limited.keys().filter_map(|key| self.wanted(key)).collect(),
            former: self.latest.former.iter().map(String::as_str).collect(),
            changed: self.latest.changed.iter().map(|(parameter, _)| parameter.key).collect(),
            answers,
            replaced,
        }
    }

    /// The choice so far, with defaults for what the user did not mention.
    pub fn choice(&self) -> Option<Choice> {
        self.blueprint.map(|blueprint| Choice::new(blueprint, &self.values))
    }

    /// The parameters of the deployment and of the additions chosen so far.
    fn parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        let asked = self.blueprint.map(|blueprint| blueprint.parameters_with(&self.values));
        asked.into_iter().flatten()
    }

    /// The values that the user mentioned, each with its parameter.
    pub fn named_values(&self) -> impl Iterator<Item = (&'static Parameter, &str)> {
        let named = self.parameters().filter(|parameter| self.named.contains(parameter.key));
        named.filter_map(|parameter| Some((parameter, self.values.get(parameter.key)?.as_str())))
    }

    /// Parameters that the model asks for and the user has not answered.
    pub fn missing(&self) -> Vec<&'static Parameter> {
        let open =
            |parameter: &&Parameter| parameter.asked && !self.values.contains_key(parameter.key);
        self.parameters().filter(open).collect()
    }

    /// The same, unless the user has accepted the defaults.
    pub fn open(&self) -> Vec<&'static Parameter> {
        if self.confirmed { Vec::new() } else { self.missing() }
    }

    /// Whether nothing is open: the user has chosen, answered or accepted the defaults, and agreed to everything.
    pub fn ready(&self) -> bool {
        let settled = self.confirmed || self.missing().is_empty();
        self.blueprint.is_some() && !self.held && !self.unagreed && settled
    }

    /// Records which requests of the message are planned and which are not planned as stated.
    fn read_wishes(&mut self, words: &Words) {
        let hint = self.hint(words);
        if self.nearest.is_none() && self.blueprint.is_none() {
            let foreign = Foreign::in_message(words);
            let main = foreign.into_iter().filter(|foreign| foreign.is_main());
            let main = main.filter(|foreign| catalogue::is_asked_for(foreign, words));
            self.nearest = nearest(main, words);
        }
        self.withdrawn.clear();
        self.read_system(words);
        let mut rest = words.clone().without(&self.latest.reported);
        for read in [
            Self::keep_components,
            Self::correct_number,
            Self::correct_percentage,
            Self::correct_frequency,
            Self::keep_ssh_port,
            Self::read_offline,
            Self::withdraw,
            Self::keep_it,
        ] {
            let spent = read(self, &rest);
            if !spent.is_empty() {
                rest = rest.without(&spent);
            }
        }
        let words = &rest;
        let answers = self.latest.question && !self.latest.chosen;
        let wishes::Account { mut asked, covered, otherwise, refused, left_out } =
            self.account(words, answers);
        // A question asks for nothing to be built, but the other sentences of its message may.
        let (covered, refused, left_out) = match answers {
            false => (covered, refused, left_out),
            true => {
                let requests = self.account(&words.requests(), false);
                (requests.covered, requests.refused, requests.left_out)
            }
        };
        let doubted = words.doubts_its_refusals();
        let (left_out, doubted) =
            if doubted { (Vec::new(), left_out) } else { (left_out, Vec::new()) };
        asked.extend(doubted.into_iter().map(|what| Asked { what, fate: Fate::NotUnderstood }));
        // “We'll install Jenkins by hand” takes back an earlier wish for it.
        self.asked.retain(|row| row.fate != Fate::Not || !left_out.contains(&row.what));
        self.leave_out(left_out, words);
        self.covered.retain(|wish| !refused.contains(wish));
        self.settle_for(words, &covered);
        self.otherwise.extend(otherwise);
        let rescheduled = self.latest.rescheduled;
        self.cover(covered.into_iter().filter(|wish| Some(*wish) != rescheduled).collect());
        // A value outside its limits has a row already.
        let limited = |what: &str| {
            let mut rows = self.limited.values().map(|limited| limited.asked.what.as_str());
            rows.any(|row| row == what || (networks::has_address(what) && row.ends_with(what)))
        };
        asked.retain(|asked| asked.fate != Fate::NotUnderstood || !limited(&asked.what));
        asked.retain(|asked| !self.withdrawn.iter().any(|gone| asked.what.ends_with(gone)));
        self.replace_ssh_port(&asked);
        self.drop_refused_places(words);
        self.lack(hint.into_iter().chain(asked).collect());
    }
}

/// Numbers of servers in the users' languages.
const NUMBERS: &str = "zwei drei vier fünf dos tres cuatro cinco deux trois quatre cinq";
/// Words for several servers.
const MACHINES: &str = "servers nodes machines boxes servern knoten maschinen servidores nodos \
    máquinas serveurs nœuds noeuds";

#[cfg(test)]
mod tests;
