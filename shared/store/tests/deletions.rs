//! Tests deleting projects against a real engine.
use domain::ledger::EntryKind;
use domain::money::SandboxRate;
use domain::project::Project;
use domain::sandbox::SandboxStatus;
use domain::{AgentId, InstallationId, MicroDollars, Scope, Timestamp, TokenUsage};
use serde_json::json;
use store::costs::{CostBook, ModelCall};
use store::deletions::{ACCOUNT_LATE_SECONDS, Account, Deletion, Deletions, LATE_SECONDS};
use store::ledger::{HoldError, Ledger, Row};
use store::projects::{Created, Projects};
use store::sandboxes::Sandboxes;
use store::{Table, testing};

pub const OWNER: InstallationId = InstallationId(1);

/// A project whose owner has a dollar, and whose sandbox is running.
pub async fn running(table: &Table) -> Scope {
    let project = Project::new("blog", None).unwrap();
    assert!(Projects::new(table).create(OWNER, &project).await.unwrap());
    let (ledger, sandboxes) = (Ledger::new(table), Sandboxes::new(table));
    assert!(ledger.grant(OWNER, "test", MicroDollars::of_cents(100), "Credit").await.unwrap());
    let scope = Scope { installation: OWNER, project: project.id };
    let up = sandboxes.change(scope, |sandbox| {
        sandbox.status = SandboxStatus::Ready;
        true
    });
    assert!(up.await.unwrap().unwrap().1);
    scope
}

#[tokio::test]
async fn a_deleted_projects_running_time_is_charged_once() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let (deletions, ledger) = (Deletions::new(&table), Ledger::new(&table));
    let rate = SandboxRate::per_hour(MicroDollars::of_cents(60));
    assert!(deletions.begin(scope).await.unwrap().is_some());
    assert_eq!(deletions.begin(scope).await.unwrap(), None, "it is gone");

    let noted = deletions.under_way().await.unwrap().remove(0);
    assert_eq!(noted.generation, 0);
    // Ten minutes of running time.
    let running = serde_json::from_value(json!({"since": null, "seconds": 600})).unwrap();
    let noted = Deletion { running, ..noted };
    let charge = deletions.charge(&noted, rate).await.unwrap().expect("ten minutes");
    assert_eq!((charge.seconds, charge.micro_usd), (600, MicroDollars::of_cents(10)));
    assert_eq!(deletions.charge(&noted, rate).await.unwrap(), None, "a repeated call");
    let noted = deletions.under_way().await.unwrap().remove(0);
    assert_eq!(deletions.charge(&noted, rate).await.unwrap(), None, "a later minute");

    let left = ledger.balance(OWNER).await.unwrap().balance;
    assert_eq!(left, MicroDollars::of_cents(100) - charge.micro_usd);
    let page = ledger.page(OWNER, None, 10).await.unwrap();
    let used = |row: &&Row| matches!(row, Row::Entry(entry) if entry.kind == EntryKind::Use);
    assert_eq!(page.rows.iter().filter(used).count(), 1);
}

#[tokio::test]
async fn a_call_under_way_at_the_deletion_is_paid_once_and_no_other_call_begins() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let (deletions, ledger) = (Deletions::new(&table), Ledger::new(&table));
    let cents = MicroDollars::of_cents;
    let hold = ledger.hold(scope, cents(30)).await.unwrap();
    let expired = Timestamp::now().plus_seconds(-1);
    let late = ledger.hold_until(scope, cents(30), expired).await.unwrap();
    let paid = ledger.hold(scope, cents(30)).await.unwrap();
    let call = |id: &str| ModelCall {
        call_id: id.to_owned(),
        agent: AgentId::Executor,
        usage: TokenUsage { input_tokens: 0, output_tokens: 10_000 },
        micro_usd: cents(20),
        estimated: false,
        cached_tokens: 0,
        at: Timestamp::now(),
    };
    let before = call(&paid.id);
    assert!(ledger.settle(&paid, &before).await.unwrap());
    assert!(deletions.begin(scope).await.unwrap().is_some());
    assert_eq!(ledger.release_expired(Timestamp::now()).await.unwrap(), 1);

    assert!(!ledger.settle(&paid, &before).await.unwrap(), "the answer of its settlement was lost");
    let now = call(&hold.id);
    assert!(ledger.settle(&hold, &now).await.unwrap());
    assert!(!ledger.settle(&hold, &now).await.unwrap(), "it is settled once");
    let thawed = call(&late.id);
    assert!(ledger.settle(&late, &thawed).await.unwrap(), "although its hold has expired");
    assert!(!ledger.settle(&late, &thawed).await.unwrap(), "it is settled once");
    let balance = ledger.balance(OWNER).await.unwrap();
    assert_eq!((balance.balance, balance.held), (cents(40), cents(0)));

    let book = CostBook::new(&table);
    assert_eq!(book.get(scope).await.unwrap(), None, "the costs stay deleted");
    assert!(matches!(ledger.hold(scope, cents(1)).await, Err(HoldError::NoSuchProject)));
    deletions.wipe(scope).await.unwrap();
    assert_eq!(deletions.wipe(scope).await.unwrap(), 0);
}

#[tokio::test]
async fn no_project_is_created_while_its_account_is_being_deleted() {
    let table = testing::table().await;
    let (deletions, projects) = (Deletions::new(&table), Projects::new(&table));
    let create = async |installation, most| {
        let project = Project::new("late", None).unwrap();
        projects.create_within(installation, &project, most, None).await.unwrap()
    };
    deletions.begin_account(OWNER).await.unwrap();
    assert_eq!(create(OWNER, 1).await, Created::AccountDeleted);
    assert_eq!(create(OWNER, 0).await, Created::AccountDeleted, "which also has its limit");
    assert_eq!(create(InstallationId(2), 1).await, Created::Yes);
    let [account] = &deletions.accounts().await.unwrap()[..] else { panic!("one account") };
    assert!(!account.is_over(), "a call may still be under way");
    let late = account.at.unwrap().plus_seconds(-ACCOUNT_LATE_SECONDS);
    assert!(Account { at: Some(late), ..account.clone() }.is_over());
    deletions.finish_account(OWNER).await.unwrap();
    assert_eq!(create(OWNER, 1).await, Created::Yes);
    assert_eq!(create(OWNER, 1).await, Created::TooMany);
}

#[tokio::test]
async fn an_empty_project_is_looked_at_for_a_few_minutes_and_once_more_when_nothing_can_come_late()
{
    let table = testing::table().await;
    let scope = running(&table).await;
    let deletions = Deletions::new(&table);
    let begun = deletions.begin(scope).await.unwrap().expect("a project");
    let deleted = |seconds: i64| Deletion { at: begun.at.plus_seconds(-seconds), ..begun.clone() };
    let listed = async || deletions.under_way().await.unwrap().len();

    assert!(!deletions.note_empty(&deleted(299)).await.unwrap());
    assert_eq!(listed().await, 1, "a call may still be under way");
    assert!(!deletions.note_empty(&deleted(300)).await.unwrap());
    assert_eq!(listed().await, 0, "the last look comes later");
    assert!(!deletions.note_empty(&deleted(LATE_SECONDS - 1)).await.unwrap());
    assert!(deletions.note_empty(&deleted(LATE_SECONDS)).await.unwrap());
    assert!(!deletions.note_empty(&deleted(300)).await.unwrap(), "and is repeated in vain");
}
