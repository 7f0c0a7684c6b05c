//! How busy the processors were, as Linux counts.

/// The processors' time since the machine booted, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    busy: u64,
    idle: u64,
}

impl Load {
    /// The time until now; `None` if the system does not report it.
    pub fn now() -> Option<Self> {
        parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// The share of the time since then that was spent on work, in percent.
    pub fn percent_since(self, then: Self) -> Option<u64> {
        let (busy, idle) = (self.busy.checked_sub(then.busy)?, self.idle.checked_sub(then.idle)?);
        (100 * busy).checked_div(busy + idle)
    }
}

/// Parses the first line of `/proc/stat`. Time that a hypervisor gave to other machines counts as neither work nor idle
/// time.
fn parse(stat: &str) -> Option<Load> {
    let mut words = stat.lines().next()?.split_whitespace();
    words.next().filter(|name| *name == "cpu")?;
    let ticks: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    let [user, nice, system, idle, waiting, interrupts, deferred, ..] = ticks[..] else {
        return None;
    };
    Some(Load { busy: user + nice + system + interrupts + deferred, idle: idle + waiting })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_depends_only_on_the_ticks_between_two_readings() {
        let before = parse("cpu  100 0 50 800 50 0 0 7 0 0\ncpu0 1 2 3").unwrap();
        assert_eq!(before, Load { busy: 150, idle: 850 });
        let after = parse("cpu  160 0 65 820 55 0 0 90 0 0").unwrap();
        assert_eq!(after.percent_since(before), Some(75));
        assert_eq!(before.percent_since(before), None);
        assert_eq!(before.percent_since(after), None);
    }

    #[test]
    fn other_lines_give_no_result() {
        assert_eq!(parse(""), None);
        assert_eq!(parse("cpu 1 2 3"), None);
        assert_eq!(parse("intr 1 2 3 4 5 6 7 8"), None);
    }
}
