//! A new password in place of one that does not exist: “rotate the password” of an open page.

use super::Dialogue;
use crate::catalogue::ROTATES;
use crate::catalogue::parameters::{Found, Parameter};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

/// What is done instead.
const NONE_YET: &str = "nothing, because the page asks for no password so far";

impl Dialogue {
    /// Reports a rotation if the page does not ask for a password so far. Returns whether it does so.
    pub(super) fn has_no_password(
        &mut self,
        parameter: &'static Parameter,
        words: &Words,
        found: &Found,
    ) -> bool {
        let rotates =
            matches!(found, Found::Changed { added, .. } if added.iter().any(|one| one == ROTATES));
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        if parameter.key != "access" || !rotates || present != parameter.default {
            return false;
        }
        let at = words.places("password").first().map_or(0, |place| words.origin(place.start));
        let clause = words.clause(at);
        let asked =
            Asked { what: words.said_in(clause.clone()), fate: Fate::Differently(NONE_YET.into()) };
        self.limit(parameter, present.to_owned(), asked, None);
        self.latest.changed.retain(|(changed, _)| changed.key != parameter.key);
        self.latest.reported.extend(clause);
        true
    }
}
