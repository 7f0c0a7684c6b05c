//! How outputs hide the value of a credential, by its length and by what it is.
//!
//! The sandbox replaces values in what commands print. A value of six bytes or more is replaced wherever it appears, in
//! every form in which programs print it. A shorter value also appears inside words that have nothing to do with it,
//! and its encoded forms are so short that they would appear everywhere. So a value of four or five bytes is replaced
//! only as a separate word, with no letter or digit beside it, and only in its plain form.
//!
//! Two kinds of short values are not replaced at all. People enter settings beside their secrets, because both are
//! environment variables for them: `true`, `root`, `prod`, `8080`. Such words ([`USUAL`]) and numbers are in nearly
//! every output, in the owner's column of `ls`, in ports, sizes and years. An output in which they are stars tells its
//! reader nothing, and the stars hide nothing either: everyone tries `root` first. A number of four or five digits as a
//! secret is a PIN, which nothing should accept from a network. Values of three bytes or fewer are not replaced for
//! both reasons.
//!
//! What is not replaced must not come as a surprise, so the API names it and the credentials form says so.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A value of this many bytes is replaced everywhere: shorter ones are in ordinary words.
pub const EVERYWHERE_BYTES: usize = 6;
/// A value of this many bytes is replaced as a separate word.
pub const WORD_BYTES: usize = 4;

/// Words of four and five letters that are settings, not secrets, in lower case.
const USUAL: [&str; 62] = [
    "admin", "alert", "alias", "allow", "arm64", "async", "auto", "basic", "beta", "blue", "core",
    "data", "debug", "demo", "deny", "docs", "echo", "error", "false", "fatal", "file", "green",
    "guest", "high", "home", "host", "html", "http", "https", "info", "ipv4", "ipv6", "json",
    "live", "local", "main", "mode", "mysql", "name", "never", "nginx", "none", "null", "open",
    "pass", "port", "prod", "redis", "root", "smtp", "stage", "sync", "test", "text", "trace",
    "true", "user", "users", "utf-8", "utf8", "warn", "yaml",
];

/// How outputs hide a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hiding {
    /// Wherever it appears, in every form.
    #[default]
    Everywhere,
    /// Where no letter or digit is beside it.
    AsAWord,
    /// Not at all.
    Never,
}

/// How outputs hide this value. Spaces around it do not count.
pub fn hiding(value: &str) -> Hiding {
    let value = value.trim();
    match value.len() {
        EVERYWHERE_BYTES.. => Hiding::Everywhere,
        WORD_BYTES.. if !is_usual(value) => Hiding::AsAWord,
        _ => Hiding::Never,
    }
}

/// Whether a short value is in nearly every output.
fn is_usual(value: &str) -> bool {
    let is_number = value.chars().all(|c| c.is_ascii_digit() || ".:,-+%".contains(c));
    is_number || USUAL.contains(&value.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_outputs_can_do_without_are_hidden() {
        for value in ["hunter", "  hunter\n", "123456", "réel5", "true!!"] {
            assert_eq!(hiding(value), Hiding::Everywhere, "{value}");
        }
        for value in ["s3cr", "pw-1!", "zebra", "Xy9z", " Xy9z ", "éé", "a b c", "0x1f"] {
            assert_eq!(hiding(value), Hiding::AsAWord, "{value}");
        }
        for value in [
            "", " ", "a", "x1!", "yes", "true", "TRUE", "False", "root", "Admin", "8080", "65535",
            "1.5", "2026", "-1.50", "12:30", "https", "UTF-8", "  8080  ",
        ] {
            assert_eq!(hiding(value), Hiding::Never, "{value}");
        }
    }

    #[test]
    fn the_usual_words_are_short_lower_case_and_sorted() {
        assert!(USUAL.is_sorted());
        assert!(USUAL.iter().all(|word| *word == word.to_lowercase()));
        assert!(USUAL.iter().all(|word| word.len() < EVERYWHERE_BYTES));
    }
}
