//! Tests wallets under random interleavings, with crashes and lost answers at every write.
//!
//! Several actors work on one wallet at once. Each write of an actor may fail in two ways before the actor gets an
//! answer: it never arrived, or it was done and its answer was lost. The actor then crashes, or repeats exactly the
//! same call, as functions do. Providers report any count, up to the largest number. In the end, every hold has
//! expired, the books must agree, and no call may have taken more than the balance had.
use aws_sdk_dynamodb::config::interceptors::{
    BeforeTransmitInterceptorContextMut, FinalizerInterceptorContextMut,
};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use domain::ledger::EntryKind;
use domain::payment::{Dispute, DisputeState, PaymentEvent, Refund, RefundState};
use domain::project::Project;
use domain::{AgentId, InstallationId, MicroDollars, PaymentId, Scope, Timestamp, TokenUsage};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::costs::{CostBook, ModelCall};
use store::ledger::Ledger;
use store::payments::{PaymentUpdate, Payments, Taken};
use store::projects::Projects;
use store::testing;

const OWNER: InstallationId = InstallationId(1);
/// The initial balance of each wallet.
const CREDIT: MicroDollars = MicroDollars(100_000);
/// The worst case of each call.
const WORST: u64 = 20_000;
/// The project's budget: less than the wallet has, and changed during the test.
const BUDGET: MicroDollars = MicroDollars(70_000);
const ACTORS: usize = 3;

/// Fails calls by the bits of a seed: one in four writes.
#[derive(Debug)]
struct Faults {
    random: AtomicU64,
    armed: std::sync::atomic::AtomicBool,
}

impl Faults {
    fn next(&self) -> u64 {
        // splitmix64. The numbers depend on the seed; the order of the threads depends on the machine.
        let mut z = self.random.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn strikes(&self, target: Option<&str>) -> bool {
        let write = target.is_some_and(|name| name.ends_with("TransactWriteItems"));
        write && self.armed.load(Ordering::Relaxed) && self.next().is_multiple_of(8)
    }
}

#[derive(Debug, Clone)]
struct Breaking(Arc<Faults>);

impl Intercept for Breaking {
    fn name(&self) -> &'static str {
        "faults"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        match self.0.strikes(context.request().headers().get("x-amz-target")) {
            true => Err("it never arrived".into()),
            false => Ok(()),
        }
    }

    fn modify_before_completion(
        &self,
        context: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let target = context.request().and_then(|r| r.headers().get("x-amz-target"));
        match self.0.strikes(target) {
            true => Err("its answer was lost".into()),
            false => Ok(()),
        }
    }
}

#[derive(Debug, Clone)]
enum Act {
    /// A model call whose provider reports this usage.
    Call { used: u64, fate: Fate },
    /// The owner sets a new budget, or lifts it for a moment.
    Budget { lifted: bool },
    /// A model call that used nothing.
    Nothing,
    /// The opening credit, once more.
    Open,
    /// An event of one of two payments.
    Tell { payment: usize, event: usize },
    /// The reaper releases expired holds.
    Sweep,
}

/// What the caller does between holding and settling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It settles in time, as every live caller does: a hold outlasts the longest turn.
    Settles,
    /// It crashes, and its hold expires.
    Crashes,
    /// It sleeps past its hold's end, and settles then.
    Oversleeps,
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..WORST).prop_map(|used| Act::Call { used, fate: Fate::Settles }),
        3 => hostile().prop_map(|used| Act::Call { used, fate: Fate::Settles }),
        1 => hostile().prop_map(|used| Act::Call { used, fate: Fate::Oversleeps }),
        1 => any::<bool>().prop_map(|lifted| Act::Budget { lifted }),
        1 => Just(Act::Call { used: 0, fate: Fate::Crashes }),
        1 => (0..WORST).prop_map(|used| Act::Call { used, fate: Fate::Oversleeps }),
        1 => Just(Act::Nothing),
        1 => Just(Act::Open),
        3 => (0..2_usize, 0..7_usize).prop_map(|(payment, event)| Act::Tell { payment, event }),
        1 => Just(Act::Sweep),
    ]
}

/// Counts above the hold, up to the largest number.
fn hostile() -> impl Strategy<Value = u64> {
    prop_oneof![Just(WORST + 1), WORST..10_000_000_000, Just(u64::MAX)]
}

