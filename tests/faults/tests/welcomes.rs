//! Hellos that arrive twice or late, and tokens that are presented again.

use api_tests::{Model, Project, Refused, Socket, World};
use domain::backup::{Backup, BackupReason};
use domain::{RunId, Timestamp};
use fault_tests::{Agent, ended};
use store::backups::Backups;
use store::sandboxes::Sandboxes;
use store::tokens::{Grant, Tokens};

/// How long a token is valid, in seconds: longer than any test.
const TOKEN_SECONDS: i64 = 600;

/// Lists a backup of the project's workspace, as if an earlier sandbox had made it.
async fn has_a_backup(project: &Project) {
    let (id, at) = (RunId::random(), Timestamp::now());
    let reason = BackupReason::Stop;
    let backup = Backup { id, at, bytes: 1, reason, step_number: None };
    let backups = Backups::new(&project.app().table());
    backups.change(project.scope(), |backups| backups.add(backup.clone(), 0)).await.unwrap();
}

#[tokio::test]
async fn a_hello_that_is_repeated_is_answered_again_and_still_brings_the_backup() {
    let world = World::start().await;
    let project = world.owner.project("Again").await;
    has_a_backup(&project).await;
    let mut agent = Agent::of(&project).await;
    // As if the function had died before it posted the first welcome: the sandbox is ready, but its agent has received
    // nothing.
    let mut tokens = Vec::new();
    for seq in [1, 2] {
        agent.says_hello(seq).await;
        let (next, backup) = agent.welcomed().await;
        assert!(backup.is_some_and(|address| address.contains("/backups/")));
        tokens.push(next);
    }
    for token in tokens {
        drop(Agent::opens(&project, &token).await);
    }
}

#[tokio::test]
async fn a_late_hello_does_not_take_the_sandbox_back_from_its_successor() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Late").await;
    let mut old = Agent::of(&project).await;
    old.says_hello(3).await;
    let (next, _) = old.welcomed().await;
    let mut new = Agent::opens(&project, &next).await;
    new.says_hello(5).await;
    new.welcomed().await;
    old.says_hello(4).await;
    // The gateway accepts what the old connection still sends, and answers there.
    old.says(ended("e1-unknown", 0, "")).await;
    old.recorded("e1-unknown").await;
    project.execute(&["echo one"]).await;
    project.approve(1).await;
    let order = new.order().await;
    new.runs(&order, 0, "one\n").await;
    project.step_is(1, "completed").await;
}

#[tokio::test]
async fn a_token_that_an_agent_has_presented_is_useless_to_any_other() {
    let world = World::start().await;
    let project = world.owner.project("Token").await;
    let scope = project.scope();
    let sandbox = Sandboxes::new(&world.app.table()).get(scope).await.unwrap().unwrap();
    let grant = Grant::Sandbox { scope, generation: sandbox.generation };
    let token = Tokens::new(&world.app.table()).issue(grant, TOKEN_SECONDS).await.unwrap();
    let address = world.app.url("/ws").replacen("http", "ws", 1);
    let address = format!("{address}?token={}", token.expose());
    // The agent dials again if the answer to its first attempt was lost.
    for _ in 0..2 {
        drop(Socket::open_as(&address, "the agent's own").await.unwrap());
    }
    let thief = Socket::open_as(&address, "another").await.err();
    assert_eq!(thief, Some(Refused(401)));
    let older = Socket::open(&address).await.err();
    assert_eq!(older, Some(Refused(401)), "nor to one that names no secret");
    drop(Socket::open_as(&address, "the agent's own").await.unwrap());
}
