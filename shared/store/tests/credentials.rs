//! Tests sealed credentials against a real engine.
use domain::credential::Provider;
use domain::masking::Hiding;
use domain::{InstallationId, ProjectId, Scope, Timestamp};
use std::collections::BTreeMap;
use store::credentials::{Credentials, SealedSet, SealedValue};
use store::{StoreError, testing};

fn scope(installation: u64) -> Scope {
    Scope { installation: InstallationId(installation), project: ProjectId(12) }
}

fn values(given: &[(&str, &str)]) -> BTreeMap<String, SealedValue> {
    let seal = |text: &str| SealedValue {
        sealed: text.to_owned(),
        bytes: text.len(),
        fingerprint: None,
        hiding: Hiding::Everywhere,
        sealed_at: Timestamp::now(),
    };
    given.iter().map(|(name, text)| ((*name).to_owned(), seal(text))).collect()
}

fn names(sets: &[store::credentials::SealedSet]) -> Vec<(Provider, Vec<&str>)> {
    let of = |set: &'_ store::credentials::SealedSet| set.provider;
    sets.iter().map(|set| (of(set), set.values.keys().map(String::as_str).collect())).collect()
}

/// No bound.
const ANY: fn(&[SealedSet]) -> Result<(), StoreError> = |_| Ok(());

#[tokio::test]
async fn a_set_is_replaced_or_extended_and_a_stranger_has_none() {
    let credentials = Credentials::new(&testing::table().await);
    let (owner, stranger) = (scope(1), scope(2));
    credentials
        .replace(owner, Provider::Aws, &values(&[("A", "1"), ("B", "2")]), ANY)
        .await
        .unwrap();
    credentials.replace(owner, Provider::Aws, &values(&[("B", "3")]), ANY).await.unwrap();
    credentials.add(owner, Provider::Chat, &values(&[("C", "4")]), ANY).await.unwrap();
    credentials.add(owner, Provider::Chat, &values(&[("C", "5"), ("D", "6")]), ANY).await.unwrap();
    let sets = credentials.list(owner).await.unwrap();
    assert_eq!(names(&sets), [(Provider::Aws, vec!["B"]), (Provider::Chat, vec!["C", "D"])]);
    assert_eq!(sets[1].values["C"].sealed, "5");
    assert_eq!(credentials.list(stranger).await.unwrap(), []);

    assert!(!credentials.delete(stranger, Provider::Aws).await.unwrap());
    assert!(credentials.delete(owner, Provider::Aws).await.unwrap());
    assert!(!credentials.delete(owner, Provider::Aws).await.unwrap());
    assert_eq!(credentials.list(owner).await.unwrap().len(), 1);
}

/// The sealed texts of a set's former values.
async fn former(credentials: &Credentials, provider: Provider) -> Vec<String> {
    let sets = credentials.list(scope(1)).await.unwrap();
    let set = sets.into_iter().find(|set| set.provider == provider).unwrap();
    set.former
        .into_iter()
        .map(|former| format!("{}={}", former.name, former.value.sealed))
        .collect()
}

#[tokio::test]
async fn a_replaced_value_is_kept_once_so_that_outputs_hide_it() {
    let credentials = Credentials::new(&testing::table().await);
    let owner = scope(1);
    for given in [[("A", "1"), ("B", "2")], [("A", "1"), ("C", "3")], [("A", "4"), ("C", "3")]] {
        credentials.replace(owner, Provider::Aws, &values(&given), ANY).await.unwrap();
    }
    assert_eq!(former(&credentials, Provider::Aws).await, ["B=2", "A=1"]);
    // A value that is set again no longer counts as a former one.
    credentials.replace(owner, Provider::Aws, &values(&[("A", "1")]), ANY).await.unwrap();
    assert_eq!(former(&credentials, Provider::Aws).await, ["B=2", "A=4", "C=3"]);

    credentials
        .add(owner, Provider::Chat, &values(&[("P", "old"), ("Q", "kept")]), ANY)
        .await
        .unwrap();
    credentials.add(owner, Provider::Chat, &values(&[("P", "new")]), ANY).await.unwrap();
    assert_eq!(former(&credentials, Provider::Chat).await, ["P=old"]);
    assert!(credentials.delete(owner, Provider::Chat).await.unwrap());
    assert_eq!(credentials.list(owner).await.unwrap().len(), 1);
}

#[tokio::test]
async fn only_the_latest_replaced_values_are_kept() {
    let credentials = Credentials::new(&testing::table().await);
    for n in 0..20 {
        let value = values(&[("P", &n.to_string())]);
        credentials.add(scope(1), Provider::Chat, &value, ANY).await.unwrap();
    }
    let kept = former(&credentials, Provider::Chat).await;
    let latest: Vec<_> = (3..19).map(|n| format!("P={n}")).collect();
    assert_eq!(kept, latest);
}

#[tokio::test]
async fn both_of_two_concurrent_additions_are_kept() {
    let credentials = Credentials::new(&testing::table().await);
    let adding = (0..8).map(|n| {
        let credentials = credentials.clone();
        tokio::spawn(async move {
            credentials
                .add(scope(1), Provider::Chat, &values(&[(&format!("N{n}"), "x")]), ANY)
                .await
        })
    });
    for added in adding.collect::<Vec<_>>() {
        added.await.unwrap().unwrap();
    }
    assert_eq!(credentials.list(scope(1)).await.unwrap()[0].values.len(), 8);
}
