//! What the user already has and wants to use: a server, a key to log in with, and a port for that. No deployment here
//! takes any of them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::context::Context;
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::foreign::{self, Foreign, Kind};
use crate::catalogue::{Blueprint, stacks};
use crate::words::language::Weight;
use crate::words::{Words, is_negation, numbers};

/// The row for a server that exists.
pub const EXISTING_SERVER: &str = "on an existing server";

/// The row for application servers that exist.
const EXISTING_APP_SERVERS: &str = "existing application servers";

/// Whether a row is about a machine or a place that the user has.
pub fn is_an_own_machine(row: &str) -> bool {
    [EXISTING_SERVER, EXISTING_APP_SERVERS].contains(&row) || foreign::is_a_place_of_ones_own(row)
}

/// What is left out if the user has a domain.
pub const NEW_DOMAIN: &str = "a new domain";

/// The start of the row for a port of SSH.
pub const SSH_PORT: &str = "ssh on port ";

/// Phrases for a server that exists. Their words are near each other.
const EXISTING: &[&str] = &[
    "server already exists",
    "server already exist",
    "already have server",
    "already have vps",
    "already have machine",
    "server already there",
    "server in place",
    "existing one",
    "existing server",
    "existing vps",
    "existing machine",
];

/// Phrases that a message rules out if the server is not to be a new one.
pub const NEW: &[&str] = &["new server", "new one", "new vps", "new machine", "another server"];

/// The row for a server that exists, if the message wants it to be used.
pub(super) fn existing_server(
    blueprint: &Blueprint,
    words: &Words,
    open: &mut Open,
) -> Option<Asked> {
    if !blueprint.has_server() {
        return None;
    }
    // HAProxy comes with the servers that it shares out requests to.
    let apps = blueprint.parameters.iter().any(|parameter| parameter.key == "app-servers");
    // What is watched, and what sends its logs, are servers of the user.
    let watches = ["monitoring-stack", "elk"].contains(&blueprint.id);
    let singular = |word: &str| !watches || !["servers", "machines"].contains(&word);
    let there = ["already there", "in place"].into_iter().filter(|_| apps);
    let said = EXISTING.iter().copied().chain(there).filter_map(|phrase| words.near(phrase));
    let said: Vec<_> = said.filter(|near| near.words(words).all(singular)).collect();
    let running = if apps { running(words) } else { BTreeSet::new() };
    open.take_values_at(&running);
    let new = || NEW.iter().filter(|phrase| words.excludes(phrase));
    if said.is_empty() && running.is_empty() && new().next().is_none() {
        return None;
    }
    for near in &said {
        near.words(words).for_each(|word| open.take(word));
    }
    new().for_each(|phrase| open.rule_out(phrase));
    if apps {
        let fate = Fate::Differently(format!("new ones {}", blueprint.place.words()));
        return Some(Asked { what: EXISTING_APP_SERVERS.into(), fate });
    }
    let fate = Fate::Differently(format!("on a new server {}", blueprint.place.words()));
    Some(Asked { what: EXISTING_SERVER.into(), fate })
}

/// Nouns for application servers.
const APP_SERVERS: &[&str] = &[
    "server",
    "servers",
    "appserver",
    "appservers",
    "app-server",
    "app-servers",
    "backend",
    "backends",
    "node",
    "nodes",
    "machine",
    "machines",
    "box",
    "boxes",
    "vm",
    "vms",
    "vps",
    "instance",
    "instances",
    "host",
    "hosts",
    "app-servern",
    "appservern",
    "app-serveur",
    "kisten",
    "kiste",
];

/// Words before such a noun that say no other kind.
const OF_APPS: &[&str] = &[
    "app",
    "application",
    "applications",
    "backend",
    "web",
    "existing",
    "hetzner",
    "debian",
    "linux",
    "our",
    "cloud",
];

/// Words by which something is so by now, and verbs of being there.
const BY_NOW: &[&str] = &["already", "schon", "bereits", "ya", "déjà", "still", "existing"];
const BEING: &[&str] = &[
    "run",
    "runs",
    "running",
    "exist",
    "exists",
    "existing",
    "have",
    "there",
    "up",
    "live",
    "online",
    "place",
    "laufen",
    "läuft",
    "laufende",
    "laufenden",
    "stehen",
    "steht",
    "da",
    "gibt",
    "gibt's",
    "gibts",
    "haben",
    "hab",
    "vorhanden",
    "bestehen",
    "existieren",
    "tengo",
    "tenemos",
    "hay",
    "corriendo",
    "corren",
    "corre",
    "funcionando",
    "funcionan",
    "andando",
    "existen",
    "están",
    "estan",
    "montados",
    "tournent",
    "tourne",
    "existent",
    "avons",
    "ai",
    "j'ai",
    "a",
    "là",
    "marchent",
    "service",
    "installés",
];

