//! Values that differ from what the user asked for, because a limit or another value does not allow the request.

use super::Dialogue;
use crate::catalogue::parameters::Parameter;
use crate::reading::sentences;
use crate::reading::wishes::Asked;
use crate::words::{Words, numbers};

/// A value that differs from what the user asked for.
#[derive(Clone)]
pub(super) struct Limited {
    /// Its row in the list of what is not built as requested.
    pub(super) asked: Asked,
    /// The requested value, if it is possible beside other values.
    wanted: Option<String>,
}

impl Dialogue {
    /// Sets a value in place of the requested one, and reports that.
    pub(super) fn limit(
        &mut self,
        parameter: &'static Parameter,
        value: String,
        asked: Asked,
        wanted: Option<String>,
    ) {
        self.latest.changed.retain(|(changed, _)| changed.key != parameter.key);
        self.set(parameter, value);
        self.named.remove(parameter.key);
        self.lack(vec![asked.clone()]);
        self.limited.insert(parameter.key, Limited { asked, wanted });
    }

    /// Removes the row about a value that no longer differs from the requested one.
    pub(super) fn lift(&mut self, key: &str) {
        if let Some(limited) = self.limited.remove(key) {
            self.asked.retain(|asked| *asked != limited.asked);
            self.latest.asked.retain(|asked| *asked != limited.asked);
        }
    }

    /// The value that the user asked for, if only other values are in its way.
    pub(super) fn wanted(&self, key: &str) -> Option<&str> {
        self.limited.get(key)?.wanted.as_deref()
    }

    /// The number that the user asked for in place of a value.
    pub(super) fn wanted_number(&self, key: &str) -> Option<u32> {
        let asked = sentences::to_english(&self.limited.get(key)?.asked.what, self.language);
        Words::translated(&asked).values().find_map(numbers::read)
    }

    /// The rows about values of the current deployment.
    pub(super) fn limits(&self) -> Vec<Asked> {
        let own = self.parameters().filter_map(|parameter| self.limited.get(parameter.key));
        own.map(|limited| limited.asked.clone()).collect()
    }
}
