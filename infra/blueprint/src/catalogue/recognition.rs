//! Which deployment a message asks for.
//!
//! A message asks for a deployment by a phrase that names it and no other. A phrase that only mentions something does
//! not ask for it: “metrics for our Prometheus” refers to a Prometheus that runs elsewhere, “the logs of nginx” to
//! logs, and “file integrity monitoring” to something else altogether. If several deployments are named, one may be a
//! part of another: nginx in front of WordPress, or an ingress in a cluster of Kubernetes.

mod asked;
mod databases;
mod goals;
mod machines;
mod mentioned;
mod names;
mod plain;
mod ranked;
mod sites;

pub use asked::{is_asked_at, is_asked_for};
pub use databases::is_an_alternative;
pub use goals::{is_meant, unkept_server};
pub use machines::{are_alternatives, is_only_where, told_machines};
pub use mentioned::{OWNING, OWNING_REACH, is_a_container};
pub use names::{Name, names};
pub use plain::{
    asks_for_a_server, asks_for_an_addition, asks_for_only_a_server, gives_several_values,
    is_a_bare_server, is_a_tool_on_a_server, is_described, is_plain, names_a_type,
    names_more_than_a_place, refused_site, types_of_aws,
};
pub use ranked::recognize;
pub use sites::asked_for as asked_site;

use std::ops::Range;

use mentioned::{CONNECTED, is_a_source};

use super::Blueprint;
use super::additions::{self, Addition};
use super::parameters::Found;
use crate::words::Words;
use crate::words::language::Weight;
use crate::words::standing::{self, Standing};

/// Cues for a place: “an ELK stack on a VPS at Hetzner” asks for an ELK stack.
const PLACE_CUES: &[&str] = &["vps", "virtual private server", "hetzner", "aws", "amazon"];

/// A strong cue counts as much as this many weak cues.
pub const STRONG: usize = 3;

/// Servers that differ only in where they run. “A Debian server with SSH” fits both, and the model chooses the first.
const PLAIN_SERVERS: [&str; 2] = ["basic-vps", "ec2-ssh"];

/// What serves a page: the service for a first try, and a website.
const WEBSITES: [&str; 2] = [TOY, "nginx-site"];

/// Words for what such a website serves.
const PAGES: &[&str] = &["page", "html", "static"];

/// The number of weak cues that describe a plain server instead of only mentioning one.
const DESCRIBED: usize = 2;

/// How much software that can be added to a server says for the server.
const ADDED: usize = 2;

/// Deployments of a database alone. An application named as clearly wins, because it has its own database.
pub const DATABASES: [&str; 2] = ["vps-mysql", "vps-postgresql"];

/// Cues that may also be a wish beside another deployment.
const GENERAL: &[&str] = &["monitoring", "monitoring stack", "uptime monitoring"];

/// The service for a first try. It never stands in for a technology that the message names.
pub const TOY: &str = "local-web-service";

/// Cues for [`TOY`] that may be about any service: “a health check on /healthz”.
const CHECKS: &[&str] = &["health check", "healthz"];

/// Phrases that ask for [`TOY`] even if the message names other things.
const TRYING_OUT: &[&str] = &["sandbox", "local service", "hello world", "toy service", "toy"];

/// What an application is named with, and brings or does not have.
const APPLICATION: &[&str] =
    &["nginx-site", "static-site", "releases", "vps-mysql", "vps-postgresql"];

/// Deployments, and those that are named as parts of them.
const PARTS: &[(&str, &[&str])] = &[
    ("k3s", &["nginx-site", "wordpress", "django", "releases", "vps-mysql", "vps-postgresql"]),
    ("wordpress", APPLICATION),
    ("django", APPLICATION),
    ("haproxy", &["nginx-site"]),
    ("elk", &["nginx-site"]),
    ("releases", &["nginx-site"]),
];

/// Whether a phrase is a part of a longer name: the user “grafana_ro”, the folder “/var/log/nginx”.
fn is_in_a_name(place: &Range<usize>, words: &Words) -> bool {
    let value = words.values().nth(words.origin(place.start)).unwrap_or_default();
    value.starts_with('/')
        || value.contains('_')
            && value.split('_').filter(|part| !part.is_empty()).count() > place.len()
}

