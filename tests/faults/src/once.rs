//! Breaks every outside call of a scenario in every way, one at a time.
//!
//! A scenario first runs undisturbed, and the stack names the calls that the functions make to outside parties: the table,
//! queues, objects, tasks, sockets, Stripe, the model. Then it runs again for each call and each way in which that call
//! can fail, with a separate project. Nothing is random, and nothing is sampled.
//!
//! Pure waiting is skipped: while no function is working, the test moves the stack's clock forward, and the skipped time
//! counts as passed.

use api_tests::{App, Settings, World};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The longest time from the end of a fault to the completion of everything that it delayed, in seconds.
const HEALED_WITHIN: u32 = 60;
/// How far the clock is moved forward at once, in seconds.
const SKIP: u32 = 15;
/// When the schedule's minute comes within that time: late, as in the worst case.
const MINUTE: u32 = 45;
/// How long every function must have been idle before the clock is moved forward: a sandbox needs half of it to start.
const IDLE: Duration = Duration::from_millis(1_000);
/// How long nothing may have happened before a run begins.
const QUIET: Duration = Duration::from_millis(150);
/// The pause between two checks.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a sandbox has to repeat what was lost, by its own clock, which the test cannot move forward.
const REPEATED_WITHIN: Duration = Duration::from_secs(30);
/// How long one run may take on a busy machine, without the skipped time.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often a fault is tried if its call is not made, because the call depends on which side comes first.
const TRIES: u32 = 8;
/// One in this many faults may not occur because its call was not made.
const MISSED_OF: usize = 10;

/// The ways in which a call that changes something fails.
const OF_CHANGES: [&str; 7] = [
    "lost",
    "answer-lost-once",
    "answer-lost",
    "functions-killed-before",
    "functions-killed-after",
    "machine-killed-before",
    "machine-killed-after",
];
/// The ways in which a call that only reads fails. It changes nothing even if it is carried out, so other faults make
/// no difference.
const OF_READS: [&str; 2] = ["lost", "functions-killed-before"];
/// The only kind of fault that is applied, without `FAULT_KINDS=all`, to a scenario for which all of them take too
/// long.
const SHARPEST: &str = "functions-killed-before";
/// The first words of the names of calls that only read.
const READS: [&str; 9] =
    ["Get", "BatchGet", "Query", "Describe", "Decrypt", "GET ", "HEAD ", "TransactGet", "List"];

/// A fault: which call, which occurrence of it, and what happens.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    call: String,
    nth: u32,
    kind: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at call {} of {}", self.kind, self.nth, self.call)
    }
}

impl Fault {
    /// Whether it ends everything, including sandboxes.
    pub fn kills_the_machine(&self) -> bool {
        self.kind.starts_with("machine")
    }

    /// Runs the scenario with the fault until it occurs; returns whether it did. It does not occur in a run that makes
    /// its call less often: text that arrives faster is saved less often.
    async fn occurs<S: Scenario>(&self, world: &World, scenario: &S) -> bool {
        for _ in 0..TRIES {
            let (calls, struck) = run(world, scenario, Some(self)).await;
            if struck {
                return true;
            }
            let made = counted(calls).get(&self.call).copied().unwrap_or_default();
            assert!(
                made < self.nth,
                "{self} did not occur, although the call was made {made} times"
            );
            eprintln!("{self}: only {made} such calls were made");
        }
        false
    }
}

#[derive(Deserialize)]
struct Report {
    calls: Vec<String>,
    struck: u32,
    invoked: usize,
}

/// The scenario that is broken, with its public side and a check of the stored result.
#[allow(async_fn_in_trait, reason = "each test runs in one thread")]
pub trait Scenario {
    /// The subject of a run: usually a separate project.
    type Case;

    /// Prepares a run; no fault occurs yet.
    async fn begin(&self, world: &World) -> Self::Case;
    /// Performs the scenario, as a page that asks again if no answer comes; returns whether it was answered.
    async fn act(&self, case: &Self::Case) -> bool;
    /// Whether clients that were answered notice that their request ended with the machine, and ask again.
    async fn must_be_asked_again(&self, _world: &World, _case: &Self::Case) -> bool {
        false
    }
    /// Checks in the store whether everything has completed.
    async fn has_ended(&self, world: &World, case: &Self::Case) -> bool;
    /// Asserts that it was done once; `calls` are those that were made, unless the machine died and lost them.
    async fn check(&self, world: &World, case: &Self::Case, calls: Option<&[String]>);
}

