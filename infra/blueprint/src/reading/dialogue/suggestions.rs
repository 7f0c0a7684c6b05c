//! What the model suggests while no deployment is chosen.

use super::Dialogue;
use crate::catalogue::{self, Blueprint, TOY};

/// The most deployments that are suggested at once.
const SUGGESTED: usize = 3;

/// What beginners want most, if nothing is near to what was asked.
const BEGINNERS: [&str; SUGGESTED] = [TOY, "nginx-site", "wordpress"];

impl Dialogue {
    /// Whether the latest message is the first that asks for something that is not built as stated.
    pub fn is_first_difference(&self) -> bool {
        !self.asked.is_empty() && self.asked.iter().all(|row| self.latest.asked.contains(row))
    }

    /// At most three deployments: those nearest to what the user asked for, or else those that beginners want most.
    pub fn suggestions(&self) -> Vec<&'static Blueprint> {
        let score = |blueprint: &Blueprint| -> usize {
            self.said.iter().map(|words| blueprint.score(words)).sum()
        };
        let all = catalogue::ALL.iter().copied();
        let mut others: Vec<(usize, &'static Blueprint)> =
            all.map(|blueprint| (score(blueprint), blueprint)).collect();
        others.retain(|(score, blueprint)| *score > 0 && blueprint.id != TOY);
        others.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let mut near: Vec<&'static Blueprint> = self.nearest.into_iter().collect();
        for (_, other) in others {
            if !near.iter().any(|one| one.id == other.id) {
                near.push(other);
            }
        }
        if near.is_empty() {
            near.extend(BEGINNERS.iter().filter_map(|id| Blueprint::by_id(id)));
        }
        near.truncate(SUGGESTED);
        near
    }
}