/// Verbs that say alone that something is there.
const EXISTING_VERBS: &[&str] = &["exist", "existieren", "existen", "existent"];

/// Verbs for changing something, which a user forbids for what exists.
const TOUCHING: &[&str] = &[
    "touch",
    "change",
    "rebuild",
    "replace",
    "anfassen",
    "anrühren",
    "anrührt",
    "ändern",
    "toques",
    "toquen",
    "toquéis",
    "tocar",
    "cambien",
    "cambies",
    "touchez",
    "touche",
    "toucher",
    "touches",
    "modifiez",
];

/// Words for servers that were named before.
const THOSE: &[&str] = &[
    "they", "they're", "n'y", "them", "those", "these", "that", "which", "die", "diese", "esos",
    "éstos", "estos", "ellos", "que", "los", "ils", "elles", "les", "qui", "y", "ceux-là", "all",
    "both", "sie",
];

/// The words by which the application servers run already, as positions of values: “two app servers, they run already”, “don't
/// touch them”.
fn running(words: &Words) -> BTreeSet<usize> {
    let values: Vec<&str> = words.values().collect();
    let clauses = words.clauses();
    let has = |clause: &Range<usize>, list: &[&str]| {
        values[clause.clone()].iter().any(|word| list.contains(word))
    };
    // “Our mail server” is another kind.
    let app = |at: usize| {
        let before = at.checked_sub(1).filter(|before| !words.ends_clause(*before));
        before.is_none_or(|before| {
            let full = words.language(before).weight(values[before]) == Weight::Full;
            !full || OF_APPS.contains(&values[before]) || numbers::read(values[before]).is_some()
        })
    };
    let named = |clause: &Range<usize>| {
        clause.clone().any(|at| {
            let plain = values[at].split('-').next_back().unwrap_or_default();
            (APP_SERVERS.contains(&values[at]) || APP_SERVERS.contains(&plain)) && app(at)
        })
    };
    // “They run already”, “which are already up”
    let pronoun = |clause: &Range<usize>| {
        let next = values.get(clause.start + 1).filter(|_| clause.len() > 1);
        THOSE.contains(&values[clause.start])
            && next.is_some_and(|next| {
                BEING.contains(next)
                    || BY_NOW.contains(next)
                    || ["are", "sind", "sont"].contains(next)
            })
    };
    // A clause about something else says nothing of the servers.
    let other = |clause: &Range<usize>| {
        clause.clone().any(|at| {
            let full = words.language(at).weight(values[at]) == Weight::Full;
            let known = |list: &[&str]| list.contains(&values[at]) || values[at] == "n'y";
            full && !known(APP_SERVERS) && !known(BEING) && !known(TOUCHING) && !known(BY_NOW)
        })
    };
    let mut found = BTreeSet::new();
    let mut servers = false;
    for clause in &clauses {
        let own = named(clause);
        let of_them = own || (servers && (pronoun(clause) || !other(clause) && has(clause, THOSE)));
        let there = has(clause, BY_NOW) && has(clause, BEING) || has(clause, EXISTING_VERBS);
        let untouched = clause.clone().any(|at| is_negation(values[at])) && has(clause, TOUCHING);
        let about = of_them && (there || untouched && !other(clause));
        if about {
            let said = |at: &usize| {
                [APP_SERVERS, BY_NOW, BEING, TOUCHING, THOSE]
                    .iter()
                    .any(|l| l.contains(&values[*at]))
                    || untouched && is_negation(values[*at])
            };
            found.extend(clause.clone().filter(said));
        }
        // “(192.0.2.101 and 192.0.2.102), don't touch those”
        let only_addresses = !has(clause, BEING)
            && clause.clone().all(|at| {
                values[at].starts_with(|c: char| c.is_ascii_digit())
                    || ["and", "y", "et"].contains(&values[at])
            });
        servers = own || (servers && only_addresses) || (servers && about);
    }
    found
}

/// The cue for the user's own place.
pub(super) const OURS: &str = "on premises";

