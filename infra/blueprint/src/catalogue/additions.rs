//! Software that can be added to a server, in the first build or later, and removed again.
//!
//! Each addition is a folder of data in `catalogue/additions`: its name and questions, the steps that add it, the steps
//! that remove it, its checks and its documents. It has a separate role and playbook, so adding or removing it changes
//! nothing else on the server. A deployment takes additions if [`ADDITIONS`] is among its parameters. The Rust code
//! names no addition.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

use super::described::{Operation, Question, Sign, Text, Titled, kept};
use super::operations::Command;
use super::parameters::{Found, Parameter};
use super::recognition::{is_a_container, is_asked_at};
use super::{Diagnosis, Step, folder};
use crate::words::Words;
use crate::words::language::Weight;

pub const ADDITIONS: Parameter = Parameter {
    key: "additions",
    label: "Also on the server",
    question: "what else should be installed on the server?",
    default: NONE,
    asked: false,
    accept,
    find,
};

const NONE: &str = "none";

/// Software that can be added.
pub struct Addition {
    /// The name of its folder.
    pub id: &'static str,
    /// Its name in a sentence: “Redis”.
    pub label: &'static str,
    /// Phrases by which users name it.
    pub cues: &'static [&'static str],
    /// Ids of the additions and deployments that cannot run on the same server.
    conflicts: &'static [&'static str],
    /// Names of its secrets, and the purpose of each.
    pub secrets: &'static [(&'static str, &'static str)],
    /// Ports on which it listens and that must stay closed to the outside.
    pub closed_ports: &'static [u16],
    /// What the user should know before confirming.
    pub before_confirming: &'static str,
    /// Its questions. Each key begins with the addition's id.
    pub questions: &'static [Parameter],
    pub steps: &'static [Step],
    /// The steps that remove it.
    pub removal: &'static [Step],
    pub checks: &'static [Step],
    pub commands: &'static [Command],
    pub diagnoses: &'static [Diagnosis],
    /// Its files, by the names that `#@write` gives: the id, a slash, and the name in the folder `files`.
    pub files: &'static [(&'static str, &'static str)],
}

/// The contents of `addition.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    label: Text,
    cues: Vec<Text>,
    conflicts: Vec<Text>,
    secrets: Vec<(Text, Text)>,
    closed_ports: Vec<u16>,
    before_confirming: Text,
    questions: Vec<Question>,
    steps: Vec<Titled>,
    removal: Vec<Titled>,
    checks: Vec<Titled>,
    commands: Vec<Operation>,
    diagnoses: Vec<Sign>,
}

static ALL: LazyLock<Vec<Addition>> = LazyLock::new(|| {
    let described = folder::below("additions")
        .filter_map(|(path, text)| Some((path.strip_suffix("/addition.json")?, text)));
    described.filter_map(|(id, text)| read(id, text).ok()).collect()
});

fn read(id: &'static str, text: &str) -> serde_json::Result<Addition> {
    let described: Description = serde_json::from_str(text)?;
    let own = format!("additions/{id}");
    let folder = format!("{own}/files");
    let files = folder::below(&folder).map(|(name, text)| (&*format!("{id}/{name}").leak(), text));
    let questions = described.questions.into_iter().filter_map(Question::parameter);
    Ok(Addition {
        id,
        label: described.label.0,
        cues: kept(described.cues, |cue| cue.0),
        conflicts: kept(described.conflicts, |id| id.0),
        secrets: kept(described.secrets, |(name, what)| (name.0, what.0)),
        closed_ports: described.closed_ports.leak(),
        before_confirming: described.before_confirming.0,
        questions: questions.collect::<Vec<_>>().leak(),
        steps: kept(described.steps, |step| step.step(&own, "steps")),
        removal: kept(described.removal, |step| step.step(&own, "steps")),
        checks: kept(described.checks, |check| check.step(&own, "checks")),
        commands: kept(described.commands, Operation::command),
        diagnoses: kept(described.diagnoses, Sign::diagnosis),
        files: files.collect::<Vec<_>>().leak(),
    })
}

