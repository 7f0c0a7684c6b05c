//! Counts passed and failed tests, from the runners' output.

use std::ops::AddAssign;

/// The beginning of a line that gives the reason why this machine cannot run a section.
const SKIPPED: &str = "SKIPPED: ";

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Passed.
    pub passed: u64,
    /// Failed.
    pub failed: u64,
    /// Sections that this machine cannot run.
    pub skipped: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The count in a runner's closing line: nextest's `Summary [`, cargo's `test result:`, Vitest's ` Tests `,
/// Node's `ℹ pass N` and `ℹ fail N`, or a line from this repository's scripts that says only `N passed, N failed`.
pub fn of(line: &str) -> Option<Count> {
    let whole = plain(line);
    let line = whole.trim();
    if line.starts_with(SKIPPED) {
        return Some(Count { skipped: 1, ..Count::default() });
    }
    let closing = line.starts_with("Summary [")
        // An indented line belongs to the output of one test, which nextest quotes and counts itself.
        || whole.starts_with("test result:")
        || line.starts_with("Tests ")
        || line.starts_with(|c: char| c.is_ascii_digit()) && line.split_whitespace().count() <= 4;
    if let Some(count) = of_node(line) {
        return Some(count);
    }
    let words: Vec<_> =
        line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let number = |what: &str| {
        let pair = words.windows(2).find(|pair| pair[1] == what)?;
        pair[0].parse::<u64>().ok()
    };
    let (passed, failed) = (number("passed"), number("failed"));
    let timed_out = line.contains("timed out").then(|| number("timed")).flatten();
    (closing && (passed.is_some() || failed.is_some())).then(|| Count {
        passed: passed.unwrap_or(0),
        failed: failed.unwrap_or(0) + timed_out.unwrap_or(0),
        skipped: 0,
    })
}

/// Node's test runner ends with a line for each outcome; a canceled test has not passed.
fn of_node(line: &str) -> Option<Count> {
    let (outcome, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    let number = number.parse().ok()?;
    match outcome {
        "pass" => Some(Count { passed: number, ..Count::default() }),
        "fail" | "cancelled" => Some(Count { failed: number, ..Count::default() }),
        _ => None,
    }
}

/// A line without the sequences that color it.
pub fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(passed: u64, failed: u64) -> Option<Count> {
        Some(Count { passed, failed, skipped: 0 })
    }

    #[test]
    fn the_closing_line_of_every_runner_is_understood() {
        assert_eq!(
            of("     Summary [   1.2s] 12 tests run: 11 passed, 1 failed, 2 skipped"),
            count(11, 1)
        );
        assert_eq!(
            of(
                "     Summary [   1.2s] 3 tests run: 1 passed (1 slow), 1 failed, 1 timed out, 0 skipped"
            ),
            count(1, 2)
        );
        assert_eq!(of("test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured"), count(5, 0));
        assert_eq!(
            of(
                "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[31m2 failed\u{1b}[39m | \u{1b}[32m3 passed\u{1b}[39m (5)"
            ),
            count(3, 2)
        );
        assert_eq!(of("ℹ pass 35"), count(35, 0));
        assert_eq!(of("ℹ fail 1"), count(0, 1));
        assert_eq!(of("ℹ tests 36"), None);
        assert_eq!(of("7 passed, 0 failed"), count(7, 0));
        assert_eq!(of("  12 passed (8.4s)"), count(12, 0));
        assert_eq!(of("SKIPPED: no engine").unwrap().skipped, 1);
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(of("PASS [0.1s] the_gate_passed"), None);
        assert_eq!(of("    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured"), None);
        assert_eq!(of("we passed 3 failed things to it and then some more"), None);
    }
}
