//! Tests that a notice is sent once, and tried a few times if SES refuses its letter.
use domain::{InstallationId, ProjectId, Scope};
use store::mail::{Mail, TRIES};
use store::testing::table;

const SCOPE: Scope = Scope { installation: InstallationId(5), project: ProjectId(11) };

#[tokio::test]
async fn only_one_of_many_sweeps_claims_a_turn() {
    let mail = Mail::new(&table().await);
    let mut sweeps = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let mail = mail.clone();
        sweeps.spawn(async move { mail.claim(SCOPE, 7, "execution/waiting/p/1/1").await.unwrap() });
    }
    let claimed = sweeps.join_all().await;
    assert_eq!(claimed.iter().flatten().count(), 1, "{claimed:?}");
    assert!(mail.is_over(SCOPE, 7, "execution/waiting/p/1/1").await.unwrap());
    assert!(
        !mail.is_over(SCOPE, 8, "execution/waiting/p/1/1").await.unwrap(),
        "other people still get their letters"
    );
    assert_eq!(mail.claim(SCOPE, 7, "execution/failed/p/1/1").await.unwrap(), Some(1));
}

#[tokio::test]
async fn a_refused_letter_is_tried_a_few_times() {
    let mail = Mail::new(&table().await);
    for expected in 1..=TRIES {
        assert_eq!(mail.claim(SCOPE, 7, "t").await.unwrap(), Some(expected));
        assert_eq!(mail.claim(SCOPE, 7, "t").await.unwrap(), None, "only one sender gets a claim");
        assert_eq!(mail.release(SCOPE, 7, "t").await.unwrap(), expected < TRIES);
    }
    assert_eq!(mail.claim(SCOPE, 7, "t").await.unwrap(), None, "no try is left");
    assert!(mail.is_over(SCOPE, 7, "t").await.unwrap());
    assert_eq!(mail.claim(SCOPE, 7, "next").await.unwrap(), Some(1));
    assert!(!mail.release(SCOPE, 7, "t").await.unwrap(), "an older notice releases no claim");
}

#[tokio::test]
async fn a_key_turns_off_only_its_own_mail() {
    let mail = Mail::new(&table().await);
    let (installation, address) = (SCOPE.installation, "ada@example.com".parse().unwrap());
    for user in [7, 8] {
        let token = mail.propose(installation, user, &address, "https://site").await.unwrap();
        assert!(mail.recipients(installation).await.unwrap().iter().all(|one| one.user_id != user));
        mail.confirm(installation, user, &token).await.unwrap().expect("the link is good");
    }
    let [first, second] = &mail.recipients(installation).await.unwrap()[..] else { panic!() };
    let mut forged = first.off_key(installation);
    forged.user_id = second.user_id;
    assert!(!mail.turn_off(&forged).await.unwrap());
    assert!(mail.turn_off(&first.off_key(installation)).await.unwrap());
    assert!(!mail.turn_off(&first.off_key(installation)).await.unwrap());
    assert_eq!(mail.recipients(installation).await.unwrap(), std::slice::from_ref(second));
    mail.forget_all(installation).await.unwrap();
    assert_eq!(mail.settings(installation, 8).await.unwrap(), None);
}