fn event(n: usize) -> PaymentEvent {
    let amount = MicroDollars(10_000);
    let dispute = |state| PaymentEvent::Disputed("dp".into(), Dispute { amount, state });
    let refund = |state| PaymentEvent::Refund("re".into(), Refund { amount, state });
    [
        PaymentEvent::Paid,
        PaymentEvent::Refunded(MicroDollars(15_000)),
        dispute(DisputeState::Open),
        dispute(DisputeState::Won),
        PaymentEvent::Expired,
        refund(RefundState::Made),
        refund(RefundState::Failed),
    ][n]
        .clone()
}

struct World {
    ledger: Ledger,
    payments: Payments,
    book: CostBook,
    scope: Scope,
    /// Two payments, made before anything breaks.
    begun: Vec<PaymentId>,
}

impl World {
    /// Runs one actor's act despite failures. Each act is repeated twice, and then left to others.
    async fn act(&self, act: Act) {
        for _ in 0..3 {
            let done = match act {
                Act::Call { used, fate } => self.call(used, fate).await,
                Act::Nothing => {
                    match self.ledger.hold(self.scope, MicroDollars(WORST as i64)).await {
                        Ok(hold) => self.ledger.release(&hold).await.is_ok(),
                        Err(_) => true,
                    }
                }
                Act::Open => self.ledger.grant_opening(1, OWNER, CREDIT).await.is_ok(),
                Act::Tell { payment, event: n } => {
                    let (id, name) = (&self.begun[payment], format!("evt_{payment}_{n}"));
                    let (intent, event) = (format!("pi_{payment}"), event(n));
                    let intent = Some(intent.as_str());
                    let update =
                        PaymentUpdate { event_id: &name, event: &event, intent, paid: None };
                    let taken = self.payments.take(OWNER, id, &update).await;
                    taken.is_ok_and(|taken| taken != Taken::NoSuchPayment)
                }
                Act::Sweep => self.ledger.release_expired(Timestamp::now()).await.is_ok(),
                Act::Budget { lifted } => {
                    let lifts = !lifted || self.book.set_budget(self.scope, None).await.is_ok();
                    lifts && self.book.set_budget(self.scope, Some(BUDGET)).await.is_ok()
                }
            };
            if done {
                return;
            }
        }
    }

    async fn call(&self, used: u64, fate: Fate) -> bool {
        let ends_at = Timestamp::now().plus_seconds(if fate == Fate::Settles { 1_000 } else { -1 });
        let worst = MicroDollars(WORST as i64);
        let Ok(hold) = self.ledger.hold_until(self.scope, worst, ends_at).await else {
            // It was refused, or the caller died there.
            return true;
        };
        match fate {
            Fate::Settles => {}
            Fate::Crashes => return true,
            Fate::Oversleeps => drop(self.ledger.release_expired(Timestamp::now()).await),
        }
        // At 5 micro-dollars per input token.
        let usage = TokenUsage { input_tokens: used.div_ceil(5), output_tokens: used / 50 };
        let call = ModelCall {
            call_id: hold.id.clone(),
            agent: AgentId::Executor,
            usage,
            micro_usd: usage.cost(),
            estimated: false,
            cached_tokens: 0,
            at: Timestamp::now(),
        };
        for _ in 0..3 {
            if self.ledger.settle(&hold, &call).await.is_ok() {
                break;
            }
        }
        true
    }
}

