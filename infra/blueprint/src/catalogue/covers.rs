//! Features that users ask for in addition to a deployment, and the deployments that have each feature: the steps that
//! build it and the checks that prove it.
//!
//! `catalogue/features.json` has the words for all features. The `covers.json` of a folder says which of them it
//! builds. A deployment's file applies to that deployment alone; the file of a part or an addition applies to every
//! deployment that has the checks it names. A feature counts as covered only if a check proves it, so nothing is
//! claimed without a check.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::additions::Addition;
use super::described::Text;
use super::{Blueprint, Step, folder};
use crate::words::{Qualifier, QualifierKind, Words};

/// Something that users ask for in addition to a deployment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    name: Text,
    wish: Text,
    cues: Vec<Text>,
    #[serde(default)]
    without: Vec<Text>,
    #[serde(default)]
    words: Option<Text>,
    #[serde(default)]
    but: Option<Text>,
    /// Words in the same clause with which a phrase for it is about something else.
    #[serde(default)]
    about: Option<Text>,
    /// A part of some deployments that fulfills it, too, if the message says no more than one of its phrases.
    #[serde(default)]
    or: Option<Text>,
    /// A word that asks for it only if the deployment has it: elsewhere, the “https” of “ports for http and https” asks
    /// for nothing.
    #[serde(default)]
    if_built: Option<Text>,
    /// Words in the same clause that ask for it in a way that nothing here provides, such as “hourly”.
    #[serde(default)]
    otherwise: Option<Text>,
    /// How the deployment provides it instead.
    #[serde(default)]
    instead: Option<Text>,
    /// Whether it is a part of some deployments, and another row says of the others that they lack it.
    #[serde(default)]
    part: bool,
    /// Qualifiers, or kinds of them, with which the deployment still provides it: “nightly” backups.
    #[serde(default)]
    unless: Option<Text>,
}

/// The titles in a `covers.json`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Titles {
    steps: Vec<Text>,
    checks: Vec<Text>,
    /// The feature with its frequency, for a message that asks for another one.
    how_often: Option<Text>,
    /// Qualifiers with which this deployment still provides it, beside those of the feature.
    unless: Option<Text>,
}

/// How a deployment has a feature.
pub struct Cover {
    pub feature: &'static Feature,
    /// Titles of the steps that build it.
    steps: Vec<&'static str>,
    /// Titles of the checks that prove it.
    checks: Vec<&'static str>,
    how_often: Option<&'static str>,
    unless: Option<&'static str>,
}

static FEATURES: LazyLock<Vec<Feature>> =
    LazyLock::new(|| serde_json::from_str(folder::text("features.json")).unwrap_or_default());

/// What each folder covers: by path, then by feature name.
static FOLDERS: LazyLock<Vec<(&'static str, BTreeMap<String, Titles>)>> = LazyLock::new(|| {
    let files = folder::all();
    let files = files.filter_map(|(path, text)| Some((path.strip_suffix("/covers.json")?, text)));
    files.filter_map(|(path, text)| Some((path, serde_json::from_str(text).ok()?))).collect()
});

impl Feature {
    /// Whether only the deployments that have it list it.
    pub fn is_a_part(&self) -> bool {
        self.part
    }

