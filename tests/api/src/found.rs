//! What is looked for in files.

use std::path::Path;

/// Whether these bytes contain a text of ASCII. The standard library searches texts with compiled code; in a test's own
/// code, which is not optimized, a search of the bytes takes seconds.
pub fn holds(content: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(content).contains(text)
}

/// Whether a file contains a text of ASCII. A file that is gone contains none.
pub fn file_holds(file: &Path, text: &str) -> bool {
    holds(&std::fs::read(file).unwrap_or_default(), text)
}
