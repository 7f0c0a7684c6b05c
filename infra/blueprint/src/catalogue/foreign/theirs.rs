//! Programs that a message names and that the plan must not build: what the user has by now, what the user installs by hand, and
//! what something is to be outside of.

use std::ops::Range;

use crate::words::{Words, lists};

/// Phrases by which the user does the work, in the user's words or in English.
const BY_THEMSELVES: &[&str] = &[
    "ourselves",
    "myself",
    "by hand",
    "on our own",
    "on my own",
    "selbst",
    "selber",
    "von hand",
    "nosotros mismos",
    "nosotras mismas",
    "yo mismo",
    "yo misma",
    "a mano",
    "por nuestra cuenta",
    "por mi cuenta",
    "nous-mêmes",
    "moi-même",
    "à la main",
];

/// Verbs of installing, which “by hand” is about.
const INSTALLING: &str = "install set setup deploy run bring handle add put installiere installieren richte richten setzen \
    bringen betreiben machen aufsetzen einrichten instalo instalamos instalaremos instalaré ponemos montamos monto \
    configuramos montaremos installe installons installera installerons installerai mettons mettrons configurons gérons";

/// Words of a wish: with one of them, the clause asks for what it names.
const WISHES: &str = "need needs want please can could so brauche brauchen möchte möchten will wollen bitte kann können damit \
    necesito necesitamos quiero queremos poder podamos besoin veux voulons voudrais puisse puissions pouvoir";

/// Phrases by which the user has the thing, in the user's words or in English.
const HAVING: &[&str] = &[
    "already have",
    "have already",
    "already got",
    "already exists",
    "exists already",
    "already running",
    "already runs",
    "already in place",
    "haben wir schon",
    "haben wir bereits",
    "habe ich schon",
    "habe ich bereits",
    "hab ich schon",
    "wir haben schon",
    "wir haben bereits",
    "gibt es schon",
    "gibt es bereits",
    "gibt's schon",
    "existiert schon",
    "existiert bereits",
    "läuft schon",
    "läuft bereits",
    "ya tenemos",
    "ya tengo",
    "ya los tenemos",
    "ya lo tenemos",
    "ya la tenemos",
    "ya existe",
    "ya está",
    "ya corre",
    "existe déjà",
    "existent déjà",
    "on a déjà",
    "avons déjà",
    "j'ai déjà",
    "tourne déjà",
    "déjà en place",
];

/// Words before what something is to be outside of: “a Lambda outside of a VPC”.
const OUTSIDE: &str = "outside hors außerhalb ausserhalb fuera";
const ARTICLES: &str = "of a an the any einer eines der des de del d'un d'une una un la el du le our unserer nuestra notre";

/// Nouns with which a clause tells of a machine or an account that is there, and not of what is to run on it.
const MACHINES: &str = "server servers servern vps vm machine machines box boxes host hosts account maschine maschinen rechner \
    servidor servidores máquina cuenta serveur serveurs compte";

/// The words that say not to build what the message names at this place: “Jenkins we'll install by hand”.
pub fn theirs(place: &Range<usize>, words: &Words) -> Option<Range<usize>> {
    let at = words.origin(place.start);
    let clause = words.clause(at);
    let values: Vec<&str> = words.values().collect();
    let outside = (clause.start..at).rev().find(|at| !lists(ARTICLES, values[*at]));
    if let Some(outside) = outside.filter(|at| lists(OUTSIDE, values[*at])) {
        return Some(outside..words.values_of(place).end);
    }
    let told = [words.said_in(clause.clone()), values[clause.clone()].join(" ")];
    let listed = |list| told.iter().flat_map(|text| text.split(' ')).any(|word| lists(list, word));
    let says = |phrases| told.iter().any(|text| contains(text, phrases));
    let own = says(BY_THEMSELVES) && listed(INSTALLING) || says(HAVING) && !listed(MACHINES);
    (own && !listed(WISHES)).then_some(clause)
}

/// Whether a text has one of the phrases as whole words.
fn contains(text: &str, phrases: &[&str]) -> bool {
    let text = format!(" {text} ");
    phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theirs(text: &str, cue: &str) -> bool {
        let words = Words::of(text);
        words.places(cue).first().is_some_and(|place| super::theirs(place, &words).is_some())
    }

    #[test]
    fn what_the_user_has_or_installs_is_theirs() {
        for (text, cue) in [
            ("a server, we'll install jenkins by hand", "jenkins"),
            ("jenkins installieren wir selbst", "jenkins"),
            ("a vps, jenkins lo instalamos nosotros mismos", "jenkins"),
            ("on installera mongo nous-mêmes", "mongo"),
            ("kein loki, logs haben wir schon in graylog", "graylog"),
            ("we already have kafka at work", "kafka"),
            ("graylog ya lo tenemos", "graylog"),
            ("vault existe déjà", "vault"),
            ("a lambda outside of a vpc", "vpc"),
            ("lambda hors vpc", "vpc"),
            ("eine lambda außerhalb der vpc", "vpc"),
            ("lambda fuera de una vpc", "vpc"),
        ] {
            assert!(theirs(text, cue), "{text}");
        }
    }

    #[test]
    fn what_the_user_asks_for_is_not() {
        for (text, cue) in [
            ("we need jenkins", "jenkins"),
            ("install jenkins for us", "jenkins"),
            ("ich brauche einen server, und jenkins", "jenkins"),
            ("kafka, reachable from outside", "kafka"),
            ("we already have an account and need kafka", "kafka"),
            ("we run our own jenkins on it", "jenkins"),
            ("set up kafka so we can manage it ourselves", "kafka"),
            ("kafka que se reinicie solo", "kafka"),
            ("ein jenkins, das sich selbst neu startet", "jenkins"),
            ("kafka on a server that already exists", "kafka"),
            ("un vpc avec deux sous-réseaux", "vpc"),
        ] {
            assert!(!theirs(text, cue), "{text}");
        }
    }
}
