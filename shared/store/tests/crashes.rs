//! Tests crashes before and after every call to the table while money moves or a sandbox starts: all calls, not a
//! sample.
//!
//! Each story runs once for each of its calls and each way to die there: either the call never arrived, or it was done
//! and its answer was lost. Then the story either ends there, or continues from the failed act, as queues, webhooks and
//! people repeat their calls. After the reaper has run, the books must agree and nothing may exist twice, and a story
//! that ran to its end must have the same outcome as without a fault.
use aws_sdk_dynamodb::config::retry::RetryConfig;
use domain::ledger::{Balance, EntryKind};
use domain::money::SandboxRate;
use domain::payment::{Checkout, PaymentEvent};
use domain::project::Project;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{AgentId, InstallationId, MicroDollars, PaymentId, Scope, Timestamp, TokenUsage};
use std::sync::Arc;
use store::costs::{CostBook, ModelCall};
use store::ledger::{Hold, Ledger};
use store::payments::{PaymentUpdate, Payments};
use store::projects::Projects;
use store::sandboxes::{BeginError, Limits, Sandboxes};
use store::testing::faults::{Death, Fault};
use store::{StoreError, testing};

const OWNER: InstallationId = InstallationId(1);
const CREDIT: MicroDollars = MicroDollars(1_000_000);
const WORST: MicroDollars = MicroDollars(40_000);
/// A rate at which each second costs a whole number of micro-dollars.
const RATE: MicroDollars = MicroDollars(1_800_000);
/// When sandboxes are charged, in seconds from the start.
const CHARGED_AT: i64 = 1_000;
const LIMITS: Limits = Limits { running: 1, starts: u32::MAX };

struct World {
    ledger: Ledger,
    payments: Payments,
    sandboxes: Sandboxes,
    book: CostBook,
    scope: Scope,
    started: Timestamp,
    hold: Option<Hold>,
    payment: Option<PaymentId>,
}

type Done = Result<(), StoreError>;

/// The acts of a story; each can be repeated.
#[derive(Clone, Copy, Debug)]
enum Act {
    Open,
    Hold,
    Settle,
    Release,
    Begin,
    Opened,
    Pay,
    Refund,
    Start,
    Ready,
    Charge,
    Stop,
}

const STORIES: [&[Act]; 5] = [
    &[Act::Open, Act::Open],
    &[Act::Hold, Act::Settle, Act::Settle],
    &[Act::Hold, Act::Release, Act::Release],
    &[Act::Begin, Act::Opened, Act::Pay, Act::Pay, Act::Refund, Act::Refund],
    &[Act::Start, Act::Start, Act::Ready, Act::Charge, Act::Stop, Act::Charge, Act::Charge],
];

fn store(error: BeginError) -> StoreError {
    match error {
        BeginError::Store(error) => error,
        refused => panic!("{refused}"),
    }
}