impl Blueprint {
    /// How clearly the message names this deployment; 0 if it does not.
    pub fn score(&self, words: &Words) -> usize {
        let places = self.strong_cues.iter().filter(|cue| PLACE_CUES.contains(cue));
        let places = places.filter(|cue| words.means(cue)).count();
        // “Logs from the web servers” asks for no web server.
        let weak = |cue: &&&str| {
            words.meant_at(cue).iter().any(|place| {
                // The “https” of an address asks for nothing.
                let address = words.values().nth(words.origin(place.start));
                let kind = **cue == "instance" && plain::is_of_a_kind(place, words);
                let address = address.is_some_and(|word| word.contains("://"));
                !(is_a_source(place, words) || is_a_container(place, words) || address || kind)
            })
        };
        let weak = self.weak_cues.iter().filter(weak).count();
        // “A server with Redis” asks for the server to which Redis is added.
        let added = (weak > 0 || describes_an_addition(words))
            && PLAIN_SERVERS.contains(&self.id)
            && self.takes_additions();
        let added = added && additions::all().any(|addition| words.means_any(addition.cues));
        let added = if added { ADDED } else { 0 };
        // “A t3.small in a VPC in eu-west-2”
        let typed = self.id == PLAIN_SERVERS[1] && types_of_aws(words).len() == 1;
        let typed = if typed { STRONG } else { 0 };
        match self.clear_score(words) + places * STRONG + weak + added + typed {
            0 => 0,
            score => score + usize::from(self.takes_the_domain(words)),
        }
    }

    /// Whether the message names a host that it would serve: “a website for www.example.com”.
    fn takes_the_domain(&self, words: &Words) -> bool {
        let mut asked = self.parameters.iter();
        let domain = asked.find(|parameter| parameter.key == "domain");
        domain.is_some_and(|domain| matches!((domain.find)(words), Found::Value(_)))
    }

    /// Phrases that name this deployment and not only the place where it runs.
    pub fn own_cues(&self) -> impl Iterator<Item = &'static str> {
        self.strong_cues.iter().copied().filter(|cue| !PLACE_CUES.contains(cue))
    }

    /// How clearly the message asks for this deployment, not counting the place where it runs.
    pub fn clear_score(&self, words: &Words) -> usize {
        self.own_cues().filter(|cue| !self.asked_at(cue, words).is_empty()).count() * STRONG
    }

    /// The places of a phrase that ask for the deployment and do not only mention it.
    fn asked_at(&self, cue: &str, words: &Words) -> Vec<Range<usize>> {
        let mut places = words.meant_at(cue);
        // “The logs go to Elastic, but our Elastic exists”
        let exists = |place: &Range<usize>| self.exists_already(place, words);
        let connected = CONNECTED.contains(&self.id) && !DATABASES.contains(&self.id);
        if connected && places.iter().any(exists) {
            return Vec::new();
        }
        places.retain(|place| !self.is_only_mentioned(place, words));
        places.retain(|place| !is_in_a_name(place, words));
        places.retain(|place| match standing::of(cue, place, words) {
            Standing::Asked | Standing::Considered => true,
            // An application that runs elsewhere may be one to move; what a user connects to is not.
            Standing::Told => !connected,
            Standing::Gone => false,
        });
        places
    }

    /// Whether the message only says that somebody thought of it: “my boss says we need Kubernetes”.
    pub fn is_only_considered(&self, words: &Words) -> bool {
        let cues = || {
            self.own_cues()
                .flat_map(|cue| words.meant_at(cue).into_iter().map(move |place| (cue, place)))
        };
        cues().next().is_some()
            && cues().all(|(cue, place)| standing::of(cue, &place, words) == Standing::Considered)
    }

    /// Whether the message only tells of it as something that the user had.
    fn is_only_told(&self, words: &Words) -> bool {
        let places = |cue| self.asked_at(cue, words).into_iter().map(move |place| (cue, place));
        let mut places = self.own_cues().flat_map(places).peekable();
        places.peek().is_some()
            && places.all(|(cue, place)| standing::of(cue, &place, words) != Standing::Asked)
    }

    /// Position of the first phrase that asks for it, not counting the place where it runs.
    pub fn first_named(&self, words: &Words) -> usize {
        let places = self.own_cues().flat_map(|cue| self.asked_at(cue, words));
        places.map(|place| place.start).min().unwrap_or(usize::MAX)
    }

    /// Whether the message names it as something that the user already has: “a database for our existing WordPress”.
    fn is_only_owned(&self, words: &Words) -> bool {
        let at = self.first_named(words);
        let before = words.phrase(at.saturating_sub(OWNING_REACH)..at);
        before.split_whitespace().any(|word| OWNING.contains(&word))
    }

    /// Whether the user rules out the deployment or the place where it runs: “a server, but not at AWS”.
    pub fn is_excluded(&self, words: &Words) -> bool {
        let places = self.weak_cues.iter().filter(|cue| PLACE_CUES.contains(cue));
        // What the message only mentions, it does not ask for by a weaker word either.
        let mentioned = || self.own_cues().any(|cue| !words.meant_at(cue).is_empty());
        self.clear_score(words) == 0
            && (mentioned() || self.strong_cues.iter().chain(places).any(|cue| words.excludes(cue)))
    }

    /// Whether the message rules out the deployment's own name: “no k3s”.
    pub fn is_refused_by_name(&self, words: &Words) -> bool {
        let title = self.title.to_lowercase();
        let title = title.split(" with ").next().unwrap_or_default().to_string();
        let named = |cue: &str| self.id.split('-').chain(title.split(' ')).any(|part| part == cue);
        self.own_cues().any(|cue| named(cue) && words.excludes_itself(cue))
    }

    /// Whether it is named as a part of the other deployment.
    pub fn is_part_of(&self, other: &Blueprint) -> bool {
        let parts = PARTS.iter().find(|(id, _)| *id == other.id);
        parts.is_some_and(|(_, parts)| parts.contains(&self.id))
    }

    /// Whether it is named after a cluster that the message asks for, and so only watches that.
    fn watches(&self, other: &Blueprint, words: &Words) -> bool {
        self.id == "monitoring-stack"
            && other.id == "k3s"
            && !other.is_only_owned(words)
            && other.first_named(words) < self.first_named(words)
    }

    /// Whether it is only a general word after the other deployment: “PostgreSQL with backups and monitoring”.
    fn is_added_to(&self, other: &Blueprint, words: &Words) -> bool {
        self.is_named_generally(words) && other.first_named(words) < self.first_named(words)
    }

    /// Whether only general words name it, such as “monitoring”, “if it's down”.
    pub fn is_named_generally(&self, words: &Words) -> bool {
        let mut named = self.own_cues().filter(|cue| !self.asked_at(cue, words).is_empty());
        named.all(|cue| GENERAL.contains(&cue) || cue.ends_with(" down"))
    }

    /// Whether the message asks for the deployment by more than a feature that others have as well: a health check.
    pub fn is_asked_for_itself(&self, words: &Words) -> bool {
        let mut cues = self.own_cues().filter(|cue| !CHECKS.contains(cue));
        self.is_tried_out(words) || cues.any(|cue| !self.asked_at(cue, words).is_empty())
    }

    /// Whether the message asks for the service for a first try, even if it names other things.
    pub fn is_tried_out(&self, words: &Words) -> bool {
        self.id == TOY && words.means_any(TRYING_OUT)
    }
}

