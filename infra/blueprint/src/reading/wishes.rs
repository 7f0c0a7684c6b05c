//! What a message asks for, word by word: planned, planned differently, not planned, or not understood.
//!
//! Every word is explained or reported. A word is explained if it is a cue or a value of the chosen deployment, or part
//! of something known that cannot be built; any other word is reported to the user as not understood. Words without a
//! meaning, such as articles and auxiliary verbs, are skipped. A word such as “basic” has no meaning alone, but it
//! stays with a wish beside it, as in “basic auth”, and a negation stays with what it rules out. `words/stop.txt` lists
//! both kinds. The words that are left are reported clause by clause; see [`clauses`].

mod amounts;
mod background;
mod bare_address;
mod clauses;
mod closed;
mod contacts;
mod context;
mod countries;
mod denied;
mod each;
mod features;
mod keys;
mod measures;
mod names;
mod open;
mod open_anyway;
mod others;
mod own_machine;
mod owned;
mod parts;
mod ruled_out;
mod second;
mod through;
mod times;
mod versioned;
mod volumes;

pub use background::background;
pub use context::{Context, DAYS};
pub use measures::contents;
pub use own_machine::{names_a_new_place, place as own_machine};
pub use owned::{
    EXISTING_SERVER, NEW as NEW_SERVER, NEW_DOMAIN, SSH_PORT, is_an_own_machine, is_elsewhere,
};
pub use volumes::{OWN_DISK, own_disk};

use std::collections::BTreeSet;

use crate::catalogue::differs;
use crate::catalogue::foreign::{self, Foreign, Kind, Mention, mentions};
use crate::catalogue::parameters::Found;
use crate::catalogue::places;
use crate::catalogue::{self, Blueprint, Place, additions, networks};
use crate::words::Words;
use contacts::Contacts;
use features::features;
use measures::measures;
use names::names_written_differently;
use open::Open;
use others::{of_no_blueprint, of_other_blueprints};
use ruled_out::ruled_out;

/// One thing that the user asked for, and how the plan treats it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub what: String,
    pub fate: Fate,
}

/// How the plan treats a wish that it does not fulfill as stated.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// The plan builds it in another way, which this describes.
    Differently(String),
    /// The plan does not build it.
    Not,
    /// The user wants it later, so the plan does not build it now.
    Later,
    /// The model does not know what it means.
    NotUnderstood,
}

impl Fate {
    /// The text for the document.
    pub fn in_document(&self) -> String {
        match self {
            Fate::Differently(how) => format!("instead: {how}"),
            Fate::Not => "not built".into(),
            Fate::Later => LATER.into(),
            Fate::NotUnderstood => "not understood, so not planned".into(),
        }
    }

    /// Reads the text from a document; `None` if the wish is built.
    fn of_document(text: &str) -> Option<Fate> {
        match (text.strip_prefix("instead: "), text) {
            (_, BUILT) => None,
            (Some(how), _) => Some(Fate::Differently(how.into())),
            (None, "not built") => Some(Fate::Not),
            (None, LATER) => Some(Fate::Later),
            (None, _) => Some(Fate::NotUnderstood),
        }
    }
}

/// The outcome of a wish that the user postponed, in the list of wishes.
pub const LATER: &str = "later, as asked";

/// Why something that the user rules out is not built.
pub const RULED_OUT: &str = "as you asked";

/// The outcome of a wish that is built, in the list of wishes.
pub const BUILT: &str = "built";

/// A row in a document's list of what the user asked for.
pub struct Row<'a> {
    /// The id that the product gave it; empty if the product did not write the list.
    pub id: &'a str,
    pub what: &'a str,
    /// The user's words from which it was read; empty if there are none.
    pub words: &'a str,
    /// How the plan treats it.
    pub outcome: &'a str,
}

impl Row<'_> {
    /// How the plan treats the wish; `None` if the plan builds it as stated.
    pub fn fate(&self) -> Option<Fate> {
        Fate::of_document(self.outcome)
    }

    /// What the user rules out, if the row is about that.
    pub fn ruled_out(&self) -> Option<&str> {
        let about = self.outcome.strip_prefix("not built: ") == Some(RULED_OUT);
        about.then_some(self.what)
    }
}

/// The rows under a heading.
pub fn rows<'a>(document: &'a str, heading: &str) -> Vec<Row<'a>> {
    let Some((_, list)) = document.split_once(heading) else { return Vec::new() };
    let list = list.split("\n#").next().unwrap_or_default();
    let lines = list.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.map(|line| line.split(" | ").collect::<Vec<&'a str>>());
    let rows = cells.filter_map(|cells| match cells.as_slice() {
        [id, what, words, outcome] => Some(Row { id, what, words: unquoted(words), outcome }),
        [id, what, outcome] => Some(Row { id, what, words: "", outcome }),
        [what, outcome] => Some(Row { id: "", what, words: "", outcome }),
        _ => None,
    });
    rows.filter(|row| row.what != "asked").collect()
}