    /// The name as it follows “with”: “a firewall”.
    pub fn name(&self) -> &'static str {
        self.name.0
    }

    /// The feature as a separate requirement.
    pub fn wish(&self) -> &'static str {
        self.wish.0
    }

    /// How deployments provide it if a message asks for it in another way, for the test of the translations.
    #[cfg(test)]
    pub fn instead(&self) -> Option<&'static str> {
        self.instead.map(|instead| instead.0)
    }

    /// Phrases that ask for it. Their words may be in any order, with others in between.
    pub fn cues(&self) -> impl Iterator<Item = &'static str> {
        self.cues.iter().map(|cue| cue.0)
    }

    /// A word that asks for it only if the deployment has it.
    pub fn if_built(&self) -> Option<&'static str> {
        self.if_built.map(|word| word.0)
    }

    /// Phrases that ask for it by a negation: “no root login”.
    pub fn without(&self) -> impl Iterator<Item = &'static str> {
        self.without.iter().map(|cue| cue.0)
    }

    /// Whether a word near the phrase adds detail to the feature.
    pub fn has_word(&self, said: &str) -> bool {
        self.words.is_some_and(|words| words.0.split_whitespace().any(|word| word == said))
    }

    /// How the deployment provides the feature, if the word asks for it in another way.
    pub fn instead_of(&self, said: &str) -> Option<&'static str> {
        let other = self.otherwise?.0.split_whitespace().any(|word| word == said);
        self.instead.filter(|_| other).map(|instead| instead.0)
    }

    /// Whether the deployment provides the feature with this qualifier as well.
    pub fn knows(&self, qualifier: &Qualifier, words: &Words) -> bool {
        self.unless.is_some_and(|known| qualifier.is_known(words, known.0))
    }

    /// What the deployment provides in place of the feature with a qualifier of this kind.
    pub fn without_qualifier(&self, kind: QualifierKind) -> &'static str {
        let other = self.instead.filter(|_| kind == QualifierKind::Frequency);
        other.map_or(self.name.0, |instead| instead.0)
    }

    /// Words that change the meaning of a phrase beside them: “encrypted traffic” does not ask for encryption at rest.
    pub fn other_beside(&self) -> impl Iterator<Item = &'static str> {
        self.but.map_or("", |words| words.0).split_whitespace()
    }

    /// Whether a phrase for it is about something else in a clause with this word.
    pub fn is_about(&self, said: &str) -> bool {
        self.about.is_some_and(|words| words.0.split_whitespace().any(|word| word == said))
    }

    /// Whether a part of the deployment fulfills what this phrase alone asks for.
    pub fn is_fulfilled_by(&self, blueprint: &Blueprint, said: &str) -> bool {
        let part = self.or.filter(|_| self.cues().any(|cue| cue == said));
        part.is_some_and(|part| blueprint.cues().any(|cue| cue == part.0))
    }
}

impl Cover {
    /// Whether this deployment provides the feature with this qualifier as well.
    pub fn knows(&self, qualifier: &Qualifier, words: &Words) -> bool {
        let own = self.unless.is_some_and(|known| qualifier.is_known(words, known));
        own || self.feature.knows(qualifier, words)
    }

    /// What this deployment provides in place of the feature with a qualifier of this kind.
    pub fn without_qualifier(&self, kind: QualifierKind) -> &'static str {
        let own = self.how_often.filter(|_| kind == QualifierKind::Frequency);
        own.unwrap_or(self.feature.without_qualifier(kind))
    }

    pub fn builds(&self, step: &Step) -> bool {
        self.steps.contains(&step.title)
    }

    pub fn proves(&self, check: &Step) -> bool {
        self.checks.contains(&check.title)
    }
}

pub fn features() -> impl Iterator<Item = &'static Feature> {
    FEATURES.iter()
}

/// The features that a deployment has with these additions.
pub fn of(blueprint: &Blueprint, additions: &[&Addition]) -> Vec<Cover> {
    let added = |kind: fn(&Addition) -> &'static [Step]| {
        additions.iter().flat_map(move |addition| kind(addition)).map(|step| step.title)
    };
    let titles = |steps: &[Step]| steps.iter().map(|step| step.title).collect::<Vec<_>>();
    let mut steps = titles(blueprint.steps);
    steps.extend(added(|addition| addition.steps));
    let mut checks = titles(blueprint.checks);
    checks.extend(added(|addition| addition.checks));
    let cover = |feature: &'static Feature| {
        let here = folders(blueprint, additions).filter_map(|titles| titles.get(feature.name()));
        let here =
            here.filter(|titles| titles.checks.iter().all(|check| checks.contains(&check.0)));
        let mut cover =
            Cover { feature, steps: Vec::new(), checks: Vec::new(), how_often: None, unless: None };
        for titles in here {
            cover.checks.extend(titles.checks.iter().map(|check| check.0));
            cover.how_often = cover.how_often.or(titles.how_often.as_ref().map(|text| text.0));
            cover.unless = cover.unless.or(titles.unless.as_ref().map(|text| text.0));
            cover.steps.extend(titles.steps.iter().map(|s| s.0).filter(|s| steps.contains(s)));
        }
        (!cover.checks.is_empty()).then_some(cover)
    };
    features().filter_map(cover).collect()
}

