//! Everything that a message asks for, apart from values: each wish that the plan does not fulfill as stated has a row.

use std::collections::BTreeSet;

use super::contacts::Contacts;
use super::context::Context;
use super::countries::countries;
use super::features::{Spoken, features};
use super::measures::measures;
use super::names::names_written_differently;
use super::open::Open;
use super::others::{of_no_blueprint, of_other_blueprints};
use super::ruled_out::ruled_out;
use super::{
    Asked, CLOSED_PORTS, CONTRADICTION, Fate, background, bare_address, clauses, closed, contacts,
    denied, each, keys, own_machine, owned, placed, provider_account, purposes, through, times,
    versioned, volumes,
};
use crate::catalogue::foreign::{self, Foreign, Kind, Mention, mentions};
use crate::catalogue::parameters::Found;
use crate::catalogue::{self, Blueprint, Place, additions, differs, networks, places};
use crate::words::Words;

/// Maximum number of wishes listed from one message; one more row counts the rest.
const MOST: usize = 40;

/// What a message asks for, apart from values.
pub struct Account {
    /// Everything that is not planned as stated.
    pub asked: Vec<Asked>,
    /// Features that the deployment has, as separate requirements.
    pub covered: Vec<&'static str>,
    /// The rows of features that are built in another way, each with the feature's wish.
    pub otherwise: Vec<(String, &'static str)>,
    /// Features that the user does not want.
    pub refused: Vec<&'static str>,
    /// Things that the user does not want and the deployment does not have: “without Traefik”.
    pub left_out: Vec<String>,
}

/// Finds everything that the message asks for, apart from values.
pub fn account(words: &Words, context: &Context) -> Account {
    let mut wishes = Wishes::of(words, context);
    let of_the_user = wishes.report_foreign_things();
    wishes.report_contradictions();
    let closed = wishes.close_ports();
    wishes.report_what_differs_on_any_deployment();
    let server = wishes.own_server();
    wishes.left_out = ruled_out(words, context, closed, &mut wishes.open);
    wishes.left_out.extend(of_the_user);
    wishes.take_names_of_deployments();
    match context.blueprint {
        Some(blueprint) => wishes.compare_with(blueprint),
        None => wishes.report_other_deployments(),
    }
    wishes.take_the_only_machine();
    wishes.compare_additions();
    wishes.take_what_is_understood();
    wishes.report_what_is_left();
    wishes.account(server)
}

/// The wishes of a message, and its words that none of them explains yet.
struct Wishes<'a> {
    words: &'a Words,
    context: &'a Context<'a>,
    open: Open,
    /// What the message says about features.
    spoken: Spoken,
    /// Positions of the values that only say how long to keep something: “delete the logs after 14 days”.
    deletions: BTreeSet<usize>,
    asked: Vec<Asked>,
    left_out: Vec<String>,
}

