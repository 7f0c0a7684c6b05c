//! An agent whose hello goes unanswered.
use crate::support::gateway::Unheard;
use crate::support::{Agent, Gateway};

#[tokio::test]
async fn a_lost_hello_is_sent_again_on_the_same_connection() {
    let mut gateway = Gateway::start().await;
    gateway.misses_a_hello(Unheard::Lost);
    let _agent = Agent::start(&gateway);
    gateway.hello().await;
    assert_eq!(gateway.run("r1", "echo here").await.head, "here\n");
    assert_eq!(gateway.connections(), 1);
}

#[tokio::test]
async fn an_agent_that_was_never_welcomed_dials_again_with_the_token_that_it_has() {
    let mut gateway = Gateway::start().await;
    gateway.misses_a_hello(Unheard::HungUp);
    let _agent = Agent::start(&gateway);
    gateway.hello().await;
    assert_eq!(gateway.run("r1", "echo here").await.head, "here\n");
    assert_eq!(gateway.connections(), 2);
}

#[tokio::test]
async fn an_agent_without_a_project_also_repeats_its_hello() {
    let mut gateway = Gateway::start().await;
    gateway.misses_a_hello(Unheard::Lost);
    gateway.misses_a_hello(Unheard::HungUp);
    let _agent = Agent::start_pooled(&gateway, &[]);
    gateway.hello().await;
    assert_eq!(gateway.connections(), 2);
}