impl World {
    async fn act(&mut self, act: Act) -> Done {
        match act {
            Act::Open => self.ledger.grant_opening(1, OWNER, MicroDollars(5)).await.map(drop),
            Act::Hold => match self.ledger.hold(self.scope, WORST).await {
                Ok(hold) => {
                    self.hold = Some(hold);
                    Ok(())
                }
                Err(store::ledger::HoldError::Store(error)) => Err(error),
                Err(refused) => panic!("{refused}"),
            },
            Act::Settle => {
                let hold = self.hold.clone().unwrap();
                let call = call(&hold);
                self.ledger.settle(&hold, &call).await.map(drop)
            }
            Act::Release => self.ledger.release(&self.hold.clone().unwrap()).await.map(drop),
            Act::Begin => {
                match self.payments.begin(OWNER, MicroDollars(2_000_000), Some("key")).await {
                    Ok(payment) => {
                        self.payment = Some(payment.id);
                        Ok(())
                    }
                    Err(store::payments::BeginError::Store(error)) => Err(error),
                    Err(other) => panic!("{other}"),
                }
            }
            Act::Opened => {
                let (session, link) = ("cs_1".to_owned(), "https://pay.example/cs_1".to_owned());
                let id = self.payment.clone().unwrap();
                let opened = self.payments.opened(OWNER, &id, Checkout { session, link }).await;
                opened.map(drop)
            }
            Act::Pay => self.tell("evt_1", PaymentEvent::Paid).await,
            Act::Refund => self.tell("evt_2", PaymentEvent::Refunded(MicroDollars(500_000))).await,
            Act::Start => {
                let begin = |sandbox: &mut Sandbox| {
                    let begins = !sandbox.is_up();
                    if begins {
                        *sandbox = sandbox.next_life();
                    }
                    begins
                };
                let begun = self.sandboxes.begin(self.scope, LIMITS, begin).await;
                begun.map(drop).map_err(store)
            }
            Act::Ready => self.set(SandboxStatus::Ready).await,
            Act::Charge => {
                let now = self.started.plus_seconds(CHARGED_AT);
                let rate = SandboxRate::per_hour(RATE);
                self.sandboxes.charge(self.scope, rate, now).await.map(drop)
            }
            Act::Stop => self.set(SandboxStatus::Stopped).await,
        }
    }

    async fn set(&self, status: SandboxStatus) -> Done {
        let changed = self.sandboxes.change(self.scope, |sandbox| {
            let news = sandbox.is_up() && sandbox.status != status;
            sandbox.status = if news { status } else { sandbox.status };
            news
        });
        changed.await.map(drop)
    }

    async fn tell(&self, event_id: &str, event: PaymentEvent) -> Done {
        let id = self.payment.clone().unwrap();
        let update = PaymentUpdate { event_id, event: &event, intent: Some("pi_1"), paid: None };
        self.payments.take(OWNER, &id, &update).await.map(drop)
    }

    /// The reaper's work at the time when it is due.
    async fn reap(&self) {
        let over = Timestamp::now().plus_seconds(100_000);
        self.ledger.release_expired(over).await.unwrap();
        for active in self.sandboxes.active().await.unwrap() {
            let now = self.started.plus_seconds(CHARGED_AT);
            let rate = SandboxRate::per_hour(RATE);
            self.sandboxes.charge(active.scope, rate, now).await.unwrap();
        }
    }

    /// Asserts that the books agree and nothing exists twice.
    async fn agree(&self, what: &str) {
        let balance = self.ledger.balance(OWNER).await.unwrap();
        let entries = self.ledger.entries(OWNER).await.unwrap();
        let sum = |kind: Option<EntryKind>| {
            let counted = entries.iter().filter(|e| kind.is_none_or(|kind| e.kind == kind));
            counted.fold(MicroDollars::ZERO, |sum, entry| sum + entry.signed())
        };
        assert_eq!(balance.balance, sum(None), "{what}");
        assert_eq!(
            (balance.held, balance.available),
            (MicroDollars::ZERO, balance.balance),
            "{what}"
        );
        let mut keys: Vec<_> = entries.iter().map(|e| (&e.key, e.kind.as_str())).collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all, "{what}: an entry is there twice");
        let costs = self.book.get(self.scope).await.unwrap().unwrap();
        assert_eq!(costs.micro_usd, -sum(Some(EntryKind::Use)), "{what}");
        assert_eq!(costs.held, MicroDollars::ZERO, "{what}");
        let cost = SandboxRate::per_hour(RATE).cost(costs.sandbox_seconds.cast_signed());
        assert_eq!(costs.sandbox_micro_usd, cost, "{what}: each second is paid for");
        // A sandbox that is up is on the reaper's list and takes a place; one that is down takes none.
        let sandbox = self.sandboxes.get(self.scope).await.unwrap().unwrap();
        let active = self.sandboxes.active().await.unwrap();
        let listed = active.iter().any(|active| active.scope == self.scope);
        assert!(listed || !sandbox.is_up(), "{what}: the reaper does not look after it");
        let other = self.other_can_start().await;
        assert_eq!(other, !sandbox.is_up(), "{what}: places are counted as they are taken");
    }

    /// Whether another project's sandbox could start.
    async fn other_can_start(&self) -> bool {
        let other = Scope { project: domain::ProjectId(2), ..self.scope };
        let begin = |sandbox: &mut Sandbox| {
            *sandbox = sandbox.next_life();
            true
        };
        match self.sandboxes.begin(other, LIMITS, begin).await {
            Ok(Some((_, true))) => true,
            Err(BeginError::Refused(_)) => false,
            other => panic!("{other:?}"),
        }
    }

    /// The outcome of a story, without ids and times.
    async fn outcome(&self) -> (Balance, usize, MicroDollars, bool) {
        let entries = self.ledger.entries(OWNER).await.unwrap().len();
        let costs = self.book.get(self.scope).await.unwrap().unwrap();
        let sandbox = self.sandboxes.get(self.scope).await.unwrap().unwrap();
        // The seconds that a test takes are charged, too; the books' sum separates them.
        let mut balance = self.ledger.balance(OWNER).await.unwrap();
        balance.balance += costs.sandbox_micro_usd;
        balance.available += costs.sandbox_micro_usd;
        let entries = entries - usize::from(costs.sandbox_micro_usd > MicroDollars::ZERO);
        (balance, entries, costs.micro_usd - costs.sandbox_micro_usd, sandbox.is_up())
    }
}

