//! Lines that do not depend on earlier lines. At such a line, a second reading may skip what the first has read.

use super::Reader;
use crate::Raw;
use crate::bare::Hints;
use std::ops::Range;

/// The result of one reading.
pub struct Reading {
    /// Everything that was found, in order.
    pub found: Vec<Raw>,
    pub hints: Hints,
    /// Starts of lines that do not depend on earlier lines, in order.
    pub quiet: Vec<usize>,
}

impl<'t> Reader<'t> {
    /// Skips the ranges that were read before, and starts with their hints.
    pub fn again(mut self, skips: &'t [Range<usize>], hints: Hints) -> Self {
        (self.skips, self.hints) = (skips, hints);
        self
    }

    /// Notes the start of a line that does not depend on earlier lines, and skips what the last reading has read. The
    /// walls in it are skipped as well: they say nothing about the line behind them.
    pub(super) fn quiet_line(&mut self) {
        self.quiet.push(self.at);
        while self.skips.first().is_some_and(|skip| skip.end <= self.at) {
            self.skips = &self.skips[1..];
        }
        if let Some(skip) = self.skips.first().filter(|skip| skip.start <= self.at) {
            self.at = skip.end;
            let passed = self.walls.iter().take_while(|wall| wall.end <= self.at).count();
            self.walls = &self.walls[passed..];
        }
    }
}
