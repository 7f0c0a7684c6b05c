//! The messages between browser and gateway, as TypeScript for the web.

use crate::{
    FileEntry, FileFailure, FileKind, FilesAnswer, FilesRequest, FromBrowser, LinkState, ToBrowser,
};
use std::path::Path;
use ts_rs::{Config, TS};

/// If set, the test writes the file instead of comparing it; `cargo dev openapi` sets it.
const WRITE: &str = "GROUNDCREW_WRITE_TYPES";

const HEAD: &str = "\
/** The messages between browser and gateway. `cargo dev openapi` generates this file from shared/protocol. */
";

fn document() -> String {
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
    types.iter().fold(HEAD.to_owned(), |text, decl| format!("{text}\nexport {decl}\n"))
}

#[test]
fn the_web_has_the_types_of_these_messages() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/socket/protocol.ts");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&file, document()).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == document(), "web/src/socket/protocol.ts is out of date: cargo dev openapi");
}
