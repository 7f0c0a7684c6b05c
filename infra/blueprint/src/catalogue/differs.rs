//! What users ask for beside a deployment and the deployment provides in another way, and wishes that contradict each
//! other.
//!
//! The `differs.json` of a deployment's folder has phrases and what the deployment does instead.
//! `catalogue/contradictions.json` has pairs of wishes that no deployment can fulfill together.

use std::sync::LazyLock;

use serde::Deserialize;

use super::described::Text;
use super::folder;
use crate::words::Words;

/// Something that a deployment does in another way than the phrases ask for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differs {
    cues: Vec<Text>,
    /// What the deployment does, as it follows “instead: ”.
    pub instead: Text,
}

/// Two wishes, of which a message can mean only one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contradiction {
    one: Wish,
    other: Wish,
}

/// The phrases for a wish: some are said as they are, and the words of others are near each other.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Wish {
    said: Vec<Text>,
    near: Vec<Text>,
}

static DIFFERS: LazyLock<Vec<(&'static str, Vec<Differs>)>> = LazyLock::new(|| {
    let files = folder::all();
    let files = files.filter_map(|(path, text)| Some((path.strip_suffix("/differs.json")?, text)));
    files.filter_map(|(path, text)| Some((path, serde_json::from_str(text).ok()?))).collect()
});

static CONTRADICTIONS: LazyLock<Vec<Contradiction>> =
    LazyLock::new(|| serde_json::from_str(folder::text("contradictions.json")).unwrap_or_default());

/// What a message asks for that the deployment does in another way: the phrase, and what it does.
pub fn of(id: &str, words: &Words) -> Vec<(&'static str, &'static str)> {
    let own = DIFFERS.iter().filter(|(folder, _)| *folder == id).flat_map(|(_, differs)| differs);
    let meant = own.filter_map(|differs| {
        let said = differs.cues.iter().map(|cue| cue.0).find(|cue| words.means(cue))?;
        Some((said, differs.instead.0))
    });
    meant.collect()
}

/// What a deployment does in another way, for the test of the translations.
#[cfg(test)]
pub fn reasons(id: &str) -> impl Iterator<Item = &'static str> {
    let own = DIFFERS.iter().filter(move |(folder, _)| *folder == id);
    own.flat_map(|(_, differs)| differs).map(|differs| differs.instead.0)
}

/// The wishes of a message that contradict each other, as the message names them.
pub fn contradictions(words: &Words) -> Vec<String> {
    let pairs = CONTRADICTIONS.iter().filter_map(|pair| {
        let (one, other) = (pair.one.in_message(words)?, pair.other.in_message(words)?);
        Some(format!("{one}, and {other}"))
    });
    let ssh = words.contradicts("ssh").then(|| "no ssh, and ssh".to_string());
    pairs.chain(ssh).collect()
}

impl Wish {
    /// The phrase by which a message asks for it.
    fn in_message(&self, words: &Words) -> Option<&'static str> {
        let said = self.said.iter().map(|phrase| phrase.0).find(|phrase| words.has(phrase));
        let near = |phrase: &&str| words.all_near(phrase).iter().any(|near| !near.negated(words));
        said.or_else(|| self.near.iter().map(|phrase| phrase.0).find(near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Blueprint;

    #[test]
    fn every_file_is_read_and_belongs_to_a_deployment() {
        for (path, text) in folder::all().filter(|(path, _)| path.ends_with("/differs.json")) {
            let differs: Vec<Differs> = serde_json::from_str(text).unwrap();
            assert!(differs.iter().all(|differs| !differs.cues.is_empty()), "{path}");
            assert!(Blueprint::by_id(path.trim_end_matches("/differs.json")).is_some(), "{path}");
        }
        let pairs: Vec<Contradiction> =
            serde_json::from_str(folder::text("contradictions.json")).unwrap();
        assert!(!pairs.is_empty());
    }

    #[test]
    fn wishes_that_exclude_each_other_are_found() {
        for (text, named) in [
            ("no SSH, and SSH only from my address", "no ssh, and ssh"),
            ("no public port, not even SSH, but I connect by SSH from anywhere", "no ssh, and ssh"),
            (
                "completely offline, and users connect over the internet",
                "offline, and over internet",
            ),
            (
                "a database with no network at all, reachable from the internet",
                "no network, and from internet",
            ),
        ] {
            assert_eq!(contradictions(&Words::of(text)), [named], "{text}");
        }
        for text in [
            "no SSH passwords, SSH only from my address",
            "no SSH with a password, SSH by key only",
            "no SSH on port 22, SSH on port 2222",
            "not reachable from the internet, except over SSH",
            "no network at all",
            "offline, not reachable over the internet",
            "no SSH",
        ] {
            assert_eq!(contradictions(&Words::of(text)), [""; 0], "{text}");
        }
    }
}
