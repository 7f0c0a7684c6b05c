//! Limits under random calls: the arithmetic on a model of the item, and the same calls on the table.

use domain::Timestamp;
use proptest::prelude::*;
use std::collections::HashMap;
use store::rates::Rates;
use store::sliding::{Count, Limit, Next, PARTS};
use store::testing;

/// An item, changed by the rules of expressions as far as a [`Count`] uses them.
#[derive(Default)]
struct Model(HashMap<String, i64>);

impl Model {
    /// Counts calls at a time; if they are refused, returns the seconds to wait.
    fn call(&mut self, limit: Limit, calls: u32, seconds: i64) -> Option<u32> {
        let mut count = limit.count(calls, seconds);
        for _ in 0..3 {
            if self.passes(count) {
                self.update(count);
                return None;
            }
            match count.after_refusal(&self.0, seconds) {
                Next::Wait(wait) => return Some(wait),
                Next::Try(other) => count = other,
            }
        }
        panic!("a call alone needs at most three writes");
    }

    fn passes(&self, count: Count) -> bool {
        let values: HashMap<_, _> = count.values().into_iter().collect();
        let condition = count.condition();
        let Some(newest) = self.0.get("newest") else {
            return condition.contains("not_exists(pk)");
        };
        let Some((_, slot)) = condition.split_once("(attribute_not_exists(n") else {
            assert_eq!(condition, "newest < :oldest");
            return *newest < values[":oldest"];
        };
        let slot = slot.split_once(')').unwrap().0;
        let is_near = (values[":oldest"]..=values[":part"]).contains(newest);
        is_near && self.0.get(&format!("n{slot}")).is_none_or(|calls| *calls < values[":allowed"])
    }

    fn update(&mut self, count: Count) {
        let values: HashMap<_, _> = count.values().into_iter().collect();
        let update = count.update();
        let (rest, removed) = update.split_once(" REMOVE ").unwrap();
        let (set, added) = rest.split_once(" ADD ").unwrap_or((rest, ""));
        for (name, value) in set.strip_prefix("SET ").unwrap().split(", ").map(in_two(" = ")) {
            self.0.insert(name.to_owned(), values[value]);
        }
        for (name, value) in added.split(", ").filter(|one| !one.is_empty()).map(in_two(" ")) {
            *self.0.entry(name.to_owned()).or_default() += values[value];
        }
        for name in removed.split(", ") {
            self.0.remove(name);
        }
    }
}

fn in_two(between: &str) -> impl Fn(&str) -> (&str, &str) {
    move |text| text.split_once(between).unwrap()
}