impl Addition {
    /// One of its documents: `requirements.md`, `facts.json`.
    pub fn document(&self, name: &str) -> &'static str {
        folder::text(&format!("additions/{}/{name}", self.id))
    }

    fn is_meant(&self, words: &Words) -> bool {
        let meant = |cue| words.meant_at(cue).into_iter().map(move |place| (cue, place));
        let mut places = self.cues.iter().flat_map(|cue| meant(*cue));
        // The Redis of the user's Compose project is not installed, and none that runs elsewhere.
        places.any(|(cue, place)| !is_a_container(&place, words) && is_asked_at(cue, &place, words))
    }

    /// Whether the words that remove something are about it, and not about something else that they name: “Redis, and remove
    /// the PBX”.
    fn is_removed(&self, words: &Words) -> bool {
        let clause = |place: &Range<usize>| words.clause(words.origin(place.start));
        let own = self.cues.iter().flat_map(|cue| words.places(cue));
        let own: Vec<_> = own.map(|place| clause(&place)).collect();
        let removing = REMOVING.iter().flat_map(|phrase| words.meant_at(phrase));
        removing.into_iter().any(|place| {
            let clause = clause(&place);
            let other = |at: usize| {
                let value = words.values().nth(at).unwrap_or_default();
                let removes = REMOVING.iter().any(|phrase| phrase.split(' ').any(|w| w == value));
                words.language(at).weight(value) == Weight::Full && !removes
            };
            own.contains(&clause) || !clause.into_iter().any(other)
        })
    }

    fn conflicts_with(&self, id: &str) -> bool {
        self.conflicts.contains(&id)
    }
}

/// All additions, in the order of their ids.
pub fn all() -> impl Iterator<Item = &'static Addition> {
    ALL.iter()
}

/// The additions whose ids a list contains.
pub fn of_list(list: &str) -> impl Iterator<Item = &'static Addition> {
    list.split(',').filter_map(|id| ALL.iter().find(|addition| addition.id == id))
}

/// The additions that the values select.
pub fn chosen(values: &BTreeMap<&'static str, String>) -> impl Iterator<Item = &'static Addition> {
    of_list(values.get(ADDITIONS.key).map_or(NONE, String::as_str))
}

/// The addition to which a parameter belongs.
pub fn asking(key: &str) -> Option<&'static Addition> {
    ALL.iter().find(|addition| addition.questions.iter().any(|question| question.key == key))
}

/// The reason why a deployment does not take the additions of a list.
pub fn refusal(blueprint: &str, title: &str, list: &str) -> Option<String> {
    let mut refused = of_list(list).filter(|addition| addition.conflicts_with(blueprint));
    refused.next().map(|addition| format!("{} does not go together with {title}.", addition.label))
}

fn accept(text: &str) -> Option<String> {
    if text.trim() == NONE {
        return Some(NONE.into());
    }
    let known = |id: &str| ALL.iter().find(|addition| addition.id == id.trim());
    let mut additions: Vec<&Addition> = text.split(',').map(known).collect::<Option<_>>()?;
    additions.sort_by_key(|addition| addition.id);
    additions.dedup_by_key(|addition| addition.id);
    let apart = |one: &&Addition| additions.iter().any(|other| one.conflicts_with(other.id));
    if additions.iter().any(apart) {
        return None;
    }
    Some(additions.iter().map(|addition| addition.id).collect::<Vec<_>>().join(","))
}

/// Words that remove an addition.
const REMOVING: &[&str] =
    &["remove", "uninstall", "take away", "get rid of", "drop", "delete", "no longer need"];

/// Whether all of these cues that the message has name an addition, or are words that remove one.
pub fn explain(cues: &[&str], words: &Words) -> bool {
    let named = ALL.iter().any(|addition| addition.is_meant(words));
    let known = |cue: &&str| {
        REMOVING.contains(cue) || ALL.iter().any(|addition| addition.cues.contains(cue))
    };
    named && cues.iter().filter(|cue| words.means(cue)).all(known)
}

