//! Each API call's requests to DynamoDB, counted at the engine and compared with `docs/store-calls.md`.
//!
//! The engine delays each answer for a moment. Requests that a function sends together then overlap, and requests that
//! wait for each other never do: the longest chain of requests one after another is the number of round trips. Work
//! that a call leaves to a queue is not counted, because none of its reads can end before the call's answer.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod meter;
mod polls;
mod story;

use api_tests::contract::routes;
use meter::Cost;
use std::collections::BTreeMap;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/store-calls.md");
const BEGIN: &str = "<!-- counted: begin -->\n";
const END: &str = "<!-- counted: end -->";

/// Round trips of a call besides reading its session with the ends on which it depends and, if it changes something or
/// is limited, counting its rate.
const ROUNDS: usize = 2;

/// Calls that take more round trips, how many, and why.
const LONGER: &[(&str, usize, &str)] = &[
    ("DELETE /projects/{id}", 6, "closes the project's connections once it is deleted"),
    ("POST /execution/autonomy", 7, "starts what waits and only reads"),
    (
        "POST /execution/edit-step",
        8,
        "counts the edits, has the script checked, and reads the step again",
    ),
    ("POST /projects/{id}/shares", 6, "looks for the project before it counts its links"),
    (
        "PUT /planning/credentials/{provider}",
        7,
        "compares the values with those that the project has, before and after it seals them",
    ),
    ("PUT /project-states/{id}/stages/{stage_id}", 6, "first reads what the stage's gate asks for"),
];

/// Calls that are not counted here, and why.
const NOT_COUNTED: &[(&str, &str)] = &[
    ("/agent", "a conversation: its turn reads and writes as the model speaks"),
    ("/chat", "a conversation"),
    ("/requirements-gatherer", "a conversation"),
    ("/cloud-architect", "a conversation"),
    ("/implementation-planner", "a conversation"),
    ("/documentation/generate", "a conversation"),
    ("GET /terminal/commands", "a stream"),
    ("POST /github", "signing in and out"),
    ("DELETE /github/user", "an account's whole deletion"),
    ("GET /github/login", "signing in"),
    ("GET /github/callback", "signing in"),
    ("GET /github/installations", "signing in"),
    ("/payments/stripe", "Stripe's own calls"),
    ("POST /analytics", "a public page's report"),
    ("/workspace/", "the sandbox's answer takes longer than any read"),
    ("POST /validation", "as the same call under /execution"),
    ("POST /devops-helper", "needs a conversation first"),
    ("POST /execution/trigger", "starts work that reads the table beside it"),
    ("POST /execution/approve-step", "starts work that reads the table beside it"),
    ("POST /sandbox/stop", "ends work that writes to the table beside it"),
    ("POST /sandbox/sync", "the sandbox's agent reports beside it"),
    ("/sandbox/ports/", "asks the sandbox, and looks for its answer until it comes"),
    ("POST /sandbox/previews", "the same"),
    ("POST /execution/cancel-step", "needs a command that keeps running"),
    ("POST /sandbox/start", "as POST /sandbox/initialize"),
    ("POST /sandbox/restore", "copies a workspace"),
    ("/restore", "copies a document"),
    ("/changes", "reads and writes a whole project"),
    ("/repositories", "waits for GitHub"),
    ("/repository/", "waits for a sandbox's files, and for GitHub"),
    ("/shared/", "a whole project's history, for a reader who comes once"),
    ("POST /projects/{id}/duplicate", "copies a project"),
    ("GET /user/export", "everything of an account"),
    ("POST /user/credits", "waits for Stripe"),
    ("PUT /user/mail", "waits for the mail service"),
    ("/github/guests/", "a decision about one guest, who has to be there first"),
    ("/user/mail/", "a letter's link, used once"),
    ("DELETE /user/mail", "is rarely called"),
];

#[tokio::test]
async fn the_document_lists_the_store_calls_of_every_route() {
    let costs = story::costs().await;
    let unknown = routes()
        .into_iter()
        .map(|route| route.name())
        .filter(|name| !is_left_out(name) && !costs.contains_key(name));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<String>::new(), "add these calls to the story");

    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let (head, rest) = document.split_once(BEGIN).expect("the document has its marks");
    let (written, tail) = rest.split_once(END).expect("the document has its marks");
    let polls = polls::costs().await;
    let counted = table(&costs) + &table_of_polls(&polls);
    if written != counted {
        let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/store-calls.md");
        std::fs::write(file, format!("{head}{BEGIN}{counted}{END}{tail}")).unwrap();
        let changed = counted.lines().filter(|line| !written.lines().any(|old| old == *line));
        let changed: Vec<_> = changed.collect();
        panic!("the counts differ:\n{}\nIf that is intended, copy {file}", changed.join("\n"));
    }
    for (name, cost) in &costs {
        // Only the counter of its rate makes a read write.
        let counted = cost.operations().contains("UpdateItem") || !name.starts_with("GET ");
        let before = if counted { 3 } else { 2 };
        let longer = LONGER.iter().find(|(longer, ..)| longer == name);
        let most = longer.map_or(ROUNDS + before, |(_, most, _)| *most);
        assert!(cost.rounds <= most, "{name}: at most {most} round trips, not {cost:?}");
    }
}

/// Asserts that a poll that finds nothing new reads as much of a long execution as of a short one.
fn table_of_polls(polls: &[(&str, Cost)]) -> String {
    let mut table =
        "\n| 30 steps with full outputs | answer | round trips | calls | capacity units |\n|---|---|---|---|---|\n"
            .to_owned();
    for (what, cost) in polls {
        let Cost { status, rounds, units, .. } = cost;
        let operations = cost.operations();
        table += &format!("| {what} | {status} | {rounds} | {operations} | {units} |\n");
    }
    table
}

fn is_left_out(name: &str) -> bool {
    NOT_COUNTED.iter().any(|(part, _)| name.contains(part))
}

fn table(costs: &BTreeMap<String, Cost>) -> String {
    let mut table =
        "| call | answer | round trips | calls | capacity units |\n|---|---|---|---|---|\n"
            .to_owned();
    let longer = |name: &str| LONGER.iter().any(|(longer, ..)| *longer == name);
    for (name, cost) in costs.iter().filter(|(name, _)| !longer(name)) {
        let Cost { status, rounds, units, .. } = cost;
        let operations = cost.operations();
        table += &format!("| `{name}` | {status} | {rounds} | {operations} | {units} |\n");
    }
    table += "\n| call | round trips | why |\n|---|---|---|\n";
    for (name, most, why) in LONGER {
        table += &format!("| `{name}` | {most} | {why} |\n");
    }
    table
}
