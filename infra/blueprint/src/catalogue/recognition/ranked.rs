//! The deployment that a message names most clearly, where several have a claim.

use super::{
    DATABASES, DESCRIBED, PAGES, PLAIN_SERVERS, STRONG, TOY, WEBSITES, databases, goals, plain,
    sites, without_parts, without_told,
};
use crate::catalogue::{ALL, Blueprint, Place};
use crate::words::Words;

/// A deployment, and how clearly a message names it.
type Named = (&'static Blueprint, usize);

/// The deployment that the words name most clearly, and its score; `None` if weak cues fit several deployments equally.
pub fn recognize(words: &Words) -> Option<Named> {
    let ranked = named(words);
    let highest = ranked.iter().map(|blueprint| rank(blueprint, words)).max()?;
    let found = || {
        let unserved = goals::files_without_a_server(words);
        let found = unserved.or_else(|| sites::asked_for(words));
        found.or_else(|| databases::asked_for(words))
    };
    if highest.0 == 0
        && let Some(found) = found()
    {
        return Some((found, STRONG));
    }
    if highest.1 == 0 && !plain::asks_for_an_addition(words) {
        return of_a_goal(words);
    }
    let best = ranked.iter().copied().filter(|blueprint| rank(blueprint, words) == highest);
    let best: Vec<&'static Blueprint> = best.collect();
    let first = best.iter().copied().min_by_key(|blueprint| blueprint.first_named(words))?;
    let ranking = Ranking { words, ranked, highest, best, first };
    let decided = ranking
        .server_of_a_type()
        .or_else(|| ranking.site_in_place_of_a_server())
        .or_else(|| ranking.site_in_place_of_a_first_try())
        .or_else(|| ranking.server_for_releases())
        .or_else(|| ranking.one_of_the_websites())
        .or_else(|| ranking.server_for_an_addition())
        .or_else(|| ranking.site_with_pages())
        .or_else(|| ranking.plain_server());
    match decided {
        Some(Decision::Chosen(blueprint, score)) => Some((blueprint, score)),
        Some(Decision::Nothing) => None,
        None => Some(ranking.clearest()),
    }
}

/// How clearly a message asks for a deployment, and how clearly it names it or its place.
fn rank(blueprint: &Blueprint, words: &Words) -> (usize, usize) {
    (blueprint.clear_score(words), blueprint.score(words))
}

/// The deployments that a message may ask for.
fn named(words: &Words) -> Vec<&'static Blueprint> {
    let named = ALL.iter().copied().filter(|blueprint| !blueprint.is_excluded(words));
    let mut named = without_parts(without_told(named.collect(), words), words);
    // “Nginx, and no k3s”: another word for what the message refuses by its name does not ask for it.
    let refused = |blueprint: &Blueprint| blueprint.is_refused_by_name(words);
    if named.iter().any(|other| !refused(other) && other.clear_score(words) > 0) {
        named.retain(|blueprint| !refused(blueprint));
    }
    named
}

/// The deployment for what a message wants to do, if no phrase names one.
fn of_a_goal(words: &Words) -> Option<Named> {
    let releases = Blueprint::by_id("releases").filter(|_| goals::asks_for_releases(words));
    let server = || Blueprint::by_id(plain::PLAIN).filter(|_| plain::asks_for_a_server(words));
    releases.map(|releases| (releases, STRONG)).or_else(|| server().map(|server| (server, 1)))
}

/// What a rule decides.
enum Decision {
    Chosen(&'static Blueprint, usize),
    /// The message chooses no deployment.
    Nothing,
}

/// The deployments that a message names.
struct Ranking<'a> {
    words: &'a Words,
    ranked: Vec<&'static Blueprint>,
    /// The rank of the best ones.
    highest: (usize, usize),
    /// Those that are named most clearly.
    best: Vec<&'static Blueprint>,
    /// The first of these in the message.
    first: &'static Blueprint,
}

