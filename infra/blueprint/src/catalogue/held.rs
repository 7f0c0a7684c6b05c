//! Machines that the user has: “on our own hardware”, “the PC in the cellar”, “I have a VPS at Contabo”, “es un Debian en la
//! oficina”.
//!
//! Every deployment makes something new. If a user means a machine of their own, the model must say so, however they put
//! it: otherwise they would pay for a server that they do not want, and data would leave their rooms. What the message
//! says of such a machine, its size or its address, is not about the new one.

mod rented;
mod said;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::ops::Range;

use crate::words::language::Weight;
use crate::words::{Words, is_negation, lists, numbers};
use said::Said;

/// A machine of the user.
pub struct Held {
    /// The words that speak of it, as positions of values.
    pub said: Range<usize>,
    /// Whether there are several of them.
    pub several: bool,
    pub kind: Kind,
}

/// What a message says of a machine of the user.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The work is to be done on it: “on the server in our cellar”.
    Place,
    /// The user has it: “I have a VPS at Contabo”.
    Had,
    /// It is one of the user's servers, which may be those to be built: “our servers”.
    Theirs,
}

/// Nouns for a machine. A server is the user's only if more than “our” says so.
const SERVERS: &str = "server servers servern serveur serveurs servidor servidores vps vm vms host hosts ec2 instance instances \
    instanz instanzen instancia instancias instances webserver webservers webservern";
const MACHINES: &str = "hardware machine machines maschine maschinen box boxes pc pcs computer computers rechner rechnern kiste \
    kisten rack ordenador ordenadores equipo equipos máquina máquinas ordinateur ordinateurs poste raspberry raspberrys raspi raspis \
    nuc nucs blech droplet droplets homeserver heimserver";
/// Nouns that people do not use for a machine to be rented.
const AT_HAND: &str = "box boxes pc pcs computer computers rechner rechnern kiste kisten ordenador ordenadores ordinateur \
    ordinateurs raspberry raspberrys raspi raspis nuc nucs blech droplet droplets homeserver heimserver";

const ON: &str = "on onto at auf im en sur dans vers aufs in to";
const OURS: &str = "our my unser unsere unserer unserem unseren mein meine meiner meinem meinen nuestro nuestra nuestros \
    nuestras mi mis nos notre mon mes";
const ONE: &str = "a an one ein eine einen einer einem un una une";
const OWN: &str =
    "own eigen eigene eigenen eigenem eigener propio propia propios propias propre propres";
/// Pronouns with which a machine is something's own: “PostgreSQL on its own server”.
const ANOTHERS: &str = "its their sein seinem ihr ihrem su sus son sa leur leurs";
/// Programs that a message may want on another machine than the rest: “Django, PostgreSQL auf eigener Maschine”.
const PROGRAMS: &str = "postgres postgresql mysql mariadb redis database datenbank db base bbdd queue celery worker workers \
    elasticsearch kibana grafana prometheus";
/// Adjectives of a machine that is there.
const THERE: &str = "existing vorhandenen vorhandene vorhandener vorhandenem bestehenden bestehende bestehender bestehendem \
    existierenden existierende existant existants existante existantes existente existentes";

/// Adjectives of machines in the user's own network.
const INTERNAL: &str =
    "internal interne internen internos internas internes in-house hauseigene hauseigenen";

/// Places of a user's machine.
const PLACES: &str = "basement cellar keller sous-sol sótano sotano cave attic dachboden garage garaje office büro oficina \
    bureau serverraum closet rack schrank armario placard baie casa home zuhause hause maison cpd";
/// Places at which machines stand, of the user or of a provider.
const ROOMS: &str = "rechenzentrum rz datacenter datacentre data-center center centre cpd serverraum keller sous-sol sótano basement cellar";
const INSIDE: &str = "in im inside en dans at au à under unter bei";
const STANDING: &str =
    "stehen steht están estan está sont are is laufen tournent trouvent sit sits stand stands";

/// What else the user says of a machine that is there.
const HAVING: &str = "already ya schon bereits déjà fournirons fournissons provide bereitstellen aportamos tenemos tengo \
    avons";
const BY_NOW: &str = "already ya schon bereits déjà";
/// Verbs by which the user has a machine.
const HAVE: &str =
    "have got tengo tenemos hab habe haben ai j'ai avons possède possédons besitze besitzen";
/// Verbs behind “already”, by which a machine is the user's.
const USED: &str = "have had pay rent own exists exist running runs runs tengo tenemos pago pagamos alquilado contratado anda corre \
    habe hab haben zahle zahlen bezahle bezahlen gemietet bezahlt läuft laufen avons ai j'ai paie payons payé loué loués tourne tournent";
