//! Keeps the end of a section's output, to show it again after all sections if the section fails: people read the end
//! of a long log first, and some log viewers keep only that.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many lines are kept.
const KEPT: usize = 60;

/// The last lines of an output.
#[derive(Default)]
pub struct Tail(Mutex<VecDeque<Vec<u8>>>);

impl Tail {
    /// Adds output of whole lines.
    pub fn add(&self, output: &[u8]) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in output.split_inclusive(|byte| *byte == b'\n') {
            if lines.len() == KEPT {
                lines.pop_front();
            }
            lines.push_back(line.to_vec());
        }
    }

    /// The lines as one text.
    pub fn text(self) -> Vec<u8> {
        let lines = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        lines.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_in_their_order() {
        let tail = Tail::default();
        tail.add(b"a\nb\n");
        for number in 0..KEPT - 1 {
            tail.add(format!("{number}\n").as_bytes());
        }
        let text = String::from_utf8(tail.text()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[1]), (KEPT, "b", "0"));
        assert_eq!(lines[KEPT - 1], (KEPT - 2).to_string());
    }
}