impl<'a> Wishes<'a> {
    /// Reads what the message says about features.
    fn of(words: &'a Words, context: &'a Context<'a>) -> Wishes<'a> {
        let mut open = Open::of(words, context);
        let spoken =
            context.blueprint.map(|blueprint| features(blueprint, context, words, &mut open));
        let quotation =
            Asked { what: "the text in quotation marks".into(), fate: Fate::NotUnderstood };
        Wishes {
            words,
            context,
            asked: open.hides_a_quotation.then_some(quotation).into_iter().collect(),
            open,
            spoken: spoken.unwrap_or_default(),
            deletions: context.deletions(words),
            left_out: Vec::new(),
        }
    }

    /// Reports the things that no deployment has. Returns those that the user has, which the plan leaves out.
    fn report_foreign_things(&mut self) -> Vec<String> {
        let (words, blueprint) = (self.words, self.context.blueprint);
        let ours = owned::runs_at_ours(words);
        let elsewhere = |cue: &str| ours && cue == owned::OURS || owned::is_elsewhere(cue, words);
        for foreign in Foreign::in_message(words) {
            let counts = |cue: &&&str| foreign.kind != Kind::Place || !elsewhere(cue);
            foreign.cues.iter().filter(counts).for_each(|cue| self.open.take(cue));
        }
        let contacts = Contacts::of(words);
        self.asked.extend(contacts.rows(words, &mut self.open));
        let builds = |cue: &str| {
            let has = |blueprint: &Blueprint| blueprint.builds(&[cue], &self.spoken.cues, words);
            blueprint.is_some_and(has)
        };
        let given = |mention: &Mention| {
            words.values_of(&mention.place).all(|at| self.deletions.contains(&at))
                || contacts.explain(words, &mention.place)
                || mention.foreign.is_a_purpose(&mention.place, words)
                || mention.foreign.is_only_compared(words)
                || blueprint.is_some_and(|blueprint| mention.foreign.is_run_by(blueprint))
        };
        let mut of_the_user = Vec::new();
        for mention in mentions(words, builds).into_iter().filter(|mention| !given(mention)) {
            let program = mention.foreign.is_main() || mention.foreign.kind == Kind::Part;
            if let Some(said) = foreign::theirs(&mention.place, words).filter(|_| program) {
                self.open.rule_out_range(&said);
                of_the_user.push(mention.what);
            } else if mention.foreign.kind != Kind::Place || !elsewhere(&mention.what) {
                let mention = versioned::with_version(mention, words, &mut self.open);
                self.asked.push(fate_of(mention, self.context));
            }
        }
        of_the_user
    }

    /// Reports the wishes that contradict each other.
    fn report_contradictions(&mut self) {
        let both = differs::contradictions(self.words).into_iter();
        let fate = || Fate::Differently(CONTRADICTION.into());
        self.asked.extend(both.map(|what| Asked { what, fate: fate() }));
    }

    /// Adds what the message wants closed to everybody. Returns whether only the planned ports are to be open.
    fn close_ports(&mut self) -> bool {
        let shut = closed::to_everybody(self.words, self.context, &mut self.open);
        let covered = &mut self.spoken.covered;
        let new = shut.filter(|wish| !covered.contains(wish));
        covered.extend(new);
        covered.contains(&CLOSED_PORTS)
    }

    /// Reports databases, ways in, keys, disks and addresses that no deployment has in this form.
    fn report_what_differs_on_any_deployment(&mut self) {
        let (words, context, open) = (self.words, self.context, &mut self.open);
        self.asked.extend(each::databases(words, context, open));
        self.asked.extend(through::rows(words, open));
        self.asked.extend(keys::public_key(context.blueprint, words, open));
        self.asked.extend(volumes::extra(words, context, open));
        self.asked.extend(bare_address::row(words, context, open));
        self.asked.extend(placed::row(context, words, open));
        self.asked.extend(closed::unopened(words, context, open));
        let covered = &mut self.spoken.covered;
        let of_people = context.blueprint.and_then(|b| keys::of_people(b, words, open, covered));
        self.asked.extend(of_people);
    }

    /// The row for a server that the user has and wants to use.
    fn own_server(&mut self) -> Option<Asked> {
        let (words, open) = (self.words, &mut self.open);
        let blueprint = self.context.blueprint;
        let server = blueprint.and_then(|b| owned::existing_server(b, words, open));
        // “My own server” has a row that says where it is built instead.
        let placed = || self.asked.iter().any(|one| foreign::is_a_place_of_ones_own(&one.what));
        if server.is_some() || placed() {
            return server;
        }
        match blueprint {
            Some(blueprint) => own_machine::row(blueprint, words, open),
            None if self.context.answers => None,
            None => own_machine::row_of_none(words, open),
        }
    }

    /// Marks the names of deployments as explained, also of those that the chosen one replaced.
    fn take_names_of_deployments(&mut self) {
        for blueprint in catalogue::ALL.iter() {
            blueprint.own_cues().for_each(|cue| self.open.take(cue));
        }
        let replaced = self.context.replaced.iter().flat_map(|blueprint| blueprint.cues());
        replaced.for_each(|cue| self.open.take(cue));
    }

    /// Reports what the message asks for and the deployment has in another way or not at all.
    fn compare_with(&mut self, blueprint: &'static Blueprint) {
        let (words, context) = (self.words, self.context);
        // “One in Ashburn, one in Hillsboro”: only the town where it is built is explained.
        let town = |cue: &str| places::of(blueprint.place).iter().any(|(name, _)| *name == cue);
        blueprint.cues().filter(|cue| !town(cue)).for_each(|cue| self.open.take(cue));
        // “HAProxy with health checks”: the feature has a row, and does not ask for a web service with a health check.
        let others = of_other_blueprints(blueprint, context, words);
        let others = others.filter(|other| !self.spoken.cues.contains(&other.what.as_str()));
        self.asked.extend(others);
        self.asked.append(&mut self.spoken.asked);
        for (cue, instead) in differs::of(blueprint.id, words) {
            self.open.take(cue);
            self.asked.push(Asked { what: cue.into(), fate: Fate::Differently(instead.into()) });
        }
        self.asked.extend(countries(blueprint, context, words, &mut self.open));
        self.take_addresses_of_ssh();
        let (Spoken { covered, otherwise, .. }, open) = (&mut self.spoken, &mut self.open);
        let time = times::of_backups(blueprint, covered, otherwise, &mut self.asked, words, open);
        self.asked.extend(time);
        self.asked.extend(owned::webhooks(context, words, open));
        let alerts = context.asks(catalogue::ALERTS_TO);
        self.asked.extend(contacts::of_alerts(words, alerts, open));
        self.asked.extend(measures(blueprint, context, words, open));
        self.asked.extend(owned::ssh_port(blueprint, words, open));
        if !blueprint.place.provider().is_empty() {
            provider_account::places(words)
                .iter()
                .for_each(|account| self.open.take_range(account));
        }
    }

    /// Marks what says from where SSH is reachable as explained.
    fn take_addresses_of_ssh(&mut self) {
        let (words, context, open) = (self.words, self.context, &mut self.open);
        let asks = context.asks("ssh-from");
        // “Port 22 reachable only from 203.0.113.7”
        let let_in = asks && words.has("22");
        if let_in && networks::SSH_FROM.found_in(words) != Found::Nothing {
            ["port 22 reachable", "port 22", "22"].iter().for_each(|port| open.take(port));
        }
        // “203.0.113.0/27 except 203.0.113.30” has a row.
        let narrowed = networks::narrowed(words).into_iter().filter(|_| asks);
        narrowed.for_each(|place| open.take_range(&place));
        context.shut_out(words).iter().for_each(|address| open.rule_out(address));
    }

    /// Reports the deployments that a message names without choosing one.
    fn report_other_deployments(&mut self) {
        let named = of_no_blueprint(&self.words.without_comparisons()).into_iter();
        let reported = |what: &str| self.asked.iter().any(|asked| Words::of(&asked.what).has(what));
        let named: Vec<Asked> = named.filter(|named| !reported(&named.what)).collect();
        self.asked.extend(named);
    }

    /// Marks “on the same machine” as explained: with a single server, everything is on the same one.
    fn take_the_only_machine(&mut self) {
        let (context, open) = (self.context, &mut self.open);
        if context.blueprint.is_some_and(Blueprint::has_server) && context.counted().is_none() {
            SAME_MACHINE.iter().chain(ONE_MACHINE).for_each(|machine| open.take(machine));
        }
        // “Redis on a server of its own” is what a plain server with an addition is.
        let plain = context.blueprint.is_some_and(catalogue::is_plain);
        if plain && context.values.contains_key(ADDITIONS) {
            open.take_own_machine();
        }
    }

    /// Marks what can be added to the server as explained, and reports what is not added.
    fn compare_additions(&mut self) {
        if !self.context.blueprint.is_some_and(Blueprint::takes_additions) {
            return;
        }
        let additions = additions::all().flat_map(|addition| addition.cues);
        additions.for_each(|cue| self.open.take(cue));
        self.asked.extend(unbuilt_additions(self.context, self.words));
    }

    /// Marks the values of the plan, and the words that are about the conversation, as explained.
    fn take_what_is_understood(&mut self) {
        let (words, context, open) = (self.words, self.context, &mut self.open);
        if context.blueprint.is_some() {
            open.take("docker");
        }
        open.take_values(context, words);
        open.take_values_at(&self.deletions);
        open.take_open_ports(context, words);
        let within = context.blueprint.map(|own| places::kept_within(words, places::of(own.place)));
        within.into_iter().flatten().for_each(|said| open.rule_out_range(&said));
        words.changes_of_mind().for_each(|phrase| open.take(phrase));
        if context.answers {
            open.take_questions(words);
            open.take_code(words);
        }
    }

    /// Reports names that are written in another way, and the clauses that nothing explains.
    fn report_what_is_left(&mut self) {
        let (words, context, open) = (self.words, self.context, &mut self.open);
        self.asked.extend(names_written_differently(words, context));
        open.reopen(&context.elsewhere(words));
        self.left_out.extend(denied::denied(words, context, open));
        open.take_values_at(&background(words));
        purposes::take(words, context, open);
        let rows = clauses::rows(open, words).into_iter();
        let fate = |what: &str| match what == clauses::SECRET {
            true => Fate::Differently(SECRETS.into()),
            false => Fate::NotUnderstood,
        };
        self.asked.extend(rows.map(|what| Asked { fate: fate(&what), what }));
        let reported = |cue: &str| self.asked.iter().any(|asked| Words::of(&asked.what).has(cue));
        self.left_out.retain(|cue| !reported(cue));
    }

    /// All rows, each once and not too many. The row for a server that the user has takes the place of weaker ones.
    fn account(self, server: Option<Asked>) -> Account {
        let Wishes { mut asked, left_out, spoken, .. } = self;
        // “On a VPS at Hetzner” has one row.
        let placed = Fate::Differently(placed::COMPOSE.into());
        if asked.iter().any(|asked| asked.fate == placed) {
            let provider = Fate::Differently(Place::Sandbox.words().into());
            asked.retain(|asked| asked.fate != provider);
        }
        if server.is_some() {
            asked.retain(|asked| !asked.what.starts_with("existing "));
            asked.extend(server);
        }
        // “Budget: 12 euros a month” has one row.
        if asked.iter().any(|asked| is_an_amount_of_money(&Words::of(&asked.what))) {
            asked.retain(|asked| asked.what != BUDGET);
        }
        // A deployment that has something in another way does not lack it.
        let is_other = |fate: &Fate| matches!(fate, Fate::Differently(_));
        let others = asked.iter().filter(|one| is_other(&one.fate));
        let others: Vec<String> = others.map(|one| one.what.clone()).collect();
        asked.retain(|one| one.fate != Fate::Not || !others.contains(&one.what));
        let mut said = BTreeSet::new();
        asked.retain(|asked| said.insert(asked.what.clone()));
        if asked.len() > MOST {
            let more = asked.split_off(MOST);
            let what = format!("{} more things, from {} on", more.len(), more[0].what);
            asked.push(Asked { what, fate: Fate::NotUnderstood });
        }
        let Spoken { covered, otherwise, refused, .. } = spoken;
        Account { asked, covered, otherwise, refused, left_out }
    }
}

/// The row for a limit of the costs, and the currencies in the row for its amount.
pub const BUDGET: &str = "budget";
const MONEY: &[&str] = &["euro", "eur", "€", "dollar", "usd", "$", "bucks", "chf", "gbp"];

/// Whether a row has an amount of money.
pub fn is_an_amount_of_money(row: &Words) -> bool {
    MONEY.iter().any(|money| row.has(money))
}

/// What is done with a secret in a message.
const SECRETS: &str = "only what you enter in the credentials form is used";

/// The only server, as the one on which something else is as well.
const SAME_MACHINE: &[&str] = &[
    "same machine",
    "same server",
    "same box",
    "same host",
    "same vps",
    "same vm",
    "same instance",
];

/// The only server, as one.
const ONE_MACHINE: &[&str] =
    &["single node", "one node", "single server", "one server", "single machine"];

/// Key of the parameter that lists what is added to a server.
const ADDITIONS: &str = additions::ADDITIONS.key;

/// What an earlier message wanted on the server of a deployment that is replaced: it may not be meant for the new one.
fn unbuilt_additions(context: &Context, words: &Words) -> Vec<Asked> {
    let chosen = context.values.get(ADDITIONS).map_or("", String::as_str);
    let built = |id: &str| chosen.split(',').any(|chosen| chosen == id);
    let lacking = additions::all().filter(|one| !context.replaced.is_empty() && !built(one.id));
    let named = lacking.filter_map(|one| one.cues.iter().find(|cue| words.means(cue)));
    named.map(|cue| Asked { what: cue.to_string(), fate: Fate::Not }).collect()
}

fn fate_of(Mention { foreign, what, .. }: Mention, context: &Context) -> Asked {
    let server = context.blueprint.filter(|blueprint| blueprint.has_server());
    let fate = match (foreign.kind, context.blueprint, server.map(|blueprint| blueprint.place)) {
        (Kind::Place, Some(blueprint), _) => Fate::Differently(blueprint.place.words().to_string()),
        (Kind::System, _, Some(Place::Aws)) => Fate::Differently("Debian".to_string()),
        (Kind::System, _, Some(Place::Hetzner)) => Fate::Differently("Debian 13".to_string()),
        _ => Fate::Not,
    };
    Asked { what, fate }
}
