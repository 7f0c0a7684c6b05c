//! The values that a message gives for the parameters of the deployment.

use std::collections::BTreeSet;

use super::phrases::{AGREED, GO_AHEAD, GREETINGS, WAIT};
use super::replacing::{REPLACING, begins_with_and};
use super::{Dialogue, NOTHING, OPEN_PORTS};
use crate::catalogue::additions::{self, ADDITIONS};
use crate::catalogue::parameters::{ADDING, Found, Parameter};
use crate::catalogue::{self, networks, places, sizes, spans, stacks};
use crate::reading::wishes::{Asked, Fate};
use crate::words::{Shape, Words};

/// Words for a domain beside the first one.
pub(super) const SECOND: &[&str] =
    &["second", "further", "zweite", "weitere", "segundo", "otro", "deuxième", "autre"];

/// Words by which a later message changes the domain.
const CHANGING: &[&str] =
    &["domain", "site", "website", "address", "instead", "rather", "change", "move", "now"];

/// Keys of values for which the user's own words count more than what the user quotes from somebody else.
const OUTSIDE: &[&str] = &[
    "servers",
    "app-servers",
    "location",
    "region",
    "server-type",
    "instance-type",
    "ssh-from",
    OPEN_PORTS,
    "dump-days",
    "retention-days",
];

impl Dialogue {
    pub(super) fn read_values(&mut self, words: &Words) {
        self.read_named_values(words);
        if self.blueprint.is_some()
            && self.latest.changed.is_empty()
            && self.latest.refused.is_empty()
        {
            self.read_bare_answer(words);
        }
    }

    pub(super) fn read_named_values(&mut self, words: &Words) {
        self.latest.spent.clear();
        self.latest.reported.clear();
        let ports = self.other_ports();
        let own = self.parameters().count();
        self.parameters().for_each(|parameter| self.read_value(parameter, words));
        // An addition that this message selected has its own parameters.
        self.parameters().skip(own).for_each(|parameter| self.read_value(parameter, words));
        self.keep_other_ports(ports);
        self.close_ports_for_some(words);
        self.recount(words);
        self.unwatch(words);
        self.reopen(words);
        self.reclose(words);
        self.doubt_names(words);
    }

    /// Reads an earlier message for the deployment that was chosen after it. If that replaces another one, only the domain
    /// is read again: the numbers and names were meant for the other one.
    pub(super) fn reread_values(&mut self, words: &Words, replaced: bool) {
        if !replaced {
            return self.read_named_values(words);
        }
        let domains = self.parameters().filter(|one| ["domain", "site-domain"].contains(&one.key));
        let unknown = domains.filter(|one| !self.values.contains_key(one.key));
        unknown.collect::<Vec<_>>().into_iter().for_each(|one| self.read_value(one, words));
    }

    /// Reads what a message says about a parameter, unless it says it of something else.
    fn read_value(&mut self, parameter: &'static Parameter, words: &Words) {
        let rest = self.without_ports_for_some(parameter, words);
        let words = rest.as_ref().unwrap_or(words);
        if self.readdress(parameter, words)
            || self.is_of_a_service(parameter, words)
            || self.is_of_a_known_address(parameter, words)
            || self.names_a_further_domain(parameter, words)
            || self.keeps_its_port(parameter, words)
        {
            return;
        }
        let first = !self.named.contains(parameter.key);
        let found = self.found_value(parameter, words);
        if self.renames_another(parameter, words)
            || self.is_a_part_of_the_domain(parameter, words, &found)
            || self.has_no_password(parameter, words, &found)
        {
            return;
        }
        let found = self.place_beside(parameter, words).filter(|_| first).unwrap_or(found);
        let later = self.latest_mention(parameter, words, &found);
        match later.map_or(found, Found::Value) {
            Found::Value(value) if self.watches_more(parameter, words) => {
                self.change(parameter, value.split(',').map(str::to_string).collect(), &[], true)
            }
            Found::Value(value) => self.set(parameter, value),
            Found::Changed { added, removed } => {
                self.change_as_said(parameter, words, added, &removed);
            }
            Found::Nearest { value, asked, how } => {
                let asked = Asked { what: asked, fate: Fate::Differently(how) };
                self.limit(parameter, value, asked, None);
            }
            Found::Refused(reason) => self.latest.refused.push(reason),
            Found::Nothing => {}
        }
    }

