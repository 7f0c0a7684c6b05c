//! A machine that the user has, by whose it is or where it stands: “on our own hardware”, “on the PC in the cellar”.
//!
//! Every deployment makes a new server. If a user means a machine of their own, the model must say so, however they put
//! it: otherwise they would pay for a server that they do not want, and data would leave their rooms.

use std::borrow::Cow;
use std::ops::Range;

use super::open::Open;
use super::owned::EXISTING_SERVER;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::words::{Words, lists};

/// Nouns for a machine. A server is the user's only if more than “our” says so.
const SERVERS: &str = "server servers serveur serveurs servidor servidores vps vm host";
const MACHINES: &str = "hardware machine machines maschine maschinen box boxes pc pcs computer computers rechner rechnern kiste \
    kisten rack ordenador ordenadores equipo equipos máquina máquinas ordinateur ordinateurs poste raspberry nuc blech";

const ON: &str = "on onto at in auf im en sur dans";
const OURS: &str = "our my unser unsere unserer unserem unseren mein meine meiner meinem meinen nuestro nuestra nuestros \
    nuestras mi mis nos notre mon mes";
const ONE: &str = "a an one ein eine einen einer einem un una une";
const OWN: &str =
    "own eigen eigene eigenen eigenem eigener propio propia propios propias propre propres";

/// Places of a user's machine, behind its noun.
const PLACES: &str = "basement cellar keller sous-sol sótano sotano cave attic dachboden garage garaje office büro oficina \
    bureau serverraum closet rack";
/// What else the user says of a machine that is there.
const HAVING: &str = "already ya schon bereits déjà fournirons fournissons provide bereitstellen aportamos tenemos tengo \
    avons";
/// The last words of phrases that a machine is there: “hay un servidor”, “il y a un serveur”. “Hay que …” is another.
const THERE_IS: &[&[&str]] =
    &[&["hay"], &["there", "is"], &["gibt", "es"], &["es", "gibt"], &["y", "a"]];

/// The most words between a preposition and the noun, and from there to a place.
const BEFORE: usize = 4;
const BEHIND: usize = 5;

/// The row for such a machine.
pub(super) fn row(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Option<Asked> {
    let place = place(blueprint, words)?;
    open.take_range(&place);
    let fate = Fate::Differently(format!("on a new server {}", blueprint.place.words()));
    Some(Asked { what: EXISTING_SERVER.into(), fate })
}

/// The words that speak of such a machine, as positions of values.
pub fn place(blueprint: &Blueprint, words: &Words) -> Option<Range<usize>> {
    // What is watched, and what sends its logs, are machines of the user.
    let watches = ["monitoring-stack", "elk"].contains(&blueprint.id);
    if !blueprint.has_server() {
        return None;
    }
    if let Some(place) = addressed(words).filter(|_| !watches) {
        return Some(place);
    }
    let said = Said::of(words);
    (0..said.0.len()).find_map(|at| {
        let server = said.is(at, SERVERS);
        let several = said.0[at].iter().any(|word| word.ends_with('s'));
        let machine = (server || said.is(at, MACHINES)) && words.means_value(at);
        if !machine || (watches && several) {
            return None;
        }
        let from = words.clause(at).start.max(at.saturating_sub(BEFORE));
        let behind = at + 1..words.sentence(at).end.min(at + 1 + BEHIND);
        let there = said.has(behind.clone(), PLACES) || said.has(behind, HAVING);
        let ours = |from: usize| said.has(from..at, OURS);
        // “On a small machine of its own” is another one, and not one of the user's.
        let own = |on: usize| said.has(on..at, OWN) && !said.has(on..at, ONE);
        let on = (from..at).rev().find(|at| said.is(*at, ON));
        let on = on.filter(|on| there || own(*on) || ours(*on) && !server);
        // “Our server in the cellar has 128 GB”
        let start = on.or_else(|| (there && ours(from)).then_some(from));
        let start = start.or_else(|| said.there_is(from..at).filter(|_| !several));
        start.map(|start| start..at + 1)
    })
}

/// The words of a message, each in English and as the user wrote it.
struct Said<'a>(Vec<[Cow<'a, str>; 2]>);

impl<'a> Said<'a> {
    fn of(words: &'a Words) -> Self {
        let both = |(at, value): (usize, &'a str)| {
            [Cow::Borrowed(value), Cow::Owned(words.said(at).0.to_lowercase())]
        };
        Said(words.values().enumerate().map(both).collect())
    }

    fn is(&self, at: usize, list: &str) -> bool {
        self.0[at].iter().any(|word| lists(list, word))
    }

    fn has(&self, range: Range<usize>, list: &str) -> bool {
        range.into_iter().any(|at| self.is(at, list))
    }

    /// Where one of [`THERE_IS`] begins, with an article behind it.
    fn there_is(&self, range: Range<usize>) -> Option<usize> {
        let starts = |at: &usize| {
            THERE_IS.iter().any(|phrase| {
                let end = at + phrase.len();
                let same = |(at, word): (usize, &&str)| self.0[at].iter().any(|said| said == word);
                end < range.end && (*at..end).zip(*phrase).all(same) && self.is(end, ONE)
            })
        };
        range.clone().find(starts)
    }
}

/// The words that give a machine's address: “the machine is 10.20.4.11”, “a VPS that runs by now, IP 203.0.113.7”.
fn addressed(words: &Words) -> Option<Range<usize>> {
    const GIVING: &[&str] =
        &["is", "ip", "ips", "ist", "est", "es", "address", "are", "sind", "sont", "son"];
    const COMING: &str = "from only allow allowed access ssh connect office home desde depuis von nur solo sólo seul";
    const REACH: usize = 9;
    let values: Vec<&str> = words.values().collect();
    (1..values.len()).find_map(|at| {
        let address = values[at].parse::<std::net::Ipv4Addr>().is_ok();
        if !address || !GIVING.contains(&values[at - 1]) {
            return None;
        }
        let from = words.sentence(at).start.max(at.saturating_sub(REACH));
        let machine = (from..at - 1)
            .rev()
            .find(|at| lists(SERVERS, values[*at]) || lists(MACHINES, values[*at]))?;
        let comes = (from..at).any(|at| lists(COMING, values[at]));
        (!comes).then_some(machine..at + 1)
    })
}