/// Pronouns by which a machine is the user's: “the server is mine”.
const MINE: &str = "mine ours mío mio mía mia míos nuestro nuestra nuestros meiner unserer";
/// Words of a wish: with one of them, the clause asks for a machine.
const WISHES: &str = "need needs want wants would like give rent buy get order new another should shall must will can could \
    brauche brauchen möchte möchten mochte hätte hätten gern gerne will wollen kann soll sollen sollte muss mieten neuen neuer \
    necesito necesitamos necesita quiero queremos quisiera dame ponme debe deben tiene nuevo nueva besoin veux voulons voudrais doit \
    doivent faudrait faut nouveau nouvelle louer aimerais rather i'd we'd lieber";
/// Those of them with which a machine that is the user's gets something: “our VPS at OVH should get WordPress”.
const MODALS: &str = "get gets should shall must will can could would kann soll sollen sollte debe deben doit doivent tiene";
/// Words between a verb and something else that it has: “I have a problem with the server”.
const OF: &str = "with on of for from at in to about mit auf von für bei con de para en sobre avec pour sur dans und and y et";
/// The last words of phrases that a machine is there: “hay un servidor”, “il y a un serveur”. “Hay que …” is another.
const THERE_IS: &[&[&str]] =
    &[&["hay"], &["there", "is"], &["gibt", "es"], &["es", "gibt"], &["y", "a"]];

/// The most words between a preposition and the noun, and from there to a place.
const BEFORE: usize = 4;
const BEHIND: usize = 5;

/// The machines of the user that a message speaks of.
pub fn machines(words: &Words) -> Vec<Held> {
    let said = Said::of(words);
    let nouns = (0..said.count())
        .filter(|at| (said.is(*at, SERVERS) || said.is(*at, MACHINES)) && words.means_value(*at));
    let named = nouns.filter_map(|at| Noun::of(words, &said, at).held());
    named.chain(standing(words, &said)).chain(addressed(words)).collect()
}

/// The message without the clauses that speak of such machines; `None` if it speaks of none.
pub fn without_them(words: &Words) -> Option<Words> {
    let all = machines(words);
    let told: BTreeSet<usize> = all.iter().flat_map(|held| words.clause(held.said.start)).collect();
    (!told.is_empty()).then(|| words.clone().without(&told))
}

/// Whether the sentence of a value speaks of such a machine.
pub fn speaks_of_one(words: &Words, at: usize) -> bool {
    let sentence = words.sentence(at);
    machines(words).iter().any(|held| sentence.contains(&held.said.start))
}

/// A noun for a machine, with the words around it.
struct Noun<'a> {
    words: &'a Words,
    said: &'a Said<'a>,
    at: usize,
    /// Where the words before it begin.
    from: usize,
    /// Its clause.
    clause: Range<usize>,
}

impl<'a> Noun<'a> {
    fn of(words: &'a Words, said: &'a Said<'a>, at: usize) -> Self {
        let clause = words.clause(at);
        Noun { words, said, at, from: clause.start.max(at.saturating_sub(BEFORE)), clause }
    }

    fn held(&self) -> Option<Held> {
        let place = self.worked_on().map(|start| (start, Kind::Place));
        let had = || self.told().map(|start| (start, Kind::Had));
        let theirs = || self.is_one_of_several().then_some((self.from, Kind::Theirs));
        let (start, kind) = place.or_else(had).or_else(theirs)?;
        let said = start..self.at + 1;
        Some(Held { said, several: self.is_plural() || self.counted(), kind })
    }

    fn is_plural(&self) -> bool {
        self.said.0[self.at].iter().any(|word| word.ends_with('s'))
    }

    /// “Our servers”, of which the clause wants nothing
    fn is_one_of_several(&self) -> bool {
        let near = self.at.saturating_sub(2).max(self.clause.start)..self.at;
        let several = self.is_plural() && self.said.is(self.at, "server servers vms hosts");
        several && self.said.has(near, OURS) && !self.said.has(self.clause.clone(), WISHES)
    }

    /// Whether a number above one counts it: “drei Server”.
    fn counted(&self) -> bool {
        let number = |at: usize| numbers::read(self.said.0[at][0].as_ref());
        (self.from..self.at).filter_map(number).any(|number| number > 1)
    }

