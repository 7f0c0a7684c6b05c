//! What a whole run leaves out on a slow machine.
//!
//! A run with `--ci` has to end within a fixed time on machines of very different speed. Where the sections before the
//! stories already took long, the costly ones next to them take turns by the day: one group of them runs, or on a very
//! slow machine none, and the summary lists the others as skipped. On a fast machine, without `--ci` and with `--release`
//! all of them run.

use crate::sections::Section;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// From here on a machine is slow: a fast one reaches the stories in two thirds of this time.
const SLOW: Duration = Duration::from_mins(30);

/// From here on the stories need all of the time that is left.
const VERY_SLOW: Duration = Duration::from_mins(50);

/// The groups that take turns; each takes several minutes of both processors.
const GROUPS: [&[&str]; 3] = [&["counterparts"], &["deploy"], &["bare", "contract"]];

/// Splits sections into those to run and those to skip, `so_far` after the start of the run.
pub fn take(
    sections: Vec<&'static Section>,
    so_far: Duration,
) -> (Vec<&'static Section>, Vec<&'static Section>) {
    let day = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
    let turn = (so_far < VERY_SLOW).then_some(day);
    sections.into_iter().partition(|section| so_far < SLOW || has_turn(section.name, turn))
}

/// Whether a section runs on this day, counted since 1970, or without any group's turn.
fn has_turn(name: &str, turn: Option<u64>) -> bool {
    let group = (0..).zip(GROUPS).find(|(_, group)| group.contains(&name));
    group.is_none_or(|(number, _)| turn.is_some_and(|day| day % 3 == number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sections::SECTIONS;

    fn names(sections: &[&'static Section]) -> Vec<&'static str> {
        sections.iter().map(|section| section.name).collect()
    }

    #[test]
    fn on_a_fast_machine_everything_runs() {
        let (run, skipped) = take(SECTIONS.iter().collect(), Duration::from_mins(20));
        assert_eq!(names(&run), names(&SECTIONS.iter().collect::<Vec<_>>()));
        assert!(skipped.is_empty());
    }

    #[test]
    fn on_a_slow_machine_two_of_the_three_groups_are_skipped() {
        let (run, skipped) = take(SECTIONS.iter().collect(), Duration::from_mins(40));
        let grouped: Vec<&str> = GROUPS.concat();
        assert_eq!(run.len() + skipped.len(), SECTIONS.len());
        assert!(names(&skipped).iter().all(|name| grouped.contains(name)));
        let left = grouped.iter().filter(|name| names(&run).contains(name)).copied();
        let left: Vec<&str> = left.collect();
        assert!(GROUPS.iter().any(|group| *group == left), "{left:?}");
    }

    #[test]
    fn on_a_very_slow_machine_all_groups_are_skipped() {
        let (run, skipped) = take(SECTIONS.iter().collect(), Duration::from_mins(55));
        assert_eq!(run.len() + skipped.len(), SECTIONS.len());
        let mut grouped = GROUPS.concat();
        grouped.sort_unstable();
        let mut skipped = names(&skipped);
        skipped.sort_unstable();
        assert_eq!(skipped, grouped);
    }

    #[test]
    fn each_group_has_its_turn_within_three_days() {
        for section in SECTIONS {
            let days = (0..3).filter(|day| has_turn(section.name, Some(*day))).count();
            let grouped = GROUPS.iter().any(|group| group.contains(&section.name));
            assert_eq!(days, if grouped { 1 } else { 3 }, "{}", section.name);
        }
        for name in GROUPS.concat() {
            assert!(SECTIONS.iter().any(|section| section.name == name), "{name}");
        }
    }
}
