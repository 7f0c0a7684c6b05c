//! What the web has from Rust beside the API's contract: the messages between browser and gateway, the sentences that
//! both the API and the page say, and the limits that both apply.

use crate::{
    FILE_BYTES, FileEntry, FileFailure, FileKind, FilesAnswer, FilesRequest, FromBrowser,
    LinkState, ToBrowser,
};
use domain::chat::MAX_MESSAGE_CHARS;
use domain::ledger::Refusal;
use domain::money::MAX_PAYMENT;
use domain::stage::StageRefusal;
use domain::step::{MAX_REASON_CHARS, MAX_SCRIPT_BYTES};
use domain::{AgentId, change, credential, project};
use std::path::Path;
use ts_rs::{Config, TS};

/// If set, the tests write the files instead of comparing them; `cargo dev openapi` sets it.
const WRITE: &str = "GROUNDCREW_WRITE_TYPES";

const TYPES_HEAD: &str = "\
/** The messages between browser and gateway. `cargo dev openapi` generates this file from shared/protocol. */
";

const TEXTS_HEAD: &str = "\
/** Sentences that the API says, too. `cargo dev openapi` generates this file from shared/domain. */

";

const LIMITS_HEAD: &str = "\
/** Limits that the API checks, too. `cargo dev openapi` generates this file from shared/domain and shared/protocol. */

";

fn types() -> String {
    // JSON has one kind of number; our numbers stay far below the largest integer that a double holds exactly.
    let config = Config::new().with_large_int("number");
    let types = [
        FromBrowser::decl(&config),
        ToBrowser::decl(&config),
        LinkState::decl(&config),
        FilesRequest::decl(&config),
        FilesAnswer::decl(&config),
        FileEntry::decl(&config),
        FileKind::decl(&config),
        FileFailure::decl(&config),
    ];
    types.iter().fold(TYPES_HEAD.to_owned(), |text, decl| format!("{text}\nexport {decl}\n"))
}

fn texts() -> String {
    let texts = [
        ("INSUFFICIENT_CREDITS", Refusal::InsufficientCredits.to_string()),
        ("BUDGET_REACHED", Refusal::BudgetReached.to_string()),
        ("REQUIREMENTS_NOT_READY", StageRefusal::RequirementsNotReady.to_string()),
    ];
    let file = texts.iter().fold(TEXTS_HEAD.to_owned(), |file, (name, text)| {
        format!("{file}export const {name} = {text:?};\n")
    });
    let names = AgentId::ALL.map(|agent| format!("  {:?}: {:?},\n", agent.as_str(), agent.name()));
    format!(
        "{file}\n/** The agents' names. */\nexport const AGENT_NAMES = {{\n{}}} as const;\n",
        names.concat()
    )
}

fn limits() -> String {
    let limits = [
        ("A message to an agent", "MAX_MESSAGE_CHARS", MAX_MESSAGE_CHARS),
        ("The reason for a rejection", "MAX_REASON_CHARS", MAX_REASON_CHARS),
        ("The wish that begins a change", "MAX_WISH_CHARS", change::MAX_WISH_CHARS),
        ("A script", "MAX_SCRIPT_BYTES", MAX_SCRIPT_BYTES),
        ("A project's name", "MAX_NAME_CHARS", project::MAX_NAME_CHARS),
        ("A project's description", "MAX_DESCRIPTION_CHARS", project::MAX_DESCRIPTION_CHARS),
        ("A credential", "MAX_VALUE_BYTES", credential::MAX_VALUE_BYTES),
        ("A file that is read or written in the browser", "FILE_BYTES", FILE_BYTES),
        ("A payment, in dollars", "MAX_AMOUNT", MAX_PAYMENT.cents() as usize / 100),
    ];
    limits.iter().fold(LIMITS_HEAD.to_owned(), |file, (what, name, limit)| {
        format!("{file}/** {what}. */\nexport const {name} = {};\n", grouped(*limit))
    })
}

/// A number as the web's code writes it: 24_000.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let grouped = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    grouped.collect::<Vec<_>>().join("_")
}

/// Writes a file of the web, or checks that it is up to date.
fn kept(name: &str, document: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src").join(name);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&file, document).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == document, "web/src/{name} is out of date: cargo dev openapi");
}

#[test]
fn the_web_has_the_types_of_these_messages() {
    kept("socket/protocol.ts", &types());
}

#[test]
fn the_web_says_what_the_api_says() {
    kept("api/texts.ts", &texts());
}

#[test]
fn the_web_has_the_limits_of_the_api() {
    kept("api/limits.ts", &limits());
}
