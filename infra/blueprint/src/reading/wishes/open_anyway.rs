//! What the user wants closed although the deployment opens it: “a website, nothing reachable from outside”.

use super::context::Context;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::catalogue::foreign::Foreign;
use crate::words::{Near, Words, lists};

/// Why nothing is closed as a whole: the playbook and the user log in by SSH.
const SSH_OPEN: &str = "SSH is open, on port 22";

/// Whether the deployment opens something although the message wants everything closed.
pub(super) fn is_open_anyway(
    blueprint: &Blueprint,
    context: &Context,
    near: &Near,
    words: &Words,
) -> bool {
    let serves = context.open_ports().next().is_some();
    serves && closes_everything(blueprint, near, words)
        || blueprint.has_server() && leaves_no_port(near, words, serves)
}

/// The row that says what is open.
pub(super) fn open_anyway(context: &Context, near: &Near, words: &Words) -> Asked {
    let ports: Vec<&str> = context.open_ports().collect();
    let how = match ports.is_empty() {
        true => SSH_OPEN.to_string(),
        false => format!("open to everybody on {}", ports.join(" and ")),
    };
    Asked { what: format!("not {}", near.text(words)), fate: Fate::Differently(how) }
}

/// Whether a clause leaves no port open at all, or nothing that a site serves: “no open ports”, “nothing reachable from outside”, but not “no other ports
/// open” or “no open ports but 443”.
fn leaves_no_port(near: &Near, words: &Words, serves: bool) -> bool {
    const NONE: &str = "no nothing none kein keine keinen keinerlei nichts ningún ninguna nada aucun aucune rien zero cero zéro";
    const NOTHING: &str = "nothing nichts nada rien";
    const PORTS: &str = "port ports puerto puertos";
    const OPEN: &str = "open opened reachable accessible exposed visible";
    const PART: &str = "else other others further more additional extra weitere weiteren anderen andere sonst otro otros otra más \
        autre autres plus except besides only apart unless unnecessary unneeded unused unnötigen überflüssigen innecesarios inutiles \
        superfluous";
    let around: Vec<&str> = near.around(words).collect();
    let has = |list: &str| around.iter().any(|word| lists(list, word));
    let number = around.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let known = |word: &&str| [NONE, PORTS, OPEN].iter().any(|list| lists(list, word));
    let first = near.begins_at(words);
    let named = around.iter().filter(|word| known(word)).count() > 1;
    let all = has(NONE) && (has(PORTS) || serves && has(NOTHING)) && has(OPEN) && named;
    all && !number && !has(PART) && !has(PARTS) && !excepts(words, words.clause(first).end)
}

/// Whether the clause at this position excepts something: “except SSH”, “only 443”.
fn excepts(words: &Words, at: usize) -> bool {
    const EXCEPTING: &str = "except excluding but only just besides apart unless außer nur bis solo sólo salvo excepto menos sauf \
        hormis uniquement seulement";
    at < words.count() && words.is_in(at, EXCEPTING)
}

/// Words for a part of a deployment or beside it, of which a clause may speak.
const PARTS: &str = "database db sql postgresql postgres mysql mariadb redis celery queue worker backend php api admin \
    panel dashboard grafana prometheus metrics ssh kubernetes docker elasticsearch kibana login";

/// Whether a clause that closes something to the outside is about the deployment itself, and not about a part behind it
/// (“the database is not reachable from outside”) or the rest (“nothing else is reachable”).
fn closes_everything(blueprint: &Blueprint, near: &Near, words: &Words) -> bool {
    const OUTSIDE: &[&str] = &[
        "outside",
        "internet",
        "world",
        "public",
        "publicly",
        "exposed",
        "accessible",
        "reachable",
        "visible",
    ];
    const REST: &str = "port ports nothing else other only except unless";
    let outside = near.words(words).any(|word| OUTSIDE.contains(&word));
    // “Mongo must never be exposed” is about Mongo, which is not built.
    let foreign = || {
        let own = |word: &str| blueprint.cues().any(|cue| cue == word);
        let named =
            |word: &str| !own(word) && Foreign::all().any(|thing| thing.cues.contains(&word));
        near.around(words).any(named)
    };
    let parts = |word: &str| lists(PARTS, word) || lists(REST, word);
    outside && !near.around(words).any(parts) && !foreign()
}