/// In how many ways each call of a scenario fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// In every way.
    All,
    /// Only by a death of its functions before a call that changes something. Dying before a read leaves the same state as
    /// dying before the next change. In every way if `FAULT_KINDS` is `all` or `FAULT_ONLY` names a fault.
    Sharpest,
}

impl Ways {
    fn has(self, kind: &str, reads: bool) -> bool {
        let asked = std::env::var("FAULT_KINDS").is_ok_and(|kinds| kinds == "all");
        let named = std::env::var_os("FAULT_ONLY").is_some();
        self == Self::All || asked || named || (kind == SHARPEST && !reads)
    }
}

/// Runs a scenario with each of its possible faults, on this many stacks at a time.
pub async fn every_fault<S: Scenario>(settings: Settings, stacks: usize, ways: Ways, scenario: &S) {
    let settings = Settings { faults: true, ..settings };
    let begun = Instant::now();
    let faults = enumerate(&settings, ways, scenario).await;
    let shares: Vec<Vec<Fault>> =
        (0..stacks).map(|n| faults.iter().skip(n).step_by(stacks).cloned().collect()).collect();
    let missed = AtomicUsize::new(0);
    let runs = shares.iter().map(async |share| {
        let world = World::with_settings(settings.clone()).await;
        for fault in share {
            eprintln!("{fault}");
            if !fault.occurs(&world, scenario).await {
                missed.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    futures::future::join_all(runs).await;
    let (count, missed) = (faults.len(), missed.load(Ordering::Relaxed));
    eprintln!("{count} faults in {:.0} s, {missed} missed", begun.elapsed().as_secs_f32());
    assert!(missed * MISSED_OF <= count, "{missed} of {count} faults did not occur");
}

/// Every call of the scenario with each of its possible faults.
async fn enumerate<S: Scenario>(settings: &Settings, ways: Ways, scenario: &S) -> Vec<Fault> {
    let world = World::with_settings(settings.clone()).await;
    // The first run includes calls that are made once in a function's life, and two runs show which calls depend on
    // chance.
    let first = counted(run(&world, scenario, None).await.0);
    let second = counted(run(&world, scenario, None).await.0);
    let mut faults = Vec::new();
    for (call, count) in first {
        let always = count.min(second.get(&call).copied().unwrap_or_default());
        eprintln!("{always} of {count} times {call}");
        let reads = READS.iter().any(|read| call.starts_with(read));
        let kinds: &[&'static str] = if reads { &OF_READS } else { &OF_CHANGES };
        for nth in 1..=always {
            let kinds = kinds.iter().filter(|kind| ways.has(kind, reads));
            faults.extend(kinds.map(|kind| Fault { call: call.clone(), nth, kind }));
        }
    }
    // A single fault, by its name in the output of a failing run.
    if let Ok(only) = std::env::var("FAULT_ONLY") {
        faults.retain(|fault| fault.to_string().contains(&only));
    }
    assert!(!faults.is_empty());
    faults
}

fn counted(calls: Vec<String>) -> BTreeMap<String, u32> {
    let mut counted = BTreeMap::new();
    for call in calls {
        *counted.entry(call).or_default() += 1;
    }
    counted
}

/// One run; returns the calls made in it, as far as they are known, and whether the fault occurred.
async fn run<S: Scenario>(
    world: &World,
    scenario: &S,
    fault: Option<&Fault>,
) -> (Vec<String>, bool) {
    let app = &world.app;
    let case = scenario.begin(world).await;
    quiet(app).await;
    post(app, "/_local/faults", &json!(fault)).await;
    let mut time = Time { begun: Instant::now(), skipped: 0, still_since: None, calls: 0 };
    let mut died = false;
    let mut answered = false;
    loop {
        if app.is_dead() {
            assert!(fault.is_some_and(Fault::kills_the_machine) && !died, "the stack died");
            died = true;
            app.start_again().await;
        }
        if died && answered && scenario.must_be_asked_again(world, &case).await {
            answered = false;
        }
        answered = answered || scenario.act(&case).await;
        if answered && !app.is_dead() && scenario.has_ended(world, &case).await {
            // Calls after the end fail as well.
            quiet(app).await;
            if !app.is_dead() {
                break;
            }
        }
        let what = fault.map_or_else(|| "undisturbed".to_owned(), ToString::to_string);
        time.pass(app, &what).await;
    }
    let report = report(app).await;
    let struck = died || report.as_ref().is_some_and(|report| report.struck > 0);
    let calls = report.filter(|_| !died).map(|report| report.calls);
    post(app, "/_local/faults", &Value::Null).await;
    scenario.check(world, &case, calls.as_deref()).await;
    (calls.unwrap_or_default(), struck)
}

/// The time of a run.
struct Time {
    begun: Instant,
    skipped: u32,
    still_since: Option<Instant>,
    calls: usize,
}

impl Time {
    /// Lets a moment pass, or skips pure waiting.
    async fn pass(&mut self, app: &App, what: &str) {
        sleep(LOOK_EVERY).await;
        assert!(self.begun.elapsed() < PATIENCE, "{what}: no end");
        let Some(report) = report(app).await else { return };
        let still = report.invoked == 0 && report.calls.len() == self.calls;
        self.calls = report.calls.len();
        let since = *self.still_since.get_or_insert_with(Instant::now);
        if !still {
            self.still_since = None;
        } else if since.elapsed() >= IDLE {
            self.still_since = None;
            self.skip(app, what).await;
        }
    }

    async fn skip(&mut self, app: &App, what: &str) {
        if self.skipped + SKIP > HEALED_WITHIN {
            let waited = self.begun.elapsed();
            assert!(waited < REPEATED_WITHIN, "{what}: no end after {HEALED_WITHIN} s");
            return;
        }
        self.skipped += SKIP;
        post(app, "/_local/clock/skip", &json!({"seconds": SKIP})).await;
        age_holds(app).await;
        age_turns(app).await;
        if self.skipped == MINUTE {
            post(app, "/_local/clock/minute", &Value::Null).await;
        }
    }
}

/// Waits until nothing is in progress.
async fn quiet(app: &App) {
    let mut calls = 0;
    let mut since = Instant::now();
    loop {
        if let Some(report) = report(app).await {
            if report.invoked > 0 || report.calls.len() != calls {
                since = Instant::now();
            }
            calls = report.calls.len();
        }
        if since.elapsed() >= QUIET {
            return;
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Moves the ends of holds back by as much as the clock was moved forward.
async fn age_holds(app: &App) {
    for shard in 0..4 {
        for item in items_of(app, &format!("HOLDS#{shard}")).await {
            let ends_at = item["ends_at"].as_s().unwrap();
            let ends_at: Timestamp = serde_json::from_value(json!(ends_at)).unwrap();
            let ends_at = ends_at.plus_seconds(-i64::from(SKIP)).to_string();
            set(app, &item, "ends_at", AttributeValue::S(ends_at)).await;
        }
    }
}

/// Moves the offers and leases of turns back by as much as the clock was moved forward.
async fn age_turns(app: &App) {
    for item in items_of(app, "TURNS").await {
        for name in ["offered_at", "leased_until"] {
            if let Some(AttributeValue::N(at)) = item.get(name) {
                let earlier = at.parse::<i64>().unwrap() - i64::from(SKIP);
                set(app, &item, name, AttributeValue::N(earlier.to_string())).await;
            }
        }
    }
}

type Item = HashMap<String, AttributeValue>;

/// The items of a partition; empty while the stack is down.
async fn items_of(app: &App, partition: &str) -> Vec<Item> {
    let query = app.dynamodb().query().table_name(app.table_name());
    let query = query.key_condition_expression("pk = :pk");
    let partition = AttributeValue::S(partition.to_owned());
    let found = query.expression_attribute_values(":pk", partition).send().await;
    found.ok().and_then(|found| found.items).unwrap_or_default()
}

/// Sets an attribute of an item, unless the item was deleted or the attribute changed in the meantime.
async fn set(app: &App, item: &Item, name: &str, value: AttributeValue) {
    let update = app.dynamodb().update_item().table_name(app.table_name());
    let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
    let update = update.update_expression(format!("SET {name} = :new"));
    let update = update.condition_expression(format!("{name} = :old"));
    let update = update.expression_attribute_values(":new", value);
    update.expression_attribute_values(":old", item[name].clone()).send().await.ok();
}

async fn report(app: &App) -> Option<Report> {
    let answer = reqwest::get(format!("{}/_local/faults", app.engines())).await.ok()?;
    serde_json::from_slice(&answer.bytes().await.ok()?).ok()
}

async fn post(app: &App, path: &str, body: &Value) {
    let call = reqwest::Client::new().post(format!("{}{path}", app.engines())).json(body);
    if let Ok(answer) = call.send().await {
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
    }
}