fn call(hold: &Hold) -> ModelCall {
    let usage = TokenUsage { input_tokens: 1_000, output_tokens: 100 };
    ModelCall {
        call_id: hold.id.clone(),
        agent: AgentId::Executor,
        usage,
        micro_usd: usage.cost(),
        estimated: false,
        cached_tokens: 0,
        at: Timestamp::now(),
    }
}

async fn world(fault: &Arc<Fault>) -> World {
    let table = testing::table_with(|config| {
        config.interceptor(fault.interceptor()).retry_config(RetryConfig::disabled())
    })
    .await;
    let project = Project::new("blog", None).unwrap();
    let other = Project { id: domain::ProjectId(2), ..project.clone() };
    for project in [&project, &other] {
        assert!(Projects::new(&table).create(OWNER, project).await.unwrap());
    }
    let ledger = Ledger::new(&table);
    assert!(ledger.grant(OWNER, "gift", CREDIT, "Gift").await.unwrap());
    World {
        ledger,
        payments: Payments::new(&table),
        sandboxes: Sandboxes::new(&table),
        book: CostBook::new(&table),
        scope: Scope { installation: OWNER, project: project.id },
        started: Timestamp::now(),
        hold: None,
        payment: None,
    }
}

/// Runs a story with one fault; returns whether the story reached the call that the fault strikes.
async fn tell(story: &[Act], at: usize, death: Death, told_again: bool) -> bool {
    let what = format!("{story:?}, {death:?} {at}, repeated: {told_again}");
    let fault = Fault::at(at, death);
    let mut world = world(&fault).await;
    fault.arm();
    for act in story {
        if world.act(*act).await.is_err() {
            if !told_again {
                break;
            }
            world.act(*act).await.unwrap();
        }
    }
    let struck = fault.disarm();
    world.reap().await;
    if told_again || !struck {
        let mut in_peace = self::world(&Fault::at(0, death)).await;
        for act in story {
            in_peace.act(*act).await.unwrap();
        }
        in_peace.reap().await;
        assert_eq!(world.outcome().await, in_peace.outcome().await, "{what}");
    }
    world.agree(&what).await;
    struck
}

#[tokio::test]
async fn a_crash_at_any_call_charges_nothing_twice_and_loses_nothing() {
    for story in STORIES {
        for death in [Death::BeforeTheCall, Death::AfterTheCall] {
            for told_again in [false, true] {
                let mut calls = 0;
                while tell(story, calls, death, told_again).await {
                    calls += 1;
                }
                assert!(calls >= story.len(), "{story:?} has more calls than {calls}");
            }
        }
    }
}
