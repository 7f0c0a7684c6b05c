//! An agent before it has a project.
use crate::support::agent::USER;
use crate::support::{Agent, Gateway, order};
use protocol::{Assignment, ToAgent};

const TOKEN: &str = "a-project's";

async fn pooled(environment: &[(&str, &str)]) -> (Gateway, Agent) {
    let mut gateway = Gateway::start().await;
    let agent = Agent::start_pooled(&gateway, environment);
    gateway.hello().await;
    (gateway, agent)
}

fn assign(gateway: &Gateway, user: &str) {
    gateway.let_in(TOKEN);
    tell_whose(gateway, user);
}

fn tell_whose(gateway: &Gateway, user: &str) {
    let (user, token) = (user.to_owned(), TOKEN.to_owned());
    gateway.tell(ToAgent::Assign(Assignment { user, token }));
}

/// The children of a process.
fn children(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap()
}

#[tokio::test]
async fn an_assigned_agent_serves_its_project_from_the_next_connection_on() {
    let (mut gateway, agent) = pooled(&[]).await;
    assert_eq!(children(agent.pid()), "", "nothing is started before");
    assert!(!agent.workspace().exists(), "and there is no workspace");
    assign(&gateway, USER);
    gateway.gone(0).await;
    gateway.hello().await;
    let report = gateway.run("r1", "whoami; pwd").await;
    assert_eq!(report.head, format!("{USER}\n/home/{USER}/workspace\n"));
    assert_eq!(gateway.connections(), 2);
}

#[tokio::test]
async fn a_restore_waits_for_the_assignment() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("note.txt", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut zip, b"kept\n").unwrap();
    let mut gateway = Gateway::start().await;
    gateway.put("backup", zip.finish().unwrap().into_inner());
    // Every welcome has this field; a pooled agent ignores it.
    gateway.restore_from("backup");
    let agent = Agent::start_pooled(&gateway, &[]);
    gateway.hello().await;
    assign(&gateway, USER);
    gateway.hello().await;
    assert_eq!(gateway.run("r1", "cat note.txt").await.head, "kept\n");
    assert!(agent.workspace().join("note.txt").exists());
}

#[tokio::test]
async fn an_agent_without_a_project_runs_nothing_and_opens_nothing() {
    let (mut gateway, agent) = pooled(&[]).await;
    gateway.tell(ToAgent::Run(order("early", "touch early")));
    gateway.attach("browser", "main", 0);
    assign(&gateway, USER);
    assert!(gateway.hello().await.is_empty());
    let report = gateway.run("r1", "ls early 2>&1").await;
    assert!(report.head.contains("No such file"), "it was dropped: {}", report.head);
    assert!(!agent.workspace().join("early").exists());
}

#[tokio::test]
async fn an_agent_is_assigned_once() {
    let (mut gateway, _agent) = pooled(&[]).await;
    assign(&gateway, USER);
    gateway.hello().await;
    assert_eq!(gateway.run("r1", "touch mine; whoami").await.head, format!("{USER}\n"));
    let other = Assignment { user: "user_1_2".to_owned(), token: "another".to_owned() };
    gateway.let_in("another");
    gateway.tell(ToAgent::Assign(other));
    let report = gateway.run("r2", "whoami; ls mine").await;
    assert_eq!(report.head, format!("{USER}\nmine\n"));
    assert_eq!(gateway.connections(), 2);
}

#[tokio::test]
async fn an_idle_agents_connection_is_renewed() {
    let (mut gateway, _agent) = pooled(&[("GROUNDCREW_RENEW_AFTER_SECONDS", "1")]).await;
    gateway.hello().await;
    gateway.gone(0).await;
    gateway.cut();
    // The other side drops the connection as well: the agent returns with the token of the last welcome.
    gateway.hello().await;
    gateway.let_in(TOKEN);
    while gateway.expects(TOKEN) {
        // The connection may be dropped after an assignment is sent and before the agent reads it: then the assignment
        // is repeated.
        tell_whose(&gateway, USER);
        gateway.hello().await;
    }
    assert!(gateway.connections() >= 4);
}

#[tokio::test]
async fn an_unneeded_agent_ends_cleanly() {
    let (gateway, mut agent) = pooled(&[]).await;
    gateway.tell(ToAgent::Stop);
    assert!(agent.ended().await.success());
    let (_gateway, mut agent) = pooled(&[]).await;
    assert!(agent.terminate().await.success());
}

#[tokio::test]
async fn a_user_name_that_is_a_path_is_refused() {
    for user in ["user_1_2/../..", "root", ""] {
        let (gateway, mut agent) = pooled(&[]).await;
        assign(&gateway, user);
        assert!(!agent.ended().await.success(), "{user:?}");
        assert_eq!(gateway.connections(), 1);
        assert!(!agent.workspace().exists());
    }
}
