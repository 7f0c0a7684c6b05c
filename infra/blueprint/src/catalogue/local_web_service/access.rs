//! Access to the page: for anyone in the sandbox, or only with a password.
//!
//! The value refers to the password by a number and never contains it. Each number has a separate file, which the step
//! that first needs the number creates. Rotating the password uses a new number, and undoing that uses the old one.

use crate::catalogue::Values;
use crate::catalogue::parameters::{Found, Parameter};
use crate::words::Words;

pub const ACCESS: Parameter = Parameter {
    key: "access",
    label: "Access to the page",
    question: "should the page ask for a password?",
    default: OPEN,
    asked: false,
    accept,
    find,
};

const OPEN: &str = "open";
const PASSWORD: &str = "password-";
/// The change that protects an open page with a password.
const PROTECT: &str = "protect";
/// The change to a new password.
pub const ROTATE: &str = "rotate";
/// The highest number that a password may have.
const MOST: u32 = 9_999;

/// Accepts `open`, `password-3`, or such a value with the user's change: `password-3,rotate`.
fn accept(text: &str) -> Option<String> {
    let (present, wish) = match text.trim().rsplit_once(',') {
        Some((present, wish)) => (present, wish),
        None if [PROTECT, ROTATE].contains(&text.trim()) => (OPEN, text.trim()),
        None => (text.trim(), ""),
    };
    let number: u32 = match present {
        OPEN => 0,
        _ => present.strip_prefix(PASSWORD)?.parse().ok().filter(|n| (1..=MOST).contains(n))?,
    };
    let number = match wish {
        "" => number,
        PROTECT => number.max(1),
        ROTATE if number < MOST => number + 1,
        _ => return None,
    };
    Some(if number == 0 { OPEN.into() } else { format!("{PASSWORD}{number}") })
}

/// “protect it with a password”, “rotate the password”, “without a password”.
fn find(words: &Words) -> Found {
    let basic = ["basic auth", "basic authentication", "http auth"];
    if words.means_any(&basic) {
        return Found::Changed { added: vec![PROTECT.into()], removed: Vec::new() };
    }
    if !words.has("password") {
        return Found::Nothing;
    }
    let wish = |wish: &str| Found::Changed { added: vec![wish.into()], removed: Vec::new() };
    if words.means_any(&[
        "rotate",
        "renew",
        "new password",
        "change the password",
        "another password",
    ]) {
        return wish(ROTATE);
    }
    if words.means_any(&["without", "remove", "no password", "drop", "take away"]) {
        return Found::Value(OPEN.into());
    }
    if words.means_any(&["protect", "add", "with", "require", "ask for", "behind", "need"]) {
        return wish(PROTECT);
    }
    Found::Nothing
}

/// Adds the placeholders by which the documents describe the access.
pub fn derive(values: &mut Values) {
    let name = values.get("name").cloned().unwrap_or_default();
    let words = match values.get("access").map(String::as_str) {
        None | Some(OPEN) => "without a password".to_string(),
        Some(access) => {
            format!("with the user `{name}` and the password in `{name}/access/{access}`")
        }
    };
    values.insert("access_words".into(), words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_added_rotated_and_removed() {
        assert_eq!(accept("open"), Some("open".into()));
        assert_eq!(accept("protect"), Some("password-1".into()));
        assert_eq!(accept("password-1,protect"), Some("password-1".into()));
        assert_eq!(accept("password-1,rotate"), Some("password-2".into()));
        for hostile in ["password-0", "password-1;id", "password-$(id)", "secret", "open,open"] {
            assert_eq!(accept(hostile), None, "{hostile}");
        }
        let found = |text: &str| find(&Words::of(text));
        assert_eq!(found("take the password away, no password"), Found::Value("open".into()));
        assert!(matches!(found("Rotate the password"), Found::Changed { .. }));
        assert!(matches!(found("Protect the page with a password"), Found::Changed { .. }));
        assert_eq!(found("a web service"), Found::Nothing);
    }
}