/// Whether the deployment itself asks about the feature, so that the answer decides what is built.
pub fn is_asked(blueprint: &Blueprint, feature: &Feature) -> bool {
    let own = FOLDERS.iter().find(|(folder, _)| *folder == blueprint.id);
    let titles = own.and_then(|(_, covers)| covers.get(feature.name()));
    titles.is_some_and(|titles| titles.checks.is_empty())
}

fn folders<'a>(
    blueprint: &'a Blueprint,
    additions: &'a [&Addition],
) -> impl Iterator<Item = &'static BTreeMap<String, Titles>> + use<'a> {
    let holds = |folder: &str| {
        let added = folder.strip_prefix("additions/");
        folder == blueprint.id
            || folder.starts_with("parts/")
            || additions.iter().any(|addition| added == Some(addition.id))
    };
    FOLDERS.iter().filter(move |(folder, _)| holds(folder)).map(|(_, covers)| covers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalogue::{self, additions};

    #[test]
    fn every_file_is_complete_and_names_existing_features_steps_and_checks() {
        let all: Vec<Feature> = serde_json::from_str(folder::text("features.json")).unwrap();
        let names: BTreeSet<&str> = all.iter().map(Feature::name).collect();
        let wishes: BTreeSet<&str> = all.iter().map(Feature::wish).collect();
        assert_eq!((names.len(), wishes.len()), (all.len(), all.len()), "a name occurs twice");
        let titled = |of: fn(&Blueprint) -> &'static [Step],
                      added: fn(&Addition) -> &'static [Step]| {
            let own = catalogue::ALL.iter().flat_map(|blueprint| of(blueprint));
            let own = own.chain(additions::all().flat_map(added));
            own.map(|step| step.title).collect::<BTreeSet<_>>()
        };
        let steps = titled(|blueprint| blueprint.steps, |addition| addition.steps);
        let checks = titled(|blueprint| blueprint.checks, |addition| addition.checks);
        for (path, text) in folder::all().filter(|(path, _)| path.ends_with("/covers.json")) {
            let covers: BTreeMap<String, Titles> = serde_json::from_str(text).unwrap();
            for (name, titles) in covers {
                assert!(names.contains(name.as_str()), "{path}: no feature is called {name}");
                let built = titles.steps.iter().all(|title| steps.contains(title.0));
                let proved = titles.checks.iter().all(|title| checks.contains(title.0));
                assert!(
                    built && proved,
                    "{path}: {name} names a step or a check that is not there"
                );
                assert_eq!(titles.steps.is_empty(), titles.checks.is_empty(), "{path}: {name}");
            }
        }
    }

    #[test]
    fn a_covered_feature_is_built_by_a_step_and_proved_by_a_check_of_its_deployment() {
        for blueprint in catalogue::ALL.iter() {
            let added: Vec<_> = additions::all().filter(|_| blueprint.takes_additions()).collect();
            for additions in [&[][..], &added] {
                for cover in of(blueprint, additions) {
                    let own = additions.iter().flat_map(|addition| addition.steps);
                    let built = blueprint.steps.iter().chain(own).any(|step| cover.builds(step));
                    let own = additions.iter().flat_map(|addition| addition.checks);
                    let proved =
                        blueprint.checks.iter().chain(own).any(|check| cover.proves(check));
                    assert!(built && proved, "{}: {}", blueprint.id, cover.feature.name());
                }
            }
        }
    }
}