/// “also add Redis”, “with Redis”, “remove Redis”, “without Redis”.
fn find(words: &Words) -> Found {
    let removes = words.means_any(REMOVING) && !words.means_any(&["add", "install"]);
    let ids = |additions: &mut dyn Iterator<Item = &Addition>| -> Vec<String> {
        additions.map(|addition| addition.id.to_string()).collect()
    };
    let meant = || ALL.iter().filter(|addition| addition.is_meant(words));
    let (gone, kept): (Vec<_>, Vec<_>) =
        meant().partition(|addition| removes && addition.is_removed(words));
    let turned_down = ALL.iter().filter(|addition| !words.means_any(addition.cues));
    let mut turned_down =
        turned_down.filter(|addition| addition.cues.iter().any(|cue| words.has(cue)));
    let mut removed = ids(&mut turned_down);
    removed.extend(ids(&mut gone.into_iter()));
    let added = ids(&mut kept.into_iter());
    if added.is_empty() && removed.is_empty() {
        return Found::Nothing;
    }
    Found::Changed { added, removed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(added: &[&str], removed: &[&str]) -> Found {
        let list = |ids: &[&str]| ids.iter().map(|id| id.to_string()).collect();
        Found::Changed { added: list(added), removed: list(removed) }
    }

    #[test]
    fn additions_are_added_and_removed_by_name() {
        let find = |text: &str| find(&Words::of(text));
        assert_eq!(find("also add Redis"), changed(&["redis"], &[]));
        assert_eq!(find("Remove Redis, please"), changed(&[], &["redis"]));
        assert_eq!(find("a VPS without Redis"), changed(&[], &["redis"]));
        assert_eq!(find("a Redis, and remove the PBX"), changed(&["redis"], &[]));
        assert_eq!(find("also open port 8443"), Found::Nothing);
        assert_eq!(accept("redis,redis"), Some("redis".into()));
        for hostile in ["redis; id", "", "vpn", "none,redis"] {
            assert_eq!(accept(hostile), None, "{hostile}");
        }
    }

    #[test]
    fn every_addition_is_read_completely() {
        let folders =
            folder::below("additions").filter(|(path, _)| path.ends_with("addition.json"));
        for (path, text) in folders {
            let id = path.strip_suffix("/addition.json").unwrap();
            let described: Description = serde_json::from_str(text).unwrap();
            let addition = ALL.iter().find(|addition| addition.id == id).unwrap();
            assert_eq!(
                addition.questions.len(),
                described.questions.len(),
                "{id}: a kind is unknown"
            );
            for question in addition.questions {
                assert!(question.key.starts_with(&format!("{id}-")), "{}", question.key);
                assert_eq!((question.accept)(question.default).as_deref(), Some(question.default));
            }
            for step in addition.steps.iter().chain(addition.removal) {
                assert!(!step.script.is_empty() && !step.prompt.is_empty(), "{}", step.title);
                assert!(!step.proof.is_empty(), "{}", step.title);
            }
            assert!(!addition.steps.is_empty() && !addition.removal.is_empty(), "{id}");
            assert!(!addition.checks.is_empty(), "{id}");
            for check in addition.checks {
                assert!(!check.script.is_empty() && !check.prompt.is_empty(), "{}", check.title);
            }
            for document in [
                "requirements.md",
                "architecture.md",
                "documentation.md",
                "quickstart.md",
                "answers.md",
                "facts.json",
            ] {
                assert!(!addition.document(document).is_empty(), "{id}: {document}");
            }
        }
    }

    #[test]
    fn an_addition_conflicts_only_with_the_deployments_that_it_names() {
        let text = folder::text("additions/redis/addition.json");
        let text = text.replace("\"conflicts\": []", "\"conflicts\": [\"basic-vps\"]");
        let redis = read("redis", &text).unwrap();
        assert!(redis.conflicts_with("basic-vps") && !redis.conflicts_with("vps-mysql"));
        assert_eq!(
            refusal("basic-vps", "A basic VPS", "redis"),
            None,
            "the catalogue's own has none"
        );
    }
}
