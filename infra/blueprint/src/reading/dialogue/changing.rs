//! What the user wants changed of a deployment that stands.

use super::Dialogue;
use crate::catalogue::additions::{self, ADDITIONS};
use crate::catalogue::parameters::Parameter;
use crate::choice::Choice;
use crate::reading::wishes::{Asked, Fate};

/// Values that the deployments' own steps change on what stands, without building anything anew.
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

fn is_changeable(key: &str) -> bool {
    CHANGEABLE.contains(&key) || additions::asking(key).is_some()
}

impl Dialogue {
    /// Starts from what stands: its values, and what was asked for until now.
    pub fn changing(before: &Choice, requirements: &str) -> Dialogue {
        let mut dialogue = Dialogue::resuming(requirements);
        dialogue.blueprint = Some(before.blueprint);
        dialogue.values.clone_from(before.values());
        dialogue.confirmed = true;
        dialogue.unagreed = false;
        dialogue
    }

    /// Keeps what cannot be changed as it stands, and says so where it was asked for.
    pub fn keep_what_stands(&mut self, before: &Choice) {
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

    /// Says that something asked for is not done, and why.
    pub fn lacking(&mut self, what: String, how: &str) {
        let asked = Asked { what, fate: Fate::Differently(how.into()) };
        if !self.asked.contains(&asked) {
            self.heard.asked.push(asked.clone());
            self.asked.push(asked);
        }
    }

    /// What differs from what stands, with the value that it shall have.
    pub fn differing(&self, before: &Choice) -> Vec<(&'static Parameter, String)> {
        self.choice().map(|after| differing(before, &after)).unwrap_or_default()
    }
}

/// What differs between two choices of the same deployment, with the later value.
pub fn differing(before: &Choice, after: &Choice) -> Vec<(&'static Parameter, String)> {
    let both = |parameter: &&Parameter| {
        // The values of what is only now added or removed go with it.
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

/// What can be changed of a deployment, in the words of its parameters.
pub fn changeable(before: &Choice) -> Vec<&'static str> {
    let can = |parameter: &&Parameter| is_changeable(parameter.key);
    before.parameters().filter(can).map(|parameter| parameter.label).collect()
}