    /// Whether an address corrects what an earlier message says of something else: “the office is now 203.0.113.16”.
    fn is_of_a_known_address(&self, parameter: &Parameter, words: &Words) -> bool {
        parameter.key == networks::SSH_FROM.key
            && !self.named.contains(parameter.key)
            && !networks::names_ssh(words)
            && self.asked.iter().any(|asked| networks::has_address(&asked.what))
    }

    /// The value that a message gives, perhaps without naming what it is of.
    fn found_value(&mut self, parameter: &'static Parameter, words: &Words) -> Found {
        let corrected = self.corrected(parameter, words).map(Found::Value);
        // “My colleague writes “three nodes”; I say one”
        let outside = words.outside_quotations().filter(|_| OUTSIDE.contains(&parameter.key));
        let outside = outside.map(|words| parameter.found_in(&words));
        let outside = outside.filter(|found| *found != Found::Nothing);
        // “Ten years is silly, keep 35 days”: a span that an earlier message said is the old one.
        let fresh = self.without_old_spans(parameter, words);
        if fresh.is_some() {
            let spans = spans::all(words).into_iter().flat_map(|span| span.values);
            self.latest.spent.extend(spans);
        }
        let fresh = fresh.as_ref().unwrap_or(words);
        match corrected.or(outside).unwrap_or_else(|| parameter.found_in(fresh)) {
            Found::Nothing => self.meant_value(parameter, words),
            found => found,
        }
    }

    /// The value that a message gives without naming what it is of.
    fn meant_value(&self, parameter: &'static Parameter, words: &Words) -> Found {
        if self.continues(parameter, words) {
            return (parameter.find)(words);
        }
        if self.resizes_an_addition(parameter, words) {
            let sizes = sizes::asked(words).into_iter().rev();
            let mut sizes = sizes.filter(|size| size.kind == sizes::Kind::Memory);
            let size = sizes.next().map(|size| format!("{}gb", size.number));
            return Found::maybe(size.and_then(|size| (parameter.accept)(&size)));
        }
        let disk = || self.resized_disk(parameter, words);
        let disk = self.has_given(parameter.key).then(disk).flatten();
        Found::maybe(disk.or_else(|| self.amended(parameter, words)))
    }

    /// Adds values to a list and removes others, unless the values may be of something else.
    fn change_as_said(
        &mut self,
        parameter: &'static Parameter,
        words: &Words,
        mut added: Vec<String>,
        removed: &[String],
    ) {
        let said = |item: &String| words.values().any(|value| value == item);
        let said = added.iter().chain(removed).any(said);
        let ports = parameter.key == OPEN_PORTS;
        if ports && !added.is_empty() && self.exchanges_a_closed_port(words, &added) {
            return self.doubt(parameter, &added.join(", "));
        }
        // “HAProxy before two web servers” opens no port that the message does not name.
        let unnamed = ports && parameter.default != NOTHING;
        if unnamed && !said {
            return;
        }
        added.retain(|port| !unnamed || words.values().any(|value| value == port));
        self.change(parameter, added, removed, said);
    }

    /// Whether a message opens ports in place of one that is not open, so that it may speak of something else: “port 6380
    /// instead of 6379”.
    fn exchanges_a_closed_port(&self, words: &Words, added: &[String]) -> bool {
        let list = self.values.get(OPEN_PORTS).map_or("", String::as_str);
        let open = |port: &String| catalogue::listed_ports(list).any(|open| open == port);
        let is_port = |value: &str| value.parse::<u16>().is_ok();
        let numbered = |place: std::ops::Range<usize>| {
            let mut clause = words.clause(words.origin(place.start));
            clause.any(|at| words.values().nth(at).is_some_and(is_port))
        };
        let exchanged = ["instead of", "rather than"]
            .iter()
            .any(|pair| words.places(pair).into_iter().any(numbered));
        let others = words.values().filter(|value| is_port(value)).map(str::to_string);
        let others: Vec<String> = others.filter(|port| !added.contains(port)).collect();
        exchanged && !others.is_empty() && !others.iter().any(open)
    }

    /// Whether the message names a domain beside the first one: “and also www.example.org”.
    fn names_a_further_domain(&self, parameter: &Parameter, words: &Words) -> bool {
        ["domain", "site-domain"].contains(&parameter.key)
            && self.named.contains(parameter.key)
            && (words.means_any(ADDING)
                || words.means_any(SECOND)
                || begins_with_and(words) && !words.means_any(CHANGING))
    }

