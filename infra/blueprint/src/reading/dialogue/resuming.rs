//! Starts a dialogue from what is known before its first message.

use super::{ASKED, Dialogue, STILL_OPEN, YOUR_AGREEMENT, system};
use crate::catalogue::Place;
use crate::choice::Choice;
use crate::reading::wishes::{self, Asked};
use crate::words::Words;

impl Dialogue {
    /// Starts from an earlier choice.
    pub fn continuing(choice: &Choice) -> Dialogue {
        Dialogue {
            blueprint: Some(choice.blueprint),
            values: choice.values().clone(),
            confirmed: true,
            ..Dialogue::default()
        }
    }

    /// Starts from existing requirements, for a conversation that is shown without its beginning.
    pub fn resuming(requirements: &str) -> Dialogue {
        let Some(choice) = Choice::from_document(requirements) else { return Dialogue::default() };
        let mut dialogue = Dialogue::continuing(&choice);
        let open = requirements.split_once(STILL_OPEN).map_or("", |(_, open)| open);
        for parameter in choice.parameters() {
            if open.contains(&format!("- {}:", parameter.label)) {
                dialogue.values.remove(parameter.key);
            }
        }
        dialogue.confirmed = open.is_empty();
        dialogue.unagreed = open.contains(YOUR_AGREEMENT);
        let rows = wishes::rows(requirements, ASKED);
        for parameter in choice.parameters() {
            let start = format!("{}: ", parameter.label);
            if rows.iter().any(|row| row.fate().is_none() && row.what.starts_with(&start)) {
                dialogue.named.insert(parameter.key);
            }
        }
        let sized = rows.iter().filter(|row| row.fate().is_none());
        sized.for_each(|row| dialogue.read_sizes(&Words::of(row.what)));
        dialogue.left_out = rows.iter().filter_map(|row| Some(row.ruled_out()?.into())).collect();
        // The provider alone is not a wish; its line is found again.
        let place = |what: &str| [Place::Hetzner, Place::Aws].iter().any(|own| own.words() == what);
        let lacking = rows.iter().filter(|row| row.ruled_out().is_none() && !place(row.what));
        let lacking =
            lacking.filter_map(|row| Some(Asked { what: row.what.into(), fate: row.fate()? }));
        dialogue.asked = lacking.collect();
        let built = |wish: &&str| rows.iter().any(|row| row.fate().is_none() && row.what == *wish);
        let wishes = choice.covers().into_iter().map(|cover| cover.feature.wish());
        dialogue.covered = wishes.filter(built).collect();
        dialogue.system = rows.iter().any(|row| row.fate().is_none() && system::is_own(row.what));
        dialogue
    }
}