    /// Where the words begin by which the work is to be done on it.
    fn worked_on(&self) -> Option<usize> {
        let (said, at) = (self.said, self.at);
        let server = said.is(at, SERVERS);
        let behind = at + 1..self.words.sentence(at).end.min(at + 1 + BEHIND);
        let there = said.has(behind.clone(), PLACES) || said.has(behind, HAVING);
        let ours = |from: usize| said.has(from..at, OURS);
        // “On a small machine of its own” is another one, and not one of the user's.
        let listed = self.clause.start > self.words.sentence(at).start;
        let beside = |on: usize| listed && on > self.from && said.is(on - 1, PROGRAMS);
        let another = |on: usize| said.has(on..at, ONE) || said.has(on..at, ANOTHERS) || beside(on);
        let own = |on: usize| said.has(on..at, OWN) && !another(on);
        let on = (self.from..at).rev().find(|at| said.is(*at, ON) && !said.is(*at, "to in"));
        let on = on.filter(|on| there || own(*on) || ours(*on) && !server);
        // “Our server in the cellar has 128 GB”
        let start = on.or_else(|| (there && ours(self.from)).then_some(self.from));
        start.or_else(|| said.there_is(self.from..at).filter(|_| !self.is_plural()))
    }

    /// Where the words begin by which the user tells of it.
    fn told(&self) -> Option<usize> {
        let (said, at) = (self.said, self.at);
        let near = self.from..at;
        // “On our existing server”, “serveurs existants”
        let beside = at.saturating_sub(2).max(self.clause.start)..(at + 3).min(self.clause.end);
        let wished = said.has(self.clause.clone(), WISHES);
        // “Serveurs internes”, but not “an internal server for the staff”
        let internal = self.is_plural() && !wished && said.has(beside.clone(), INTERNAL);
        let existing = said.has(beside, THERE) || internal;
        // “Our own box, Ubuntu 22.04”
        let own = said.has(near.clone(), OURS) && said.has(near.clone(), OWN);
        let told = || self.has_it() || self.is_mine() || self.is_used() || self.stands();
        let wanted = || {
            let mut clause = self.clause.clone();
            clause.any(|at| said.is(at, WISHES) && !said.is(at, MODALS))
        };
        let theirs = || !wanted() && (self.is_rented_elsewhere() || self.has_an_address());
        let known = || own || told() || self.described();
        let held = existing || !wished && known() || theirs() || self.is_rented();
        held.then_some(self.from)
    }

    /// “I have a VPS”, “Server hab ich schon”
    fn has_it(&self) -> bool {
        let (said, at) = (self.said, self.at);
        let reach = self.clause.start.max(at.saturating_sub(BEHIND));
        let before = (reach..at).rev().find(|at| said.is(*at, HAVE));
        // “We have two servers at Hetzner”, “wir haben bei Hetzner zwei Server”
        let close = |range: Range<usize>| {
            let provider = self.provider_in(range.clone());
            !range.into_iter().any(|at| said.is(at, OF) && !provider.contains(&at))
        };
        let before = before.is_some_and(|verb| close(verb + 1..at));
        let end = self.clause.end.min(at + 1 + BEFORE);
        let behind = (at + 1..end)
            .find(|at| said.is(*at, HAVE) && said.is(*at, "hab habe haben tengo tenemos"));
        let behind = behind.is_some_and(|verb| close(at + 1..verb));
        let denied = self.clause.clone().any(|at| said.0[at].iter().any(|word| is_negation(word)));
        (before || behind) && !denied
    }

    /// “The server is mine”
    fn is_mine(&self) -> bool {
        let end = self.clause.end.min(self.at + 1 + BEFORE);
        let is = (self.at + 1..end).find(|at| self.said.is(*at, "is are es ist son est sont sind"));
        is.is_some_and(|is| self.said.has(is + 1..end, MINE))
    }

    /// “The droplet I already pay for”, “un VPS que ya anda”
    fn is_used(&self) -> bool {
        const WHICH: &str = "which that who den die das der que qui";
        // “The VPS, which we already have”
        let mut end = self.clause.end;
        let next = end < self.words.sentence(self.at).end && self.said.is(end, WHICH);
        if next {
            end = self.words.clause(end).end;
        }
        let near = self.at + 1..end.min(self.at + 1 + BEHIND);
        let end = end.min(near.end + self.provider_in(near.clone()).len());
        let now = (self.at + 1..end).find(|at| self.said.is(*at, BY_NOW));
        now.is_some_and(|now| self.said.has(self.at + 1..(now + 3).min(end), USED))
    }

    /// “Three servers in the cellar”
    fn stands(&self) -> bool {
        let end = self.clause.end.min(self.at + 1 + BEHIND);
        (self.at + 1..end).any(|at| {
            let inside = self.said.has(at.saturating_sub(2).max(self.at)..at, INSIDE);
            inside && self.said.is(at, PLACES)
        })
    }

