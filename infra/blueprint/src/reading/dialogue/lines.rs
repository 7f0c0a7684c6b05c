//! The lines of the list that the user sees before confirming.

use super::quotes::Line;
use super::sizing::SERVER_TYPE;
use super::{Dialogue, NOTHING};
use crate::catalogue::additions::ADDITIONS;
use crate::catalogue::parameters::Parameter;
use crate::reading::wishes;

impl Dialogue {
    /// Every line of the list: a machine of the user's that is not used, the deployment, each value that the user mentioned,
    /// the sizes and features that it has, and what is not built as stated.
    pub fn lines(&self) -> Vec<Line> {
        let title = self.blueprint.map(|blueprint| blueprint.title.to_string());
        // “Without Redis” is in the list of what is left out, and a type that was taken for a size is in the row for the size.
        let said = |(parameter, value): &(&'static Parameter, &str)| {
            let of_a_size = parameter.key == SERVER_TYPE && self.is_taken_for_a_size(value);
            !of_a_size && (parameter.key != ADDITIONS.key || *value != NOTHING)
        };
        let values =
            self.named_values().filter(said).map(|(parameter, value)| parameter.requirement(value));
        let covered = self.covered.iter().map(|wish| wish.to_string());
        let built = title
            .into_iter()
            .chain(values)
            .chain(self.fulfilled_sizes())
            .chain(covered)
            .chain(self.own_system());
        let asked = self.asked.iter().map(|asked| (asked.what.clone(), Some(asked.fate.clone())));
        let built = built.map(|line| (line, None));
        let mut lines: Vec<Line> = built.chain(asked).chain(self.provider_of_nothing()).collect();
        // No user may overlook that a new server is planned in place of their own.
        lines.sort_by_key(|(line, fate)| fate.is_none() || !wishes::is_an_own_machine(line));
        lines
    }
}
