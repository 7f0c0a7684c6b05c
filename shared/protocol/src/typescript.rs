//! What the web has from Rust beside the API's contract: the messages between browser and gateway, and the sentences
//! that both the API and the page say.

use crate::{
    FileEntry, FileFailure, FileKind, FilesAnswer, FilesRequest, FromBrowser, LinkState, ToBrowser,
};
use domain::ledger::Refusal;
use domain::stage::StageRefusal;
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
    texts.iter().fold(TEXTS_HEAD.to_owned(), |file, (name, text)| {
        format!("{file}export const {name} = {text:?};\n")
    })
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