/// Whether the message names the user's own place only for what is there by now: “Sage is already installed at ours”.
pub(super) fn runs_at_ours(words: &Words) -> bool {
    let values: Vec<&str> = words.values().collect();
    let there = |place: &Range<usize>| {
        let clause = words.clause(words.origin(place.start));
        values[clause].iter().any(|word| BY_NOW.contains(word))
    };
    words.meant_at(OURS).iter().all(there)
}

/// Whether the user says that the domain is theirs already, so that no new one is bought: “the domain name, I have it
/// already”.
pub(super) fn own_domain(context: &Context, words: &Words) -> bool {
    const WORDS: usize = 14;
    let values: Vec<&str> = words.values().collect();
    let owned = |sentence: &Range<usize>| {
        let has = |list: &[&str]| values[sentence.clone()].iter().any(|word| list.contains(word));
        sentence.len() <= WORDS && has(&["domain", "domains"]) && has(BY_NOW)
    };
    let asked = context.asks("domain") || context.asks("site-domain");
    asked && words.sentences().iter().any(owned)
}

/// Words for things that are at another provider and stay there.
const KEPT: &str = "domain domains dns nameserver nameservers registrar registered bought gekauft comprado comprada acheté acheter \
    mail mails email mailbox mailboxes old alte alten antigua antiguo vieja viejo ancien ancienne currently aktuell derzeit \
    momentan actualmente actuellement bisher previously formerly existing existierende bestehende existente existant \
    existante touche touch stays stay remains bleibt bleiben queda quedan reste restent sigue siguen";

/// Whether the message names another provider only for something that is there: “the domain is at OVH”.
pub fn is_elsewhere(provider: &str, words: &Words) -> bool {
    let values: Vec<&str> = words.values().collect();
    let there = |place: &Range<usize>| {
        let clause = words.clause(words.origin(place.start));
        values[clause].iter().any(|word| KEPT.split(' ').any(|kept| kept == *word))
    };
    let places = words.meant_at(provider);
    !places.is_empty() && places.iter().all(there)
}

/// What is left out if the message says at which provider the domain is: a new one. The words that say so are explained.
pub(super) fn registrar(context: &Context, words: &Words, open: &mut Open) -> Option<String> {
    const SAYING: &[&str] = &[
        "registered",
        "bought",
        "registrado",
        "comprado",
        "contratado",
        "registriert",
        "gekauft",
        "enregistré",
        "acheté",
        "géré",
        "reste",
        "queda",
        "bleibt",
        "stays",
    ];
    let values: Vec<&str> = words.values().collect();
    let asked = context.asks("domain") || context.asks("site-domain");
    let providers = Foreign::all().filter(|foreign| asked && foreign.kind == Kind::Place);
    let places =
        providers.flat_map(|foreign| foreign.cues.iter()).flat_map(|cue| words.meant_at(cue));
    let there = places.map(|place| words.origin(place.start)).find(|at| {
        let sentence = &values[words.sentence(*at)];
        sentence.iter().any(|word| ["domain", "dns"].contains(word))
    })?;
    open.rule_out_range(&(there..there + 1));
    for at in words.sentence(there).filter(|at| SAYING.contains(&values[*at])) {
        open.rule_out_range(&(at..at + 1));
    }
    Some(NEW_DOMAIN.into())
}

/// The rows for the addresses to which alerts go: they are credentials and do not come from the message.
pub(super) fn webhooks(context: &Context, words: &Words, open: &mut Open) -> Vec<Asked> {
    if !context.asks(stacks::ALERTS_TO.key) {
        return Vec::new();
    }
    let receivers = stacks::receivers(words);
    let tokens = open.tokens.iter_mut().filter(|token| receivers.contains(&token.value));
    tokens.for_each(|token| token.open = false);
    let row = |at: usize| {
        let how = "the webhook that you enter as the credential ALERT_WEBHOOK_URL";
        Asked { what: words.said_in(at..at + 1), fate: Fate::Differently(how.into()) }
    };
    receivers.into_iter().map(row).collect()
}

/// The row for a port of SSH other than its own.
pub(super) fn ssh_port(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Option<Asked> {
    let port = words.ssh_port().filter(|_| blueprint.has_server())?;
    open.take(port);
    // “SSH everywhere on 2222”: on all servers.
    if !words.has("from anywhere") {
        open.take("anywhere");
    }
    ["port", "ssh", "sshd"].iter().for_each(|word| open.take(word));
    open.rule_out_numbers(words, port);
    let fate = Fate::Differently("on port 22".into());
    Some(Asked { what: format!("{SSH_PORT}{port}"), fate })
}