    /// “It's a Debian box”, “Office side is an Ubuntu machine”
    fn described(&self) -> bool {
        const BEING: &str = "is it's its ist es est c'est está";
        const SYSTEMS: &str =
            "debian ubuntu centos rocky rhel alma fedora linux proxmox raspbian windows";
        let near = self.from..self.at;
        let being = near.clone().rev().find(|at| self.said.is(*at, BEING));
        let one = being.is_some_and(|is| self.said.has(is + 1..self.at, ONE));
        let system = self.said.has(near.start..self.clause.end.min(self.at + 3), SYSTEMS);
        one && self.said.is(self.at, AT_HAND) && system
    }
}

/// Clauses that say where machines named before stand: “they are all in our cellar”, “stehen im Rechenzentrum”.
fn standing(words: &Words, said: &Said) -> Option<Held> {
    const THEY: &str = "they all alle those the server servers die sie ellos todos están estan ils elles tous stehen laufen \
        trouvent tournent sont stehen linux rocky debian ubuntu sind and und y et se";
    const WE: &str = "we i wir ich nous je on nosotros users clients people";
    let found = |clause: Range<usize>| {
        let verb = clause.clone().find(|at| said.is(*at, STANDING))?;
        let room = (verb + 2..clause.end).find(|at| said.is(*at, ROOMS))?;
        let inside = said.has(verb + 1..room, INSIDE);
        let before = clause.start..verb;
        let full = |at: usize| words.weighs(at) == Weight::Full;
        let subject = before.clone().all(|at| {
            !full(at)
                || said.is(at, THEY)
                || said.is(at, SERVERS)
                || numbers::read(said.0[at][0].as_ref()).is_some()
        });
        let asked = said.has(clause.clone(), WISHES) || said.has(before, WE);
        (inside && subject && !asked).then(|| Held {
            said: verb..room + 1,
            several: true,
            kind: Kind::Place,
        })
    };
    words.clauses().into_iter().find_map(found)
}

/// The words that give a machine's address: “the machine is 10.20.4.11”, “a VPS that runs by now, IP 203.0.113.7”.
fn addressed(words: &Words) -> Option<Held> {
    const GIVING: &[&str] =
        &["is", "ip", "ips", "ist", "est", "es", "address", "are", "sind", "sont", "son"];
    const COMING: &str = "from only allow allowed access ssh connect office home desde depuis von nur solo sólo seul";
    const REACH: usize = 9;
    let values: Vec<&str> = words.values().collect();
    (1..values.len()).find_map(|at| {
        let address = values[at].parse::<Ipv4Addr>().is_ok();
        if !address || !GIVING.contains(&values[at - 1]) {
            return None;
        }
        let from = words.sentence(at).start.max(at.saturating_sub(REACH));
        let machine = (from..at - 1)
            .rev()
            .find(|at| lists(SERVERS, values[*at]) || lists(MACHINES, values[*at]))?;
        let comes = (from..at).any(|at| lists(COMING, values[at]));
        (!comes).then_some(Held { said: machine..at + 1, several: false, kind: Kind::Place })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        machines(&Words::of(text)).iter().map(|held| held.kind).collect()
    }

    #[test]
    fn a_machine_is_the_place_of_the_work_or_one_that_the_user_has() {
        for text in
            ["redis on our own box", "on the server in our cellar", "they stand in our data center"]
        {
            assert!(kinds(text).contains(&Kind::Place), "{text}");
        }
        for text in
            ["i have a vps at contabo", "the droplet i already pay for", "the server is mine"]
        {
            assert!(kinds(text).contains(&Kind::Had), "{text}");
        }
        for text in [
            "our vps from ovh should get wordpress",
            "i rent a root server from strato",
            "wir haben bei hetzner schon zwei server",
            "a vps at ovh that we already have",
        ] {
            assert!(kinds(text).contains(&Kind::Had), "{text}");
        }
        assert!(kinds("backups of our servers") == [Kind::Theirs]);
    }

    #[test]
    fn a_machine_that_the_message_asks_for_is_neither() {
        for text in [
            "i need a debian box",
            "redis auf eine eigene kleine maschine",
            "put redis on its own server",
            "on a small machine of its own",
            "our servers shall be in falkenstein",
            "i have no server",
            "i want to rent a server",
            "our server should be in falkenstein",
            "i have a site at hetzner and need a server",
            "an internal server for the staff",
            "we need internal servers",
            "i have a problem with the server",
            "a server for our office",
        ] {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }
}
