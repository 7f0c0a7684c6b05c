//! Times of the day for the nightly backups: “every night at 3”, “um 4 Uhr”. The plan makes them at a fixed time,
//! which the row says.

use std::ops::Range;

use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::words::{Words, lists};

/// The feature that is built at a fixed time.
const NIGHTLY: &str = "Nightly backups";

/// Nouns for it, as they are translated.
const BACKUPS: &str = "backup backups dump dumps";

/// Words before the hour and after it.
const AT: &str = "at um gegen ab las la à vers around starting";
const HOURS: &str = "am pm uhr h o'clock heures heure horas a.m p.m";
const MIDNIGHT: &str = "midnight mitternacht minuit medianoche";

/// Words after a number that is not an hour.
const OTHERS: &str = "of copies days weeks day week gb mb tb servers jours tage días";

/// Nouns of other things that may happen at a time.
const ELSE: &str = "maintenance wartung mantenimiento updates reboot reboots restart alerts";

/// The row for the time at which the message wants the nightly backups, if it is not that of the plan.
pub(super) fn of_backups(
    blueprint: &Blueprint,
    covered: &[&'static str],
    otherwise: &mut [(String, &'static str)],
    asked: &mut [Asked],
    words: &Words,
    open: &mut Open,
) -> Option<Asked> {
    let planned = planned(blueprint)?;
    let values: Vec<&str> = words.values().collect();
    let (noun, time) = words.sentences().into_iter().find_map(|sentence| {
        let noun = sentence.clone().find(|at| lists(BACKUPS, values[*at]))?;
        let other = sentence.clone().any(|at| lists(ELSE, values[at]));
        let time = sentence.clone().find_map(|at| time_at(words, &values, at));
        time.filter(|_| !other).map(|time| (noun, time))
    })?;
    if !words.means_value(time.start) {
        return None;
    }
    // “Backups on Sundays at 5” has a row already.
    if let Some((row, _)) = otherwise.iter_mut().find(|(_, wish)| *wish == NIGHTLY) {
        let listed = asked.iter_mut().find(|asked| asked.what == *row)?;
        open.take_range(&time);
        let time = words.said_in(time);
        let twice = |word: &&str| time.split(' ').any(|said| said == *word);
        let rest: Vec<&str> = row.split(' ').filter(|word| !twice(word)).collect();
        listed.what = format!("{} {time}", rest.join(" "));
        row.clone_from(&listed.what);
        return None;
    }
    if !covered.contains(&NIGHTLY) {
        return None;
    }
    open.take_range(&time);
    let what = format!("{} {}", words.said(noun).0, words.said_in(time));
    Some(Asked { what, fate: Fate::Differently(format!("at {planned} UTC")) })
}

/// The time of the plan's backups: “02:15”.
fn planned(blueprint: &Blueprint) -> Option<&'static str> {
    let timers = blueprint.files.iter().copied().flatten();
    let mut timers =
        timers.filter(|(name, _)| name.starts_with("dump") && name.ends_with(".timer"));
    let (_, start) = timers.next()?.1.split_once("OnCalendar=*-*-* ")?;
    start.get(..5)
}

/// A time of the day at this position, with the words that belong to it.
fn time_at(words: &Words, values: &[&str], at: usize) -> Option<Range<usize>> {
    let value = values[at];
    let said = words.said(at).0;
    let clause = words.clause(at);
    let bare = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &value[bare.len()..];
    let parts: Vec<&str> = bare.split(':').collect();
    let hour = parts[0].parse::<u8>().is_ok_and(|hour| hour <= 24);
    let minutes = parts.len() == 2 && parts[1].parse::<u8>().is_ok_and(|minute| minute < 60);
    let next = Some(at + 1).filter(|next| *next < clause.end);
    let after = next.map_or("", |next| values[next]);
    let before = (at > clause.start).then(|| at - 1).filter(|before| lists(AT, values[*before]));
    let counted = lists(HOURS, after);
    let whole = parts.len() == 1 && hour;
    let is = lists(MIDNIGHT, value)
        || lists(MIDNIGHT, said)
        || hour && minutes
        || whole && (counted || !unit.is_empty() && lists(HOURS, unit))
        || whole && unit.is_empty() && before.is_some() && !lists(OTHERS, after);
    // “A las 2”
    let before = match before {
        Some(las) if ["las", "la"].contains(&values[las]) && las > clause.start => Some(las - 1),
        before => before,
    };
    is.then(|| before.unwrap_or(at)..at + 1 + usize::from(counted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_day_are_found_with_their_words() {
        for (text, time) in [
            ("backups every night at 3 and keep 14", Some("at 3")),
            ("backups run at 02:30", Some("at 02:30")),
            ("backups nachts um 4 Uhr", Some("um 4 uhr")),
            ("backups cada noche a las 2", Some("a las 2")),
            ("backups à 3 h", Some("à 3 h")),
            ("dumps at 1:15 am", Some("at 1:15 am")),
            ("backups at midnight", Some("at midnight")),
            ("keep 14 backups", None),
            ("backups for 30 days", None),
            ("at 14 days the backups go", None),
        ] {
            let words = Words::of(text);
            let values: Vec<&str> = words.values().collect();
            let mut found = (0..values.len()).filter_map(|at| time_at(&words, &values, at));
            assert_eq!(found.next().map(|time| words.said_in(time)).as_deref(), time, "{text}");
        }
    }
}