/// Whether the message begins with software that can be added to a server, and says more about it: “a Redis with 256 MB”.
fn describes_an_addition(words: &Words) -> bool {
    let says = |(at, value): &(usize, &str)| words.language(*at).weight(value) != Weight::Empty;
    let first = words.values().enumerate().find(says).map(|(_, value)| value);
    let described = |addition: &Addition| {
        addition.questions.iter().any(|question| question.found_in(words) != Found::Nothing)
    };
    let mut named =
        additions::all().filter(|addition| first.is_some_and(|f| addition.cues.contains(&f)));
    named.any(described)
}

/// Removes the deployments that are named as parts of others, and the one for a first try beside any other.
fn without_parts(named: Vec<&'static Blueprint>, words: &Words) -> Vec<&'static Blueprint> {
    let clear: Vec<&Blueprint> =
        named.iter().copied().filter(|blueprint| blueprint.clear_score(words) > 0).collect();
    let part = |blueprint: &Blueprint| {
        let toy = blueprint.id == TOY && !blueprint.is_tried_out(words);
        let mut others = clear.iter().filter(|other| other.id != blueprint.id);
        others.any(|other| toy || blueprint.is_part_of(other) || blueprint.watches(other, words))
    };
    named.iter().filter(|blueprint| !part(blueprint)).copied().collect()
}

/// Removes the deployments that the user only had, if the message asks for something else: “we had WordPress; now it is
/// HTML”. What the former one has, too, asks for nothing else: “it had a certificate”.
fn without_told(named: Vec<&'static Blueprint>, words: &Words) -> Vec<&'static Blueprint> {
    let told: Vec<&Blueprint> =
        named.iter().copied().filter(|blueprint| blueprint.is_only_told(words)).collect();
    let is_of_the_past = |blueprint: &Blueprint| told.iter().any(|told| told.id == blueprint.id);
    let shared = |cue: &str| told.iter().any(|told| told.cues().any(|own| own == cue));
    let asks = |other: &&Blueprint| {
        let mut weak = other.weak_cues.iter().filter(|cue| !shared(cue));
        !is_of_the_past(other)
            && (other.clear_score(words) > 0
                || other.id != TOY && weak.any(|cue| !words.meant_at(cue).is_empty()))
    };
    // “We thought about HAProxy. In the end one machine is plenty”
    let server =
        || told.iter().all(|told| CONNECTED.contains(&told.id)) && plain::asks_for_a_server(words);
    if told.is_empty() || !(named.iter().copied().any(|other| asks(&other)) || server()) {
        return named;
    }
    named.into_iter().filter(|blueprint| !is_of_the_past(blueprint)).collect()
}

/// The website for a domain that the message names.
pub fn site_for(words: &Words) -> Option<&'static Blueprint> {
    Blueprint::by_id(WEBSITES[1]).filter(|site| site.takes_the_domain(words))
}