async fn run(acts: Vec<Vec<Act>>, seed: u64) {
    let faults = Arc::new(Faults { random: AtomicU64::new(seed), armed: false.into() });
    let breaking = Breaking(faults.clone());
    let table = testing::table_with(|config| {
        config.interceptor(breaking).retry_config(RetryConfig::disabled())
    })
    .await;
    let project = Project::new("blog", None).unwrap();
    assert!(Projects::new(&table).create(OWNER, &project).await.unwrap());
    let (ledger, payments) = (Ledger::new(&table), Payments::new(&table));
    let mut begun = Vec::new();
    for _ in 0..2 {
        begun.push(payments.begin(OWNER, MicroDollars(20_000), None).await.unwrap().id);
    }
    let scope = Scope { installation: OWNER, project: project.id };
    let book = CostBook::new(&table);
    assert!(book.set_budget(scope, Some(BUDGET)).await.unwrap());
    let world = Arc::new(World { ledger, payments, book, scope, begun });

    faults.armed.store(true, Ordering::Relaxed);
    let actors = acts.clone().into_iter().map(|acts| {
        let world = world.clone();
        tokio::spawn(async move {
            for act in acts {
                world.act(act).await;
            }
        })
    });
    for actor in actors.collect::<Vec<_>>() {
        actor.await.unwrap();
    }
    faults.armed.store(false, Ordering::Relaxed);

    let over = Timestamp::now().plus_seconds(100_000);
    world.ledger.release_expired(over).await.unwrap();
    assert_eq!(world.ledger.release_expired(over).await.unwrap(), 0, "every hold ends");
    // Stripe repeats its events until we accept them.
    let notices = acts.iter().flatten().filter_map(|act| match act {
        Act::Tell { payment, event } => Some((*payment, *event)),
        _ => None,
    });
    let notices: std::collections::BTreeSet<_> = notices.collect();
    for (payment, event) in notices {
        world.act(Act::Tell { payment, event }).await;
    }
    let lets_more = |act: &Act| {
        matches!(act, Act::Call { fate: Fate::Oversleeps, .. } | Act::Budget { lifted: true })
    };
    let in_time = !acts.iter().flatten().any(lets_more);
    agree(&world, in_time).await;
}

/// Asserts that the balance is the sum of the entries, nothing exists twice, and every book agrees on the calls.
async fn agree(world: &World, in_time: bool) {
    let book = &world.book;
    let balance = world.ledger.balance(OWNER).await.unwrap();
    let entries = world.ledger.entries(OWNER).await.unwrap();
    let sum = |kind: Option<EntryKind>| {
        let counted = entries.iter().filter(|entry| kind.is_none_or(|kind| entry.kind == kind));
        counted.fold(MicroDollars::ZERO, |sum, entry| sum + entry.signed())
    };
    assert_eq!(balance.balance, sum(None));
    assert_eq!((balance.held, balance.available), (MicroDollars::ZERO, balance.balance));
    let mut keys: Vec<_> = entries.iter().map(|entry| (&entry.key, entry.kind)).collect();
    keys.sort_by_key(|(key, kind)| (key.as_str(), kind.as_str()));
    let all = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), all, "an entry was written twice");

    let costs = book.get(world.scope).await.unwrap().unwrap();
    assert_eq!(costs.micro_usd, -sum(Some(EntryKind::Use)));
    let parts = book.breakdown(world.scope).await.unwrap().unwrap();
    for part in [
        parts.by_agent.values().map(|part| part.micro_usd.0).sum::<i64>(),
        parts.by_day.values().map(|part| part.micro_usd.0).sum::<i64>(),
    ] {
        assert_eq!(part, costs.micro_usd.0);
    }
    // A payment must have moved the sum of its facts, whatever the order of its events.
    let mut moved: BTreeMap<&PaymentId, MicroDollars> = BTreeMap::new();
    for entry in &entries {
        if let Some(payment) = &entry.payment {
            *moved.entry(payment).or_default() += entry.signed();
        }
    }
    for id in &world.begun {
        let kept = world.payments.get(OWNER, id).await.unwrap().unwrap();
        let net = moved.get(id).copied().unwrap_or_default();
        assert!(net >= MicroDollars::ZERO && net <= kept.amount);
        assert_eq!(
            kept.paid,
            moved.contains_key(id),
            "a payment is credited exactly if it was paid"
        );
    }
    // Calls never make the balance negative, but a refund of spent money does, so it is subtracted here.
    let back = -sum(Some(EntryKind::Refund));
    assert!((balance.balance + back).0 >= 0, "{balance:?}, {back} went back");
    assert_eq!(costs.held, MicroDollars::ZERO);
    if let Some(left) = costs.left() {
        assert_eq!(left, BUDGET - costs.micro_usd);
        // A hold that expired before its call, or a lifted budget, lets more calls begin.
        assert!(left >= MicroDollars::ZERO || !in_time, "{costs:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_books_agree_after_any_crash(
        acts in prop::collection::vec(prop::collection::vec(any_act(), 1..10), ACTORS),
        seed in any::<u64>(),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(run(acts, seed));
    }
}