    /// Whether a later message names addresses to watch beside the present ones. Only one that replaces or restricts
    /// something gives them up.
    fn watches_more(&self, parameter: &Parameter, words: &Words) -> bool {
        parameter.key == stacks::WATCHED.key
            && self.has_given(parameter.key)
            && (begins_with_and(words)
                || !(words.means_any(REPLACING)
                    || words.means_any(&["only", "just"])
                    || words.changes_the_mind()))
    }

    /// Whether a later message names a host below the present domain, for something else: “phpBB at forum.example.org”
    /// after “WordPress at example.org”.
    fn is_a_part_of_the_domain(&self, parameter: &Parameter, words: &Words, found: &Found) -> bool {
        let present = self.values.get(parameter.key).filter(|_| self.named.contains(parameter.key));
        let (Some(present), Found::Value(host)) = (present, found) else { return false };
        let present = present.strip_prefix("www.").unwrap_or(present);
        let below = host.strip_suffix(present).and_then(|start| start.strip_suffix('.'));
        ["domain", "site-domain"].contains(&parameter.key)
            && below.is_some_and(|start| start != "www")
            && !words.means_any(CHANGING)
    }

    /// Whether a later message refers to an addition without its name: “make that 384 MB”. A number of MB is not the
    /// size of a server, but it may be of something else that the message names.
    fn continues(&self, parameter: &Parameter, words: &Words) -> bool {
        const UNITS: &[&str] = &["mb", "mib", "megs", "megabytes"];
        const FEW: usize = 12;
        let united = |value: &str| UNITS.iter().any(|unit| value.ends_with(unit));
        // “A Redis with 1 GB”, and then “now 2 GB”: no server was sized so far.
        let gigabytes = || {
            let sizes = sizes::asked(words);
            self.named.contains(parameter.key)
                && !self.sizes.contains_key(&sizes::Kind::Memory)
                && sizes.iter().all(|size| size.alone)
                && words.count() <= FEW
        };
        additions::asking(parameter.key).is_some()
            && self.values.contains_key(ADDITIONS.key)
            && (words.values().any(united) || gigabytes())
            && !sizes::names_another_owner_than(words, &["cache", "redis", "maxmemory"])
    }

    /// Whether a later message gives a memory to an addition that has one, and not to the server: “memory down to 3 GB”
    /// after “a Redis with 4 GB”.
    fn resizes_an_addition(&self, parameter: &Parameter, words: &Words) -> bool {
        let own = |size: &sizes::Size| sizes::may_be_of_a_program(words, size.values.start);
        additions::asking(parameter.key).is_some()
            && self.named.contains(parameter.key)
            && !self.sizes.contains_key(&sizes::Kind::Memory)
            && sizes::asked(words).iter().all(own)
            && !sizes::names_another_owner(words)
    }

    /// The place in the clauses that name the deployment, if the message also has another one: “one server in Nuremberg for
    /// the files, the other in Helsinki for PostgreSQL”.
    fn place_beside(&self, parameter: &Parameter, words: &Words) -> Option<Found> {
        let blueprint =
            self.blueprint.filter(|_| ["location", "region"].contains(&parameter.key))?;
        let mut places = places::own(words, places::of(blueprint.place));
        places.retain(|place| !place.refused && !words.ends_in_question(place.values.start));
        let named: BTreeSet<usize> = blueprint
            .own_cues()
            .flat_map(|cue| words.meant_at(cue))
            .flat_map(|place| words.clause_of(&place))
            .collect();
        let beside = |place: &&places::Mention| named.contains(&place.values.start);
        let here: BTreeSet<&str> = places.iter().filter(beside).map(|place| place.code).collect();
        let two = places.iter().any(|place| !beside(&place) && !here.contains(place.code));
        let one =
            here.into_iter().next().filter(|_| two && places.iter().filter(beside).count() == 1);
        one.and_then(|code| (parameter.accept)(code)).map(Found::Value)
    }

    /// The size that a later message gives to the disk without naming it: “make that 50 GB”.
    fn resized_disk(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        const UNITS: &[&str] = &["gb", "gib", "gig", "gigs"];
        const FEW: usize = 8;
        let disk = parameter.key == "volume-gb" && !self.said.is_empty() && words.count() <= FEW;
        let own =
            disk && !sizes::names_another_owner(words) && !words.means_any(&["ram", "memory"]);
        let facts = words.facts().into_iter().filter(|_| own);
        let gigabytes = facts.filter(
            |fact| matches!(&fact.shape, Shape::Number(unit) if UNITS.contains(&unit.as_str())),
        );
        let meant: Vec<_> = gigabytes.filter(|one| words.means_value(one.values.start)).collect();
        let [size] = meant.as_slice() else { return None };
        let asks = words.ends_in_question(size.values.start);
        (parameter.accept)(&size.value).filter(|_| !asks)
    }

