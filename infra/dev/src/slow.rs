//! The slowest tests of a section, from nextest's output.

use std::cmp::Reverse;

/// How many are printed.
const SHOWN: usize = 10;

/// Tests and how long they took, in milliseconds.
#[derive(Default)]
pub struct Slowest(Vec<(u64, String)>);

impl Slowest {
    /// Records a test if the line reports that one has ended: `PASS [   1.234s] (1/9) crate test`.
    pub fn note(&mut self, line: &str) {
        self.0.extend(ended(line));
    }

    /// Adds the tests of another stream.
    pub fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// A line for each of the slowest.
    pub fn lines(mut self) -> Vec<String> {
        self.0.sort_by_key(|(milliseconds, _)| Reverse(*milliseconds));
        let seconds = |milliseconds| std::time::Duration::from_millis(milliseconds).as_secs_f64();
        let slowest = self.0.into_iter().take(SHOWN);
        slowest.map(|(took, test)| format!("{:>8.1} s  {test}", seconds(took))).collect()
    }
}

fn ended(line: &str) -> Option<(u64, String)> {
    let line = line.trim();
    let rest = line.strip_prefix("PASS [").or_else(|| line.strip_prefix("FAIL ["))?;
    let (seconds, test) = rest.split_once("s]")?;
    let (whole, thousandths) = seconds.trim().split_once('.')?;
    let took = whole.parse::<u64>().ok()? * 1000 + thousandths.parse::<u64>().ok()?;
    let test = test.trim();
    // Newer versions number the tests before the name.
    let name = test.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(_, name)| name);
    Some((took, name.unwrap_or(test).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_tests_are_named_with_their_times() {
        let mut slowest = Slowest::default();
        slowest.note("        PASS [   0.005s] dev count::tests::a_quick_one");
        slowest.note("        PASS [  12.340s] ( 2/30) api-tests::api pipeline::a_slow_one");
        slowest.note("        FAIL [   1.250s] ( 3/30) domain tests::one_that_fails");
        slowest.note("        SLOW [> 60.000s] domain tests::one_that_goes_on");
        slowest.note("     Summary [  12.400s] 3 tests run: 2 passed, 1 failed, 0 skipped");
        let expected = [
            "    12.3 s  api-tests::api pipeline::a_slow_one",
            "     1.2 s  domain tests::one_that_fails",
            "     0.0 s  dev count::tests::a_quick_one",
        ];
        assert_eq!(slowest.lines(), expected);
    }

    #[test]
    fn at_most_ten_are_named() {
        let mut slowest = Slowest::default();
        (0..20).for_each(|n| slowest.note(&format!("PASS [   1.{n:03}s] a test_{n}")));
        assert_eq!(slowest.lines().len(), SHOWN);
    }
}
