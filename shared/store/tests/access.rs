//! Tests what open event streams depend on against a real engine.
use crate::sessions::{open, session};
use domain::project::Project;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Scope, Timestamp};
use std::collections::HashSet;
use store::access::{Access, Accesses};
use store::deletions::Deletions;
use store::projects::Projects;
use store::sessions::{Session, Sessions};
use store::testing;

const OWNER: InstallationId = InstallationId(1);

#[tokio::test]
async fn an_access_lasts_as_long_as_both_its_session_and_its_project() {
    let table = testing::table().await;
    let (sessions, accesses) = (Sessions::new(&table), Accesses::new(&table));
    let mut scopes = Vec::new();
    for name in ["kept", "deleted"] {
        let project = Project::new(name, None).unwrap();
        assert!(Projects::new(&table).create(OWNER, &project).await.unwrap());
        scopes.push(Scope { installation: OWNER, project: project.id });
    }
    let (kept, deleted) = (scopes[0], scopes[1]);
    // More keys than one read may name, and most of them twice.
    let mut tokens = Vec::new();
    for user in 0..120 {
        tokens.push(open(&sessions, &session(user, OWNER)).await);
    }
    let access = |token: &SecretToken, project| Access { session: token.hash(), project };
    let of_all =
        |project| tokens.iter().map(|token| access(token, project)).collect::<HashSet<_>>();
    let all = &(&of_all(None) | &of_all(Some(kept))) | &of_all(Some(deleted));
    assert_eq!(accesses.lasting(&all).await.unwrap(), all);

    assert!(Deletions::new(&table).begin(deleted).await.unwrap().is_some());
    assert_eq!(sessions.end_user(7).await.unwrap().0.len(), 1);
    let mut lasting = &of_all(None) | &of_all(Some(kept));
    lasting.retain(|access| access.session != tokens[7].hash());
    assert_eq!(accesses.lasting(&all).await.unwrap(), lasting);

    // The project belongs to another installation, or the session was never there.
    let elsewhere = Scope { installation: InstallationId(2), project: kept.project };
    let unknown = SecretToken::random();
    let wrong = HashSet::from([access(&tokens[0], Some(elsewhere)), access(&unknown, Some(kept))]);
    assert_eq!(accesses.lasting(&wrong).await.unwrap(), HashSet::new());
    assert_eq!(accesses.lasting(&HashSet::new()).await.unwrap(), HashSet::new());
}

#[tokio::test]
async fn an_access_ends_when_its_session_expires() {
    let table = testing::table().await;
    let (sessions, accesses) = (Sessions::new(&table), Accesses::new(&table));
    let expired = Session { ends_at: Timestamp::now().plus_seconds(-1), ..session(1, OWNER) };
    let (expired, lasting) =
        (open(&sessions, &expired).await, open(&sessions, &session(2, OWNER)).await);
    let access = |token: &SecretToken| Access { session: token.hash(), project: None };
    let both = HashSet::from([access(&expired), access(&lasting)]);
    assert_eq!(accesses.lasting(&both).await.unwrap(), HashSet::from([access(&lasting)]));
}
