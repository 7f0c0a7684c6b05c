//! Commands that the execution chat types into its user's terminal.

use api_tests::{Events, Project, World};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than a stream that the page asked to keep short, and shorter than any other.
const SHORT: Duration = Duration::from_secs(30);

async fn page(project: &Project) -> Events {
    let page = project.call(Method::GET, "/terminal/commands").events().await;
    assert_eq!(page.status, 200);
    page
}

/// Asks the chat to type a command; returns the chat's description of the result.
async fn ask(project: &Project, command: &str) -> Value {
    let question = format!("Type%20%60{}%60", command.replace(' ', "%20"));
    let path = format!("/execution/agent?message={question}");
    let events = project.call(Method::GET, &path).events().await.all().await;
    let tool = events.into_iter().find(|event| event["event"] == "on_tool_end");
    tool.expect("a tool was used")["summary"].clone()
}

#[tokio::test]
async fn a_reading_runs_in_the_terminal_and_other_commands_wait_for_enter() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Typed").await;
    project.sandbox_is_up().await;
    let mut page = page(&project).await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.shows_next("$ ").await;

    assert_eq!(ask(&project, "pwd").await, "`pwd` typed in the terminal");
    let command = page.next().await.unwrap();
    assert_eq!((&command["simulate_typing"], &command["typing_speed"]), (&json!(true), &json!(50)));
    assert_eq!((&command["command"], &command["run"]), (&json!("pwd"), &json!(true)));
    assert!(page.lines.contains(&"id: 1".to_owned()), "{:?}", page.lines);
    // Messages overtake each other, so each waits until the previous one is visible.
    terminal.types_of("pwd", "", "pw").await;
    terminal.shows_next("pw").await;
    terminal.types_of("pwd", "pw", "d").await;
    terminal.shows_next("d").await;
    terminal.runs_typed("pwd").await;
    terminal.shows_next("/workspace\r\n").await;
    terminal.shows_next("$ ").await;

    // The user is in the middle of a line that would do harm if Enter followed.
    terminal.types("touch half-typed pwd").await;
    terminal.shows_next("half-typed pwd").await;
    terminal.runs_typed("pwd").await;
    // Ctrl-U and Enter, because bash may hold back a Ctrl-C that comes right after an echoed key until the next key.
    terminal.types("\u{15}\r").await;
    terminal.shows_next("\r\n").await;
    terminal.shows_next("$ ").await;

    let answer = ask(&project, "touch made").await;
    assert_eq!(answer, "`touch made` typed, not run in the terminal");
    let command = page.next().await.unwrap();
    assert_eq!((&command["command"], &command["run"]), (&json!("touch made"), &json!(false)));
    terminal.types_of("touch made", "", "touch made").await;
    terminal.shows_next("touch made").await;
    assert!(!project.files().await.contains_key("made"));
    terminal.types("\recho do''ne\r").await;
    terminal.shows_next("done\r\n").await;
    let files = project.files().await;
    assert!(files.contains_key("made") && !files.contains_key("half-typed"), "{files:?}");
}

#[tokio::test]
async fn a_command_is_not_typed_into_a_program_and_the_page_learns_which() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Busy").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.shows("$ ").await;
    terminal.types("echo rea''dy; read -rn1 -s yes; echo \"said $yes\"\r").await;
    terminal.shows("ready\r\n").await;
    terminal.types_of("yes no", "", "y").await;
    while terminal.not_typed.is_empty() {
        terminal.reads().await;
    }
    assert_eq!(terminal.not_typed, ["yes no"]);
    terminal.types("n").await;
    terminal.shows("said n\r\n").await;
}

#[tokio::test]
async fn a_command_is_typed_by_one_page_and_never_again() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Pages").await;
    project.sandbox_is_up().await;
    let (mut one, mut other) = (page(&project).await, page(&project).await);
    ask(&project, "ls").await;
    let first = tokio::select! {
        command = one.next() => command,
        command = other.next() => command,
    };
    assert!(first.unwrap()["command"].as_str().unwrap().ends_with("ls"));
    drop((one, other));
    // A command that was typed while no page was open waits for the next page; the first command is not typed again.
    ask(&project, "pwd").await;
    let mut next = page(&project).await;
    assert!(next.next().await.unwrap()["command"].as_str().unwrap().ends_with("pwd"));
    let refused = stranger.within(project.id).get("/terminal/commands").await;
    refused.refuses(404, "not_found");
}

#[tokio::test]
async fn a_page_that_prefers_a_short_stream_gets_one_with_earlier_commands() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Short").await;
    project.sandbox_is_up().await;
    ask(&project, "ls").await;
    for (wait, commands) in [("wait=0", 1), ("respond-async, wait=1", 0)] {
        let call = project.call(Method::GET, "/terminal/commands").header("Prefer", wait);
        let events = tokio::time::timeout(SHORT, call.events().await.all()).await.unwrap();
        assert_eq!(events.len(), commands, "{wait}: {events:?}");
    }
}

#[tokio::test]
async fn without_a_running_sandbox_a_stream_passes_on_what_waits_and_ends() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    ask(&project, "ls").await;
    for commands in [1, 0] {
        let mut page = page(&project).await;
        let events = tokio::time::timeout(SHORT, page.all()).await.unwrap();
        assert_eq!(events.len(), commands, "{events:?}");
    }
}
