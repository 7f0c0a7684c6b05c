//! Properties that hold for every text, tried on generated ones.

use super::*;
use crate::variable::check_name;
use proptest::prelude::*;

/// Words and signs that readers of announcements, commands and frames look for.
const FRAGMENTS: &[&str] = &[
    "password",
    "pw",
    " is ",
    ": ",
    "=",
    "Winter2021!",
    "root",
    "-p",
    "mysql ",
    "\"",
    "'",
    "`",
    "\n",
    " ",
    "{",
    "}",
    "<",
    "/",
    ">",
    "|",
    "é",
    "ß",
    "\u{200b}",
    "\u{ad}",
    "ｐ",
    "🔑",
    "e\u{301}",
    "a",
    "1",
    "Kx9$",
    "://",
    "@",
    "host",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "\r\n",
    ",",
    ";",
    "#",
    "curl -u a:b",
    "(",
    ")",
    "Tr0ub4dor",
    "пароль",
    "密码",
    "token ",
    "**",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ -~\n]{0,20}",
        2 => "(password|token|api_key|DB_PASSWORD|secret|--password|bearer)(=|: | is |=\"|: '| )[!-~]{4,24}[\"' ]?",
        1 => "[a-z]{4,8}://[a-z]{1,5}:[!-~]{1,12}@[a-z]{1,5}",
        1 => "(ghp_|gho_)[A-Za-z0-9]{34,40}",
        1 => "AKIA[A-Z0-9]{15,17}",
        1 => "[A-Za-z0-9/+]{40}",
        1 => "(hetzner )?[A-Za-z0-9]{64}",
        1 => "glpat-[A-Za-z0-9_.-]{18,24}",
        1 => "eyJ[A-Za-z0-9_-]{8,12}\\.eyJ[A-Za-z0-9_-]{8,12}\\.[A-Za-z0-9_-]{8,14}",
        1 => "-----BEGIN (RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/]{16,40}\n(-----END PRIVATE KEY-----)?",
        1 => Just("{{secret:PASSWORD}}".to_owned()),
        1 => Just("{{secret:".to_owned()),
        1 => Just("}}".to_owned()),
        1 => "\\PC{0,8}",
        3 => proptest::sample::select(FRAGMENTS).prop_map(str::to_owned),
    ]
}

/// A text with secrets, with words around secrets, or with neither.
fn text(pieces: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..pieces).prop_map(|pieces| pieces.concat())
}

/// How many inputs are tried; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

/// Reads a text as a message.
fn composed(text: &str) -> Redacted {
    redact_with(text, &Choices::default(), &Taken::default())
}

/// Each secret is gone from the text, and has a name of its own.
fn check_secrets(redacted: &Redacted) -> Result<(), TestCaseError> {
    for secret in &redacted.secrets {
        let remains = secret.value.len() >= 6 && redacted.text.contains(&secret.value);
        prop_assert!(!remains, "{:?} in {:?}", secret.value, redacted.text);
        prop_assert_eq!(check_name(&secret.name), Ok(()));
    }
    let mut names: Vec<_> = redacted.secrets.iter().map(|s| &s.name).collect();
    names.sort();
    names.dedup();
    prop_assert_eq!(names.len(), redacted.secrets.len());
    Ok(())
}

/// Only what was found is replaced.
fn check_rest(text: &str, found: &[Found], redacted: &str) -> Result<(), TestCaseError> {
    let mut rebuilt = String::new();
    let mut from = 0;
    for found in found {
        prop_assert!(from <= found.span.start && found.span.start < found.span.end);
        rebuilt += &text[from..found.span.start];
        rebuilt += &reference(&found.name);
        from = found.span.end;
    }
    rebuilt += &text[from..];
    prop_assert_eq!(&rebuilt, redacted);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn no_found_secret_remains_and_a_second_pass_changes_nothing(text in text(8)) {
        let redacted = redact(&text);
        check_secrets(&redacted)?;
        let again = redact(&redacted.text);
        prop_assert_eq!(&again.text, &redacted.text);
        prop_assert!(again.secrets.is_empty());
    }

    #[test]
    fn no_secret_found_in_a_message_remains_and_a_second_pass_changes_nothing(text in text(8)) {
        let redacted = composed(&text);
        check_secrets(&redacted)?;
        // What is stored is read again by the rules alone.
        prop_assert_eq!(&redact(&redacted.text).text, &redacted.text);
    }

    #[test]
    fn text_outside_of_finds_is_kept_unchanged(text in text(6)) {
        check_rest(&text, &find(&text), &redact(&text).text)?;
        let found = find_with(&text, &Choices::default(), &Taken::default());
        check_rest(&text, &found, &composed(&text).text)?;
        prop_assert_eq!(mask(&text).len(), text.len());
    }
}