/// A limit, and calls with the seconds between them and their number.
fn calls(most_at_once: u32) -> impl Strategy<Value = (Limit, Vec<(i64, u32)>)> {
    let windows = prop_oneof![Just(60), Just(300), Just(3600), Just(86_400), 1..200_i64];
    (windows, 1..40_u32).prop_flat_map(move |(window_seconds, allowed)| {
        let pause = prop_oneof![
            8 => Just(0),
            8 => 0..=(window_seconds / 10).max(1),
            3 => 0..=window_seconds * 2,
            1 => 0..=window_seconds * 12,
        ];
        let one = (pause, 1..=most_at_once);
        let calls = prop::collection::vec(one, 1..200);
        calls.prop_map(move |calls| (Limit { window_seconds, allowed }, calls))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_interval_of_a_windows_length_has_more_calls_than_allowed((limit, calls) in calls(5)) {
        let (mut item, mut passed, mut now) = (Model::default(), Vec::new(), 1_000_000);
        for (pause, calls) in calls {
            now += pause;
            let wait = item.call(limit, calls, now);
            // Whole seconds: a call of the last second may be a window old, less a moment.
            let within = |length: i64| {
                let counted = passed.iter().filter(|(at, _)| now - at <= length);
                counted.map(|(_, calls)| calls).sum::<u32>()
            };
            let span = limit.window_seconds.max(PARTS * limit.part_seconds()) + limit.part_seconds();
            match wait {
                None => prop_assert!(within(limit.window_seconds) < limit.allowed),
                Some(_) => prop_assert!(within(span) >= limit.allowed, "refused without a reason"),
            }
            if wait.is_none() {
                passed.push((now, calls));
            }
        }
    }

    #[test]
    fn a_refused_caller_who_waits_as_long_as_asked_passes((limit, calls) in calls(5)) {
        let (mut item, mut now) = (Model::default(), 1_000_000);
        for (pause, calls) in calls {
            now += pause;
            if let Some(wait) = item.call(limit, calls, now) {
                let (part, wait) = (limit.part_seconds(), i64::from(wait));
                prop_assert!((1..=PARTS * part + part).contains(&wait), "{}", wait);
                prop_assert!(wait == 1 || item.call(limit, calls, now + wait - 1).is_some());
                prop_assert_eq!(item.call(limit, calls, now + wait), None);
                now += wait;
            }
        }
    }

    #[test]
    fn a_steady_caller_below_the_limit_is_never_refused(window in 30..4000_i64, allowed in 1..60_u32) {
        let limit = Limit { window_seconds: window, allowed };
        let span = PARTS * limit.part_seconds() + limit.part_seconds();
        let pause = span.div_euclid(allowed.into()) + 1;
        let mut item = Model::default();
        for n in 0..500 {
            prop_assert_eq!(item.call(limit, 1, 1_000_000 + n * pause), None);
        }
    }

    #[test]
    fn a_clock_that_is_behind_counts_with_the_one_that_is_ahead(
        (limit, calls) in calls(1), behind in prop::collection::vec(0..90_i64, 200),
    ) {
        let (mut item, mut passed, mut now) = (Model::default(), Vec::new(), 1_000_000);
        for ((pause, _), behind) in calls.into_iter().zip(behind) {
            now += pause;
            if item.call(limit, 1, now - behind.min(limit.part_seconds())).is_none() {
                passed.push(now);
            }
        }
        // Two clocks can disagree about an end of the interval by this much.
        let sure = limit.window_seconds - limit.part_seconds() - 1;
        for end in &passed {
            let within = passed.iter().filter(|at| (0..sure).contains(&(end - **at)));
            prop_assert!(within.count() <= limit.allowed as usize);
        }
    }
}

#[tokio::test]
async fn the_table_counts_as_the_model_does() {
    let rates = Rates::new(&testing::table().await);
    let (window, allowed) = (60, 7);
    let (mut item, start) = (Model::default(), Timestamp::now());
    let mut seconds = 0;
    // A fixed sequence of pauses: bursts, a part, nearly a window, over one, over a round of the ring, and backwards.
    let pauses = [
        0, 0, 1, 2, 3, 0, 0, 0, 17, 0, 5, 58, 0, 61, 0, 0, -3, 190, 1, 0, 0, 0, 0, 0, 0, 700, 0, 2,
        -2, 400,
    ];
    let mut refused = 0;
    for pause in pauses.into_iter().cycle().take(240) {
        seconds += pause;
        let now = start.plus_seconds(seconds);
        let limit = Limit { window_seconds: window, allowed };
        let expected = item.call(limit, 2, now.epoch_seconds());
        let found = rates.count_several(2, window, "chat", "ann", allowed, now).await.unwrap();
        assert_eq!(found, expected, "after {seconds} s");
        refused += u32::from(found.is_some());
    }
    assert!(refused > 10, "{refused}");
}

#[tokio::test]
async fn twice_the_limit_does_not_pass_around_any_moment() {
    let rates = Rates::new(&testing::table().await);
    let (who, start) = ("ann", Timestamp::now());
    for at in 0..120 {
        let mut passed = 0;
        for seconds in [at, at + 30, at + 59] {
            let now = start.plus_seconds(at * 1000 + seconds);
            for _ in 0..5 {
                passed += u32::from(rates.count("chat", who, 5, now).await.unwrap().is_none());
            }
        }
        assert_eq!(passed, 5);
    }
}
