//! What a message rules out and the deployment does not have anyway.

use std::collections::BTreeSet;

use super::context::Context;
use super::open::Open;
use super::{closed, owned};
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::{self, Place, additions, covers};
use crate::words::Words;

/// Programs that are features of some deployments, and left out of others like any other program.
const SOFTWARE: [&str; 2] = ["docker", "container"];

/// Words for databases, of which a deployment has one if it is known by any of them.
const DATABASES: &[&str] = &["database", "db", "sql", "mysql", "mariadb", "postgresql", "postgres"];

/// Marks what the user rules out and the deployment does not have anyway; returns the things that are among these
/// words.
pub(super) fn ruled_out(
    words: &Words,
    context: &Context,
    closed: bool,
    open: &mut Open,
) -> Vec<String> {
    // Without a deployment, “no root login” stays a wish, because nothing fulfills it yet.
    let obeyed = |foreign: &&Foreign| context.blueprint.is_some() || foreign.kind != Kind::Part;
    let things = Foreign::all().filter(|foreign| !foreign.is_an_act());
    let foreign = things.filter(obeyed).flat_map(|foreign| foreign.cues.iter().copied());
    let others = catalogue::ALL.iter().flat_map(|blueprint| blueprint.own_cues());
    let additions = additions::all().flat_map(|addition| addition.cues.iter().copied());
    let has = |cue: &str| context.blueprint.is_some_and(|own| own.cues().any(|built| built == cue));
    let others = others.chain(WEBSITES).chain(additions);
    // What is a part of the deployment is built, so it is not left out.
    let all = foreign.chain(others).filter(|cue| !has(cue)).chain(SOFTWARE);
    // Ruling out a provider that is not used is obeyed.
    let providers = [Place::Aws, Place::Hetzner].into_iter().flat_map(|place| place.provider());
    let used = |name: &str| context.blueprint.is_some_and(|b| b.place.provider().contains(&name));
    let all = all.chain(providers.copied().filter(|name| !used(name)));
    let all = all.filter(|cue| words.excludes(cue) && !words.excludes_for_one(cue));
    // “Don't expose the container's port” does not rule out containers.
    let all = all.filter(|cue| *cue != "container" || words.excludes_whole(cue));
    let ruled_out: Vec<&str> = all.collect();
    ruled_out.iter().for_each(|cue| open.rule_out(cue));
    open.rule_out_switches();
    // “Without a database” is obeyed by a deployment that has none.
    let stores = |cue: &str| DATABASES.contains(&cue);
    let stored =
        context.asks("database") || context.blueprint.is_none_or(|own| own.cues().any(stores));
    let databases = DATABASES.iter().copied().filter(|cue| !stored && words.excludes(cue));
    let databases: Vec<&str> = databases.collect();
    databases.iter().for_each(|cue| open.rule_out(cue));
    let database = databases.into_iter().find(|cue| ["database", "db"].contains(cue));
    if context.has_value("none") && words.excludes("domain") {
        open.rule_out("domain");
    }
    // A site in a bucket has no server.
    let bare = context.blueprint.is_some_and(|own| own.place == Place::Aws && !own.has_server());
    let unkept = catalogue::unkept_server(words).filter(|_| bare);
    let out = |server: &&str| bare && words.rules_out_right_before(server) || unkept.is_some();
    let server = Some("server").filter(out);
    unkept.iter().for_each(|clause| open.rule_out_range(clause));
    server.into_iter().for_each(|server| open.rule_out(server));
    let closed = closed::ports(words, context, closed, open);
    // A feature has a separate row, except for Docker, which is left out like any other program.
    let feature = |cue: &str| {
        let mut features = covers::features();
        !SOFTWARE.contains(&cue)
            && features
                .any(|f| !f.is_a_part() && f.cues().chain(f.without()).any(|other| other == cue))
    };
    let longest = |cue: &str| !ruled_out.iter().any(|other| *other != cue && other.contains(cue));
    let things: BTreeSet<&str> = ruled_out.iter().copied().collect();
    let things = things.into_iter().filter(|cue| longest(cue) && !feature(cue));
    let ports = closed.into_iter().map(|port| format!("port {port}"));
    let domain = owned::own_domain(context, words).then(|| owned::NEW_DOMAIN.to_string());
    let things = things.chain(server).chain(database).map(str::to_string);
    things.chain(ports).chain(domain).chain(owned::registrar(context, words, open)).collect()
}

/// What a server without a website does not have.
const WEBSITES: [&str; 4] = ["web server", "webserver", "website", "web site"];