impl Ranking<'_> {
    /// Whether no phrase names a deployment for itself, so that only weak cues count.
    fn is_weak(&self) -> bool {
        self.highest.0 == 0
    }

    /// “CX22, with copies to our S3 bucket”: a type of Hetzner's describes a server there.
    fn server_of_a_type(&self) -> Option<Decision> {
        let american = self.best.iter().any(|blueprint| blueprint.place == Place::Aws);
        let typed = self.is_weak() && american && plain::names_a_type(self.words);
        let server = Blueprint::by_id(plain::PLAIN).filter(|_| typed);
        server.map(|server| Decision::Chosen(server, STRONG))
    }

    /// “A server is not necessary, Amazon has something”: a server at AWS would be the opposite.
    fn site_in_place_of_a_server(&self) -> Option<Decision> {
        if self.first.id != PLAIN_SERVERS[1] || !self.is_weak() {
            return None;
        }
        match goals::files_without_a_server(self.words) {
            Some(site) => Some(Decision::Chosen(site, STRONG)),
            None => goals::refuses_a_server(self.words).then_some(Decision::Nothing),
        }
    }

    /// “My page at www.example.com”: the service for a first try has no domain.
    fn site_in_place_of_a_first_try(&self) -> Option<Decision> {
        let site = Blueprint::by_id(WEBSITES[1]).filter(|_| self.first.id == TOY);
        let site = site.filter(|site| self.is_weak() && site.takes_the_domain(self.words));
        let site = site.filter(|site| !site.is_excluded(self.words));
        site.map(|site| Decision::Chosen(site, STRONG))
    }

    /// The server to which releases of an application go, if the message names what is in front of it, or its database
    /// before it.
    fn server_for_releases(&self) -> Option<Decision> {
        let (first, words) = (self.first, self.words);
        let stored = || {
            DATABASES.contains(&first.id)
                && goals::names_an_application(words, first.first_named(words))
        };
        let in_front = first.id == WEBSITES[1] || first.id == TOY && !first.is_tried_out(words);
        let releases = (in_front || stored()) && goals::asks_for_releases(words);
        let server = Blueprint::by_id("releases").filter(|_| releases);
        server.map(|server| Decision::Chosen(server, STRONG))
    }

    /// A website or a first try, if the message names both alike. A site with a domain is not a first try.
    fn one_of_the_websites(&self) -> Option<Decision> {
        let websites = self.best.len() == WEBSITES.len()
            && self.best.iter().all(|blueprint| WEBSITES.contains(&blueprint.id));
        if !self.is_weak() || !websites {
            return None;
        }
        let domain = self.best.iter().any(|blueprint| blueprint.takes_the_domain(self.words));
        let site = Blueprint::by_id(WEBSITES[usize::from(domain)])?;
        Some(Decision::Chosen(site, self.highest.1))
    }

    /// The server to which the message wants something added.
    fn server_for_an_addition(&self) -> Option<Decision> {
        let addition = self.is_weak() && plain::asks_for_an_addition(self.words);
        let server = Blueprint::by_id(plain::PLAIN).filter(|_| addition);
        server.map(|server| Decision::Chosen(server, STRONG))
    }

    /// “A page with our opening hours at www.example.com, on a small server”
    fn site_with_pages(&self) -> Option<Decision> {
        let site = self.best.iter().find(|blueprint| blueprint.id == WEBSITES[1]);
        let asked = |site: &Blueprint| {
            self.is_weak() && self.words.means_any(PAGES) && site.takes_the_domain(self.words)
        };
        let site = site.filter(|site| asked(site));
        site.map(|site| Decision::Chosen(site, self.highest.1))
    }

    /// The first of the plain servers, or nothing, if weak cues fit several deployments.
    fn plain_server(&self) -> Option<Decision> {
        let score = self.highest.1;
        let plainly = self.best.iter().all(|blueprint| PLAIN_SERVERS.contains(&blueprint.id));
        if !self.is_weak() || self.best.len() < 2 || !(plainly || score < STRONG) {
            return None;
        }
        let described = (plainly && score >= DESCRIBED)
            || (score < DESCRIBED && plain::asks_for_a_server(self.words));
        let mut servers = PLAIN_SERVERS.iter().filter_map(|id| Blueprint::by_id(id));
        let server = servers.next().filter(|_| described);
        Some(server.map_or(Decision::Nothing, |server| Decision::Chosen(server, score)))
    }

    /// The first of those that are named most clearly. An application that is named as clearly as a database wins.
    fn clearest(&self) -> Named {
        let (first, words) = (self.first, self.words);
        let stored = self.highest.0 > 0 && DATABASES.contains(&first.id);
        let others = self.ranked.iter().copied().filter(|_| stored);
        let others = others.filter(|other| {
            !DATABASES.contains(&other.id)
                && !other.is_added_to(first, words)
                && rank(other, words).0 == self.highest.0
        });
        let application = others.max_by_key(|blueprint| rank(blueprint, words));
        let application = application.filter(|other| !other.is_only_owned(words));
        let chosen = application.unwrap_or(first);
        (chosen, rank(chosen, words).1)
    }
}
