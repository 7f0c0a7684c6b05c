//! The user's changes to an existing deployment.

use super::Dialogue;
use crate::catalogue::additions::{self, ADDITIONS};
use crate::catalogue::parameters::Parameter;
use crate::choice::Choice;
use crate::reading::wishes::{Asked, Fate};

/// Keys of the values that the deployment's steps can change in place, without a new build.
const CHANGEABLE: &[&str] = &[
    "port",
    "health-path",
    "greeting",
    "access",
    "open-ports",
    "ssh-from",
    "watch",
    "dump-days",
    "retention-days",
    ADDITIONS.key,
];

/// Whether the deployment's steps can change a value in place.
pub fn is_changeable(key: &str) -> bool {
    CHANGEABLE.contains(&key) || additions::asking(key).is_some()
}

impl Dialogue {
    /// Starts from the existing deployment: its values, and what the user has asked for so far.
    pub fn changing(before: &Choice, requirements: &str) -> Dialogue {
        let mut dialogue = Dialogue::resuming(requirements);
        dialogue.blueprint = Some(before.blueprint);
        dialogue.values.clone_from(before.values());
        dialogue.confirmed = true;
        dialogue.unagreed = false;
        dialogue
    }

    /// Restores the values that cannot be changed in place, and reports them if the user asked to change them.
    pub fn keep_unchanged(&mut self, before: &Choice) {
        let other = self.blueprint.filter(|blueprint| blueprint.id != before.blueprint.id);
        if let Some(other) = other {
            self.blueprint = Some(before.blueprint);
            self.values.clone_from(before.values());
            self.lacking(other.title.into(), "another deployment; begin a new project for it");
        }
        for (parameter, value) in self.differing(before) {
            if !is_changeable(parameter.key) {
                self.values.insert(parameter.key, before.value(parameter.key).into());
                let what = format!("{}: {value}", parameter.label);
                self.lacking(what, "it stays as it is: changing it would build the rest anew");
            }
        }
    }

    /// Records that a request is not carried out, and why.
    pub fn lacking(&mut self, what: String, how: &str) {
        let asked = Asked { what, fate: Fate::Differently(how.into()) };
        if !self.asked.contains(&asked) {
            self.latest.asked.push(asked.clone());
            self.asked.push(asked);
        }
    }

    /// The parameters that differ from the existing deployment, with their new values.
    pub fn differing(&self, before: &Choice) -> Vec<(&'static Parameter, String)> {
        self.choice().map(|after| differing(before, &after)).unwrap_or_default()
    }
}

/// The parameters that differ between two choices of the same deployment, with their later values.
pub fn differing(before: &Choice, after: &Choice) -> Vec<(&'static Parameter, String)> {
    let both = |parameter: &&Parameter| {
        // An addition's values come and go with the addition.
        before.has(parameter.key) && after.has(parameter.key)
    };
    let differs =
        |parameter: &&Parameter| before.value(parameter.key) != after.value(parameter.key);
    before
        .parameters()
        .filter(both)
        .filter(differs)
        .map(|p| (p, after.value(p.key).to_string()))
        .collect()
}

/// The parameters of a deployment that can be changed, by their labels.
pub fn changeable(before: &Choice) -> Vec<&'static str> {
    let can = |parameter: &&Parameter| is_changeable(parameter.key);
    before.parameters().filter(can).map(|parameter| parameter.label).collect()
}
