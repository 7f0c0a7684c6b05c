//! Connections of browsers, listed by session and by project.

use domain::{InstallationId, ProjectId, Scope};
use store::connections::Connections;
use store::testing;
use store::tokens::Grant;

fn browser(project: u64, session: &str) -> Grant {
    let scope = Scope { installation: InstallationId(1), project: ProjectId(project) };
    Grant::Browser { scope, session: session.to_owned() }
}

#[tokio::test]
async fn the_oldest_connections_of_a_session_and_of_a_project_are_in_excess() {
    let connections = Connections::new(&testing::table().await);
    let excess = async |grant: &Grant| connections.in_excess(grant).await.unwrap();
    let (one, other) = (browser(1, "one"), browser(1, "other"));
    for number in 0..32 {
        // In the order of their names, the newest would come first.
        connections.open(&format!("c{:02}", 99 - number), one.clone()).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    connections.open("other", other.clone()).await.unwrap();
    assert!(excess(&one).await.is_empty());
    connections.open("elsewhere", browser(2, "one")).await.unwrap();
    assert_eq!(excess(&one).await, ["c99"], "a session has connections to several projects");
    assert!(excess(&other).await.is_empty());
    connections.close("c99").await.unwrap();
    assert!(excess(&one).await.is_empty());

    for session in 0..97 {
        let grant = browser(1, &format!("session {session}"));
        connections.open(&format!("d{session:02}"), grant).await.unwrap();
    }
    assert_eq!(excess(&other).await, ["c98"], "31 of one session, one, and 97");
    let scope = Scope { installation: InstallationId(1), project: ProjectId(1) };
    let listed = connections.browsers(scope).await.unwrap();
    assert_eq!(listed.len(), 129);
    assert!(listed.iter().any(|one| one.connection == "other" && one.session == "other"));
}