    /// Whether an address is of those who reach what is added to the server, and not of those who log in: “Redis”, and then
    /// “only reachable from 10.0.0.0/24”.
    fn is_of_a_service(&self, parameter: &Parameter, words: &Words) -> bool {
        const REACHED: &[&str] =
            &["reachable", "accessible", "reach", "visible", "joignable", "exposed"];
        const MACHINES: &[&str] = &["server", "machine", "vps", "vm", "box", "host"];
        let added = |words: &Words| additions::all().any(|addition| words.means_any(addition.cues));
        parameter.key == networks::SSH_FROM.key
            && words.means_any(REACHED)
            && !networks::names_ssh(words)
            && !words.means_any(MACHINES)
            && self.blueprint.is_some_and(|blueprint| blueprint.takes_additions())
            && (added(words) || self.said.iter().any(|said| added(said)))
    }

    /// Reads a single word as the answer to an open question, the name's last because it accepts almost any word.
    fn read_bare_answer(&mut self, words: &Words) {
        let settled = words.means_any(GO_AHEAD)
            || words.means_any(AGREED)
            || words.means_any(GREETINGS)
            || words.means_any(WAIT)
            || words.means_any(&["no", "nope", "thanks", "help", "cancel"]);
        if words.count() != 1 || self.latest.chosen || settled {
            return;
        }
        if self.latest.question || self.latest.secret {
            return;
        }
        let Some(word) = words.values().next() else { return };
        let taken = self
            .missing()
            .into_iter()
            .rev()
            .find_map(|parameter| (parameter.accept)(word).map(|value| (parameter, value)));
        if let Some((parameter, value)) = taken {
            self.set(parameter, value);
        }
    }

    /// Adds values to a list and removes others; the word for an empty list is not one of its values. If the user did
    /// not say the values, such as the ports of “a website”, they count only if they change something.
    pub(super) fn change(
        &mut self,
        parameter: &'static Parameter,
        added: Vec<String>,
        removed: &[String],
        said: bool,
    ) {
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        let nothing = (parameter.accept)(NOTHING).map_or(parameter.default, |_| NOTHING);
        let present = present.split(',').filter(|item| !item.is_empty() && *item != nothing);
        let before: Vec<String> = present.map(str::to_string).collect();
        let nothing_new = added.iter().all(|item| before.contains(item) && !said);
        let mut items: Vec<String> = before.iter().cloned().chain(added).collect();
        items.retain(|item| !removed.contains(item));
        let list = if items.is_empty() { nothing.to_string() } else { items.join(",") };
        let refusal = self.blueprint.filter(|_| parameter.key == ADDITIONS.key);
        let refusal = refusal.and_then(|to| additions::refusal(to.id, to.title, &list));
        // Closing a closed port is not a change, and the list of wishes already says that the port is closed.
        let keeps = removed.iter().all(|item| !before.contains(item));
        if nothing_new && keeps && parameter.key == OPEN_PORTS {
            return;
        }
        match (refusal, (parameter.accept)(&list)) {
            (Some(refusal), _) => self.latest.refused.push(refusal),
            (None, Some(value)) => self.set(parameter, value),
            (None, None) => {
                self.latest.refused.push(format!("{} cannot be {list}.", parameter.label))
            }
        }
    }

    pub(super) fn set(&mut self, parameter: &'static Parameter, value: String) {
        self.lift(parameter.key);
        self.named.insert(parameter.key);
        let known = self.values.get(parameter.key);
        // Leaving out what was not there changes nothing.
        let same = known.is_none() && parameter.key == ADDITIONS.key && value == NOTHING;
        if same {
            self.values.insert(parameter.key, value);
        } else if known != Some(&value) {
            self.latest.former.extend(known.cloned());
            if ["location", "region"].contains(&parameter.key) {
                self.relocate(&known.cloned().unwrap_or_default(), &value);
            }
            self.latest.changed.push((parameter, value.clone()));
            self.values.insert(parameter.key, value);
        }
    }
}