/// The words of a cell in quotation marks; a cell without them quotes nothing.
fn unquoted(cell: &str) -> &str {
    cell.strip_prefix('“').and_then(|words| words.strip_suffix('”')).unwrap_or_default()
}

/// How the plan treats wishes that contradict each other.
pub const CONTRADICTION: &str =
    "only one of them, because they contradict each other; please say which one holds";

/// What the list says after a value that a later message may have changed.
pub const DOUBT: &str = " so far; please say which one holds";

/// The requirement that only the planned ports are open.
const CLOSED_PORTS: &str = "Nothing open but what is planned";

/// Maximum number of wishes listed from one message; one more row counts the rest.
const WISHES: usize = 40;

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
    let mut asked = Vec::new();
    let mut open = Open::of(words, context);
    let spoken = context.blueprint.map(|blueprint| features(blueprint, context, words, &mut open));
    let mut spoken = spoken.unwrap_or_default();
    if open.hides_a_quotation {
        asked.push(Asked { what: "the text in quotation marks".into(), fate: Fate::NotUnderstood });
    }
    let builds = |cue: &str| {
        let has = |blueprint: &Blueprint| blueprint.builds(&[cue], &spoken.cues, words);
        context.blueprint.is_some_and(has)
    };
    let ours = owned::runs_at_ours(words);
    let elsewhere = |cue: &str| ours && cue == owned::OURS || owned::is_elsewhere(cue, words);
    for foreign in Foreign::in_message(words) {
        let cues = foreign.cues.iter().filter(|cue| foreign.kind != Kind::Place || !elsewhere(cue));
        cues.for_each(|cue| open.take(cue));
    }
    let contacts = Contacts::of(words);
    asked.extend(contacts.rows(words, &mut open));
    // “Delete the logs after 14 days” only says how long to keep them.
    let deletions = context.deletions(words);
    let given = |mention: &Mention| {
        words.values_of(&mention.place).all(|at| deletions.contains(&at))
            || contacts.explain(words, &mention.place)
            || mention.foreign.is_a_purpose(&mention.place, words)
            || mention.foreign.is_only_compared(words)
            || context.blueprint.is_some_and(|blueprint| mention.foreign.is_run_by(blueprint))
    };
    let mut of_the_user = Vec::new();
    for mention in mentions(words, builds).into_iter().filter(|mention| !given(mention)) {
        let program = mention.foreign.is_main() || mention.foreign.kind == Kind::Part;
        if let Some(said) = foreign::theirs(&mention.place, words).filter(|_| program) {
            open.rule_out_range(&said);
            of_the_user.push(mention.what);
        } else if mention.foreign.kind != Kind::Place || !elsewhere(&mention.what) {
            asked.push(fate_of(versioned::with_version(mention, words, &mut open), context));
        }
    }
    let both = differs::contradictions(words).into_iter();
    asked.extend(both.map(|what| Asked { what, fate: Fate::Differently(CONTRADICTION.into()) }));
    let shut = closed::to_everybody(words, context, &mut open);
    spoken.covered.extend(shut.filter(|wish| !spoken.covered.contains(wish)));
    let closed = spoken.covered.contains(&CLOSED_PORTS);
    asked.extend(each::databases(words, context, &mut open));
    asked.extend(through::rows(words, &mut open));
    asked.extend(keys::public_key(context.blueprint, words, &mut open));
    asked.extend(volumes::extra(words, context, &mut open));
    asked.extend(bare_address::row(words, context, &mut open));
    asked.extend(
        context.blueprint.and_then(|b| keys::of_people(b, words, &mut open, &mut spoken.covered)),
    );
    let server = context.blueprint.and_then(|b| owned::existing_server(b, words, &mut open));
    // “My own server” has a row that says where it is built instead.
    let placed = asked.iter().any(|asked| foreign::is_a_place_of_ones_own(&asked.what));
    let own = Some(context.blueprint).filter(|_| server.is_none() && !placed);
    let own = own.and_then(|blueprint| match blueprint {
        Some(blueprint) => own_machine::row(blueprint, words, &mut open),
        None if context.answers => None,
        None => own_machine::row_of_none(words, &mut open),
    });
    let server = server.or(own);
    let mut left_out = ruled_out(words, context, closed, &mut open);
    left_out.extend(of_the_user);
    for blueprint in catalogue::ALL.iter() {
        blueprint.own_cues().for_each(|cue| open.take(cue));
    }
    let replaced = context.replaced.iter().flat_map(|blueprint| blueprint.cues());
    replaced.for_each(|cue| open.take(cue));
    if let Some(blueprint) = context.blueprint {
        // “One in Ashburn, one in Hillsboro”: only the town where it is built is explained.
        let town = |cue: &str| places::of(blueprint.place).iter().any(|(name, _)| *name == cue);
        blueprint.cues().filter(|cue| !town(cue)).for_each(|cue| open.take(cue));
        // “HAProxy with health checks”: the feature has a row, and does not ask for a web service with a health check.
        let others = of_other_blueprints(blueprint, context, words);
        asked.extend(others.filter(|other| !spoken.cues.contains(&other.what.as_str())));
        asked.append(&mut spoken.asked);
        for (cue, instead) in differs::of(blueprint.id, words) {
            open.take(cue);
            asked.push(Asked { what: cue.into(), fate: Fate::Differently(instead.into()) });
        }
        asked.extend(countries::countries(blueprint, context, words, &mut open));
        // “Port 22 reachable only from 203.0.113.7”
        let let_in = context.asks("ssh-from") && words.has("22");
        if let_in && networks::SSH_FROM.found_in(words) != Found::Nothing {
            ["port 22 reachable", "port 22", "22"].iter().for_each(|port| open.take(port));
        }
        // “203.0.113.0/27 except 203.0.113.30” has a row.
        let narrowed = networks::narrowed(words).into_iter().filter(|_| context.asks("ssh-from"));
        narrowed.for_each(|place| open.take_range(&place));
        context.shut_out(words).iter().for_each(|address| open.rule_out(address));
        let features::Spoken { covered, otherwise, .. } = &mut spoken;
        let time = times::of_backups(blueprint, covered, otherwise, &mut asked, words, &mut open);
        asked.extend(time);
        asked.extend(owned::webhooks(context, words, &mut open));
        asked.extend(measures(blueprint, context, words, &mut open));
        asked.extend(owned::ssh_port(blueprint, words, &mut open));
    }
    if context.blueprint.is_none() {
        let named = of_no_blueprint(&words.without_comparisons()).into_iter();
        let reported =
            |what: &str| asked.iter().any(|asked: &Asked| Words::of(&asked.what).has(what));
        let named: Vec<Asked> = named.filter(|named| !reported(&named.what)).collect();
        asked.extend(named);
    }
    if context.blueprint.is_some_and(|blueprint| !blueprint.place.provider().is_empty()) {
        ["own account", "my account", "our account", "hetzner account", "aws account"]
            .iter()
            .for_each(|account| open.take(account));
    }
    // With a single server, everything is on the same one.
    if context.blueprint.is_some_and(Blueprint::has_server) && context.counted().is_none() {
        ["machine", "server", "box", "host", "vps", "vm", "instance"]
            .iter()
            .for_each(|machine| open.take(&format!("same {machine}")));
        ["single node", "one node", "single server", "one server", "single machine"]
            .iter()
            .for_each(|one| open.take(one));
    }
    // “Redis on a server of its own” is what a plain server with an addition is.
    if context.blueprint.is_some_and(catalogue::is_plain) && context.values.contains_key(ADDITIONS)
    {
        open.take_own_machine();
    }
    let takes = context.blueprint.is_some_and(Blueprint::takes_additions);
    let additions = additions::all().filter(|_| takes).flat_map(|addition| addition.cues);
    additions.for_each(|cue| open.take(cue));
    asked.extend(unbuilt_additions(context, words).into_iter().filter(|_| takes));
    if context.blueprint.is_some() {
        open.take("docker");
    }
    open.take_values(context, words);
    open.take_values_at(&deletions);
    open.take_open_ports(context, words);
    words.changes_of_mind().for_each(|phrase| open.take(phrase));
    if context.answers {
        open.take_questions(words);
        open.take_code(words);
    }
    asked.extend(names_written_differently(words, context));
    open.reopen(&context.elsewhere(words));
    left_out.extend(denied::denied(words, context, &mut open));
    open.take_values_at(&background(words));
    for row in clauses::rows(&open, words) {
        asked.push(Asked { what: row, fate: Fate::NotUnderstood });
    }
    let reported = |cue: &str| asked.iter().any(|asked| Words::of(&asked.what).has(cue));
    left_out.retain(|cue| !reported(cue));
    if server.is_some() {
        asked.retain(|asked| !asked.what.starts_with("existing "));
        asked.extend(server);
    }
    let mut said = BTreeSet::new();
    asked.retain(|asked| said.insert(asked.what.clone()));
    if asked.len() > WISHES {
        let more = asked.split_off(WISHES);
        let what = format!("{} more things, from {} on", more.len(), more[0].what);
        asked.push(Asked { what, fate: Fate::NotUnderstood });
    }
    let features::Spoken { covered, otherwise, refused, .. } = spoken;
    Account { asked, covered, otherwise, refused, left_out }
}

/// The clauses of a message that changed nothing, if they say more than what is planned anyway.
pub fn unexplained(words: &Words, context: &Context) -> Vec<Asked> {
    let mut open = Open::of(words, context);
    let cues = context.blueprint.into_iter().flat_map(|blueprint| blueprint.cues());
    cues.for_each(|cue| open.take(cue));
    open.take_values(context, words);
    let rows = clauses::light(&open, words).into_iter();
    rows.map(|what| Asked { what, fate: Fate::NotUnderstood }).collect()
}

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
