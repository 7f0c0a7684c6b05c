//! English words by which users agree, wait and greet (other languages are translated first), and texts that look like
//! secrets.

use crate::reading::wishes;

/// Words that accept everything, anywhere in a message.
pub(super) const GO_AHEAD: &[&str] = &[
    "default",
    "go ahead",
    "do it",
    "proceed",
    "leave it out",
    "leave that out",
    "leave them out",
    "without it",
    "without them",
    "skip it",
    "build it anyway",
];
/// Words by which a later message adds something to the deployment.
pub const ADDING: &[&str] = &[
    "also",
    "too",
    "as well",
    "add",
    "plus",
    "additionally",
    "besides",
    "on top",
    "another",
    "second",
    "as backend",
    "connect",
    "of course",
    "naturally",
    "natürlich",
    "por supuesto",
    "bien sûr",
    "évidemment",
    "stay on",
    "stay with",
    "remain",
];

/// Words that accept the deployment nearest to a wish that cannot be built.
pub(super) const NEAREST: &[&str] = &["nearest", "closest", "the nearest", "the closest"];
/// Words that accept the defaults in a question: “can you use the defaults?”, but not “what are the defaults?”.
pub(super) const DEFAULTS: &[&str] =
    &["use the default", "use default", "with the default", "with default", "take the default"];
/// Words that agree in answer to a question.
pub(super) const AGREED: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "sure",
    "ok",
    "okay",
    "fine",
    "good",
    "great",
    "perfect",
    "lgtm",
    "confirm",
    "confirmed",
    "continue",
    "ready",
    "that's all",
    "thats all",
    "agreed",
    "correct",
];
/// Words that ask to wait.
pub(super) const WAIT: &[&str] = &["wait", "hold on", "not yet", "not ready", "stop"];
/// Words that greet.
pub(super) const GREETINGS: &[&str] =
    &["hi", "hello", "hey", "good morning", "good evening", "good afternoon"];

/// The message without the placeholders that the product puts in place of credentials.
pub(super) fn without_placeholders(message: &str) -> String {
    let mut parts = message.split("{{secret:");
    let first = parts.next().unwrap_or_default().to_string();
    let rest = parts.map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest));
    rest.fold(first, |text, rest| text + "secret" + rest)
}

/// Whether a message contains an AWS access key, a private key, a word that looks like a token, or the placeholder for a
/// credential.
pub(super) fn looks_like_a_secret(message: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let token = message.split_whitespace().any(|word| wishes::looks_secret(&bare(word)));
    let access_key = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.len() == 20 && (word.starts_with("AKIA") || word.starts_with("ASIA"))
    };
    token
        || message.contains("{{secret:")
        || message.contains("PRIVATE KEY-----")
        || message.split(|c: char| c.is_whitespace() || c == '=').any(access_key)
}
